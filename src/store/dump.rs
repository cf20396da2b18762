//! The whole graph as sorted text, the same for the same graph: what equality tests compare.

use std::io::Write;

use serde_json::Value as Json;

use super::memory::Memory;
use super::statements::named;
use super::{Graph, Result, StoreError};
use crate::cells;

const DUMP: &str = include_str!("../../queries/store/dump.cypher");

const TABLES: [&str; 14] = [
    "File",
    "Symbol",
    "DEFINES",
    "CONTAINS",
    "CALLS",
    "REFERENCES",
    "INHERITS",
    "IMPORTS",
    "TESTS",
    "Commit",
    "Person",
    "AUTHORED",
    "TOUCHED",
    "CO_CHANGES",
];

/// Writes a row a line: the table's name, a tab, and the row as a JSON array; tables in the order of the schema, rows
/// sorted as text. Agents' memory follows; locks, Meta and rows that are not in the tree are left out.
pub fn dump(graph: &Graph, out: &mut dyn Write) -> Result<()> {
    let failed = |e| StoreError::io("write the dump of", graph.path(), e);
    for table in TABLES {
        let mut lines = Vec::new();
        graph.each(named(DUMP, table), vec![], |row| {
            lines.push(Json::Array(row.iter().map(cells::to_json).collect()).to_string());
            Ok::<_, StoreError>(())
        })?;
        lines.sort_unstable();
        for line in lines {
            writeln!(out, "{table}\t{line}").map_err(failed)?;
        }
    }
    for line in Memory::export(graph)?.lines() {
        writeln!(out, "{line}").map_err(failed)?;
    }
    Ok(())
}
