//! From call sites to their targets.

use super::infer::Eval;
use super::linking::Trail;
use super::lookup::Found;
use super::overloads::Site;
use super::project::Def;
use super::scopes::{At, Entry, What};
use super::types::{SymId, Ty};
use crate::facts::*;
use crate::lang::ModuleSystem;
use crate::rows::How;

/// What became of a call site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It goes to one of these.
    Hits(Vec<(SymId, How)>),
    /// It goes out of the project, or to something builtin.
    Outside,
    /// It may go to something in the project, under this name.
    Unresolved(String),
}

impl Outcome {
    pub(super) fn hit(s: SymId, how: How) -> Self {
        Outcome::Hits(vec![(s, how)])
    }
}

/// One of several values is called: each is a possible target only.
pub(super) fn possible(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Hits(hits) => Outcome::Hits(hits.into_iter().map(|(s, how)| (s, how.max(How::Override))).collect()),
        other => other,
    }
}

/// The one target of a call, or each of several as a possible one.
pub(super) fn either(targets: Vec<SymId>, how: How) -> Outcome {
    match targets[..] {
        [] => Outcome::Outside,
        [one] => Outcome::hit(one, how),
        _ => possible(Outcome::Hits(targets.into_iter().map(|s| (s, how)).collect())),
    }
}

impl Eval<'_, '_> {
    /// Resolves one call.
    pub(crate) fn call(&mut self, call: &CallFact) -> Outcome {
        let site = Site::of(call);
        match self.said_call(call, site) {
            Some(outcome) => outcome,
            None => self.inferred_call(call, site),
        }
    }

    /// Without what a compiler said of it.
    pub(crate) fn inferred_call(&mut self, call: &CallFact, site: Site<'_>) -> Outcome {
        self.refuel();
        self.callee(call.callee, call.caller, At::line(call.line), site)
    }

    fn callee(&mut self, callee: ExprId, scope: SymbolIdx, at: At, site: Site<'_>) -> Outcome {
        let facts = self.facts;
        match facts.expr(callee) {
            Expr::Name(name) => self.call_name(*name, scope, at, site),
            Expr::Attr(base, name) => {
                let base_ty = self.eval(*base, scope, at);
                self.call_member(&base_ty, *name, Site { receiver: Some(*base), ..site })
            }
            Expr::Super => {
                let ty = self.eval(callee, scope, at);
                match ty {
                    Ty::Super(c) => self.super_constructor(c, site),
                    _ => Outcome::Outside,
                }
            }
            Expr::Generic(base, _) => self.callee(*base, scope, at, site),
            // `Box[int](...)`
            Expr::Index(base) if matches!(self.eval(*base, scope, at), Ty::Class(_)) => {
                self.callee(*base, scope, at, site)
            }
            Expr::Function(s) => Outcome::hit(self.p.sym_id(self.file, *s), How::Lexical),
            _ => {
                let ty = self.eval(callee, scope, at);
                let outcome = self.call_value_of(&ty, How::Type, site).unwrap_or(Outcome::Outside);
                if self.picks_one(callee) { possible(outcome) } else { outcome }
            }
        }
    }

    fn call_name(&mut self, name: Name, scope: SymbolIdx, at: At, site: Site<'_>) -> Outcome {
        let unresolved = || Outcome::Unresolved(self.facts.name(name).to_owned());
        let found = self.p.lookup(self.file, scope, name, at, &mut Trail::new());
        if self.system() == ModuleSystem::Rust && site.args == 255 {
            return self.call_macro(name, found);
        }
        let def = match found {
            Found::Def(def) => def,
            Found::Builtin | Found::External => return Outcome::Outside,
            Found::Nothing => return unresolved(),
            Found::Member(class) => return self.call_member(&Ty::This(class), name, site),
            Found::Local(entries) => match entries[0].what {
                What::Symbol(s) => Def::Sym(self.p.sym_id(self.file, s)),
                What::Import(i) => self.p.import_def(self.file, i, &mut Trail::new()),
                what => {
                    let ty = self.entries_ty(entries);
                    let outcome = self.call_value_of(&ty, How::Type, site).unwrap_or_else(unresolved);
                    return match what {
                        What::Bind(b) if self.picks_one(self.facts.binds[b as usize].value) => possible(outcome),
                        // Bound more than once: which one is called depends on the path taken.
                        What::Bind(_) | What::Param(_) if self.bound_often(entries[0].scope, name) => possible(outcome),
                        _ => outcome,
                    };
                }
            },
        };
        match def {
            Def::Sym(s) => self.call_symbol(s, self.how_of(s), site).unwrap_or(Outcome::Outside),
            Def::External => Outcome::Outside,
            Def::Missing => unresolved(),
            Def::Module(_) | Def::Var(_) => {
                let ty = self.def_ty(def);
                self.call_value_of(&ty, How::Type, site).unwrap_or_else(unresolved)
            }
        }
    }

