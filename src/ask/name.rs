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
    find(graph, asked, |s| s.kind != "field")
}

/// The same for questions about reads and writes: of several definitions of a name those are meant that hold a value.
///
/// # Errors
/// What the store says.
pub fn named_value(graph: &Graph, asked: &str) -> Result<Named, AskError> {
    find(graph, asked, |s| ["field", "variable", "constant", "property", "enum_member"].contains(&s.kind.as_str()))
}

/// Which of several definitions of a name come first.
type Prefer = fn(&Brief) -> bool;

fn find(graph: &Graph, asked: &str, prefer: Prefer) -> Result<Named, AskError> {
    let asked = asked.trim().trim_end_matches("()");
    if let Some((file, qualname)) = asked.rsplit_once("::") {
        // `walk::scan` and `crate::walk::scan` are paths of modules.
        return match in_file(graph, file, qualname, prefer)? {
            Named::None => by_parts(graph, &asked.replace("::", "."), prefer),
            found => Ok(found),
        };
    }
    if let Some((file, line)) = place(asked) {
        return at_line(graph, file, line);
    }
    by_parts(graph, asked, prefer)
}

/// Looks up a dotted name: first as the end of a module's path and a qualified name, then with folders or packages left
/// out between its parts (`click.Choice` for what `click/types.py` defines).
fn by_parts(graph: &Graph, asked: &str, prefer: Prefer) -> Result<Named, AskError> {
    let asked = asked.strip_prefix("crate.").unwrap_or(asked);
    let bare = without_ordinal(asked).rsplit('.').next().unwrap_or(asked);
    let all = by_name(graph, bare)?;
    let found: Vec<Brief> = all.iter().filter(|s| answers(s, asked)).cloned().collect();
    if !found.is_empty() {
        return Ok(decide(found, prefer));
    }
    Ok(decide(all.into_iter().filter(|s| answers_loosely(s, asked)).collect(), prefer))
}

/// Definitions whose name is nearly the one that was asked for, or is it without what stands before the last dot.
///
/// # Errors
/// What the store says.
pub fn similar(graph: &Graph, asked: &str) -> Result<Vec<Brief>, AskError> {
    const SHOWN: usize = 5;
    let asked = asked.trim().trim_end_matches("()");
    let bare = without_ordinal(asked).rsplit(['.', ':', '/', '#']).next().unwrap_or(asked);
    if bare.is_empty() || bare.len() > 80 {
        return Ok(Vec::new());
    }
    let mut found = if bare == asked { Vec::new() } else { by_name(graph, bare)? };
    if found.is_empty() {
        let folded = bare.to_lowercase();
        let names = graph.run(queries::text("symbol_names"), Vec::new())?;
        let mut near: Vec<(f64, &str)> = Vec::new();
        for row in &names.rows {
            let name = row.str(0)?;
            let likeness = strsim::jaro_winkler(&folded, &name.to_lowercase());
            if likeness >= 0.88 {
                near.push((likeness, name));
            }
        }
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        for (_, name) in near.into_iter().take(SHOWN) {
            found.extend(by_name(graph, name)?);
        }
    }
    found.truncate(SHOWN);
    Ok(found)
}

/// `path::Qual.name`; the path may be cut short at the front, and so may the qualified name.
fn in_file(graph: &Graph, file: &str, qualname: &str, prefer: Prefer) -> Result<Named, AskError> {
    let outline = outline(graph, file)?;
    let id = format!("{file}::{qualname}");
    if let Some(exact) = outline.iter().find(|s| s.id == id) {
        let all_of_it = outline.iter().filter(|s| s.qualname == exact.qualname && !qualname.contains('#'));
        let all_of_it: Vec<Brief> = all_of_it.cloned().collect();
        return Ok(Named::One(if all_of_it.is_empty() { vec![exact.clone()] } else { all_of_it }));
    }
    let here: Vec<Brief> = outline.into_iter().filter(|s| answers(s, qualname)).collect();
    if !here.is_empty() {
        return Ok(decide(here, prefer));
    }
    let bare = without_ordinal(qualname).rsplit('.').next().unwrap_or(qualname);
    let ends = |s: &Brief| s.file == file || s.file.ends_with(&format!("/{}", file.trim_start_matches("./")));
    Ok(decide(by_name(graph, bare)?.into_iter().filter(|s| ends(s) && answers(s, qualname)).collect(), prefer))
}

/// The innermost symbol around a line.
fn at_line(graph: &Graph, file: &str, line: i64) -> Result<Named, AskError> {
    let around = outline(graph, file.trim_start_matches("./"))?;
    let around = around.into_iter().filter(|s| s.start_line <= line && line <= s.end_line && s.kind != "field");
    Ok(match around.min_by_key(|s| (s.end_line - s.start_line, std::cmp::Reverse(s.start_line))) {
        Some(symbol) => Named::One(vec![symbol]),
        None => Named::None,
    })
}

/// Those that are preferred, if there are any; else all.
fn decide(found: Vec<Brief>, prefer: Prefer) -> Named {
    let preferred: Vec<Brief> = found.iter().filter(|s| prefer(s)).cloned().collect();
    let found = if preferred.is_empty() { found } else { preferred };
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

/// Whether a symbol is meant by a name whose last parts are its qualified name and whose first parts are folders,
/// packages or modules of its path in this order, some of them left out.
fn answers_loosely(symbol: &Brief, asked: &str) -> bool {
    let wanted = without_ordinal(asked);
    if wanted != asked && !symbol.id.ends_with(&asked[wanted.len()..]) {
        return false;
    }
    let wanted: Vec<&str> = wanted.split('.').collect();
    let own: Vec<&str> = symbol.qualname.split('.').collect();
    let module = symbol.file.rsplit_once('.').map_or(symbol.file.as_str(), |(stem, _)| stem);
    (1..=own.len().min(wanted.len())).rev().any(|n| {
        let (path, name) = wanted.split_at(wanted.len() - n);
        let mut parts = module.split('/').chain(own[..own.len() - n].iter().copied());
        name == &own[own.len() - n..]
            && path.iter().all(|p| parts.any(|part| part == *p || part.replace('-', "_") == *p))
    })
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
    fn a_name_may_leave_out_parts_of_the_path_but_none_of_its_own() {
        let choice = symbol("src/click/types.py", "Choice.convert", 1);
        for asked in ["click.Choice.convert", "click.convert", "types.Choice.convert"] {
            assert!(answers_loosely(&choice, asked), "{asked}");
        }
        for asked in ["clack.Choice.convert", "types.click.Choice.convert", "click.Path.convert"] {
            assert!(!answers_loosely(&choice, asked), "{asked}");
        }
        let spy = symbol("mockito-core/src/main/java/org/mockito/Mockito.java", "Mockito.spy", 2);
        assert!(answers_loosely(&spy, "org.mockito.Mockito.spy"));
        assert!(answers_loosely(&spy, "org.mockito.Mockito.spy#2"));
        assert!(!answers_loosely(&spy, "org.mockito.Mockito.spy#3"));
        assert!(answers_loosely(&symbol("core/src/walk/mod.rs", "scan", 1), "walk.scan"));
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
