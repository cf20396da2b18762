//! A home folder with a repository in it, and the program run there.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;
use portolan::install::{Machine, Part, Place, Platform, Scope};
use serde_json::Value as Json;
use tempfile::TempDir;

/// What a run of the program gave.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn json(&self) -> Json {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }
}

/// Everything below a folder: files with their bytes, links with their targets, folders; each with its mode.
pub(crate) type Tree = BTreeMap<PathBuf, (u32, Vec<u8>)>;

pub(crate) struct Home {
    folder: TempDir,
}

impl Home {
    pub(crate) fn new() -> Home {
        let folder = TempDir::new().unwrap();
        fs::create_dir_all(folder.path().join("home")).unwrap();
        fs::create_dir_all(folder.path().join("repo/.git")).unwrap();
        Home { folder }
    }

    /// Holds the home folder and the repository.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    pub(crate) fn repo(&self) -> PathBuf {
        self.path().join("repo")
    }

    /// What the program takes the machine for.
    pub(crate) fn machine(&self) -> Machine {
        Machine::at(&self.home(), &program())
    }

    pub(crate) fn parts(&self, platform: &dyn Platform, scope: Scope) -> Vec<Part> {
        let (machine, repo) = (self.machine(), self.repo());
        platform.parts(Place { machine: &machine, project: (scope == Scope::Project).then_some(repo.as_path()) })
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(program());
        command
            .current_dir(self.repo())
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", "/usr/bin:/bin")
            .timeout(Duration::from_secs(120));
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        let output = self.command().args(args).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
    }

    /// `install` or `uninstall` for one agent.
    pub(crate) fn change(&self, what: &str, platform: &str, scope: Scope) -> Ran {
        let scope = if scope == Scope::Project { "--project" } else { "--user" };
        self.run(&[what, "-y", "--platform", platform, scope])
    }

    pub(crate) fn write(&self, file: &Path, bytes: &[u8]) {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }

    pub(crate) fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        walk(&self.path(), &mut tree);
        tree
    }
}

pub(crate) fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_portolan"))
}

fn walk(folder: &Path, tree: &mut Tree) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let meta = fs::symlink_metadata(&path).unwrap();
        let content = if meta.is_symlink() {
            fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
        } else if meta.is_dir() {
            walk(&path, tree);
            Vec::new()
        } else {
            fs::read(&path).unwrap()
        };
        tree.insert(path, (meta.permissions().mode(), content));
    }
}

/// Fails with the files that differ, not with two whole trees.
pub(crate) fn same(left: &Tree, right: &Tree, what: &str) {
    let mut differ = Vec::new();
    for path in left.keys().chain(right.keys()) {
        let show = |tree: &Tree| {
            tree.get(path).map(|(mode, bytes)| {
                let text: String = String::from_utf8_lossy(bytes).chars().take(3000).collect();
                format!("{mode:o} {text:?}")
            })
        };
        if left.get(path) != right.get(path) {
            differ.push(format!("{}\n  {:?}\n  {:?}", path.display(), show(left), show(right)));
        }
    }
    differ.dedup();
    assert!(differ.is_empty(), "{what}:\n{}", differ.join("\n"));
}
