//! From annotations to types.

use super::infer::Eval;
use super::known::{self, Role};
use super::lookup::Found;
use super::project::Def;
use super::scopes::At;
use super::types::Ty;
use crate::facts::*;
use crate::lang::ModuleSystem;

impl Eval<'_, '_> {
    /// The type that an expression in type position stands for.
    pub(crate) fn annotation(&mut self, expr: ExprId, scope: SymbolIdx) -> Ty {
        if !self.descend() {
            return Ty::Unknown;
        }
        let ty = self.annotation_inner(expr, scope);
        self.ascend();
        ty
    }

    fn annotation_inner(&mut self, expr: ExprId, scope: SymbolIdx) -> Ty {
        let facts = self.facts;
        match facts.expr(expr) {
            Expr::Name(name) => self.named_type(*name, scope),
            Expr::Attr(base, name) => {
                if facts.name(*name) == "Self" && self.system() == ModuleSystem::Python {
                    return self.self_type(scope);
                }
                match self.p.static_class(self.file, scope, expr) {
                    Some(def) => self.type_of_def(def),
                    None => {
                        let base = self.eval(*base, scope, At::END);
                        let ty = self.member(&base, *name);
                        as_instance(&ty)
                    }
                }
            }
            Expr::Generic(base, args) => self.generic_type(*base, args, scope),
            Expr::Union(parts) => Ty::join(parts.iter().map(|&p| self.annotation(p, scope)).collect::<Vec<_>>()),
            Expr::Literal(LiteralKind::None) => Ty::None,
            Expr::Literal(_) => Ty::External,
            Expr::Container(kind, parts) => {
                let inner = Ty::join(parts.iter().map(|&p| self.annotation(p, scope)).collect::<Vec<_>>());
                Ty::many(
                    if *kind == LiteralKind::Map { super::types::Shape::Map } else { super::types::Shape::Seq },
                    inner,
                )
            }
            Expr::SelfRef | Expr::SelfType => self.self_type(scope),
            Expr::TypeOf(inner) => {
                let ty = self.annotation(*inner, scope);
                ty.map(|t| match t {
                    Ty::Instance(c, _) => Ty::Class(*c),
                    Ty::This(c) => Ty::ThisClass(*c),
                    other => other.clone(),
                })
            }
            Expr::Function(s) => Ty::Func(self.p.sym_id(self.file, *s)),
            Expr::Element(inner) | Expr::Index(inner) => {
                let ty = self.annotation(*inner, scope);
                self.element(&ty)
            }
            Expr::Await(inner) => {
                let ty = self.annotation(*inner, scope);
                self.awaited(&ty)
            }
            _ => Ty::Unknown,
        }
    }

    fn self_type(&self, scope: SymbolIdx) -> Ty {
        match self.p.classes.enclosing[self.p.sym_id(self.file, scope).0 as usize] {
            Some(c) => Ty::This(c),
            None => Ty::Unknown,
        }
    }

    fn named_type(&mut self, name: Name, scope: SymbolIdx) -> Ty {
        // Type parameters of the symbols around.
        let facts = self.facts;
        let mut s = Some(scope);
        while let Some(idx) = s {
            let symbol = facts.symbol(idx);
            if let Some(i) = symbol.type_params.iter().position(|(n, _)| *n == name) {
                let bound = symbol.type_params[i].1;
                let bound =
                    bound.map_or(Ty::Unknown, |b| self.annotation(b, symbol.parent.unwrap_or(SymbolIdx::MODULE)));
                if bound.is_unknown() && symbol.kind.is_type() {
                    return Ty::Param(self.p.sym_id(self.file, idx), i as u8);
                }
                return bound;
            }
            s = symbol.parent;
        }
        match self.p.lookup(self.file, scope, name, At::END, &mut Vec::new()) {
            Found::Def(def) => self.type_of_def(def),
            Found::Local(entries) => {
                let ty = self.entries_ty(entries);
                as_instance(&ty)
            }
            Found::Member(class) => {
                let ty = self.member(&Ty::Class(class), name);
                as_instance(&ty)
            }
            Found::Builtin | Found::External => self.outside_type(name, scope),
            Found::Nothing => Ty::Unknown,
        }
    }

    fn outside_type(&self, name: Name, scope: SymbolIdx) -> Ty {
        match self.facts.name(name) {
            "Self" => self.self_type(scope),
            "Any" | "any" | "unknown" | "object" => Ty::Unknown,
            "None" => Ty::None,
            _ => Ty::External,
        }
    }

