//! The schema: `schema/*.cypher` in order, with its version in the graph.

use std::path::Path;
use std::time::Instant;

use super::memory::Memory;
use super::owner::Owner;
use super::statements::{all, named};
use super::value::{self, RowExt};
use super::{Graph, Mode, Options, Result, StoreError, layout};

/// The version that these files make. Raise it with any change of them.
pub const VERSION: u32 = 2;

const FILES: [&str; 3] = [
    include_str!("../../schema/0001_code.cypher"),
    include_str!("../../schema/0002_history.cypher"),
    include_str!("../../schema/0003_agents.cypher"),
];

const META: &str = include_str!("../../queries/store/meta.cypher");

/// The statements that make the tables, as in `schema/*.cypher`.
pub fn text() -> String {
    FILES.join("\n")
}

/// Creates all tables in an empty graph and records the version, in one transaction.
pub fn apply(graph: &Graph) -> Result<()> {
    graph.transaction(|g| {
        for file in FILES {
            for statement in all(file) {
                g.run_once(&statement)?;
            }
        }
        set_meta(g, "schema", &VERSION.to_string())
    })
}

/// Makes an empty graph with the schema at `path`, complete or not at all: built beside and renamed in.
/// The caller holds whatever keeps others away from `path`. `memory` is what agents left in a graph that is gone.
pub fn create_file(path: &Path, options: Options, deadline: Instant, memory: &Memory) -> Result<()> {
    let new = layout::with_suffix(path, &format!(".part-{}", Owner::this_process()));
    let made = (|| {
        let graph = Graph::open(&new, Mode::Create, options, deadline)?;
        apply(&graph)?;
        if !memory.is_empty() {
            graph.transaction(|graph| memory.import(graph))?;
        }
        graph.checkpoint()?;
        drop(graph);
        super::swap::finished(&new)?;
        std::fs::rename(&new, path).map_err(|e| StoreError::io("put in place", path, e))?;
        layout::sync_dir(path.parent().unwrap_or(Path::new(".")))
    })();
    if made.is_err() {
        let _ = super::swap::remove_graph(&new);
    }
    made
}

/// Refuses a graph of another schema.
///
/// # Errors
/// [`StoreError::Newer`], [`StoreError::Older`].
pub fn check(graph: &Graph) -> Result<()> {
    let found = version(graph)?;
    let path = graph.path().to_owned();
    match found.cmp(&VERSION) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(StoreError::Newer { path, found, known: VERSION }),
        std::cmp::Ordering::Less => Err(StoreError::Older { path, found, known: VERSION }),
    }
}

/// The version in the graph; 0 when it holds none (not ours, or from before versions).
pub fn version(graph: &Graph) -> Result<u32> {
    match meta(graph, "schema") {
        Ok(found) => Ok(found.and_then(|v| v.parse().ok()).unwrap_or(0)),
        Err(StoreError::Query { message }) if message.contains("Meta") => Ok(0),
        Err(error) => Err(error),
    }
}

/// A value of the table Meta.
pub fn meta(graph: &Graph, key: &str) -> Result<Option<String>> {
    let rows = graph.run(named(META, "get"), vec![("k", value::text(key))])?;
    rows.rows.first().map(|row| row.str(0).map(str::to_owned)).transpose()
}

/// Sets a value of the table Meta.
pub fn set_meta(graph: &Graph, key: &str, value: &str) -> Result<()> {
    graph.run(named(META, "set"), vec![("k", value::text(key)), ("v", value::text(value))]).map(drop)
}
