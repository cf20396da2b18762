//! Minimal changes: only the rows that differ are written, inside the caller's one transaction.

use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::csv::Csv;
use super::diff::{Changes, HistoryChanges, Moved, Shift};
use super::load;
use super::rows::{EDGE_KINDS, EdgeKey, EdgeKind, EdgeRow, FileRow, SymbolRow, access_word};
use super::statements::named;
use super::value::{Params, RowExt, int, ints, text, texts};
use super::{Graph, Result, StoreError, schema};

const CHANGE: &str = include_str!("../../queries/store/change.cypher");
const HISTORY: &str = include_str!("../../queries/store/change_history.cypher");

/// From this many new rows of a table on they come by COPY: its commit checkpoints, which takes as long as some hundreds
/// of single rows.
const COPY_FROM: usize = 500;

/// Writes the changes. The caller has a transaction open, and has checked its index lock in it.
///
/// Rows that agents' memory or history hangs on stay with `present = false` when their code goes.
///
/// # Errors
/// What the engine says; the transaction is then to be rolled back.
pub fn apply(graph: &Graph, changes: &Changes) -> Result<()> {
    for shift in &changes.shifts {
        apply_shift(graph, shift)?;
    }
    // A relationship that is deleted, and then once more with its node (DETACH), takes another one of the same node with
    // it when the engine replays its log. So what goes with a node is not deleted before.
    let gone: FxHashSet<&str> = changes.symbols_gone.iter().map(String::as_str).collect();
    for edge in &changes.edges_gone {
        if !gone.contains(edge.from.as_str()) && !gone.contains(edge.to.as_str()) {
            graph.run(edge_statement("gone", edge.kind), edge_params(edge))?;
        }
    }
    for (from, to) in &changes.imports_gone {
        graph.run(named(CHANGE, "gone IMPORTS"), pair(from, to))?;
    }
    symbols_gone(graph, &changes.symbols_gone)?;
    for path in &changes.files_gone {
        for statement in ["file gone", "file imports nothing", "file imported by nothing"] {
            graph.run(named(CHANGE, statement), vec![("path", text(&**path))])?;
        }
    }
    for file in &changes.files {
        graph.run(named(CHANGE, "file"), file_params(file))?;
    }
    symbols_new(graph, &changes.symbols_new)?;
    for (path, symbol) in &changes.symbols_changed {
        graph.run(named(CHANGE, "symbol"), symbol_params(path, symbol))?;
    }
    for (id, start, end) in &changes.symbols_moved {
        let params = vec![("id", text(&**id)), ("start_line", int(*start)), ("end_line", int(*end))];
        graph.run(named(CHANGE, "symbol lines"), params)?;
    }
    for (id, rank) in &changes.ranks {
        graph.run(named(CHANGE, "symbol rank"), vec![("id", text(&**id)), ("rank", kuzu::Value::Double(*rank))])?;
    }
    for edge in &changes.edges_moved {
        let mut params = edge_params(&edge.key);
        params.push(("lines", ints(&edge.lines)));
        graph.run(edge_statement("lines", edge.key.kind), params)?;
    }
    edges_new(graph, &changes.edges_new)?;
    for (from, to) in &changes.imports_new {
        graph.run(named(CHANGE, "new IMPORTS"), pair(from, to))?;
    }
    history(graph, &changes.history)?;
    if !changes.files_gone.is_empty() || !changes.history.is_empty() {
        sweep(graph)?;
    }
    for (key, value) in &changes.meta {
        schema::set_meta(graph, key, value)?;
    }
    Ok(())
}

fn apply_shift(graph: &Graph, shift: &Shift) -> Result<()> {
    let mut params = vec![("path", text(&*shift.path)), ("lo", int(shift.lo)), ("hi", int(shift.hi))];
    match shift.what {
        Moved::Start | Moved::End => {
            params.push(("by", int(shift.by)));
            let statement = if shift.what == Moved::Start { "shift start" } else { "shift end" };
            graph.run(named(CHANGE, statement), params).map(drop)
        }
        Moved::Lines(kind) => {
            let statement = edge_statement("shift", kind).replace("{by}", &shift.by.to_string());
            graph.run(&statement, params).map(drop)
        }
    }
}

fn symbols_gone(graph: &Graph, ids: &[String]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let remembered = strings(graph, named(CHANGE, "remembered symbols"))?;
    // Those that go entirely come first: a relationship between one of them and one that stays goes with its node, and
    // is not there to be deleted a second time.
    let (stay, go): (Vec<&String>, Vec<&String>) = ids.iter().partition(|id| remembered.contains(*id));
    for id in go {
        graph.run(named(CHANGE, "symbol gone"), vec![("id", text(&**id))])?;
    }
    for id in stay {
        for statement in ["symbol absent", "undefine", "nothing out of", "nothing into"] {
            graph.run(named(CHANGE, statement), vec![("id", text(&**id))])?;
        }
    }
    Ok(())
}

