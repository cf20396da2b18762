//! Which of Java's overloads a call means (JLS 15.12.2), from the static types of its arguments.

use super::infer::Eval;
use super::java_library::{constant, gives};
use super::java_types::{Fit, Static, promoted};
use super::linking::Trail;
use super::lookup::Found;
use super::names::Gid;
use super::overloads::{MAX_TARGETS, Site};
use super::project::Def;
use super::scopes::{At, What};
use super::types::{SymId, Ty};
use crate::facts::*;

const MAX_DEPTH: u32 = 12;

/// An overload that a call may mean.
struct Candidate<'a> {
    method: SymId,
    params: Vec<Static<'a>>,
    /// How its parameters take the arguments, the worst of them; those that nothing is known of are left out.
    fit: Fit,
    /// A known argument fits it only perhaps.
    doubtful: bool,
}

impl<'a> Eval<'_, 'a> {
    pub(crate) fn java_overloads(&mut self, callable: &[SymId], site: Site<'_>) -> Vec<SymId> {
        if site.args == 255 {
            return callable.iter().copied().take(MAX_TARGETS).collect();
        }
        let args = site.args as usize;
        let params = |s: &SymId| &self.p.sym(*s).params;
        // Methods are taken as of fixed arity first, then those with `T...`.
        let fixed: Vec<SymId> = callable.iter().copied().filter(|s| params(s).len() == args).collect();
        let variadic = |s: &SymId| params(s).last().is_some_and(|p| p.variadic) && params(s).len() <= args + 1;
        let open: Vec<SymId> = callable.iter().copied().filter(variadic).collect();
        let plain = fixed.iter().filter(|s| !variadic(s)).count();
        if plain == 1 && fixed.len() == 1 && open.is_empty() {
            return fixed;
        }
        let given: Vec<Static<'a>> =
            site.values.iter().map(|&v| self.java_static(v, site.scope, site.line, MAX_DEPTH)).collect();
        let mut best = self.java_most_specific(&fixed, &given, args, false);
        if best.is_empty() {
            best = self.java_most_specific(&open, &given, args, true);
        }
        // What fits none of them was not understood.
        for other in [&fixed[..], &open[..], callable] {
            if best.is_empty() {
                best = other.to_vec();
            }
        }
        best.truncate(MAX_TARGETS);
        best
    }

    fn java_most_specific(&self, methods: &[SymId], given: &[Static<'a>], args: usize, spread: bool) -> Vec<SymId> {
        let all: Vec<Candidate<'a>> =
            methods.iter().filter_map(|&s| self.java_candidate(s, given, args, spread)).collect();
        let strict = |c: &&Candidate<'_>| c.fit >= Fit::Strict;
        let sure = |c: &&Candidate<'_>| !c.doubtful;
        let mut pool: Vec<&Candidate<'a>> = all.iter().filter(strict).filter(sure).collect();
        // Of what is known for sure nothing is exact: what is only perhaps right may be closer.
        if !pool.iter().any(|c| c.fit == Fit::Same) {
            pool.extend(all.iter().filter(strict).filter(|c| c.doubtful));
        }
        if pool.is_empty() {
            pool = all.iter().collect();
        }
        let beats = |a: &Candidate<'a>, b: &Candidate<'a>| {
            a.params.iter().zip(&b.params).enumerate().all(|(i, (x, y))| {
                x == y
                    || match given.get(i) {
                        // A variable-arity tail is compared as far as it is written.
                        None if i >= args => true,
                        None | Some(Static::Unknown | Static::Function) => false,
                        Some(_) => self.java_fit(x, y) >= Fit::Strict,
                    }
            })
        };
        let best = pool.iter().find(|a| pool.iter().all(|b| a.method == b.method || beats(a, b)));
        match best {
            Some(one) => vec![one.method],
            None => pool.iter().map(|c| c.method).collect(),
        }
    }

    fn java_candidate(&self, s: SymId, given: &[Static<'a>], args: usize, spread: bool) -> Option<Candidate<'a>> {
        let (fact, file, scope) = (self.p.sym(s), self.p.file_of(s), self.p.idx_of(s));
        let written = |p: &ParamFact| p.ty.map_or(Static::Unknown, |t| self.p.java_written(file, scope, t));
        let mut params: Vec<Static<'a>> = fact.params.iter().map(written).collect();
        if spread {
            let element = match params.pop() {
                Some(Static::Array(inner)) => *inner,
                _ => Static::Unknown,
            };
            while params.len() < args.max(fact.params.len()) {
                params.push(element.clone());
            }
        }
        let (mut fit, mut doubtful) = (Fit::Same, false);
        for (given, wanted) in given.iter().zip(&params) {
            match self.p.java_fit(given, wanted) {
                Fit::No => return None,
                Fit::Maybe => doubtful |= *given != Static::Unknown,
                one => fit = fit.min(one),
            }
        }
        Some(Candidate { method: s, params, fit, doubtful })
    }

    fn java_fit(&self, given: &Static<'a>, wanted: &Static<'a>) -> Fit {
        self.p.java_fit(given, wanted)
    }

    /// The static type of a value.
    fn java_static(&mut self, value: ExprId, scope: SymbolIdx, line: u32, depth: u32) -> Static<'a> {
        if depth == 0 || !self.descend() {
            return Static::Unknown;
        }
        let known = self.java_static_inner(value, scope, line, depth);
        self.ascend();
        known
    }

    fn java_static_inner(&mut self, value: ExprId, scope: SymbolIdx, line: u32, depth: u32) -> Static<'a> {
        let facts = self.facts;
        let known = match facts.expr(value) {
            Expr::Literal(LiteralKind::Str) => Static::Library("String"),
            Expr::Literal(LiteralKind::None) => Static::Null,
            Expr::Literal(LiteralKind::Function) => Static::Function,
            Expr::Literal(LiteralKind::Number) => Static::Unknown,
            Expr::Literal(kind) => Static::Primitive(*kind),
            Expr::Name(name) => self.java_name(*name, scope, line, depth),
            Expr::Attr(base, name) => self.java_attr(*base, *name, scope, line, depth),
            Expr::Call(callee, args) => self.java_result(*callee, args, scope, line, depth),
            Expr::New(ty) => self.p.java_written(self.file, scope, *ty),
            Expr::Index(base) | Expr::Element(base) => match self.java_static(*base, scope, line, depth - 1) {
                Static::Array(inner) => *inner,
                _ => Static::Unknown,
            },
            Expr::TypeOf(_) => Static::Library("Class"),
            Expr::Union(parts) => {
                let mut parts = parts.iter();
                let first = parts.next().map(|&p| self.java_static(p, scope, line, depth - 1));
                let mut all = first.unwrap_or(Static::Unknown);
                for &part in parts {
                    all = promoted(all, self.java_static(part, scope, line, depth - 1));
                }
                all
            }
            Expr::Container(LiteralKind::List, _) => Static::Array(Box::new(Static::Unknown)),
            _ => Static::Unknown,
        };
        match known {
            Static::Unknown => {
                let ty = self.eval(value, scope, At::line(line));
                match ty {
                    Ty::Instance(c, _) | Ty::This(c) | Ty::Applied(c, _) => Static::Class(c),
                    _ => Static::Unknown,
                }
            }
            known => known,
        }
    }

    fn java_name(&mut self, name: Name, scope: SymbolIdx, line: u32, depth: u32) -> Static<'a> {
        let (p, facts) = (self.p, self.facts);
        match p.lookup(self.file, scope, name, At::line(line), &mut Trail::new()) {
            Found::Local(entries) => {
                let narrowed =
                    |what: What| matches!(what, What::Bind(b) if facts.binds[b as usize].kind == BindKind::Narrow);
                // `instanceof` does not change what a variable was declared as.
                let declared = || {
                    let all = p.scopes[self.file.0 as usize].of(entries[0].scope, name);
                    all.iter().rev().find(|e| !narrowed(e.what) && e.line <= line)
                };
                let entry = if narrowed(entries[0].what) { declared().unwrap_or(&entries[0]) } else { &entries[0] };
                match entry.what {
                    What::Param(i) => match facts.symbol(entry.scope).params.get(i as usize).and_then(|p| p.ty) {
                        Some(ty) => p.java_written(self.file, entry.scope, ty),
                        None => Static::Unknown,
                    },
                    What::Bind(b) => {
                        let bind = &facts.binds[b as usize];
                        match bind.ty {
                            Some(ty) => p.java_written(self.file, bind.scope, ty),
                            None => self.java_static(bind.value, bind.scope, bind.line, depth - 1),
                        }
                    }
                    What::Symbol(s) if facts.symbol(s).kind.is_type() => Static::Function,
                    _ => Static::Unknown,
                }
            }
            Found::Member(class) => self.java_field(class, self.gid(name)),
            Found::Def(Def::Sym(s)) if p.sym(s).kind.is_type() => Static::Function,
            Found::Def(Def::Sym(s)) => match p.classes.holder[s.0 as usize] {
                Some(class) => self.java_field(class, p.sym_gid(s)),
                None => Static::Unknown,
            },
            _ => Static::Unknown,
        }
    }

    fn java_attr(&mut self, base: ExprId, name: Name, scope: SymbolIdx, line: u32, depth: u32) -> Static<'a> {
        let word = self.facts.name(name);
        match self.java_receiver(base, scope, line, depth) {
            Static::Array(_) if word == "length" => Static::Primitive(LiteralKind::Int),
            Static::Class(c) => self.java_field(c, self.gid(name)),
            Static::Library(class) => constant(class, word),
            _ => Static::Unknown,
        }
    }

    /// What a member is taken of: the class that is named, or the type of a value.
    fn java_receiver(&mut self, base: ExprId, scope: SymbolIdx, line: u32, depth: u32) -> Static<'a> {
        let facts = self.facts;
        match facts.expr(base) {
            Expr::SelfRef => self.java_enclosing(scope),
            Expr::Literal(LiteralKind::Str) => Static::Library("String"),
            Expr::Name(_) | Expr::Attr(..) => {
                let as_value = self.java_static(base, scope, line, depth - 1);
                if !matches!(as_value, Static::Unknown | Static::Function) {
                    return as_value;
                }
                let (Expr::Name(name) | Expr::Attr(_, name)) = facts.expr(base) else { return as_value };
                match self.p.static_class(self.file, scope, base) {
                    Some(Def::Sym(s)) if self.p.sym(s).kind.is_type() => Static::Class(s),
                    Some(Def::External) if facts.name(*name).starts_with(char::is_uppercase) => {
                        Static::Library(facts.name(*name))
                    }
                    _ => Static::Unknown,
                }
            }
            Expr::Super => match self.java_enclosing(scope) {
                Static::Class(c) => match self.p.classes.get(c).and_then(|c| c.mro.get(1)) {
                    Some(&base) => Static::Class(base),
                    None => Static::Unknown,
                },
                other => other,
            },
            _ => self.java_static(base, scope, line, depth - 1),
        }
    }

    fn java_enclosing(&self, scope: SymbolIdx) -> Static<'a> {
        let class = self.p.classes.enclosing[self.p.sym_id(self.file, scope).0 as usize];
        class.map_or(Static::Unknown, Static::Class)
    }

    /// The declared type of a field; a method of that name is one that is passed by reference.
    fn java_field(&self, class: SymId, gid: Gid) -> Static<'a> {
        let p = self.p;
        let Some((holder, group)) = p.find_member(class, gid) else { return Static::Unknown };
        let group = p.classes.group(group);
        for &(file, i) in &group.attrs {
            let attr = &p.facts(file).attrs[i as usize];
            if let Some(ty) = attr.ty {
                return p.java_written(file, attr.class, ty);
            }
        }
        match group.syms.first().map(|s| p.sym(*s).kind) {
            Some(SymbolKind::EnumMember) => Static::Class(holder),
            Some(SymbolKind::Method) => Static::Function,
            _ => Static::Unknown,
        }
    }

    /// What a call gives.
    fn java_result(&mut self, callee: ExprId, args: &[ExprId], scope: SymbolIdx, line: u32, depth: u32) -> Static<'a> {
        let (p, facts) = (self.p, self.facts);
        let (receiver, name) = match facts.expr(callee) {
            Expr::Name(name) => match p.lookup(self.file, scope, *name, At::line(line), &mut Trail::new()) {
                Found::Member(class) => (Static::Class(class), *name),
                Found::Def(Def::Sym(s)) => match p.classes.holder[s.0 as usize] {
                    Some(class) => (Static::Class(class), *name),
                    None => return Static::Unknown,
                },
                _ => return Static::Unknown,
            },
            Expr::Attr(base, name) => (self.java_receiver(*base, scope, line, depth), *name),
            _ => return Static::Unknown,
        };
        let word = facts.name(name);
        let Static::Class(class) = receiver else { return gives(&receiver, word) };
        let Some((_, group)) = p.find_member(class, self.gid(name)) else {
            return if word == "getClass" || p.classes.get(class).is_some_and(|c| c.external) {
                gives(&receiver, word)
            } else {
                Static::Unknown
            };
        };
        let methods: Vec<SymId> =
            p.classes.group(group).syms.iter().copied().filter(|s| p.sym(*s).kind.is_callable()).collect();
        if args.len() == MOST_ARGUMENTS && methods.len() > 1 {
            // There may be more.
            return Static::Unknown;
        }
        let mut returned: Option<Static<'a>> = None;
        for &s in &methods {
            let one = self.java_returned(s, &[]);
            match &returned {
                Some(other) if *other != one => {
                    // It depends on the overload.
                    let given: Vec<Static<'a>> =
                        args.iter().map(|&a| self.java_static(a, scope, line, depth - 1)).collect();
                    let fits: Vec<SymId> =
                        methods.iter().copied().filter(|s| p.sym(*s).params.len() == given.len()).collect();
                    return match self.java_most_specific(&fits, &given, given.len(), false)[..] {
                        [one] => self.java_returned(one, &given),
                        _ => Static::Unknown,
                    };
                }
                _ => returned = Some(one),
            }
        }
        match (returned, &methods[..]) {
            // A type parameter may be told from the arguments.
            (Some(Static::Unknown), [one]) => {
                let given: Vec<Static<'a>> =
                    args.iter().map(|&a| self.java_static(a, scope, line, depth - 1)).collect();
                self.java_returned(*one, &given)
            }
            (returned, _) => returned.unwrap_or(Static::Unknown),
        }
    }

    /// What a method is declared to return; for a type parameter, what the arguments say of it.
    fn java_returned(&self, s: SymId, given: &[Static<'a>]) -> Static<'a> {
        let p = self.p;
        let (fact, file) = (p.sym(s), p.file_of(s));
        let Some(returns) = fact.returns else { return Static::Unknown };
        let facts = p.facts(file);
        let element = |ty: ExprId| match facts.expr(ty) {
            Expr::Generic(head, inner) if matches!(facts.expr(*head), Expr::Literal(LiteralKind::List)) => {
                inner.first().copied()
            }
            _ => None,
        };
        let param = |ty: ExprId| match facts.expr(ty) {
            Expr::Name(name) => p.java_type_param(file, p.idx_of(s), *name).map(|_| *name),
            _ => None,
        };
        let (array, wanted) = match element(returns) {
            Some(inner) => (true, param(inner)),
            None => (false, param(returns)),
        };
        let Some(wanted) = wanted else { return p.java_written(file, p.idx_of(s), returns) };
        for (given, declared) in given.iter().zip(&fact.params) {
            let Some(ty) = declared.ty else { continue };
            let one = match (param(ty) == Some(wanted), element(ty).and_then(param) == Some(wanted), given) {
                (true, _, Static::Class(_) | Static::Library(_) | Static::Array(_)) => given.clone(),
                (_, true, Static::Array(inner)) if !matches!(**inner, Static::Primitive(_)) => (**inner).clone(),
                _ => continue,
            };
            return if array { Static::Array(Box::new(one)) } else { one };
        }
        if array { Static::Array(Box::new(Static::Unknown)) } else { Static::Unknown }
    }
}
