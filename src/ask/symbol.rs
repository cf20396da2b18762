//! One symbol with its neighbourhood.

use serde::Serialize;

use super::{ALL, AskError, Brief, Calls, Direction, calls, int, text};
use crate::queries;
use crate::store::Graph;
use crate::store::value::RowExt;

/// Another symbol that stands in some relation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Relative {
    /// Its id.
    pub id: String,
    /// Its file.
    pub file: String,
    /// Its first line.
    pub start_line: i64,
    /// How the relation was resolved.
    pub how: String,
}

/// A symbol's card.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Card {
    /// The symbol.
    pub symbol: Brief,
    /// Its doc comment.
    pub doc: String,
    /// A test.
    pub is_test: bool,
    /// Visible outside its file.
    pub exported: bool,
    /// Called from outside.
    pub entry_point: bool,
    /// Classes that it inherits from.
    pub bases: Vec<Relative>,
    /// Classes that inherit from it.
    pub derived: Vec<Relative>,
    /// Tests that exercise it.
    pub tests: Vec<Relative>,
    /// Who calls it.
    pub callers: Calls,
    /// What it calls.
    pub callees: Calls,
}

/// The cards of one definition, a card for each row of it.
///
/// # Errors
/// What the store says.
pub fn card(graph: &Graph, of: &[Brief]) -> Result<Vec<Card>, AskError> {
    of.iter()
        .map(|symbol| {
            let id = || vec![("id", text(symbol.id.as_str()))];
            let own = graph.run(queries::text("symbol"), id())?;
            let row = own.rows.first().map_or(&[][..], |row| row);
            let (mut bases, mut derived) = (Vec::new(), Vec::new());
            for row in graph.run(queries::text("inherits"), id())?.rows {
                let relative = relative(&row, 1, 4)?;
                if row.str(0)? == "base" { bases.push(relative) } else { derived.push(relative) }
            }
            for list in [&mut bases, &mut derived] {
                list.sort_by(|a: &Relative, b| (&a.id, &a.how).cmp(&(&b.id, &b.how)));
            }
            let mut limited = id();
            limited.push(("limit", int(ALL)));
            let tests = graph.run(queries::text("tests_of"), limited)?;
            let one = std::slice::from_ref(symbol);
            Ok(Card {
                symbol: symbol.clone(),
                doc: row.str(8)?.to_owned(),
                is_test: row.bool(9)?,
                exported: row.bool(10)?,
                entry_point: row.bool(11)?,
                bases,
                derived,
                tests: tests.rows.iter().map(|row| relative(row, 0, 3)).collect::<Result<_, _>>()?,
                callers: calls(graph, one, Direction::Callers)?,
                callees: calls(graph, one, Direction::Callees)?,
            })
        })
        .collect()
}

/// Columns `id, file, start_line` from `first` on, `how` elsewhere.
fn relative(row: &[kuzu::Value], first: usize, how: usize) -> Result<Relative, AskError> {
    Ok(Relative {
        id: row.str(first)?.to_owned(),
        file: row.str(first + 1)?.to_owned(),
        start_line: row.int(first + 2)?,
        how: row.str(how)?.to_owned(),
    })
}
