//! Overrides: which methods of subclasses a call through a base may reach.

use rustc_hash::FxHashMap;

use super::names::Gid;
use super::project::{Def, Project, pair};
use super::types::SymId;
use crate::facts::{Expr, ExprId, SymbolIdx, SymbolKind};
use crate::lang::ModuleSystem;

/// A call through a base with more overrides than this says nothing of where it goes.
pub(crate) const OVERRIDE_CAP: usize = 8;

impl<'a> Project<'a> {
    pub(crate) fn collect_overrides(&mut self) {
        let mut pairs: Vec<(u64, SymId)> = Vec::new();
        let is_method =
            |s: SymId| matches!(self.sym(s).kind, SymbolKind::Method | SymbolKind::Function | SymbolKind::Property);
        for (class, gid, group) in &self.classes.group_list {
            let rust = self.system(self.file_of(*class)) == ModuleSystem::Rust;
            // A type's own method does not stand in for its traits'.
            let runs =
                |s: &&SymId| is_method(**s) && (!rust || self.sym(**s).flags.of_trait || self.sym(**s).owner.is_none());
            let Some(&method) = group.syms.iter().rev().find(runs) else { continue };
            if self.sym(method).flags.is_constructor {
                continue;
            }
            let Some(c) = self.classes.get(*class) else { continue };
            let in_test = self.files[self.file_of(method).0 as usize].is_test;
            for &ancestor in c.mro.iter().skip(1) {
                // Production code runs the tests' own classes in tests only.
                if in_test && !self.files[self.file_of(ancestor).0 as usize].is_test {
                    continue;
                }
                pairs.push((pair(ancestor.0, *gid), method));
            }
        }
        self.go_implementations(&mut pairs);
        pairs.sort_unstable();
        pairs.dedup();
        let mut out: FxHashMap<u64, Vec<SymId>> = FxHashMap::default();
        for chunk in pairs.chunk_by(|a, b| a.0 == b.0) {
            // One more than the cap is enough to know that there are too many.
            out.insert(chunk[0].0, chunk.iter().take(OVERRIDE_CAP + 1).map(|p| p.1).collect());
        }
        self.classes.overrides = out;
    }

    /// Methods of subclasses that may run for a call of `gid` on something of this class; none when there are too many.
    pub(crate) fn overrides(&self, class: SymId, gid: Gid) -> &[SymId] {
        match self.classes.overrides.get(&pair(class.0, gid)) {
            Some(list) if list.len() <= OVERRIDE_CAP => list,
            _ => &[],
        }
    }

    /// Go: a type implements each interface whose methods it has.
    fn go_implementations(&self, pairs: &mut Vec<(u64, SymId)>) {
        let go = |s: SymId| self.system(self.file_of(s)) == ModuleSystem::Go;
        let mut with_method: FxHashMap<Gid, Vec<SymId>> = FxHashMap::default();
        let mut interfaces: FxHashMap<SymId, Vec<Gid>> = FxHashMap::default();
        for (class, gid, group) in &self.classes.group_list {
            if !go(*class) || !group.syms.iter().any(|s| self.sym(*s).kind == SymbolKind::Method) {
                continue;
            }
            if self.sym(*class).kind == SymbolKind::Interface {
                interfaces.entry(*class).or_default().push(*gid);
            } else {
                with_method.entry(*gid).or_default().push(*class);
            }
        }
        let mut order: Vec<SymId> = interfaces.keys().copied().collect();
        order.sort_unstable();
        for interface in order {
            let Some(class) = self.classes.get(interface) else { continue };
            let mut wanted: Vec<Gid> =
                class.mro.iter().flat_map(|i| interfaces.get(i).into_iter().flatten().copied()).collect();
            wanted.sort_unstable();
            wanted.dedup();
            let Some(rarest) = wanted.iter().min_by_key(|g| (with_method.get(g).map_or(0, Vec::len), **g)) else {
                continue;
            };
            for &class in with_method.get(rarest).into_iter().flatten() {
                if !wanted.iter().all(|&g| self.find_member(class, g).is_some()) {
                    continue;
                }
                if !wanted.iter().all(|&g| self.same_signature(interface, class, g)) {
                    continue;
                }
                for &g in &wanted {
                    if let Some((_, group)) = self.find_member(class, g)
                        && let Some(&method) = self.classes.group(group).syms.last()
                    {
                        pairs.push((pair(interface.0, g), method));
                    }
                }
            }
        }
    }

