//! What the git history says of files.

use serde::Serialize;

use super::{ALL, AskError, int, must_have_file, text};
use crate::queries;
use crate::store::Graph;
use crate::store::value::RowExt;

/// A file that changed together with the one asked about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CoChange {
    /// Its path.
    pub path: String,
    /// Commits that touched both.
    pub together: i64,
    /// Commits that touched the file asked about.
    pub commits: i64,
    /// Worth of the shared commits at the file's newest one: 1 each, halved every half-life.
    pub weight: f64,
}

/// Somebody who changed a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Owner {
    /// Name after the mailmap.
    pub name: String,
    /// Address after the mailmap.
    pub email: String,
    /// Commits of theirs that touched it, merges left out.
    pub commits: i64,
    /// Their part of all such commits, between 0 and 1.
    pub share: f64,
    /// The newest, seconds since 1970.
    pub last_at: i64,
}

/// A file that is large and changes often.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hotspot {
    /// Its path.
    pub path: String,
    /// Commits that touched it.
    pub commits: i64,
    /// Its length.
    pub lines: i64,
    /// The newest commit, seconds since 1970.
    pub last_at: i64,
    /// Commits times lines.
    pub score: i64,
}

/// A commit that touched a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Past {
    /// Its hash.
    pub hash: String,
    /// When, seconds since 1970.
    pub at: i64,
    /// First line of its message.
    pub subject: String,
    /// Its author, after the mailmap.
    pub author: String,
    /// Its message speaks of a fault that it mends, or of taking something back.
    pub is_fix: bool,
}

/// Commits that touched `file`, the newest first; merges left out.
///
/// # Errors
/// [`AskError::NoFile`], and what the store says.
pub fn commits(graph: &Graph, file: &str) -> Result<Vec<Past>, AskError> {
    must_have_file(graph, file)?;
    let rows = graph.run(queries::text("commits"), vec![("path", text(file)), ("limit", int(ALL))])?;
    let one = |row: &Vec<kuzu::Value>| {
        let subject = row.str(2)?.to_owned();
        let is_fix = speaks_of_a_fix(&subject);
        Ok(Past { hash: row.str(0)?.into(), at: row.int(1)?, subject, author: row.str(3)?.into(), is_fix })
    };
    rows.rows.iter().map(one).collect()
}

/// Words that a message has when it mends something.
const FIX: [&str; 13] = [
    "fix",
    "fixes",
    "fixed",
    "fixup",
    "bugfix",
    "hotfix",
    "bug",
    "regression",
    "crash",
    "revert",
    "reverts",
    "workaround",
    "correct",
];

fn speaks_of_a_fix(subject: &str) -> bool {
    let mut words = subject.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.any(|word| FIX.contains(&word.as_str()))
}

/// Files that changed with `file`, the most relevant first.
///
/// # Errors
/// [`AskError::NoFile`], and what the store says.
pub fn cochange(graph: &Graph, file: &str) -> Result<Vec<CoChange>, AskError> {
    must_have_file(graph, file)?;
    let rows = graph.run(queries::text("cochange"), vec![("path", text(file)), ("limit", int(ALL))])?;
    let one = |row: &Vec<kuzu::Value>| {
        Ok(CoChange { path: row.str(0)?.into(), together: row.int(1)?, commits: row.int(2)?, weight: row.float(3)? })
    };
    rows.rows.iter().map(one).collect()
}

/// Who changed `file`, most commits first.
///
/// # Errors
/// [`AskError::NoFile`], and what the store says.
pub fn owners(graph: &Graph, file: &str) -> Result<Vec<Owner>, AskError> {
    must_have_file(graph, file)?;
    let rows = graph.run(queries::text("owners"), vec![("path", text(file)), ("limit", int(ALL))])?;
    let mut owners = Vec::with_capacity(rows.len());
    for row in &rows.rows {
        let (name, email) = (row.str(1)?.to_owned(), row.str(2)?.to_owned());
        owners.push(Owner { name, email, commits: row.int(3)?, share: 0.0, last_at: row.int(4)? });
    }
    let all: i64 = owners.iter().map(|o| o.commits).sum();
    for owner in &mut owners {
        #[allow(clippy::cast_precision_loss)] // counts of commits
        let share = owner.commits as f64 / all as f64;
        owner.share = share;
    }
    Ok(owners)
}

/// Large files that change often, counting commits from `since` (seconds since 1970) on.
///
/// # Errors
/// What the store says.
pub fn hotspots(graph: &Graph, since: i64) -> Result<Vec<Hotspot>, AskError> {
    let rows = graph.run(queries::text("hotspots"), vec![("since", int(since)), ("limit", int(ALL))])?;
    let one = |row: &Vec<kuzu::Value>| {
        let (commits, lines) = (row.int(1)?, row.int(2)?);
        Ok(Hotspot { path: row.str(0)?.into(), commits, lines, last_at: row.int(3)?, score: row.int(4)? })
    };
    rows.rows.iter().map(one).collect()
}
