//! Symbols and files that the text names outright.

use super::task::{Mention, Task};
use super::{Ground, Hit, Signal, Target};
use crate::facts::SymbolKind;
use crate::search::Index;

/// A name that more symbols have than this says nothing.
const MOST_NAMESAKES: usize = 24;

/// Symbols named by the text: the more of the qualified name is written, and the fewer symbols share it,
/// the stronger.
pub fn symbols(on: Ground<'_>, task: &Task, hits: &mut Vec<Hit>) {
    for mention in &task.mentions {
        let parts: Vec<&str> = split_name(&mention.text);
        let Some(&last) = parts.last() else { continue };
        find(on, mention, &parts, last, hits);
        // `click.Choice(...)` names Choice; `Choice.convert` names the class too, a little.
        if parts.len() > 1 {
            let owner = &parts[..parts.len() - 1];
            find(on, &Mention { weight: mention.weight * 0.5, ..mention.clone() }, owner, owner[owner.len() - 1], hits);
        }
    }
}

fn split_name(text: &str) -> Vec<&str> {
    text.split(['.', ':', '#', '>', '-']).filter(|p| !p.is_empty()).collect()
}

fn find(on: Ground<'_>, mention: &Mention, parts: &[&str], last: &str, hits: &mut Vec<Hit>) {
    let (index, w) = (on.index, &on.weights.fusion);
    if last.len() < 3 {
        return;
    }
    let mut found: Vec<(u32, usize, bool)> = Vec::new();
    for (no, unit) in index.symbols_named(last) {
        if unit.is_test || unit.kind == Some(SymbolKind::Module) {
            continue;
        }
        let Some(file) = index.file(unit.file) else { continue };
        if file.is_test {
            continue;
        }
        let name = unit.qualname.split('#').next().unwrap_or(unit.qualname);
        let exact_case = crate::search::last_name(unit.qualname) == last;
        found.push((no, matched_parts(name, file.path, parts), exact_case));
        if found.len() > MOST_NAMESAKES * 8 {
            return;
        }
    }
    // A fuller match, then one of the same letter case, shuts out the others.
    let fullest = found.iter().map(|f| (f.1, f.2)).max().unwrap_or((0, false));
    found.retain(|f| (f.1, f.2) == fullest);
    if found.is_empty() || found.len() > MOST_NAMESAKES {
        return;
    }
    let common = !mention.as_code && !fullest.1;
    let base = if mention.as_code { 1.0 } else { w.plain_word } * if common { 0.5 } else { 1.0 };
    let title = if mention.in_title { 1.0 } else { w.mention_in_body };
    let fuller = if fullest.0 > 1 { 1.0 } else { w.bare_name };
    let strength = base * title * fuller * mention.weight.clamp(0.2, 1.0) / (found.len() as f32).sqrt();
    for (no, ..) in found {
        hits.push(Hit { target: Target::Unit(no), signal: Signal::Mention, strength, note: mention.text.clone() });
    }
}

/// How many of the written parts, from the last back, the symbol's name and then its path have.
fn matched_parts(qualname: &str, path: &str, parts: &[&str]) -> usize {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let mut chain: Vec<&str> = qualname.rsplit('.').collect();
    chain.extend(stem.rsplit('/').filter(|f| !matches!(*f, "__init__" | "index" | "mod" | "lib")));
    let mut at = 0;
    let mut count = 0;
    for part in parts.iter().rev() {
        // Packages re-export: a part of the chain may be left out of what people write.
        match chain[at..].iter().position(|c| c.eq_ignore_ascii_case(part)) {
            Some(skip) => {
                at += skip + 1;
                count += 1;
            }
            None => break,
        }
    }
    count
}

/// Files named by the text.
pub fn paths(on: Ground<'_>, task: &Task, hits: &mut Vec<Hit>) {
    let (index, w) = (on.index, &on.weights.fusion);
    for mention in &task.paths {
        for (no, strength) in files_like(index, &mention.path) {
            let unit = mention.line.and_then(|line| index.unit_at(no, line));
            // A path with folders is meant as it stands; a bare name may be an example's.
            let full = mention.path.contains('/') && strength >= 1.0;
            let place = if mention.in_title || full { 1.0 } else { w.mention_in_body };
            let hit =
                |target| Hit { target, signal: Signal::Path, strength: strength * place, note: mention.path.clone() };
            hits.push(hit(Target::File(no)));
            if let Some(unit) = unit {
                hits.push(hit(Target::Unit(unit)));
            }
        }
    }
    // A dotted module path names a file: `sphinx.ext.autodoc`.
    for mention in &task.mentions {
        if mention.text.contains('.') && mention.as_code {
            for (no, strength) in modules_like(index, &mention.text) {
                hits.push(Hit {
                    target: Target::File(no),
                    signal: Signal::Path,
                    strength: strength
                        * mention.weight.min(1.0)
                        * if mention.in_title { 1.0 } else { w.mention_in_body },
                    note: mention.text.clone(),
                });
            }
        }
    }
}

