//! Rust: `mod` trees of crates, Cargo workspaces.

use rustc_hash::FxHashMap;

use super::{Target, child, parent};
use crate::facts::*;
use crate::lang::ModuleSystem;
use crate::resolve::config::{ProjectConfig, join};
use crate::resolve::linking::Trail;
use crate::resolve::names::Gid;
use crate::resolve::project::{Def, Project};
use crate::resolve::types::{ModId, SymId};
use crate::rows::FileNo;

/// Crates and module trees.
#[derive(Default)]
pub(crate) struct Rust {
    /// Library roots by the crate's name in code.
    crates: FxHashMap<String, ModId>,
    children: FxHashMap<(u32, String), FileNo>,
    /// The file that declares each file as its module, and the inline module there.
    parents: FxHashMap<u32, (FileNo, SymbolIdx)>,
}

impl Rust {
    pub(crate) fn build(p: &Project<'_>, config: &ProjectConfig) -> Self {
        let mut rust = Rust::default();
        for c in &config.crates {
            if let Some(root) = p.tree.file(&c.lib) {
                rust.crates.entry(c.name.clone()).or_insert(root);
            }
        }
        for c in &config.crates {
            for (alias, package) in &c.renamed {
                if let Some(&root) = rust.crates.get(package) {
                    rust.crates.entry(alias.clone()).or_insert(root);
                }
            }
        }
        for file in p.file_nos().filter(|f| p.system(*f) == ModuleSystem::Rust) {
            let facts = p.facts(file);
            for import in &facts.imports {
                let ImportWhat::ChildModule { name } = &import.what else { continue };
                let found = child_file(p, file, import.scope, facts.name(*name), facts.name(import.module));
                if let Some(found) = found.filter(|f| *f != file) {
                    rust.children.insert((file.0, facts.name(*name).to_owned()), found);
                    rust.parents.entry(found.0).or_insert((file, import.scope));
                }
            }
        }
        rust
    }

    fn root(&self, file: FileNo) -> FileNo {
        let mut at = file;
        for _ in 0..64 {
            match self.parents.get(&at.0) {
                Some((up, _)) => at = *up,
                None => break,
            }
        }
        at
    }

    /// Module paths that lead to a file, as far as files alone tell.
    pub(crate) fn target(&self, p: &Project<'_>, file: FileNo, import: &ImportFact) -> Target {
        let facts = p.facts(file);
        let path = facts.name(import.module);
        if let ImportWhat::ChildModule { name } = &import.what {
            let found = self.children.get(&(file.0, facts.name(*name).to_owned()));
            return found.map_or(Target::Missing, |f| Target::Module(ModId(f.0)));
        }
        let mut segments = path.split("::").filter(|s| !s.is_empty()).peekable();
        let inline = p.inline_module(file, import.scope).is_some();
        let mut at = match segments.peek() {
            Some(&"crate") => self.root(file),
            Some(&"self") => file,
            Some(&"super") if inline => file,
            Some(&"super") => match self.parents.get(&file.0) {
                Some((up, _)) => *up,
                None => return Target::Missing,
            },
            Some(&first) => match (self.children.get(&(file.0, first.to_owned())), self.crates.get(first)) {
                (Some(f), _) => *f,
                (None, Some(root)) => FileNo(root.0),
                (None, None) => return Target::External,
            },
            None => return Target::External,
        };
        segments.next();
        for segment in segments {
            at = match (segment, self.children.get(&(at.0, segment.to_owned()))) {
                ("super", _) => match self.parents.get(&at.0) {
                    Some((up, _)) => *up,
                    None => return Target::Missing,
                },
                (_, Some(f)) => *f,
                // An inline module, a type, or a re-export.
                (_, None) => return Target::Missing,
            };
        }
        Target::Module(ModId(at.0))
    }

    /// (name in code, library root) of all crates of the project.
    pub(crate) fn crates(&self) -> impl Iterator<Item = (&str, ModId)> {
        self.crates.iter().map(|(n, m)| (n.as_str(), *m))
    }
}

/// The file of `mod name;`.
fn child_file(p: &Project<'_>, file: FileNo, scope: SymbolIdx, name: &str, module: &str) -> Option<FileNo> {
    let path = p.tree.file_path(file);
    let here = parent(path);
    if module.ends_with(".rs") && module != name {
        return p.tree.as_file(p.tree.file(&join(here, module)?)?);
    }
    let stem = path.rsplit('/').next().and_then(|n| n.strip_suffix(".rs")).unwrap_or("");
    let is_root = matches!(stem, "mod" | "lib" | "main")
        || matches!(here.rsplit('/').next(), Some("bin" | "tests" | "examples" | "benches"));
    let dirs = [child(here, stem), here.to_owned()];
    let dirs = if is_root { [&dirs[1], &dirs[0]] } else { [&dirs[0], &dirs[1]] };
    let mut inline = String::new();
    let facts = p.facts(file);
    let mut s = Some(scope);
    while let Some(idx) = s {
        let symbol = facts.symbol(idx);
        if symbol.kind == SymbolKind::Namespace {
            inline = if inline.is_empty() {
                facts.name(symbol.name).to_owned()
            } else {
                format!("{}/{inline}", facts.name(symbol.name))
            };
        }
        s = symbol.parent;
    }
    dirs.iter().find_map(|dir| {
        let dir = if inline.is_empty() { (*dir).clone() } else { child(dir, &inline) };
        [format!("{name}.rs"), format!("{name}/mod.rs")]
            .iter()
            .find_map(|f| p.tree.as_file(p.tree.file(&child(&dir, f))?))
    })
}

