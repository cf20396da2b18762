//! TESTS: from a test to what it exercises, directly or through helper functions of test files.
//!
//! Which production code a helper reaches is worked out in phase 1, since phase 2 of one file must not look at the
//! calls of another.

use rustc_hash::FxHashMap;

use super::calls::Outcome;
use super::infer::Eval;
use super::names::Gid;
use super::project::Project;
use super::types::SymId;
use crate::facts::SymbolIdx;
use crate::rows::*;

/// More methods of one name than this are not guessed at.
const MAX_GUESSES: usize = 16;

/// What the helper functions of test files call.
#[derive(Default)]
pub(crate) struct TestHelpers {
    /// Production symbols that each helper calls, itself or through another helper.
    pub reach: FxHashMap<SymId, Vec<(SymId, How)>>,
}

impl<'a> Project<'a> {
    fn is_test_symbol(&self, s: SymId) -> bool {
        self.files[self.file_of(s).0 as usize].is_test || self.sym(s).flags.is_test
    }

    pub(crate) fn build_helpers(&mut self) {
        let mut direct: FxHashMap<SymId, Vec<(SymId, How)>> = FxHashMap::default();
        for file in self.file_nos().filter(|f| self.files[f.0 as usize].is_test) {
            let mut e = Eval::new(self, file);
            for call in &e.facts.calls {
                if call.caller == SymbolIdx::MODULE || e.facts.symbol(call.caller).flags.is_test {
                    continue;
                }
                if let Outcome::Hits(hits) = e.call(call) {
                    direct.entry(self.sym_id(file, call.caller)).or_default().extend(sure(&hits));
                }
            }
        }
        let mut reach = FxHashMap::default();
        for (&helper, calls) in &direct {
            let mut out: Vec<(SymId, How)> = Vec::new();
            for &(s, how) in calls {
                if self.is_test_symbol(s) {
                    let through = direct.get(&s).into_iter().flatten();
                    out.extend(through.filter(|(t, _)| !self.is_test_symbol(*t)).map(|&(t, h)| (t, h.max(how))));
                } else {
                    out.push((s, how));
                }
            }
            out.sort_unstable();
            out.dedup_by_key(|h| h.0);
            reach.insert(helper, out);
        }
        self.helpers = TestHelpers { reach };
    }

    /// `unknown`: methods that are called on something unknown, with who calls them.
    pub(crate) fn tests(&self, file: FileNo, out: &mut FileEdges, unknown: &[(SymbolIdx, Gid)]) {
        let in_test_file = self.files[file.0 as usize].is_test;
        let facts = self.facts(file);
        let mut found: FxHashMap<(SymbolIdx, SymId), How> = FxHashMap::default();
        let mut note = |from: SymbolIdx, s: SymId, how: How| {
            let at = found.entry((from, s)).or_insert(how);
            *at = (*at).min(how);
        };
        let is_test = |s: SymbolIdx| in_test_file || facts.symbol(s).flags.is_test;
        for edge in out.calls.iter().filter(|e| is_test(e.from) && e.how < How::AmbiguousName) {
            let target = self.sym_id(edge.to.file, edge.to.symbol);
            if self.is_test_symbol(target) {
                for &(s, how) in self.helpers.reach.get(&target).into_iter().flatten() {
                    note(edge.from, s, how.max(edge.how));
                }
            } else {
                note(edge.from, target, edge.how);
            }
        }
        // A fixture that a test asks for is a helper that it calls.
        for (i, s) in facts.symbols.iter().enumerate().filter(|(_, s)| s.flags.is_test) {
            for p in &s.params {
                let idx = SymbolIdx(i as u32);
                if let Some(fixture) = self.fixture(file, idx, self.gid(file, p.name)) {
                    for &(t, how) in self.helpers.reach.get(&fixture).into_iter().flatten() {
                        note(idx, t, how);
                    }
                }
            }
        }
        // A test that calls a method of a telling name on something unknown exercises one of those that have it.
        for &(from, gid) in unknown.iter().filter(|(from, _)| is_test(*from)) {
            let all = self.methods_of_telling_name(self.system(file), gid);
            if all.len() <= MAX_GUESSES {
                all.iter().filter(|s| !self.is_test_symbol(**s)).for_each(|s| note(from, *s, How::AmbiguousName));
            }
        }
        out.tests = found
            .into_iter()
            .filter(|((from, _), _)| facts.symbol(*from).kind.is_callable() || facts.symbol(*from).flags.is_test)
            .map(|((from, s), how)| Edge { from, to: self.symbol_ref(s), how, lines: vec![] })
            .collect();
        out.tests.sort_unstable();
    }
}

fn sure(hits: &[(SymId, How)]) -> impl Iterator<Item = (SymId, How)> + '_ {
    hits.iter().copied().filter(|(_, how)| *how < How::AmbiguousName)
}
