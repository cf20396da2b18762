//! Copies for other clients and for new worktrees.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use portolan::store::index_lock::{state, take};
use portolan::store::owner::{Owner, boot_clock_ms};
use portolan::store::snapshot::{Beside, seed, snapshot};
use portolan::store::value::RowExt;
use portolan::store::{Gate, GateMode, Graph, Layout, Mode, Options, Store, StoreError};

fn soon() -> Duration {
    Duration::from_secs(20)
}

fn seeded(root: &Path) -> Store {
    let store = Store::new(Layout::create(root, false).unwrap());
    store
        .write(soon(), |g| {
            g.run("CREATE (:File {path: 'a.py', present: true})", vec![])?;
            g.run("CREATE (:Lesson {id: 'l', text: 't', at: 1, confirmed: 0, target: 'a.py'})", vec![])?;
            g.run("CREATE (:Session {id: 's', host: '', started: 0, last_at: 0, ended: 0})", vec![])?;
            g.run("MATCH (s:Session), (f:File) CREATE (s)-[:CLAIMS {since: 1, expires: 9}]->(f)", vec![])?;
            take(g, &Owner::this_process(), boot_clock_ms())
        })
        .unwrap()
        .unwrap();
    store
}

fn count(g: &Graph, pattern: &str) -> i64 {
    g.run(&format!("MATCH {pattern} RETURN count(*)"), vec![]).unwrap().rows[0].int(0).unwrap()
}

#[test]
fn a_snapshot_holds_what_is_only_in_the_log_and_replaces_only_snapshots() {
    let dir = tempfile::tempdir().unwrap();
    let store = seeded(dir.path());
    let wal = store.layout().graph().with_extension("kuzu.wal");
    assert!(wal.exists());
    let before = (fs::read(store.layout().graph()).unwrap(), fs::read(&wal).unwrap());
    let dest = dir.path().join("copy.kuzu");
    snapshot(&store, &dest, false, soon()).unwrap();
    snapshot(&store, &dest, false, soon()).unwrap();
    assert_eq!((fs::read(store.layout().graph()).unwrap(), fs::read(&wal).unwrap()), before, "the source is only read");
    let copy = Graph::open(&dest, Mode::Read, Options::default(), Instant::now()).unwrap();
    assert_eq!(count(&copy, "(f:File)"), 1);
    assert_eq!(count(&copy, "(s:Session)"), 1);
    assert_eq!(count(&copy, "()-[c:CLAIMS]->()"), 0);
    assert_eq!(state(&copy).unwrap().owner, "");
    drop(copy);
    let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");

    let other = dir.path().join("notes.txt");
    fs::write(&other, "mine").unwrap();
    let error = snapshot(&store, &other, false, soon()).unwrap_err();
    assert!(matches!(error, StoreError::Refused { .. }), "{error:?}");
    assert_eq!(fs::read_to_string(&other).unwrap(), "mine");
    snapshot(&store, &other, true, soon()).unwrap();
    let error = snapshot(&store, &store.layout().graph(), true, soon()).unwrap_err();
    assert!(matches!(error, StoreError::Refused { .. }), "{error:?}");
}

#[test]
fn a_worktree_starts_with_code_and_lessons_only_and_only_once() {
    let (main, tree) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let store = seeded(main.path());
    let new = Store::new(Layout::create(tree.path(), false).unwrap());
    let owner = Owner::this_process().to_string();
    let locked = |layout: &Layout, mode| Gate::enter(layout, mode, std::time::Instant::now()).is_err();
    let (main, tree) = (store.layout().clone(), new.layout().clone());
    let begin = |of_use: bool| {
        let mut put = None;
        let done = seed(
            &store,
            new.layout(),
            &owner,
            soon(),
            Beside {
                copy: &mut || {
                    assert!(locked(&main, GateMode::Exclusive), "somebody could write meanwhile");
                    Ok(of_use)
                },
                put: &mut |generation| {
                    assert!(locked(&tree, GateMode::Shared), "somebody could read meanwhile");
                    assert!(!tree.graph().exists());
                    put = Some(generation.map(str::to_owned));
                    Ok(())
                },
            },
        );
        (done.unwrap(), put)
    };
    assert_eq!(begin(false), (false, Some(None)), "what is of no use is not copied");
    assert!(!new.layout().graph().exists());
    store.write(soon(), |g| portolan::store::schema::set_meta(g, "generation", "g1")).unwrap();
    assert_eq!(begin(true), (true, Some(Some("g1".to_owned()))));
    new.read(soon(), |g| {
        assert_eq!(count(g, "(f:File)"), 1);
        assert_eq!(count(g, "(l:Lesson)"), 1);
        assert_eq!(count(g, "(s:Session)"), 0);
        assert_eq!(state(g)?.owner, "");
        Ok::<_, StoreError>(())
    })
    .unwrap();
    new.write(soon(), |g| g.run("CREATE (:File {path: 'own.py', present: true})", vec![])).unwrap();
    assert_eq!(begin(true), (false, None), "there is a graph");
    assert_eq!(new.read(soon(), |g| Ok::<_, StoreError>(count(g, "(f:File)"))).unwrap(), 2);
    let names: Vec<_> = fs::read_dir(new.layout().dir()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!names.iter().any(|n| n.to_string_lossy().contains("part")), "{names:?}");
}
