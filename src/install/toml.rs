//! TOML settings: tables are put in and taken out as text at places that the syntax tree gives; all else stays byte
//! for byte.

use std::ops::Range;

use serde_json::{Map, Value as Json};
use toml_edit::{Document, Item, TableLike};

use super::block::{strip_suffix_eol, without_blank_line};
use super::edit::{Made, Trouble};
use super::ours;

/// A table that a platform's settings get.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name: `[mcp_servers.portolan]`.
    pub name: &'static [&'static str],
    /// One of several of that name: `[[hooks]]`.
    pub element: bool,
    /// What it says, in this order: strings, numbers and lists of strings.
    pub pairs: Vec<(&'static str, Json)>,
}

/// Where the value of each key stands.
type Places = Vec<(String, Range<usize>)>;

/// A table of ours that is there.
struct Found {
    /// From its header to its last value, with the tables below it.
    range: Range<usize>,
    pairs: Map<String, Json>,
    places: Places,
}

/// The text with the tables in.
pub fn install(bytes: &[u8], tables: &[Table], made: &mut Made) -> Result<Vec<u8>, Trouble> {
    let (bom, mut text) = read(bytes)?;
    let eol = if text.contains("\r\n") { "\r\n" } else { "\n" };
    for table in tables {
        let event = ours::event(&table.json());
        let found = search(&text, table)?;
        let same = found.into_iter().find(|f| !table.element || ours::event(&Json::Object(f.pairs.clone())) == event);
        match same {
            Some(found) => update(&mut text, table, &found, eol),
            None => {
                let ends = text.is_empty() || text.ends_with('\n');
                made.final_newline |= !ends;
                if !text.is_empty() {
                    text.push_str(&eol.repeat(1 + usize::from(!ends)));
                }
                text.push_str(&table.text(eol));
            }
        }
    }
    strays(&mut text, tables)?;
    parse(&text).map_err(|_| {
        let name = tables.first().map(|t| t.name.join(".")).unwrap_or_default();
        Trouble::Shape(format!("{name:?} in it is written in a form that no table can be added to; add it by hand"))
    })?;
    Ok([bom, text.as_bytes()].concat())
}

/// The text without the tables.
pub fn remove(bytes: &[u8], tables: &[Table], made: Option<&Made>) -> Result<Vec<u8>, Trouble> {
    let (bom, mut text) = read(bytes)?;
    for table in tables.iter().rev() {
        while let Some(found) = search(&text, table)?.pop() {
            cut(&mut text, found.range, made.is_some_and(|m| m.final_newline));
        }
    }
    parse(&text)?;
    Ok([bom, text.as_bytes()].concat())
}

/// What an older version set for events that are not asked for any more.
fn strays(text: &mut String, tables: &[Table]) -> Result<(), Trouble> {
    let Some(first) = tables.iter().find(|t| t.element) else { return Ok(()) };
    let wanted: Vec<_> = tables.iter().map(|t| ours::event(&t.json())).collect();
    let is_stray = |f: &Found| !wanted.contains(&ours::event(&Json::Object(f.pairs.clone())));
    while let Some(found) = search(text, first)?.into_iter().rfind(is_stray) {
        cut(text, found.range, false);
    }
    Ok(())
}

