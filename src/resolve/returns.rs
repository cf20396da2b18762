//! What calls give.

use super::infer::Eval;
use super::known;
use super::scopes::At;
use super::types::Ty;
use crate::facts::*;
use crate::lang::ModuleSystem;

impl Eval<'_, '_> {
    /// The type of a call's value.
    pub(super) fn call_value(&mut self, callee: ExprId, args: &[ExprId], scope: SymbolIdx, at: At) -> Ty {
        let facts = self.facts;
        match facts.expr(callee) {
            Expr::Attr(base, name) => {
                let receiver = self.eval(*base, scope, at);
                let word = facts.name(*name);
                receiver.map(|r| match r {
                    Ty::Many(shape, inner) => {
                        known::wrapper_method(self.system(), *shape, inner, word).unwrap_or(Ty::External)
                    }
                    Ty::Tuple(_) => Ty::External,
                    Ty::External => self.outside_call(word, args, scope, at),
                    // `#[derive(Default)]`
                    Ty::Class(c)
                        if word == "default"
                            && self.system() == ModuleSystem::Rust
                            && self.p.find_member(*c, self.gid(*name)).is_none() =>
                    {
                        Ty::Instance(*c, true)
                    }
                    _ => {
                        let f = self.member(r, *name);
                        self.call_ty(&f, r)
                    }
                })
            }
            Expr::Name(name) => {
                let word = facts.name(*name);
                match self.name_ty(*name, scope, at) {
                    Ty::External => self.outside_call(word, args, scope, at),
                    f => {
                        let receiver = self.enclosing(scope).filter(|_| self.p.semantics(self.file).implicit_this);
                        self.call_ty(&f, &receiver.map_or(Ty::Unknown, Ty::This))
                    }
                }
            }
            _ => {
                let f = self.eval(callee, scope, at);
                self.call_ty(&f, &Ty::Unknown)
            }
        }
    }

    /// A call of a function from outside of the project.
    fn outside_call(&mut self, word: &str, args: &[ExprId], scope: SymbolIdx, at: At) -> Ty {
        if word == "cast" && self.system() == ModuleSystem::Python {
            return args.first().map_or(Ty::Unknown, |&a| self.annotation(a, scope));
        }
        let first = args.first().map(|&a| self.eval(a, scope, at));
        match known::builtin_call(self.system(), word, first.as_ref()) {
            Some(ty) => ty,
            // Dynamic: may be anything.
            None if matches!(word, "getattr" | "next" | "min" | "max" | "vars" | "eval") => Ty::Unknown,
            None => Ty::External,
        }
    }

    /// What a call of a value gives.
    pub(crate) fn call_ty(&mut self, f: &Ty, receiver: &Ty) -> Ty {
        f.map(|t| match t {
            Ty::Func(s) => {
                let ty = self.slot(self.p.slots.value(*s));
                ty.bind_this(receiver)
            }
            Ty::Class(c) if self.p.sym(*c).kind == SymbolKind::Namespace => Ty::Unknown,
            Ty::Class(c) => Ty::Instance(*c, true),
            Ty::ThisClass(c) => Ty::This(*c),
            Ty::Returns(ty) => (**ty).clone(),
            Ty::External => Ty::External,
            Ty::Instance(..) | Ty::This(_) if self.system() == ModuleSystem::Python => {
                self.dunder(t, self.p.well_known.call)
            }
            Ty::Instance(..) | Ty::This(_) => t.clone(),
            Ty::Module(m) => match self.p.module_default(*m) {
                Some(def) => {
                    let f = self.def_ty(def);
                    if matches!(f, Ty::Module(_)) { Ty::Unknown } else { self.call_ty(&f, receiver) }
                }
                None => Ty::Unknown,
            },
            _ => Ty::Unknown,
        })
    }
}
