//! From a name at a place to what it stands for, by the language's scope rules.

use super::linking::Trail;
use super::modules::Target;
use super::project::{Def, Project, pair};
use super::scopes::{At, Entry, What, visible};
use super::types::SymId;
use crate::facts::*;
use crate::lang::ModuleSystem;
use crate::rows::FileNo;

/// Longer chains of aliases are not followed.
pub(crate) const ALIAS_DEPTH: u32 = 8;

/// What a name in a scope is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found<'p> {
    /// A module-level definition, here or elsewhere.
    Def(Def),
    /// Bound in a function's scope: parameters, variables, local imports and definitions.
    Local(&'p [Entry]),
    /// A member of this enclosing class, by the language's implicit `this`.
    Member(SymId),
    /// Always there.
    Builtin,
    /// A star import from outside may bring it.
    External,
    /// Nothing of that name.
    Nothing,
}

impl<'a> Project<'a> {
    /// Looks a name up from the innermost scope outwards.
    pub(crate) fn lookup(&self, file: FileNo, scope: SymbolIdx, name: Name, at: At, trail: &mut Trail) -> Found<'_> {
        let facts = self.facts(file);
        let scopes = &self.scopes[file.0 as usize];
        let semantics = self.semantics(file);
        if semantics.modules == ModuleSystem::Rust
            && let Some(def) = self.path_word(file, scope, facts.name(name))
        {
            return Found::Def(def);
        }
        let mut s = scope;
        loop {
            let symbol = facts.symbol(s);
            let Some(parent) = symbol.parent else { break };
            let is_class = symbol.kind.is_type();
            if semantics.implicit_this && is_class && self.classes.is_built() {
                let class = self.sym_id(file, s);
                // A constructor has its class's name, and is no member of what inherits.
                let named = |g: u32| {
                    let group = self.classes.group(g);
                    !group.attrs.is_empty() || group.syms.iter().any(|s| !self.sym(*s).flags.is_constructor)
                };
                if self.find_member(class, self.gid(file, name)).is_some_and(|(_, g)| named(g)) {
                    return Found::Member(class);
                }
            }
            if !is_class || s == scope || semantics.class_scope_visible {
                let entries = scopes.of(s, name);
                if !entries.is_empty() && !entries.iter().any(|e| e.what == What::Outer) {
                    if s != scope {
                        return Found::Local(captured(entries));
                    }
                    if let Some(e) = visible(facts, entries, at) {
                        return Found::Local(std::slice::from_ref(e));
                    }
                }
            }
            s = parent;
        }
        self.lookup_module(file, name, scope == SymbolIdx::MODULE, at, trail)
    }

    fn lookup_module(&self, file: FileNo, name: Name, at_top: bool, at: At, trail: &mut Trail) -> Found<'_> {
        let facts = self.facts(file);
        let entries = self.scopes[file.0 as usize].of(SymbolIdx::MODULE, name);
        let gid = self.gid(file, name);
        if !entries.is_empty() {
            // Code at the top level sees the binding before it, not the last one.
            if at_top
                && entries.iter().all(|e| matches!(e.what, What::Bind(_)))
                && let Some(e) = visible(facts, entries, at)
            {
                return Found::Local(std::slice::from_ref(e));
            }
            if let Some(entry) = self.module_names.get(&pair(file.0, gid)) {
                return Found::Def(self.pick(entry, trail));
            }
        }
        if self.system(file) != ModuleSystem::EcmaScript
            && let Some(def) = self.through_stars(file, gid, trail)
        {
            return Found::Def(def);
        }
        if let Some(group) = self.groups[file.0 as usize]
            && let Some(entry) = self.module_names.get(&pair(group.0, gid))
        {
            return Found::Def(self.pick(entry, trail));
        }
        if self.system(file) == ModuleSystem::Java
            && let Some(def) = self.java_static_star(file, gid, trail)
        {
            return Found::Def(def);
        }
        if let Some(def) = self.ambient(file, name) {
            return Found::Def(def);
        }
        if self.builtins.get(&self.system(file)).is_some_and(|b| b.contains(&gid)) {
            return Found::Builtin;
        }
        if self.external_star[file.0 as usize] { Found::External } else { Found::Nothing }
    }

    /// What an expression names, without any inference: names, modules' and classes' own members.
    pub(crate) fn static_def(&self, file: FileNo, scope: SymbolIdx, expr: ExprId, trail: &mut Trail) -> Option<Def> {
        let facts = self.facts(file);
        match facts.expr(expr) {
            Expr::Name(name) => match self.lookup(file, scope, *name, At::END, trail) {
                Found::Def(def) => Some(def),
                Found::Local(entries) => match entries.last()?.what {
                    What::Symbol(s) => Some(Def::Sym(self.sym_id(file, s))),
                    What::Import(i) => Some(self.import_def(file, i, trail)),
                    What::Bind(b) => {
                        let value = facts.binds[b as usize].value;
                        let step = (u32::MAX - file.0, b);
                        if trail.contains(&step) || trail.len() > 24 {
                            return None;
                        }
                        trail.push(step);
                        let def = self.static_def(file, facts.binds[b as usize].scope, value, trail);
                        trail.pop();
                        def
                    }
                    _ => None,
                },
                Found::Member(class) => self.nested(class, self.gid(file, *name)).map(Def::Sym),
                Found::Builtin | Found::External => Some(Def::External),
                Found::Nothing => None,
            },
            Expr::Attr(base, name) => {
                let gid = self.gid(file, *name);
                match self.static_def(file, scope, *base, trail)? {
                    Def::Module(m) => Some(self.module_member(m, gid, trail).unwrap_or(Def::Missing)),
                    Def::Sym(s) => self.nested_def(s, gid, trail),
                    Def::External => Some(Def::External),
                    _ => None,
                }
            }
            Expr::Generic(base, _) => self.static_def(file, scope, *base, trail),
            Expr::Function(s) => Some(Def::Sym(self.sym_id(file, *s))),
            Expr::Module(name) => match self.module_expr(file, *name) {
                Target::Module(m) => Some(Def::Module(m)),
                Target::External => Some(Def::External),
                Target::Missing => Some(Def::Missing),
            },
            Expr::TypeOf(inner) => self.static_def(file, scope, *inner, trail),
            _ => None,
        }
    }

    /// A class that an expression in type or base position names, followed through plain aliases.
    pub(crate) fn static_class(&self, file: FileNo, scope: SymbolIdx, expr: ExprId) -> Option<Def> {
        let def = self.static_def(file, scope, expr, &mut Trail::new())?;
        let mut def = self.through_aliases(def, ALIAS_DEPTH);
        // `const Base = require("./base")`, and `module.exports = Base` there.
        for _ in 0..ALIAS_DEPTH {
            let Def::Module(m) = def else { break };
            let Some(whole) = self.module_default(m) else { break };
            def = self.through_aliases(whole, ALIAS_DEPTH);
        }
        Some(def)
    }

    /// Is a constant's value the result of a call?
    pub(crate) fn is_made(&self, s: SymId) -> bool {
        let facts = self.facts(self.file_of(s));
        self.sym(s).values.first().is_some_and(|v| matches!(facts.expr(*v), Expr::Call(..) | Expr::New(_)))
    }

    pub(crate) fn through_aliases(&self, def: Def, depth: u32) -> Def {
        if depth == 0 {
            return def;
        }
        let aliased = match def {
            Def::Var(v) => {
                let var = self.vars[v as usize];
                let facts = self.facts(var.file);
                let entries = self.scopes[var.file.0 as usize].of(SymbolIdx::MODULE, var.name);
                entries.iter().rev().find_map(|e| match e.what {
                    What::Bind(b) => {
                        let value = facts.binds[b as usize].value;
                        matches!(
                            facts.expr(value),
                            Expr::Name(_) | Expr::Attr(..) | Expr::Generic(..) | Expr::Module(_)
                        )
                        .then(|| self.static_def(var.file, SymbolIdx::MODULE, value, &mut Trail::new()))
                        .flatten()
                    }
                    _ => None,
                })
            }
            Def::Sym(s) => {
                let (fact, file) = (self.sym(s), self.file_of(s));
                let scope = fact.parent.unwrap_or(SymbolIdx::MODULE);
                let expr = match fact.kind {
                    SymbolKind::TypeAlias => fact.ty.or(fact.values.first().copied()),
                    SymbolKind::Constant | SymbolKind::Variable => fact.values.first().copied(),
                    _ => None,
                };
                expr.and_then(|e| self.static_def(file, scope, e, &mut Trail::new()))
            }
            _ => None,
        };
        match aliased {
            Some(next) if next != def => self.through_aliases(next, depth - 1),
            _ => def,
        }
    }
}

/// What a nested function sees of an outer function's bindings: its definitions and imports, else all values.
fn captured(entries: &[Entry]) -> &[Entry] {
    match entries.iter().rposition(|e| matches!(e.what, What::Symbol(_) | What::Import(_))) {
        Some(i) => &entries[i..=i],
        None => entries,
    }
}
