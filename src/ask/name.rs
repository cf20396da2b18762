//! From what a user writes to symbols: an id, a bare or qualified name, or a place in a file.

use super::{ALL, AskError, Brief, int, text};
use crate::queries;
use crate::store::Graph;
use crate::store::value::RowExt;

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// One definition. Several rows when it is written more than once under the same name in the same
    /// file (overloads, a property's getter and setter): they answer together.
    One(Vec<Brief>),
    /// Several definitions, the most central first: the user must choose.
    Many(Vec<Brief>),
    /// Nothing of that name.
    None,
}

/// Looks up `path::Qual.name`, `Qual.name`, `pkg.module.Qual.name`, a bare name, or `path:line`.
///
/// # Errors
/// What the store says.
pub fn named(graph: &Graph, asked: &str) -> Result<Named, AskError> {
    let asked = asked.trim().trim_end_matches("()");
    if let Some((file, qualname)) = asked.rsplit_once("::") {
        return in_file(graph, file, qualname);
    }
    if let Some((file, line)) = place(asked) {
        return at_line(graph, file, line);
    }
    let bare = without_ordinal(asked).rsplit('.').next().unwrap_or(asked);
    Ok(decide(by_name(graph, bare)?.into_iter().filter(|s| answers(s, asked)).collect()))
}

/// `path::Qual.name`; the path may be cut short at the front, and so may the qualified name.
fn in_file(graph: &Graph, file: &str, qualname: &str) -> Result<Named, AskError> {
    let outline = outline(graph, file)?;
    let id = format!("{file}::{qualname}");
    if let Some(exact) = outline.iter().find(|s| s.id == id) {
        let all_of_it = outline.iter().filter(|s| s.qualname == exact.qualname && !qualname.contains('#'));
        let all_of_it: Vec<Brief> = all_of_it.cloned().collect();
        return Ok(Named::One(if all_of_it.is_empty() { vec![exact.clone()] } else { all_of_it }));
    }
    let here: Vec<Brief> = outline.into_iter().filter(|s| answers(s, qualname)).collect();
    if !here.is_empty() {
        return Ok(decide(here));
    }
    let bare = without_ordinal(qualname).rsplit('.').next().unwrap_or(qualname);
    let ends = |s: &Brief| s.file == file || s.file.ends_with(&format!("/{}", file.trim_start_matches("./")));
    Ok(decide(by_name(graph, bare)?.into_iter().filter(|s| ends(s) && answers(s, qualname)).collect()))
}

/// The innermost symbol around a line.
fn at_line(graph: &Graph, file: &str, line: i64) -> Result<Named, AskError> {
    let around = outline(graph, file.trim_start_matches("./"))?;
    let around = around.into_iter().filter(|s| s.start_line <= line && line <= s.end_line);
    Ok(match around.min_by_key(|s| (s.end_line - s.start_line, std::cmp::Reverse(s.start_line))) {
        Some(symbol) => Named::One(vec![symbol]),
        None => Named::None,
    })
}

fn decide(found: Vec<Brief>) -> Named {
    let Some(first) = found.first() else { return Named::None };
    if found.iter().all(|s| s.file == first.file && s.qualname == first.qualname) {
        Named::One(found)
    } else {
        Named::Many(found)
    }
}

/// Whether a symbol is meant by a name that may have its classes, or its module too, in front.
fn answers(symbol: &Brief, asked: &str) -> bool {
    let wanted = without_ordinal(asked);
    let ordinal_fits = asked == wanted || symbol.id.ends_with(&asked[wanted.len()..]);
    let ends_at_dot =
        |whole: &str| whole.strip_suffix(wanted).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    if !ordinal_fits {
        return false;
    }
    if ends_at_dot(&symbol.qualname) {
        return true;
    }
    let module = symbol.file.rsplit_once('.').map_or(symbol.file.as_str(), |(stem, _)| stem);
    let module = module.strip_suffix("/__init__").unwrap_or(module).replace('/', ".");
    ends_at_dot(&format!("{module}.{}", symbol.qualname))
}

/// Without the `#2` of what repeats in a file.
fn without_ordinal(name: &str) -> &str {
    match name.rsplit_once('#') {
        Some((head, digits)) if !head.is_empty() && digits.parse::<u32>().is_ok() => head,
        _ => name,
    }
}

/// `path:line`, also `path:10-20` and `path:line:column`.
fn place(asked: &str) -> Option<(&str, i64)> {
    let (file, rest) = asked.split_once(':')?;
    let digits = rest.split([':', '-']).next()?;
    Some((file, digits.parse().ok()?))
}

fn by_name(graph: &Graph, bare: &str) -> Result<Vec<Brief>, AskError> {
    let rows = graph.run(queries::text("symbols"), vec![("name", text(bare)), ("limit", int(ALL))])?;
    rows.rows
        .iter()
        .map(|row| {
            Ok(Brief {
                id: row.str(0)?.to_owned(),
                qualname: row.str(1)?.to_owned(),
                kind: row.str(2)?.to_owned(),
                file: row.str(3)?.to_owned(),
                start_line: row.int(4)?,
                end_line: row.int(5)?,
                signature: row.str(6)?.to_owned(),
            })
        })
        .collect()
}

/// The definitions of a file, in the order of its text.
///
/// # Errors
/// What the store says.
pub fn outline(graph: &Graph, file: &str) -> Result<Vec<Brief>, AskError> {
    let rows = graph.run(queries::text("outline"), vec![("path", text(file))])?;
    rows.rows
        .iter()
        .map(|row| {
            Ok(Brief {
                id: row.str(0)?.to_owned(),
                qualname: row.str(1)?.to_owned(),
                kind: row.str(2)?.to_owned(),
                file: file.to_owned(),
                start_line: row.int(3)?,
                end_line: row.int(4)?,
                signature: row.str(5)?.to_owned(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(file: &str, qualname: &str, ordinal: u32) -> Brief {
        let id = if ordinal > 1 { format!("{file}::{qualname}#{ordinal}") } else { format!("{file}::{qualname}") };
        let (qualname, file) = (qualname.to_owned(), file.to_owned());
        Brief { id, qualname, kind: "method".into(), file, start_line: 1, end_line: 2, signature: String::new() }
    }

    #[test]
    fn a_name_may_be_bare_qualified_or_have_its_module_in_front() {
        let convert = symbol("src/click/types.py", "Choice.convert", 1);
        for asked in ["convert", "Choice.convert", "types.Choice.convert", "click.types.Choice.convert"] {
            assert!(answers(&convert, asked), "{asked}");
        }
        for asked in ["onvert", "oice.convert", "Path.convert", "ick.types.Choice.convert", "convert#2"] {
            assert!(!answers(&convert, asked), "{asked}");
        }
        assert!(answers(&symbol("pkg/__init__.py", "run", 1), "pkg.run"));
        assert!(answers(&symbol("a.py", "C.x", 2), "C.x#2"));
        assert!(answers(&symbol("a.py", "C.x", 2), "C.x"));
    }

    #[test]
    fn places_are_told_from_names() {
        assert_eq!(place("src/a.py:12"), Some(("src/a.py", 12)));
        assert_eq!(place("src/a.py:12-30"), Some(("src/a.py", 12)));
        assert_eq!(place("src/a.py:12:4"), Some(("src/a.py", 12)));
        assert_eq!(place("Choice.convert"), None);
        assert_eq!(place("a:b"), None);
    }
}
