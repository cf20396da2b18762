//! The gate between real processes, and a foreign program on the file.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use portolan::store::value::{RowExt, text};
use portolan::store::{Gate, GateMode, Graph, Layout, Mode, Options, Store, StoreError};

use super::child::{self, Other};

const CHILD: &str = "library::store_gate::other_process";

fn soon() -> Duration {
    Duration::from_secs(30)
}

fn folder(root: &Path) -> Layout {
    Layout::create(root, false).unwrap()
}

#[test]
fn other_process() {
    let Some((part, root)) = child::part() else { return };
    let layout = folder(&root);
    match part.as_str() {
        "hold-gate" => {
            let _gate = Gate::enter(&layout, GateMode::Exclusive, Instant::now() + soon()).unwrap();
            child::say("held");
            child::until_told();
        }
        // Readers that overlap, so that the gate is never free of shared locks.
        "read-on" => {
            let until = root.join("stop");
            child::say("reading");
            while !until.exists() {
                let gate = Gate::enter(&layout, GateMode::Shared, Instant::now() + soon()).unwrap();
                std::thread::sleep(Duration::from_millis(20));
                drop(gate);
            }
        }
        "hold-file" => {
            let graph = Graph::open(&layout.graph(), Mode::Write, Options::default(), Instant::now() + soon()).unwrap();
            child::say("held");
            child::until_told();
            drop(graph);
        }
        "write-on" => {
            let store = Store::new(layout);
            for n in 0..8 {
                let name = format!("{} {n}", std::process::id());
                store
                    .write(soon(), |g| g.transaction(|g| g.run("CREATE (:Agent {name: $n})", vec![("n", text(name))])))
                    .unwrap();
                store.read(soon(), |g| g.run("MATCH (a:Agent) RETURN count(*)", vec![])).unwrap();
            }
        }
        other => panic!("no part {other}"),
    }
}

#[test]
fn the_deadline_names_the_holder_and_its_death_frees_the_gate() {
    let dir = tempfile::tempdir().unwrap();
    let layout = folder(dir.path());
    let other = Other::start(CHILD, "hold-gate", dir.path());
    assert_eq!(other.hear(), "held");
    let started = Instant::now();
    let error = Gate::enter(&layout, GateMode::Shared, started + Duration::from_millis(120)).unwrap_err();
    assert!(started.elapsed() >= Duration::from_millis(120));
    let StoreError::GateBusy { holder, .. } = &error else { panic!("{error:?}") };
    assert!(holder.starts_with(&format!("process {} (", other.pid())), "{holder}");
    other.kill();
    Gate::enter(&layout, GateMode::Exclusive, Instant::now() + soon()).unwrap();
}

#[test]
fn readers_that_never_cease_do_not_keep_a_writer_out() {
    let dir = tempfile::tempdir().unwrap();
    let layout = folder(dir.path());
    let readers: Vec<Other> = (0..4).map(|_| Other::start(CHILD, "read-on", dir.path())).collect();
    for reader in &readers {
        assert_eq!(reader.hear(), "reading");
    }
    for _ in 0..10 {
        let started = Instant::now();
        let gate = Gate::enter(&layout, GateMode::Exclusive, started + soon()).unwrap();
        // Each reader holds for 20 ms; without the queue a writer waits for as long as they read.
        assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
        drop(gate);
    }
    fs::write(dir.path().join("stop"), "").unwrap();
    assert!(readers.into_iter().all(Other::finish));
}

#[test]
fn many_processes_that_begin_at_once_lose_and_double_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(folder(dir.path()));
    let writers: Vec<Other> = (0..6).map(|_| Other::start(CHILD, "write-on", dir.path())).collect();
    assert!(writers.into_iter().all(Other::finish));
    let rows =
        store.read(soon(), |g| g.run("MATCH (a:Agent) RETURN count(*), count(DISTINCT a.name)", vec![])).unwrap();
    assert_eq!((rows.rows[0].int(0).unwrap(), rows.rows[0].int(1).unwrap()), (48, 48));
}

#[test]
fn a_removed_lock_file_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let layout = folder(dir.path());
    let other = Other::start(CHILD, "hold-gate", dir.path());
    assert_eq!(other.hear(), "held");
    // A waiter that already has the old file open must not end up with a lock on it.
    let waiter = {
        let layout = layout.clone();
        std::thread::spawn(move || Gate::enter(&layout, GateMode::Exclusive, Instant::now() + soon()))
    };
    fs::remove_file(layout.gate()).unwrap();
    let gate = waiter.join().unwrap().unwrap();
    let second = Gate::enter(&layout, GateMode::Shared, Instant::now() + Duration::from_millis(50));
    assert!(matches!(second, Err(StoreError::GateBusy { .. })), "{second:?}");
    drop(gate);
    assert!(other.finish());
}

#[test]
fn a_foreign_program_on_the_file_is_waited_for_named_and_no_damage() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(folder(dir.path()));
    store.write(soon(), |_| Ok::<_, StoreError>(())).unwrap();
    let other = Other::start(CHILD, "hold-file", dir.path());
    assert_eq!(other.hear(), "held");
    let before = fs::read(store.layout().graph()).unwrap();
    for error in [
        store.read(Duration::from_millis(80), |_| Ok::<_, StoreError>(())).unwrap_err(),
        store.write(Duration::from_millis(80), |_| Ok::<_, StoreError>(())).unwrap_err(),
    ] {
        let StoreError::Held { holder, .. } = &error else { panic!("{error:?}") };
        assert!(holder.contains(&format!("process {}", other.pid())), "{holder}");
    }
    assert_eq!(fs::read(store.layout().graph()).unwrap(), before);
    // It lets go while we wait.
    let waiting = std::thread::spawn({
        let store = store.clone();
        move || store.write(soon(), |_| Ok::<_, StoreError>(()))
    });
    assert!(other.finish());
    waiting.join().unwrap().unwrap();
}

#[test]
fn a_folder_that_is_not_ours_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), dir.path().join(".portolan")).unwrap();
    let error = Layout::create(dir.path(), false).unwrap_err();
    assert!(error.to_string().contains("symbolic link"), "{error}");
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);

    fs::remove_file(dir.path().join(".portolan")).unwrap();
    Layout::create(dir.path(), false).unwrap();
    assert_eq!(fs::read_to_string(dir.path().join(".portolan/.gitignore")).unwrap(), "*\n");
    let error = Layout::create(dir.path(), true).unwrap_err();
    assert!(error.to_string().contains("is tracked by git"), "{error}");
}
