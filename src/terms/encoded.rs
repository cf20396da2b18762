//! The byte layout of a file's words.
//!
//! ```text
//! version u8 = 1
//! varint  number of words
//! varint  bytes of the string table
//! table   per word, in order of first use: length u8, UTF-8 text
//! units   until the end of the bytes, each:
//!   varint symbol, varint start line, varint end line - start line, varint number of entries,
//!   varint bytes of the entries
//!   per entry, by rising word number: varint word - previous word,
//!     u8 mask (bit f: field f has a count; bit 5: every count is 1), unless bit 5: a varint count for each bit
//! ```
//!
//! Varints are LEB128. A reader needs one pass over the table to map the file's word numbers to its own, and
//! then never looks at a string again.

use super::FIELD_COUNT;

const VERSION: u8 = 1;
const ALL_ONE: u8 = 1 << FIELD_COUNT;

pub(super) fn put_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(super) fn put_counts(out: &mut Vec<u8>, counts: &[u16; FIELD_COUNT]) {
    let mut mask = 0;
    let mut all_one = true;
    for (field, &count) in counts.iter().enumerate() {
        if count > 0 {
            mask |= 1 << field;
            all_one &= count == 1;
        }
    }
    if all_one {
        out.push(mask | ALL_ONE);
        return;
    }
    out.push(mask);
    for &count in counts.iter().filter(|&&c| c > 0) {
        put_varint(out, u32::from(count));
    }
}

fn take_varint(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0u32;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

fn take<'a>(bytes: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (head, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(head)
}

pub(super) struct Writer {
    out: Vec<u8>,
}

impl Writer {
    pub(super) fn new(words: usize, table: &[u8]) -> Writer {
        let mut out = Vec::with_capacity(table.len() * 4 + 16);
        out.push(VERSION);
        put_varint(&mut out, words as u32);
        put_varint(&mut out, table.len() as u32);
        out.extend_from_slice(table);
        Writer { out }
    }

    pub(super) fn unit(&mut self, symbol: u32, start_line: u32, end_line: u32, entries: usize, body: &[u8]) {
        for value in [symbol, start_line, end_line.saturating_sub(start_line), entries as u32, body.len() as u32] {
            put_varint(&mut self.out, value);
        }
        self.out.extend_from_slice(body);
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        self.out.shrink_to_fit();
        self.out
    }
}

/// A reader over the bytes of a [`super::FileTerms`]; allocates nothing.
///
/// Damaged bytes never panic: iteration ends where they stop making sense.
///
/// To build an index over many files: map [`EncodedTerms::words`] to global numbers (one look-up per distinct
/// word of the file), then go through [`EncodedTerms::units`] and their [`Entry`]s.
#[derive(Clone, Copy, Debug, Default)]
pub struct EncodedTerms<'a> {
    words: u32,
    table: &'a [u8],
    units: &'a [u8],
}

impl<'a> EncodedTerms<'a> {
    /// Reads the header; `None` if the bytes are of another version or cut off. No bytes at all are an empty file.
    pub fn new(mut bytes: &'a [u8]) -> Option<EncodedTerms<'a>> {
        if bytes.is_empty() {
            return Some(EncodedTerms::default());
        }
        if take(&mut bytes, 1)?[0] != VERSION {
            return None;
        }
        let words = take_varint(&mut bytes)?;
        let len = take_varint(&mut bytes)? as usize;
        let table = take(&mut bytes, len)?;
        Some(EncodedTerms { words, table, units: bytes })
    }

    /// Number of distinct words of the file.
    pub fn word_count(&self) -> u32 {
        self.words
    }

    /// The distinct words; the position of a word is the number that [`Entry::word`] gives.
    pub fn words(&self) -> Words<'a> {
        Words { table: self.table }
    }

    /// The units in source order.
    pub fn units(&self) -> Units<'a> {
        Units { bytes: self.units }
    }
}

/// Iterator over a file's distinct words.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    table: &'a [u8],
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let len = take(&mut self.table, 1)?[0];
        std::str::from_utf8(take(&mut self.table, usize::from(len))?).ok()
    }
}

/// Iterator over a file's units.
#[derive(Clone, Debug)]
pub struct Units<'a> {
    bytes: &'a [u8],
}

impl<'a> Iterator for Units<'a> {
    type Item = Unit<'a>;

    fn next(&mut self) -> Option<Unit<'a>> {
        let b = &mut self.bytes;
        let (symbol, start_line, lines) = (take_varint(b)?, take_varint(b)?, take_varint(b)?);
        let (entries, len) = (take_varint(b)?, take_varint(b)?);
        let bytes = take(b, len as usize)?;
        let entries = Entries { left: entries, word: 0, bytes };
        Some(Unit { symbol, start_line, end_line: start_line.saturating_add(lines), entries })
    }
}

/// One unit of text: a symbol without the symbols in it, or a stretch of lines of a file in no known language.
#[derive(Clone, Debug)]
pub struct Unit<'a> {
    /// Index of the symbol in the file's facts; 0, the module, for stretches of lines.
    pub symbol: u32,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Its distinct words with their counts.
    pub entries: Entries<'a>,
}

/// Iterator over a unit's words, by rising word number.
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    left: u32,
    word: u32,
    bytes: &'a [u8],
}

/// One word of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Number of the word in [`EncodedTerms::words`].
    pub word: u32,
    /// How often it stands in each field, by `Field as usize`; stops counting at `u16::MAX`.
    pub counts: [u16; FIELD_COUNT],
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        self.left = self.left.checked_sub(1)?;
        self.word = self.word.checked_add(take_varint(&mut self.bytes)?)?;
        let mask = take(&mut self.bytes, 1)?[0];
        let mut counts = [0; FIELD_COUNT];
        for (field, count) in counts.iter_mut().enumerate() {
            if mask & 1 << field != 0 {
                *count = if mask & ALL_ONE != 0 { 1 } else { take_varint(&mut self.bytes)? as u16 };
            }
        }
        Some(Entry { word: self.word, counts })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.left as usize))
    }
}
