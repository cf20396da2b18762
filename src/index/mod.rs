//! The pipeline `scan -> extract -> resolve -> store`, with history beside it: brings the graph in line
//! with the work tree, and does only what changed.
//!
//! What makes incremental equal to fresh: phase 1 of resolving runs over all files (from cached facts), and
//! says through its `Interface` for which names an answer changed; phase 2 runs for the files that changed or
//! that hold such a name; what the graph holds for those is compared with what it should hold. When there is no
//! trustworthy previous state (no caches, another version), or most files changed, the graph is built anew
//! beside and swapped in.

pub mod background;
mod built;
mod compiler;
mod error;
pub mod freshness;
mod full;
mod manifest;
mod past;
mod pending;
mod seed;
mod sources;
mod state;
mod update;

use std::sync::Arc;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

pub use compiler::{forget_scip, take_scip};
pub use error::IndexError;
pub use manifest::{IndexedFile, Manifest};

use crate::cache::FactsCache;
use crate::config::Config;
use crate::facts::FACTS_VERSION;
use crate::history::{self, CommitCache, History};
use crate::progress::Progress;
use crate::repo::Repo;
use crate::resolve::{ProjectConfig, RESOLVE_VERSION};
use crate::scip::ScipData;
use crate::search;
use crate::store::index_lock::{self, IndexLock};
use crate::store::owner::{Owner, boot_clock_ms};
use crate::store::{Layout, Store, StoreError, schema};

use sources::Sources;

/// How an index run is done.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Build anew even if nothing changed; a damaged graph is set aside.
    pub rebuild: bool,
    /// How long to wait for another indexer.
    pub wait: Duration,
    /// How long to wait for the gate and for foreign programs that hold the graph.
    pub gate_wait: Duration,
    /// Build anew when the graph's file has grown far beyond its size when new.
    pub compact: bool,
    /// Between two signs of life of an indexer that holds the lock; far below
    /// [`SILENT_MS`](crate::store::index_lock::SILENT_MS).
    pub heartbeat: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            rebuild: false,
            wait: Duration::from_secs(600),
            gate_wait: Duration::from_secs(10),
            compact: true,
            heartbeat: Duration::from_secs(10),
        }
    }
}

/// How long a run that may wait for another indexer stands in the queue for the gate.
const QUEUE: Duration = Duration::from_secs(120);

/// What a run did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The graph was up to date.
    UpToDate,
    /// Changes were written into the graph.
    Updated,
    /// The graph was built anew.
    Built,
    /// A build that an earlier run could not put in place was put in place.
    Adopted,
}

/// A run's result.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was done.
    pub outcome: Outcome,
    /// Files in the graph.
    pub files: usize,
    /// Files added, changed or removed since the last run.
    pub changed: usize,
    /// Files whose relationships were looked at again.
    pub resolved: usize,
    /// Files left out, each with a reason in `status`.
    pub skipped: usize,
    /// Sentences for the user.
    pub notes: Vec<String>,
}

/// Versions of everything that decides what the graph holds.
fn versions(repo: &Repo) -> String {
    let versions = format!(
        "{} schema {} facts {FACTS_VERSION} resolve {RESOLVE_VERSION}",
        env!("CARGO_PKG_VERSION"),
        schema::VERSION
    );
    match ScipData::print(&Layout::at(repo.root()).cache()) {
        print if print.is_empty() => versions,
        print => format!("{versions} scip {print}"),
    }
}

/// One repository with what an index run needs of it.
struct Run<'a> {
    repo: &'a Repo,
    config: &'a Config,
    options: Options,
    progress: &'a dyn Progress,
    store: Store,
    owner: Owner,
}

/// The work tree and history as one try sees them.
struct Wanted {
    sources: Sources,
    /// The history of before.
    commits: CommitCache,
    history: Arc<History>,
    history_print: Option<String>,
    /// What compilers said.
    scip: ScipData,
    versions: String,
}

/// What a try came to.
enum Try {
    Done(Report),
    /// Another indexer has the lock.
    Busy(String),
    /// The graph changed meanwhile: look again.
    Again,
}