    /// Rust's macros have names of their own, apart from those of functions.
    fn call_macro(&self, name: Name, found: Found<'_>) -> Outcome {
        let scoped = match found {
            Found::Def(Def::Sym(s)) => Some(s),
            // `use log::info;`
            Found::Def(Def::External) | Found::External => return Outcome::Outside,
            Found::Local(entries) => match entries[0].what {
                What::Symbol(s) => Some(self.p.sym_id(self.file, s)),
                _ => None,
            },
            _ => None,
        };
        let gid = self.gid(name);
        let is_macro = |s: &SymId| self.p.sym(*s).kind == SymbolKind::Macro;
        match (scoped.filter(is_macro), self.p.macros.get(&gid)) {
            (Some(s), _) | (None, Some(&Some(s))) => Outcome::hit(s, self.how_of(s)),
            (None, Some(None)) => Outcome::Unresolved(self.facts.name(name).to_owned()),
            (None, None) => Outcome::Outside,
        }
    }

    /// Is a variable bound at more than one place of its scope?
    fn bound_often(&self, scope: SymbolIdx, name: Name) -> bool {
        let entries = self.p.scopes[self.file.0 as usize].of(scope, name);
        let narrows = |e: &&Entry| match e.what {
            What::Bind(b) => self.facts.binds[b as usize].kind == BindKind::Narrow,
            _ => false,
        };
        entries.len() > 1 && entries.iter().filter(|e| !narrows(e)).count() > 1
    }

    /// Does an expression take one of several values out of a container (a dispatch table, a list of callbacks)?
    fn picks_one(&self, expr: ExprId) -> bool {
        match self.facts.expr(expr) {
            Expr::Index(_) | Expr::Element(_) => true,
            Expr::Call(callee, _) => match self.facts.expr(*callee) {
                Expr::Attr(_, name) => matches!(self.facts.name(*name), "get" | "pop" | "find"),
                _ => false,
            },
            _ => false,
        }
    }

    /// How a definition that a name leads to was found.
    pub(crate) fn how_of(&self, s: SymId) -> How {
        if self.p.file_of(s) == self.file { How::Lexical } else { How::Import }
    }

    /// A call of a definition. `None` if it is none that can be called.
    pub(super) fn call_symbol(&mut self, s: SymId, how: How, site: Site<'_>) -> Option<Outcome> {
        let others = self.p.alternatives(s);
        if others.is_empty() {
            return self.call_only(s, how, site);
        }
        let mut hits = Vec::new();
        for t in std::iter::once(s).chain(others) {
            if let Some(Outcome::Hits(more)) = self.call_only(t, how, site) {
                hits.extend(more);
            }
        }
        Some(possible(Outcome::Hits(hits)))
    }

