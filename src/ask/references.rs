//! Who reads and writes a variable, a field, a constant.

use serde::Serialize;

use super::{ALL, AskError, Brief, Certainty, int, text};
use crate::queries;
use crate::store::Graph;
use crate::store::value::RowExt;

/// What a mention does with what it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mentions {
    /// Reads it, hands it on, stores or returns it.
    Readers,
    /// Gives it a value.
    Writers,
}

impl Mentions {
    fn takes(self, access: &str) -> bool {
        match self {
            Mentions::Readers => matches!(access, "read" | "value"),
            Mentions::Writers => access == "write",
        }
    }
}

/// One symbol whose code mentions another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mention {
    /// How sure it is.
    pub certainty: Certainty,
    /// Id of the symbol whose code it is.
    pub id: String,
    /// Its file, where the lines are.
    pub file: String,
    /// Line of each mention.
    pub lines: Vec<i64>,
    /// `read`, `value` (handed on) or `write`.
    pub access: String,
    /// How it was resolved.
    pub how: String,
    /// Between 0 and 1.
    pub confidence: f64,
}

/// A way from an entry point or a test to a symbol that mentions another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Way {
    /// Ids from the entry down to the symbol that mentions it.
    pub steps: Vec<String>,
    /// Whether it starts at a test.
    pub from_test: bool,
}

/// Readers or writers of one definition (all rows of it), the surest first.
///
/// # Errors
/// What the store says.
pub fn mentions(graph: &Graph, of: &[Brief], what: Mentions) -> Result<Vec<Mention>, AskError> {
    let mut found = Vec::new();
    for symbol in of {
        let params = vec![("id", text(symbol.id.as_str())), ("limit", int(ALL))];
        for row in graph.run(queries::text("references"), params)?.rows {
            if !what.takes(row.str(3)?) {
                continue;
            }
            let how = row.str(4)?.to_owned();
            found.push(Mention {
                certainty: Certainty::of(&how),
                id: row.str(0)?.to_owned(),
                file: row.str(1)?.to_owned(),
                lines: row.ints(2)?,
                access: row.str(3)?.to_owned(),
                how,
                confidence: row.float(5)?,
            });
        }
    }
    found.sort_by(|a, b| (a.certainty, &a.id, &a.access, &a.how).cmp(&(b.certainty, &b.id, &b.access, &b.how)));
    Ok(found)
}

/// At most `limit` ways from entry points, then tests, to the symbols that hold these mentions.
///
/// # Errors
/// What the store says.
pub fn ways_to(graph: &Graph, mentions: &[Mention], limit: usize) -> Result<Vec<Way>, AskError> {
    let mut ways: Vec<Way> = Vec::new();
    for mention in mentions.iter().take(limit) {
        let params = vec![("id", text(mention.id.as_str())), ("limit", int(limit as i64))];
        for row in graph.run(queries::text("reached_from"), params)?.rows {
            let mut steps = vec![row.str(0)?.to_owned()];
            steps.extend(row.strs(1)?.into_iter().rev().map(str::to_owned));
            steps.push(mention.id.clone());
            ways.push(Way { steps, from_test: row.bool(3)? });
        }
    }
    ways.sort_by(|a, b| (a.from_test, a.steps.len(), &a.steps).cmp(&(b.from_test, b.steps.len(), &b.steps)));
    ways.dedup();
    ways.truncate(limit);
    Ok(ways)
}
