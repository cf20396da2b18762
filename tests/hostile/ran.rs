//! A repository to break, and the program to run on it.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use serde_json::Value as Json;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_portolan");

/// How a run ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Checks what holds of every run: it ends by itself, without a panic, and what it prints is UTF-8.
    pub fn of(output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let ran = Ran {
            code: output.status.code(),
            signal: output.status.signal(),
            out: text(output.stdout),
            err: text(output.stderr),
        };
        assert!(!ran.err.contains("panicked"), "{ran:?}");
        assert_eq!(ran.signal, None, "{ran:?}");
        ran
    }

    pub fn json(&self) -> Json {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// Exit code 2 and a message that holds all of these.
    pub fn says(&self, words: &[&str]) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert!(words.iter().all(|w| self.err.contains(w)), "{words:?}: {self:?}");
    }

    pub fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }
}

/// The program in a folder, stopped after two minutes.
pub fn portolan<S: AsRef<OsStr>>(folder: &Path, args: &[S]) -> Ran {
    let mut command = assert_cmd::Command::new(PROGRAM);
    command.current_dir(folder).env_remove("PORTOLAN_LOG").args(args).timeout(Duration::from_secs(120));
    Ran::of(command.output().unwrap())
}

/// Every command, each in a form that works on [`repository`].
pub const COMMANDS: [&[&str]; 25] = [
    &["status"],
    &["map", "the number of file 3"],
    &["locate", "the number of file 3"],
    &["callers", "f3_0"],
    &["callees", "f3_1"],
    &["path", "f3_1", "f4_0"],
    &["symbol", "f3_0"],
    &["unresolved", "nowhere"],
    &["cochange", "pkg/m3.py"],
    &["owners", "pkg/m3.py"],
    &["impact", "f3_0"],
    &["impact", "--diff"],
    &["tests", "f3_0", "--all-affected"],
    &["review"],
    &["context", "f3_0"],
    &["context", "the number of file 3"],
    &["hotspots"],
    &["snapshot", "../snapshot.kuzu"],
    &["cypher", "MATCH (s:Symbol) RETURN count(*) AS n"],
    &["cypher", "--write", "MATCH (l:Lesson) SET l.at = l.at"],
    &["query", "callers", "-p", "id=pkg/m3.py::f3_0"],
    &["query"],
    &["export", "calls", "--tsv"],
    &["export", "dump"],
    &["index"],
];

/// Runs every command, text and JSON: each ends with 0, 1 or 2 by itself, and JSON is JSON whatever happens.
pub fn nothing_panics(folder: &Path) {
    for args in COMMANDS {
        let ran = portolan(folder, args);
        assert!(matches!(ran.code, Some(0..=2)), "{args:?}: {ran:?}");
        let ran = portolan(folder, &[args, &["--json"]].concat());
        let dump = args == ["export", "dump"] && ran.code == Some(0);
        // --tsv and --json exclude each other; that, too, is said as JSON.
        if !dump {
            ran.json();
        }
    }
}

pub fn write(root: &Path, path: impl AsRef<Path>, text: impl AsRef<[u8]>) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

pub fn git(folder: &Path, args: &[&str]) {
    let status = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false"])
        .args(args)
        .status()
        .unwrap();
    assert!(status.success(), "git {args:?}");
}

/// A repository of `files` Python files that call each other, committed.
pub fn repository(root: &Path, files: usize) {
    write(root, "pkg/__init__.py", "");
    for i in 0..files {
        let next = (i + 1) % files;
        let mut text = format!("from pkg.m{next} import f{next}_0\n");
        for j in 0..10 {
            let callee = if j == 0 { format!("f{next}_0") } else { format!("f{i}_{}", j - 1) };
            text += &format!("\n\ndef f{i}_{j}():\n    \"\"\"Number {j} of file {i}.\"\"\"\n    return {callee}()\n");
        }
        write(root, format!("pkg/m{i}.py"), text);
    }
    for args in [&["init", "-q"][..], &["add", "-A"], &["commit", "-q", "-m", "all"]] {
        git(root, args);
    }
}

/// An indexed repository with a lesson that an agent left, in the graph and in `memory.jsonl`.
pub fn with_a_lesson(folder: &Path) -> PathBuf {
    let root = folder.join("work tree");
    repository(&root, 8);
    portolan(&root, &["index"]).ok();
    add_lesson(&root, "kept");
    write(&root, "pkg/more.py", "def more():\n    pass\n");
    portolan(&root, &["index"]).ok();
    assert!(fs::read_to_string(root.join(".portolan/memory.jsonl")).unwrap().contains("kept"));
    root
}

pub fn add_lesson(root: &Path, id: &str) {
    let statement = "CREATE (:Lesson {id: $id, text: 'a lesson', at: 1, confirmed: 0, target: ''})";
    portolan(root, &["cypher", "--write", statement, "-p", &format!("id={id}")]).ok();
}

pub fn lessons(root: &Path) -> Vec<String> {
    let ran = portolan(root, &["cypher", "MATCH (l:Lesson) RETURN l.id AS id ORDER BY id", "--json"]);
    ran.json().as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

pub fn dump(root: &Path) -> String {
    portolan(root, &["export", "dump"]).ok()
}

/// The graph equals that of a fresh index of a copy of the tree.
pub fn equals_fresh(root: &Path) {
    portolan(root, &["index"]).ok();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    assert!(Command::new("cp").arg("-a").arg(root).arg(&copy).status().unwrap().success());
    fs::remove_dir_all(copy.join(".portolan")).unwrap();
    portolan(&copy, &["index"]).ok();
    let (here, fresh) = (dump(root), dump(&copy));
    let lines = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with("Lesson\t"));
        lines.map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
    };
    let (here, fresh) = (lines(&here), lines(&fresh));
    assert!(
        here == fresh,
        "more: {:#?}\nless: {:#?}",
        here.difference(&fresh).take(9).collect::<Vec<_>>(),
        fresh.difference(&here).take(9).collect::<Vec<_>>()
    );
}

/// Says that a test cannot run here, and why.
pub fn skipped(why: &str) {
    eprintln!("SKIPPED: {why}");
}

pub fn is_root() -> bool {
    // SAFETY: takes nothing and cannot fail.
    unsafe { libc::geteuid() == 0 }
}
