//! Imports: from module strings to definitions, through re-exports.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use super::modules::Target;
use super::modules::python::Python;
use super::names::Gid;
use super::project::{Def, ModuleName, Project, pair};
use super::scopes::{Entry, Scopes, What};
use super::types::{ModId, SymId};
use crate::facts::*;
use crate::lang::ModuleSystem;
use crate::rows::FileNo;

/// Imports that are being followed, against cycles.
pub(crate) type Trail = Vec<(u32, u32)>;

/// What a module's star import does with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offer {
    No,
    /// Public, but not in the `__all__` that is there.
    Unlisted,
    Yes,
}

/// More definitions of one name than this are not told apart.
const ALTERNATIVES: usize = 3;

/// Longer chains of re-exports are taken for missing.
const MAX_TRAIL: usize = 48;

impl<'a> Project<'a> {
    pub(crate) fn link(&mut self) {
        self.targets = self
            .file_nos()
            .map(|f| self.facts(f).imports.iter().map(|i| self.target(f, i)).collect::<Vec<_>>())
            .collect();
        self.scopes = self
            .file_nos()
            .map(|f| {
                let titles = self.system(f) == ModuleSystem::EcmaScript;
                Scopes::build(self.facts(f), titles, |import| self.bound_name(f, import))
            })
            .collect();
        self.collect_module_names();
        self.collect_stars();
        self.import_defs = self
            .files
            .iter()
            .map(|f| std::iter::repeat_with(OnceLock::new).take(f.facts.imports.len()).collect())
            .collect();
        for f in self.file_nos() {
            for i in 0..self.facts(f).imports.len() as u32 {
                self.import_def(f, i, &mut Trail::new());
            }
        }
        self.collect_file_imports();
    }

    fn target(&self, file: FileNo, import: &ImportFact) -> Target {
        let module = self.facts(file).name(import.module);
        match self.system(file) {
            ModuleSystem::Python => self.systems.python.target(&self.tree, file, import.level, module),
            ModuleSystem::EcmaScript => self.systems.ecmascript.target(&self.tree, file, module),
            ModuleSystem::Go => self.systems.go.target(self, file, module),
            ModuleSystem::Rust => self.systems.rust.target(self, file, import),
            ModuleSystem::Java => self.systems.java.target(self, module),
        }
    }

    /// The name that an import binds in its scope.
    fn bound_name(&self, file: FileNo, import: &ImportFact) -> Option<Name> {
        if let Some(name) = Python::bound_name(import) {
            return Some(name);
        }
        let facts = self.facts(file);
        let local = |s: &str| self.names.get(s).and_then(|g| self.file_names[file.0 as usize].local(g));
        match &import.what {
            ImportWhat::Module { alias: None } => {
                let module = facts.name(import.module);
                match self.system(file) {
                    ModuleSystem::Python => local(module.split('.').next()?),
                    ModuleSystem::Go => local(self.systems.go.package_name(self, file, module)),
                    ModuleSystem::Rust => local(module.rsplit("::").next()?),
                    _ => None,
                }
            }
            ImportWhat::ChildModule { name } => Some(*name),
            _ => None,
        }
    }

    fn collect_module_names(&mut self) {
        let mut vars = Vec::new();
        let mut table = std::mem::take(&mut self.module_names);
        for file in self.file_nos() {
            for entries in self.scopes[file.0 as usize].module_level() {
                let name = entries[0].name;
                let is_var = entries.iter().any(|e| matches!(e.what, What::Bind(_)));
                let var = if is_var { vars.len() as u32 } else { u32::MAX };
                let entry = ModuleName { file, name, var };
                if is_var {
                    vars.push(entry);
                }
                let gid = self.gid(file, name);
                table.insert(pair(file.0, gid), entry);
                if let Some(group) = self.groups[file.0 as usize]
                    && entries.iter().any(|e| !matches!(e.what, What::Import(_)))
                {
                    table.entry(pair(group.0, gid)).or_insert(entry);
                }
            }
            if self.system(file) == ModuleSystem::EcmaScript {
                for (i, export) in self.facts(file).exports.iter().enumerate() {
                    self.exports.insert(pair(file.0, self.gid(file, export.name)), i as u32);
                }
            }
        }
        self.module_names = table;
        self.vars = vars;
    }

