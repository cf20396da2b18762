//! Where a name or a text stands: symbols by name from the search index, lines by reading the files.
//!
//! The index says which files hold all words of a text; only these are read. A text that is not made of whole words
//! (`malize_ch`) is looked for in every file of the index.

use std::path::Path;

use rayon::prelude::*;
use regex::bytes::{Regex, RegexBuilder};
use serde::Serialize;

use super::AskError;
use crate::repo::Repo;
use crate::search::{Index, UnitView, last_name};
use crate::terms::query_words;

/// Characters of a line that are kept.
const MAX_LINE: usize = 200;
/// Larger files are data.
const MAX_FILE: u64 = 4 * 1024 * 1024;

/// A definition whose name fits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundSymbol {
    /// `path::Qual.name`.
    pub id: String,
    /// `function`, `class`, ...
    pub kind: String,
    /// Its file.
    pub file: String,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// The whole name was asked for, not a part of it.
    pub exact: bool,
    /// A test, or in a test file.
    pub is_test: bool,
}

/// A line that holds the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TextHit {
    /// Its file.
    pub file: String,
    /// Its number, 1-based.
    pub line: u32,
    /// The line, or the part of it round the text.
    pub text: String,
    /// Qualified name of the symbol around it; empty outside of any.
    pub inside: String,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Find {
    /// Definitions, whole names first.
    pub symbols: Vec<FoundSymbol>,
    /// Files whose path holds the text.
    pub files: Vec<String>,
    /// Lines, source before tests, by file.
    pub lines: Vec<TextHit>,
    /// How many there are of each, before cutting: symbols, files, lines.
    pub totals: [usize; 3],
    /// Where the text as it stands was not found: places that hold all of its words.
    pub words: Vec<FoundSymbol>,
}

/// Looks for a name or a text, at most `limit` results of each kind. Letter case counts when the text has capitals.
///
/// # Errors
/// The search index is missing or unusable.
pub fn find(repo: &Repo, text: &str, limit: usize) -> Result<Find, AskError> {
    let text = text.trim();
    let index = Index::open(&repo.cache_file("search"))?;
    if text.is_empty() {
        return Ok(Find::default());
    }
    let mut found = Find::default();
    let mut symbols = named(&index, text.trim_end_matches("()"));
    found.totals[0] = symbols.len();
    symbols.truncate(limit);
    found.symbols = symbols;
    let folded = text.to_lowercase();
    let paths = (0..index.file_count()).filter_map(|no| index.file(no)).map(|file| file.path.to_owned());
    found.files = paths.filter(|path| path.to_lowercase().contains(&folded)).collect();
    found.totals[1] = found.files.len();
    found.files.truncate(limit);
    let pattern =
        RegexBuilder::new(&regex::escape(text)).case_insensitive(!text.chars().any(char::is_uppercase)).build();
    // An escaped text fails to compile only when it is too long to be one.
    let Ok(pattern) = pattern else { return Ok(found) };
    let words = query_words(text);
    let holders = files_with(&index, &words);
    let mut lines = grep(repo, &index, &holders, &pattern);
    if lines.is_empty() {
        let rest: Vec<u32> = (0..index.file_count()).filter(|no| holders.binary_search(no).is_err()).collect();
        lines = grep(repo, &index, &rest, &pattern);
    }
    found.totals[2] = lines.len();
    lines.truncate(limit);
    found.lines = lines;
    if found.lines.is_empty() && words.len() > 1 {
        found.words = units_with(&index, &words, limit);
    }
    Ok(found)
}

/// Definitions of that name, then those whose name holds it.
fn named(index: &Index, asked: &str) -> Vec<FoundSymbol> {
    let bare = asked.rsplit(['.', ':']).next().unwrap_or(asked).to_lowercase();
    let whole = asked.rsplit("::").next().unwrap_or(asked).to_lowercase();
    if bare.is_empty() || bare.contains(char::is_whitespace) {
        return Vec::new();
    }
    let mut found: Vec<(usize, FoundSymbol)> = (0..index.unit_count())
        .filter_map(|no| {
            let unit = index.unit(no)?;
            let name = last_name(unit.qualname).to_lowercase();
            if !name.contains(&bare) || !unit.qualname.to_lowercase().contains(&whole) {
                return None;
            }
            let exact = name == bare;
            let order = if exact { 0 } else { 1 + usize::from(!name.starts_with(&bare)) };
            Some((order, symbol(index, unit, exact)?))
        })
        .collect();
    found.sort_by(|(a, x), (b, y)| (a, x.is_test, &x.file, x.start_line).cmp(&(b, y.is_test, &y.file, y.start_line)));
    found.into_iter().map(|(_, symbol)| symbol).collect()
}

