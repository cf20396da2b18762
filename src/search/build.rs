//! Writing the index: one counting sort over all (word, unit) pairs.

use std::ops::Range;
use std::path::Path;

use rustc_hash::FxHashMap;

use super::SearchError;
use super::format::*;
use super::interner::Interner;
use crate::atomic;
use crate::facts::{Facts, SymbolIdx, SymbolKind};
use crate::terms::{EncodedTerms, WordReader};

/// Longest path or symbol id kept, in bytes.
const MAX_STRING: usize = 4096;
/// A commit that touched more of today's files than this says nothing about any of them.
const MAX_TOUCHED: usize = 50;
/// Bytes of a commit message's body that are read.
const MAX_BODY: usize = 400;

/// One file as the index takes it.
pub struct FileDoc<'a> {
    /// Path from the root, forward slashes.
    pub path: &'a str,
    /// Lower-case name; empty when the language is not known.
    pub language: &'a str,
    /// Holds tests.
    pub is_test: bool,
    /// Made by a tool.
    pub generated: bool,
    /// Its symbols; `None` for a file in no known language, whose units are stretches of lines.
    pub facts: Option<&'a Facts>,
    /// Its words.
    pub terms: EncodedTerms<'a>,
}

/// One commit as the index takes it.
pub struct CommitDoc<'a> {
    /// Seconds since the Unix epoch.
    pub at: i64,
    /// The first eight bytes of its hash, big-endian: enough to name it.
    pub short_hash: u64,
    /// First line of the message.
    pub subject: &'a str,
    /// The rest of it.
    pub body: &'a str,
    /// Files of today that it touched: indices into the list of [`FileDoc`]s.
    pub files: &'a [u32],
}

#[derive(Clone, Copy, Default)]
struct Entry {
    unit: u32,
    counts: [u8; FIELDS],
}

struct Builder {
    interner: Interner,
    terms: Vec<u32>,
    entries: Vec<Entry>,
    strings: Vec<u8>,
    units: Vec<UnitDraft>,
    file: u32,
    first_unit: u32,
    symbols: u32,
    ids: Vec<u32>,
}

struct UnitDraft {
    file: u32,
    id: (u32, u32),
    parent: u32,
    start_line: u32,
    end_line: u32,
    kind: u8,
    flags: u8,
    calls: u8,
    lengths: [u32; FIELDS],
}

impl Builder {
    fn string(&mut self, text: &str) -> (u32, u32) {
        let text = crate::extract::clip(text, MAX_STRING);
        let at = self.strings.len() as u32;
        self.strings.extend_from_slice(text.as_bytes());
        (at, text.len() as u32)
    }
}

impl Builder {
    /// Takes the words of the current file. Each distinct word is looked up once a file.
    fn feed(&mut self, terms: &EncodedTerms<'_>) {
        self.ids.clear();
        for word in terms.words() {
            let id = self.interner.id(word);
            self.ids.push(id);
        }
        for unit in terms.units() {
            let no = if unit.symbol < self.symbols {
                self.first_unit + unit.symbol
            } else {
                self.units.push(UnitDraft {
                    file: self.file,
                    id: (0, 0),
                    parent: u32::MAX,
                    start_line: unit.start_line,
                    end_line: unit.end_line,
                    kind: KIND_LINES,
                    flags: 0,
                    calls: 0,
                    lengths: [0; FIELDS],
                });
                self.units.len() as u32 - 1
            };
            for entry in unit.entries {
                let Some(&term) = self.ids.get(entry.word as usize) else { break };
                let lengths = &mut self.units[no as usize].lengths;
                let mut counts = [0u8; FIELDS];
                for field in 0..FIELDS {
                    lengths[field] += u32::from(entry.counts[field]);
                    counts[field] = entry.counts[field].min(255) as u8;
                }
                self.terms.push(term);
                self.entries.push(Entry { unit: no, counts });
            }
        }
    }
}

/// Kind of a unit that is a stretch of lines.
pub(super) const KIND_LINES: u8 = 0xff;
/// Flag of a unit: a test.
pub(super) const UNIT_TEST: u8 = 1;
/// Flag of a unit: visible outside its file.
pub(super) const UNIT_EXPORTED: u8 = 2;
/// Flag of a file: holds tests.
pub(super) const FILE_TEST: u32 = 1;
/// Flag of a file: made by a tool.
pub(super) const FILE_GENERATED: u32 = 2;

