//! Full builds: a new file beside the graph, then one rename.
//!
//! A build is written as `graph.kuzu.part-OWNER`. Complete, checkpointed and without a WAL it becomes
//! `graph.kuzu.build-OWNER`, and only such a file is ever swapped in. A kill at any step leaves either the old
//! graph or the new one, and files of a dead owner that the next indexer adopts or removes.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::gate::{Gate, GateMode};
use super::index_lock::IndexLock;
use super::layout::{set_aside, shadow_of, sync_dir, wal_of, with_suffix};
use super::memory::Memory;
use super::one_handle::Claim;
use super::owner::{Owner, boot_clock_ms};
use super::raw_lock::{Kind, RawLock};
use super::{Graph, Layout, Mode, Options, Result, Store, StoreError, holder, schema};

/// A step of the swap that is done; what a test kills after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Tables made in the new file.
    PartCreated,
    /// Rows in the new file, not yet checkpointed.
    PartFilled,
    /// The new file has its final name.
    Built,
    /// The exclusive gate is held.
    Gated,
    /// The old graph is drained, its memory read, checkpointed.
    OldDrained,
    /// The old graph is closed, and its engine lock is held.
    OldLocked,
    /// Memory is in the new file, not yet checkpointed.
    MemoryWritten,
    /// The new file is closed and synced.
    NewSynced,
    /// The rename is done.
    Renamed,
}

/// What a swap needs to know.
pub struct Swap<'a> {
    /// The graph.
    pub store: &'a Store,
    /// The indexer's lock, which the new file carries on. Checked before anything is replaced.
    pub lock: &'a IndexLock,
    /// How long to wait for the gate and for foreign programs.
    pub wait: Duration,
    /// The user asked for a rebuild: a damaged old graph is set aside, and memory comes from `memory.jsonl`.
    pub rebuild: bool,
    /// Brings events into the old graph before its memory is read.
    pub drain: &'a dyn Fn(&Graph) -> Result<()>,
    /// Called under the gate, right before the new file takes the graph's place; refusing leaves all as it was.
    pub before: &'a dyn Fn() -> Result<()>,
    /// Called under the same gate, right after.
    pub after: &'a dyn Fn(),
    /// Called after each step. Does nothing outside of tests.
    pub step: &'a dyn Fn(Step),
}

/// A `step` that does nothing.
pub fn quiet(_: Step) {}

/// Builds a complete new graph beside the old one: `fill` writes all its rows. Outside of the gate.
///
/// # Errors
/// What `fill` and the engine say; the unfinished file is removed then.
pub fn build(
    folder: &Layout,
    owner: &str,
    options: Options,
    fill: impl FnOnce(&Graph) -> Result<()>,
    step: &dyn Fn(Step),
) -> Result<PathBuf> {
    let (part, built) = (folder.part(owner), folder.build(owner));
    remove_graph(&part)?;
    remove_graph(&built)?;
    let made = (|| {
        let graph = Graph::open(&part, Mode::Create, options, Instant::now())?;
        schema::apply(&graph)?;
        step(Step::PartCreated);
        fill(&graph)?;
        step(Step::PartFilled);
        graph.checkpoint()?;
        drop(graph);
        finished(&part)
    })();
    if let Err(error) = made {
        let _ = remove_graph(&part);
        return Err(error);
    }
    fs::rename(&part, &built).map_err(|e| StoreError::io("finish", &built, e))?;
    sync_dir(folder.dir())?;
    step(Step::Built);
    Ok(built)
}

