//! One line after an edit, when there is something that the agent may not know.

use std::collections::BTreeSet;

use crate::ask;
use crate::render::line::one_line;
use crate::store::statements::named;
use crate::store::value::{RowExt, text};
use crate::store::{Graph, Result, StoreError};

const NEWS: &str = include_str!("../../queries/agents/news.cypher");

const PATH: usize = 120;
/// A file that changed with it in so large a part of its commits nearly always does ...
const SHARE: f64 = 0.6;
/// ... when there were so many.
const COMMITS: i64 = 4;
/// Fewer callers than that are no news.
const CALLERS: i64 = 3;

/// Tests that cover a file, callers from elsewhere, and the file that nearly always changes with it, if it was not
/// touched; `None` when none of that is worth a line.
///
/// # Errors
/// What the store says.
pub fn of_edit(graph: &Graph, path: &str, touched: &BTreeSet<String>) -> Result<Option<String>> {
    let by_path = || vec![("path", text(path))];
    let mut parts = Vec::new();
    let tests = graph.run(named(NEWS, "tests"), by_path())?;
    let tests = tests.rows.iter().map(|row| Ok(one_line(row.str(0)?, PATH))).collect::<Result<Vec<_>>>()?;
    if !tests.is_empty() {
        parts.push(format!("tested by {}", tests.join(", ")));
    }
    let callers = graph.run(named(NEWS, "callers"), by_path())?;
    if let Some(row) = callers.rows.first()
        && row.int(0)? >= CALLERS
    {
        let (callers, files) = (row.int(0)?, row.int(1)?);
        let s = if files == 1 { "" } else { "s" };
        parts.push(format!("{callers} callers in {files} other file{s}"));
    }
    let together = match ask::cochange(graph, path) {
        Ok(together) => together,
        Err(ask::AskError::Store(error)) => return Err(error),
        // A new file has no history.
        Err(_) => Vec::new(),
    };
    #[allow(clippy::cast_precision_loss)] // numbers of commits
    let near = together.iter().find(|c| c.together >= COMMITS && c.together as f64 >= SHARE * c.commits as f64);
    if let Some(near) = near.filter(|c| !touched.contains(&c.path)) {
        let path = one_line(&near.path, PATH);
        parts.push(format!("{path} changed with it in {} of {} commits", near.together, near.commits));
    }
    if parts.is_empty() {
        return Ok(None);
    }
    Ok(Some(format!("[portolan] {}: {}.", one_line(path, PATH), parts.join("; "))))
}

/// As an error of the store, for callers that have no other.
pub(super) fn store_error(error: ask::AskError) -> StoreError {
    match error {
        ask::AskError::Store(error) => error,
        other => StoreError::Query { message: other.to_string() },
    }
}
