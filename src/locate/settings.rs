//! What people set by a name (a flag, a variable of the environment, a key of a configuration), where that name stands as a
//! string literal: `.option("--plain-output")`, `os.environ["APP_HOME"]`, `config["static_folder"]`.

use std::collections::BTreeMap;

use super::task::{Setting, Task};
use super::{Ground, Hit, Signal, Target};
use crate::terms::{Field, query_words};

/// A name that more units have than this says nothing.
const MOST_UNITS: usize = 12;
/// A possible key, against a flag or a variable.
const UNSURE: f32 = 0.6;
/// What every program has, and every report of a command line shows.
const EVERYWHERE: [&str; 6] = ["version", "help", "verbose", "debug", "quiet", "config"];

/// Hits on the units whose literals are the named settings.
pub fn hits(on: Ground<'_>, task: &Task, hits: &mut Vec<Hit>) {
    for setting in task.settings.iter().filter(|s| s.in_title || !EVERYWHERE.contains(&s.name.as_str())) {
        let found = holders(on, setting);
        let sure = if setting.sure { 1.0 } else { UNSURE };
        let title = if setting.in_title { 1.0 } else { on.weights.fusion.mention_in_body };
        let strength = on.weights.fusion.setting * sure * title / (found.len().max(1) as f32).sqrt();
        if strength <= 0.0 {
            continue;
        }
        for unit in found {
            let note = setting.name.clone();
            hits.push(Hit { target: Target::Unit(unit), signal: Signal::Literal, strength, note });
        }
    }
}

/// Units outside of tests with all words of the name in their literals; those that have it as one word shut out the others.
fn holders(on: Ground<'_>, setting: &Setting) -> Vec<u32> {
    let words = query_words(&setting.name.replace(['-', '.'], "_"));
    let (parts, whole) = match words.split_last() {
        Some((whole, parts)) if !parts.is_empty() => (parts, Some(whole)),
        _ => (&words[..], None),
    };
    let as_one = whole.map_or_else(Vec::new, |word| with_all(on, std::slice::from_ref(word)));
    let found = if as_one.is_empty() { with_all(on, parts) } else { as_one };
    if found.len() > MOST_UNITS { Vec::new() } else { found }
}

fn with_all(on: Ground<'_>, words: &[String]) -> Vec<u32> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for word in words {
        let Some(postings) = on.index.lookup(word) else { return Vec::new() };
        for posting in postings.units().filter(|p| p.counts[Field::Literal as usize] > 0) {
            *counts.entry(posting.unit).or_default() += 1;
        }
    }
    let is_code = |unit: u32| on.index.unit(unit).is_some_and(|u| !u.is_test && on.classes.weight(u.file) >= 1.0);
    counts.into_iter().filter(|&(unit, n)| n == words.len() && is_code(unit)).map(|(unit, _)| unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::Weights;
    use crate::locate::prior::Classes;
    use crate::locate::tests::index;

    fn found(text: &str) -> Vec<String> {
        let index = index(
            &[
                (
                    "cli.py",
                    "def colours(p):\n    p.add_argument('--plain-output', help='x')\n\ndef sizes(p):\n    p.add_argument('--output')\n    p.add_argument('--size')\n",
                ),
                (
                    "home.py",
                    "import os\n\ndef home():\n    return os.environ['APP_HOME']\n\ndef app():\n    return 'home'\n",
                ),
                ("conf.py", "def folder(config):\n    return config['static_folder']\n"),
                ("tests/test_cli.py", "def test_plain():\n    run('--plain-output')\n"),
            ],
            &[],
        );
        let weights = Weights::default();
        let classes = Classes::of(&weights.class, &index);
        let mut hits = Vec::new();
        super::hits(Ground { index: &index, classes: &classes, weights: &weights }, &Task::read(None, text), &mut hits);
        let name = |h: &Hit| match h.target {
            Target::Unit(u) => index.unit(u).unwrap().qualname.to_owned(),
            Target::File(_) => String::new(),
        };
        hits.iter().map(name).collect()
    }

    #[test]
    fn a_flag_a_variable_and_a_key_lead_to_where_they_are_read() {
        assert_eq!(found("Output is red\nI ran it with --plain-output and it was red"), ["colours"]);
        assert_eq!(found("APP_HOME is not read"), ["home"]);
        assert_eq!(found("Wrong\nI set `static_folder` to nothing"), ["folder"]);
        assert!(found("Wrong\nI ran it with --no-such-flag").is_empty());
        assert!(found("Wrong\n$ tool --version").is_empty());
    }
}
