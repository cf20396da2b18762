//! Agents' memory as plain rows: carried over into a new graph, and kept a second time in `memory.jsonl`, from
//! which a damaged graph's memory is restored.

use std::fs;
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Write};

use kuzu::Value;
use serde_json::{Map, json};

use super::statements::named;
use super::value::{Params, RowExt, int, structs, text};
use super::{Graph, Layout, Result, StoreError, layout};

const MEMORY: &str = include_str!("../../queries/store/memory.cypher");

/// A column of a row of memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell {
    /// STRING.
    Text(String),
    /// INT64.
    Int(i64),
    /// BOOLEAN.
    Bool(bool),
}

impl Cell {
    fn json(&self) -> serde_json::Value {
        match self {
            Cell::Text(v) => json!(v),
            Cell::Int(v) => json!(v),
            Cell::Bool(v) => json!(v),
        }
    }

    fn value(&self) -> Value {
        match self {
            Cell::Text(v) => text(v.as_str()),
            Cell::Int(v) => int(*v),
            Cell::Bool(v) => Value::Bool(*v),
        }
    }
}

/// What a column's entry in [`TABLES`] says: name, type, and whether older copies may lack it.
#[derive(Clone, Copy)]
struct Column {
    name: &'static str,
    kind: Kind,
    new: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Int,
    Bool,
}

impl Column {
    fn of(entry: &'static str) -> Column {
        let (entry, new) = entry.strip_suffix('?').map_or((entry, false), |entry| (entry, true));
        let (name, kind) = match entry.split_once(':') {
            Some((name, "i")) => (name, Kind::Int),
            Some((name, _)) => (name, Kind::Bool),
            None => (entry, Kind::Text),
        };
        Column { name, kind, new }
    }

    fn empty(self) -> Cell {
        match self.kind {
            Kind::Text => Cell::Text(String::new()),
            Kind::Int => Cell::Int(0),
            Kind::Bool => Cell::Bool(false),
        }
    }
}

/// A table of agents' memory.
#[derive(Debug, PartialEq, Eq)]
struct Table {
    /// Its name, also in the statements: `export NAME`, `import NAME`.
    name: &'static str,
    /// Columns in the order of the export; `:i` marks an INT64, `:b` a BOOLEAN, a final `?` one that copies of schema 1
    /// do not have.
    columns: &'static [&'static str],
    /// Lives in the second copy too. Claims end by themselves, and events are already counted.
    lasting: bool,
}

/// Nodes before the relationships between them.
const TABLES: [Table; 13] = [
    Table {
        name: "Agent",
        columns: &[
            "name",
            "sessions:i?",
            "calls:i?",
            "before_edit:i?",
            "searches:i?",
            "reads:i?",
            "rereads:i?",
            "edits:i?",
            "blocked:i?",
            "injected:i?",
        ],
        lasting: true,
    },
    Table {
        name: "Session",
        columns: &[
            "id",
            "host",
            "started:i",
            "last_at:i",
            "ended:i",
            "name?",
            "boot?",
            "alive:i?",
            "waiting?",
            "process?",
            "calls:i?",
            "before_edit:i?",
            "searches:i?",
            "reads:i?",
            "rereads:i?",
            "edits:i?",
            "failed:i?",
            "blocked:i?",
            "unknown:i?",
            "injected:i?",
        ],
        lasting: true,
    },
    Table { name: "Lesson", columns: &["id", "text", "at:i", "confirmed:i", "target", "origin?"], lasting: true },
    Table {
        name: "Event",
        columns: &[
            "id",
            "session",
            "kind",
            "at:i",
            "path",
            "detail",
            "agent?",
            "tick:i?",
            "call?",
            "hash?",
            "failed:b?",
        ],
        lasting: false,
    },
    Table { name: "Area", columns: &["pattern"], lasting: true },
    Table { name: "RAN", columns: &["agent", "session"], lasting: true },
    Table {
        name: "READ",
        columns: &["session", "path", "count:i", "first_at:i", "last_at:i", "tick:i?", "hash?", "again:i?"],
        lasting: true,
    },
    Table {
        name: "EDITED",
        columns: &["session", "path", "count:i", "first_at:i", "last_at:i", "tick:i?", "hash?"],
        lasting: true,
    },
    Table { name: "LEARNED", columns: &["session", "lesson"], lasting: true },
    Table { name: "ABOUT_FILE", columns: &["lesson", "path"], lasting: true },
    Table { name: "ABOUT_SYMBOL", columns: &["lesson", "symbol", "name", "qualname", "kind", "file"], lasting: true },
    Table { name: "CLAIMS_FILE", columns: CLAIMS_FILE, lasting: false },
    Table { name: "CLAIMS_AREA", columns: CLAIMS_AREA, lasting: false },
];

const CLAIMS_FILE: &[&str] =
    &["session", "path", "since:i", "expires:i", "agent?", "boot?", "until:i?", "note:b?", "process?"];
const CLAIMS_AREA: &[&str] =
    &["session", "pattern", "since:i", "expires:i", "agent?", "boot?", "until:i?", "note:b?", "process?"];

