//! Tests as witnesses: a test that speaks of the same points at what it tests, but is no place itself.

use std::collections::{BTreeMap, BTreeSet};

use super::past::Past;
use super::prior::{Class, Classes};
use super::text::TextScores;
use super::walk::symbol_id;
use super::weights::bounds;
use super::{GraphView, Ground, Hit, Place, Signal, Target};
use crate::search::Index;

/// Test files that are asked.
const WITNESSES: usize = 5;
/// Places whose tests are asked for.
const PLACES: usize = 4;
/// Members of a class whose tests are looked up.
const MOST_SIBLINGS: usize = 200;

/// Hits on what the best test files test, by their name and by what they change together with.
pub fn hits(on: Ground<'_>, past: &Past<'_>, text: &TextScores, hits: &mut Vec<Hit>) {
    let Ground { index, classes, .. } = on;
    let mut tests: Vec<(u32, f32)> = (0..index.file_count())
        .filter(|&f| classes.get(f) == Class::Test && text.files[f as usize] > 0.0)
        .map(|f| (f, text.files[f as usize]))
        .collect();
    tests.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    tests.truncate(WITNESSES);
    let Some(&(_, best)) = tests.first() else { return };
    for (test, score) in tests {
        let Some(view) = index.file(test) else { continue };
        let share = (score / best).powi(2);
        let note = view.path.to_owned();
        let mut put = |file, strength: f32| {
            hits.push(Hit {
                target: Target::File(file),
                signal: Signal::Witness,
                strength: strength.min(1.0),
                note: note.clone(),
            });
        };
        for (file, sure) in tested_by_name(index, classes, view.path) {
            put(file, share * sure);
        }
        let (own, others) = past.together_with(test);
        for (file, (value, count)) in others {
            if count >= bounds::LEAST_TOGETHER && classes.get(file) == Class::Code {
                put(file, share * past.share(value, own));
            }
        }
    }
}

/// `tests/test_types.py` tests `types.py`, `logs_test.go` tests `logs.go`.
fn tested_by_name(index: &Index, classes: &Classes, test: &str) -> Vec<(u32, f32)> {
    let (name, extension) = base(test);
    let Some(stem) = tested_stem(name) else { return Vec::new() };
    let wanted = format!("{stem}.{extension}");
    let found: Vec<u32> =
        index.files_named(&wanted).filter(|&(no, _)| classes.get(no) == Class::Code).map(|(no, _)| no).collect();
    let folder = folder(test);
    let near: Vec<u32> =
        found.iter().copied().filter(|&f| index.file(f).is_some_and(|v| self::folder(v.path) == folder)).collect();
    let chosen = if near.is_empty() { found } else { near };
    let share = 1.0 / chosen.len().max(1) as f32;
    chosen.into_iter().map(|f| (f, share)).collect()
}

fn base(path: &str) -> (&str, &str) {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').unwrap_or((name, ""))
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(f, _)| f)
}

fn tested_stem(name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    let stem = lower
        .strip_prefix("test_")
        .or_else(|| lower.strip_suffix("_test"))
        .or_else(|| lower.strip_suffix(".test"))
        .or_else(|| lower.strip_suffix(".spec"))
        .or_else(|| lower.strip_suffix("tests"))
        .or_else(|| lower.strip_suffix("-test"))
        .or_else(|| lower.strip_suffix("test"))
        .or_else(|| lower.strip_prefix("test"))?;
    (!stem.is_empty()).then(|| stem.to_owned())
}

