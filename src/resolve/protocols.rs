//! What syntax does with a value without naming a member: iterating, entering, awaiting; test fixtures by parameter name.

use super::infer::Eval;
use super::linking::Trail;
use super::names::Gid;
use super::project::{Def, Project};
use super::types::{ModId, Shape, SymId, Ty};
use crate::facts::*;
use crate::lang::ModuleSystem;
use crate::rows::FileNo;

impl Eval<'_, '_> {
    /// What calling a special method gives.
    pub(crate) fn dunder(&mut self, receiver: &Ty, gid: Gid) -> Ty {
        let Some(class) = receiver.class() else { return Ty::Unknown };
        match self.p.find_member(class, gid) {
            Some((_, group)) => {
                let f = self.group_ty(group, false);
                self.call_ty(&f, receiver)
            }
            None if self.p.classes.get(class).is_some_and(|c| c.external) => Ty::External,
            None => Ty::Unknown,
        }
    }

    pub(crate) fn element(&mut self, ty: &Ty) -> Ty {
        let ty = self.underlying(ty.clone());
        ty.map(|t| match t {
            Ty::Many(Shape::Seq | Shape::Later, inner) => (**inner).clone(),
            Ty::Tuple(parts) => Ty::join(parts.iter().cloned()),
            Ty::Many(Shape::Map, _) => Ty::External,
            Ty::Instance(..) | Ty::This(_) | Ty::Applied(..) => {
                let w = &self.p.well_known;
                let (iter, aiter, next) = (w.iter, w.aiter, w.next);
                let it = match self.dunder(t, iter) {
                    Ty::Unknown => self.dunder(t, aiter),
                    it => it,
                };
                match it {
                    Ty::Many(_, inner) => (*inner).clone(),
                    Ty::Instance(..) | Ty::This(_) => self.dunder(&it, next),
                    _ => Ty::Unknown,
                }
            }
            // Iterating an enum class gives its members.
            Ty::Class(c) if self.p.sym(*c).kind == SymbolKind::Enum => Ty::Instance(*c, true),
            Ty::External => Ty::External,
            _ => Ty::Unknown,
        })
    }

    pub(crate) fn entered(&mut self, ty: &Ty) -> Ty {
        ty.map(|t| match t {
            Ty::Many(Shape::Context, inner) => (**inner).clone(),
            Ty::Instance(..) | Ty::This(_) | Ty::Applied(..) => {
                let (enter, aenter) = (self.p.well_known.enter, self.p.well_known.aenter);
                match self.dunder(t, enter) {
                    Ty::Unknown => {
                        let ty = self.dunder(t, aenter);
                        self.awaited(&ty)
                    }
                    ty => ty,
                }
            }
            Ty::External => Ty::External,
            _ => Ty::Unknown,
        })
    }

    pub(crate) fn awaited(&mut self, ty: &Ty) -> Ty {
        let rust = self.system() == ModuleSystem::Rust;
        ty.map(|t| match t {
            Ty::Many(Shape::Later, inner) => (**inner).clone(),
            Ty::Many(_, inner) if rust => (**inner).clone(),
            other => other.clone(),
        })
    }
}

impl<'a> Project<'a> {
    /// What a JavaScript module is when used as a value itself.
    pub(crate) fn module_default(&self, m: ModId) -> Option<Def> {
        let file = self.tree.as_file(m)?;
        self.export(file, self.well_known.default, &mut Trail::new())
    }

    /// The fixture of a name that is nearest to a test: same file, then `conftest` files upwards, then the only one.
    pub(crate) fn fixture(&self, file: FileNo, user: SymbolIdx, gid: Gid) -> Option<SymId> {
        let all = self.fixtures.get(&gid)?;
        let own = self.sym_id(file, user);
        let path = self.files[file.0 as usize].path;
        let rank = |s: SymId| {
            let other = self.files[self.file_of(s).0 as usize].path;
            let dir = super::modules::parent(other);
            if other == path {
                return Some(usize::MAX);
            }
            let above = dir.is_empty() || path.starts_with(dir) && path.as_bytes().get(dir.len()) == Some(&b'/');
            (above && other.ends_with("conftest.py")).then_some(dir.len() + 1)
        };
        let near = all.iter().filter(|s| **s != own).filter_map(|&s| Some((rank(s)?, s))).max();
        near.map(|(_, s)| s).or(match all.as_slice() {
            [one] if *one != own => Some(*one),
            _ => None,
        })
    }
}