    /// Which modules a file's star imports (or star re-exports) reach, nearest first.
    fn collect_stars(&mut self) {
        let direct: Vec<Vec<Target>> = self
            .file_nos()
            .map(|f| {
                let reexports_only = self.system(f) == ModuleSystem::EcmaScript;
                let imports = self.facts(f).imports.iter().zip(&self.targets[f.0 as usize]);
                imports
                    .filter(|(i, _)| matches!(i.what, ImportWhat::Star) && (i.reexport || !reexports_only))
                    .map(|(_, t)| *t)
                    .collect()
            })
            .collect();
        for f in self.file_nos() {
            let mut order = Vec::new();
            let mut seen = FxHashSet::from_iter([ModId(f.0)]);
            let mut external = false;
            let mut stack: Vec<Target> = direct[f.0 as usize].iter().rev().copied().collect();
            let transitive =
                matches!(self.system(f), ModuleSystem::Python | ModuleSystem::EcmaScript | ModuleSystem::Rust);
            while let Some(target) = stack.pop() {
                match target {
                    Target::Module(m) if seen.insert(m) => {
                        order.push(m);
                        if let (true, Some(file)) = (transitive, self.tree.as_file(m)) {
                            stack.extend(direct[file.0 as usize].iter().rev());
                        }
                    }
                    Target::External => external = true,
                    _ => {}
                }
            }
            self.stars.push(order);
            self.external_star.push(external);
        }
    }

    fn collect_file_imports(&mut self) {
        for file in self.file_nos() {
            let mut out = Vec::new();
            let facts = self.facts(file);
            for i in 0..facts.imports.len() {
                if let Target::Module(m) = self.targets[file.0 as usize][i] {
                    self.files_of_module(m, &mut out);
                }
                match self.import_def(file, i as u32, &mut Trail::new()) {
                    // `from pkg import module`
                    Def::Module(m) => self.files_of_module(m, &mut out),
                    Def::Sym(s) if matches!(self.system(file), ModuleSystem::Java | ModuleSystem::Rust) => {
                        out.push(self.file_of(s));
                    }
                    _ => {}
                }
            }
            for e in &facts.exprs {
                if let Expr::Module(name) = e
                    && let Target::Module(m) = self.module_expr(file, *name)
                {
                    self.files_of_module(m, &mut out);
                }
            }
            out.sort_unstable();
            out.dedup();
            out.retain(|f| *f != file);
            self.file_imports.push(out);
        }
    }

    /// Where `require("x")`, `import("x")` or `import_module("x")` leads.
    pub(crate) fn module_expr(&self, file: FileNo, name: Name) -> Target {
        let module = self.facts(file).name(name);
        match self.system(file) {
            ModuleSystem::Python => {
                let dots = module.bytes().take_while(|&b| b == b'.').count();
                self.systems.python.target(&self.tree, file, dots as u8, &module[dots..])
            }
            ModuleSystem::EcmaScript => self.systems.ecmascript.target(&self.tree, file, module),
            _ => Target::External,
        }
    }

    fn files_of_module(&self, m: ModId, out: &mut Vec<FileNo>) {
        if let Some(file) = self.tree.as_file(m) {
            out.push(file);
        } else if m.0 >= self.tree.first_group() {
            let group = (m.0 - self.tree.first_group()) as usize;
            if let Some(&first) = self.group_files[group].first()
                && self.system(first) == ModuleSystem::Go
            {
                out.extend(self.group_files[group].iter().filter(|f| !self.files[f.0 as usize].is_test));
            }
        }
    }

    /// What an import binds.
    pub(crate) fn import_def(&self, file: FileNo, i: u32, trail: &mut Trail) -> Def {
        let cell = &self.import_defs[file.0 as usize][i as usize];
        if let Some(def) = cell.get() {
            return *def;
        }
        if trail.len() > MAX_TRAIL || trail.contains(&(file.0, i)) {
            return Def::Missing;
        }
        trail.push((file.0, i));
        let def = self.follow_import(file, i, trail);
        trail.pop();
        *cell.get_or_init(|| def)
    }

    fn follow_import(&self, file: FileNo, i: u32, trail: &mut Trail) -> Def {
        let facts = self.facts(file);
        let import = &facts.imports[i as usize];
        let target = self.targets[file.0 as usize][i as usize];
        let item = match &import.what {
            ImportWhat::Module { alias } => {
                let module = facts.name(import.module);
                let target = match (alias, module.split_once('.')) {
                    (None, Some((first, _))) if self.system(file) == ModuleSystem::Python => {
                        self.systems.python.target(&self.tree, file, 0, first)
                    }
                    _ => target,
                };
                return match target {
                    Target::Module(m) => Def::Module(m),
                    Target::External => Def::External,
                    Target::Missing => Def::Missing,
                };
            }
            ImportWhat::Item { item, .. } => self.gid(file, *item),
            ImportWhat::Default { .. } => self.well_known.default,
            ImportWhat::ChildModule { .. } => {
                return match target {
                    Target::Module(m) => Def::Module(m),
                    _ => Def::Missing,
                };
            }
            ImportWhat::Star | ImportWhat::Effect => return Def::Missing,
        };
        if self.system(file) == ModuleSystem::Rust {
            return self.rust_import(file, import, target, item, trail);
        }
        match target {
            Target::External => Def::External,
            Target::Missing if self.system(file) == ModuleSystem::Java => {
                self.java_static(facts.name(import.module), item, trail)
            }
            Target::Missing => Def::Missing,
            Target::Module(m) => self.module_member(m, item, trail).unwrap_or(Def::Missing),
        }
    }

