//! What a search found.

use crate::ask::{Find, FoundSymbol, TextHit};
use crate::render::budget::{Page, Section};

/// Definitions first, then lines, then paths.
pub fn found(text: &str, find: &Find) -> Page {
    let [symbols, files, lines] = find.totals;
    let (exact, part): (Vec<&FoundSymbol>, Vec<&FoundSymbol>) = find.symbols.iter().partition(|s| s.exact);
    let beyond = symbols - find.symbols.len();
    let mut page = Page::default();
    if symbols + files + lines + find.words.len() == 0 {
        page.head.push(format!("no symbol, line or path of this repository holds {text}"));
    }
    let names = |list: &[&FoundSymbol]| list.iter().map(|s| symbol(s)).collect::<Vec<_>>();
    let cut_exact = if part.is_empty() { beyond } else { 0 };
    page.sections = vec![
        Section::new("definitions", names(&exact), exact.len() + cut_exact),
        Section::new("lines", find.lines.iter().map(line).collect(), lines),
        Section::new("names that hold it", names(&part), if part.is_empty() { 0 } else { part.len() + beyond }),
        Section::new("paths", find.files.clone(), files),
        Section::whole("not as it stands, but all of its words", find.words.iter().map(symbol).collect()),
    ];
    page
}

fn symbol(s: &FoundSymbol) -> String {
    let name = s.id.strip_prefix(s.file.as_str()).and_then(|rest| rest.strip_prefix("::")).unwrap_or("");
    let space = if name.is_empty() { "" } else { " " };
    format!("{}:{}-{}{space}{name} [{}]", s.file, s.start_line, s.end_line, s.kind)
}

fn line(hit: &TextHit) -> String {
    let inside = if hit.inside.is_empty() { String::new() } else { format!(" ({})", hit.inside) };
    format!("{}:{}{inside}: {}", hit.file, hit.line, hit.text)
}
