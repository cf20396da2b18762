//! File names that break tables, shells, and ids.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::ran::{dump, equals_fresh, git, nothing_panics, portolan, repository, write};

const TEXT: &str = "def hello():\n    return world()\n\n\ndef world():\n    return 1\n";

fn names() -> Vec<Vec<u8>> {
    let mut names: Vec<Vec<u8>> = [
        "with space.py",
        "quo'te.py",
        "dq\".py",
        "new\nline.py",
        "tab\t.py",
        "cr\r.py",
        "back\\slash.py",
        "back\\xff.py",
        "emoji\u{1f600}.py",
        "--help",
        "--help.py",
        "-n.py",
        "a::b.py",
        "a#2.py",
        "$(touch x).py",
        "`id`.py",
        "%s.py",
        "a|b.py",
        "a,b.py",
        "CASE.py",
        "case.py",
        "\u{1b}[31mred.py",
        "\u{202e}gnp.py",
        "\u{e9}.py",
        "e\u{301}.py",
        ".py",
        "..py",
        "a .py ",
        "dir::x/a.py",
        "NULL.py",
        "{}.py",
        "*.py",
        "[a].py",
    ]
    .iter()
    .map(|n| n.as_bytes().to_vec())
    .collect();
    names.push(b"not\xff\xfeutf8.py".to_vec());
    names.push([b"n".repeat(252).as_slice(), b".py"].concat());
    names.push(["\u{e9}".repeat(126).as_bytes(), b".py"].concat());
    names
}

#[test]
fn every_name_is_indexed_and_no_output_breaks() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("it's a \"root\"\n\u{1f600}");
    repository(&root, 3);
    let names = names();
    for name in &names {
        write(&root, Path::new(OsStr::from_bytes(name)), TEXT);
    }
    portolan(&root, &["index"]).ok();
    let status = portolan(&root, &["status", "--json", "--all"]).json();
    assert_eq!(status["files"], names.len() + 4, "{status}");
    assert_eq!(status["skipped"], serde_json::json!([]));

    // One call a file, and three files of ten functions; each row of the table has its seven fields.
    let tsv = portolan(&root, &["export", "calls", "--tsv"]).ok();
    let rows: Vec<Vec<&str>> = tsv.lines().map(|l| l.split('\t').collect()).collect();
    let parsed = names.iter().filter(|n| n.ends_with(b".py") && *n != b".py").count();
    assert!(rows.iter().all(|r| r.len() == 7), "{tsv}");
    assert_eq!(rows.len(), parsed + 30, "{tsv}");
    let json = portolan(&root, &["export", "calls", "--json"]).json();
    assert_eq!(json.as_array().unwrap().len(), rows.len());
    for name in ["new\nline.py", "tab\t.py", "back\\x5cxff.py", "not\\xff\\xfeutf8.py", "\u{1b}[31mred.py"] {
        assert!(json.as_array().unwrap().iter().any(|r| r["caller_file"] == name), "{name:?}: {json}");
    }

    // Whatever the form: no control characters reach a terminal, and a row stays a row.
    for args in [
        &["callers", "world", "--all"][..],
        &["symbol", "hello", "--all"],
        &["status", "--all"],
        &["map", "what does hello return"],
        &["locate", "hello world", "--all"],
        &["cypher", "MATCH (f:File) RETURN f.path ORDER BY f.path"],
        &["unresolved", "nowhere"],
        &["hotspots"],
    ] {
        let ran = portolan(&root, args);
        let bad = |c: char| c.is_control() && c != '\n';
        assert!(!ran.out.contains(bad) && !ran.err.contains(bad), "{args:?}: {ran:?}");
    }
    let table = portolan(&root, &["cypher", "MATCH (f:File) RETURN f.path"]).ok();
    assert_eq!(table.lines().count(), names.len() + 4 + 2, "{table}");
    for line in dump(&root).lines() {
        let (_, row) = line.split_once('\t').unwrap();
        serde_json::from_str::<serde_json::Value>(row).unwrap_or_else(|e| panic!("{e}: {line}"));
    }
    for path in ["a::b.py::hello", "a#2.py::hello", "new\nline.py::hello", "with space.py::hello", "with space.py:1"] {
        let ran = portolan(&root, &["symbol", "--json", "--", path]);
        assert_eq!(ran.code, Some(0), "{path:?}: {ran:?}");
    }
    nothing_panics(&root);
}

#[test]
fn such_files_come_and_go() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    repository(&root, 3);
    let paths: Vec<_> = names().iter().map(|n| root.join(OsStr::from_bytes(n))).collect();
    for path in &paths {
        write(&root, path, TEXT);
    }
    equals_fresh(&root);
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-qm", "names \u{1b}[31m \" ' \\ \t \u{1f600}"]);
    equals_fresh(&root);
    for (at, path) in paths.iter().enumerate() {
        match at % 3 {
            0 => fs::remove_file(path).unwrap(),
            1 => write(&root, path, format!("\n{TEXT}\n\ndef more():\n    return hello()\n")),
            _ => fs::rename(path, root.join(format!("moved{at}.py"))).unwrap(),
        }
    }
    equals_fresh(&root);
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-qm", "moved"]);
    equals_fresh(&root);
    git(&root, &["checkout", "-q", "HEAD~1"]);
    equals_fresh(&root);
}
