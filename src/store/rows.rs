//! Rows as the store takes them and gives them back: plain, owned, keyed by what the graph's keys are.

use crate::facts::Access;
pub use crate::history::{CoChangeRow, CommitRow, PersonRow, TouchedRow};
use crate::rows::How;

/// A row of File that is in the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileRow {
    /// Path below the root, `/` between parts.
    pub path: String,
    /// The language's name; empty when none is known.
    pub language: String,
    /// Content hash in hexadecimal.
    pub hash: String,
    /// Number of lines.
    pub lines: u32,
    /// A test by its path or its content.
    pub is_test: bool,
    /// Written by a tool.
    pub generated: bool,
    /// Why it was not read; empty when it was.
    pub skipped: String,
}

/// A row of Symbol that is in the tree. Its file is that of its [`FileState`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymbolRow {
    /// `path::Qual.name`, `#2` for repeats.
    pub id: String,
    /// Last part of the qualified name.
    pub name: String,
    /// Qualified name within the file.
    pub qualname: String,
    /// The kind's word.
    pub kind: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The declaration on one line.
    pub signature: String,
    /// Doc comment.
    pub doc: String,
    /// A test.
    pub is_test: bool,
    /// Visible from outside.
    pub exported: bool,
    /// Called from outside.
    pub entry_point: bool,
    /// Number of distinct names that it calls.
    pub call_names: u32,
    /// Centrality.
    pub rank: f64,
    /// Names called that could not be tied to a definition. No name holds a line feed.
    pub unresolved: Vec<String>,
}

/// The relationships between symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum EdgeKind {
    Contains,
    Calls,
    References,
    Inherits,
    Tests,
}

/// All kinds, in the order in which they are written.
pub const EDGE_KINDS: [EdgeKind; 5] =
    [EdgeKind::Contains, EdgeKind::Calls, EdgeKind::References, EdgeKind::Inherits, EdgeKind::Tests];

impl EdgeKind {
    /// The relationship's name in the graph.
    pub fn as_str(self) -> &'static str {
        match self {
            EdgeKind::Contains => "CONTAINS",
            EdgeKind::Calls => "CALLS",
            EdgeKind::References => "REFERENCES",
            EdgeKind::Inherits => "INHERITS",
            EdgeKind::Tests => "TESTS",
        }
    }
}

/// What makes a relationship between symbols the same one: at most one row has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeKey {
    /// Its kind.
    pub kind: EdgeKind,
    /// Symbol it leaves.
    pub from: String,
    /// Symbol it enters.
    pub to: String,
    /// How it was resolved; `None` for CONTAINS only.
    pub how: Option<How>,
    /// What is done with the target, for REFERENCES only.
    pub access: Option<Access>,
}

/// A relationship that a file's text makes. It leaves one of the file's symbols, except CONTAINS, which
/// enters one (its holder may be in another file).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeRow {
    /// What it is.
    pub key: EdgeKey,
    /// Lines of its sites, ascending; empty except for CALLS and REFERENCES.
    pub lines: Vec<u32>,
}

/// Everything in the graph that follows from one file's text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileState {
    /// The file.
    pub file: FileRow,
    /// Its symbols.
    pub symbols: Vec<SymbolRow>,
    /// Relationships that its text makes.
    pub edges: Vec<EdgeRow>,
    /// Paths that it imports.
    pub imports: Vec<String>,
}

impl FileState {
    /// Puts all lists in their one order: symbols by id, relationships by key, imports by path, no doubles.
    pub fn normalise(&mut self) {
        self.symbols.sort_by(|a, b| a.id.cmp(&b.id));
        self.edges.sort();
        self.imports.sort();
        self.imports.dedup();
    }
}

const HOWS: [How; 7] =
    [How::Scip, How::Lexical, How::Import, How::Type, How::Override, How::UniqueName, How::AmbiguousName];

const ACCESSES: [Access; 4] = [Access::Read, Access::Write, Access::Type, Access::Value];

/// The reverse of [`How::as_str`].
pub fn how_from(word: &str) -> Option<How> {
    HOWS.into_iter().find(|how| how.as_str() == word)
}

/// The word stored for an access.
pub fn access_word(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
        Access::Type => "type",
        Access::Value => "value",
    }
}

/// The reverse of [`access_word`].
pub fn access_from(word: &str) -> Option<Access> {
    ACCESSES.into_iter().find(|access| access_word(*access) == word)
}
