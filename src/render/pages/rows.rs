//! Rows of a statement.

use crate::cells;
use crate::render::budget::{Page, Section};
use crate::render::line::one_line;
use crate::store::Rows;

/// Characters of one cell.
const CELL: usize = 120;

/// One line a row, cells parted by ` | `. `more`: there were more rows than these.
pub fn rows(rows: &Rows, more: bool) -> Page {
    let line = |row: &Vec<kuzu::Value>| {
        row.iter().map(|cell| one_line(&cells::to_text(cell), CELL)).collect::<Vec<_>>().join(" | ")
    };
    let lines: Vec<String> = rows.rows.iter().map(line).collect();
    let mut page = Page::default();
    if lines.is_empty() {
        page.head.push("no rows".into());
    }
    page.sections.push(Section::whole(rows.columns.join(" | "), lines));
    if more {
        page.foot.push("there are more rows; LIMIT or count() in the statement says how many".into());
    }
    page
}
