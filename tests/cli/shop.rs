//! A small graph to ask, and the program to ask it with.

use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use assert_cmd::Command;
use portolan::store::{Layout, Store};
use serde_json::Value as Json;
use tempfile::TempDir;

const SHOP: &str = include_str!("../data/shop.cypher");
const FILLER: &str = include_str!("../data/filler.cypher");

/// A folder with the made-up shop's graph.
pub(crate) struct Shop {
    folder: TempDir,
}

impl Shop {
    pub(crate) fn new() -> Self {
        static BUILT: OnceLock<Vec<u8>> = OnceLock::new();
        Self::with(BUILT.get_or_init(|| build(SHOP.lines())))
    }

    /// The shop among thousands of rows that nothing here asks for.
    pub(crate) fn in_a_crowd() -> Self {
        Self::with(&build(SHOP.lines().chain(FILLER.lines())))
    }

    fn with(graph: &[u8]) -> Self {
        let folder = TempDir::new().unwrap();
        let layout = Layout::create(folder.path(), false).unwrap();
        std::fs::write(layout.graph(), graph).unwrap();
        Shop { folder }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs the program in the shop's folder, which holds a graph and no code.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        run(self.path(), &[&["--no-index"], args].concat(), "")
    }
}

/// The graph's file after these statements.
fn build<'a>(statements: impl Iterator<Item = &'a str>) -> Vec<u8> {
    let folder = TempDir::new().unwrap();
    let store = Store::new(Layout::create(folder.path(), false).unwrap());
    store
        .write(Duration::from_secs(20), |graph| {
            for statement in statements.filter(|l| !l.starts_with("//")) {
                graph.run_once(statement)?;
            }
            graph.checkpoint()
        })
        .unwrap();
    std::fs::read(store.layout().graph()).unwrap()
}

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

/// Runs the program in `folder`.
pub(crate) fn run(folder: &Path, args: &[&str], stdin: &str) -> Ran {
    let output = Command::cargo_bin("portolan")
        .unwrap()
        .current_dir(folder)
        .env_remove("PORTOLAN_LOG")
        .args(args)
        .write_stdin(stdin)
        .timeout(Duration::from_secs(60))
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
}

/// Runs git in `folder`.
pub(crate) fn git(folder: &Path, args: &[&str]) {
    let status = std::process::Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@shop", "-c", "commit.gpgsign=false"])
        .args(args)
        .status()
        .unwrap();
    assert!(status.success(), "git {args:?}");
}
