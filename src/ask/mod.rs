//! Questions to the graph that answer with data; making text of it is left to those who print.

mod adhoc;
mod calls;
mod find;
mod history;
mod locate;
mod name;
mod path;
mod references;
mod symbol;
mod unresolved;

use serde::Serialize;

pub use adhoc::adhoc;
pub use calls::{CallEdge, CallSite, Calls, Certainty, Constructor, Direction, calls, export_calls};
pub use find::{Find, FoundSymbol, TextHit, find};
pub use history::{CoChange, Hotspot, Owner, Past, cochange, commits, hotspots, owners};
pub use locate::locate;
pub use name::{Named, named, named_value, outline, similar};
pub use path::{Chain, Step, path};
pub use references::{Mention, Mentions, Way, mentions, ways_to};
pub use symbol::{Card, Relative, card};
pub use unresolved::{Unresolved, unresolved};

use crate::search::SearchError;
use crate::store::value::{RowExt, int, text};
use crate::store::{Graph, StoreError};

/// More rows than any graph has; for questions that count before they cut.
const ALL: i64 = i64::MAX / 2;

/// What keeps a question from being answered.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The store's reason.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The search index is missing or unusable.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The statement may not run, or cannot be shown.
    #[error("{reason}")]
    Statement {
        /// Why not.
        reason: String,
    },
    /// The path names no file of the graph.
    #[error("{path} is not in the graph")]
    NoFile {
        /// As asked for.
        path: String,
    },
}

/// A symbol as lists show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Brief {
    /// `path::Qual.name`.
    pub id: String,
    /// Dotted name within the file.
    pub qualname: String,
    /// `function`, `class`, ...
    pub kind: String,
    /// Path of its file.
    pub file: String,
    /// First line.
    pub start_line: i64,
    /// Last line.
    pub end_line: i64,
    /// The declaration on one line.
    pub signature: String,
}

/// How many files, symbols, calls and commits the graph holds.
///
/// # Errors
/// What the store says.
pub fn counts(graph: &Graph) -> Result<std::collections::BTreeMap<String, i64>, AskError> {
    let rows = graph.run(crate::queries::text("counts"), Vec::new())?;
    let columns = rows.columns.iter().enumerate();
    // Without a row a table is empty, and with it the rest of the pattern.
    let row = rows.rows.first();
    columns.map(|(at, name)| Ok((name.clone(), row.map_or(Ok(0), |row| row.int(at))?))).collect()
}

/// Whether a file of that path is in the tree that was indexed.
///
/// # Errors
/// What the store says.
pub fn has_file(graph: &Graph, path: &str) -> Result<bool, AskError> {
    let found = graph.run(crate::queries::text("file"), vec![("path", text(path))])?;
    Ok(found.rows.first().map_or(Ok(false), |row| row.bool(6))?)
}

/// Whether a symbol has that id.
///
/// # Errors
/// What the store says.
pub fn has_symbol(graph: &Graph, id: &str) -> Result<bool, AskError> {
    Ok(!graph.run(crate::queries::text("symbol"), vec![("id", text(id))])?.rows.is_empty())
}

/// Fails when the graph has no such file.
///
/// # Errors
/// [`AskError::NoFile`], and what the store says.
pub fn must_have_file(graph: &Graph, path: &str) -> Result<(), AskError> {
    if has_file(graph, path)? { Ok(()) } else { Err(AskError::NoFile { path: path.to_owned() }) }
}

/// The part of a symbol's id before `::`.
fn file_of(id: &str) -> &str {
    id.rsplit_once("::").map_or(id, |(file, _)| file)
}
