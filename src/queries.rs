//! The shipped `.cypher` files, each with a header that says its parameters, its columns and where its
//! plan must start. The same files run in any other Kuzu 0.11 client as they stand.

use serde_json::Value as Json;
use thiserror::Error;

/// Type of a parameter or a column, in Kuzu's words: `STRING`, `INT64`, `DOUBLE`, `BOOL`, `STRING[]`, ...
pub type Kind = String;

/// One shipped query.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// Name of the file without `.cypher`.
    pub name: &'static str,
    /// One sentence: what it answers.
    pub summary: String,
    /// Raised when its parameters or columns change.
    pub version: u32,
    /// Version of the schema that it is written for.
    pub schema: u32,
    /// `$name`s in the text, in the header's order.
    pub params: Vec<Param>,
    /// What it returns, in order.
    pub columns: Vec<Column>,
    /// Where its plan must start.
    pub starts: Vec<Start>,
    /// The whole file.
    pub text: &'static str,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Without the `$`.
    pub name: String,
    /// Its type.
    pub kind: Kind,
    /// What it means.
    pub about: String,
    /// A value that works.
    pub example: Json,
}

/// A column of the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: Kind,
    /// What it means.
    pub about: String,
}

/// Where a plan starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// A look-up of this parameter (`$id`) or constant in a primary key.
    Key(String),
    /// One scan of this table.
    Scan(String),
}

/// What is wrong with a header.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("queries/{name}.cypher: {fault}")]
pub struct HeaderError {
    /// Name of the query.
    pub name: String,
    /// What is missing or malformed, with the line where there is one.
    pub fault: String,
}

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        const SHIPPED: &[(&str, &str)] = &[$(($name, include_str!(concat!("../queries/", $name, ".cypher")))),*];
    };
}

shipped![
    "blast_radius",
    "blast_radius_sure",
    "callees",
    "callers",
    "calls",
    "claim",
    "claims",
    "cochange",
    "commits",
    "counts",
    "file",
    "hotspots",
    "index_lock",
    "inherits",
    "localize_calls",
    "localize_rank",
    "localize_tests",
    "outline",
    "owners",
    "path",
    "path_sure",
    "release",
    "symbol",
    "symbols",
    "tests_of",
    "unresolved",
];

/// Names of the shipped queries, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}

/// The shipped query of a name.
///
/// # Errors
/// When its header is incomplete; a test keeps that from being shipped.
pub fn get(name: &str) -> Result<Option<Query>, HeaderError> {
    SHIPPED.iter().find(|(n, _)| *n == name).map(|(n, text)| parse(n, text)).transpose()
}

/// The text of a query that this program ships and runs itself; empty for an unknown name.
pub fn text(name: &str) -> &'static str {
    SHIPPED.iter().find(|(n, _)| *n == name).map_or("", |(_, text)| text)
}

fn parse(name: &'static str, text: &'static str) -> Result<Query, HeaderError> {
    let fault = |fault: String| HeaderError { name: name.to_owned(), fault };
    let mut query = Query {
        name,
        summary: String::new(),
        version: 0,
        schema: 0,
        params: Vec::new(),
        columns: Vec::new(),
        starts: Vec::new(),
        text,
    };
    for (number, line) in text.lines().enumerate() {
        let Some(line) = line.strip_prefix("//") else { break };
        let line = line.trim();
        let bad = |what: &str| fault(format!("line {}: {what}: {line}", number + 1));
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.trim();
        if number == 0 {
            if key != name || value.is_empty() {
                return Err(bad("must be the name, a colon and one sentence"));
            }
            value.clone_into(&mut query.summary);
            continue;
        }
        match key {
            "version" => query.version = value.parse().map_err(|_| bad("not a number"))?,
            "schema" => query.schema = value.parse().map_err(|_| bad("not a number"))?,
            "param" => {
                let (name, kind, about) = field(value).ok_or_else(|| bad("wants `$name TYPE, meaning, e.g. value`"))?;
                let name = name.strip_prefix('$').ok_or_else(|| bad("a parameter starts with $"))?;
                let (about, example) = about.rsplit_once("e.g. ").ok_or_else(|| bad("no example"))?;
                let example = serde_json::from_str(example).map_err(|_| bad("the example is not JSON"))?;
                let about = about.trim_end().trim_end_matches(',').to_owned();
                query.params.push(Param { name: name.to_owned(), kind: kind.to_owned(), about, example });
            }
            "column" => {
                let (name, kind, about) = field(value).ok_or_else(|| bad("wants `name TYPE, meaning`"))?;
                query.columns.push(Column { name: name.to_owned(), kind: kind.to_owned(), about: about.to_owned() });
            }
            "start" => query.starts.push(match value.split_once(' ') {
                Some(("key", what)) => Start::Key(what.to_owned()),
                Some(("scan", table)) => Start::Scan(table.to_owned()),
                _ => return Err(bad("wants `key WHAT` or `scan Table`")),
            }),
            // Anything else is prose.
            _ => {}
        }
    }
    for (missing, what) in [
        (query.version == 0, "version"),
        (query.schema == 0, "schema"),
        (query.columns.is_empty(), "column"),
        (query.starts.is_empty(), "start"),
    ] {
        if missing {
            return Err(fault(format!("the header has no `{what}:`")));
        }
    }
    Ok(query)
}

/// `name TYPE, meaning`.
fn field(value: &str) -> Option<(&str, &str, &str)> {
    let (head, about) = value.split_once(", ")?;
    let (name, kind) = head.split_once(' ')?;
    Some((name, kind, about))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// `$name`s of the statement, comments left out.
    fn used(text: &str) -> BTreeSet<String> {
        let body: String = text.lines().filter(|l| !l.starts_with("//")).collect::<Vec<_>>().join("\n");
        body.split('$')
            .skip(1)
            .map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect())
            .collect()
    }

    #[test]
    fn every_shipped_header_is_complete_and_names_the_parameters_of_its_text() {
        for name in names() {
            let query = get(name).unwrap().unwrap();
            let declared: BTreeSet<_> = query.params.iter().map(|p| p.name.clone()).collect();
            assert_eq!(declared, used(query.text), "{name}");
            for start in &query.starts {
                if let Start::Key(key) = start
                    && let Some(param) = key.strip_prefix('$')
                {
                    assert!(declared.contains(param), "{name} starts at ${param}");
                }
            }
        }
    }

    #[test]
    fn every_file_in_queries_is_shipped() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/queries");
        // Folders below hold statements of the program's own, which are not for users to copy.
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "cypher"))
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        assert_eq!(files, names().map(str::to_owned).collect());
        assert!(names().is_sorted());
    }

    #[test]
    fn an_incomplete_header_is_refused() {
        let whole = text("callers");
        for field in ["version", "schema", "column", "start"] {
            let text: String =
                whole.lines().filter(|l| !l.starts_with(&format!("// {field}:"))).map(|l| format!("{l}\n")).collect();
            let error = parse("callers", text.leak()).unwrap_err();
            assert!(error.fault.contains(field), "{error}");
        }
        let error = parse("callers", whole.replace(", e.g. 20", "").leak()).unwrap_err();
        assert!(error.to_string().contains("queries/callers.cypher: line 5: no example"), "{error}");
    }
}
