//! Consistent copies of a graph: for other clients, and as the beginning of a new worktree's graph.
//!
//! The source is only read: under the shared gate and the engine's read lock its file and its log are copied, and
//! the log is folded into the copy.

use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::gate::{Gate, GateMode};
use super::layout::{set_aside, shadow_of, sync_dir, wal_of, with_suffix};
use super::one_handle::Claim;
use super::raw_lock::{Kind, RawLock};
use super::statements::named;
use super::swap::{finished, remove_graph};
use super::{Graph, Layout, Mode, Options, Result, Store, StoreError, holder, schema};

const COPY: &str = include_str!("../../queries/store/snapshot.cypher");

/// The key in Meta that marks a copy.
const MARK: &str = "snapshot";

/// Copies the graph to `dest`, without locks and claims. An earlier snapshot there is replaced; any other file only
/// with `force`.
///
/// # Errors
/// [`StoreError::Refused`] for a file that is not a snapshot; as [`Store::read`] for the graph.
pub fn snapshot(store: &Store, dest: &Path, force: bool, wait: Duration) -> Result<()> {
    let deadline = Instant::now() + wait;
    replaceable(store, dest, force)?;
    let copy = with_suffix(dest, &format!(".part-{}", std::process::id()));
    let made = (|| {
        at_rest(store, deadline, |graph| copy_files(store, graph, &copy))?;
        let graph = Graph::open(&copy, Mode::Write, store.options(), deadline)?;
        schema::check(&graph)?;
        graph.transaction(|g| {
            for statement in ["no index lock", "no claims"] {
                g.run(named(COPY, statement), vec![])?;
            }
            schema::set_meta(g, MARK, "1")
        })?;
        graph.checkpoint()?;
        drop(graph);
        finished(&copy)?;
        // A log of what stood here before would be replayed into the copy.
        set_aside(&wal_of(dest))?;
        set_aside(&shadow_of(dest))?;
        fs::rename(&copy, dest).map_err(|e| StoreError::io("put in place", dest, e))?;
        sync_dir(&folder_of(dest))
    })();
    if made.is_err() {
        let _ = remove_graph(&copy);
    }
    made.map_err(|error| match error {
        // Of the copy, so of the graph.
        StoreError::Damaged { message, .. } => StoreError::Damaged { path: store.layout().graph(), message },
        error => error,
    })
}

/// What goes with a graph that a new worktree begins with.
pub struct Beside<'a> {
    /// Copies it, while nobody can write to the source. Whether the graph is of use, too.
    pub copy: &'a mut dyn FnMut() -> Result<bool>,
    /// Puts it in its place, while nobody can read there, right before the graph; it is given the graph's generation.
    pub put: &'a mut dyn FnMut(Option<&str>) -> Result<()>,
}

/// Begins the graph of a new worktree with a copy of another one's code and history. Claims, locks, sessions and
/// events stay behind. Nothing is done when `to` has a graph.
///
/// # Errors
/// As [`snapshot`]. The new worktree then simply has no graph.
pub fn seed(from: &Store, to: &Layout, owner: &str, wait: Duration, beside: Beside<'_>) -> Result<bool> {
    let deadline = Instant::now() + wait;
    let part = to.part(owner);
    remove_graph(&part)?;
    let made = (|| {
        let whole = at_rest(from, deadline, |graph| {
            let of_use = (beside.copy)()?;
            if of_use {
                copy_files(from, graph, &part)?;
            }
            Ok(of_use)
        })?;
        let mut generation = None;
        if whole {
            let graph = Graph::open(&part, Mode::Write, from.options(), deadline)?;
            schema::check(&graph)?;
            graph.transaction(|g| {
                for statement in ["no index lock", "no sessions", "no agents", "no events", "no areas"] {
                    g.run(named(COPY, statement), vec![])?;
                }
                Ok::<_, StoreError>(())
            })?;
            generation = schema::meta(&graph, "generation")?;
            graph.checkpoint()?;
            drop(graph);
            finished(&part)?;
        }
        let _gate = Gate::enter(to, GateMode::Exclusive, deadline)?;
        let graph = to.graph();
        if fs::symlink_metadata(&graph).is_ok() {
            remove_graph(&part)?;
            return Ok(false);
        }
        (beside.put)(generation.as_deref())?;
        if whole {
            to.set_aside_orphans()?;
            fs::rename(&part, &graph).map_err(|e| StoreError::io("put in place", &graph, e))?;
            sync_dir(to.dir())?;
        }
        Ok(whole)
    })();
    if made.is_err() {
        let _ = remove_graph(&part);
    }
    made
}

