//! Linked worktrees begin with the main work tree's graph; and a graph that has grown is built anew.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use super::shop::{git, run};

fn index(root: &Path) -> Json {
    let ran = run(root, &["index", "--json"], "");
    assert_eq!(ran.code, 0, "{ran:?}");
    ran.json()
}

fn dump(root: &Path) -> String {
    let ran = run(root, &["--no-index", "export", "dump"], "");
    assert_eq!(ran.code, 0, "{ran:?}");
    ran.out
}

fn cypher(root: &Path, write: bool, query: &str) -> Json {
    let mut args = vec!["--no-index", "cypher", query, "--json"];
    args.extend(write.then_some("--write"));
    let ran = run(root, &args, "");
    assert_ne!(ran.code, 2, "{query}: {ran:?}");
    ran.json()
}

fn count(root: &Path, pattern: &str) -> Json {
    cypher(root, false, &format!("MATCH {pattern} RETURN count(*) AS n"))[0]["n"].clone()
}

/// Twenty files that call each other in a ring, committed and indexed, and a linked worktree beside them in which one
/// file is another.
fn main_and_worktree() -> TempDir {
    let folder = TempDir::new().unwrap();
    let main = folder.path().join("main");
    fs::create_dir(&main).unwrap();
    for i in 0..20 {
        let next = (i + 1) % 20;
        let text = format!("from m{next} import f_{next}\n\n\ndef f_{i}():\n    return f_{next}()\n");
        fs::write(main.join(format!("m{i}.py")), text).unwrap();
    }
    git(&main, &["init", "-q"]);
    git(&main, &["add", "-A"]);
    git(&main, &["commit", "-qm", "All"]);
    index(&main);
    git(&main, &["worktree", "add", "-q", "-b", "other", "../linked"]);
    let linked = folder.path().join("linked");
    fs::write(linked.join("m3.py"), "from m4 import f_4\n\n\ndef g_3():\n    return f_4()\n").unwrap();
    folder
}

fn fresh_dump(of: &Path, folder: &Path) -> String {
    // A worktree's `.git` is a file with an absolute path, so a copy is one too.
    let copy = folder.join("fresh");
    let status = std::process::Command::new("cp").arg("-a").arg(of).arg(&copy).status().unwrap();
    assert!(status.success());
    fs::remove_dir_all(copy.join(".portolan")).unwrap();
    let report = run(&copy, &["index", "--rebuild", "--json"], "").json();
    assert_eq!((&report["outcome"], &report["notes"]), (&json!("built"), &json!([])), "{report}");
    dump(&copy)
}

#[test]
fn a_worktree_begins_with_the_graph_of_the_main_one() {
    let folder = main_and_worktree();
    let (main, linked) = (folder.path().join("main"), folder.path().join("linked"));
    for statement in [
        "MERGE (s:Session {id: 's1'}) MERGE (f:File {path: 'm1.py'}) MERGE (s)-[:CLAIMS {since: 1, expires: 2}]->(f)",
        "MERGE (:Agent {name: 'a1'})",
        "MERGE (:Event {id: 'e1'})",
        "MERGE (l:Lesson {id: 'l1', text: 'mind the ring'}) MERGE (f:File {path: 'm1.py'}) MERGE (l)-[:ABOUT]->(f)",
    ] {
        cypher(&main, true, statement);
    }
    let before = dump(&main);
    let report = index(&linked);
    let note = report["notes"][0].as_str().unwrap_or_default();
    assert!(note.starts_with("began with the graph of ") && note.ends_with("main"), "{report}");
    assert_eq!((&report["outcome"], &report["changed"]), (&json!("updated"), &json!(1)), "{report}");
    assert!(report["resolved"].as_u64().unwrap() <= 3, "{report}");
    assert_eq!(run(&linked, &["symbol", "g_3"], "").code, 0);

    for (what, there) in
        [("(:Session)", 0), ("()-[:CLAIMS]->()", 0), ("(:Agent)", 0), ("(:Event)", 0), ("(:Lesson)", 1)]
    {
        assert_eq!(count(&linked, what), there, "{what}");
        assert_eq!(count(&main, what), 1, "{what} of the main one stays");
    }
    assert_eq!(count(&linked, "(:Lesson)-[:ABOUT]->(:File {path: 'm1.py'})"), 1);
    let memory = |line: &&str| line.starts_with("Lesson\t") || line.starts_with("ABOUT");
    let code: Vec<String> = dump(&linked).lines().filter(|l| !memory(l)).map(str::to_owned).collect();
    assert!(code == fresh_dump(&linked, folder.path()).lines().collect::<Vec<_>>(), "as a fresh index of the worktree");
    assert!(dump(&main) == before, "the main work tree's graph is as it was");

    fs::write(main.join("m7.py"), "def h_7():\n    return 7\n").unwrap();
    assert_eq!(run(&main, &["symbol", "h_7"], "").code, 0);
    assert_eq!(run(&linked, &["symbol", "h_7"], "").code, 1, "their rows are their own");
}

#[test]
fn a_main_graph_that_cannot_be_copied_is_no_hindrance() {
    let folder = main_and_worktree();
    let (main, linked) = (folder.path().join("main"), folder.path().join("linked"));
    fs::write(main.join(".portolan/graph.kuzu"), "no graph at all").unwrap();
    let report = index(&linked);
    assert_eq!((&report["outcome"], &report["notes"]), (&json!("built"), &json!([])), "{report}");
    assert_eq!(run(&linked, &["symbol", "g_3"], "").code, 0);
    let left: Vec<_> = fs::read_dir(linked.join(".portolan"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|n| n.contains("part") || n.contains("build"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
}

#[test]
fn a_graph_that_has_grown_is_built_anew() {
    let folder = main_and_worktree();
    let main = folder.path().join("main");
    let before = dump(&main);
    let size = || fs::metadata(main.join(".portolan/graph.kuzu")).unwrap().len();
    let new = size();
    assert_eq!(index(&main)["outcome"], "up_to_date");
    // Rows that come and go: the file grows and does not shrink.
    let text = "x".repeat(3000);
    for round in 0.. {
        assert!(round < 100, "the file does not grow: {} of {new} bytes", size());
        let range = format!("UNWIND range({}, {}) AS i", round * 1000, round * 1000 + 999);
        cypher(&main, true, &format!("{range} CREATE (:Event {{id: 'e' + cast(i AS STRING), detail: '{text}'}})"));
        cypher(&main, true, "MATCH (e:Event) DELETE e");
        if size() > new + new / 2 + (6 << 20) {
            break;
        }
    }
    assert_eq!(index(&main)["outcome"], "built");
    assert!(size() < new + new / 2 + (4 << 20), "{} bytes after, {new} when new", size());
    assert_eq!(dump(&main), before);
    assert_eq!(index(&main)["outcome"], "up_to_date");
}
