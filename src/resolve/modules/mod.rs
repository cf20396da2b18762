//! How imports find modules: a thin policy for each kind of module system.

pub(crate) mod ecmascript;
pub(crate) mod go;
pub(crate) mod java;
pub(crate) mod python;
pub(crate) mod rust;

use rustc_hash::FxHashMap;

use super::types::ModId;
use crate::rows::FileNo;

/// What an import's module string leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    /// A module of the project.
    Module(ModId),
    /// Something outside of the project.
    External,
    /// It should be in the project, but is not.
    Missing,
}

/// The project's files and folders by path.
#[derive(Default)]
pub(crate) struct Tree<'a> {
    files: FxHashMap<&'a str, u32>,
    dirs: FxHashMap<&'a str, u32>,
    dir_paths: Vec<&'a str>,
    paths: Vec<&'a str>,
}

impl<'a> Tree<'a> {
    pub(crate) fn build(paths: Vec<&'a str>) -> Self {
        let mut tree = Tree { paths, ..Default::default() };
        for (i, &path) in tree.paths.iter().enumerate() {
            tree.files.insert(path, i as u32);
            let mut dir = parent(path);
            while !tree.dirs.contains_key(dir) {
                tree.dirs.insert(dir, tree.dir_paths.len() as u32);
                tree.dir_paths.push(dir);
                dir = parent(dir);
            }
        }
        tree
    }

    pub(crate) fn file(&self, path: &str) -> Option<ModId> {
        self.files.get(path).map(|&f| ModId(f))
    }

    pub(crate) fn dir(&self, path: &str) -> Option<ModId> {
        self.dirs.get(path).map(|&d| ModId(self.paths.len() as u32 + d))
    }

    /// Modules below this number are files, folders, then groups.
    pub(crate) fn first_group(&self) -> u32 {
        (self.paths.len() + self.dir_paths.len()) as u32
    }

    pub(crate) fn as_file(&self, module: ModId) -> Option<FileNo> {
        ((module.0 as usize) < self.paths.len()).then_some(FileNo(module.0))
    }

    /// The folder that a module is or that its file stands in.
    pub(crate) fn path(&self, module: ModId) -> &'a str {
        let n = self.paths.len() as u32;
        if module.0 < n {
            self.paths[module.0 as usize]
        } else {
            self.dir_paths.get((module.0 - n) as usize).unwrap_or(&"")
        }
    }

    pub(crate) fn file_path(&self, file: FileNo) -> &'a str {
        self.paths[file.0 as usize]
    }

    pub(crate) fn paths(&self) -> &[&'a str] {
        &self.paths
    }
}

/// The folder of a path; empty for the root.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// `dir/name`, or `name` at the root.
pub(crate) fn child(dir: &str, name: &str) -> String {
    if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") }
}
