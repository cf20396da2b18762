//! From the occurrences of an index to mentions of our own symbols.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use protobuf::Message as _;
use rustc_hash::{FxHashMap, FxHashSet};
use scip::types::{Document, Index, Occurrence, PositionEncoding};

use super::{ScipData, ScipFile, Site};
use crate::facts::{Expr, ExprId, Facts, SymbolIdx};

/// Bits of `Occurrence.symbol_roles`.
const DEFINITION: i32 = 1;
const IMPORT: i32 = 2;

/// Larger files are no indexes that anybody means.
const MAX_BYTES: u64 = 4 << 30;

/// A document of whose definitions more than this share (one in so many) stand elsewhere was made of another text.
const STALE_SHARE: usize = 20;

/// Why an index cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScipError {
    /// It cannot be read.
    #[error("cannot read the SCIP index {path}: {source}")]
    Io {
        /// Where.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is none.
    #[error("{path} is not a SCIP index ({what}); make one with scip-python, scip-typescript, rust-analyzer scip, ...")]
    Format {
        /// Where.
        path: PathBuf,
        /// What the reader says.
        what: String,
    },
    /// Nothing in it belongs to this repository.
    #[error("no document of {path} is a file of this repository that is indexed; was it made in another folder?")]
    Foreign {
        /// Where.
        path: PathBuf,
    },
}

/// A file of the project: its path, the hash of its bytes, what it says, and its text when asked for.
pub struct SourceText<'a> {
    /// Repository path.
    pub path: &'a str,
    /// Content hash.
    pub hash: [u8; 32],
    /// Its facts.
    pub facts: &'a Facts,
}

/// What was taken from an index.
#[derive(Debug, Default)]
pub struct Taken {
    /// To be kept.
    pub data: ScipData,
    /// Documents whose files are not part of the project (generated, excluded, of another language).
    pub unknown: usize,
    /// Paths of documents that were made of another text than the file has now.
    pub stale: Vec<String>,
}

/// Reads an index. `root` is the repository's root, `files` its parsed files sorted by path, `text` gives the text of one.
///
/// # Errors
/// See [`ScipError`].
pub fn read(
    index: &Path,
    root: &Path,
    files: &[SourceText<'_>],
    text: impl Fn(&str) -> Option<String>,
) -> Result<Taken, ScipError> {
    let io = |source| ScipError::Io { path: index.to_owned(), source };
    let size = std::fs::metadata(index).map_err(io)?.len();
    if size > MAX_BYTES {
        return Err(ScipError::Format { path: index.to_owned(), what: format!("{size} bytes") });
    }
    let bytes = std::fs::read(index).map_err(io)?;
    let format = |what: String| ScipError::Format { path: index.to_owned(), what };
    let parsed = Index::parse_from_bytes(&bytes).map_err(|e| format(e.to_string()))?;
    if parsed.documents.is_empty() && parsed.metadata.is_none() {
        return Err(format("it holds nothing".into()));
    }
    let prefix = prefix(&parsed.metadata.project_root, root);
    let mut reader =
        Reader { files, known: FxHashMap::default(), defined: FxHashSet::default(), taken: Taken::default() };
    let mut documents = Vec::new();
    for document in &parsed.documents {
        let path = format!("{prefix}{}", document.relative_path.replace('\\', "/"));
        match files.binary_search_by(|f| f.path.cmp(path.as_str())) {
            Ok(at) => {
                let Some(text) = text(&path) else {
                    reader.taken.unknown += 1;
                    continue;
                };
                documents.push((at, document, Lines::of(text)));
            }
            Err(_) => {
                // What it defines is known to the index, though not to us.
                let defined = document.occurrences.iter().filter(|o| o.symbol_roles & DEFINITION != 0);
                reader.defined.extend(defined.map(|o| o.symbol.clone()));
                reader.taken.unknown += 1;
            }
        }
    }
    if documents.is_empty() {
        return Err(ScipError::Foreign { path: index.to_owned() });
    }
    documents.retain(|(at, document, lines)| reader.definitions(*at, document, lines));
    for (at, document, lines) in &documents {
        reader.mentions(*at, document, lines);
    }
    reader.taken.data.files.sort_by(|a, b| a.path.cmp(&b.path));
    reader.taken.stale.sort();
    Ok(reader.taken)
}

/// What stands between the repository's root and the documents' paths: the folder in which the index was made.
fn prefix(project_root: &str, root: &Path) -> String {
    let path = project_root.strip_prefix("file://").unwrap_or(project_root);
    let made_in = std::fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
    let root = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
    match made_in.strip_prefix(&root) {
        Ok(below) if !below.as_os_str().is_empty() => format!("{}/", below.to_string_lossy()),
        _ => String::new(),
    }
}

struct Reader<'a> {
    files: &'a [SourceText<'a>],
    /// Our ids of the index's symbols. Local ones are keyed with their file.
    known: FxHashMap<String, u32>,
    /// Every symbol that the index defines.
    defined: FxHashSet<String>,
    taken: Taken,
}

