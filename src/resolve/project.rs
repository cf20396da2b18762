//! The tables of phase 1 and the order in which they are made.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::classes::Classes;
use super::config::ProjectConfig;
use super::fallback::ByName;
use super::modules::ecmascript::EcmaScript;
use super::modules::go::Go;
use super::modules::java::Java;
use super::modules::python::Python;
use super::modules::rust::Rust;
use super::modules::{Target, Tree};
use super::names::{Gid, Names};
use super::rounds::Slots;
use super::scopes::{FileNames, Scopes};
use super::tests_edges::TestHelpers;
use super::types::{ModId, SymId};
use crate::facts::*;
use crate::lang::{LanguageSupport, ModuleSystem, Semantics};
use crate::rows::{FileNo, SymbolRef};
use crate::scip::ScipFile;

/// One file as resolve sees it.
pub struct SourceFile<'a> {
    /// From the root, with forward slashes.
    pub path: &'a str,
    /// Its language.
    pub language: &'static dyn LanguageSupport,
    /// Its facts.
    pub facts: &'a Facts,
    /// A test file by the language's rule.
    pub is_test: bool,
    /// What a compiler said of this very content.
    pub scip: Option<&'a ScipFile>,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Def {
    /// A definition.
    Sym(SymId),
    /// A module.
    Module(ModId),
    /// A module-level variable that is no symbol, by its number in `Project::vars`.
    Var(u32),
    /// Something outside of the project.
    External,
    /// It should be in the project, but is not.
    Missing,
}

/// The module-level bindings of one name in one file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModuleName {
    pub file: FileNo,
    pub name: Name,
    /// Its number among the variables, `u32::MAX` if no variable of the name is bound.
    pub var: u32,
}

/// Policies of the module systems that occur in the project.
#[derive(Default)]
pub(crate) struct Systems {
    pub python: Python,
    pub ecmascript: EcmaScript,
    pub go: Go,
    pub rust: Rust,
    pub java: Java,
}

/// All files' facts with the tables over them.
pub struct Project<'a> {
    pub(crate) files: Vec<SourceFile<'a>>,
    pub(crate) names: Names<'a>,
    pub(crate) tree: Tree<'a>,
    /// First [`SymId`] of each file.
    pub(crate) first_sym: Vec<u32>,
    pub(crate) sym_file: Vec<u32>,
    pub(crate) file_names: Vec<FileNames>,
    pub(crate) scopes: Vec<Scopes>,
    pub(crate) systems: Systems,
    /// Where each import's module string leads, by file.
    pub(crate) targets: Vec<Vec<Target>>,
    pub(crate) import_defs: Vec<Vec<OnceLock<Def>>>,
    pub(crate) module_names: FxHashMap<u64, ModuleName>,
    pub(crate) vars: Vec<ModuleName>,
    /// Modules reached by star imports, in order, by file.
    pub(crate) stars: Vec<Vec<ModId>>,
    /// The file has a star import from outside of the project.
    pub(crate) external_star: Vec<bool>,
    /// Exports by module and name (JavaScript): (file, index into `Facts::exports`).
    pub(crate) exports: FxHashMap<u64, u32>,
    /// Star re-exports by file (JavaScript).
    pub(crate) builtins: FxHashMap<ModuleSystem, FxHashSet<Gid>>,
    pub(crate) builtin_methods: FxHashMap<ModuleSystem, FxHashSet<Gid>>,
    /// Methods of a language's own library.
    pub(crate) library_methods: FxHashMap<ModuleSystem, FxHashSet<Gid>>,
    /// Name-space group of each file (Go and Java packages).
    pub(crate) groups: Vec<Option<ModId>>,
    /// Files of each group, and the group's name.
    pub(crate) group_files: Vec<Vec<FileNo>>,
    pub(crate) classes: Classes,
    pub(crate) fixtures: FxHashMap<Gid, Vec<SymId>>,
    /// Rust's macros by name, as far as a name has one only: they are seen wherever their text came by before.
    pub(crate) macros: FxHashMap<Gid, Option<SymId>>,
    pub(crate) slots: Slots,
    pub(crate) by_name: ByName,
    /// Files that each file imports, ascending.
    pub(crate) file_imports: Vec<Vec<FileNo>>,
    pub(crate) helpers: TestHelpers,
    /// The symbols that compilers' indexes name, by number; `None` for one that is not there any more.
    pub(crate) scip_targets: Vec<Option<SymId>>,
    pub(crate) well_known: WellKnown,
}