/// Brings the graph of a repository up to date.
///
/// # Errors
/// See [`IndexError`]; the graph is then as it was.
pub fn index(repo: &Repo, config: &Config, options: Options, progress: &dyn Progress) -> Result<Report, IndexError> {
    repo.check_folder()?;
    let layout = Layout::create(repo.root(), false)?;
    Layout::private_dir(&layout.cache())?;
    let store = Store::new(layout);
    let run = Run { repo, config, options, progress, store, owner: Owner::this_process() };
    let begun = Instant::now();
    let mut tries = 0;
    let seeded = run.seed();
    loop {
        match run.attempt(tries > 0) {
            Ok(Try::Done(mut report)) => {
                report.notes.extend(seeded);
                return Ok(report);
            }
            Ok(Try::Again) => {
                tries += 1;
                if tries == 20 {
                    return Err(IndexError::Unsettled { tries });
                }
            }
            Ok(Try::Busy(owner)) => run.wait_for(&owner, begun)?,
            Err(IndexError::Cache { path }) if tries == 0 => {
                tracing::warn!(path, "cached facts damaged, beginning again without them");
                tries += 1;
                let _ = std::fs::remove_file(repo.cache_file("facts"));
            }
            // Each of the processes before this one in the queue may hold the gate for its time.
            Err(IndexError::Store(StoreError::GateBusy { .. })) if begun.elapsed() < run.options.wait.min(QUEUE) => {}
            // Taken over while this process slept or was starved: the other's result is looked at.
            Err(IndexError::Store(StoreError::LockLost { .. })) if tries < 20 => tries += 1,
            Err(error) => return Err(error),
        }
    }
}

