//! The whole question: from names or a change to what depends on it, its tests and what to read.

use std::collections::BTreeMap;
use std::time::Duration;

use super::changes::{Changes, ChangesError};
use super::seeds::{Seed, Targets, of_changes, targets};
use super::{Affected, Compared, Hit, Radius, Reading, Status, affected, compare, radius, reading, runner};
use crate::ask::AskError;
use crate::repo::Repo;
use crate::store::{Graph, Store};

/// Tests whose command line is given.
const FIRST: usize = 8;
/// Lines of a definition's head.
const HEAD: i64 = 20;

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

/// What is asked about, looked up.
#[derive(Clone, Debug, Default)]
pub struct Sought {
    /// What was asked, in words.
    pub asked: String,
    /// The changed files; empty when names were given.
    pub files: Vec<Compared>,
    /// Where the walk begins.
    pub seeds: Vec<Seed>,
    /// Changed definitions that the walk leaves out.
    pub left_out: usize,
    /// What the names stand for.
    pub targets: Targets,
}

impl Sought {
    /// Looks it up.
    ///
    /// # Errors
    /// What the store says.
    pub fn look(graph: &Graph, asked: &Asked<'_>) -> Result<Sought, AskError> {
        match asked {
            Asked::Change(changes) => {
                let files = compare(changes);
                let (seeds, left_out) = of_changes(graph, &files, changes.unapplied)?;
                let asked = format!("the change against {}", changes.against);
                Ok(Sought { asked, files, seeds, left_out, targets: Targets::default() })
            }
            Asked::Names(names) => {
                let targets = targets(graph, names)?;
                let asked = names.iter().map(|n| n.0.as_str()).collect::<Vec<_>>().join(" ");
                Ok(Sought { asked, seeds: targets.seeds.clone(), targets, ..Sought::default() })
            }
        }
    }
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Impact {
    /// What it is about.
    pub sought: Sought,
    /// What depends on the seeds.
    pub radius: Radius,
    /// Tests that reach them.
    pub tests: Affected,
    /// Files of the graph.
    pub of: usize,
    /// Command lines for the first tests.
    pub commands: Vec<runner::Command>,
    /// What to read.
    pub reading: Reading,
}

impl Impact {
    /// What the graph says of it; [`Impact::finish`] does what needs no graph. `all`: every definition is named, none cut.
    ///
    /// # Errors
    /// What the store says.
    pub fn look(graph: &Graph, repo: &Repo, asked: &Asked<'_>, all: bool) -> Result<Impact, AskError> {
        let sought = Sought::look(graph, asked)?;
        let radius = radius(graph, repo, &sought.seeds, all)?;
        let tests = affected(graph, repo, &sought.seeds)?;
        let of = super::radius::file_count(graph)?;
        Ok(Impact { sought, radius, tests, of, commands: Vec::new(), reading: Reading::default() })
    }

    /// The tests' command lines and what to read. `count`: tokens of a text.
    #[must_use]
    pub fn finish(mut self, repo: &Repo, count: &dyn Fn(&str) -> usize) -> Impact {
        self.commands = runner::commands(repo, self.first_tests());
        let named = self.sought.files.is_empty().then(|| as_if_changed(&self.sought.seeds, &self.radius));
        self.reading = reading(repo, named.as_ref().unwrap_or(&self.sought.files), &self.radius, self.of, count);
        self
    }

    /// Tests whose command line is given.
    pub fn first_tests(&self) -> &[Hit] {
        &self.tests.hits[..self.tests.hits.len().min(FIRST)]
    }
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
    let found = store.read(wait, |graph| Impact::look(graph, repo, asked, false))?;
    Ok(found.finish(repo, count))
}

/// Named definitions that are read as a whole. Of more, as of a file, only those that the nearest users rely on.
const NAMED: usize = 3;
/// Of so many users.
const USERS: usize = 8;

/// What was named, as if all of it had changed: for what to read.
fn as_if_changed(seeds: &[Seed], radius: &Radius) -> Vec<Compared> {
    let relied: Vec<&str> = radius
        .levels
        .first()
        .into_iter()
        .flat_map(|level| level.shown.iter().take(USERS))
        .filter_map(|user| user.path.first().map(String::as_str))
        .collect();
    let mut files: BTreeMap<&str, Vec<(u32, u32)>> = BTreeMap::new();
    let named = |s: &&Seed| s.kind != "module" && (seeds.len() <= NAMED || relied.contains(&s.id.as_str()));
    for seed in seeds.iter().filter(named) {
        // Of a long one the head: what it takes and gives.
        let end = if seeds.len() <= NAMED { seed.end_line } else { seed.end_line.min(seed.start_line + HEAD) };
        let lines = (seed.start_line.try_into().unwrap_or(0), end.try_into().unwrap_or(0));
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
