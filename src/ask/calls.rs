//! Who calls a symbol, and what it calls, told apart by how sure that is.

use std::collections::BTreeMap;

use serde::Serialize;

use super::name::outline;
use super::{ALL, AskError, Brief, Unresolved, file_of, int, text, unresolved};
use crate::queries;
use crate::store::value::RowExt;
use crate::store::{Graph, StoreError};

/// Which way to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Symbols that call it.
    Callers,
    /// Symbols that it calls.
    Callees,
}

/// How sure an edge is; ordered from the surest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// Said by a compiler, or by scopes and imports alone.
    Exact,
    /// Through the inferred class of a receiver.
    Inferred,
    /// An override of the method that is called: it runs for some receivers.
    Possible,
    /// By name only.
    Guess,
}

impl Certainty {
    /// From the graph's `how`.
    pub fn of(how: &str) -> Certainty {
        match how {
            "scip" | "lexical" | "import" => Certainty::Exact,
            "type" => Certainty::Inferred,
            "override" => Certainty::Possible,
            _ => Certainty::Guess,
        }
    }

    /// Of a step whose `how` may be missing: then nothing was guessed.
    pub fn of_edge(how: &str) -> Certainty {
        if how.is_empty() { Certainty::Exact } else { Certainty::of(how) }
    }
}

/// One edge, seen from the symbol asked about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CallEdge {
    /// How sure it is.
    pub certainty: Certainty,
    /// Id of the symbol at the other end.
    pub id: String,
    /// File of that symbol.
    pub file: String,
    /// File with the call sites: the caller's.
    pub site_file: String,
    /// Line of each call site.
    pub lines: Vec<i64>,
    /// How the call was resolved.
    pub how: String,
    /// Between 0 and 1.
    pub confidence: f64,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calls {
    /// Edges, the surest first, then by id.
    pub edges: Vec<CallEdge>,
    /// For callers of a class: those of its constructors, in the order of the text. Whoever makes one calls these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constructors: Vec<Constructor>,
    /// For callers: sites elsewhere that call this name on something unknown, so that each may be one more.
    /// For callees: names that the symbol calls and that could not be tied to a definition.
    pub unresolved: Vec<Unresolved>,
    /// Number of those sites.
    pub unresolved_sites: i64,
}

/// A constructor and who calls it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Constructor {
    /// Its id.
    pub id: String,
    /// Its dotted name.
    pub qualname: String,
    /// Its callers, in the order of [`Calls::edges`].
    pub edges: Vec<CallEdge>,
}

impl Calls {
    /// Number of edges, those of constructors included.
    pub fn total(&self) -> usize {
        self.edges.len() + self.constructors.iter().map(|c| c.edges.len()).sum::<usize>()
    }
}

/// What constructors are called in the languages that do not name them after their class.
const CONSTRUCTORS: [&str; 2] = ["__init__", "constructor"];

/// Constructors of a class that are called anywhere.
fn constructors(graph: &Graph, of: &[Brief]) -> Result<Vec<Constructor>, AskError> {
    let mut found: BTreeMap<(i64, String), Brief> = BTreeMap::new();
    for class in of.iter().filter(|s| ["class", "struct", "enum"].contains(&s.kind.as_str())) {
        let bare = class.qualname.rsplit('.').next().unwrap_or(&class.qualname);
        for member in outline(graph, &class.file)? {
            let name = member.qualname.strip_prefix(&class.qualname).and_then(|rest| rest.strip_prefix('.'));
            if name.is_some_and(|name| name == bare || CONSTRUCTORS.contains(&name)) && member.kind == "method" {
                found.insert((member.start_line, member.id.clone()), member);
            }
        }
    }
    let mut constructors = Vec::new();
    for symbol in found.into_values() {
        let edges = edges(graph, std::slice::from_ref(&symbol), Direction::Callers)?;
        if !edges.is_empty() {
            constructors.push(Constructor { id: symbol.id, qualname: symbol.qualname, edges });
        }
    }
    Ok(constructors)
}