    /// What a module offers to others under a name.
    pub(crate) fn module_member(&self, m: ModId, gid: Gid, trail: &mut Trail) -> Option<Def> {
        let file = self.tree.as_file(m);
        let system = match file {
            Some(f) => self.system(f),
            None if m.0 >= self.tree.first_group() => ModuleSystem::Go,
            None => ModuleSystem::Python,
        };
        if system == ModuleSystem::EcmaScript {
            return self.export(FileNo(m.0), gid, trail);
        }
        if system == ModuleSystem::Rust
            && let Some(def) = self.module_word(m, gid)
        {
            return Some(def);
        }
        let mut missing = None;
        if let Some(entry) = self.module_names.get(&pair(m.0, gid)) {
            match self.pick(entry, trail) {
                Def::Missing => missing = Some(Def::Missing),
                def => return Some(def),
            }
        }
        if let Some(f) = file
            && let Some(def) = self.through_stars(f, gid, trail)
        {
            return Some(def);
        }
        if system == ModuleSystem::Python
            && let Some(m) = self.systems.python.submodule(&self.tree, m, self.names.str(gid))
        {
            return Some(Def::Module(m));
        }
        if system == ModuleSystem::Python
            && let Some(def) = file.and_then(|f| self.lazy_member(f, gid, trail))
        {
            return Some(def);
        }
        // `#[macro_export]` puts a macro into its crate's root.
        if system == ModuleSystem::Rust
            && missing.is_none()
            && let Some(Some(s)) = self.macros.get(&gid)
            && self.sym(*s).flags.exported
        {
            return Some(Def::Sym(*s));
        }
        if missing.is_none() && file.is_some_and(|f| self.external_star[f.0 as usize]) {
            return Some(Def::External);
        }
        missing
    }

    /// What a module's `__getattr__` imports when it is asked for a name (PEP 562).
    fn lazy_member(&self, file: FileNo, gid: Gid, trail: &mut Trail) -> Option<Def> {
        let getattr = self.names.get("__getattr__")?;
        let entry = self.module_names.get(&pair(file.0, getattr))?;
        let Def::Sym(function) = self.pick(entry, &mut Trail::new()) else { return None };
        let name = self.file_names[file.0 as usize].local(gid)?;
        let entries = self.scopes[file.0 as usize].of(self.idx_of(function), name);
        entries.iter().find_map(|e| match e.what {
            What::Import(i) => Some(self.import_def(file, i, trail)),
            _ => None,
        })
    }

    /// Does `from star import *` bring this name?
    pub(crate) fn star_offers(&self, star: ModId, gid: Gid) -> Offer {
        let Some(file) = self.tree.as_file(star).filter(|f| self.system(*f) == ModuleSystem::Python) else {
            return Offer::Yes;
        };
        let exports = &self.facts(file).exports;
        let private = self.names.str(gid).starts_with('_');
        if exports.iter().any(|e| self.gid(file, e.name) == gid) || exports.is_empty() && !private {
            Offer::Yes
        } else if private {
            Offer::No
        } else {
            Offer::Unlisted
        }
    }

    /// The first module that brings a name by a star import; one whose `__all__` leaves the name out comes last, since
    /// such a list may be added to at run time.
    pub(crate) fn through_stars(&self, file: FileNo, gid: Gid, trail: &mut Trail) -> Option<Def> {
        let mut unlisted = None;
        for &star in &self.stars[file.0 as usize] {
            let Some(entry) = self.module_names.get(&pair(star.0, gid)) else { continue };
            let offer = self.star_offers(star, gid);
            if offer == Offer::No || offer == Offer::Unlisted && unlisted.is_some() {
                continue;
            }
            match self.pick(entry, trail) {
                Def::Missing => {}
                def if offer == Offer::Yes => return Some(def),
                def => unlisted = Some(def),
            }
        }
        unlisted
    }

    /// Which of several module-level bindings of a name counts: the last one that leads somewhere.
    pub(crate) fn pick(&self, entry: &ModuleName, trail: &mut Trail) -> Def {
        let entries = self.scopes[entry.file.0 as usize].of(SymbolIdx::MODULE, entry.name);
        self.pick_entries(entry.file, entries, entry.var, trail)
    }

