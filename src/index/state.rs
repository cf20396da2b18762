//! From resolved facts to the graph's rows, file by file.

use rustc_hash::FxHashMap;

use crate::facts::{Facts, SymbolIdx};
use crate::resolve::call_names;
use crate::rows::{Edge, FileEdges, FileNo, SymbolRef};
use crate::store::rows::{EdgeKey, EdgeKind, EdgeRow, FileRow, FileState, SymbolRow};

use super::sources::Source;

/// The same name is listed at most so often among a symbol's unresolved names.
const MAX_REPEATS: usize = 100;

/// All files of a run with their facts.
#[derive(Clone, Copy)]
pub struct Code<'a> {
    files: &'a [Source],
    facts: &'a [Facts],
    parsed: &'a [usize],
}

/// Indices of the files in a known language: a [`FileNo`] is an index into this list.
pub fn parsed(files: &[Source]) -> Vec<usize> {
    (0..files.len()).filter(|&i| files[i].language.is_some()).collect()
}

impl<'a> Code<'a> {
    /// `files` in path order, their facts in the same order, and what [`parsed`] says of them.
    pub fn new(files: &'a [Source], facts: &'a [Facts], parsed: &'a [usize]) -> Code<'a> {
        Code { files, facts, parsed }
    }

    fn file(&self, no: FileNo) -> (&'a Source, &'a Facts) {
        let at = self.parsed[no.0 as usize];
        (&self.files[at], &self.facts[at])
    }

    fn id(&self, symbol: SymbolRef) -> String {
        let (source, facts) = self.file(symbol.file);
        facts.symbol_id(&source.path, symbol.symbol)
    }

    /// The rows of a file that is not parsed: there is only itself.
    pub fn plain_state(source: &Source, facts: &Facts) -> FileState {
        FileState {
            file: FileRow {
                path: source.path.clone(),
                language: source.file_type.to_owned(),
                hash: source.hash.to_string(),
                lines: facts.lines,
                is_test: source.is_test,
                generated: source.generated,
                skipped: String::new(),
            },
            ..FileState::default()
        }
    }

    /// The rows of a parsed file. `rank` gives a symbol's centrality.
    pub fn file_state(&self, no: FileNo, edges: &FileEdges, rank: impl Fn(SymbolIdx) -> f64) -> FileState {
        let (source, facts) = self.file(no);
        let own = |symbol| self.id(SymbolRef { file: no, symbol });
        let mut state = Code::plain_state(source, facts);
        let called = call_names(facts);
        let mut unresolved: FxHashMap<SymbolIdx, Vec<String>> = FxHashMap::default();
        for (symbol, name, lines) in &edges.unresolved {
            let sites = unresolved.entry(*symbol).or_default();
            let name = name.replace(['\n', '@'], " ");
            sites.extend(lines.iter().take(MAX_REPEATS).map(|line| format!("{name}@{line}")));
        }
        for (i, fact) in facts.symbols.iter().enumerate() {
            let symbol = SymbolIdx(i as u32);
            state.symbols.push(SymbolRow {
                id: own(symbol),
                name: facts.name(fact.name).to_owned(),
                qualname: facts.name(fact.qualname).to_owned(),
                kind: fact.kind.as_str().to_owned(),
                start_line: fact.start_line,
                end_line: fact.end_line,
                signature: fact.signature.to_string(),
                doc: fact.doc.to_string(),
                is_test: fact.flags.is_test,
                exported: fact.flags.exported,
                entry_point: fact.flags.entry_point,
                call_names: called.get(i).copied().unwrap_or(0),
                rank: rank(symbol),
                unresolved: unresolved.remove(&symbol).unwrap_or_default(),
            });
        }
        let mut push = |kind, list: &[Edge]| {
            for edge in list {
                let (from, to) = (own(edge.from), self.id(edge.to));
                let key = EdgeKey { kind, from, to, how: Some(edge.how), access: None };
                state.edges.push(EdgeRow { key, lines: edge.lines.clone() });
            }
        };
        push(EdgeKind::Calls, &edges.calls);
        push(EdgeKind::Inherits, &edges.inherits);
        push(EdgeKind::Tests, &edges.tests);
        for reference in &edges.references {
            let key = EdgeKey {
                kind: EdgeKind::References,
                from: own(reference.from),
                to: self.id(reference.to),
                how: Some(reference.how),
                access: Some(reference.access),
            };
            state.edges.push(EdgeRow { key, lines: reference.lines.clone() });
        }
        for (holder, symbol) in &edges.contains {
            let (from, to) = (self.id(*holder), own(*symbol));
            let key = EdgeKey { kind: EdgeKind::Contains, from, to, how: None, access: None };
            state.edges.push(EdgeRow { key, lines: Vec::new() });
        }
        state.imports = edges.imports.iter().map(|f| self.file(*f).0.path.clone()).collect();
        state.normalise();
        state
    }
}

/// Number of distinct callers by symbol, over all files.
pub fn callers(all: &[FileEdges]) -> FxHashMap<SymbolRef, u32> {
    let mut pairs: Vec<(SymbolRef, SymbolRef)> = Vec::new();
    for (no, edges) in all.iter().enumerate() {
        let file = FileNo(no as u32);
        pairs.extend(edges.calls.iter().map(|e| (e.to, SymbolRef { file, symbol: e.from })));
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut counts = FxHashMap::default();
    for (to, _) in pairs {
        *counts.entry(to).or_insert(0) += 1;
    }
    counts
}

/// A symbol's centrality: ln(1 + distinct callers). Local to the symbol, unlike PageRank, so that an edit
/// changes few rows; hubs count, but only logarithmically.
pub fn rank(callers: u32) -> f64 {
    f64::from(callers).ln_1p()
}
