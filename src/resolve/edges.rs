//! Phase 2: all edges out of one file.

use rustc_hash::FxHashMap;

use super::calls::Outcome;
use super::infer::Eval;
use super::linking::Trail;
use super::lookup::Found;
use super::project::{Def, Project};
use super::scopes::{At, What};
use super::types::{SymId, Ty};
use crate::facts::*;
use crate::rows::*;

impl<'a> Project<'a> {
    /// Phase 2: resolves one file. Reads tables only, so files can be resolved in parallel.
    pub fn resolve_file(&self, file: FileNo) -> FileEdges {
        let mut out = FileEdges { imports: self.file_imports[file.0 as usize].clone(), ..Default::default() };
        let mut e = Eval::new(self, file);
        let mut calls: FxHashMap<(SymbolIdx, SymId, How), Vec<u32>> = FxHashMap::default();
        let mut unresolved: FxHashMap<(SymbolIdx, String), Vec<u32>> = FxHashMap::default();
        let mut unknown = Vec::new();
        for call in &e.facts.calls {
            match e.call(call) {
                Outcome::Hits(hits) => {
                    for (s, how) in surest(hits) {
                        calls.entry((call.caller, s, how)).or_default().push(call.line);
                    }
                }
                Outcome::Outside => {}
                Outcome::Unresolved(name) => {
                    if let Expr::Attr(_, member) = e.facts.expr(call.callee) {
                        unknown.push((call.caller, self.gid(file, *member)));
                    }
                    unresolved.entry((call.caller, name)).or_default().push(call.line);
                }
            }
        }
        out.calls = calls.into_iter().map(|((from, s, how), lines)| self.edge(from, s, how, lines)).collect();
        out.calls.sort_unstable();
        out.unresolved = unresolved.into_iter().map(|((s, n), lines)| (s, n, lines)).collect();
        for (_, _, lines) in &mut out.unresolved {
            lines.sort_unstable();
        }
        out.unresolved.sort_unstable();
        self.references(&mut e, &mut out);
        self.inherits(file, &mut out);
        self.contains(file, &mut out);
        self.tests(file, &mut out, &unknown);
        out
    }

    fn edge(&self, from: SymbolIdx, to: SymId, how: How, mut lines: Vec<u32>) -> Edge {
        lines.sort_unstable();
        Edge { from, to: self.symbol_ref(to), how, lines }
    }

    fn references(&self, e: &mut Eval<'_, 'a>, out: &mut FileEdges) {
        let mut refs: FxHashMap<(SymbolIdx, SymId, Access, How), Vec<u32>> = FxHashMap::default();
        for r in &e.facts.refs {
            e.refuel();
            for (s, how) in e.mention(r) {
                refs.entry((r.from, s, r.access, how)).or_default().push(r.line);
            }
        }
        out.references = refs
            .into_iter()
            .map(|((from, s, access, how), mut lines)| {
                lines.sort_unstable();
                Reference { from, to: self.symbol_ref(s), access, how, lines }
            })
            .collect();
        out.references.sort_unstable();
    }

    fn inherits(&self, file: FileNo, out: &mut FileEdges) {
        for i in 0..self.facts(file).symbols.len() as u32 {
            let class = self.sym_id(file, SymbolIdx(i));
            for &base in self.classes.get(class).map_or(&[][..], |c| &c.bases) {
                let how = if self.file_of(base) == file { How::Lexical } else { How::Import };
                out.inherits.push(Edge { from: SymbolIdx(i), to: self.symbol_ref(base), how, lines: vec![] });
            }
        }
        out.inherits.sort_unstable();
    }

    fn contains(&self, file: FileNo, out: &mut FileEdges) {
        for (i, s) in self.facts(file).symbols.iter().enumerate() {
            let idx = SymbolIdx(i as u32);
            let id = self.sym_id(file, idx);
            let lexical = s.parent.filter(|p| *p != SymbolIdx::MODULE).map(|p| self.sym_id(file, p));
            let holder = if s.owner.is_some() { self.classes.holder[id.0 as usize].or(lexical) } else { lexical };
            if let Some(h) = holder.filter(|h| *h != id) {
                out.contains.push((self.symbol_ref(h), idx));
            }
        }
        out.contains.sort_unstable();
    }
}

/// Each target once, by its surest way.
fn surest(mut hits: Vec<(SymId, How)>) -> Vec<(SymId, How)> {
    hits.sort_unstable();
    hits.dedup_by_key(|h| h.0);
    hits
}

impl Eval<'_, '_> {
    /// The definitions that a mention names.
    fn mention(&mut self, r: &RefFact) -> Vec<(SymId, How)> {
        if let Some(said) = self.said_mention(r) {
            return said;
        }
        let at = At::line(r.line);
        match self.facts.expr(r.expr) {
            Expr::Name(name) => {
                let def = match self.p.lookup(self.file, r.from, *name, at, &mut Trail::new()) {
                    Found::Def(def) => def,
                    Found::Local(entries) => match entries[0].what {
                        What::Symbol(s) => Def::Sym(self.p.sym_id(self.file, s)),
                        What::Import(i) => self.p.import_def(self.file, i, &mut Trail::new()),
                        _ => return self.module_symbol_of(entries[0].scope, *name),
                    },
                    Found::Member(class) => return self.mentioned_member(&Ty::This(class), *name),
                    _ => return vec![],
                };
                match def {
                    Def::Sym(s) => vec![(s, self.how_of(s))],
                    _ => vec![],
                }
            }
            Expr::Attr(base, name) => {
                let base = self.eval(*base, r.from, at);
                self.mentioned_member(&base, *name)
            }
            _ => vec![],
        }
    }

    /// A module-level variable that has a symbol, seen by code at the top level through one of its bindings.
    fn module_symbol_of(&self, scope: SymbolIdx, name: Name) -> Vec<(SymId, How)> {
        if scope != SymbolIdx::MODULE {
            return vec![];
        }
        let entries = self.p.scopes[self.file.0 as usize].of(scope, name);
        let symbol = entries.iter().find_map(|e| match e.what {
            What::Symbol(s) => Some(self.p.sym_id(self.file, s)),
            _ => None,
        });
        symbol.map(|s| (s, How::Lexical)).into_iter().collect()
    }

    fn mentioned_member(&mut self, base: &Ty, name: Name) -> Vec<(SymId, How)> {
        let gid = self.gid(name);
        let mut out = Vec::new();
        for part in base.parts() {
            let (class, how) = match part {
                Ty::Module(m) => {
                    if let Some(Def::Sym(s)) = self.p.module_member(*m, gid, &mut Trail::new()) {
                        out.push((s, How::Import));
                    }
                    continue;
                }
                Ty::Class(c) | Ty::ThisClass(c) | Ty::Instance(c, _) | Ty::This(c) | Ty::Applied(c, _) => {
                    (self.p.find_member(*c, gid), How::Type)
                }
                Ty::Super(c) => {
                    let class = self.p.classes.get(*c);
                    (class.and_then(|class| self.p.find_member_in(class.mro.get(1..).unwrap_or(&[]), gid)), How::Type)
                }
                _ => continue,
            };
            if let Some((_, group)) = class {
                let syms = &self.p.classes.group(group).syms;
                // A property's getter stands first.
                out.extend(syms.first().map(|s| (*s, how)));
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }
}