    /// Go: do an interface's method and a type's take and give the same, as far as their types are written alike?
    fn same_signature(&self, interface: SymId, class: SymId, gid: Gid) -> bool {
        let method = |c| {
            let (_, group) = self.find_member(c, gid)?;
            let s = *self.classes.group(group).syms.last()?;
            (self.sym(s).kind == SymbolKind::Method).then_some(s)
        };
        let (Some(asked), Some(given)) = (method(interface), method(class)) else { return true };
        let (a, b) = (self.sym(asked), self.sym(given));
        // A method of a type has its receiver first.
        let receiver = |s: SymId| usize::from(self.sym(s).owner.is_some());
        let (pa, pb) =
            (&a.params[receiver(asked).min(a.params.len())..], &b.params[receiver(given).min(b.params.len())..]);
        if pa.len() != pb.len() || a.returns.is_some() != b.returns.is_some() {
            return false;
        }
        let pairs = pa.iter().zip(pb).map(|(x, y)| (x.ty, y.ty)).chain(std::iter::once((a.returns, b.returns)));
        pairs.into_iter().all(|pair| match pair {
            (Some(x), Some(y)) => self.written_alike((asked, x), (given, y), 0),
            _ => true,
        })
    }

    /// Whether two types may be the same; names of packages and type parameters are not looked at.
    fn written_alike(&self, (s, x): (SymId, ExprId), (t, y): (SymId, ExprId), depth: u32) -> bool {
        let (fx, fy) = (self.facts(self.file_of(s)), self.facts(self.file_of(t)));
        let generic = |s: SymId, name: &str| {
            let facts = self.facts(self.file_of(s));
            let own = self.sym(s).type_params.iter();
            let of_holder = self.classes.holder[s.0 as usize];
            own.map(|(n, _)| facts.name(*n)).any(|n| n == name)
                || of_holder.is_some_and(|h| {
                    let facts = self.facts(self.file_of(h));
                    self.sym(h).type_params.iter().any(|(n, _)| facts.name(*n) == name)
                })
        };
        match (fx.expr(x), fy.expr(y)) {
            (Expr::Name(a) | Expr::Attr(_, a), Expr::Name(b) | Expr::Attr(_, b)) => {
                let (a, b) = (fx.name(*a), fy.name(*b));
                a == b || generic(s, a) || generic(t, b)
            }
            (Expr::Name(a), _) if generic(s, fx.name(*a)) => true,
            (_, Expr::Name(b)) if generic(t, fy.name(*b)) => true,
            (Expr::Literal(a), Expr::Literal(b)) => a == b,
            // An alias may be anything.
            (Expr::Literal(_), Expr::Name(_) | Expr::Attr(..)) | (Expr::Name(_) | Expr::Attr(..), Expr::Literal(_)) => {
                self.may_be_alias(s, x) || self.may_be_alias(t, y)
            }
            (Expr::Generic(a, xs), Expr::Generic(b, ys)) => {
                depth < 8
                    && xs.len() == ys.len()
                    && self.written_alike((s, *a), (t, *b), depth + 1)
                    && xs.iter().zip(ys).all(|(x, y)| self.written_alike((s, *x), (t, *y), depth + 1))
            }
            (Expr::Literal(_) | Expr::Name(_), Expr::Generic(..))
            | (Expr::Generic(..), Expr::Literal(_) | Expr::Name(_)) => {
                self.may_be_alias(s, x) || self.may_be_alias(t, y)
            }
            _ => true,
        }
    }

    fn may_be_alias(&self, s: SymId, ty: ExprId) -> bool {
        let scope = self.sym(s).parent.unwrap_or(SymbolIdx::MODULE);
        match self.static_def(self.file_of(s), scope, ty, &mut Vec::new()) {
            Some(Def::Sym(found)) => self.sym(found).kind == SymbolKind::TypeAlias,
            _ => false,
        }
    }
}