/// Writes the index to `out`; the file is replaced in one step.
pub fn build(out: &Path, generation: u64, files: &[FileDoc<'_>], commits: &[CommitDoc<'_>]) -> Result<(), SearchError> {
    let too_large = |what| SearchError::TooLarge { path: out.to_path_buf(), what };
    let bytes = to_bytes(generation, files, commits).map_err(too_large)?;
    // Not synced: it is a cache, and its header tells a torn one.
    atomic::write(out, &bytes).map_err(|source| SearchError::Io { path: out.to_path_buf(), what: "write", source })
}

/// The bytes of an index; the error names what there is too much of.
pub fn to_bytes(generation: u64, files: &[FileDoc<'_>], commits: &[CommitDoc<'_>]) -> Result<Vec<u8>, &'static str> {
    let mut b = Builder {
        interner: Interner::new(),
        terms: Vec::new(),
        entries: Vec::new(),
        strings: Vec::new(),
        units: Vec::new(),
        file: 0,
        first_unit: 0,
        symbols: 0,
        ids: Vec::new(),
    };
    let mut file_records = Vec::with_capacity(files.len() * FILE_RECORD);
    let mut names: Vec<(u32, u32)> = Vec::new();
    let mut file_names: Vec<(u32, u32)> = Vec::new();
    let mut path_pairs: Vec<(u32, u32, u32)> = Vec::new();
    let mut path_words = 0u64;
    let mut file_sums = [0u64; FIELDS];
    let mut file_counts = [0u64; FIELDS];
    for (no, doc) in files.iter().enumerate() {
        let no = no as u32;
        b.file = no;
        b.first_unit = b.units.len() as u32;
        b.symbols = 0;
        let path = b.string(doc.path);
        let language = b.string(doc.language);
        if let Some(facts) = doc.facts {
            add_symbols(&mut b, facts, &mut names);
        }
        b.feed(&doc.terms);
        let base = doc.path.rsplit('/').next().unwrap_or(doc.path);
        file_names.push((name_key(base), no));
        let stem_at = doc.path.len() - base.len();
        path_words += path_terms(&mut b.interner, no, &doc.path[..stem_at], base, &mut path_pairs);
        let mut lengths = [0u32; FIELDS];
        for unit in &b.units[b.first_unit as usize..] {
            for (sum, n) in lengths.iter_mut().zip(unit.lengths) {
                *sum += n;
            }
        }
        for field in 0..FIELDS {
            file_sums[field] += u64::from(lengths[field]);
            file_counts[field] += u64::from(lengths[field] > 0);
        }
        let flags = if doc.is_test { FILE_TEST } else { 0 } | if doc.generated { FILE_GENERATED } else { 0 };
        for value in [path.0, path.1, b.first_unit, language.0, language.1, flags].into_iter().chain(lengths) {
            file_records.extend_from_slice(&value.to_le_bytes());
        }
        if b.strings.len() > u32::MAX as usize / 2 || b.entries.len() > u32::MAX as usize / 2 {
            return Err("words");
        }
    }

    let mut commit_pairs: Vec<(u32, u32)> = Vec::new();
    let mut commit_records = Vec::new();
    let mut touched = Vec::new();
    let mut seen: Vec<u32> = Vec::new();
    let mut reader = WordReader::default();
    let mut known: FxHashMap<Box<str>, Range<usize>> = FxHashMap::default();
    let mut token_words: Vec<u32> = Vec::new();
    for (no, commit) in commits.iter().enumerate() {
        let no = no as u32;
        let at = touched.len() as u32;
        let mut list: Vec<u32> = commit.files.iter().copied().filter(|&f| (f as usize) < files.len()).collect();
        list.sort_unstable();
        list.dedup();
        if list.len() > MAX_TOUCHED {
            list.clear();
        }
        let mut last = 0;
        for &file in &list {
            put_varint(&mut touched, file - last);
            last = file;
        }
        commit_records.extend_from_slice(&commit.at.to_le_bytes());
        commit_records.extend_from_slice(&commit.short_hash.to_le_bytes());
        commit_records.extend_from_slice(&at.to_le_bytes());
        commit_records.extend_from_slice(&(list.len() as u32).to_le_bytes());
        if list.is_empty() {
            continue;
        }
        seen.clear();
        for text in [commit.subject, crate::extract::clip(commit.body, MAX_BODY)] {
            WordReader::tokens(text, |token| {
                // Messages repeat their tokens: each is split and stemmed once.
                let range = match known.get(token) {
                    Some(range) => range.clone(),
                    None => {
                        let from = token_words.len();
                        reader.read(token, |word| token_words.push(b.interner.id(word)));
                        known.insert(token.into(), from..token_words.len());
                        from..token_words.len()
                    }
                };
                seen.extend_from_slice(&token_words[range]);
            });
        }
        seen.sort_unstable();
        seen.dedup();
        commit_pairs.extend(seen.iter().map(|&t| (t, no)));
    }

    let order = b.interner.sorted();
    let (starts, sorted) = counting_sort(b.interner.len(), &b.terms, &b.entries);
    path_pairs.sort_unstable();
    // Both lists are read by word below.
    let path_starts = starts_of(b.interner.len(), path_pairs.iter().map(|p| p.0));
    commit_pairs.sort_unstable();
    let commit_starts = starts_of(b.interner.len(), commit_pairs.iter().map(|p| p.0));

    let mut term_table = Vec::with_capacity((order.len() + 1) * 8);
    let mut word_bytes = Vec::new();
    let mut postings = Vec::with_capacity(sorted.len() * 3);
    let mut run = Vec::new();
    for &id in &order {
        term_table.extend_from_slice(&(word_bytes.len() as u32).to_le_bytes());
        term_table.extend_from_slice(&(postings.len() as u32).to_le_bytes());
        word_bytes.extend_from_slice(b.interner.get(id));
        let id = id as usize;
        run.clear();
        run.extend_from_slice(&sorted[starts[id] as usize..starts[id + 1] as usize]);
        let paths = &path_pairs[path_starts[id] as usize..path_starts[id + 1] as usize];
        let of_commits = &commit_pairs[commit_starts[id] as usize..commit_starts[id + 1] as usize];
        put_postings(&mut postings, &mut run, &b.units, paths, of_commits);
        if postings.len() > u32::MAX as usize / 2 {
            return Err("postings");
        }
    }
    term_table.extend_from_slice(&(word_bytes.len() as u32).to_le_bytes());
    term_table.extend_from_slice(&(postings.len() as u32).to_le_bytes());

    let mut header = Header { generation, ..Header::default() };
    let mut unit_counts = [0u64; FIELDS];
    let mut unit_sums = [0u64; FIELDS];
    let mut unit_records = Vec::with_capacity(b.units.len() * UNIT_RECORD);
    for unit in &b.units {
        for field in 0..FIELDS {
            unit_sums[field] += u64::from(unit.lengths[field]);
            unit_counts[field] += u64::from(unit.lengths[field] > 0);
        }
        put_unit(&mut unit_records, unit);
    }
    for field in 0..FIELDS {
        header.unit_means[field] = mean(unit_sums[field], unit_counts[field]);
        header.file_means[field] = mean(file_sums[field], file_counts[field]);
    }
    header.path_mean = mean(path_words, files.len() as u64);

    let names = table(names);
    let file_names = table(file_names);
    let sections: [&[u8]; SECTIONS] = [
        &file_records,
        &unit_records,
        &commit_records,
        &b.strings,
        &term_table,
        &word_bytes,
        &postings,
        &names,
        &file_names,
        &touched,
    ];
    let mut offset = HEADER as u64;
    for (slot, section) in header.sections.iter_mut().zip(sections) {
        *slot = (offset, section.len() as u64);
        offset += section.len() as u64;
    }
    let mut out = header.encode();
    out.reserve_exact(offset as usize - HEADER);
    for section in sections {
        out.extend_from_slice(section);
    }
    Ok(out)
}

