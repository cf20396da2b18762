//! From call sites to their targets.

use super::infer::Eval;
use super::known;
use super::linking::Trail;
use super::lookup::Found;
use super::names::Gid;
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
    fn hit(s: SymId, how: How) -> Self {
        Outcome::Hits(vec![(s, how)])
    }
}

/// One of several values is called: each is a possible target only.
fn possible(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Hits(hits) => Outcome::Hits(hits.into_iter().map(|(s, how)| (s, how.max(How::Override))).collect()),
        other => other,
    }
}

/// The one target of a call, or each of several as a possible one.
fn either(targets: Vec<SymId>, how: How) -> Outcome {
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
    fn call_symbol(&mut self, s: SymId, how: How, site: Site<'_>) -> Option<Outcome> {
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
    fn call_value_of(&mut self, ty: &Ty, how: How, site: Site<'_>) -> Option<Outcome> {
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

    /// A call of a member of a receiver.
    fn call_member(&mut self, receiver: &Ty, name: Name, site: Site<'_>) -> Outcome {
        let gid = self.gid(name);
        let mut hits = Vec::new();
        let mut unresolved = false;
        let mut first: Option<Vec<(SymId, How)>> = None;
        let mut agree = true;
        for part in receiver.parts() {
            match self.call_member_of(part, name, gid, site) {
                Outcome::Hits(more) => {
                    agree &= first.as_ref().is_none_or(|f| f[0].0 == more[0].0);
                    first.get_or_insert_with(|| more.clone());
                    hits.extend(more);
                }
                Outcome::Outside => {}
                Outcome::Unresolved(_) => unresolved = true,
            }
        }
        if !hits.is_empty() {
            return if agree { Outcome::Hits(hits) } else { possible(Outcome::Hits(hits)) };
        }
        if unresolved { Outcome::Unresolved(format!(".{}", self.facts.name(name))) } else { Outcome::Outside }
    }

    fn call_member_of(&mut self, receiver: &Ty, name: Name, gid: Gid, site: Site<'_>) -> Outcome {
        let unresolved = Outcome::Unresolved(String::new());
        match receiver {
            Ty::Module(m) => match self.p.module_member(*m, gid, &mut Trail::new()) {
                Some(Def::Sym(s)) => self.call_symbol(s, How::Import, site).unwrap_or(Outcome::Outside),
                Some(Def::External) => Outcome::Outside,
                Some(Def::Missing) => unresolved,
                Some(def) => {
                    let ty = self.def_ty(def);
                    self.call_value_of(&ty, How::Import, site).unwrap_or(unresolved)
                }
                None => match self.p.module_default(*m) {
                    Some(def) if self.system() == ModuleSystem::EcmaScript => {
                        let ty = self.def_ty(def);
                        match ty {
                            Ty::Module(_) | Ty::Unknown => unresolved,
                            ty => self.call_member(&ty, name, site),
                        }
                    }
                    _ => unresolved,
                },
            },
            Ty::Class(c) | Ty::ThisClass(c) | Ty::Instance(c, _) | Ty::This(c) | Ty::Applied(c, _) => {
                let exact = matches!(receiver, Ty::Instance(_, true) | Ty::Class(_));
                let Some((_, group)) = self.p.find_member(*c, gid) else {
                    if self.p.sym(*c).kind == SymbolKind::Namespace {
                        return match self.p.nested_def(*c, gid, &mut Trail::new()) {
                            Some(Def::Sym(s)) => self.call_symbol(s, self.how_of(s), site).unwrap_or(Outcome::Outside),
                            Some(Def::External) => Outcome::Outside,
                            _ => unresolved,
                        };
                    }
                    return self.missing_member(*c, gid, exact);
                };
                let found = self.call_group(group, receiver, site);
                match found {
                    Outcome::Hits(mut hits) if !exact => {
                        let more = self.p.overrides(*c, gid).iter().filter(|s| hits.iter().all(|h| h.0 != **s));
                        let more: Vec<_> = more.map(|s| (*s, How::Override)).collect();
                        hits.extend(more);
                        Outcome::Hits(hits)
                    }
                    other => other,
                }
            }
            Ty::Super(c) => {
                let Some(class) = self.p.classes.get(*c) else { return Outcome::Outside };
                match self.p.find_member_in(class.mro.get(1..).unwrap_or(&[]), gid) {
                    Some((_, group)) => self.call_group(group, receiver, site),
                    None if class.external || class.mro.len() == 1 || self.p.names.str(gid).starts_with("__") => {
                        Outcome::Outside
                    }
                    None => unresolved,
                }
            }
            Ty::Func(f) => self.call_function_member(*f, name, gid, site),
            Ty::External | Ty::Many(..) | Ty::Tuple(_) | Ty::Returns(_) | Ty::None => Outcome::Outside,
            Ty::Unknown | Ty::Param(..) => self.call_unknown(gid, site),
            Ty::Union(_) => self.call_member(receiver, name, site),
        }
    }

    fn call_group(&mut self, group: u32, receiver: &Ty, site: Site<'_>) -> Outcome {
        let g = self.p.classes.group(group);
        let callable =
            |s: &&SymId| matches!(self.p.sym(**s).kind, SymbolKind::Method | SymbolKind::Function | SymbolKind::Macro);
        if g.syms.iter().any(|s| callable(&s)) {
            // A module's function is named in full, nothing is inferred.
            let named = matches!(receiver, Ty::Class(c) if self.p.sym(*c).kind == SymbolKind::Namespace);
            let targets = self.overloads(&g.syms, site);
            let how = match targets.first() {
                Some(&s) if named => self.how_of(s),
                _ => How::Type,
            };
            return either(targets, how);
        }
        if let Some(&class) =
            g.syms.iter().find(|s| self.p.classes.get(**s).is_some() && self.p.sym(**s).kind.is_type())
        {
            return self.construct(class, How::Type, site);
        }
        let word = self.p.names.str(self.p.classes.group_list[group as usize].1);
        let ty = self.group_ty(group, false).bind_this(receiver);
        let outcome = self.call_value_of(&ty, How::Type, site);
        // Reading a property calls its getter, whatever is done with the value then.
        let getter = g.syms.iter().find(|s| self.p.sym(**s).kind == SymbolKind::Property);
        match (outcome, getter) {
            (Some(outcome @ Outcome::Hits(_)), Some(&s)) => {
                // What an override gives may be something else.
                let exact = matches!(receiver, Ty::Instance(_, true));
                let gid = self.p.classes.group_list[group as usize].1;
                let open = !exact && receiver.class().is_some_and(|c| !self.p.overrides(c, gid).is_empty());
                let outcome = if open { possible(outcome) } else { outcome };
                let Outcome::Hits(mut hits) = outcome else { return outcome };
                hits.push((s, How::Type));
                Outcome::Hits(hits)
            }
            (_, Some(&s)) => Outcome::hit(s, How::Type),
            // A function that an attribute holds: another may be put there. What an object literal was written with
            // stays, unless the project puts something else there.
            (Some(outcome), None) if matches!(ty, Ty::Func(_)) && !self.p.is_written_once(group) => possible(outcome),
            (Some(outcome), None) => outcome,
            (None, None) => Outcome::Unresolved(word.to_owned()),
        }
    }

    /// A class that is known, and a member that is not: defined in subclasses (a mixin's partner), or missing.
    fn missing_member(&mut self, class: SymId, gid: Gid, exact: bool) -> Outcome {
        let overrides = self.p.overrides(class, gid);
        if !exact && !overrides.is_empty() {
            return Outcome::Hits(overrides.iter().map(|s| (*s, How::Override)).collect());
        }
        match self.p.classes.get(class) {
            Some(c) if c.external && !c.unknown => Outcome::Outside,
            // Every object has those; any other name was defined once, or is a mistake worth seeing.
            _ if self.p.is_builtin_method(self.system(), gid) => Outcome::Outside,
            _ => Outcome::Unresolved(String::new()),
        }
    }

    fn call_function_member(&mut self, f: SymId, name: Name, gid: Gid, site: Site<'_>) -> Outcome {
        if let Some((_, group)) = self.p.find_member(f, gid) {
            return self.call_group(group, &Ty::Class(f), site);
        }
        if let Some(slot) = self.p.slots.object(f) {
            let object = self.slot(slot);
            if !object.is_unknown() {
                return self.call_member(&object, name, site);
            }
        }
        if known::calls_function(self.system(), self.facts.name(name)) {
            return self.call_symbol(f, How::Type, site).unwrap_or(Outcome::Outside);
        }
        Outcome::Outside
    }

    fn call_unknown(&mut self, gid: Gid, site: Site<'_>) -> Outcome {
        let hits = self.p.by_bare_name(self.file, gid, self.receiver_word(site));
        if !hits.is_empty() {
            return Outcome::Hits(hits);
        }
        if self.p.methods_named(self.system(), gid).is_empty() {
            Outcome::Outside
        } else {
            Outcome::Unresolved(String::new())
        }
    }

    /// What stands before the dot of a call: the last name of it.
    fn receiver_word(&self, site: Site<'_>) -> Option<&str> {
        let mut at = site.receiver?;
        for _ in 0..4 {
            match self.facts.expr(at) {
                Expr::Name(name) | Expr::Attr(_, name) => return Some(self.facts.name(*name)),
                Expr::Call(inner, _)
                | Expr::Index(inner)
                | Expr::Element(inner)
                | Expr::Await(inner)
                | Expr::Generic(inner, _) => at = *inner,
                _ => return None,
            }
        }
        None
    }
}