/// Test files for the places: those that exercise them by the graph, then those of the same name, then those
/// that change together with them.
pub fn tests_for<G: GraphView>(
    index: &Index,
    graph: &G,
    past: &Past<'_>,
    classes: &Classes,
    text: &TextScores,
    places: &[Place],
    most: usize,
) -> Result<Vec<String>, G::Error> {
    let mut scored: BTreeMap<String, f32> = BTreeMap::new();
    let number = |path: &str| {
        index.files_named(path.rsplit('/').next().unwrap_or(path)).find(|(_, f)| f.path == path).map(|(no, _)| no)
    };
    let mut add = |path: &str, strength: f32| {
        // Of several tests the one that speaks of the same words comes first, as a whole or in one test.
        let spoken = number(path).map_or(0.0, |no| {
            let best = index.units_of(no).map(|u| text.units[u as usize]).fold(0.0, f32::max);
            0.5 * (text.files[no as usize].min(1.0) + best.min(1.0))
        });
        let value = strength * (0.3 + spoken);
        let entry = scored.entry(path.to_owned()).or_default();
        *entry = entry.max(value);
    };
    let asked: Vec<(Option<String>, Vec<String>)> =
        places.iter().take(PLACES).map(|place| (place.symbol_id(), siblings(index, place))).collect();
    let mut ids: Vec<String> = asked.iter().flat_map(|(id, siblings)| id.iter().chain(siblings)).cloned().collect();
    ids.sort_unstable();
    ids.dedup();
    let tests = if ids.is_empty() { Vec::new() } else { graph.tests_of(&ids)? };
    for (rank, (place, (id, siblings))) in places.iter().zip(&asked).enumerate() {
        let weight = 1.0 / (1.0 + rank as f32);
        for test in tests.iter().filter(|t| id.as_ref() == Some(&t.id)) {
            add(&test.file, weight);
        }
        let mut of_class: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for test in tests.iter().filter(|t| siblings.binary_search(&t.id).is_ok()) {
            of_class.entry(&test.file).or_default().insert(&test.test);
        }
        for (file, tests) in of_class {
            let count = tests.len() as f32;
            add(file, weight * 0.9 * count / (count + 1.0));
        }
        let Some(file) = number(&place.file) else { continue };
        let (stem, extension) = base(&place.file);
        let stem = stem.to_lowercase();
        for wanted in [
            format!("test_{stem}.{extension}"),
            format!("{stem}_test.{extension}"),
            format!("{stem}.test.{extension}"),
            format!("{stem}.spec.{extension}"),
            format!("{stem}test.{extension}"),
            format!("test{stem}.{extension}"),
            format!("{stem}-test.{extension}"),
        ] {
            for (_, view) in index.files_named(&wanted) {
                let near = folder(view.path) == folder(&place.file);
                add(view.path, weight * if near { 0.8 } else { 0.6 });
            }
        }
        let (own, others) = past.together_with(file);
        for (other, (value, count)) in others {
            if count >= bounds::LEAST_TOGETHER
                && classes.get(other) == Class::Test
                && let Some(view) = index.file(other)
            {
                add(view.path, weight * past.share(value, own).min(0.7));
            }
        }
    }
    let mut ranked: Vec<(String, f32)> = scored.into_iter().collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let best = ranked.first().map_or(0.0, |r| r.1);
    ranked.retain(|r| r.1 >= best * 0.4);
    Ok(ranked.into_iter().take(most).map(|r| r.0).collect())
}

/// The members of the class that a place is a member of, itself too, sorted: tests make the object and reach the place over calls
/// that no reader of the code can follow.
fn siblings(index: &Index, place: &Place) -> Vec<String> {
    let Some((class, _)) = place.qualname.rsplit_once('.') else { return Vec::new() };
    let name = place.file.rsplit('/').next().unwrap_or(&place.file);
    let Some((file, _)) = index.files_named(name).find(|(_, f)| f.path == place.file) else { return Vec::new() };
    let parent = index.units_of(file).find(|&u| index.unit(u).is_some_and(|v| v.qualname == class));
    let Some(parent) = parent else { return Vec::new() };
    let members = index.units_of(file).filter(|&u| index.unit(u).is_some_and(|v| v.parent == Some(parent)));
    let mut ids: Vec<String> = members.take(MOST_SIBLINGS).filter_map(|u| symbol_id(index, u)).collect();
    ids.sort_unstable();
    ids
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::Weights;
    use crate::locate::tests::library;

    #[test]
    fn names_of_tests() {
        for (test, tested) in [
            ("test_types", Some("types")),
            ("logs_test", Some("logs")),
            ("format.spec", Some("format")),
            ("mockutiltest", Some("mockutil")),
            ("test", None),
            ("types", None),
        ] {
            assert_eq!(tested_stem(test).as_deref(), tested, "{test}");
        }
        let (index, weights) = (library(), Weights::default());
        let classes = Classes::of(&weights.class, &index);
        let found = tested_by_name(&index, &classes, "tests/test_types.py");
        assert_eq!(found.len(), 1);
        assert_eq!(index.file(found[0].0).unwrap().path, "src/shop/types.py");
    }
}
