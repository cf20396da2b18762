//! What a compiler said of a site goes before what is inferred.

use rustc_hash::FxHashMap;

use super::calls::Outcome;
use super::infer::Eval;
use super::overloads::Site;
use super::project::Project;
use super::types::SymId;
use crate::facts::*;
use crate::rows::{FileNo, How};
use crate::scip::last_name;

impl<'a> Project<'a> {
    /// Finds the symbols of the ids that indexes name.
    pub(crate) fn find_scip_targets(&mut self, ids: &[String]) {
        if ids.is_empty() {
            return;
        }
        let files: FxHashMap<&str, FileNo> = self.file_nos().map(|f| (self.files[f.0 as usize].path, f)).collect();
        let mut symbols: FxHashMap<FileNo, FxHashMap<String, SymbolIdx>> = FxHashMap::default();
        let mut found = Vec::with_capacity(ids.len());
        for id in ids {
            let file = id.rsplit_once("::").and_then(|(path, _)| files.get(path));
            found.push(file.and_then(|&file| {
                let of_file = symbols.entry(file).or_insert_with(|| {
                    let (facts, path) = (self.facts(file), self.files[file.0 as usize].path);
                    let all = (0..facts.symbols.len() as u32).map(SymbolIdx);
                    all.map(|s| (facts.symbol_id(path, s), s)).collect()
                });
                of_file.get(id).map(|s| self.sym_id(file, *s))
            }));
        }
        self.scip_targets = found;
    }
}

/// What is known of a site from an index.
enum Said {
    /// It means one of these.
    Symbols(Vec<SymId>),
    /// It means something outside of the project.
    Outside,
}

impl Eval<'_, '_> {
    fn said(&self, expr: ExprId, line: u32) -> Option<Said> {
        let file = self.p.files[self.file.0 as usize].scip?;
        let site = file.site(line, last_name(self.facts, expr)?)?;
        if site.targets.is_empty() {
            return Some(Said::Outside);
        }
        // One that is gone since makes the whole answer doubtful.
        let symbols = site.targets.iter().map(|t| self.p.scip_targets.get(*t as usize).copied().flatten());
        Some(Said::Symbols(symbols.collect::<Option<_>>()?))
    }

    /// A call of which an index says where it goes. Overrides that may run instead stay possible targets.
    pub(crate) fn said_call(&mut self, call: &CallFact, site: Site<'_>) -> Option<Outcome> {
        let symbols = match self.said(call.callee, call.line)? {
            Said::Outside => return Some(Outcome::Outside),
            Said::Symbols(symbols) => symbols,
        };
        let mut hits = Vec::new();
        for s in symbols {
            let kind = self.p.sym(s).kind;
            match kind {
                SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro => hits.push((s, How::Scip)),
                k if k.is_type() && k != SymbolKind::TypeAlias => match self.construct(s, How::Scip, site) {
                    Outcome::Hits(more) => hits.extend(more),
                    _ => return None,
                },
                // A variable is named: what it holds is inferred.
                _ => return None,
            }
        }
        if let Outcome::Hits(inferred) = self.inferred_call(call, site) {
            let overrides = inferred.into_iter().filter(|(_, how)| *how == How::Override);
            hits.extend(overrides.filter(|(s, _)| self.overrides_one_of(*s, &hits)).collect::<Vec<_>>());
        }
        Some(Outcome::Hits(hits))
    }

    /// Is a method one that runs in place of another of these for some receivers?
    fn overrides_one_of(&self, s: SymId, hits: &[(SymId, How)]) -> bool {
        let (name, holder) = (self.p.sym_gid(s), self.p.classes.holder[s.0 as usize]);
        hits.iter().any(|(t, _)| {
            let base = self.p.classes.holder[t.0 as usize];
            *t != s && self.p.sym_gid(*t) == name && base.is_some() && base != holder
        })
    }

    /// A mention of which an index says what it names.
    pub(crate) fn said_mention(&self, r: &RefFact) -> Option<Vec<(SymId, How)>> {
        Some(match self.said(r.expr, r.line)? {
            Said::Outside => vec![],
            Said::Symbols(symbols) => symbols.into_iter().map(|s| (s, How::Scip)).collect(),
        })
    }
}