    pub(crate) fn pick_entries(&self, file: FileNo, entries: &[Entry], var: u32, trail: &mut Trail) -> Def {
        let facts = self.facts(file);
        let mut abstract_sym = None;
        let mut outside = None;
        // A name that a generated file binds at each of its lines is looked up at each of them too.
        const LATEST: usize = 256;
        for e in entries.iter().rev().take(LATEST) {
            match e.what {
                What::Symbol(s) => {
                    let sym = self.sym_id(file, s);
                    if facts.symbol(s).flags.is_abstract && facts.symbol(s).kind.is_callable() {
                        abstract_sym = abstract_sym.or(Some(sym));
                    } else {
                        return Def::Sym(sym);
                    }
                }
                What::Import(i) => match self.import_def(file, i, trail) {
                    Def::External => outside = Some(Def::External),
                    Def::Missing => outside = outside.or(Some(Def::Missing)),
                    def => return def,
                },
                _ => {}
            }
        }
        if let Some(s) = abstract_sym {
            return Def::Sym(s);
        }
        match outside {
            Some(Def::External) => Def::External,
            _ if var != u32::MAX => Def::Var(var),
            Some(def) => def,
            None => Def::Missing,
        }
    }

    /// Other definitions of a name in the same scope, when one of them stands under a condition (`if` and `else`, `try`
    /// and `except`, `#[cfg]`). Which of them is in force is known at run time, or when it is built.
    pub(crate) fn alternatives(&self, s: SymId) -> Vec<SymId> {
        let (file, fact) = (self.file_of(s), self.sym(s));
        let several = matches!(self.system(file), ModuleSystem::Python | ModuleSystem::Rust);
        let Some(parent) = fact.parent.filter(|_| several && fact.owner.is_none()) else { return Vec::new() };
        let facts = self.facts(file);
        if facts.symbol(parent).kind.is_type() {
            return Vec::new();
        }
        let entries = self.scopes[file.0 as usize].of(parent, fact.name);
        if entries.len() < 2 {
            return Vec::new();
        }
        let same = |t: &SymbolIdx| {
            let other = facts.symbol(*t);
            !other.flags.is_abstract
                && (other.flags.conditional || fact.flags.conditional)
                && (matches!(other.kind, SymbolKind::Function | SymbolKind::Macro) || other.kind.is_type())
        };
        let symbols = entries.iter().filter_map(|e| match e.what {
            What::Symbol(t) => Some(t),
            _ => None,
        });
        symbols.filter(same).map(|t| self.sym_id(file, t)).filter(|t| *t != s).take(ALTERNATIVES).collect()
    }

    /// The definition that a JavaScript module exports under a name.
    pub(crate) fn export(&self, file: FileNo, gid: Gid, trail: &mut Trail) -> Option<Def> {
        if self.system(file) != ModuleSystem::EcmaScript {
            return None;
        }
        if let Some(def) = self.own_export(file, gid, trail) {
            return Some(def);
        }
        if gid != self.well_known.default {
            for &star in &self.stars[file.0 as usize] {
                if let Some(f) = self.tree.as_file(star)
                    && let Some(def) = self.own_export(f, gid, trail)
                {
                    return Some(def);
                }
            }
            // `module.exports = Thing` or `export default {a, b}`: a member of that.
            if let Some(Def::Sym(s)) = self.own_export(file, self.well_known.default, trail)
                && let Some(member) = self.nested(s, gid)
            {
                return Some(Def::Sym(member));
            }
        }
        self.external_star[file.0 as usize].then_some(Def::External)
    }

    fn own_export(&self, file: FileNo, gid: Gid, trail: &mut Trail) -> Option<Def> {
        if let Some(&i) = self.exports.get(&pair(file.0, gid)) {
            let export = &self.facts(file).exports[i as usize];
            return Some(self.static_def(file, SymbolIdx::MODULE, export.value, trail).unwrap_or(Def::Missing));
        }
        let entry = self.module_names.get(&pair(file.0, gid))?;
        let entries = self.scopes[file.0 as usize].of(SymbolIdx::MODULE, entry.name);
        let facts = self.facts(file);
        entries.iter().rev().find_map(|e| match e.what {
            What::Import(i) if facts.imports[i as usize].reexport => Some(self.import_def(file, i, trail)),
            What::Symbol(s) if facts.symbol(s).flags.exported => Some(Def::Sym(self.sym_id(file, s))),
            _ => None,
        })
    }

    /// A symbol that stands directly inside another.
    pub(crate) fn nested(&self, s: SymId, gid: Gid) -> Option<SymId> {
        let file = self.file_of(s);
        let name = self.file_names[file.0 as usize].local(gid)?;
        self.scopes[file.0 as usize].of(self.idx_of(s), name).iter().rev().find_map(|e| match e.what {
            What::Symbol(inner) => Some(self.sym_id(file, inner)),
            _ => None,
        })
    }
}
