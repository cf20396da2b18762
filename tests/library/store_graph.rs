//! Opening, schema, transactions, and what the engine's refusals become.

use std::fs;
use std::time::{Duration, Instant};

use super::child::{self, Other};
use portolan::store::value::{RowExt, int, text};
use portolan::store::{Graph, Layout, Mode, Options, Store, StoreError};

fn soon() -> Duration {
    Duration::from_secs(20)
}

fn store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let layout = Layout::create(dir.path(), false).unwrap();
    (dir, Store::new(layout))
}

#[test]
fn a_new_graph_holds_the_schema_and_keeps_what_is_committed() {
    let (_dir, store) = store();
    assert!(matches!(store.read(soon(), |_| Ok::<_, StoreError>(())), Err(StoreError::NoGraph { .. })));
    store
        .write(soon(), |g| {
            g.transaction(|g| g.run("CREATE (:Agent {name: $n})", vec![("n", text(""))]).map(drop))?;
            let failed = g.transaction(|g| {
                g.run("CREATE (:Agent {name: $n})", vec![("n", text("rolled back"))])?;
                g.run("RETURN $x / 0", vec![("x", int(1))]).map(drop)
            });
            assert!(matches!(failed, Err(StoreError::Query { .. })), "{failed:?}");
            Ok::<_, StoreError>(())
        })
        .unwrap();
    let names = store
        .read(soon(), |g| {
            let rows = g.run("MATCH (a:Agent) RETURN a.name, a.name IS NULL AS missing", vec![])?;
            assert_eq!(rows.columns, ["a.name", "missing"]);
            rows.rows.iter().map(|r| Ok((r.str(0)?.to_owned(), r.bool(1)?))).collect::<Result<Vec<_>, StoreError>>()
        })
        .unwrap();
    assert_eq!(names, [(String::new(), false)]);
}

#[test]
fn a_malformed_statement_keeps_the_engines_message_and_position() {
    let (_dir, store) = store();
    let error = store.write(soon(), |g| g.run("MATCH (a:Agent RETURN a", vec![]).map(drop)).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("Parser exception") && text.contains("offset: "), "{text}");
}

#[test]
fn garbage_is_damage_and_stays_untouched() {
    let (_dir, store) = store();
    store.write(soon(), |_| Ok::<_, StoreError>(())).unwrap();
    let path = store.layout().graph();
    let garbage = vec![0x5a; 8192];
    fs::write(&path, &garbage).unwrap();
    let _ = fs::remove_file(path.with_extension("kuzu.wal"));
    let error = store.read(soon(), |_| Ok::<_, StoreError>(())).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
    assert_eq!(fs::read(&path).unwrap(), garbage);
}

#[test]
fn a_newer_schema_is_refused() {
    let (_dir, store) = store();
    store.write(soon(), |g| portolan::store::schema::set_meta(g, "schema", "99")).unwrap();
    let error = store.read(soon(), |_| Ok::<_, StoreError>(())).unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error:?}");
}

#[test]
fn a_log_without_its_file_is_set_aside_not_replayed() {
    let (_dir, store) = store();
    store.write(soon(), |g| g.run("CREATE (:Agent {name: 'old'})", vec![]).map(drop)).unwrap();
    let graph = store.layout().graph();
    let wal = graph.with_extension("kuzu.wal");
    assert!(wal.exists(), "writers leave the log");
    fs::remove_file(&graph).unwrap();
    let count = store.write(soon(), |g| g.run("MATCH (a:Agent) RETURN count(*)", vec![])?.rows[0].int(0)).unwrap();
    assert_eq!(count, 0);
    assert!(graph.with_extension("kuzu.wal.aside-1").exists());
}

#[test]
fn a_second_handle_in_this_process_waits_for_the_first() {
    let (_dir, store) = store();
    let path = store.layout().graph();
    store
        .write(soon(), |_| {
            let again = Graph::open(&path, Mode::Read, Options::default(), Instant::now());
            assert!(matches!(again, Err(StoreError::Held { .. })), "{again:?}");
            Ok::<_, StoreError>(())
        })
        .unwrap();
}

#[test]
fn a_statement_that_runs_too_long_is_stopped() {
    let (_dir, store) = store();
    let error = store
        .write(soon(), |g| {
            g.set_timeout(Duration::from_millis(50));
            g.run("UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN max(a * b)", vec![]).map(drop)
        })
        .unwrap_err();
    assert!(matches!(error, StoreError::Timeout { .. }), "{error:?}");
}

const CHILD: &str = "library::store_graph::other_process";

/// Writes until its files may not grow any more.
#[test]
fn other_process() {
    let Some((_, root)) = child::part() else { return };
    let store = Store::new(Layout::create(&root, false).unwrap());
    let limit = libc::rlimit { rlim_cur: 20 << 20, rlim_max: 20 << 20 };
    // SAFETY: plain calls; without the signal ignored the kernel would end us instead of failing the write.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &limit), 0);
    }
    for n in 0..50 {
        let written = store.write(soon(), |g| {
            g.transaction(|g| {
                g.run(
                    "UNWIND range(1, 2000) AS i CREATE (:Event {id: concat($n, concat('-', CAST(i AS STRING))), detail: $d})",
                    vec![("n", text(n.to_string())), ("d", text("some detail ".repeat(20)))],
                )
                .map(drop)
            })
        });
        match written {
            Ok(()) => child::say(&n.to_string()),
            Err(error) => {
                child::say(&format!("{error:?}"));
                return;
            }
        }
    }
}

#[test]
fn a_full_disk_is_said_and_nothing_committed_is_lost() {
    let (dir, store) = store();
    store.write(soon(), |_| Ok::<_, StoreError>(())).unwrap();
    let other = Other::start(CHILD, "fill", dir.path());
    let mut committed = 0;
    let end = loop {
        let word = other.hear();
        if word.parse::<u32>().is_err() {
            break word;
        }
        committed += 1;
    };
    assert!(end.starts_with("DiskFull"), "{end}");
    assert!(other.finish());
    let counts = store
        .write(soon(), |g| {
            let rows =
                g.run("MATCH (e:Event) RETURN split_part(e.id, '-', 1) AS n, count(*) AS c ORDER BY n", vec![])?;
            rows.rows.iter().map(|r| r.int(1)).collect::<Result<Vec<_>, StoreError>>()
        })
        .unwrap();
    assert!(counts.len() >= committed && counts.iter().all(|c| *c == 2000), "{committed} {counts:?}");
}
