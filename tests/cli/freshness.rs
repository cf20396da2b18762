//! Questions about a work tree that has changed since it was indexed.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use portolan::store::index_lock;
use portolan::store::owner::{Owner, boot_clock_ms};
use portolan::store::{Layout, Store};
use tempfile::TempDir;

use super::shop::{Ran, git, run};

const LIMIT: Duration = Duration::from_secs(60);

/// A repository of 40 files with one function each, committed; indexed if so wished.
fn repository(indexed: bool) -> TempDir {
    let folder = TempDir::new().unwrap();
    for i in 0..40 {
        write(folder.path(), i, "first");
    }
    git(folder.path(), &["init", "-q"]);
    git(folder.path(), &["add", "-A"]);
    git(folder.path(), &["commit", "-qm", "All"]);
    if indexed {
        let ran = run(folder.path(), &["index"], "");
        assert_eq!(ran.code, 0, "{ran:?}");
    }
    folder
}

fn write(root: &Path, i: usize, word: &str) {
    fs::write(root.join(format!("m{i}.py")), format!("def {word}_{i}():\n    return {i}\n")).unwrap();
}

fn finds(folder: &TempDir, name: &str) -> Ran {
    run(folder.path(), &["symbol", name, "--json"], "")
}

/// Asks `status` again and again until the graph is up to date.
fn until_up_to_date(folder: &TempDir) {
    let end = Instant::now() + LIMIT;
    loop {
        let status = run(folder.path(), &["status", "--json"], "").json();
        if status["up_to_date"] == true {
            return;
        }
        assert!(Instant::now() < end, "still behind: {status}");
        std::thread::yield_now();
    }
}

#[test]
fn a_question_in_a_fresh_clone_indexes_it_first() {
    let folder = repository(false);
    let ran = finds(&folder, "first_3");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.json()[0]["symbol"]["file"], "m3.py", "{ran:?}");
    assert_eq!(ran.err, "", "nothing to say when piped");
}

#[test]
fn a_new_function_is_found_at_once() {
    let folder = repository(true);
    write(folder.path(), 3, "second");
    fs::write(folder.path().join("new.py"), "def third():\n    return second_3()\n").unwrap();
    for name in ["second_3", "third"] {
        let ran = finds(&folder, name);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    }
    assert_eq!(finds(&folder, "first_3").code, 1, "what is gone is gone");
    fs::remove_file(folder.path().join("new.py")).unwrap();
    assert_eq!(finds(&folder, "third").code, 1);
    git(folder.path(), &["commit", "-qam", "Second thoughts"]);
    let owners = run(folder.path(), &["cypher", "MATCH (c:Commit) RETURN count(*) AS n", "--json"], "");
    assert_eq!(owners.json()[0]["n"], 2, "a commit that touches no file of the tree counts too: {owners:?}");
}

#[test]
fn no_index_answers_from_the_graph_as_it_is() {
    let folder = repository(true);
    write(folder.path(), 3, "second");
    let ran = run(folder.path(), &["symbol", "second_3", "--no-index"], "");
    assert_eq!((ran.code, ran.err.as_str()), (1, ""), "{ran:?}");
    let status = run(folder.path(), &["status", "--json"], "").json();
    assert_eq!((&status["up_to_date"], &status["changed_files"]), (&false.into(), &1.into()), "{status}");
}

#[test]
fn many_changes_are_indexed_in_the_background() {
    let folder = repository(true);
    for i in 0..30 {
        write(folder.path(), i, "second");
    }
    let ran = finds(&folder, "first_3");
    assert_eq!(ran.code, 0, "the old graph answers: {ran:?}");
    assert!(
        ran.err.contains("old, 30 files changed since; it is being brought up to date in the background"),
        "{ran:?}"
    );
    until_up_to_date(&folder);
    assert_eq!(finds(&folder, "first_3").code, 1);
    let ran = finds(&folder, "second_3");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    // The indexer holds its lock until its end: when that is free, no process is left.
    let end = Instant::now() + LIMIT;
    let repo = portolan::repo::Repo::open(folder.path(), true).unwrap();
    while portolan::index::background::Background::take(&repo).is_none() {
        assert!(Instant::now() < end, "the background indexer does not end");
        std::thread::yield_now();
    }
}

#[test]
fn while_another_indexes_the_graph_answers_as_it_is() {
    let folder = repository(true);
    write(folder.path(), 3, "second");
    let store = Store::new(Layout::create(folder.path(), false).unwrap());
    // This process is the other one; it lives.
    let lock = store
        .write(LIMIT, |graph| index_lock::take(graph, &Owner::this_process(), boot_clock_ms()))
        .unwrap()
        .expect("the lock is free");
    let ran = finds(&folder, "first_3");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.err.contains("old, 1 file changed since; another process is at work on it"), "{ran:?}");
    let status = run(folder.path(), &["status", "--json"], "").json();
    assert_eq!(status["indexing"], std::process::id(), "{status}");
    store.write(LIMIT, |graph| lock.release(graph, boot_clock_ms())).unwrap();
    assert_eq!(finds(&folder, "second_3").code, 0);
}

#[test]
fn status_names_what_is_damaged_and_what_to_do() {
    let folder = repository(true);
    let graph = folder.path().join(".portolan/graph.kuzu");
    fs::write(&graph, b"no graph at all").unwrap();
    fs::write(folder.path().join(".portolan/graph.kuzu.part-1_1_x_1_y"), "").unwrap();
    let ran = run(folder.path(), &["status"], "");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("is damaged") && ran.out.contains("portolan index --rebuild"), "{ran:?}");
    assert!(ran.out.contains("unfinished build of a dead indexer: graph.kuzu.part-1_1_x_1_y"), "{ran:?}");
    assert_eq!(run(folder.path(), &["index", "--rebuild"], "").code, 0);
    let status = run(folder.path(), &["status", "--json"], "").json();
    assert_eq!((&status["error"], &status["up_to_date"]), (&serde_json::Value::Null, &true.into()), "{status}");
    assert_eq!(status["leftover_builds"], serde_json::json!([]));
    assert_eq!(status["set_aside"][0], "graph.kuzu.aside-1", "{status}");
}