/// The commands in the text's tables.
pub fn commands(bytes: &[u8]) -> Vec<ours::Command> {
    let Ok((_, text)) = read(bytes) else { return Vec::new() };
    let Ok(document) = parse(&text) else { return Vec::new() };
    fn collect(table: &dyn TableLike, found: &mut Vec<ours::Command>) {
        found.extend(ours::commands(&Json::Object(read_pairs(table).0)));
        for (_, item) in table.iter() {
            match item {
                Item::Table(below) => collect(below, found),
                Item::ArrayOfTables(array) => array.iter().for_each(|below| collect(below, found)),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    collect(document.as_table(), &mut found);
    found
}

fn update(text: &mut String, table: &Table, found: &Found, eol: &str) {
    // From the back, so that the places before stay.
    let mut changes: Vec<(Range<usize>, String)> = Vec::new();
    let mut missing = String::new();
    for (key, value) in &table.pairs {
        match found.places.iter().find(|(name, _)| name == key) {
            Some((_, place)) if found.pairs.get(*key) != Some(value) => changes.push((place.clone(), print(value))),
            Some(_) => {}
            None => missing.push_str(&format!("{key} = {}{eol}", print(value))),
        }
    }
    if !missing.is_empty() {
        // After the header's line.
        let at = text[found.range.start..].find('\n').map_or(text.len(), |nl| found.range.start + nl + 1);
        if at == text.len() && !text.ends_with('\n') {
            missing.insert_str(0, eol);
        }
        changes.push((at..at, missing));
    }
    changes.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    for (range, new) in changes {
        text.replace_range(range, &new);
    }
}

fn cut(text: &mut String, range: Range<usize>, final_newline: bool) {
    let head = without_blank_line(&text.as_bytes()[..range.start]).len();
    let tail = text[range.end..].find('\n').map_or(text.len(), |nl| range.end + nl + 1);
    text.replace_range(head..tail, "");
    if final_newline && head == text.len() {
        text.truncate(strip_suffix_eol(text.as_bytes()).len());
    }
}

/// The tables of ours under a name, in the order of the file.
fn search(text: &str, table: &Table) -> Result<Vec<Found>, Trouble> {
    let document = parse(text)?;
    let mut found = Vec::new();
    let (last, parents) = table.name.split_last().unwrap_or((&"", &[]));
    let mut at: &dyn TableLike = document.as_table();
    for name in parents {
        match at.get(name) {
            None => return Ok(found),
            Some(item) => match item.as_table_like() {
                Some(table) => at = table,
                None => return Err(Trouble::Shape(format!("{name:?} in it is not a table"))),
            },
        }
    }
    let mut consider = |item: &dyn TableLike, header: Option<Range<usize>>| {
        let Some(header) = header else { return };
        let (pairs, places) = read_pairs(item);
        if ours::wholly(&Json::Object(pairs.clone())) {
            let start = text[..header.start].rfind('\n').map_or(0, |nl| nl + 1);
            found.push(Found { range: start..end_of(item, header.end), pairs, places });
        }
    };
    if table.element {
        match at.get(last) {
            Some(Item::ArrayOfTables(array)) => array.iter().for_each(|t| consider(t, t.span())),
            Some(Item::Value(value)) if value.as_array().is_some_and(|a| !a.is_empty()) => {
                return Err(Trouble::Shape(format!("{last:?} in it is an inline list; write it as [[{last}]] tables")));
            }
            _ => {}
        }
    } else {
        for (name, item) in at.iter() {
            match item {
                Item::Table(t) => consider(t, t.span()),
                // `portolan = {...}` or `portolan.command = ...`, written by hand.
                _ if name == *last && item.is_table_like() => {
                    return Err(Trouble::Shape(format!("{name:?} in it is not written as [{}]", table.name.join("."))));
                }
                _ => {}
            }
        }
    }
    Ok(found)
}

fn read_pairs(table: &dyn TableLike) -> (Map<String, Json>, Places) {
    let mut pairs = Map::new();
    let mut places = Vec::new();
    for (key, item) in table.iter() {
        let Some(value) = item.as_value() else { continue };
        pairs.insert(key.to_owned(), to_json(value));
        places.extend(value.span().map(|span| (key.to_owned(), span)));
    }
    (pairs, places)
}

fn end_of(table: &dyn TableLike, from: usize) -> usize {
    table.iter().fold(from, |end, (_, item)| match item {
        Item::Table(below) => end.max(end_of(below, below.span().map_or(end, |s| s.end))),
        _ => end.max(item.span().map_or(end, |s| s.end)),
    })
}

fn to_json(value: &toml_edit::Value) -> Json {
    match value {
        toml_edit::Value::String(s) => Json::String(s.value().clone()),
        toml_edit::Value::Integer(n) => Json::from(*n.value()),
        toml_edit::Value::Boolean(b) => Json::Bool(*b.value()),
        toml_edit::Value::Array(array) => array.iter().map(to_json).collect(),
        other => Json::String(other.to_string()),
    }
}

fn print(value: &Json) -> String {
    match value {
        Json::String(s) => toml_edit::Value::from(s.as_str()).to_string(),
        Json::Array(values) => format!("[{}]", values.iter().map(print).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

impl Table {
    fn json(&self) -> Json {
        Json::Object(self.pairs.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect())
    }

    fn text(&self, eol: &str) -> String {
        let name = self.name.join(".");
        let header = if self.element { format!("[[{name}]]") } else { format!("[{name}]") };
        let pairs = self.pairs.iter().map(|(key, value)| format!("{key} = {}", print(value)));
        std::iter::once(header).chain(pairs).map(|line| line + eol).collect()
    }
}

fn read(bytes: &[u8]) -> Result<(&'static [u8], String), Trouble> {
    let text = std::str::from_utf8(bytes).map_err(|e| Trouble::Syntax(format!("not UTF-8: {e}")))?;
    let (bom, text): (&[u8], _) = text.strip_prefix('\u{feff}').map_or((b"", text), |t| (b"\xef\xbb\xbf", t));
    parse(text)?;
    Ok((bom, text.to_owned()))
}

fn parse(text: &str) -> Result<Document<&str>, Trouble> {
    Document::parse(text).map_err(|e| Trouble::Syntax(e.to_string().trim_end().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tables() -> Vec<Table> {
        let hook = |event: &str| Table {
            name: &["hooks"],
            element: true,
            pairs: vec![
                ("event", json!(event)),
                ("command", json!(format!("/opt/portolan hook --host kimi {event}"))),
                ("timeout", json!(5)),
            ],
        };
        let pairs = vec![("command", json!("/opt/portolan")), ("args", json!(["mcp"]))];
        vec![Table { name: &["mcp_servers", "portolan"], element: false, pairs }, hook("stop"), hook("session-end")]
    }

    const TEXTS: &[&str] = &[
        "",
        "\n",
        "# only a comment",
        "a = 1\n",
        "a = 1",
        "a = 1\r\n\r\n[mcp_servers.x] # why\r\ncommand = \"y\"\r\n",
        "\u{feff}a = 1\n[mcp_servers]\nx.command = \"y\"\n",
        "[[hooks]]\nevent = \"Stop\"\ncommand = \"lint\"\n\n\n",
        "[hooks2]\na = '''\n[mcp_servers.portolan]\n'''\n",
    ];

    #[test]
    fn what_was_put_in_is_taken_out_to_the_byte() {
        for text in TEXTS {
            let mut made = Made::default();
            let with = install(text.as_bytes(), &tables(), &mut made).unwrap();
            let shown = String::from_utf8_lossy(&with).into_owned();
            let value: ::toml::Table = ::toml::from_str(shown.trim_start_matches('\u{feff}')).unwrap();
            assert_eq!(value["mcp_servers"]["portolan"]["args"][0].as_str(), Some("mcp"), "{shown}");
            assert_eq!(install(&with, &tables(), &mut made).unwrap(), with, "{shown}");
            let without = remove(&with, &tables(), Some(&made)).unwrap();
            assert_eq!(String::from_utf8(without).unwrap(), *text, "{shown}");
        }
    }

    #[test]
    fn a_new_version_changes_its_own_tables_and_keeps_what_people_added() {
        let text = "a = 1\n\n[mcp_servers.portolan] # mine\ncommand = \"/old/portolan\" # old\nargs = [\"mcp\"]\nenabled = true\n\
                    \n[mcp_servers.portolan.env]\nA = \"b\"\n\n[b]\n";
        let table = &tables()[..1];
        let new = String::from_utf8(install(text.as_bytes(), table, &mut Made::default()).unwrap()).unwrap();
        assert_eq!(new, text.replace("/old/portolan", "/opt/portolan"));
        assert_eq!(remove(new.as_bytes(), table, None).unwrap(), b"a = 1\n\n[b]\n");
    }

    #[test]
    fn forms_that_no_table_can_be_added_to_are_left_alone() {
        for text in ["mcp_servers = { x = { command = \"y\" } }\n", "hooks = [ { event = \"x\" } ]\n", "a = \n"] {
            assert!(install(text.as_bytes(), &tables(), &mut Made::default()).is_err(), "{text}");
        }
    }
}
