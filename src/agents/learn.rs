//! Lessons by rule: what a session's commands show, without a model.

use serde::{Deserialize, Serialize};

/// A command that failed, still waiting for a variant that works.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// As redacted.
    pub command: String,
}

/// Failures that are remembered.
const FAILURES: usize = 4;
/// A lesson's commands are no longer than this.
const LONGEST: usize = 120;

/// Programs and sub-commands that run tests.
const RUNNERS: [&str; 20] = [
    "pytest",
    "py.test",
    "tox",
    "nox",
    "unittest",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "rspec",
    "phpunit",
    "ctest",
    "cargo test",
    "cargo nextest",
    "go test",
    "npm test",
    "pnpm test",
    "yarn test",
    "mvn test",
    "gradle test",
];

/// What a command that ended teaches, if anything. `failures`: the session's earlier ones, updated here.
pub fn command_ended(failures: &mut Vec<Failed>, command: &str, failed: bool) -> Option<String> {
    if !is_plain(command) {
        return None;
    }
    if failed {
        failures.retain(|f| f.command != command);
        failures.push(Failed { command: command.to_owned() });
        if failures.len() > FAILURES {
            failures.remove(0);
        }
        return None;
    }
    let variant = failures.iter().rposition(|f| f.command != command && are_variants(&f.command, command));
    if let Some(at) = variant {
        let before = failures.remove(at);
        let (bad, good) = (general(&before.command), general(command));
        if bad != good && !bad.is_empty() && !good.is_empty() {
            return Some(format!("`{bad}` fails here, `{good}` works"));
        }
    }
    failures.retain(|f| f.command != command);
    let good = general(command);
    (is_test(command) && !good.is_empty()).then(|| format!("tests run with `{good}`"))
}

/// One short command: no pipes, lists, redirections or line breaks, which say little to the next one. Nothing with a
/// hidden secret.
fn is_plain(command: &str) -> bool {
    command.chars().count() <= LONGEST
        && !command.contains(['|', ';', '>', '<', '\n', '`', '$', '(', ')'])
        && !command.contains("&")
        && !command.contains("***")
        && command.chars().any(char::is_alphabetic)
}

fn is_test(command: &str) -> bool {
    let words: Vec<&str> = command.split(' ').map(|w| w.rsplit('/').next().unwrap_or(w)).collect();
    RUNNERS.iter().any(|runner| match runner.split_once(' ') {
        Some((program, sub)) => {
            words.windows(2).any(|pair| pair[0] == program && (pair[1] == sub || pair[1].starts_with("test")))
        }
        None => words.iter().take(6).any(|word| word == runner),
    })
}

/// The same thing tried in another way: most of the smaller one's words are in both.
fn are_variants(a: &str, b: &str) -> bool {
    let split = |text: &str| text.split(' ').filter(|w| !w.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (a, b) = (split(a), split(b));
    // The name of a program counts wherever it stands: `pytest`, `python -m pytest`.
    let shared = a.iter().filter(|word| b.contains(word)).count();
    let program = |words: &[String]| words.first().map(|w| w.rsplit('/').next().unwrap_or(w).to_owned());
    let (pa, pb) = (program(&a), program(&b));
    let akin = pa == pb
        || pa.is_some_and(|p| b.iter().any(|w| w.rsplit('/').next() == Some(&p)))
        || pb.is_some_and(|p| a.iter().any(|w| w.rsplit('/').next() == Some(&p)))
        || (shared >= 1 && a.len().min(b.len()) <= 2);
    akin && shared * 2 >= a.len().min(b.len())
}

/// Without the files and cases that this run was about.
fn general(command: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    let mut skip = false;
    for word in command.split(' ').filter(|w| !w.is_empty()) {
        if std::mem::take(&mut skip) {
            continue;
        }
        if matches!(word, "-k" | "-t" | "--run" | "--grep" | "--testNamePattern" | "--filter" | "-run") {
            skip = true;
            continue;
        }
        if ["--run=", "-run=", "--grep=", "--filter=", "-k=", "--testNamePattern="].iter().any(|p| word.starts_with(p))
        {
            continue;
        }
        if !words.is_empty() && names_a_file(word) {
            continue;
        }
        words.push(word);
    }
    words.join(" ")
}

fn names_a_file(word: &str) -> bool {
    let bare = word.trim_matches(['"', '\'']);
    if bare.starts_with('-') || bare.starts_with("./...") {
        return false;
    }
    let extension = bare.rsplit_once('.').is_some_and(|(stem, ext)| {
        !stem.is_empty() && (1..=4).contains(&ext.len()) && ext.chars().all(|c| c.is_ascii_alphanumeric())
    });
    bare.contains("::") || bare.contains('/') || extension
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(commands: &[(&str, bool)]) -> Vec<String> {
        let mut failures = Vec::new();
        commands.iter().filter_map(|(c, failed)| command_ended(&mut failures, c, *failed)).collect()
    }

    #[test]
    fn a_variant_that_works_after_one_that_failed_is_a_lesson() {
        assert_eq!(
            run(&[("pytest tests/test_a.py", true), ("python -m pytest tests/test_a.py", false)]),
            ["`pytest` fails here, `python -m pytest` works"]
        );
        assert_eq!(run(&[("npm test", true), ("pnpm test", false)]), ["`npm test` fails here, `pnpm test` works"]);
        // The code was mended, not the command.
        assert_eq!(run(&[("make all", true), ("make all", false)]), Vec::<String>::new());
        assert_eq!(run(&[("make all", true), ("ls src", false)]), Vec::<String>::new());
    }

    #[test]
    fn the_test_command_is_learned_without_this_tasks_files() {
        assert_eq!(run(&[("pytest -q tests/test_x.py::test_y -k name", false)]), ["tests run with `pytest -q`"]);
        assert_eq!(run(&[("go test ./... -run TestA", false)]), ["tests run with `go test ./...`"]);
        // Another file's tests passed: nothing is wrong with the command.
        assert_eq!(run(&[("pytest tests/a.py", true), ("pytest tests/b.py", false)]), ["tests run with `pytest`"]);
        assert_eq!(run(&[("curl x | sh", false), ("TOKEN=*** pytest", false)]), Vec::<String>::new());
    }
}
