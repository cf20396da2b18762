//! Several definitions of one name in one scope: overloads, inherent and trait methods, definitions under conditions.

use super::infer::Eval;
use super::types::SymId;
use crate::facts::*;
use crate::lang::ModuleSystem;

/// More definitions than this are not told apart.
pub(super) const MAX_TARGETS: usize = 4;

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
}
