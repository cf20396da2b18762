//! Full builds: killed at each step, refused by a foreign program, adopted later.

use std::fs;
use std::path::Path;
use std::time::Duration;

use portolan::store::index_lock::{IndexLock, state, take};
use portolan::store::memory::Memory;
use portolan::store::owner::{Owner, boot_clock_ms};
use portolan::store::swap::{Step, Swap, build, leftovers, quiet};
use portolan::store::value::{RowExt, text};
use portolan::store::{Graph, Layout, Options, Result, Store, StoreError};

use super::child::{self, Other};

const CHILD: &str = "library::store_swap::other_process";

const STEPS: [Step; 9] = [
    Step::PartCreated,
    Step::PartFilled,
    Step::Built,
    Step::Gated,
    Step::OldDrained,
    Step::OldLocked,
    Step::MemoryWritten,
    Step::NewSynced,
    Step::Renamed,
];

fn soon() -> Duration {
    Duration::from_secs(30)
}

fn store(root: &Path) -> Store {
    Store::new(Layout::create(root, false).unwrap())
}

/// A graph of one old file, and a session that read it and learned something about it.
fn seed(store: &Store) {
    store
        .write(soon(), |g| {
            g.transaction(|g| {
                g.run("CREATE (:File {path: 'old.py', present: true})", vec![])?;
                g.run("CREATE (:Session {id: 's', host: 'h', started: 1, last_at: 2, ended: 0})", vec![])?;
                g.run(
                    "CREATE (:Lesson {id: 'l', text: $t, at: 3, confirmed: 0, target: 'old.py'})",
                    vec![("t", text("two\nlines"))],
                )?;
                g.run(
                    "MATCH (s:Session), (f:File) CREATE (s)-[:READ {count: 4, first_at: 1, last_at: 2}]->(f)",
                    vec![],
                )?;
                g.run("MATCH (l:Lesson), (f:File) CREATE (l)-[:ABOUT]->(f)", vec![]).map(drop)
            })
        })
        .unwrap();
}

fn fill(g: &Graph) -> Result<()> {
    for path in ["new.py", "other.py"] {
        g.run("CREATE (:File {path: $p, present: true})", vec![("p", text(path))])?;
    }
    Ok(())
}

fn lock(store: &Store) -> IndexLock {
    store.write(soon(), |g| g.transaction(|g| take(g, &Owner::this_process(), boot_clock_ms()))).unwrap().unwrap()
}

fn swap<'a>(store: &'a Store, lock: &'a IndexLock, wait: Duration, step: &'a dyn Fn(Step)) -> Swap<'a> {
    Swap { store, lock, wait, rebuild: false, drain: &|_| Ok(()), before: &|| Ok(()), after: &|| (), step }
}

fn index(store: &Store, step: &dyn Fn(Step)) -> Result<()> {
    let lock = lock(store);
    let built = build(store.layout(), lock.owner(), Options::default(), fill, step)?;
    swap(store, &lock, soon(), step).run(&built)?;
    store.write(soon(), |g| lock.release(g, boot_clock_ms()))
}

/// Present files, and memory as it was seeded.
fn look(store: &Store) -> (Vec<String>, Memory) {
    store
        .read(soon(), |g| {
            let rows = g.run("MATCH (f:File) WHERE f.present RETURN f.path ORDER BY f.path", vec![])?;
            let paths = rows.rows.iter().map(|r| r.str(0).map(str::to_owned)).collect::<Result<_>>()?;
            Ok::<_, StoreError>((paths, Memory::export(g)?))
        })
        .unwrap()
}

#[test]
fn other_process() {
    let Some((part, root)) = child::part() else { return };
    let store = store(&root);
    match part.as_str() {
        "hold-file" => {
            let path = store.layout().graph();
            let graph = Graph::open(
                &path,
                portolan::store::Mode::Write,
                Options::default(),
                std::time::Instant::now() + soon(),
            )
            .unwrap();
            graph.run("CREATE (:Agent {name: 'foreign'})", vec![]).unwrap();
            child::say("held");
            child::until_told();
        }
        step => {
            index(&store, &|done| {
                if format!("{done:?}") == step {
                    child::say("there");
                    child::until_told();
                }
            })
            .unwrap();
        }
    }
}