fn mean(sum: u64, count: u64) -> f64 {
    if count == 0 { 1.0 } else { sum as f64 / count as f64 }
}

fn add_symbols(b: &mut Builder, facts: &Facts, names: &mut Vec<(u32, u32)>) {
    b.symbols = facts.symbols.len() as u32;
    for (i, symbol) in facts.symbols.iter().enumerate() {
        let id = facts.symbol_id("", SymbolIdx(i as u32));
        let id = b.string(&id[2..]);
        let unit = b.units.len() as u32;
        // A field is a place within other code: neither its name nor its line leads to it.
        let field = symbol.kind == SymbolKind::Field;
        if i > 0 && !field {
            names.push((name_key(facts.name(symbol.name)), unit));
        }
        b.units.push(UnitDraft {
            file: b.file,
            id,
            parent: symbol.parent.map_or(u32::MAX, |p| b.first_unit + p.0),
            start_line: if field { 0 } else { symbol.start_line },
            end_line: if field { 0 } else { symbol.end_line },
            kind: symbol.kind as u8,
            flags: if symbol.flags.is_test { UNIT_TEST } else { 0 }
                | if symbol.flags.exported { UNIT_EXPORTED } else { 0 },
            calls: 0,
            lengths: [0; FIELDS],
        });
    }
    for call in &facts.calls {
        if let Some(unit) = b.units.get_mut((b.first_unit + call.caller.0) as usize) {
            unit.calls = unit.calls.saturating_add(1);
        }
    }
}