impl Reader<'_> {
    fn key(&self, at: usize, symbol: &str) -> String {
        if symbol.starts_with("local ") { format!("{at} {symbol}") } else { symbol.to_owned() }
    }

    /// Notes what a document defines; false when it was made of another text.
    fn definitions(&mut self, at: usize, document: &Document, lines: &Lines) -> bool {
        let file = &self.files[at];
        let encoding = document.position_encoding.enum_value_or_default();
        let mut found: Vec<(String, SymbolIdx)> = Vec::new();
        let (mut all, mut elsewhere) = (0, 0);
        for occurrence in document.occurrences.iter().filter(|o| o.symbol_roles & DEFINITION != 0) {
            self.defined.insert(self.key(at, &occurrence.symbol));
            let Some((line, name)) = lines.token(occurrence, encoding) else { continue };
            if !occurrence.symbol.starts_with("local ") {
                all += 1;
                elsewhere += usize::from(!occurrence.symbol.contains(name));
            }
            let here = file
                .facts
                .symbols
                .iter()
                .enumerate()
                .filter(|(_, s)| file.facts.name(s.name) == name && s.start_line <= line && line <= s.end_line);
            if let Some((i, _)) = here.max_by_key(|(_, s)| s.start_line) {
                found.push((self.key(at, &occurrence.symbol), SymbolIdx(i as u32)));
            }
        }
        if elsewhere * STALE_SHARE > all {
            self.taken.stale.push(file.path.to_owned());
            return false;
        }
        for (key, symbol) in found {
            let declared = file.facts.symbol(symbol).flags.is_abstract;
            if declared && self.known.contains_key(&key) {
                continue;
            }
            let id = file.facts.symbol_id(file.path, symbol);
            let targets = &mut self.taken.data.targets;
            let number = targets.len() as u32;
            targets.push(id);
            self.known.insert(key, number);
        }
        true
    }

    /// Takes the mentions of a document that we know a call or another mention at.
    fn mentions(&mut self, at: usize, document: &Document, lines: &Lines) {
        let file = &self.files[at];
        let wanted = wanted(file.facts);
        let encoding = document.position_encoding.enum_value_or_default();
        // Targets by place, places by line and name: a name that stands twice on a line with two meanings says nothing.
        type Places = BTreeMap<Vec<i32>, Vec<Option<u32>>>;
        let mut sites: BTreeMap<(u32, &str), Places> = BTreeMap::new();
        for occurrence in document.occurrences.iter().filter(|o| o.symbol_roles & (DEFINITION | IMPORT) == 0) {
            let Some((line, name)) = lines.token(occurrence, encoding) else { continue };
            if !wanted.contains(&(line, name)) {
                continue;
            }
            let key = self.key(at, &occurrence.symbol);
            let target = match self.known.get(&key) {
                Some(&number) => Some(number),
                // A parameter, a local variable: what it holds is not said.
                None if self.defined.contains(&key) || occurrence.symbol.starts_with("local ") => continue,
                None => None,
            };
            let places = sites.entry((line, name)).or_default();
            places.entry(occurrence.range.clone()).or_default().push(target);
        }
        let mut out = Vec::new();
        for ((line, name), mut places) in sites {
            for targets in places.values_mut() {
                targets.sort_unstable();
                targets.dedup();
            }
            let mut all = places.into_values();
            let Some(first) = all.next() else { continue };
            if all.any(|other| other != first) {
                continue;
            }
            let targets: Vec<u32> = first.iter().copied().flatten().collect();
            out.push(Site { line, name: name.into(), targets });
        }
        self.taken.data.files.push(ScipFile { path: file.path.to_owned(), hash: file.hash, sites: out });
    }
}

/// Lines and names of the calls and other mentions of a file.
fn wanted(facts: &Facts) -> FxHashSet<(u32, &str)> {
    let calls = facts.calls.iter().map(|c| (c.callee, c.line));
    let mentions = facts.refs.iter().map(|r| (r.expr, r.line));
    calls.chain(mentions).filter_map(|(expr, line)| Some((line, last_name(facts, expr)?))).collect()
}

/// The name that stands last in what is called or mentioned.
pub(crate) fn last_name(facts: &Facts, mut expr: ExprId) -> Option<&str> {
    for _ in 0..32 {
        match facts.expr(expr) {
            Expr::Name(name) | Expr::Attr(_, name) => return Some(facts.name(*name)),
            Expr::Generic(inner, _) => expr = *inner,
            _ => return None,
        }
    }
    None
}

/// A text by lines, with places counted as an index counts them.
struct Lines {
    text: String,
    starts: Vec<usize>,
}

impl Lines {
    fn of(text: String) -> Lines {
        let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| i + 1);
        let starts = std::iter::once(0).chain(breaks).collect();
        Lines { text, starts }
    }

    /// The line (1-based) and the text of an occurrence on one line.
    fn token(&self, occurrence: &Occurrence, encoding: PositionEncoding) -> Option<(u32, &str)> {
        let (line, from, to) = match occurrence.range[..] {
            [line, from, to] => (line, from, to),
            [line, from, last, to] if line == last => (line, from, to),
            _ => return None,
        };
        let start = *self.starts.get(usize::try_from(line).ok()?)?;
        let end = self.starts.get(line as usize + 1).copied().unwrap_or(self.text.len());
        let text = self.text.get(start..end)?;
        let (from, to) = (usize::try_from(from).ok()?, usize::try_from(to).ok()?);
        let (from, to) = match encoding {
            _ if text.is_ascii() => (from, to),
            PositionEncoding::UTF8CodeUnitOffsetFromLineStart => (from, to),
            PositionEncoding::UTF32CodeUnitOffsetFromLineStart => (bytes(text, from, |_| 1)?, bytes(text, to, |_| 1)?),
            _ => (bytes(text, from, char::len_utf16)?, bytes(text, to, char::len_utf16)?),
        };
        // Rust's raw identifiers and the like are taken as they stand.
        let name = text.get(from..to).filter(|name| !name.is_empty())?;
        Some((line as u32 + 1, name))
    }
}

/// The byte at which so many units of a line have gone by.
fn bytes(text: &str, units: usize, unit: fn(char) -> usize) -> Option<usize> {
    let mut seen = 0;
    for (at, c) in text.char_indices() {
        if seen >= units {
            return Some(at);
        }
        seen += unit(c);
    }
    (seen >= units).then_some(text.len())
}