    fn call_only(&mut self, s: SymId, how: How, site: Site<'_>) -> Option<Outcome> {
        let fact = self.p.sym(s);
        match fact.kind {
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro => {
                let targets = self.siblings(s, site);
                Some(either(targets, how))
            }
            // A function or class of the same name is what is called.
            SymbolKind::Namespace => {
                let merged = self.p.classes.get(s).map(|c| c.merged.clone()).unwrap_or_default();
                let called = merged
                    .into_iter()
                    .find(|m| matches!(self.p.sym(*m).kind, SymbolKind::Function | SymbolKind::Class))?;
                self.call_only(called, how, site)
            }
            SymbolKind::Module | SymbolKind::EnumMember => None,
            SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Property | SymbolKind::Field => {
                let ty = self.sym_ty(s);
                match self.call_value_of(&ty, How::Type, site) {
                    // `const Shape = define(...)`: that is its name, whatever function it was made as.
                    Some(Outcome::Hits(hits)) if self.system() == ModuleSystem::EcmaScript && self.p.is_made(s) => {
                        let held = hits.into_iter().map(|(t, how)| (t, how.max(How::Override)));
                        Some(Outcome::Hits(std::iter::once((s, how)).chain(held).collect()))
                    }
                    Some(Outcome::Hits(hits)) => Some(Outcome::Hits(hits)),
                    // What it holds is made elsewhere: the site names the constant.
                    _ => Some(Outcome::hit(s, how)),
                }
            }
            SymbolKind::TypeAlias if self.p.classes.has_members(s) => Some(self.construct(s, how, site)),
            SymbolKind::TypeAlias => {
                let ty = self.sym_ty(s);
                Some(self.call_value_of(&ty, how, site).unwrap_or(Outcome::hit(s, how)))
            }
            _ => Some(self.construct(s, how, site)),
        }
    }

    pub(crate) fn construct(&mut self, class: SymId, how: How, site: Site<'_>) -> Outcome {
        let Some(group) = self.p.constructor(class) else { return Outcome::hit(class, how) };
        let targets = self.overloads(&self.p.classes.group(group).syms, site);
        if targets.is_empty() {
            return Outcome::hit(class, how);
        }
        if self.p.classes.group_list[group as usize].0 == class {
            return either(targets, how);
        }
        // The class is made; that a base's constructor runs with it is a possible call of that.
        let base = targets.into_iter().map(|init| (init, How::Override));
        Outcome::Hits(std::iter::once((class, how)).chain(base).collect())
    }

    fn super_constructor(&mut self, class: SymId, site: Site<'_>) -> Outcome {
        match self.p.classes.get(class).and_then(|c| c.mro.get(1)) {
            Some(&base) => self.construct(base, How::Type, site),
            None => Outcome::Outside,
        }
    }

    /// A call of a value of a type. `None` when nothing is known of it.
    pub(super) fn call_value_of(&mut self, ty: &Ty, how: How, site: Site<'_>) -> Option<Outcome> {
        let mut hits = Vec::new();
        let mut outside = false;
        let several = ty.parts().len() > 1;
        for part in ty.parts() {
            match part {
                Ty::Func(s) => match self.call_symbol(*s, how, site) {
                    Some(Outcome::Hits(more)) => hits.extend(more),
                    _ => outside = true,
                },
                Ty::Class(c) | Ty::ThisClass(c) => match self.construct(*c, how, site) {
                    Outcome::Hits(more) => hits.extend(more),
                    _ => outside = true,
                },
                Ty::Instance(..) | Ty::This(_) | Ty::Applied(..) => {
                    let class = part.class()?;
                    match self.p.find_member(class, self.p.well_known.call) {
                        Some((_, g)) if self.system() == ModuleSystem::Python => {
                            let targets = self.overloads(&self.p.classes.group(g).syms, site);
                            if let Outcome::Hits(more) = either(targets, How::Type) {
                                hits.extend(more);
                            }
                        }
                        _ => outside = true,
                    }
                }
                Ty::Module(m) => match self.p.module_default(*m) {
                    Some(Def::Sym(s)) => {
                        if let Some(Outcome::Hits(more)) = self.call_symbol(s, self.how_of(s), site) {
                            hits.extend(more);
                        }
                    }
                    Some(def @ Def::Var(_)) => {
                        let ty = self.def_ty(def);
                        if !matches!(ty, Ty::Module(_))
                            && let Some(Outcome::Hits(more)) = self.call_value_of(&ty, how, site)
                        {
                            hits.extend(more);
                        }
                    }
                    _ => {}
                },
                Ty::External | Ty::Many(..) | Ty::Tuple(_) | Ty::Returns(_) | Ty::None => outside = true,
                _ => {}
            }
        }
        match (hits.is_empty(), outside) {
            (false, _) if several => Some(possible(Outcome::Hits(hits))),
            (false, _) => Some(Outcome::Hits(hits)),
            (true, true) => Some(Outcome::Outside),
            (true, false) => None,
        }
    }
}
