//! Reading the index: a memory map, binary searches, and iterators over postings.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use super::SearchError;
use super::build::{ALL_ONES, FILE_GENERATED, FILE_TEST, KIND_LINES, UNIT_EXPORTED, UNIT_TEST};
use super::format::*;
use crate::facts::SymbolKind;

enum Bytes {
    Map(memmap2::Mmap),
    Owned(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Map(map) => map,
            Bytes::Owned(bytes) => bytes,
        }
    }
}

/// An open index.
pub struct Index {
    bytes: Bytes,
    header: Header,
}

/// A file of the index.
#[derive(Clone, Copy, Debug)]
pub struct FileView<'a> {
    /// Path from the root.
    pub path: &'a str,
    /// Lower-case language; empty when not known.
    pub language: &'a str,
    /// Holds tests.
    pub is_test: bool,
    /// Made by a tool.
    pub generated: bool,
    /// Its first unit; the next file's first unit ends them.
    pub first_unit: u32,
    /// Number of words by field.
    pub lengths: [u32; FIELDS],
}

/// A unit of the index.
#[derive(Clone, Copy, Debug)]
pub struct UnitView<'a> {
    /// Its file.
    pub file: u32,
    /// Qualified name with `#2` for what repeats; empty for a stretch of lines.
    pub qualname: &'a str,
    /// What kind of symbol; `None` for a stretch of lines.
    pub kind: Option<SymbolKind>,
    /// The unit that holds it.
    pub parent: Option<u32>,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// A test.
    pub is_test: bool,
    /// Visible outside its file.
    pub exported: bool,
    /// Number of calls that it makes itself, at most 255.
    pub calls: u8,
    /// Number of words by field.
    pub lengths: [u32; FIELDS],
}

/// A commit of the index.
#[derive(Clone, Debug)]
pub struct CommitView {
    /// Seconds since the Unix epoch.
    pub at: i64,
    /// First eight bytes of its hash, big-endian.
    pub short_hash: u64,
    /// Files that it touched, ascending; empty when it touched more than 50.
    pub files: Vec<u32>,
}

/// A word in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitPosting {
    /// The unit.
    pub unit: u32,
    /// Counts by field, at most 255 each.
    pub counts: [u8; FIELDS],
}

/// A word in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathPosting {
    /// The file.
    pub file: u32,
    /// In the file's own name, not only in a folder's.
    pub in_name: bool,
}

/// Everything the index knows of one word.
#[derive(Clone, Debug, Default)]
pub struct Postings<'a> {
    /// Number of units that hold it.
    pub unit_count: u32,
    /// Number of files that hold it (paths not counted).
    pub file_count: u32,
    /// Files with it in their path, ascending.
    pub paths: Vec<PathPosting>,
    /// Commits with it in their message, ascending.
    pub commits: Vec<u32>,
    units: &'a [u8],
}

impl<'a> Postings<'a> {
    /// Units that hold it, ascending (so those of one file stand together).
    pub fn units(&self) -> impl Iterator<Item = UnitPosting> + use<'a> {
        let mut rest = self.units;
        let mut left = self.unit_count;
        let mut unit = 0u32;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            left -= 1;
            unit = unit.checked_add(take_varint(&mut rest)?)?;
            let (&mask, after) = rest.split_first()?;
            rest = after;
            let mut counts = [0u8; FIELDS];
            for (field, count) in counts.iter_mut().enumerate() {
                if mask & (1 << field) != 0 {
                    *count = if mask & ALL_ONES != 0 {
                        1
                    } else {
                        let (&n, after) = rest.split_first()?;
                        rest = after;
                        n
                    };
                }
            }
            Some(UnitPosting { unit, counts })
        })
    }
}