/// One row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemoryRow {
    /// Place in the order of tables.
    table: usize,
    /// Values in the order of the table's columns.
    cells: Vec<Cell>,
}

impl MemoryRow {
    fn params(&self) -> Params<'static> {
        let columns = TABLES[self.table].columns.iter();
        columns.zip(&self.cells).map(|(entry, cell)| (Column::of(entry).name, cell.value())).collect()
    }
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

    /// Reads it out of a graph of this schema or an older one: what that did not have is empty.
    pub fn export(graph: &Graph) -> Result<Memory> {
        Memory::export_tables(graph, |_| true)
    }

    /// Reads what the second copy keeps: no events, no claims.
    pub fn export_lasting(graph: &Graph) -> Result<Memory> {
        Memory::export_tables(graph, |table| table.lasting)
    }

    fn export_tables(graph: &Graph, wanted: impl Fn(&Table) -> bool) -> Result<Memory> {
        let version = super::schema::version(graph)?;
        let mut rows = Vec::new();
        for (table, spec) in TABLES.iter().enumerate().filter(|(_, spec)| wanted(spec)) {
            let columns: Vec<Column> = spec.columns.iter().map(|entry| Column::of(entry)).collect();
            let there: Vec<Column> = columns.iter().copied().filter(|c| version >= 2 || !c.new).collect();
            let verb = if there.len() < columns.len() { "export v1" } else { "export" };
            graph.each(named(MEMORY, &format!("{verb} {}", spec.name)), vec![], |row| {
                let mut cells: Vec<Cell> = columns.iter().map(|c| c.empty()).collect();
                let mut at = 0;
                for (cell, column) in cells.iter_mut().zip(&columns) {
                    if column.new && version < 2 {
                        continue;
                    }
                    *cell = match column.kind {
                        Kind::Text => Cell::Text(row.str(at)?.to_owned()),
                        Kind::Int => Cell::Int(row.int(at)?),
                        Kind::Bool => Cell::Bool(row.bool(at)?),
                    };
                    at += 1;
                }
                rows.push(MemoryRow { table, cells });
                Ok::<_, StoreError>(())
            })?;
        }
        rows.sort();
        Ok(Memory { rows })
    }

    /// Writes it into a graph, inside the caller's transaction. Files and symbols that are not there get a row with
    /// `present = false`.
    pub fn import(&self, graph: &Graph) -> Result<()> {
        let is_event = |row: &&MemoryRow| TABLES[row.table].name == "Event";
        let events: Vec<Params<'static>> = self.rows.iter().filter(is_event).map(MemoryRow::params).collect();
        // There are many of them, and nothing else is looked up for them.
        for chunk in events.chunks(500) {
            graph.run(named(MEMORY, "import Event"), vec![("rows", structs(chunk))])?;
        }
        for row in self.rows.iter().filter(|row| !is_event(row)) {
            let spec = &TABLES[row.table];
            graph.run(named(MEMORY, &format!("import {}", spec.name)), row.params())?;
        }
        Ok(())
    }

    /// A row a line, sorted: the table's name, a tab, and the row as a JSON array.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.rows.iter().map(|row| {
            let cells = row.cells.iter().map(Cell::json);
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

    /// Writes what lasts to `memory.jsonl` (0600): a row a line, complete or not at all.
    pub fn save(&self, folder: &Layout) -> Result<()> {
        let path = folder.memory();
        let new = layout::with_suffix(&path, ".new");
        let failed = |e| StoreError::io("write", &path, e);
        let mut out = BufWriter::new(Layout::private_file(&new)?);
        for row in self.rows.iter().filter(|row| TABLES[row.table].lasting) {
            let spec = &TABLES[row.table];
            let mut line = Map::new();
            line.insert("table".into(), json!(spec.name));
            for (entry, cell) in spec.columns.iter().zip(&row.cells) {
                line.insert(Column::of(entry).name.into(), cell.json());
            }
            serde_json::to_writer(&mut out, &line).map_err(|e| failed(e.into()))?;
            out.write_all(b"\n").map_err(failed)?;
        }
        let file = out.into_inner().map_err(|e| failed(e.into_error()))?;
        file.sync_all().map_err(failed)?;
        fs::rename(&new, &path).map_err(failed)?;
        layout::sync_dir(folder.dir())
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
    let cells = TABLES[table].columns.iter().map(|entry| {
        let column = Column::of(entry);
        let key = column.name;
        let Some(value) = object.get(key) else {
            return if column.new { Ok(column.empty()) } else { Err(format!("no {key}")) };
        };
        let cell = match column.kind {
            Kind::Text => value.as_str().map(|v| Cell::Text(v.to_owned())),
            Kind::Int => value.as_i64().map(Cell::Int),
            Kind::Bool => value.as_bool().map(Cell::Bool),
        };
        cell.ok_or_else(|| format!("{key} is of the wrong type"))
    });
    Ok(MemoryRow { table, cells: cells.collect::<std::result::Result<_, String>>()? })
}