fn symbol(index: &Index, unit: UnitView<'_>, exact: bool) -> Option<FoundSymbol> {
    let file = index.file(unit.file)?;
    Some(FoundSymbol {
        id: if unit.qualname.is_empty() { file.path.into() } else { format!("{}::{}", file.path, unit.qualname) },
        kind: unit.kind.map_or("lines", |kind| kind.as_str()).into(),
        file: file.path.into(),
        start_line: unit.start_line,
        end_line: unit.end_line,
        exact,
        is_test: unit.is_test || file.is_test,
    })
}

/// Files that hold every one of the words, ascending.
fn files_with(index: &Index, words: &[String]) -> Vec<u32> {
    let mut holders: Option<Vec<u32>> = None;
    for word in words {
        let mut files: Vec<u32> = match index.lookup(word) {
            None => return Vec::new(),
            Some(postings) => postings.units().filter_map(|p| Some(index.unit_lengths(p.unit)?.0)).collect(),
        };
        files.dedup();
        holders = Some(match holders {
            None => files,
            Some(before) => before.into_iter().filter(|file| files.binary_search(file).is_ok()).collect(),
        });
    }
    holders.unwrap_or_default()
}

/// Units that hold every one of the words, the shortest first: there the words stand close together.
fn units_with(index: &Index, words: &[String], limit: usize) -> Vec<FoundSymbol> {
    let mut holders: Option<Vec<u32>> = None;
    for word in words {
        let units: Vec<u32> = index.lookup(word).map(|p| p.units().map(|u| u.unit).collect()).unwrap_or_default();
        holders = Some(match holders {
            None => units,
            Some(before) => before.into_iter().filter(|unit| units.binary_search(unit).is_ok()).collect(),
        });
    }
    let units = holders.unwrap_or_default().into_iter().filter_map(|no| symbol(index, index.unit(no)?, false));
    let mut units: Vec<FoundSymbol> = units.collect();
    units.sort_by_key(|s| (s.is_test, s.end_line - s.start_line));
    units.truncate(limit);
    units
}

/// The lines of these files that match, source before tests and made files.
fn grep(repo: &Repo, index: &Index, files: &[u32], pattern: &Regex) -> Vec<TextHit> {
    let mut hits: Vec<(bool, Vec<TextHit>)> = files
        .par_iter()
        .filter_map(|&no| {
            let file = index.file(no)?;
            let bytes = content(&repo.absolute(file.path))?;
            let hits = lines_of(&bytes, pattern).map(|(line, text)| TextHit {
                file: file.path.into(),
                line,
                text,
                inside: index
                    .unit_at(no, line)
                    .and_then(|unit| Some(index.unit(unit)?.qualname.to_owned()))
                    .unwrap_or_default(),
            });
            let hits: Vec<TextHit> = hits.collect();
            (!hits.is_empty()).then_some((file.is_test || file.generated, hits))
        })
        .collect();
    // By file within each: the sort is stable, and the files came in order.
    hits.sort_by_key(|(last, _)| *last);
    hits.into_iter().flat_map(|(_, hits)| hits).collect()
}

/// A file's bytes, unless it is gone, no regular file, or data.
fn content(path: &Path) -> Option<Vec<u8>> {
    let meta = std::fs::symlink_metadata(path).ok()?;
    if !meta.is_file() || meta.len() > MAX_FILE { None } else { std::fs::read(path).ok() }
}

fn lines_of<'a>(bytes: &'a [u8], pattern: &'a Regex) -> impl Iterator<Item = (u32, String)> + 'a {
    let (mut line, mut counted, mut last) = (1u32, 0usize, 0u32);
    pattern.find_iter(bytes).filter_map(move |hit| {
        line += memchr::memchr_iter(b'\n', &bytes[counted..hit.start()]).count() as u32;
        counted = hit.start();
        if std::mem::replace(&mut last, line) == line {
            return None;
        }
        let start = memchr::memrchr(b'\n', &bytes[..hit.start()]).map_or(0, |at| at + 1);
        let end = memchr::memchr(b'\n', &bytes[hit.start()..]).map_or(bytes.len(), |at| hit.start() + at);
        // Of a line that is too long, what stands round the text.
        let from = if end - start > MAX_LINE { start.max(hit.start().saturating_sub(MAX_LINE / 4)) } else { start };
        let text = String::from_utf8_lossy(&bytes[from..end.min(from + MAX_LINE)]).trim().to_owned();
        Some((line, text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_once_with_its_number() {
        let pattern = Regex::new("ab").unwrap();
        let found: Vec<_> = lines_of(b"x\nab ab\n\n  ab", &pattern).collect();
        assert_eq!(found, [(2, "ab ab".to_owned()), (4, "ab".to_owned())]);
        let long = [vec![b'x'; 5000], b"ab".to_vec(), vec![b'y'; 5000]].concat();
        let (line, text) = lines_of(&long, &pattern).next().unwrap();
        assert!(line == 1 && text.contains("ab") && text.len() <= MAX_LINE, "{text}");
    }
}
