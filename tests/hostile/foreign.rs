//! A program that does not queue at our gate holds the graph: Kuzu's own Python wheel.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use super::ran::{dump, equals_fresh, lessons, portolan, repository, skipped, with_a_lesson, write};

/// A Python with kuzu 0.11.3: from `dev/test`, or the user's own.
fn python() -> Option<String> {
    if let Ok(named) = std::env::var("PORTOLAN_WHEEL_PYTHON") {
        return Some(named);
    }
    let check = "import kuzu; assert kuzu.__version__ == '0.11.3'";
    let found = Command::new("python3").args(["-c", check]).output().is_ok_and(|o| o.status.success());
    if !found {
        skipped("no Python with kuzu==0.11.3; `bash dev/test` sets one up");
    }
    found.then(|| "python3".into())
}

struct Holder {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Holder {
    /// Starts it; it has the graph open, or with a pattern will open it.
    fn start(root: &Path, mode: &str, pattern: Option<PathBuf>) -> Option<Holder> {
        let mut command = Command::new(python()?);
        command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hostile/hold.py"));
        command.arg(root.join(".portolan/graph.kuzu")).arg(mode).args(&pattern);
        let mut child =
            command.env("PYTHONDONTWRITEBYTECODE", "1").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let mut holder = Holder { child, out };
        holder.hear("ready");
        if pattern.is_none() {
            holder.hear("open");
        }
        Some(holder)
    }

    fn hear(&mut self, word: &str) {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        assert_eq!(line.trim_end(), word);
    }

    fn pid(&self) -> String {
        format!("process {}", self.child.id())
    }

    fn close(mut self) {
        drop(self.child.stdin.take());
        self.hear("closed");
        assert!(self.child.wait().unwrap().success());
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn builds(root: &Path) -> Vec<String> {
    let names = fs::read_dir(root.join(".portolan")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    names.filter(|n| n.starts_with("graph.kuzu.build-") && !n.ends_with(".wal")).collect()
}

#[test]
fn it_opens_the_graph_while_a_full_build_runs() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    repository(&root, 150);
    portolan(&root, &["index"]).ok();
    super::ran::add_lesson(&root, "ours");
    let before = dump(&root);
    // Without what earlier runs noted, everything is built anew.
    fs::remove_dir_all(root.join(".portolan/cache")).unwrap();
    let Some(mut holder) = Holder::start(&root, "rw", Some(root.join(".portolan/graph.kuzu.part-*"))) else { return };
    let ran = portolan(&root, &["index"]);
    ran.says(&["graph.kuzu is held by", &holder.pid(), "close that program", "try again"]);
    assert_eq!(builds(&root).len(), 1, "the build stays aside");
    holder.hear("open");
    holder.close();
    let out = portolan(&root, &["index"]).ok();
    assert!(out.starts_with("put in place what an earlier run built"), "{out}");
    assert_eq!(builds(&root), Vec::<String>::new());
    assert_eq!(lessons(&root), ["early", "late", "ours"]);
    assert!(portolan(&root, &["index"]).ok().starts_with("up to date"));
    assert_eq!(dump(&root).lines().filter(|l| !l.starts_with("Lesson")).count(), before.lines().count() - 1);
    equals_fresh(&root);
}

#[test]
fn it_holds_the_graph_while_an_update_should_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    let Some(holder) = Holder::start(&root, "rw", None) else { return };
    write(&root, "pkg/new.py", "from pkg.m3 import f3_0\n\n\ndef new():\n    return f3_0()\n");
    let ran = portolan(&root, &["index"]);
    ran.says(&["graph.kuzu is held by", &holder.pid(), "portolan snapshot FILE", "try again"]);
    holder.close();
    assert!(portolan(&root, &["index"]).ok().starts_with("updated"));
    assert_eq!(lessons(&root), ["early", "kept", "late"]);
    assert!(fs::read_to_string(root.join(".portolan/memory.jsonl")).unwrap().contains("late"));
    equals_fresh(&root);
}

#[test]
fn it_reads_while_others_read() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    let Some(holder) = Holder::start(&root, "ro", None) else { return };
    portolan(&root, &["callers", "f3_0"]).ok();
    portolan(&root, &["index"]).ok();
    write(&root, "pkg/new.py", "def new():\n    return 1\n");
    let ran = portolan(&root, &["index"]);
    ran.says(&["graph.kuzu is held by", &holder.pid()]);
    holder.close();
    portolan(&root, &["index"]).ok();
    assert_eq!(lessons(&root), ["kept"]);
    equals_fresh(&root);
}

#[test]
fn it_is_killed_in_the_middle_of_a_transaction() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    for mode in ["tx", "rw"] {
        let Some(holder) = Holder::start(&root, mode, None) else { return };
        holder.kill();
        write(&root, format!("pkg/{mode}.py"), "def new():\n    return 1\n");
        portolan(&root, &["callers", "f3_0"]).ok();
        portolan(&root, &["index"]).ok();
        let expected: &[&str] = if mode == "rw" { &["early", "kept"] } else { &["kept"] };
        assert_eq!(lessons(&root), expected, "{mode}");
    }
    equals_fresh(&root);
}