/// Names that resolving asks for by itself.
#[derive(Default)]
pub(crate) struct WellKnown {
    pub call: Gid,
    pub init: Gid,
    pub new: Gid,
    pub constructor: Gid,
    pub enter: Gid,
    pub aenter: Gid,
    pub iter: Gid,
    pub aiter: Gid,
    pub next: Gid,
    pub getitem: Gid,
    pub default: Gid,
}

impl WellKnown {
    fn intern(names: &mut Names<'_>) -> Self {
        WellKnown {
            call: names.intern("__call__"),
            init: names.intern("__init__"),
            new: names.intern("__new__"),
            constructor: names.intern("constructor"),
            enter: names.intern("__enter__"),
            aenter: names.intern("__aenter__"),
            iter: names.intern("__iter__"),
            aiter: names.intern("__aiter__"),
            next: names.intern("__next__"),
            getitem: names.intern("__getitem__"),
            default: names.intern("default"),
        }
    }
}

pub(crate) fn pair(a: u32, b: u32) -> u64 {
    (u64::from(a) << 32) | u64::from(b)
}

impl<'a> Project<'a> {
    /// Phase 1. `files` are all source files of the project, in the order of their [`FileNo`]; `scip_targets` the ids
    /// that [`SourceFile::scip`] refers to.
    pub fn build(files: Vec<SourceFile<'a>>, config: &ProjectConfig, scip_targets: &[String]) -> Self {
        let mut names = Names::default();
        let well_known = WellKnown::intern(&mut names);
        let mut first_sym = Vec::with_capacity(files.len() + 1);
        let mut sym_file = Vec::new();
        let mut file_names = Vec::with_capacity(files.len());
        for (i, f) in files.iter().enumerate() {
            first_sym.push(sym_file.len() as u32);
            sym_file.extend(std::iter::repeat_n(i as u32, f.facts.symbols.len()));
            file_names.push(FileNames { gids: f.facts.names.iter().map(|n| names.intern(n)).collect() });
        }
        first_sym.push(sym_file.len() as u32);
        let tree = Tree::build(files.iter().map(|f| f.path).collect());
        let has = |s| files.iter().any(|f| f.language.semantics().modules == s);
        let mut systems = Systems::default();
        if has(ModuleSystem::Python) {
            systems.python = Python::build(&tree, config);
        }
        if has(ModuleSystem::EcmaScript) {
            systems.ecmascript = EcmaScript::build(&tree, config);
        }
        let mut p = Project {
            names,
            tree,
            first_sym,
            sym_file,
            file_names,
            systems,
            well_known,
            scopes: Vec::new(),
            targets: Vec::new(),
            import_defs: Vec::new(),
            module_names: FxHashMap::default(),
            vars: Vec::new(),
            stars: Vec::new(),
            external_star: Vec::new(),
            exports: FxHashMap::default(),
            builtins: FxHashMap::default(),
            builtin_methods: FxHashMap::default(),
            library_methods: FxHashMap::default(),
            groups: vec![None; files.len()],
            group_files: Vec::new(),
            classes: Classes::default(),
            fixtures: FxHashMap::default(),
            macros: FxHashMap::default(),
            slots: Slots::default(),
            by_name: ByName::default(),
            file_imports: Vec::new(),
            helpers: TestHelpers::default(),
            scip_targets: Vec::new(),
            files,
        };
        p.collect_builtins();
        p.find_scip_targets(scip_targets);
        p.collect_macros();
        p.form_groups();
        p.systems.go = Go::build(&p, config);
        p.systems.java = Java::build(&p);
        p.systems.rust = Rust::build(&p, config);
        p.link();
        p.build_classes();
        p.collect_fixtures();
        p.build_by_name();
        p.evaluate_types();
        p.build_helpers();
        p
    }

