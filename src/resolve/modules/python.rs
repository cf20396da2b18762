//! Python: dotted modules found from source roots; packages with or without `__init__`.

use rustc_hash::FxHashSet;

use super::{Target, Tree, child, parent};
use crate::facts::*;
use crate::resolve::config::ProjectConfig;
use crate::resolve::types::ModId;
use crate::rows::FileNo;

/// Where absolute imports start.
#[derive(Default)]
pub(crate) struct Python {
    roots: Vec<String>,
    /// Folders that hold Python files, themselves or below.
    dirs: FxHashSet<String>,
}

fn is_python(path: &str) -> bool {
    path.ends_with(".py") || path.ends_with(".pyi")
}

impl Python {
    pub(crate) fn build(tree: &Tree<'_>, config: &ProjectConfig) -> Self {
        let mut python = Python::default();
        let mut inferred: Vec<String> = Vec::new();
        for path in tree.paths().iter().filter(|p| is_python(p)) {
            let mut dir = parent(path);
            if path.ends_with("/__init__.py") {
                inferred.push(source_root(tree, dir).to_owned());
            }
            while python.dirs.insert(dir.to_owned()) && !dir.is_empty() {
                dir = parent(dir);
            }
        }
        inferred.sort_by(|a, b| (depth(a), a).cmp(&(depth(b), b)));
        let fixed = ["", "src", "lib", "python"].into_iter().map(str::to_owned);
        for root in config.python_roots.iter().cloned().chain(fixed).chain(inferred) {
            if !python.roots.contains(&root) && python.dirs.contains(&root) {
                python.roots.push(root);
            }
        }
        python
    }

    /// A module or package below a folder.
    pub(crate) fn below(&self, tree: &Tree<'_>, dir: &str, segments: &str) -> Option<ModId> {
        let mut path = if dir.is_empty() { String::new() } else { format!("{dir}/") };
        path.extend(segments.chars().map(|c| if c == '.' { '/' } else { c }));
        let len = path.len();
        for suffix in ["/__init__.py", ".py", ".pyi", "/__init__.pyi"] {
            path.truncate(len);
            path.push_str(suffix);
            if let Some(file) = tree.file(&path) {
                return Some(file);
            }
        }
        path.truncate(len);
        if self.dirs.contains(&path) { tree.dir(&path) } else { None }
    }

    /// `pkg.name` where `name` is a submodule.
    pub(crate) fn submodule(&self, tree: &Tree<'_>, package: ModId, name: &str) -> Option<ModId> {
        let path = tree.path(package);
        match tree.as_file(package) {
            None => self.below(tree, path, name),
            Some(_) if is_package(path) => self.below(tree, parent(path), name),
            Some(_) => None,
        }
    }

    fn absolute(&self, tree: &Tree<'_>, file: FileNo, module: &str) -> Target {
        let first = module.split('.').next().unwrap_or(module);
        let own = source_root(tree, parent(tree.file_path(file)));
        let mut found = None;
        let mut known = false;
        for root in std::iter::once(own).chain(self.roots.iter().map(String::as_str)) {
            let head = self.below(tree, root, first);
            let Some(head) = head else { continue };
            known |= tree.as_file(head).is_some();
            if let Some(module) = self.below(tree, root, module) {
                if tree.as_file(module).is_some() {
                    return Target::Module(module);
                }
                found = found.or(Some(module));
            }
        }
        match found {
            Some(module) => Target::Module(module),
            None if known => Target::Missing,
            None => Target::External,
        }
    }

    pub(crate) fn target(&self, tree: &Tree<'_>, file: FileNo, level: u8, module: &str) -> Target {
        if level == 0 {
            return self.absolute(tree, file, module);
        }
        let mut dir = parent(tree.file_path(file));
        for _ in 1..level {
            dir = parent(dir);
        }
        let found = if module.is_empty() {
            let init = [child(dir, "__init__.py"), child(dir, "__init__.pyi")].iter().find_map(|p| tree.file(p));
            init.or_else(|| tree.dir(dir))
        } else {
            self.below(tree, dir, module)
        };
        found.map_or(Target::Missing, Target::Module)
    }

    /// Which name an import binds in its scope, and whether it is the first segment of a dotted module.
    pub(crate) fn bound_name(import: &ImportFact) -> Option<Name> {
        match &import.what {
            ImportWhat::Module { alias: Some(alias) } => Some(*alias),
            ImportWhat::Item { alias, .. } | ImportWhat::Default { alias } => Some(*alias),
            _ => None,
        }
    }
}

fn depth(path: &str) -> usize {
    if path.is_empty() { 0 } else { path.matches('/').count() + 1 }
}

/// Is the file the `__init__` of a package?
pub(crate) fn is_package(path: &str) -> bool {
    matches!(path.rsplit('/').next(), Some("__init__.py" | "__init__.pyi"))
}

/// The first folder upwards that is not a package.
fn source_root<'t>(tree: &Tree<'_>, dir: &'t str) -> &'t str {
    let mut dir = dir;
    while !dir.is_empty()
        && (tree.file(&child(dir, "__init__.py")).is_some() || tree.file(&child(dir, "__init__.pyi")).is_some())
    {
        dir = parent(dir);
    }
    dir
}
