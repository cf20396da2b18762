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

/// The files in `.portolan/cache`.
fn caches(root: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(root.join(".portolan/cache")).unwrap().map(|e| e.unwrap().path());
    entries.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// What a kill between the graph's commit and the renaming of its caches leaves, made by hand; then the tree goes back to
/// what the old caches describe.
#[test]
fn a_question_notices_a_run_that_was_killed_between_graph_and_caches() {
    for come_far in [0, 1, 3] {
        let folder = repository(true);
        let root = folder.path();
        let of_generation = ["commits", "interface", "search", "manifest"];
        let before: Vec<_> = caches(root)
            .into_iter()
            .filter(|(path, _)| of_generation.contains(&path.file_name().unwrap().to_str().unwrap()))
            .collect();
        write(root, 3, "second");
        git(root, &["commit", "-qam", "Second"]);
        assert_eq!(run(root, &["index"], "").code, 0);
        let meta =
            run(root, &["--no-index", "cypher", "MATCH (m:Meta {k: 'generation'}) RETURN m.v AS v", "--json"], "");
        let generation = meta.json()[0]["v"].as_str().unwrap().to_owned();
        for (at, name) in of_generation.iter().enumerate().skip(come_far) {
            let path = root.join(".portolan/cache").join(name);
            fs::rename(&path, path.with_file_name(format!("{name}.new-{generation}"))).unwrap();
            let (_, old) = before.iter().find(|(old, _)| *old == path).unwrap_or_else(|| panic!("{at} {name}"));
            fs::write(&path, old).unwrap();
        }
        fs::write(root.join(".portolan/cache/unsettled"), &generation).unwrap();
        git(root, &["reset", "-q", "--hard", "HEAD~1"]);
        write(root, 3, "first");

        let status = run(root, &["status", "--json"], "").json();
        assert_eq!(status["up_to_date"], false, "{status}");
        assert!(run(root, &["status"], "").out.contains("cut short"));
        let ran = finds(&folder, "first_3");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
        assert_eq!(finds(&folder, "second_3").code, 1);
        assert_eq!(run(root, &["status", "--json"], "").json()["up_to_date"], true);
        let left: Vec<_> = caches(root).into_iter().map(|(path, _)| path).collect();
        assert!(
            !left.iter().any(|p| p.display().to_string().contains(".new-") || p.ends_with("unsettled")),
            "{left:?}"
        );
    }
}

/// The run was killed after the announcement and before the commit.
#[test]
fn an_announced_change_that_never_came_is_forgotten() {
    let folder = repository(true);
    fs::write(folder.path().join(".portolan/cache/unsettled"), "0123456789abcdef").unwrap();
    let ran = run(folder.path(), &["index", "--json"], "");
    assert_eq!((ran.code, &ran.json()["outcome"]), (0, &"up_to_date".into()), "{ran:?}");
    assert!(!folder.path().join(".portolan/cache/unsettled").exists());
}

#[test]
fn a_graph_answers_though_nothing_can_be_indexed() {
    // The caches are gone, and another process indexes.
    let folder = repository(true);
    let root = folder.path();
    fs::remove_file(root.join(".portolan/cache/manifest")).unwrap();
    let facts = root.join(".portolan/cache/facts");
    fs::remove_file(&facts).unwrap();
    fs::create_dir(&facts).unwrap();
    let ran = finds(&folder, "first_3");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.err.contains("old, what changed since is not known; cannot write"), "{ran:?}");
    fs::remove_dir(&facts).unwrap();
    assert_eq!((finds(&folder, "first_3").code, finds(&folder, "first_3").err), (0, String::new()));

    // The settings are wrong.
    fs::write(root.join("portolan.toml"), "languages = 3\n").unwrap();
    let ran = finds(&folder, "first_3");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.err.contains("portolan.toml:1"), "{ran:?}");
    fs::remove_dir_all(root.join(".portolan")).unwrap();
    assert_eq!(finds(&folder, "first_3").code, 2, "there is no graph to answer from");
}

#[test]
fn languages_in_the_settings_take_effect_without_an_edit() {
    let folder = repository(true);
    let root = folder.path();
    fs::write(root.join("portolan.toml"), "languages = [\"go\"]\n").unwrap();
    run(root, &["index"], "");
    assert_eq!(finds(&folder, "first_3").code, 1, "Python is not parsed any more");
    fs::remove_file(root.join("portolan.toml")).unwrap();
    run(root, &["index"], "");
    assert_eq!(finds(&folder, "first_3").code, 0);
}

/// A commit that touches more files than are looked at is named.
#[test]
fn status_names_commits_that_are_too_large() {
    let folder = repository(true);
    let root = folder.path();
    let git2 = git2::Repository::open(root).unwrap();
    let mut id = git2.treebuilder(None).unwrap().write().unwrap();
    for _ in 0..8 {
        let mut tree = git2.treebuilder(None).unwrap();
        (0..10).for_each(|n| drop(tree.insert(format!("d{n}"), id, 0o040_000).unwrap()));
        id = tree.write().unwrap();
    }
    let head = git2.head().unwrap().peel_to_commit().unwrap();
    let who = git2::Signature::new("Ann", "ann@example.org", &git2::Time::new(1_700_010_000, 0)).unwrap();
    let bomb = git2.commit(Some("HEAD"), &who, &who, "bomb", &git2.find_tree(id).unwrap(), &[&head]).unwrap();
    let said = format!("commit {} changes too many files to look at", &bomb.to_string()[..10]);
    let ran = run(root, &["index"], "");
    assert!(ran.code == 0 && ran.err.contains(&said), "{ran:?}");
    assert!(run(root, &["status"], "").out.contains(&said));
}
