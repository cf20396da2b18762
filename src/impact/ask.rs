//! The whole question: from names or a change to what depends on it, its tests and what to read.

use std::collections::BTreeMap;
use std::time::Duration;

use super::changes::{Changes, ChangesError};
use super::seeds::{Seed, Targets, of_changes, targets};
use super::{Affected, Compared, Radius, Reading, Status, affected, compare, radius, reading, runner};
use crate::ask::AskError;
use crate::repo::Repo;
use crate::store::Store;

/// Tests whose command line is given.
const FIRST: usize = 8;

/// What is asked about.
#[derive(Debug)]
pub enum Asked<'a> {
    /// A change.
    Change(&'a Changes),
    /// Names, each as written and as a path of the graph.
    Names(&'a [(String, String)]),
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ImpactError {
    /// The change cannot be read.
    #[error(transparent)]
    Changes(#[from] ChangesError),
    /// The graph cannot be asked.
    #[error(transparent)]
    Ask(#[from] AskError),
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Impact {
    /// What was asked, in words.
    pub asked: String,
    /// The changed files; empty when names were given.
    pub files: Vec<Compared>,
    /// Where the walk began.
    pub seeds: Vec<Seed>,
    /// Changed definitions that the walk left out.
    pub left_out: usize,
    /// What the names stand for.
    pub targets: Targets,
    /// What depends on the seeds.
    pub radius: Radius,
    /// Tests that reach them.
    pub tests: Affected,
    /// Command lines for the first tests.
    pub commands: Vec<runner::Command>,
    /// What to read.
    pub reading: Reading,
}

/// Asks. `count`: tokens of a text; `wait`: how long to wait for the graph.
///
/// # Errors
/// See [`ImpactError`].
pub fn impact(
    repo: &Repo,
    store: &Store,
    wait: Duration,
    asked: &Asked<'_>,
    count: &dyn Fn(&str) -> usize,
) -> Result<Impact, ImpactError> {
    let (text, files, seeds, left_out, targets, radius, tests, of) = store.read(wait, |graph| {
        let (text, files, seeds, left_out, targets) = match asked {
            Asked::Change(changes) => {
                let files = compare(changes);
                let (seeds, left_out) = of_changes(graph, &files, changes.unapplied)?;
                (format!("the change against {}", changes.against), files, seeds, left_out, Targets::default())
            }
            Asked::Names(names) => {
                let targets = targets(graph, names)?;
                let text = names.iter().map(|n| n.0.as_str()).collect::<Vec<_>>().join(" ");
                (text, Vec::new(), targets.seeds.clone(), 0, targets)
            }
        };
        let radius = radius(graph, repo, &seeds, false)?;
        let tests = affected(graph, repo, &seeds)?;
        let of = super::radius::file_count(graph)?;
        Ok::<_, AskError>((text, files, seeds, left_out, targets, radius, tests, of))
    })?;
    let commands = runner::commands(repo, &tests.hits[..tests.hits.len().min(FIRST)]);
    let read = if files.is_empty() { as_if_changed(&seeds) } else { files.clone() };
    let reading = reading(repo, &read, &radius, of, count);
    Ok(Impact { asked: text, files, seeds, left_out, targets, radius, tests, commands, reading })
}

/// What was named, as if all of it had changed: for what to read.
fn as_if_changed(seeds: &[Seed]) -> Vec<Compared> {
    let mut files: BTreeMap<&str, Vec<(u32, u32)>> = BTreeMap::new();
    for seed in seeds.iter().filter(|s| s.kind != "module") {
        let lines = (seed.start_line.try_into().unwrap_or(0), seed.end_line.try_into().unwrap_or(0));
        files.entry(&seed.file).or_default().push(lines);
    }
    let one = |(path, lines): (&str, Vec<(u32, u32)>)| Compared {
        path: path.to_owned(),
        was: None,
        status: Status::Modified,
        parsed: true,
        binary: false,
        is_test: false,
        added: 0,
        removed: 0,
        symbols: Vec::new(),
        imports_changed: false,
        cosmetic: false,
        lines,
    };
    files.into_iter().map(one).collect()
}