    /// An instance of what a definition names.
    pub(crate) fn type_of_def(&mut self, def: Def) -> Ty {
        match def {
            Def::Sym(s) => {
                let fact = self.p.sym(s);
                match fact.kind {
                    // An object type with members of its own.
                    SymbolKind::TypeAlias if self.p.classes.has_members(s) => Ty::Instance(s, false),
                    SymbolKind::TypeAlias => self.slot(self.p.slots.value(s)),
                    k if k.is_type() => Ty::Instance(s, false),
                    _ => {
                        let ty = self.sym_ty(s);
                        as_instance(&ty)
                    }
                }
            }
            Def::External => Ty::External,
            Def::Missing | Def::Module(_) => Ty::Unknown,
            Def::Var(_) => {
                let ty = self.def_ty(def);
                as_instance(&ty)
            }
        }
    }

    fn generic_type(&mut self, base: ExprId, args: &[ExprId], scope: SymbolIdx) -> Ty {
        let facts = self.facts;
        let def = self.p.static_class(self.file, scope, base);
        if let Some(Def::Sym(s)) = def {
            let fact = self.p.sym(s);
            if fact.kind.is_type() && fact.kind != SymbolKind::TypeAlias && !fact.type_params.is_empty() {
                let args: Vec<Ty> = args.iter().map(|&a| self.annotation(a, scope)).collect();
                return Ty::Applied(s, args.into());
            }
            return self.type_of_def(Def::Sym(s));
        }
        let name = match facts.expr(base) {
            Expr::Name(n) | Expr::Attr(_, n) => facts.name(*n),
            // `[]T`, `T[]`, `map[K]V`.
            Expr::Literal(LiteralKind::List | LiteralKind::Set) => {
                let inner = Ty::join(args.iter().map(|&a| self.annotation(a, scope)).collect::<Vec<_>>());
                return Ty::many(super::types::Shape::Seq, inner);
            }
            Expr::Literal(LiteralKind::Map) => {
                let inner = args.last().map_or(Ty::Unknown, |&a| self.annotation(a, scope));
                return Ty::many(super::types::Shape::Map, inner);
            }
            Expr::Literal(_) => return Ty::External,
            _ => return Ty::Unknown,
        };
        let pick = |i: i8| match i {
            -2 if args.len() > 1 => None,
            i if i < 0 => args.last().copied(),
            i => args.get(i as usize).copied(),
        };
        match known::generic(self.system(), name) {
            Some(Role::Many(shape, -2)) if args.len() > 1 => {
                let parts: Vec<Ty> = args.iter().map(|&a| self.annotation(a, scope)).collect();
                // `tuple[A, ...]`
                match (&parts[..], facts.expr(args[1])) {
                    ([one, _], Expr::Unknown) => Ty::many(shape, one.clone()),
                    _ => Ty::Tuple(parts.into()),
                }
            }
            Some(Role::Many(shape, i)) => {
                let inner = match pick(i) {
                    Some(a) => self.annotation(a, scope),
                    None => Ty::join(args.iter().map(|&a| self.annotation(a, scope)).collect::<Vec<_>>()),
                };
                Ty::many(shape, inner)
            }
            Some(Role::Same(i)) => pick(i).map_or(Ty::Unknown, |a| self.annotation(a, scope)),
            Some(Role::AnyOf) => Ty::join(args.iter().map(|&a| self.annotation(a, scope)).collect::<Vec<_>>()),
            Some(Role::Class) => {
                let ty = pick(0).map_or(Ty::Unknown, |a| self.annotation(a, scope));
                ty.map(|t| t.class().map_or(Ty::Unknown, Ty::Class))
            }
            Some(Role::Function) => {
                let ty = args.last().map_or(Ty::Unknown, |&a| self.annotation(a, scope));
                Ty::Returns(ty.into())
            }
            None if matches!(def, Some(Def::External)) => Ty::External,
            None => Ty::Unknown,
        }
    }
}

/// A class named in type position means its instances.
pub(crate) fn as_instance(ty: &Ty) -> Ty {
    ty.map(|t| match t {
        Ty::Class(c) => Ty::Instance(*c, false),
        Ty::ThisClass(c) => Ty::This(*c),
        Ty::Func(_) | Ty::Module(_) => Ty::Unknown,
        other => other.clone(),
    })
}
