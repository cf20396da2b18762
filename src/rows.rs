//! Rows of the graph as `resolve` and `history` produce them and `store` writes them.
//! Plain data: no tree-sitter above, no Kuzu below.

use serde::{Deserialize, Serialize};

use crate::facts::{Access, SymbolIdx};

/// Index of a file in the list that was resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileNo(pub u32);

/// A symbol anywhere in the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SymbolRef {
    /// Its file.
    pub file: FileNo,
    /// Its place in that file's facts.
    pub symbol: SymbolIdx,
}

/// How an edge was resolved; the confidence follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum How {
    /// From a SCIP index that a compiler made.
    Scip,
    /// Found in an enclosing scope of the same file.
    Lexical,
    /// Followed through imports.
    Import,
    /// Through the inferred class of a receiver, `self` and `super` included.
    Type,
    /// An override of the method that the receiver's class names.
    Override,
    /// The only definition of that name in the project.
    UniqueName,
    /// One of a few definitions of that name.
    AmbiguousName,
}

impl How {
    /// The word stored in the graph.
    pub fn as_str(self) -> &'static str {
        match self {
            How::Scip => "scip",
            How::Lexical => "lexical",
            How::Import => "import",
            How::Type => "type",
            How::Override => "override",
            How::UniqueName => "unique name",
            How::AmbiguousName => "ambiguous name",
        }
    }

    /// Between 0 and 1.
    pub fn confidence(self) -> f64 {
        match self {
            How::Scip | How::Lexical | How::Import => 1.0,
            How::Type => 0.9,
            How::Override => 0.7,
            How::UniqueName => 0.6,
            How::AmbiguousName => 0.3,
        }
    }
}

/// A resolved edge out of one file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The symbol in this file.
    pub from: SymbolIdx,
    /// The target.
    pub to: SymbolRef,
    /// How it was found.
    pub how: How,
    /// Lines of the sites, 1-based, ascending; a line stands once for each site on it. Empty for INHERITS and TESTS.
    pub lines: Vec<u32>,
}

/// A resolved mention.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// The symbol in this file.
    pub from: SymbolIdx,
    /// The target.
    pub to: SymbolRef,
    /// What is done with it.
    pub access: Access,
    /// How it was found.
    pub how: How,
    /// Lines, ascending.
    pub lines: Vec<u32>,
}

/// Everything that was resolved out of one file; each list sorted, without doubles
/// (one row for each caller, callee and `how`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileEdges {
    /// CALLS.
    pub calls: Vec<Edge>,
    /// INHERITS.
    pub inherits: Vec<Edge>,
    /// REFERENCES.
    pub references: Vec<Reference>,
    /// TESTS, from a test's symbol to what it exercises.
    pub tests: Vec<Edge>,
    /// CONTAINS: (holder, symbol of this file). The holder is the lexical parent or, for a method that is
    /// declared outside its type (Go, Rust), the type. The module holds nothing: that is DEFINES.
    pub contains: Vec<(SymbolRef, SymbolIdx)>,
    /// IMPORTS: files that this one imports, ascending, without itself.
    pub imports: Vec<FileNo>,
    /// Call sites that name something the project may define but that could not be tied to it:
    /// (caller, name, line of each site), sorted. The name is written as called: `read` for a plain call, `.read` on a
    /// receiver.
    pub unresolved: Vec<(SymbolIdx, String, Vec<u32>)>,
}