fn symbols_new(graph: &Graph, symbols: &[(String, SymbolRow)]) -> Result<()> {
    if symbols.len() < COPY_FROM {
        for (path, symbol) in symbols {
            graph.run(named(CHANGE, "symbol"), symbol_params(path, symbol))?;
            graph.run(named(CHANGE, "define"), vec![("file", text(&**path)), ("id", text(&*symbol.id))])?;
        }
        return Ok(());
    }
    // COPY refuses keys that are there: those that come back are set one by one.
    let absent = strings(graph, named(CHANGE, "absent symbols"))?;
    let (mut rows, mut defines) = (Csv::new(beside(graph))?, Csv::new(beside(graph))?);
    for (path, symbol) in symbols {
        if absent.contains(&symbol.id) {
            graph.run(named(CHANGE, "symbol"), symbol_params(path, symbol))?;
        } else {
            load::write_symbol(&mut rows, symbol, path)?;
        }
        load::write_pair(&mut defines, path, &symbol.id)?;
    }
    rows.copy(graph, load::statement("Symbol"))?;
    defines.copy(graph, load::statement("DEFINES"))
}

fn edges_new(graph: &Graph, edges: &[EdgeRow]) -> Result<()> {
    for kind in EDGE_KINDS {
        let of_kind: Vec<&EdgeRow> = edges.iter().filter(|edge| edge.key.kind == kind).collect();
        if of_kind.len() >= COPY_FROM {
            let mut csv = Csv::new(beside(graph))?;
            for edge in of_kind {
                load::write_edge(&mut csv, edge)?;
            }
            csv.copy(graph, load::edge_statement(kind))?;
            continue;
        }
        for edge in of_kind {
            let mut params = edge_params(&edge.key);
            if matches!(kind, EdgeKind::Calls | EdgeKind::References) {
                params.push(("lines", ints(&edge.lines)));
            }
            if let Some(how) = edge.key.how {
                params.push(("confidence", kuzu::Value::Double(how.confidence())));
            }
            graph.run(edge_statement("new", kind), params)?;
        }
    }
    Ok(())
}

fn history(graph: &Graph, changes: &HistoryChanges) -> Result<()> {
    let run = |name: &str, params: Params<'_>| graph.run(named(HISTORY, name), params).map(drop);
    for (from, to) in &changes.co_changes_gone {
        run("co-change gone", pair(from, to))?;
    }
    for (from, to) in &changes.touched_gone {
        run("touched gone", pair(from, to))?;
    }
    for (person, commit) in &changes.authored_gone {
        run("authored gone", pair(person, commit))?;
    }
    for hash in &changes.commits_gone {
        run("commit gone", vec![("hash", text(&**hash))])?;
    }
    for id in &changes.persons_gone {
        run("person gone", vec![("id", text(&**id))])?;
    }
    for person in &changes.persons {
        let params = vec![("id", text(&*person.id)), ("name", text(&*person.name)), ("email", text(&*person.email))];
        run("person", params)?;
    }
    let pairs = changes.co_changes_new.iter().flat_map(|row| [&row.a, &row.b]);
    let mut mentioned: Vec<&Arc<str>> = changes.touched_new.iter().map(|row| &row.path).chain(pairs).collect();
    mentioned.sort();
    mentioned.dedup();
    for path in mentioned {
        graph.run(named(CHANGE, "absent file"), vec![("path", text(&**path))])?;
    }
    let copy = |rows: usize| rows >= COPY_FROM;
    if copy(changes.commits_new.len()) {
        let mut csv = Csv::new(beside(graph))?;
        changes.commits_new.iter().try_for_each(|row| load::write_commit(&mut csv, row))?;
        csv.copy(graph, load::statement("Commit"))?;
    } else {
        for row in &changes.commits_new {
            run(
                "commit",
                vec![
                    ("hash", text(&*row.hash)),
                    ("at", int(row.at)),
                    ("subject", text(&*row.subject)),
                    ("body", text(&*row.body)),
                    ("is_merge", kuzu::Value::Bool(row.is_merge)),
                ],
            )?;
        }
    }
    if copy(changes.authored_new.len()) {
        let mut csv = Csv::new(beside(graph))?;
        changes.authored_new.iter().try_for_each(|(from, to)| load::write_pair(&mut csv, from, to))?;
        csv.copy(graph, load::statement("AUTHORED"))?;
    } else {
        changes.authored_new.iter().try_for_each(|(from, to)| run("authored", pair(from, to)))?;
    }
    if copy(changes.touched_new.len()) {
        let mut csv = Csv::new(beside(graph))?;
        changes.touched_new.iter().try_for_each(|row| load::write_touched(&mut csv, row))?;
        csv.copy(graph, load::statement("TOUCHED"))?;
    } else {
        for row in &changes.touched_new {
            let mut params = pair(&row.commit, &row.path);
            params.push(("change", text(row.change)));
            run("touched", params)?;
        }
    }
    let weigh = |name: &str, row: &super::rows::CoChangeRow| {
        let mut params = pair(&row.a, &row.b);
        params.extend([("count", int(row.count)), ("weight", kuzu::Value::Double(row.weight))]);
        run(name, params)
    };
    if copy(changes.co_changes_new.len()) {
        let mut csv = Csv::new(beside(graph))?;
        changes.co_changes_new.iter().try_for_each(|row| load::write_co_change(&mut csv, row))?;
        csv.copy(graph, load::statement("CO_CHANGES"))?;
    } else {
        changes.co_changes_new.iter().try_for_each(|row| weigh("co-change new", row))?;
    }
    changes.co_changes.iter().try_for_each(|row| weigh("co-change", row))
}

