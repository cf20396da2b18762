//! A graph built anew beside the old one, and swapped in.

use std::cell::RefCell;
use std::sync::mpsc;

use rayon::prelude::*;

use super::pending::{Parts, Pending};
use super::state::{Code, callers, parsed, rank};
use super::{IndexError, Outcome, Run, Try, Wanted, new_generation};
use super::{built, past};
use crate::agents;
use crate::atomic;
use crate::cache::FactsCache;
use crate::facts::Facts;
use crate::history::{self, HistoryRows};
use crate::resolve::{Interface, Project, SourceFile};
use crate::rows::{FileEdges, FileNo, SymbolRef};
use crate::store::index_lock::{self, IndexLock};
use crate::store::load::Bulk;
use crate::store::owner::boot_clock_ms;
use crate::store::swap::{self, Swap, quiet};
use crate::store::{self, Graph, Layout, StoreError, memory::Memory, schema};

/// Bytes of the engine's buffer pool that a byte of rows may take while they are loaded.
const POOL_PER_BYTE: u64 = 2;

impl Run<'_> {
    /// Builds the graph anew and swaps it in.
    pub(super) fn build(
        &self,
        cache: &mut FactsCache,
        wanted: Wanted,
        lock: &mut Option<IndexLock>,
    ) -> Result<Try, IndexError> {
        if lock.is_none() {
            match self.take_lock()? {
                Ok(taken) => *lock = taken,
                Err(owner) => return Ok(Try::Busy(owner)),
            }
        }
        if self.options.rebuild {
            self.clear_leftovers();
        } else if let Some(held) = lock.as_ref()
            && self.adopt(held, &wanted)?
        {
            built::note_size(self.repo);
            self.finish(lock)?;
            return Ok(Try::Done(wanted.report(Outcome::Adopted, wanted.sources.files.len(), 0)));
        }
        let beating = lock.clone();
        let generation = new_generation();
        let built = std::thread::scope(|scope| {
            let (stop, stopped) = mpsc::channel::<()>();
            scope.spawn(move || self.beat(beating, &stopped));
            let built = self.build_file(cache, &wanted, &generation, lock);
            drop(stop);
            built
        })?;
        let Some(held) = lock.as_ref() else {
            return Err(StoreError::LockLost { ours: 0, found: 0 }.into());
        };
        self.progress.stage("Putting the graph in place", 0);
        let pending = Pending::left_behind(&self.store.layout().cache(), &generation);
        self.swap(held, &|| pending.announce(), &|| pending.put_in_place()).run(&built)?;
        built::note_size(self.repo);
        self.finish(lock)?;
        let files = wanted.sources.files.len();
        Ok(Try::Done(wanted.report(Outcome::Built, files, files)))
    }

    /// Writes the new file and the caches that belong to it; returns the file.
    fn build_file(
        &self,
        cache: &mut FactsCache,
        wanted: &Wanted,
        generation: &str,
        lock: &mut Option<IndexLock>,
    ) -> Result<std::path::PathBuf, IndexError> {
        self.save_caches(cache, wanted)?;
        let files = &wanted.sources.files;
        let facts = wanted.sources.facts(cache)?;
        self.progress.stage("Resolving", files.len() as u64);
        let (edges, interface) = self.resolve_all(wanted, &facts);
        self.progress.stage("Working out the history", 0);
        let paths = wanted.paths();
        let rows = history::derive(&wanted.history, &paths);
        let manifest = wanted.manifest(generation.to_owned());
        self.progress.stage("Writing the search index", 0);
        Pending::write(
            &self.store.layout().cache(),
            &Parts {
                manifest: &manifest,
                interface: &interface,
                files,
                facts: &facts,
                cache,
                history: &wanted.history,
                commits: &wanted.commits,
                rows: &rows,
            },
        )?;
        drop(interface);
        self.progress.stage("Writing the graph", 0);
        let layout = self.store.layout();
        let bulk = self.bulk(wanted, &facts, &edges, &rows)?;
        drop((facts, edges, rows));
        self.progress.stage("Loading the graph", 0);
        let tree = wanted.tree();
        // Rows stay in the pool until the one transaction that loads them is committed.
        let options = store::Options {
            buffer_pool: self.store.options().buffer_pool.max(POOL_PER_BYTE * bulk.bytes()),
            ..self.store.options()
        };
        let fill = |graph: &Graph| {
            bulk.finish(graph)?;
            schema::set_meta(graph, "generation", generation)?;
            schema::set_meta(graph, "t0", &history::T0.to_string())?;
            schema::set_meta(graph, "half_life", &history::HALF_LIFE.to_string())?;
            schema::set_meta(graph, "tree", &tree)?;
            if lock.is_none() {
                // The old graph cannot hold a lock (damaged, of another version): the new one does.
                *lock = index_lock::take(graph, &self.owner, boot_clock_ms())?.ok();
            }
            Ok(())
        };
        let built = swap::build(layout, &self.owner.to_string(), options, fill, &quiet)?;
        Ok(built)
    }

    fn resolve_all(&self, wanted: &Wanted, facts: &[Facts]) -> (Vec<FileEdges>, Interface) {
        let files = wanted.source_files(facts);
        let count = files.len() as u32;
        let project = Project::build(files, &self.project_config(&wanted.sources), &wanted.scip.targets);
        let edges = (0..count)
            .into_par_iter()
            .map(|no| {
                let edges = project.resolve_file(FileNo(no));
                self.progress.done(1);
                edges
            })
            .collect();
        (edges, project.interface())
    }

    fn bulk(
        &self,
        wanted: &Wanted,
        facts: &[Facts],
        edges: &[FileEdges],
        rows: &HistoryRows,
    ) -> Result<Bulk, IndexError> {
        let files = &wanted.sources.files;
        let parsed = parsed(files);
        let code = Code::new(files, facts, &parsed);
        let callers = callers(edges);
        let mut bulk = Bulk::new(self.store.layout().dir())?;
        for (source, facts) in files.iter().zip(facts).filter(|(source, _)| source.language.is_none()) {
            bulk.file(&Code::plain_state(source, facts))?;
        }
        for (no, edges) in edges.iter().enumerate() {
            let file = FileNo(no as u32);
            let of = |symbol| rank(callers.get(&SymbolRef { file, symbol }).copied().unwrap_or(0));
            bulk.file(&code.file_state(file, edges, of))?;
        }
        past::load(&mut bulk, rows)?;
        Ok(bulk)
    }

    fn swap<'s>(
        &'s self,
        lock: &'s IndexLock,
        before: &'s dyn Fn() -> Result<(), StoreError>,
        after: &'s dyn Fn(),
    ) -> Swap<'s> {
        Swap {
            store: &self.store,
            lock,
            wait: self.options.gate_wait,
            rebuild: self.options.rebuild,
            drain: &drain,
            before,
            after,
            step: &quiet,
        }
    }

    /// Swaps in a build that an earlier run left aside, if it is of this very tree.
    fn adopt(&self, lock: &IndexLock, wanted: &Wanted) -> Result<bool, IndexError> {
        let tree = wanted.tree();
        let found: RefCell<Option<Pending>> = RefCell::new(None);
        let before = || found.borrow().as_ref().map_or(Ok(()), Pending::announce);
        let after = || {
            if let Some(pending) = &*found.borrow() {
                pending.put_in_place();
            }
        };
        let adopted = self.swap(lock, &before, &after).adopt(&|graph| {
            if schema::meta(graph, "tree")?.as_deref() != Some(tree.as_str()) {
                return Ok(false);
            }
            let Some(generation) = schema::meta(graph, "generation")? else { return Ok(false) };
            *found.borrow_mut() = Some(Pending::left_behind(&self.store.layout().cache(), &generation));
            Ok(true)
        })?;
        Ok(adopted)
    }

    /// Removes what dead indexers built: nothing of it is of use any more.
    pub(super) fn clear_leftovers(&self) {
        let found = swap::leftovers(self.store.layout());
        if let Err(error) = found.and_then(|all| all.iter().try_for_each(swap::discard)) {
            tracing::warn!(%error, "a build of a dead indexer stays");
        }
        atomic::clear_dead(self.store.layout().dir());
    }

    /// Gives signs of life until `stopped` hangs up.
    pub(super) fn beat(&self, lock: Option<IndexLock>, stopped: &mpsc::Receiver<()>) {
        let Some(lock) = lock else { return };
        while let Err(mpsc::RecvTimeoutError::Timeout) = stopped.recv_timeout(self.options.heartbeat) {
            let beat = self.store.write(self.options.gate_wait, |graph| lock.check(graph, boot_clock_ms()));
            if let Err(error) = beat {
                tracing::warn!(%error, "no sign of life given");
            }
        }
    }

    /// After the graph and its caches are in place: memory's second copy, and the lock given back.
    pub(super) fn finish(&self, lock: &mut Option<IndexLock>) -> Result<(), IndexError> {
        // The file is a new one, or was written from end to end without a crash.
        // A marker that stays is told by `status` and `doctor`.
        let _ = agents::engine::clear(self.store.layout());
        self.store.write(self.options.gate_wait, |graph| {
            agents::drain::drain(graph, self.store.layout(), &agents::Moment::now())?;
            if let Some(lock) = lock.take() {
                lock.release(graph, boot_clock_ms())?;
            }
            Memory::export_lasting(graph)?.save(self.store.layout())
        })?;
        Ok(())
    }
}