impl Index {
    /// Opens an index. A missing or damaged one is an error that says so: rebuild it.
    pub fn open(path: &Path) -> Result<Index, SearchError> {
        let io = |what| move |source| SearchError::Io { path: path.to_path_buf(), what, source };
        let file = match File::open(path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                return Err(SearchError::Missing { path: path.to_path_buf() });
            }
            Err(e) => return Err(io("open")(e)),
        };
        if file.metadata().map_err(io("stat"))?.len() < HEADER as u64 {
            return Err(SearchError::Unusable { path: path.to_path_buf(), reason: "cut short" });
        }
        // SAFETY: the file is written beside and renamed in, never changed in place by Portolan.
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(io("map"))?;
        let header =
            Header::decode(&map).map_err(|reason| SearchError::Unusable { path: path.to_path_buf(), reason })?;
        Ok(Index { bytes: Bytes::Map(map), header })
    }

    /// An index that is in memory already.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Index, SearchError> {
        let header =
            Header::decode(&bytes).map_err(|reason| SearchError::Unusable { path: "<memory>".into(), reason })?;
        Ok(Index { bytes: Bytes::Owned(bytes), header })
    }

    /// The number that its builder gave it.
    pub fn generation(&self) -> u64 {
        self.header.generation
    }

    /// Mean lengths of units by field.
    pub fn unit_means(&self) -> [f64; FIELDS] {
        self.header.unit_means
    }

    /// Mean lengths of files by field.
    pub fn file_means(&self) -> [f64; FIELDS] {
        self.header.file_means
    }

    /// Mean number of words of a path.
    pub fn path_mean(&self) -> f64 {
        self.header.path_mean
    }

    fn section(&self, section: Section) -> &[u8] {
        let (offset, length) = self.header.sections[section as usize];
        &self.bytes[offset as usize..(offset + length) as usize]
    }

    /// Number of files.
    pub fn file_count(&self) -> u32 {
        (self.section(Section::Files).len() / FILE_RECORD) as u32
    }

    /// Number of units.
    pub fn unit_count(&self) -> u32 {
        (self.section(Section::Units).len() / UNIT_RECORD) as u32
    }

    /// Number of commits.
    pub fn commit_count(&self) -> u32 {
        (self.section(Section::Commits).len() / COMMIT_RECORD) as u32
    }

    fn string(&self, offset: u32, length: u32) -> &str {
        let strings = self.section(Section::Strings);
        let end = (offset as usize).saturating_add(length as usize);
        strings.get(offset as usize..end).and_then(|s| std::str::from_utf8(s).ok()).unwrap_or("")
    }

    /// A file by number.
    pub fn file(&self, no: u32) -> Option<FileView<'_>> {
        let at = no as usize * FILE_RECORD;
        let record = self.section(Section::Files).get(at..at + FILE_RECORD)?;
        let field = |i: usize| u32_at(record, i * 4).unwrap_or(0);
        let mut lengths = [0; FIELDS];
        for (i, length) in lengths.iter_mut().enumerate() {
            *length = field(6 + i);
        }
        Some(FileView {
            path: self.string(field(0), field(1)),
            language: self.string(field(3), field(4)),
            is_test: field(5) & FILE_TEST != 0,
            generated: field(5) & FILE_GENERATED != 0,
            first_unit: field(2),
            lengths,
        })
    }

    /// Number of words of a file by field.
    pub fn file_lengths(&self, no: u32) -> Option<[u32; FIELDS]> {
        let at = no as usize * FILE_RECORD;
        let record = self.section(Section::Files).get(at..at + FILE_RECORD)?;
        let mut lengths = [0; FIELDS];
        for (i, length) in lengths.iter_mut().enumerate() {
            *length = u32_at(record, (6 + i) * 4)?;
        }
        Some(lengths)
    }

    /// File of a unit and its number of words by field: the part of [`Index::unit`] that scoring needs.
    pub fn unit_lengths(&self, no: u32) -> Option<(u32, [u16; FIELDS])> {
        let at = no as usize * UNIT_RECORD;
        let record = self.section(Section::Units).get(at..at + UNIT_RECORD)?;
        let mut lengths = [0; FIELDS];
        for (i, length) in lengths.iter_mut().enumerate() {
            *length = u16_at(record, 28 + i * 2)?;
        }
        Some((u32_at(record, 0)?, lengths))
    }

    /// The units of a file.
    pub fn units_of(&self, file: u32) -> std::ops::Range<u32> {
        let first = |no: u32| self.file(no).map_or(self.unit_count(), |f| f.first_unit);
        let start = first(file);
        start..first(file.saturating_add(1)).max(start)
    }

    /// A unit by number.
    pub fn unit(&self, no: u32) -> Option<UnitView<'_>> {
        let at = no as usize * UNIT_RECORD;
        let record = self.section(Section::Units).get(at..at + UNIT_RECORD)?;
        let field = |i: usize| u32_at(record, i * 4).unwrap_or(0);
        let (kind, flags) = (record[24], record[25]);
        let mut lengths = [0; FIELDS];
        for (i, length) in lengths.iter_mut().enumerate() {
            *length = u16_at(record, 28 + i * 2).map_or(0, u32::from);
        }
        Some(UnitView {
            file: field(0),
            qualname: self.string(field(1), field(2)),
            kind: kind_of(kind),
            parent: Some(field(3)).filter(|&p| p != u32::MAX),
            start_line: field(4),
            end_line: field(5),
            is_test: flags & UNIT_TEST != 0,
            exported: flags & UNIT_EXPORTED != 0,
            calls: record[26],
            lengths,
        })
    }

    /// A commit by number.
    pub fn commit(&self, no: u32) -> Option<CommitView> {
        let at = no as usize * COMMIT_RECORD;
        let record = self.section(Section::Commits).get(at..at + COMMIT_RECORD)?;
        let start = u32_at(record, 16)? as usize;
        let count = u32_at(record, 20)?.min(self.file_count());
        let mut rest = self.section(Section::Touched).get(start..)?;
        let mut files = Vec::with_capacity(count as usize);
        let mut file = 0u32;
        for _ in 0..count {
            file = file.checked_add(take_varint(&mut rest)?)?;
            files.push(file);
        }
        Some(CommitView { at: u64_at(record, 0)? as i64, short_hash: u64_at(record, 8)?, files })
    }

    /// What the index knows of a word (lower-cased, as [`crate::terms::query_words`] gives it).
    pub fn lookup(&self, word: &str) -> Option<Postings<'_>> {
        let table = self.section(Section::Terms);
        let all = self.section(Section::Words);
        let count = (table.len() / 8).checked_sub(1)?;
        let bounds =
            |i: usize| -> Option<&[u8]> { all.get(u32_at(table, i * 8)? as usize..u32_at(table, i * 8 + 8)? as usize) };
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            if bounds(middle)? < word.as_bytes() {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if low >= count || bounds(low)? != word.as_bytes() {
            return None;
        }
        let start = u32_at(table, low * 8 + 4)? as usize;
        let end = u32_at(table, low * 8 + 12)? as usize;
        self.postings(self.section(Section::Postings).get(start..end)?)
    }

    fn postings<'a>(&'a self, mut rest: &'a [u8]) -> Option<Postings<'a>> {
        let path_count = take_varint(&mut rest)?;
        let commit_count = take_varint(&mut rest)?;
        let unit_count = take_varint(&mut rest)?;
        let file_count = take_varint(&mut rest)?;
        let mut paths = Vec::with_capacity(path_count.min(self.file_count()) as usize);
        let mut file = 0u32;
        for _ in 0..path_count {
            let value = take_varint(&mut rest)?;
            file = file.checked_add(value >> 1)?;
            paths.push(PathPosting { file, in_name: value & 1 != 0 });
        }
        let mut commits = Vec::with_capacity(commit_count.min(self.commit_count()) as usize);
        let mut commit = 0u32;
        for _ in 0..commit_count {
            commit = commit.checked_add(take_varint(&mut rest)?)?;
            commits.push(commit);
        }
        Some(Postings { unit_count, file_count, paths, commits, units: rest })
    }

    fn keyed(&self, section: Section, key: u32) -> impl Iterator<Item = u32> + '_ {
        let table = self.section(section);
        let count = table.len() / 8;
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            if u32_at(table, middle * 8).unwrap_or(u32::MAX) < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low..count).map_while(move |i| (u32_at(table, i * 8)? == key).then(|| u32_at(table, i * 8 + 4)).flatten())
    }

    /// Symbols whose own (last) name is `name`, letter case aside, ascending.
    pub fn symbols_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (u32, UnitView<'a>)> + 'a {
        let wanted = fold(name);
        self.keyed(Section::Names, name_key(name)).filter_map(move |unit| {
            let view = self.unit(unit)?;
            (fold(last_name(view.qualname)) == wanted).then_some((unit, view))
        })
    }

    /// Files of this name (without folders), letter case aside, ascending.
    pub fn files_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (u32, FileView<'a>)> + 'a {
        let wanted = fold(name);
        self.keyed(Section::FileNames, name_key(name)).filter_map(move |no| {
            let view = self.file(no)?;
            (fold(view.path.rsplit('/').next().unwrap_or("")) == wanted).then_some((no, view))
        })
    }

    /// The innermost symbol of a file at a line.
    pub fn unit_at(&self, file: u32, line: u32) -> Option<u32> {
        let mut best: Option<(u32, u32)> = None;
        for no in self.units_of(file) {
            let unit = self.unit(no)?;
            let span = unit.end_line.saturating_sub(unit.start_line);
            if unit.start_line <= line && line <= unit.end_line && best.is_none_or(|(s, _)| span <= s) {
                best = Some((span, no));
            }
        }
        best.map(|(_, no)| no)
    }
}

/// The last part of a qualified name, without the ordinal.
pub fn last_name(qualname: &str) -> &str {
    let name = match qualname.rsplit_once('#') {
        Some((name, ordinal)) if !ordinal.is_empty() && ordinal.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => qualname,
    };
    name.rsplit('.').next().unwrap_or(name)
}

fn fold(name: &str) -> Cow<'_, str> {
    if name.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase()) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.to_lowercase())
    }
}

fn kind_of(byte: u8) -> Option<SymbolKind> {
    use SymbolKind::*;
    const KINDS: [SymbolKind; 16] = [
        Module, Namespace, Class, Interface, Trait, Struct, Enum, EnumMember, TypeAlias, Function, Method, Property,
        Constant, Variable, Macro, Field,
    ];
    if byte == KIND_LINES { None } else { KINDS.get(byte as usize).copied() }
}
