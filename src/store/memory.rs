//! Agents' memory as plain rows: carried over into a new graph, and kept a second time in `memory.jsonl`, from
//! which a damaged graph's memory is restored.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Write};

use kuzu::Value;
use serde_json::{Map, json};

use super::statements::named;
use super::value::{RowExt, int, text};
use super::{Graph, Layout, Result, StoreError};
use crate::atomic::Draft;

const MEMORY: &str = include_str!("../../queries/store/memory.cypher");

/// A column of a row of memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell {
    /// STRING.
    Text(String),
    /// INT64.
    Int(i64),
}

/// A table of agents' memory.
#[derive(Debug, PartialEq, Eq)]
struct Table {
    /// Its name, also in the statements: `export NAME`, `import NAME`.
    name: &'static str,
    /// Columns in the order of the export; `:i` marks an INT64.
    columns: &'static [&'static str],
    /// Lives in the second copy too. Claims end by themselves, and events are already counted.
    lasting: bool,
}

/// Nodes before the relationships between them.
const TABLES: [Table; 13] = [
    Table { name: "Agent", columns: &["name"], lasting: true },
    Table { name: "Session", columns: &["id", "host", "started:i", "last_at:i", "ended:i"], lasting: true },
    Table { name: "Lesson", columns: &["id", "text", "at:i", "confirmed:i", "target"], lasting: true },
    Table { name: "Event", columns: &["id", "session", "kind", "at:i", "path", "detail"], lasting: false },
    Table { name: "Area", columns: &["pattern"], lasting: true },
    Table { name: "RAN", columns: &["agent", "session"], lasting: true },
    Table { name: "READ", columns: &["session", "path", "count:i", "first_at:i", "last_at:i"], lasting: true },
    Table { name: "EDITED", columns: &["session", "path", "count:i", "first_at:i", "last_at:i"], lasting: true },
    Table { name: "LEARNED", columns: &["session", "lesson"], lasting: true },
    Table { name: "ABOUT_FILE", columns: &["lesson", "path"], lasting: true },
    Table { name: "ABOUT_SYMBOL", columns: &["lesson", "symbol", "name", "qualname", "kind", "file"], lasting: true },
    Table { name: "CLAIMS_FILE", columns: &["session", "path", "since:i", "expires:i"], lasting: false },
    Table { name: "CLAIMS_AREA", columns: &["session", "pattern", "since:i", "expires:i"], lasting: false },
];

/// One row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemoryRow {
    /// Place in the order of tables.
    table: usize,
    /// Values in the order of the table's columns.
    cells: Vec<Cell>,
}

/// All of agents' memory, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    rows: Vec<MemoryRow>,
}

impl Memory {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether agents left nothing.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Reads it out of a graph of this schema.
    pub fn export(graph: &Graph) -> Result<Memory> {
        let mut rows = Vec::new();
        for (table, spec) in TABLES.iter().enumerate() {
            graph.each(named(MEMORY, &format!("export {}", spec.name)), vec![], |row| {
                let cells = spec.columns.iter().enumerate().map(|(i, column)| {
                    Ok(if column.ends_with(":i") { Cell::Int(row.int(i)?) } else { Cell::Text(row.str(i)?.to_owned()) })
                });
                rows.push(MemoryRow { table, cells: cells.collect::<Result<_>>()? });
                Ok::<_, StoreError>(())
            })?;
        }
        rows.sort();
        Ok(Memory { rows })
    }

    /// Writes it into a graph, inside the caller's transaction. Files and symbols that are not there get a row with
    /// `present = false`.
    pub fn import(&self, graph: &Graph) -> Result<()> {
        for row in &self.rows {
            let spec = &TABLES[row.table];
            let params = spec.columns.iter().zip(&row.cells).map(|(column, cell)| {
                let value: Value = match cell {
                    Cell::Text(v) => text(v.as_str()),
                    Cell::Int(v) => int(*v),
                };
                (column.trim_end_matches(":i"), value)
            });
            graph.run(named(MEMORY, &format!("import {}", spec.name)), params.collect())?;
        }
        Ok(())
    }

    /// A row a line, sorted: the table's name, a tab, and the row as a JSON array.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.rows.iter().map(|row| {
            let cells = row.cells.iter().map(|cell| match cell {
                Cell::Text(v) => json!(v),
                Cell::Int(v) => json!(v),
            });
            format!("{}\t{}", TABLES[row.table].name, serde_json::Value::Array(cells.collect()))
        })
    }

    /// Takes all memory out of a graph, inside the caller's transaction.
    pub fn clear(graph: &Graph) -> Result<()> {
        for table in ["Agent", "Session", "Lesson", "Event", "Area"] {
            graph.run(named(MEMORY, &format!("clear {table}")), vec![])?;
        }
        Ok(())
    }

    /// Writes what lasts to `memory.jsonl`: a row a line, complete or not at all.
    pub fn save(&self, folder: &Layout) -> Result<()> {
        let path = folder.memory();
        let failed = |e| StoreError::io("write", &path, e);
        let mut out = Draft::of(&path).map_err(failed)?;
        for row in self.rows.iter().filter(|row| TABLES[row.table].lasting) {
            let spec = &TABLES[row.table];
            let mut line = Map::new();
            line.insert("table".into(), json!(spec.name));
            for (column, cell) in spec.columns.iter().zip(&row.cells) {
                let value = match cell {
                    Cell::Text(v) => json!(v),
                    Cell::Int(v) => json!(v),
                };
                line.insert(column.trim_end_matches(":i").into(), value);
            }
            serde_json::to_writer(&mut out, &line).map_err(|e| failed(e.into()))?;
            out.write_all(b"\n").map_err(failed)?;
        }
        out.put_durably().map_err(failed)
    }

    /// Reads `memory.jsonl`; empty when there is none.
    ///
    /// # Errors
    /// [`StoreError::Malformed`] with the line.
    pub fn load(folder: &Layout) -> Result<Memory> {
        let path = folder.memory();
        let file = match fs::File::open(&path) {
            Ok(file) => file,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Memory::default()),
            Err(e) => return Err(StoreError::io("read", path, e)),
        };
        let mut rows = Vec::new();
        for (n, line) in BufReader::new(file).lines().enumerate() {
            let line = line.map_err(|e| StoreError::io("read", &path, e))?;
            rows.push(parse(&line).map_err(|message| StoreError::Malformed {
                path: path.clone(),
                line: n + 1,
                message: format!("{message}; mend the line, or move the file away to go on without agents' memory"),
            })?);
        }
        rows.sort();
        Ok(Memory { rows })
    }
}

fn parse(line: &str) -> std::result::Result<MemoryRow, String> {
    let object: Map<String, serde_json::Value> = serde_json::from_str(line).map_err(|e| e.to_string())?;
    let name = object.get("table").and_then(|v| v.as_str()).ok_or("no table")?;
    let table = TABLES.iter().position(|t| t.name == name).ok_or_else(|| format!("unknown table {name}"))?;
    let cells = TABLES[table].columns.iter().map(|column| {
        let (key, number) = column.strip_suffix(":i").map_or((*column, false), |key| (key, true));
        let value = object.get(key).ok_or_else(|| format!("no {key}"))?;
        let cell =
            if number { value.as_i64().map(Cell::Int) } else { value.as_str().map(|v| Cell::Text(v.to_owned())) };
        cell.ok_or_else(|| format!("{key} is of the wrong type"))
    });
    Ok(MemoryRow { table, cells: cells.collect::<std::result::Result<_, String>>()? })
}
