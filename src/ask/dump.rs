//! The whole graph as sorted lines, so that two graphs can be compared.

use super::AskError;
use crate::cells;
use crate::store::statements::named;
use crate::store::{Graph, StoreError};

const DUMP: &str = include_str!("../../queries/ask/dump.cypher");

/// Tables in the order in which they are dumped: those that agents' memory is in come last.
const TABLES: [&str; 25] = [
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
    "Agent",
    "Session",
    "Lesson",
    "Event",
    "Area",
    "RAN",
    "READ",
    "EDITED",
    "LEARNED",
    "ABOUT",
    "CLAIMS",
];

/// Every row as `TABLE`, a tab, and a JSON array of its columns (see `queries/ask/dump.cypher`). Sorted within each table:
/// equal graphs give equal bytes, however they came about. `Meta`, `IndexLock` and code that is not in the tree are left out.
///
/// # Errors
/// What the store says.
pub fn dump(graph: &Graph) -> Result<Vec<String>, AskError> {
    let mut lines = Vec::new();
    for table in TABLES {
        let first = lines.len();
        graph.each(named(DUMP, table), Vec::new(), |row| {
            let row: serde_json::Value = row.iter().map(cells::to_json).collect();
            lines.push(format!("{table}\t{row}"));
            Ok::<(), StoreError>(())
        })?;
        lines[first..].sort_unstable();
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_of_the_schema_is_dumped_or_left_out_on_purpose() {
        let schema = [
            include_str!("../../schema/0001_code.cypher"),
            include_str!("../../schema/0002_history.cypher"),
            include_str!("../../schema/0003_agents.cypher"),
        ];
        let mut tables: Vec<&str> = schema
            .iter()
            .flat_map(|text| text.lines())
            .filter_map(|line| line.strip_prefix("CREATE ")?.split_once(" TABLE ")?.1.split('(').next())
            .filter(|table| !matches!(*table, "Meta" | "IndexLock"))
            .collect();
        tables.sort_unstable();
        let mut dumped = TABLES.to_vec();
        dumped.sort_unstable();
        assert_eq!(dumped, tables);
        for table in TABLES {
            assert!(named(DUMP, table).starts_with("MATCH"), "{table}");
        }
    }
}
