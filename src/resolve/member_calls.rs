//! From calls of members to their targets.

use super::calls::{Outcome, either, possible};
use super::infer::Eval;
use super::known;
use super::linking::Trail;
use super::names::Gid;
use super::overloads::Site;
use super::project::Def;
use super::types::{SymId, Ty};
use crate::facts::*;
use crate::lang::ModuleSystem;
use crate::rows::How;

impl Eval<'_, '_> {
    /// A call of a member of a receiver.
    pub(super) fn call_member(&mut self, receiver: &Ty, name: Name, site: Site<'_>) -> Outcome {
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
            // A function or class that an attribute holds: another may be put there. What an object literal was written
            // with stays, unless the project puts something else there.
            (Some(outcome), None) if matches!(ty, Ty::Func(_) | Ty::Class(_)) && !self.p.is_written_once(group) => {
                possible(outcome)
            }
            // A member that is declared as a function, as good as a method.
            (None | Some(Outcome::Outside), None) if let Some(s) = self.function_member(group) => {
                Outcome::hit(s, How::Type)
            }
            (Some(outcome), None) => outcome,
            (None, None) => Outcome::Unresolved(word.to_owned()),
        }
    }

    /// JavaScript: the symbol of a member that holds a function from elsewhere.
    fn function_member(&self, group: u32) -> Option<SymId> {
        let is_field = |s: &&SymId| matches!(self.p.sym(**s).kind, SymbolKind::Field | SymbolKind::Variable);
        let syms = self.p.classes.group(group).syms.iter();
        syms.rev().find(is_field).copied().filter(|_| self.system() == ModuleSystem::EcmaScript)
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
