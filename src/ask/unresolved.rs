//! Calls that could not be tied to a definition.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{ALL, AskError, Brief, int, text};
use crate::queries;
use crate::store::Graph;
use crate::store::value::RowExt;

/// Sites in one symbol that call a name nobody could place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unresolved {
    /// Id of the symbol that holds the sites.
    pub caller: String,
    /// `read` for a plain call, `.read` for one on something unknown.
    pub called: String,
    /// How many.
    pub sites: i64,
    /// The line of each, ascending, as far as the graph remembers them.
    pub lines: Vec<i64>,
}

/// `name@line`, as the graph has it.
fn site(stored: &str) -> (&str, Option<i64>) {
    match stored.rsplit_once('@') {
        Some((name, line)) => (name, line.parse().ok()),
        None => (stored, None),
    }
}

/// Sites that call a bare name (anything before the last dot is taken off).
///
/// # Errors
/// What the store says.
pub fn unresolved(graph: &Graph, name: &str) -> Result<Vec<Unresolved>, AskError> {
    sites_of(graph, name)
}

pub(super) fn sites_of(graph: &Graph, qualname: &str) -> Result<Vec<Unresolved>, AskError> {
    let qualname = qualname.trim_end_matches("()");
    let bare = qualname.rsplit(['.', ':']).next().unwrap_or(qualname);
    let rows = graph.run(queries::text("unresolved"), vec![("name", text(bare)), ("limit", int(ALL))])?;
    rows.rows
        .iter()
        .map(|row| {
            let mut lines: Vec<i64> = row.strs(5)?.into_iter().filter_map(|line| line.parse().ok()).collect();
            lines.sort_unstable();
            Ok(Unresolved { caller: row.str(0)?.into(), called: row.str(3)?.into(), sites: row.int(4)?, lines })
        })
        .collect()
}

/// Names that these symbols call in vain, most sites first.
pub(super) fn inside(graph: &Graph, symbols: &[Brief]) -> Result<Vec<Unresolved>, AskError> {
    let mut found = Vec::new();
    for symbol in symbols {
        let rows = graph.run(queries::text("symbol"), vec![("id", text(symbol.id.as_str()))])?;
        let mut sites: BTreeMap<&str, (i64, Vec<i64>)> = BTreeMap::new();
        for row in &rows.rows {
            for (called, line) in row.strs(13)?.into_iter().map(site) {
                let of_name = sites.entry(called).or_default();
                of_name.0 += 1;
                of_name.1.extend(line);
            }
        }
        let one = |(called, (sites, lines)): (&str, (i64, Vec<i64>))| Unresolved {
            caller: symbol.id.clone(),
            called: called.into(),
            sites,
            lines,
        };
        found.extend(sites.into_iter().map(one));
    }
    found.sort_by(|a, b| b.sites.cmp(&a.sites).then_with(|| (&a.called, &a.caller).cmp(&(&b.called, &b.caller))));
    Ok(found)
}
