//! Words of a file by symbol and field: the plain data that full-text search is built of.
//!
//! - [`TermsBuilder`] collects them while a file is walked; [`plain_terms`] and [`code_terms`] do the same for a
//!   text in no known language; [`query_words`] makes the words of a query by the same rules (see `words`).
//! - [`FileTerms`] is one file's result. It *is* its serialised form, a byte string that can be written to a
//!   cache as it stands ([`FileTerms::encode`]) and read back through [`EncodedTerms`] without allocating
//!   (see `encoded` for the layout).

mod encoded;
mod stretches;
mod words;

use std::fmt;

use rustc_hash::FxHashMap;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::facts::{Facts, SymbolIdx};
pub use encoded::{EncodedTerms, Entries, Entry, Unit, Units, Words};
use encoded::{Writer, put_varint};
pub use stretches::{code_terms, plain_terms};
use words::Split;
pub use words::{WordReader, query_words};

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
    /// An identifier in its body; also all text of files in no known language.
    Ident,
}

/// Number of fields.
pub const FIELD_COUNT: usize = 5;

/// Words of one file: units of text (symbols, or stretches of lines) in source order, each with its distinct
/// words and their counts by field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTerms {
    bytes: Vec<u8>,
}

impl FileTerms {
    /// The serialised form, for a cache. Read it back with [`EncodedTerms::new`].
    pub fn encode(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    /// The serialised form without a copy.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Takes back what [`FileTerms::encode`] gave. The bytes are checked when they are read.
    pub fn from_bytes(bytes: Vec<u8>) -> FileTerms {
        FileTerms { bytes }
    }

    /// A reader over the words and units.
    pub fn reader(&self) -> EncodedTerms<'_> {
        EncodedTerms::new(&self.bytes).unwrap_or_default()
    }
}

impl Serialize for FileTerms {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.bytes)
    }
}

impl<'de> Deserialize<'de> for FileTerms {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl<'de> Visitor<'de> for Bytes {
            type Value = FileTerms;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the bytes of a file's terms")
            }
            fn visit_bytes<E>(self, v: &[u8]) -> Result<FileTerms, E> {
                Ok(FileTerms { bytes: v.to_vec() })
            }
            fn visit_byte_buf<E>(self, v: Vec<u8>) -> Result<FileTerms, E> {
                Ok(FileTerms { bytes: v })
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<FileTerms, A::Error> {
                let mut bytes = Vec::new();
                while let Some(b) = seq.next_element()? {
                    bytes.push(b);
                }
                Ok(FileTerms { bytes })
            }
        }
        deserializer.deserialize_byte_buf(Bytes)
    }
}

/// Collects words while a file is walked.
///
/// A word is split and stemmed once per distinct token of the file: every further occurrence costs one hash
/// look-up and one pushed integer. Counting happens in [`TermsBuilder::finish`] by sorting those integers.
#[derive(Debug, Default)]
pub struct TermsBuilder {
    /// Token as it stands in the text -> its words, a range of `token_words`.
    tokens: FxHashMap<Box<str>, u32>,
    token_words: Vec<u32>,
    /// Ends of the ranges, by token.
    token_ends: Vec<u32>,
    word_ids: FxHashMap<Box<str>, u32>,
    /// The string table as it will be written: length byte, text.
    table: Vec<u8>,
    /// `symbol << 35 | token << 3 | field`, one for each occurrence.
    uses: Vec<u64>,
    split: Split,
}

impl TermsBuilder {
    /// Adds the words of `text` to a field of a symbol.
    pub fn add(&mut self, symbol: SymbolIdx, field: Field, text: &str) {
        words::tokens(text, field == Field::Literal, |token| {
            let id = match self.tokens.get(token) {
                Some(&id) => id,
                None => self.new_token(token),
            };
            self.uses.push(u64::from(symbol.0) << 35 | u64::from(id) << 3 | field as u64);
        });
    }

    fn new_token(&mut self, token: &str) -> u32 {
        self.split.run(token);
        for word in self.split.words() {
            let id = match self.word_ids.get(word) {
                Some(&id) => id,
                None => {
                    let id = self.word_ids.len() as u32;
                    self.word_ids.insert(word.into(), id);
                    self.table.push(word.len() as u8);
                    self.table.extend_from_slice(word.as_bytes());
                    id
                }
            };
            self.token_words.push(id);
        }
        let id = self.token_ends.len() as u32;
        self.token_ends.push(self.token_words.len() as u32);
        self.tokens.insert(token.into(), id);
        id
    }

    /// The file's words, one unit a symbol; a symbol's words do not count for the symbols around it.
    pub fn finish(self, facts: &Facts) -> FileTerms {
        self.write(|symbol| {
            let lines = facts.symbols.get(symbol as usize).map_or((1, 1), |s| (s.start_line, s.end_line));
            (symbol, lines.0, lines.1)
        })
    }