impl Run<'_> {
    /// `doubtful`: an earlier try found that the graph is not the one that the caches describe.
    fn attempt(&self, doubtful: bool) -> Result<Try, IndexError> {
        self.settle();
        let mut cache = FactsCache::open(&self.repo.cache_file("facts"));
        let manifest = Manifest::read(&self.repo.cache_file("manifest"));
        let mut lock = None;
        // Without a previous state all files will be parsed: only one process should do that.
        let trusted = manifest.as_ref().is_some_and(|m| m.versions == self.versions()) && !self.options.rebuild;
        if !trusted {
            match self.take_lock()? {
                Ok(taken) => lock = taken,
                Err(owner) => return Ok(Try::Busy(owner)),
            }
        }
        let done = self.attempt_with(&mut cache, manifest.filter(|_| trusted), &mut lock, doubtful);
        if let Some(lock) = lock
            && !matches!(done, Ok(Try::Done(_)))
        {
            self.release(lock);
        }
        done
    }

    /// Finishes what a run that was killed between graph and caches began.
    fn settle(&self) {
        let caches = self.store.layout().cache();
        if !pending::is_unsettled(&caches) {
            return;
        }
        let settled = self.store.write(self.options.gate_wait, |graph| {
            pending::settle(&caches, schema::meta(graph, "generation")?.as_deref());
            Ok::<_, StoreError>(())
        });
        if let Err(error) = settled {
            // Whatever it is, this run meets it again; and it believes no cache that does not fit the graph.
            tracing::debug!(%error, "graph and caches not settled");
        }
    }

    fn attempt_with(
        &self,
        cache: &mut FactsCache,
        manifest: Option<Manifest>,
        lock: &mut Option<IndexLock>,
        doubtful: bool,
    ) -> Result<Try, IndexError> {
        let wanted = match lock.clone() {
            // Parsing a large repository takes longer than a silent owner is waited for.
            Some(held) => std::thread::scope(|scope| {
                let (stop, stopped) = std::sync::mpsc::channel::<()>();
                scope.spawn(move || self.beat(Some(held), &stopped));
                let wanted = self.wanted(cache);
                drop(stop);
                wanted
            })?,
            None => self.wanted(cache)?,
        };
        let bloated = manifest.is_some() && self.options.compact && built::is_bloated(self.repo);
        match manifest {
            Some(_) if bloated => self.build(cache, wanted, lock),
            // The transaction looks whether the graph is the manifest's: one opening less.
            Some(manifest) if !doubtful && !wanted.matches(&manifest) => self.update(cache, wanted, manifest, lock),
            manifest => self.checked(cache, wanted, manifest, lock),
        }
    }

    /// Goes on after a look into the graph.
    fn checked(
        &self,
        cache: &mut FactsCache,
        wanted: Wanted,
        manifest: Option<Manifest>,
        lock: &mut Option<IndexLock>,
    ) -> Result<Try, IndexError> {
        let (generation, holder) = match self.generation() {
            Ok(found) => found,
            Err(StoreError::Damaged { .. } | StoreError::Newer { .. }) if self.options.rebuild => (None, None),
            Err(StoreError::Older { .. } | StoreError::NoGraph { .. }) => (None, None),
            Err(error) => return Err(error.into()),
        };
        let manifest = manifest.filter(|m| generation.as_ref() == Some(&m.generation));
        // Another indexer may have finished while this one waited for the lock.
        let manifest = manifest.or_else(|| {
            let again = Manifest::read(&self.repo.cache_file("manifest"))?;
            let fits = generation.as_ref() == Some(&again.generation) && again.versions == self.versions();
            (fits && !self.options.rebuild).then_some(again)
        });
        // Without it no task finds a place, and nothing but an index run makes it.
        let manifest = manifest.filter(|m| self.can_be_searched(m));
        if let Some(manifest) = &manifest
            && wanted.matches(manifest)
        {
            wanted.sources.save_stats(self.repo).ok();
            if let Some(lock) = lock.take() {
                self.release(lock);
            }
            return Ok(Try::Done(wanted.report(Outcome::UpToDate, 0, 0)));
        }
        if let Some(holder) = holder.filter(|_| lock.is_none()) {
            // What would be resolved now would be of no use.
            return Ok(Try::Busy(holder));
        }
        match manifest {
            Some(manifest) => self.update(cache, wanted, manifest, lock),
            None => self.build(cache, wanted, lock),
        }
    }

    fn versions(&self) -> String {
        versions(self.repo)
    }

    fn wanted(&self, cache: &mut FactsCache) -> Result<Wanted, IndexError> {
        let sources = Sources::collect(self.repo, self.config, cache, self.progress)?;
        let commits = CommitCache::load(&self.repo.cache_file("commits"));
        self.progress.stage("Reading history", 0);
        let history = history::commits(self.repo, self.config.history_depth, &commits)?;
        let history_print = history.head.map(|_| format!("{:016x}", history.fingerprint()));
        let (scip, versions) = (self.scip(), self.versions());
        Ok(Wanted { sources, commits, history, history_print, scip, versions })
    }

    /// Whether the search index is there, whole as far as its header tells, and of this generation.
    fn can_be_searched(&self, manifest: &Manifest) -> bool {
        search::Index::open(&self.repo.cache_file("search"))
            .is_ok_and(|index| format!("{:016x}", index.generation()) == manifest.generation)
    }

    /// The generation of the graph as it is, `None` for an empty graph; and who holds the index lock.
    fn generation(&self) -> Result<(Option<String>, Option<String>), StoreError> {
        self.store.read(self.options.gate_wait, |graph| {
            let lock = index_lock::state(graph)?;
            let holder = (!lock.is_free(boot_clock_ms())).then_some(lock.owner);
            Ok((schema::meta(graph, "generation")?, holder))
        })
    }

    /// Takes the index lock: `Ok(Ok(None))` when the graph cannot hold one (damaged, of another version) and a
    /// rebuild is due; `Ok(Err(owner))` when another process has it.
    fn take_lock(&self) -> Result<Result<Option<IndexLock>, String>, IndexError> {
        let taken =
            self.store.write(self.options.gate_wait, |graph| index_lock::take(graph, &self.owner, boot_clock_ms()));
        match taken {
            Ok(Ok(lock)) => Ok(Ok(Some(lock))),
            Ok(Err(state)) => Ok(Err(state.owner)),
            Err(StoreError::Older { .. }) => Ok(Ok(None)),
            Err(StoreError::Damaged { .. } | StoreError::Newer { .. }) if self.options.rebuild => Ok(Ok(None)),
            Err(error) => Err(error.into()),
        }
    }

    fn release(&self, lock: IndexLock) {
        let released = self.store.write(self.options.gate_wait, |graph| lock.release(graph, boot_clock_ms()));
        if let Err(error) = released {
            // The next indexer takes it over when this process has ended.
            tracing::warn!(%error, "index lock not released");
        }
    }

    /// Waits until the lock is free; then the caller looks at the tree again.
    fn wait_for(&self, owner: &str, begun: Instant) -> Result<(), IndexError> {
        let pid = Owner::parse(owner).map_or(0, |o| o.pid());
        let busy = || IndexError::Busy { owner: format!("process {pid}"), waited: begun.elapsed().as_secs() };
        if begun.elapsed() > self.options.wait {
            return Err(busy());
        }
        self.progress.note(&format!("Waiting for another indexer (process {pid})"));
        let mut pause = Duration::from_millis(50);
        loop {
            if begun.elapsed() > self.options.wait {
                return Err(busy());
            }
            std::thread::sleep(pause);
            pause = (pause * 3 / 2).min(Duration::from_millis(500));
            match self.store.read(self.options.gate_wait, index_lock::state) {
                Ok(state) if !state.is_free(boot_clock_ms()) => {}
                Ok(_) | Err(StoreError::NoGraph { .. }) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The contents of the project's own configuration files.
    fn project_config(&self, sources: &Sources) -> ProjectConfig {
        let files: Vec<(&str, Vec<u8>)> = sources
            .files
            .iter()
            .filter(|f| ProjectConfig::is_config_file(&f.path))
            .filter_map(|f| Some((f.path.as_str(), std::fs::read(self.repo.absolute(&f.path)).ok()?)))
            .collect();
        ProjectConfig::load(files.iter().map(|(path, bytes)| (*path, bytes.as_slice())))
    }

    fn save_caches(&self, cache: &mut FactsCache, wanted: &Wanted) -> Result<(), IndexError> {
        let keys: Vec<_> = wanted.sources.files.iter().map(|f| f.key).collect();
        let path = self.repo.cache_file("facts");
        cache.flush(&keys).map_err(IndexError::write(&path))?;
        let stat = self.repo.cache_file("stat");
        wanted.sources.save_stats(self.repo).map_err(IndexError::write(&stat))?;
        Ok(())
    }
}

impl Wanted {
    fn paths(&self) -> Vec<&str> {
        self.sources.files.iter().map(|f| f.path.as_str()).collect()
    }

    fn matches(&self, manifest: &Manifest) -> bool {
        self.history_print == manifest.history
            && self.sources.files.len() == manifest.files.len()
            && self.sources.files.iter().zip(&manifest.files).all(|(f, m)| f.path == m.path && f.is(m))
            && self.sources.skipped.len() == manifest.skipped.len()
            && self
                .sources
                .skipped
                .iter()
                .zip(&manifest.skipped)
                .all(|(s, m)| s.path == m.0 && s.reason.to_string() == m.1)
    }

    fn manifest(&self, generation: String) -> Manifest {
        Manifest {
            generation,
            versions: self.versions.clone(),
            history: self.history_print.clone(),
            head: self.history.head.map(|h| h.to_string()),
            files: self
                .sources
                .files
                .iter()
                .map(|f| IndexedFile {
                    path: f.path.clone(),
                    hash: f.hash.0,
                    language: f.file_type.to_owned(),
                    is_test: f.is_test,
                    parsed: f.language.is_some(),
                })
                .collect(),
            skipped: self.sources.skipped.iter().map(|s| (s.path.clone(), s.reason.to_string())).collect(),
            notes: self.history.notes(),
            at: chrono::Utc::now().timestamp(),
        }
    }

    fn report(&self, outcome: Outcome, changed: usize, resolved: usize) -> Report {
        Report {
            outcome,
            files: self.sources.files.len(),
            changed,
            resolved,
            skipped: self.sources.skipped.len(),
            notes: [self.sources.notes.clone(), self.history.notes()].concat(),
        }
    }

    /// Indices of files that are new or other than in the manifest, and paths that are gone.
    fn changes<'m>(&self, manifest: &'m Manifest) -> (Vec<usize>, Vec<&'m str>) {
        let old: FxHashMap<&str, &IndexedFile> = manifest.files.iter().map(|f| (f.path.as_str(), f)).collect();
        let files = &self.sources.files;
        let changed = (0..files.len())
            .filter(|&i| {
                let f = &files[i];
                old.get(f.path.as_str()).is_none_or(|m| !f.is(m))
            })
            .collect();
        let gone = manifest
            .files
            .iter()
            .filter(|m| files.binary_search_by(|f| f.path.as_str().cmp(&m.path)).is_err())
            .map(|m| m.path.as_str())
            .collect();
        (changed, gone)
    }
}

/// A new generation's name: 16 hexadecimal digits.
fn new_generation() -> String {
    use std::hash::{BuildHasher, Hasher};
    format!("{:016x}", std::hash::RandomState::new().build_hasher().finish())
}