/// Agents' events come into the old graph before its memory is read.
fn drain(graph: &Graph) -> Result<(), StoreError> {
    let Some(root) = graph.path().parent().and_then(std::path::Path::parent) else { return Ok(()) };
    agents::drain::drain(graph, &Layout::at(root), &agents::Moment::now()).map(|_| ())
}

impl Wanted {
    /// What resolving reads of each parsed file, by [`FileNo`].
    pub(super) fn source_files<'a>(&'a self, facts: &'a [Facts]) -> Vec<SourceFile<'a>> {
        let files = self.sources.files.iter().zip(facts);
        files
            .filter_map(|(f, facts)| {
                let scip = self.scip.file(&f.path, &f.hash.0);
                Some(SourceFile { path: &f.path, language: f.language?, facts, is_test: f.is_test, scip })
            })
            .collect()
    }

    /// A digest of everything that decides what the graph holds: two builds with the same are equal.
    pub(super) fn tree(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.versions.as_bytes());
        hasher.update(self.history_print.as_deref().unwrap_or("").as_bytes());
        for file in &self.sources.files {
            let kind = [u8::from(file.is_test), u8::from(file.language.is_some())];
            for part in [file.path.as_bytes(), file.file_type.as_bytes(), &file.hash.0, &kind] {
                hasher.update(&(part.len() as u64).to_le_bytes());
                hasher.update(part);
            }
        }
        hasher.finalize().to_hex().to_string()
    }
}