/// Files whose path ends as `path` does, with how sure that is: the longest common tail wins.
pub fn files_like(index: &Index, path: &str) -> Vec<(u32, f32)> {
    let path = path.trim_start_matches("./");
    let base = path.rsplit('/').next().unwrap_or(path);
    let mut best: Vec<(u32, usize, usize)> = Vec::new();
    for (no, file) in index.files_named(base) {
        let tail = common_tail(file.path, path);
        best.push((no, tail, file.path.split('/').count()));
    }
    let longest = best.iter().map(|b| b.1).max().unwrap_or(0);
    best.retain(|b| b.1 == longest);
    if best.is_empty() || best.len() > 6 {
        return Vec::new();
    }
    let share = 1.0 / best.len() as f32;
    // A bare `utils.py` of a library's trace is no file of ours unless folders agree or the file lies at the root.
    best.into_iter()
        .map(|(no, tail, depth)| {
            let written = path.split('/').count();
            let sure = if tail == written.min(depth) {
                1.0
            } else if tail > 1 {
                0.9
            } else {
                0.25
            };
            (no, sure * share)
        })
        .collect()
}

fn common_tail(a: &str, b: &str) -> usize {
    a.rsplit('/').zip(b.rsplit('/')).take_while(|(x, y)| x.eq_ignore_ascii_case(y)).count()
}

fn modules_like(index: &Index, dotted: &str) -> Vec<(u32, f32)> {
    let parts: Vec<&str> = split_name(dotted);
    let mut out = Vec::new();
    // The last parts may name things in the module.
    for end in (2..=parts.len()).rev().take(3) {
        let folder = parts[..end].join("/");
        for (name, tail) in [(format!("{}.py", parts[end - 1]), ""), ("__init__.py".into(), "/__init__")] {
            for (no, file) in index.files_named(&name) {
                let stem = file.path.rsplit_once('.').map_or(file.path, |(s, _)| s);
                let wanted = format!("{folder}{tail}");
                if stem == wanted || stem.ends_with(&format!("/{wanted}")) {
                    out.push((no, 1.0 / (1.0 + (parts.len() - end) as f32 * 0.3)));
                }
            }
        }
        if !out.is_empty() {
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::Weights;
    use crate::locate::prior::Classes;
    use crate::locate::tests::library;

    fn hits_of(text: &str) -> Vec<(String, f32)> {
        let (index, weights) = (library(), Weights::default());
        let classes = Classes::of(&weights.class, &index);
        let on = Ground { index: &index, classes: &classes, weights: &weights };
        let task = Task::read(None, text);
        let mut hits = Vec::new();
        symbols(on, &task, &mut hits);
        paths(on, &task, &mut hits);
        hits.iter()
            .map(|h| match h.target {
                Target::Unit(u) => (index.unit(u).unwrap().qualname.to_owned(), h.strength),
                Target::File(f) => (index.file(f).unwrap().path.to_owned(), h.strength),
            })
            .collect()
    }

    fn strength(hits: &[(String, f32)], name: &str) -> f32 {
        hits.iter().filter(|h| h.0 == name).map(|h| h.1).fold(0.0, f32::max)
    }

    #[test]
    fn the_more_is_written_the_stronger() {
        let full = hits_of("`Choice.convert` is wrong");
        assert_eq!(strength(&full, "Colour.convert"), 0.0);
        let bare = hits_of("`convert` is wrong");
        assert!(strength(&full, "Choice.convert") > strength(&bare, "Choice.convert"));
        assert!(strength(&bare, "Choice.convert") == strength(&bare, "Colour.convert"));
    }

    #[test]
    fn a_path_with_a_line_names_file_and_function() {
        let hits = hits_of("See src/shop/cart.py:2");
        assert!(strength(&hits, "src/shop/cart.py") > 0.5 && strength(&hits, "total") > 0.5, "{hits:?}");
        assert!(hits_of("See nowhere/other.py:2").is_empty());
    }
}