/// Runs `work` on the locked graph file while nobody writes to the graph.
fn at_rest<T>(store: &Store, deadline: Instant, work: impl FnOnce(&File) -> Result<T>) -> Result<T> {
    let started = Instant::now();
    let graph = store.layout().graph();
    if fs::symlink_metadata(&graph).is_err() {
        return Err(StoreError::NoGraph { path: graph });
    }
    let held = || StoreError::Held { path: graph.clone(), waited: started.elapsed(), holder: holder::of(&graph) };
    let _gate = Gate::enter(store.layout(), GateMode::Shared, deadline)?;
    let _claim = Claim::take(&graph, deadline).ok_or_else(held)?;
    let lock = loop {
        if let Some(lock) = RawLock::try_take(&graph, Kind::Shared)? {
            break lock;
        }
        if Instant::now() >= deadline {
            return Err(held());
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    if fs::metadata(shadow_of(&graph)).is_ok_and(|m| m.len() > 0) {
        let message = "a checkpoint was cut short; any `portolan index` finishes it".into();
        return Err(StoreError::NeedsWriter { path: graph, message });
    }
    super::seal::check(store.layout())?;
    work(lock.file())
}

/// Copies file and log.
fn copy_files(store: &Store, graph: &File, dest: &Path) -> Result<()> {
    copy_bytes(graph, dest)?;
    let wal = wal_of(&store.layout().graph());
    match File::open(&wal) {
        Ok(wal) => copy_bytes(&wal, &wal_of(dest)),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(()),
        Err(e) => Err(StoreError::io("read", wal, e)),
    }
}

fn copy_bytes(mut from: &File, dest: &Path) -> Result<()> {
    let failed = |e| StoreError::io("write", dest, e);
    let mut to = OpenOptions::new().write(true).create_new(true).mode(0o600).open(dest).map_err(failed)?;
    std::io::copy(&mut from, &mut to).map_err(failed)?;
    Ok(())
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

fn replaceable(store: &Store, dest: &Path, force: bool) -> Result<()> {
    let refuse = |reason: &str| Err(StoreError::Refused { path: dest.to_owned(), reason: reason.to_owned() });
    let folder = folder_of(dest);
    let inside = |m: &fs::Metadata| {
        fs::metadata(store.layout().dir()).is_ok_and(|own| own.ino() == m.ino() && own.dev() == m.dev())
    };
    match fs::metadata(&folder) {
        Ok(meta) if inside(&meta) => return refuse("a snapshot does not belong into .portolan; name another folder"),
        Ok(_) => {}
        Err(e) => return Err(StoreError::io("open", folder, e)),
    }
    match fs::symlink_metadata(dest) {
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(()),
        Err(e) => Err(StoreError::io("look at", dest, e)),
        Ok(meta) if meta.is_dir() => refuse("it is a folder; name a file"),
        Ok(_) if force => Ok(()),
        Ok(meta) if meta.is_file() && is_snapshot(dest, store.options()) => Ok(()),
        Ok(_) => refuse("it is there already and no snapshot of a graph; use --force to replace it"),
    }
}

fn is_snapshot(path: &Path, options: Options) -> bool {
    let opened = Graph::open(path, Mode::Read, options, Instant::now());
    opened.and_then(|graph| schema::meta(&graph, MARK)).is_ok_and(|mark| mark.is_some())
}