#[test]
fn a_kill_at_any_step_leaves_a_state_from_which_the_next_run_recovers() {
    for step in STEPS {
        let dir = tempfile::tempdir().unwrap();
        let store = store(dir.path());
        seed(&store);
        let before = look(&store);
        assert_eq!(before.1.len(), 4);

        let other = Other::start(CHILD, &format!("{step:?}"), dir.path());
        assert_eq!(other.hear(), "there", "{step:?}");
        other.kill();

        let (paths, memory) = look(&store);
        let expected: &[&str] = if step == Step::Renamed { &["new.py", "other.py"] } else { &["old.py"] };
        assert_eq!(paths, expected, "{step:?}");
        assert_eq!(memory, before.1, "{step:?}");

        // The dead owner's lock is taken over, and its files are found.
        let next = lock(&store);
        assert_eq!(next.epoch(), 2, "{step:?}");
        let left = leftovers(store.layout()).unwrap();
        assert_eq!(left.len(), usize::from(step != Step::Renamed), "{step:?}");
        let adopted = swap(&store, &next, soon(), &quiet).adopt(&|_| Ok(true)).unwrap();
        assert_eq!(adopted, !matches!(step, Step::PartCreated | Step::PartFilled | Step::Renamed), "{step:?}");
        if !adopted {
            let built = build(store.layout(), next.owner(), Options::default(), fill, &quiet).unwrap();
            swap(&store, &next, soon(), &quiet).run(&built).unwrap();
        }
        let (paths, memory) = look(&store);
        assert_eq!(paths, ["new.py", "other.py"], "{step:?}");
        assert_eq!(memory, before.1, "{step:?}");
        let held = store.read(soon(), state).unwrap();
        assert_eq!((held.owner.as_str(), held.epoch), (next.owner(), 2));
        let mut names: Vec<String> = fs::read_dir(store.layout().dir())
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, [".gitignore", "gate", "gate.turn", "graph.kuzu"], "{step:?}");
    }
}

#[test]
fn a_foreign_program_keeps_its_file_and_the_build_is_swapped_in_later() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path());
    seed(&store);
    let lock = lock(&store);
    let built = build(store.layout(), lock.owner(), Options::default(), fill, &quiet).unwrap();
    let other = Other::start(CHILD, "hold-file", dir.path());
    assert_eq!(other.hear(), "held");
    let error = swap(&store, &lock, Duration::from_millis(60), &quiet).run(&built).unwrap_err();
    let StoreError::Held { holder, .. } = &error else { panic!("{error:?}") };
    assert!(holder.contains(&other.pid().to_string()), "{holder}");
    assert!(built.exists());
    assert!(other.finish());
    swap(&store, &lock, soon(), &quiet).run(&built).unwrap();
    let (paths, memory) = look(&store);
    assert_eq!(paths, ["new.py", "other.py"]);
    assert_eq!(memory.len(), 5, "what the foreign program wrote is carried over too");
}

#[test]
fn an_owner_that_wakes_up_late_swaps_nothing_in() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path());
    seed(&store);
    let late = lock(&store);
    let built = build(store.layout(), late.owner(), Options::default(), fill, &quiet).unwrap();
    store
        .write(soon(), |g| {
            g.run("MATCH (l:IndexLock) SET l.at = -100000000", vec![])?;
            take(g, &Owner::this_process(), boot_clock_ms())
        })
        .unwrap()
        .unwrap();
    let error = swap(&store, &late, soon(), &quiet).run(&built).unwrap_err();
    assert!(matches!(error, StoreError::LockLost { ours: 1, found: 2 }), "{error:?}");
    assert_eq!(look(&store).0, ["old.py"]);
}

#[test]
fn a_damaged_graph_is_replaced_only_when_asked_and_memory_comes_from_its_second_copy() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path());
    seed(&store);
    let (_, memory) = look(&store);
    memory.save(store.layout()).unwrap();
    assert_eq!(Memory::load(store.layout()).unwrap(), memory);
    let lock = lock(&store);
    let built = build(store.layout(), lock.owner(), Options::default(), fill, &quiet).unwrap();
    let graph = store.layout().graph();
    let _ = fs::remove_file(graph.with_extension("kuzu.wal"));
    let garbage = vec![7; 9000];
    fs::write(&graph, &garbage).unwrap();
    let mut swap = swap(&store, &lock, soon(), &quiet);
    assert!(matches!(swap.run(&built), Err(StoreError::Damaged { .. })));
    assert_eq!(fs::read(&graph).unwrap(), garbage);
    swap.rebuild = true;
    swap.run(&built).unwrap();
    assert_eq!(look(&store), (vec!["new.py".to_owned(), "other.py".to_owned()], memory));
    assert_eq!(fs::read(graph.with_extension("kuzu.aside-1")).unwrap(), garbage);
}