impl Swap<'_> {
    /// Puts `built` in the graph's place.
    ///
    /// # Errors
    /// [`StoreError::Held`] and [`StoreError::GateBusy`]: the build stays where it is for a later run.
    /// [`StoreError::LockLost`]: another indexer took over. [`StoreError::Damaged`]: the old graph cannot be read,
    /// and no rebuild was asked for. The old graph is untouched in each case.
    pub fn run(&self, built: &Path) -> Result<()> {
        let deadline = Instant::now() + self.wait;
        let folder = self.store.layout();
        let _gate = Gate::enter(folder, GateMode::Exclusive, deadline)?;
        (self.step)(Step::Gated);
        let graph = folder.graph();
        let (memory, old) = match self.take_old(&graph, deadline) {
            Ok(taken) => taken,
            Err(StoreError::NoGraph { .. }) => (Memory::load(folder)?, None),
            Err(StoreError::Damaged { .. }) if self.rebuild => {
                set_aside(&graph)?;
                (Memory::load(folder)?, None)
            }
            Err(error) => return Err(error),
        };
        if old.is_none() {
            folder.set_aside_orphans()?;
        }
        (self.step)(Step::OldLocked);

        let new = Graph::open(built, Mode::Write, self.store.options(), deadline)?;
        schema::check(&new)?;
        new.transaction(|new| {
            Memory::clear(new)?;
            memory.import(new)?;
            self.lock.carry_over(new, boot_clock_ms())
        })?;
        (self.step)(Step::MemoryWritten);
        new.checkpoint()?;
        drop(new);
        finished(built)?;
        (self.step)(Step::NewSynced);

        // Nobody can have written since: the old file's engine lock is ours. A log here would be replayed into the new file.
        for log in [wal_of(&graph), shadow_of(&graph)] {
            set_aside(&log)?;
        }
        (self.before)()?;
        fs::rename(built, &graph).map_err(|e| StoreError::io("put in place", &graph, e))?;
        sync_dir(folder.dir())?;
        (self.step)(Step::Renamed);
        (self.after)();
        drop(old);
        Ok(())
    }

    /// Drains, reads and closes the old graph, and takes its engine lock; starts again when a foreign program
    /// wrote to it in between.
    fn take_old(&self, graph: &Path, deadline: Instant) -> Result<(Memory, Option<(RawLock, Claim)>)> {
        let started = Instant::now();
        let held = || StoreError::Held { path: graph.to_owned(), waited: started.elapsed(), holder: holder::of(graph) };
        loop {
            super::seal::check(self.store.layout())?;
            let old = Graph::open(graph, Mode::Write, self.store.options(), deadline)?;
            let memory = match schema::check(&old) {
                Ok(()) => {
                    self.lock.check(&old, boot_clock_ms())?;
                    (self.drain)(&old)?;
                    Memory::export(&old)?
                }
                // Its tables may differ: the second copy says what agents left.
                Err(StoreError::Older { .. }) => match Memory::export(&old) {
                    Ok(memory) => memory,
                    Err(_) => Memory::load(self.store.layout())?,
                },
                Err(error) => return Err(error),
            };
            old.checkpoint()?;
            (self.step)(Step::OldDrained);
            let before = identity(graph)?;
            drop(old);
            let claim = Claim::take(graph, deadline).ok_or_else(held)?;
            if let Some(lock) = RawLock::try_take(graph, Kind::Exclusive)? {
                let after = lock.file().metadata().map_err(|e| StoreError::io("look at", graph, e))?;
                if Identity::of(&after) == before && identity(graph)? == before && !wal_of(graph).exists() {
                    return Ok((memory, Some((lock, claim))));
                }
            }
            if Instant::now() >= deadline {
                return Err(held());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// What tells that a file is the one it was, unwritten: device, inode, size, mtime and ctime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    dev: u64,
    ino: u64,
    len: u64,
    mtime: (i64, i64),
    ctime: (i64, i64),
}

impl Identity {
    fn of(meta: &std::fs::Metadata) -> Self {
        Identity {
            dev: meta.dev(),
            ino: meta.ino(),
            len: meta.len(),
            mtime: (meta.mtime(), meta.mtime_nsec()),
            ctime: (meta.ctime(), meta.ctime_nsec()),
        }
    }
}

fn identity(path: &Path) -> Result<Identity> {
    fs::symlink_metadata(path).map(|m| Identity::of(&m)).map_err(|e| StoreError::io("look at", path, e))
}

/// A closed graph is whole: no log beside it, its bytes on the disk.
pub(crate) fn finished(path: &Path) -> Result<()> {
    let wal = wal_of(path);
    if fs::metadata(&wal).is_ok_and(|m| m.len() > 0) {
        let message = "its log was not folded in".to_owned();
        return Err(StoreError::Damaged { path: path.to_owned(), message });
    }
    remove(&wal)?;
    remove(&shadow_of(path))?;
    File::open(path).and_then(|f| f.sync_all()).map_err(|e| StoreError::io("sync", path, e))
}

/// A build that its owner did not swap in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// The file.
    pub path: PathBuf,
    /// Its owner, from the name.
    pub owner: String,
    /// Complete, so that it can be swapped in.
    pub complete: bool,
}

/// Builds of owners that are dead, sorted by path.
pub fn leftovers(folder: &Layout) -> Result<Vec<Leftover>> {
    let failed = |e| StoreError::io("list", folder.dir(), e);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder.dir()).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let (owner, complete) = match (name.strip_prefix("graph.kuzu.build-"), name.strip_prefix("graph.kuzu.part-")) {
            (Some(owner), _) => (owner, true),
            (None, Some(owner)) => (owner, false),
            (None, None) => continue,
        };
        // Logs and the engine's own temporary files end in a dot and a word.
        if owner.contains('.') {
            continue;
        }
        if Owner::parse(owner).is_none_or(|o| o.is_dead()) {
            found.push(Leftover { path: entry.path(), owner: owner.to_owned(), complete });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// Removes a build with its logs.
pub fn discard(leftover: &Leftover) -> Result<()> {
    remove_graph(&leftover.path)
}

impl Swap<'_> {
    /// Swaps in the first complete build of a dead owner that `valid` accepts, and removes all others. The caller
    /// holds the index lock.
    ///
    /// # Errors
    /// As [`Swap::run`]; the build then stays.
    pub fn adopt(&self, valid: &dyn Fn(&Graph) -> Result<bool>) -> Result<bool> {
        let mut adopted = false;
        for leftover in leftovers(self.store.layout())? {
            if leftover.complete && !adopted && self.accepts(&leftover.path, valid) {
                self.run(&leftover.path)?;
                adopted = true;
            } else {
                discard(&leftover)?;
            }
        }
        Ok(adopted)
    }

    fn accepts(&self, build: &Path, valid: &dyn Fn(&Graph) -> Result<bool>) -> bool {
        // A kill while memory was written leaves a log, which only a writer folds in.
        let opened = Graph::open(build, Mode::Write, self.store.options(), Instant::now());
        opened
            .and_then(|graph| {
                schema::check(&graph)?;
                valid(&graph)
            })
            .unwrap_or(false)
    }
}

/// Removes a graph file that is not the graph, with its logs.
pub(crate) fn remove_graph(path: &Path) -> Result<()> {
    // Itself last: its name is what a later clean-up finds.
    for file in [wal_of(path), shadow_of(path), with_suffix(path, ".tmp"), path.to_owned()] {
        remove(&file)?;
    }
    Ok(())
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(StoreError::io("remove", path, e)),
    }
}
