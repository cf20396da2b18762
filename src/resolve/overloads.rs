//! Several definitions of one name in one scope: overloads, inherent and trait methods, definitions under conditions.

use super::infer::Eval;
use super::linking::Trail;
use super::lookup::Found;
use super::scopes::{At, What};
use super::types::{SymId, Ty};
use crate::facts::*;
use crate::lang::ModuleSystem;

/// More definitions than this are not told apart.
const MAX_TARGETS: usize = 4;

/// What a call is written with, as far as it picks between definitions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'c> {
    /// Number of arguments; 255 when a spread makes it unknown.
    pub args: u8,
    /// The first of them.
    pub values: &'c [ExprId],
    /// Where it stands.
    pub scope: SymbolIdx,
    /// Its line.
    pub line: u32,
    /// What a method is called on.
    pub receiver: Option<ExprId>,
}

impl<'c> Site<'c> {
    pub(crate) fn of(call: &'c CallFact) -> Self {
        Site { args: call.args, values: &call.values, scope: call.caller, line: call.line, receiver: None }
    }
}

impl Eval<'_, '_> {
    /// The definitions of a function's name in its scope that fit a call.
    pub(crate) fn siblings(&mut self, s: SymId, site: Site<'_>) -> Vec<SymId> {
        let holder = self.p.classes.holder[s.0 as usize];
        let group = holder.and_then(|h| self.p.classes.own(h, self.p.sym_gid(s)));
        let found = group.map_or(Vec::new(), |g| self.overloads(&self.p.classes.group(g).syms, site));
        if found.is_empty() { vec![s] } else { found }
    }

    /// Which of several definitions of one name a call means: one, or those that cannot be told apart.
    pub(crate) fn overloads(&mut self, syms: &[SymId], site: Site<'_>) -> Vec<SymId> {
        let callable: Vec<SymId> = syms.iter().copied().filter(|s| self.p.sym(*s).kind.is_callable()).collect();
        if callable.len() < 2 {
            return callable;
        }
        let concrete: Vec<SymId> = callable.iter().copied().filter(|s| !self.p.sym(*s).flags.is_abstract).collect();
        match self.system() {
            ModuleSystem::Java => self.java_overloads(&callable, site),
            ModuleSystem::Rust => {
                // A type's own method goes before those of its traits.
                let inherent: Vec<SymId> =
                    concrete.iter().copied().filter(|s| !self.p.sym(*s).flags.of_trait).collect();
                let mut found = [inherent, concrete].into_iter().find(|l| !l.is_empty()).unwrap_or(callable);
                found.truncate(MAX_TARGETS);
                found
            }
            _ if concrete.iter().any(|s| self.p.sym(*s).flags.conditional) => {
                let mut found = concrete;
                found.truncate(MAX_TARGETS);
                found
            }
            _ => concrete.last().or(callable.first()).copied().into_iter().collect(),
        }
    }

    fn java_overloads(&mut self, callable: &[SymId], site: Site<'_>) -> Vec<SymId> {
        if site.args == 255 {
            return callable.iter().copied().take(MAX_TARGETS).collect();
        }
        let args = site.args as usize;
        let params = |s: &SymId| &self.p.sym(*s).params;
        let variadic = |s: &SymId| params(s).last().is_some_and(|p| p.variadic) && params(s).len() <= args + 1;
        // Java looks at methods of fixed arity first (JLS 15.12.2).
        let fixed: Vec<SymId> = callable.iter().copied().filter(|s| params(s).len() == args && !variadic(s)).collect();
        let open: Vec<SymId> = callable.iter().copied().filter(variadic).collect();
        let mut best: Vec<SymId> = Vec::new();
        for phase in [&fixed, &open] {
            let mut score = None;
            for &s in phase {
                let Some(fits) = self.java_fits(s, site) else { continue };
                if score.is_none_or(|best| fits > best) {
                    score = Some(fits);
                    best.clear();
                }
                if score == Some(fits) {
                    best.push(s);
                }
            }
            if !best.is_empty() {
                break;
            }
        }
        // What fits none of them was not understood.
        if best.is_empty() {
            best = if fixed.is_empty() { open } else { fixed };
        }
        if best.is_empty() {
            best = callable.to_vec();
        }
        best.truncate(MAX_TARGETS);
        best
    }

    /// How well a call's arguments fit a method's parameters; `None` when one of them cannot be right.
    fn java_fits(&mut self, s: SymId, site: Site<'_>) -> Option<u32> {
        let fact = self.p.sym(s);
        let mut score = 0;
        for (i, &value) in site.values.iter().enumerate() {
            let param = fact.params.get(i).or(fact.params.last())?;
            let Some(ty) = param.ty else { continue };
            score += self.java_argument(value, site, s, ty, param.variadic)?;
        }
        Some(score)
    }

