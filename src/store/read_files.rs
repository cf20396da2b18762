//! What the graph holds of files, as the rows from which changes are told.

use rustc_hash::FxHashMap;

use super::rows::{EDGE_KINDS, EdgeKey, EdgeKind, EdgeRow, FileRow, FileState, SymbolRow, access_from, how_from};
use super::statements::named;
use super::value::{Params, RowExt, text, texts};
use super::{Graph, Result, StoreError};

const READ: &str = include_str!("../../queries/store/read_files.cypher");

/// More files than this are read together: eight statements in all instead of eight a file.
const TOGETHER: usize = 4;

/// What the graph holds of files in the tree, each normalised, in the order of `paths`; those that it does not hold
/// are left out.
///
/// # Errors
/// What the engine says.
pub fn read_file_states(graph: &Graph, paths: &[String]) -> Result<Vec<FileState>> {
    if paths.len() > TOGETHER {
        return read(graph, "many", || vec![("paths", texts(paths))], paths);
    }
    let mut states = Vec::with_capacity(paths.len());
    for path in paths {
        states.extend(read(graph, "one", || vec![("path", text(&**path))], std::slice::from_ref(path))?);
    }
    Ok(states)
}

fn read(
    graph: &Graph,
    how_many: &str,
    params: impl Fn() -> Params<'static>,
    paths: &[String],
) -> Result<Vec<FileState>> {
    let statement = |what: &str| named(READ, &format!("{how_many} {what}"));
    let mut states: FxHashMap<String, FileState> = FxHashMap::default();
    graph.each(statement("File"), params(), |mut row| {
        if row.bool(7)? {
            let file = FileRow {
                path: row.take_str(0)?,
                language: row.take_str(1)?,
                hash: row.take_str(2)?,
                lines: line(row.int(3)?),
                is_test: row.bool(4)?,
                generated: row.bool(5)?,
                skipped: row.take_str(6)?,
            };
            states.insert(file.path.clone(), FileState { file, ..FileState::default() });
        }
        Ok::<_, StoreError>(())
    })?;
    if states.is_empty() {
        return Ok(Vec::new());
    }
    graph.each(statement("Symbol"), params(), |mut row| {
        let Some(state) = states.get_mut(row.str(0)?) else { return Ok(()) };
        state.symbols.push(SymbolRow {
            id: row.take_str(1)?,
            name: row.take_str(2)?,
            qualname: row.take_str(3)?,
            kind: row.take_str(4)?,
            start_line: line(row.int(5)?),
            end_line: line(row.int(6)?),
            signature: row.take_str(7)?,
            doc: row.take_str(8)?,
            is_test: row.bool(9)?,
            exported: row.bool(10)?,
            entry_point: row.bool(11)?,
            call_names: line(row.int(12)?),
            rank: row.float(13)?,
            unresolved: row.strs(14)?.into_iter().map(str::to_owned).collect(),
        });
        Ok::<_, StoreError>(())
    })?;
    for kind in EDGE_KINDS {
        graph.each(statement(kind.as_str()), params(), |mut row| {
            let Some(state) = states.get_mut(row.str(0)?) else { return Ok(()) };
            let (from, to) = (row.take_str(1)?, row.take_str(2)?);
            let how = if kind == EdgeKind::Contains { None } else { how_from(row.str(3)?) };
            let lined = matches!(kind, EdgeKind::Calls | EdgeKind::References);
            let access = if kind == EdgeKind::References { access_from(row.str(4)?) } else { None };
            let lines = if lined { row.ints(5)?.into_iter().map(line).collect() } else { Vec::new() };
            state.edges.push(EdgeRow { key: EdgeKey { kind, from, to, how, access }, lines });
            Ok::<_, StoreError>(())
        })?;
    }
    graph.each(statement("IMPORTS"), params(), |mut row| {
        let Some(state) = states.get_mut(row.str(0)?) else { return Ok(()) };
        state.imports.push(row.take_str(1)?);
        Ok::<_, StoreError>(())
    })?;
    let mut found: Vec<FileState> = paths.iter().filter_map(|path| states.remove(path)).collect();
    found.iter_mut().for_each(FileState::normalise);
    Ok(found)
}

fn line(value: i64) -> u32 {
    u32::try_from(value).unwrap_or(0)
}