/// Removes rows of files that are not in the tree and on which nothing hangs.
fn sweep(graph: &Graph) -> Result<()> {
    let needed = strings(graph, named(CHANGE, "needed absent files"))?;
    let absent = strings(graph, named(CHANGE, "absent files"))?;
    for path in absent.difference(&needed) {
        graph.run(named(CHANGE, "delete file"), vec![("path", text(&**path))])?;
    }
    Ok(())
}

fn strings(graph: &Graph, statement: &str) -> Result<FxHashSet<String>> {
    let mut found = FxHashSet::default();
    graph.each(statement, vec![], |mut row| {
        found.insert(row.take_str(0)?);
        Ok::<_, StoreError>(())
    })?;
    Ok(found)
}

fn beside(graph: &Graph) -> &Path {
    graph.path().parent().unwrap_or(Path::new("."))
}

fn edge_statement(verb: &str, kind: EdgeKind) -> &'static str {
    named(CHANGE, &format!("{verb} {}", kind.as_str()))
}

fn pair<'a>(from: &str, to: &str) -> Params<'a> {
    vec![("from", text(from)), ("to", text(to))]
}

fn edge_params(key: &EdgeKey) -> Params<'static> {
    let mut params = pair(&key.from, &key.to);
    if let Some(how) = key.how {
        params.push(("how", text(how.as_str())));
    }
    if let Some(access) = key.access {
        params.push(("access", text(access_word(access))));
    }
    params
}

/// The distinct callers of a symbol as (id, file). None for a symbol that the graph does not have.
///
/// # Errors
/// What the engine says.
pub fn read_callers(graph: &Graph, id: &str) -> Result<Vec<(String, String)>> {
    let mut callers = Vec::new();
    graph.each(named(CHANGE, "read callers"), vec![("id", text(id))], |mut row| {
        callers.push((row.take_str(0)?, row.take_str(1)?));
        Ok::<_, StoreError>(())
    })?;
    Ok(callers)
}

fn file_params(file: &FileRow) -> Params<'static> {
    vec![
        ("path", text(&*file.path)),
        ("language", text(&*file.language)),
        ("hash", text(&*file.hash)),
        ("lines", int(file.lines)),
        ("is_test", kuzu::Value::Bool(file.is_test)),
        ("generated", kuzu::Value::Bool(file.generated)),
        ("skipped", text(&*file.skipped)),
    ]
}

fn symbol_params(path: &str, symbol: &SymbolRow) -> Params<'static> {
    vec![
        ("id", text(&*symbol.id)),
        ("name", text(&*symbol.name)),
        ("qualname", text(&*symbol.qualname)),
        ("kind", text(&*symbol.kind)),
        ("file", text(path)),
        ("start_line", int(symbol.start_line)),
        ("end_line", int(symbol.end_line)),
        ("signature", text(&*symbol.signature)),
        ("doc", text(&*symbol.doc)),
        ("is_test", kuzu::Value::Bool(symbol.is_test)),
        ("exported", kuzu::Value::Bool(symbol.exported)),
        ("entry_point", kuzu::Value::Bool(symbol.entry_point)),
        ("call_names", int(symbol.call_names)),
        ("rank", kuzu::Value::Double(symbol.rank)),
        ("unresolved", texts(&symbol.unresolved)),
    ]
}
