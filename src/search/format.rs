//! The bytes of the index file: header, section table, variable-length integers.
//!
//! All integers are little-endian. The header is fixed and carries its own checksum; a reader
//! checks every offset it follows against its section, so damage further in yields fewer
//! results, never a panic.

use xxhash_rust::xxh3::xxh3_64;

/// First bytes of the file.
pub const MAGIC: [u8; 8] = *b"PTLNSRCH";
/// Changes with every change of the format, and with what the words of a text are.
pub const VERSION: u32 = 2;

/// Sections in file order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// [`FILE_RECORD`] bytes a file.
    Files,
    /// [`UNIT_RECORD`] bytes a unit.
    Units,
    /// [`COMMIT_RECORD`] bytes a commit.
    Commits,
    /// Paths, languages, ids of symbols.
    Strings,
    /// (offset of the word, offset of its postings), sorted by word, one more at the end.
    Terms,
    /// Words, one after the other.
    Words,
    /// Postings.
    Postings,
    /// (hash of the lower-cased name, unit), sorted.
    Names,
    /// (hash of the lower-cased file name, file), sorted.
    FileNames,
    /// Files that a commit touched.
    Touched,
}

/// Number of sections.
pub const SECTIONS: usize = 10;
/// path offset, path length, first unit, language offset, language length, flags, five lengths.
pub const FILE_RECORD: usize = 4 * 11;
/// file, id offset, id length, parent unit, first line, last line, kind and flags, five lengths of two bytes.
pub const UNIT_RECORD: usize = 4 * 7 + 10 + 2;
/// time, short hash, offset of the files, their number.
pub const COMMIT_RECORD: usize = 8 + 8 + 4 + 4;
/// Fields of a unit (those of [`crate::terms::Field`]).
pub const FIELDS: usize = crate::terms::FIELD_COUNT;

const FIXED: usize = 8 + 4 + 4 + 8;
/// Magic, version, reserved, generation, sections, average lengths by unit field, average path length, checksum.
pub const HEADER: usize = FIXED + SECTIONS * 16 + (FIELDS + FIELDS + 1) * 8 + 8;

/// What the header says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// Given by whoever built it; tells whether it belongs to the graph beside it.
    pub generation: u64,
    /// (offset, length) by section.
    pub sections: [(u64, u64); SECTIONS],
    /// Mean length of a unit by field, in words, over the units that have the field at all.
    pub unit_means: [f64; FIELDS],
    /// Mean length of a file by field.
    pub file_means: [f64; FIELDS],
    /// Mean number of words of a path.
    pub path_mean: f64,
}

impl Header {
    /// Its bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEADER);
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&0u32.to_le_bytes());
        out.extend_from_slice(&self.generation.to_le_bytes());
        for (offset, length) in self.sections {
            out.extend_from_slice(&offset.to_le_bytes());
            out.extend_from_slice(&length.to_le_bytes());
        }
        let means = self.unit_means.iter().chain(&self.file_means).chain(std::iter::once(&self.path_mean));
        for mean in means {
            out.extend_from_slice(&mean.to_le_bytes());
        }
        out.extend_from_slice(&xxh3_64(&out).to_le_bytes());
        out
    }

    /// Reads it back; the error says what is wrong.
    pub fn decode(bytes: &[u8]) -> Result<Header, &'static str> {
        let head = bytes.get(..HEADER).ok_or("cut short")?;
        if head[..8] != MAGIC {
            return Err("not a search index");
        }
        if u32_at(head, 8) != Some(VERSION) {
            return Err("another version");
        }
        let (body, sum) = head.split_at(HEADER - 8);
        if u64_at(sum, 0) != Some(xxh3_64(body)) {
            return Err("damaged header");
        }
        let mut header = Header { generation: u64_at(head, 16).unwrap_or(0), ..Header::default() };
        let mut at = FIXED;
        let mut next = || {
            let value = u64_at(head, at).unwrap_or(0);
            at += 8;
            value
        };
        for section in &mut header.sections {
            *section = (next(), next());
        }
        for mean in header.unit_means.iter_mut().chain(&mut header.file_means) {
            *mean = f64::from_bits(next());
        }
        header.path_mean = f64::from_bits(next());
        for (offset, length) in header.sections {
            if offset.checked_add(length).is_none_or(|end| end > bytes.len() as u64) {
                return Err("cut short");
            }
        }
        Ok(header)
    }
}

/// The `u16` at a byte offset.
pub fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

/// The `u32` at a byte offset.
pub fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// The `u64` at a byte offset.
pub fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

/// Appends a variable-length integer (seven bits a byte, low bits first).
pub fn put_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Takes a variable-length integer off the front.
pub fn take_varint(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0u32;
    for shift in [0, 7, 14, 21, 28] {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// The key of a name in the name tables: a hash of its lower-cased text.
pub fn name_key(name: &str) -> u32 {
    if name.bytes().any(|b| b.is_ascii_uppercase()) || !name.is_ascii() {
        xxh3_64(name.to_lowercase().as_bytes()) as u32
    } else {
        xxh3_64(name.as_bytes()) as u32
    }
}