/// Words of the folders (count 1) and of the file's own name (count 2): returns how many there are.
fn path_terms(interner: &mut Interner, file: u32, folders: &str, name: &str, out: &mut Vec<(u32, u32, u32)>) -> u64 {
    let mut list: Vec<(u32, u32)> = Vec::new();
    let mut reader = WordReader::default();
    reader.read(folders, |w| list.push((interner.id(w), 1)));
    // The extension is in every path and says nothing.
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
    reader.read(stem, |w| list.push((interner.id(w), 2)));
    let count = list.len() as u64;
    list.sort_unstable();
    list.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            first.1 = first.1.max(later.1);
        }
        same
    });
    out.extend(list.into_iter().map(|(term, weight)| (term, file, weight)));
    count
}

fn counting_sort(terms: usize, keys: &[u32], entries: &[Entry]) -> (Vec<u32>, Vec<Entry>) {
    let starts = starts_of(terms, keys.iter().copied());
    let mut next = starts.clone();
    let mut sorted = vec![Entry::default(); entries.len()];
    for (&key, &entry) in keys.iter().zip(entries) {
        let slot = &mut next[key as usize];
        sorted[*slot as usize] = entry;
        *slot += 1;
    }
    (starts, sorted)
}

/// Where each word's run starts, and one more for the end of the last.
fn starts_of(terms: usize, keys: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0u32; terms + 1];
    for key in keys {
        starts[key as usize + 1] += 1;
    }
    for i in 0..terms {
        starts[i + 1] += starts[i];
    }
    starts
}

/// Postings of one word: numbers of paths, commits, units and files, then the lists.
fn put_postings(
    out: &mut Vec<u8>,
    run: &mut Vec<Entry>,
    units: &[UnitDraft],
    paths: &[(u32, u32, u32)],
    commits: &[(u32, u32)],
) {
    if !run.is_sorted_by(|a, b| a.unit < b.unit) {
        merge(run);
    }
    let mut file_count = 0;
    let mut last_file = u32::MAX;
    for entry in run.iter() {
        let file = units[entry.unit as usize].file;
        file_count += u32::from(file != last_file);
        last_file = file;
    }
    put_varint(out, paths.len() as u32);
    put_varint(out, commits.len() as u32);
    put_varint(out, run.len() as u32);
    put_varint(out, file_count);
    let mut last = 0;
    for &(_, file, weight) in paths {
        put_varint(out, (file - last) << 1 | (weight - 1));
        last = file;
    }
    last = 0;
    for &(_, commit) in commits {
        put_varint(out, commit - last);
        last = commit;
    }
    last = 0;
    for entry in run.iter() {
        put_varint(out, entry.unit - last);
        last = entry.unit;
        let mut mask = 0u8;
        let mut ones = true;
        for (field, &n) in entry.counts.iter().enumerate() {
            mask |= u8::from(n > 0) << field;
            ones &= n <= 1;
        }
        out.push(mask | if ones { ALL_ONES } else { 0 });
        if !ones {
            out.extend(entry.counts.iter().filter(|&&n| n > 0));
        }
    }
}

/// Bit of a posting's mask: every count that is there is 1, and none follows.
pub(super) const ALL_ONES: u8 = 0x80;

fn merge(run: &mut Vec<Entry>) {
    run.sort_by_key(|e| e.unit);
    run.dedup_by(|later, first| {
        let same = later.unit == first.unit;
        if same {
            for (sum, n) in first.counts.iter_mut().zip(later.counts) {
                *sum = sum.saturating_add(n);
            }
        }
        same
    });
}

fn put_unit(out: &mut Vec<u8>, unit: &UnitDraft) {
    for value in [unit.file, unit.id.0, unit.id.1, unit.parent, unit.start_line, unit.end_line] {
        out.extend_from_slice(&value.to_le_bytes());
    }
    out.extend_from_slice(&[unit.kind, unit.flags, unit.calls, 0]);
    for n in unit.lengths {
        out.extend_from_slice(&(n.min(u32::from(u16::MAX)) as u16).to_le_bytes());
    }
    out.extend_from_slice(&[0, 0]);
}

fn table(mut rows: Vec<(u32, u32)>) -> Vec<u8> {
    rows.sort_unstable();
    let mut out = Vec::with_capacity(rows.len() * 8);
    for (key, value) in rows {
        out.extend_from_slice(&key.to_le_bytes());
        out.extend_from_slice(&value.to_le_bytes());
    }
    out
}
