//! Words of a file by symbol and field: the plain data that full-text search is built of.

use serde::{Deserialize, Serialize};

use crate::facts::{Facts, SymbolIdx};

/// Where in a symbol a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Field {
    /// Its qualified name.
    Name,
    /// Its doc comment.
    Doc,
    /// A string literal in it.
    Literal,
    /// A comment in it.
    Comment,
    /// An identifier in its body.
    Ident,
}

/// Number of fields.
pub const FIELD_COUNT: usize = 5;

/// Words of one unit of text: a symbol, or a stretch of lines of a file in no known language.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UnitTerms {
    /// The symbol (0, the module, for stretches of lines).
    pub symbol: u32,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Distinct words with their counts by field, sorted by word.
    pub terms: Vec<(Box<str>, [u16; FIELD_COUNT])>,
}

/// Words of one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FileTerms {
    /// Units in source order.
    pub units: Vec<UnitTerms>,
}

/// Collects words while a file is walked.
#[derive(Debug, Default)]
pub struct TermsBuilder {}

impl TermsBuilder {
    /// Adds the words of `text` to a field of a symbol.
    pub fn add(&mut self, _symbol: SymbolIdx, _field: Field, _text: &str) {}

    /// The file's words.
    pub fn finish(self, _facts: &Facts) -> FileTerms {
        FileTerms::default()
    }
}