    fn collect_builtins(&mut self) {
        for f in &self.files {
            let s = f.language.semantics();
            if self.builtins.contains_key(&s.modules) {
                continue;
            }
            // Languages of one module system (JavaScript, TypeScript) share their builtins.
            let same = crate::lang::LANGUAGES.iter().map(|l| l.semantics()).filter(|l| l.modules == s.modules);
            let (mut names, mut methods) = (FxHashSet::default(), FxHashSet::default());
            for l in same {
                names.extend(l.builtins.iter().filter_map(|b| self.names.get(b)));
                methods.extend(l.builtin_methods.iter().filter_map(|b| self.names.get(b)));
            }
            self.builtins.insert(s.modules, names);
            self.builtin_methods.insert(s.modules, methods);
            let library = crate::lang::library::methods(s.modules).filter_map(|m| self.names.get(m)).collect();
            self.library_methods.insert(s.modules, library);
        }
    }

    /// Files that share one name space: by folder and package clause (Go), by package (Java).
    fn form_groups(&mut self) {
        let mut known: FxHashMap<(ModuleSystem, &str, &str), ModId> = FxHashMap::default();
        for (i, f) in self.files.iter().enumerate() {
            let s = f.language.semantics();
            if !s.package_scope {
                continue;
            }
            let package = f.facts.package.map_or("", |n| f.facts.name(n));
            let dir = if s.modules == ModuleSystem::Go { super::modules::parent(f.path) } else { "" };
            let next = ModId(self.tree.first_group() + self.group_files.len() as u32);
            let group = *known.entry((s.modules, dir, package)).or_insert(next);
            if group == next {
                self.group_files.push(Vec::new());
            }
            self.group_files[(group.0 - self.tree.first_group()) as usize].push(FileNo(i as u32));
            self.groups[i] = Some(group);
        }
    }

    fn collect_macros(&mut self) {
        for s in (0..self.sym_file.len() as u32).map(SymId) {
            if self.sym(s).kind == SymbolKind::Macro {
                let gid = self.sym_gid(s);
                self.macros.entry(gid).and_modify(|one| *one = None).or_insert(Some(s));
            }
        }
    }

    /// Test fixtures by name (pytest: a parameter of that name receives what the fixture returns).
    fn collect_fixtures(&mut self) {
        for s in 0..self.sym_file.len() as u32 {
            let fact = self.sym(SymId(s));
            if fact.flags.is_fixture {
                let gid = self.gid(self.file_of(SymId(s)), fact.name);
                self.fixtures.entry(gid).or_default().push(SymId(s));
            }
        }
    }

    pub(crate) fn file_of(&self, s: SymId) -> FileNo {
        FileNo(self.sym_file[s.0 as usize])
    }

    pub(crate) fn idx_of(&self, s: SymId) -> SymbolIdx {
        SymbolIdx(s.0 - self.first_sym[self.sym_file[s.0 as usize] as usize])
    }

    pub(crate) fn sym(&self, s: SymId) -> &'a SymbolFact {
        self.files[self.sym_file[s.0 as usize] as usize].facts.symbol(self.idx_of(s))
    }

    pub(crate) fn sym_id(&self, file: FileNo, idx: SymbolIdx) -> SymId {
        SymId(self.first_sym[file.0 as usize] + idx.0)
    }

    pub(crate) fn symbol_ref(&self, s: SymId) -> SymbolRef {
        SymbolRef { file: self.file_of(s), symbol: self.idx_of(s) }
    }

    pub(crate) fn facts(&self, file: FileNo) -> &'a Facts {
        self.files[file.0 as usize].facts
    }

    pub(crate) fn semantics(&self, file: FileNo) -> &'static Semantics {
        self.files[file.0 as usize].language.semantics()
    }

    pub(crate) fn system(&self, file: FileNo) -> ModuleSystem {
        self.semantics(file).modules
    }

    pub(crate) fn gid(&self, file: FileNo, name: Name) -> Gid {
        self.file_names[file.0 as usize].gid(name)
    }

    pub(crate) fn sym_gid(&self, s: SymId) -> Gid {
        self.gid(self.file_of(s), self.sym(s).name)
    }

    pub(crate) fn file_nos(&self) -> impl Iterator<Item = FileNo> + use<> {
        (0..self.files.len() as u32).map(FileNo)
    }
}