    /// `describe` gives a unit's symbol and lines from the number under which words were added.
    fn write(mut self, describe: impl Fn(u32) -> (u32, u32, u32)) -> FileTerms {
        self.uses.sort_unstable();
        let mut writer = Writer::new(self.word_ids.len(), &self.table);
        let mut counts = vec![[0u16; FIELD_COUNT]; self.word_ids.len()];
        let mut touched: Vec<u32> = Vec::new();
        let mut body = Vec::new();
        let mut uses = self.uses.chunk_by(|a, b| a == b).peekable();
        while let Some(first) = uses.peek() {
            let unit = (first[0] >> 35) as u32;
            while let Some(run) = uses.next_if(|run| (run[0] >> 35) as u32 == unit) {
                let token = (run[0] >> 3) as u32 as usize;
                let field = (run[0] & 7) as usize;
                let from = if token == 0 { 0 } else { self.token_ends[token - 1] };
                for &word in &self.token_words[from as usize..self.token_ends[token] as usize] {
                    let count = &mut counts[word as usize];
                    if *count == [0; FIELD_COUNT] {
                        touched.push(word);
                    }
                    count[field] = count[field].saturating_add(run.len().min(usize::from(u16::MAX)) as u16);
                }
            }
            if touched.is_empty() {
                continue;
            }
            touched.sort_unstable();
            body.clear();
            let mut last = 0;
            for &word in &touched {
                put_varint(&mut body, word - last);
                last = word;
                encoded::put_counts(&mut body, &counts[word as usize]);
                counts[word as usize] = [0; FIELD_COUNT];
            }
            let (symbol, start_line, end_line) = describe(unit);
            writer.unit(symbol, start_line, end_line, touched.len(), &body);
            touched.clear();
        }
        FileTerms { bytes: writer.finish() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Dump = Vec<(u32, u32, u32, Vec<(String, [u16; FIELD_COUNT])>)>;

    /// All units as (symbol, first line, last line, words with counts).
    fn dump(terms: &FileTerms) -> Dump {
        let reader = terms.reader();
        let words: Vec<&str> = reader.words().collect();
        assert_eq!(words.len(), reader.word_count() as usize);
        let entry = |e: Entry| (words[e.word as usize].to_owned(), e.counts);
        reader.units().map(|u| (u.symbol, u.start_line, u.end_line, u.entries.map(entry).collect())).collect()
    }

    #[test]
    fn counts_by_unit_word_and_field() {
        let mut builder = TermsBuilder::default();
        builder.add(SymbolIdx(2), Field::Ident, "parse_file");
        builder.add(SymbolIdx(0), Field::Doc, "Parse a file; parse it twice.");
        builder.add(SymbolIdx(2), Field::Literal, "the file");
        let terms = builder.finish(&Facts::default());
        let word = |w: &str, c| (w.to_owned(), c);
        assert_eq!(
            dump(&terms),
            [
                (
                    0,
                    1,
                    1,
                    vec![word("pars", [0, 2, 0, 0, 0]), word("fil", [0, 1, 0, 0, 0]), word("twic", [0, 1, 0, 0, 0])]
                ),
                (
                    2,
                    1,
                    1,
                    vec![
                        word("pars", [0, 0, 0, 0, 1]),
                        word("fil", [0, 0, 1, 0, 1]),
                        word("parsefil", [0, 0, 0, 0, 1])
                    ]
                ),
            ]
        );
        let again = FileTerms::from_bytes(terms.encode());
        assert_eq!(dump(&again), dump(&terms));
        let through_serde: FileTerms = postcard::from_bytes(&postcard::to_stdvec(&terms).unwrap()).unwrap();
        assert_eq!(through_serde, terms);
    }

    #[test]
    fn counts_saturate() {
        let mut builder = TermsBuilder::default();
        builder.add(SymbolIdx(0), Field::Ident, &"word ".repeat(70_000));
        let terms = builder.finish(&Facts::default());
        assert_eq!(terms.reader().units().next().unwrap().entries.next().unwrap().counts[4], u16::MAX);
    }

    #[test]
    fn plain_text_in_stretches() {
        let text: String = (1..=100).map(|n| if n % 7 == 0 { "\n".into() } else { format!("line{n}\n") }).collect();
        let terms = plain_terms(&text);
        let lines: Vec<_> = terms.reader().units().map(|u| (u.symbol, u.start_line, u.end_line)).collect();
        assert_eq!(lines, [(0, 1, 35), (0, 36, 70), (0, 71, 100)]);
        assert_eq!(plain_terms("").reader().units().count(), 0);
        assert_eq!(plain_terms("no break at end").reader().units().count(), 1);
    }

    #[test]
    fn damaged_bytes_end_iteration() {
        let good = plain_terms(&"some words here and there\n".repeat(100)).encode();
        for cut in 0..good.len() {
            if let Some(reader) = EncodedTerms::new(&good[..cut]) {
                let _ = (reader.words().count(), reader.units().map(|u| u.entries.count()).sum::<usize>());
            }
        }
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0xff;
            if let Some(reader) = EncodedTerms::new(&bad) {
                let _ = (reader.words().count(), reader.units().map(|u| u.entries.count()).sum::<usize>());
            }
        }
    }
}
