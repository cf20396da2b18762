//! Statements that should not run.

use std::fs;
use std::time::{Duration, Instant};

use super::ran::{portolan, with_a_lesson};

/// One of each type; `{out}` is a path in an empty folder.
const REFUSED: [&str; 30] = [
    "CREATE (:Agent {name: 'x'})",
    "MERGE (:Agent {name: 'x'})",
    "MATCH (l:Lesson) SET l.text = 'x'",
    "MATCH (l:Lesson) DELETE l",
    "MATCH (l:Lesson) DETACH DELETE l",
    "CREATE NODE TABLE T(k INT64 PRIMARY KEY)",
    "CREATE REL TABLE T(FROM File TO File)",
    "CREATE SEQUENCE s",
    "CREATE MACRO m(x) AS x + 1",
    "CREATE TYPE t AS INT64",
    "DROP TABLE Lesson",
    "ALTER TABLE Lesson ADD x INT64",
    "COMMENT ON TABLE Lesson IS 'x'",
    "COPY Agent FROM '{out}/in.csv'",
    "COPY (MATCH (f:File) RETURN f.path) TO '{out}/out.csv'",
    "EXPORT DATABASE '{out}/export'",
    "IMPORT DATABASE '{out}/export'",
    "LOAD FROM '{out}/in.csv' RETURN *",
    "ATTACH '{out}/other.kuzu' AS other (DBTYPE kuzu)",
    "DETACH other",
    "USE other",
    "INSTALL json",
    "UNINSTALL json",
    "UPDATE json",
    "LOAD EXTENSION json",
    "CALL threads=1",
    "CALL force_checkpoint_on_close=true",
    "BEGIN TRANSACTION",
    "CHECKPOINT",
    "RETURN 1; CREATE (:Agent {name: 'x'})",
];

#[test]
fn statements_that_write_or_reach_out() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    let before = fs::read(root.join(".portolan/graph.kuzu")).unwrap();
    let log = fs::read(root.join(".portolan/graph.kuzu.wal")).unwrap();
    for statement in REFUSED {
        let statement = statement.replace("{out}", &out.display().to_string());
        portolan(&root, &["cypher", &statement]).says(&["refused: "]);
    }
    assert_eq!(fs::read_dir(&out).unwrap().count(), 0);
    assert_eq!(fs::read(root.join(".portolan/graph.kuzu")).unwrap(), before);
    assert_eq!(fs::read(root.join(".portolan/graph.kuzu.wal")).unwrap(), log);
}

#[test]
fn malformed_statements() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    portolan(&root, &["cypher", "MATCH (f:File) RETRUN f"]).says(&["line: 1, offset: 15"]);
    portolan(&root, &["cypher", "MATCH (f:Nothing) RETURN f"]).says(&["Nothing"]);
    portolan(&root, &["cypher", "MATCH (f:File) RETURN f.nothing"]).says(&["nothing"]);
    portolan(&root, &["cypher", ""]).says(&["empty"]);
    for text in ["RETURN '", "/*", "((((((((", "RETURN \u{1}", "RETURN 1/0", "RETURN 'é' + 😀", "MATCH", ";;;"] {
        let ran = portolan(&root, &["cypher", text]);
        assert!(matches!(ran.code, Some(1 | 2)) && !ran.err.is_empty(), "{text:?}: {ran:?}");
    }
    let deep = format!("RETURN {}1{}", "(".repeat(200), ")".repeat(200));
    let long = format!("RETURN [{}1] AS x", "1, ".repeat(5000));
    for text in [&deep, &long] {
        let ran = portolan(&root, &["cypher", text]);
        assert!(matches!(ran.code, Some(0 | 2)), "{ran:?}");
    }
}

#[test]
fn a_statement_that_would_run_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    let product =
        "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b UNWIND range(1, 1000) AS c RETURN sum(a * b + c)";
    let begun = Instant::now();
    portolan(&root, &["cypher", product]).says(&["ran longer than 10.0 s", "--timeout"]);
    assert!(
        begun.elapsed() >= Duration::from_secs(10) && begun.elapsed() < Duration::from_secs(30),
        "{:?}",
        begun.elapsed()
    );
    portolan(&root, &["cypher", product, "--timeout", "0.3"]).says(&["ran longer than 0.3 s"]);
    portolan(&root, &["callers", "f3_0"]).ok();
}
