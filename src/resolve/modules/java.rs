//! Java: one tree of package names, declared in each file.

use rustc_hash::FxHashMap;

use super::Target;
use crate::facts::ImportWhat;
use crate::lang::ModuleSystem;
use crate::resolve::linking::Trail;
use crate::resolve::names::Gid;
use crate::resolve::project::{Def, Project};
use crate::resolve::types::ModId;
use crate::rows::FileNo;

/// Packages by name.
#[derive(Default)]
pub(crate) struct Java {
    packages: FxHashMap<String, ModId>,
}

impl Java {
    pub(crate) fn build(p: &Project<'_>) -> Self {
        let mut java = Java::default();
        for file in p.file_nos().filter(|f| p.system(*f) == ModuleSystem::Java) {
            if let Some(group) = p.groups[file.0 as usize] {
                let facts = p.facts(file);
                let package = facts.package.map_or("", |n| facts.name(n));
                java.packages.entry(package.to_owned()).or_insert(group);
            }
        }
        java
    }

    /// A package; a class (for static imports and imports of nested classes) is `Missing` here and followed by name.
    pub(crate) fn target(&self, _p: &Project<'_>, path: &str) -> Target {
        if let Some(&m) = self.packages.get(path) {
            return Target::Module(m);
        }
        let mut outer = path;
        while let Some((package, _)) = outer.rsplit_once('.') {
            if self.packages.contains_key(package) {
                return Target::Missing;
            }
            outer = package;
        }
        Target::External
    }
}

impl<'a> Project<'a> {
    /// `import static a.b.C.member`, `import a.b.Outer.Inner`: a member of a class.
    pub(crate) fn java_static(&self, path: &str, item: Gid, trail: &mut Trail) -> Def {
        self.java_class(path, trail).and_then(|c| self.nested(c, item)).map_or(Def::Missing, Def::Sym)
    }

    /// `import static a.b.C.*`: a member of one of those classes.
    pub(crate) fn java_static_star(&self, file: FileNo, item: Gid, trail: &mut Trail) -> Option<Def> {
        let facts = self.facts(file);
        let stars = facts.imports.iter().zip(&self.targets[file.0 as usize]);
        let classes = stars.filter(|(i, t)| matches!(i.what, ImportWhat::Star) && **t == Target::Missing);
        classes.map(|(i, _)| self.java_static(facts.name(i.module), item, trail)).find(|d| *d != Def::Missing)
    }

    /// The class of a fully qualified name.
    pub(crate) fn java_class(&self, path: &str, trail: &mut Trail) -> Option<crate::resolve::types::SymId> {
        let (outer, name) = path.rsplit_once('.')?;
        let gid = self.names.get(name)?;
        if let Some(&package) = self.systems.java.packages.get(outer) {
            return match self.module_member(package, gid, trail)? {
                Def::Sym(s) => Some(s),
                _ => None,
            };
        }
        self.nested(self.java_class(outer, trail)?, gid)
    }
}
