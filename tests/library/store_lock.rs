//! The index lock.

use std::process::{Command, Stdio};
use std::time::Duration;

use portolan::store::index_lock::{SILENT_MS, state, take};
use portolan::store::owner::Owner;
use portolan::store::{Layout, Store, StoreError};

fn store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let layout = Layout::create(dir.path(), false).unwrap();
    (dir, Store::new(layout))
}

/// An owner like ours with another process id and start time.
fn owner_of(pid: u32, start: u64) -> Owner {
    let text = Owner::this_process().to_string();
    let mut parts: Vec<&str> = text.split('_').collect();
    let (pid, start) = (pid.to_string(), start.to_string());
    parts[0] = &pid;
    parts[1] = &start;
    Owner::parse(&parts.join("_")).unwrap()
}

#[test]
fn one_gets_it_until_it_is_released_dead_or_silent() {
    let (_dir, store) = store();
    let (a, b) = (Owner::this_process(), Owner::this_process());
    store
        .write(Duration::from_secs(20), |g| {
            let first = take(g, &a, 1_000)?.unwrap();
            assert_eq!(first.epoch(), 1);
            let refused = take(g, &b, 2_000)?.unwrap_err();
            assert_eq!((refused.owner.as_str(), refused.epoch, refused.at), (first.owner(), 1, 1_000));
            // Taking it again is no takeover.
            assert_eq!(take(g, &a, 3_000)?.unwrap().epoch(), 1);
            first.check(g, 4_000)?;
            assert_eq!(state(g)?.at, 4_000);

            // Silence.
            let second = take(g, &b, 4_000 + SILENT_MS + 1)?.unwrap();
            assert_eq!(second.epoch(), 2);
            let late = first.check(g, 70_000).unwrap_err();
            assert!(matches!(late, StoreError::LockLost { ours: 1, found: 2 }), "{late:?}");
            first.release(g, 70_000)?;
            assert_eq!(state(g)?.owner, second.owner());

            second.release(g, 70_001)?;
            assert_eq!(take(g, &a, 70_002)?.unwrap().epoch(), 3);
            Ok::<_, StoreError>(())
        })
        .unwrap();
}

#[test]
fn a_dead_owner_is_taken_over_at_once() {
    let (_dir, store) = store();
    let mut child = Command::new("true").stdout(Stdio::null()).spawn().unwrap();
    child.wait().unwrap();
    let gone = owner_of(child.id(), 1);
    // Alive, but another process than the one that took the lock.
    let reused = owner_of(std::process::id(), 1);
    assert!(gone.is_dead() && reused.is_dead() && !Owner::this_process().is_dead());
    store
        .write(Duration::from_secs(20), |g| {
            let _ = take(g, &gone, 1_000)?.unwrap();
            let _ = take(g, &reused, 1_001)?.unwrap();
            assert_eq!(take(g, &Owner::this_process(), 1_002)?.unwrap().epoch(), 3);
            Ok::<_, StoreError>(())
        })
        .unwrap();
}

#[test]
fn a_sign_of_life_of_an_earlier_boot_is_none() {
    let (_dir, store) = store();
    // Alive as far as anybody can tell: its pid namespace is another one.
    let text = Owner::this_process().to_string();
    let mut parts: Vec<&str> = text.split('_').collect();
    parts[3] = "1";
    let elsewhere = Owner::parse(&parts.join("_")).unwrap();
    assert!(!elsewhere.is_dead());
    store
        .write(Duration::from_secs(20), |g| {
            let late = 900_000_000;
            take(g, &elsewhere, late)?.unwrap();
            assert!(!state(g)?.is_free(late - SILENT_MS), "clocks of two processes may differ a little");
            assert!(state(g)?.is_free(5_000));
            assert_eq!(take(g, &Owner::this_process(), 5_000)?.unwrap().epoch(), 2);
            assert_eq!(state(g)?.at, 5_000);
            Ok::<_, StoreError>(())
        })
        .unwrap();
}

#[test]
fn an_owner_of_another_boot_is_dead() {
    let text = Owner::this_process().to_string();
    let mut parts: Vec<&str> = text.split('_').collect();
    parts[2] = "0";
    assert!(Owner::parse(&parts.join("_")).unwrap().is_dead());
}