    fn java_argument(
        &mut self,
        value: ExprId,
        site: Site<'_>,
        method: SymId,
        ty: ExprId,
        variadic: bool,
    ) -> Option<u32> {
        let file = self.p.file_of(method);
        let wanted = self.p.facts(file);
        let ty = match wanted.expr(ty) {
            // An element of what is written `T...`.
            Expr::Generic(_, inner) if variadic => *inner.first()?,
            _ => ty,
        };
        let name = match wanted.expr(ty) {
            Expr::Name(n) | Expr::Attr(_, n) => wanted.name(*n),
            _ => "",
        };
        let type_param = |s: SymId| {
            let parent = self.p.sym(s).parent.map(|p| self.p.sym_id(file, p));
            [Some(s), parent]
                .into_iter()
                .flatten()
                .any(|s| self.p.sym(s).type_params.iter().any(|(n, _)| wanted.name(*n) == name))
        };
        let literal = self.literal(value, site);
        if name == "Object" || type_param(method) {
            return (literal != Some(LiteralKind::Function)).then_some(0);
        }
        // Nothing else takes what is cast to `Object`, or declared as one.
        if self.declared_name(value, site) == Some("Object") {
            return None;
        }
        match (literal, wanted.expr(ty)) {
            // `null` is anything but a number or a truth value.
            (Some(LiteralKind::None), Expr::Literal(LiteralKind::Number | LiteralKind::Bool)) => return None,
            (Some(LiteralKind::None), _) => return Some(0),
            (Some(LiteralKind::Function), Expr::Literal(_)) => return None,
            // A lambda is an instance of an interface.
            (Some(LiteralKind::Function), _) => {
                let wanted = Eval::new(self.p, file).annotation(ty, self.p.idx_of(method));
                let interface = wanted.class().is_none_or(|c| self.p.sym(c).kind == SymbolKind::Interface);
                return interface.then_some(1);
            }
            (Some(a), Expr::Literal(b)) => return (a == *b).then_some(3),
            (Some(LiteralKind::Str), _) => {
                return matches!(name, "CharSequence" | "Comparable" | "Serializable").then_some(2);
            }
            (Some(LiteralKind::Number), _) => return (name == "Number").then_some(2),
            (Some(_), _) => return None,
            _ => {}
        }
        let given = self.eval(value, site.scope, At::line(site.line));
        let wanted_ty = Eval::new(self.p, file).annotation(ty, self.p.idx_of(method));
        match (given.class(), wanted_ty.class(), &given) {
            (Some(a), Some(b), _) if a == b => Some(3),
            (Some(a), Some(b), _) => {
                let class = self.p.classes.get(a)?;
                (class.mro.contains(&b) || class.unknown).then_some(2)
            }
            // One of the project is no number, text, or class of the library, unless it derives from one.
            (Some(a), None, _) => {
                let foreign = self.p.classes.get(a).is_some_and(|c| c.external || c.unknown);
                (!matches!(wanted.expr(ty), Expr::Literal(_)) && (foreign || wanted_ty != Ty::External)).then_some(0)
            }
            (None, _, Ty::Many(..)) if matches!(wanted.expr(ty), Expr::Literal(_)) => None,
            _ => Some(0),
        }
    }

    /// The builtin type of an argument: a literal, or a variable that is declared as one.
    fn literal(&self, value: ExprId, site: Site<'_>) -> Option<LiteralKind> {
        match self.facts.expr(self.written(value, site)?) {
            Expr::Literal(kind) => Some(*kind),
            _ => None,
        }
    }

    /// The name of the type that an argument is made as, cast to, or declared as.
    fn declared_name(&self, value: ExprId, site: Site<'_>) -> Option<&str> {
        let facts = self.facts;
        let written = self.written(value, site)?;
        let ty = match facts.expr(written) {
            Expr::New(ty) => *ty,
            _ if written != value => written,
            _ => return None,
        };
        match facts.expr(ty) {
            Expr::Name(name) => Some(facts.name(*name)),
            _ => None,
        }
    }

    /// What says of which type an argument is: itself, or for a variable its type or its value.
    fn written(&self, value: ExprId, site: Site<'_>) -> Option<ExprId> {
        let facts = self.facts;
        let Expr::Name(name) = facts.expr(value) else { return Some(value) };
        let found = self.p.lookup(self.file, site.scope, *name, At::line(site.line), &mut Trail::new());
        let Found::Local(entries) = found else { return None };
        match entries.first()?.what {
            What::Param(i) => facts.symbol(entries[0].scope).params.get(i as usize)?.ty,
            What::Bind(b) => {
                let bind = &facts.binds[b as usize];
                Some(bind.ty.unwrap_or(bind.value))
            }
            _ => None,
        }
    }
}