impl<'a> Project<'a> {
    /// The innermost inline module around a scope.
    pub(crate) fn inline_module(&self, file: FileNo, scope: SymbolIdx) -> Option<SymbolIdx> {
        let facts = self.facts(file);
        let mut s = scope;
        loop {
            if facts.symbol(s).kind == SymbolKind::Namespace {
                return Some(s);
            }
            s = facts.symbol(s).parent?;
        }
    }

    /// What a Rust `use` of one item binds.
    pub(crate) fn rust_import(
        &self,
        file: FileNo,
        import: &ImportFact,
        target: Target,
        item: Gid,
        trail: &mut Trail,
    ) -> Def {
        let path = self.facts(file).name(import.module);
        if self.names.str(item) == "self"
            && let Target::Module(m) = target
        {
            return Def::Module(m);
        }
        match target {
            Target::Module(m) => self.module_member(m, item, trail).unwrap_or(Def::Missing),
            _ => {
                let mut segments = path.split("::").filter(|s| !s.is_empty());
                let Some(first) = segments.next() else {
                    // `use name;`: a crate.
                    return self
                        .systems
                        .rust
                        .crates
                        .get(self.names.str(item))
                        .map_or(Def::External, |m| Def::Module(*m));
                };
                let mut def = self.path_root(file, import.scope, first, trail);
                for segment in segments {
                    def = match (def, self.names.get(segment)) {
                        (Some(d), Some(gid)) => self.path_member(d, gid, trail),
                        _ => None,
                    };
                }
                match def {
                    Some(Def::External) => Def::External,
                    Some(d) => self.path_member(d, item, trail).unwrap_or(Def::Missing),
                    None if target == Target::External => Def::External,
                    None => Def::Missing,
                }
            }
        }
    }

    /// The first segment of a path.
    fn path_root(&self, file: FileNo, scope: SymbolIdx, word: &str, trail: &mut Trail) -> Option<Def> {
        if let Some(def) = self.path_word(file, scope, word) {
            return Some(def);
        }
        let gid = self.names.get(word)?;
        let inline = self.inline_module(file, scope);
        if let Some(def) = inline.and_then(|s| self.scope_member(file, s, gid, trail)) {
            return Some(def);
        }
        self.module_member(ModId(file.0), gid, trail)
            .filter(|d| *d != Def::Missing)
            .or_else(|| self.systems.rust.crates.get(word).map(|m| Def::Module(*m)))
    }

    /// `crate`, `self`, `super` at the start of a path.
    pub(crate) fn path_word(&self, file: FileNo, scope: SymbolIdx, word: &str) -> Option<Def> {
        let rust = &self.systems.rust;
        let inline = self.inline_module(file, scope);
        match word {
            "crate" | "$crate" => Some(Def::Module(ModId(rust.root(file).0))),
            "self" => Some(inline.map_or(Def::Module(ModId(file.0)), |s| Def::Sym(self.sym_id(file, s)))),
            "super" => Some(match inline {
                Some(s) => match self.facts(file).symbol(s).parent.and_then(|p| self.inline_module(file, p)) {
                    Some(outer) => Def::Sym(self.sym_id(file, outer)),
                    None => Def::Module(ModId(file.0)),
                },
                None => {
                    let (up, scope) = *rust.parents.get(&file.0)?;
                    match self.inline_module(up, scope) {
                        Some(s) => Def::Sym(self.sym_id(up, s)),
                        None => Def::Module(ModId(up.0)),
                    }
                }
            }),
            _ => None,
        }
    }

    /// A path's next segment.
    fn path_member(&self, def: Def, gid: Gid, trail: &mut Trail) -> Option<Def> {
        match def {
            Def::Module(m) => self.module_member(m, gid, trail),
            Def::Sym(s) if self.sym(s).kind == SymbolKind::Namespace => {
                self.scope_member(self.file_of(s), self.idx_of(s), gid, trail)
            }
            Def::Sym(s) => self.nested(s, gid).map(Def::Sym),
            Def::External => Some(Def::External),
            _ => None,
        }
    }

    /// What an inline module offers: definitions and imports.
    fn scope_member(&self, file: FileNo, scope: SymbolIdx, gid: Gid, trail: &mut Trail) -> Option<Def> {
        let name = self.file_names[file.0 as usize].local(gid)?;
        let entries = self.scopes[file.0 as usize].of(scope, name);
        if entries.is_empty() {
            None
        } else {
            Some(self.pick_entries(file, entries, u32::MAX, trail)).filter(|d| *d != Def::Missing)
        }
    }

    /// Names that are there without import: the project's crates.
    pub(crate) fn ambient(&self, file: FileNo, name: Name) -> Option<Def> {
        if self.system(file) != ModuleSystem::Rust {
            return None;
        }
        let word = self.facts(file).name(name);
        let named = self.systems.rust.crates.get(word).map(|m| Def::Module(*m));
        named.or_else(|| self.macro_named(self.gid(file, name)))
    }

    fn macro_named(&self, gid: Gid) -> Option<Def> {
        self.macros.get(&gid).copied().flatten().map(Def::Sym)
    }

    /// `super` and `self` as later segments of a path.
    pub(crate) fn module_word(&self, m: ModId, gid: Gid) -> Option<Def> {
        let file = self.tree.as_file(m)?;
        match self.names.str(gid) {
            "super" => self.systems.rust.parents.get(&file.0).map(|(up, _)| Def::Module(ModId(up.0))),
            "self" => Some(Def::Module(m)),
            _ => None,
        }
    }

    /// A symbol that stands directly inside another, as a definition.
    pub(crate) fn nested_def(&self, s: SymId, gid: Gid, trail: &mut Trail) -> Option<Def> {
        if self.sym(s).kind == SymbolKind::Namespace {
            return self.scope_member(self.file_of(s), self.idx_of(s), gid, trail);
        }
        self.nested(s, gid).map(Def::Sym)
    }
}
