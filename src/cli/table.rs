//! Rows as a table for people, and as JSON objects for programs.

use comfy_table::{Cell, CellAlignment, Table, presets};
use portolan::cells;
use portolan::store::Rows;
use serde_json::{Map, Value as Json};

use super::output::clean;

/// Characters of a cell that a table shows.
const CELL: usize = 120;

/// One object a row. A column name that repeats gets `_2`, `_3`: an object can hold it once.
pub(crate) fn objects(rows: &Rows) -> Vec<Json> {
    let names = distinct(&rows.columns);
    rows.rows
        .iter()
        .map(|row| Json::Object(names.iter().cloned().zip(row.iter().map(cells::to_json)).collect::<Map<_, _>>()))
        .collect()
}

/// A Markdown table, numbers to the right.
pub(crate) fn table(rows: &Rows) -> String {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN).set_header(rows.columns.iter().map(|c| clean(c)));
    for row in &rows.rows {
        table.add_row(row.iter().map(|value| {
            let cell = Cell::new(shorten(&clean(&cells::to_text(value))));
            if cells::to_json(value).is_number() { cell.set_alignment(CellAlignment::Right) } else { cell }
        }));
    }
    table.trim_fmt()
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(CELL) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

fn distinct(columns: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(columns.len());
    for column in columns {
        let taken = |name: &str| names.iter().any(|n| n == name);
        let name = match taken(column) {
            false => column.clone(),
            true => (2..).map(|i| format!("{column}_{i}")).find(|n| !taken(n)).unwrap_or_default(),
        };
        names.push(name);
    }
    names
}