/// Callers or callees of one definition (all rows of it, see [`super::Named::One`]).
///
/// # Errors
/// What the store says.
pub fn calls(graph: &Graph, of: &[Brief], direction: Direction) -> Result<Calls, AskError> {
    let unresolved = match direction {
        Direction::Callers => match of.first() {
            Some(symbol) => unresolved::sites_of(graph, &symbol.qualname)?,
            None => Vec::new(),
        },
        Direction::Callees => unresolved::inside(graph, of)?,
    };
    let constructors = match direction {
        Direction::Callers => constructors(graph, of)?,
        Direction::Callees => Vec::new(),
    };
    let unresolved_sites = unresolved.iter().map(|u| u.sites).sum();
    Ok(Calls { edges: edges(graph, of, direction)?, constructors, unresolved, unresolved_sites })
}

fn edges(graph: &Graph, of: &[Brief], direction: Direction) -> Result<Vec<CallEdge>, AskError> {
    let mut edges = BTreeMap::new();
    for symbol in of {
        let params = vec![("id", text(symbol.id.as_str())), ("limit", int(ALL))];
        let query = match direction {
            Direction::Callers => "callers",
            Direction::Callees => "callees",
        };
        // Columns: id, file, (start_line,) lines, how, confidence.
        let shift = usize::from(direction == Direction::Callees);
        for row in graph.run(queries::text(query), params)?.rows {
            let id = row.str(0)?.to_owned();
            let how = row.str(3 + shift)?.to_owned();
            let site_file = match direction {
                Direction::Callers => file_of(&id).to_owned(),
                Direction::Callees => symbol.file.clone(),
            };
            let certainty = Certainty::of(&how);
            let edge = edges.entry((certainty, id.clone(), how.clone())).or_insert_with(|| CallEdge {
                certainty,
                file: String::new(),
                site_file,
                lines: Vec::new(),
                confidence: 0.0,
                id,
                how,
            });
            row.str(1)?.clone_into(&mut edge.file);
            edge.lines.extend(row.ints(2 + shift)?);
            edge.lines.sort_unstable();
            edge.confidence = row.float(4 + shift)?;
        }
    }
    Ok(edges.into_values().collect())
}

/// One call site, as exported.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)] // the names say it; they are the columns of the export
pub struct CallSite {
    pub caller_file: String,
    pub caller_qualname: String,
    pub callee_file: String,
    pub callee_qualname: String,
    pub line: i64,
    pub how: String,
    pub confidence: f64,
}

impl CallSite {
    /// The fields in order, separated by tabs. Names may hold any character; one that would break the table becomes a space.
    pub fn to_tsv(&self) -> String {
        let clean = |field: &str| field.replace(|c: char| c.is_control(), " ");
        let names = [&self.caller_file, &self.caller_qualname, &self.callee_file, &self.callee_qualname];
        let names = names.map(|n| clean(n)).join("\t");
        format!("{names}\t{}\t{}\t{}", self.line, clean(&self.how), self.confidence)
    }
}

/// Every call site of the graph, sorted by caller, callee, how, line.
///
/// # Errors
/// What the store says.
pub fn export_calls(graph: &Graph) -> Result<Vec<CallSite>, AskError> {
    let mut sites = Vec::new();
    graph.each(queries::text("calls"), Vec::new(), |row| {
        for line in row.ints(4)? {
            sites.push(CallSite {
                caller_file: row.str(0)?.to_owned(),
                caller_qualname: row.str(1)?.to_owned(),
                callee_file: row.str(2)?.to_owned(),
                callee_qualname: row.str(3)?.to_owned(),
                line,
                how: row.str(5)?.to_owned(),
                confidence: row.float(6)?,
            });
        }
        Ok::<(), StoreError>(())
    })?;
    Ok(sites)
}
