//! The graph on disk: its folder, its locks, its engine, and how rows get into it and out of it.
//!
//! Nothing here knows tree-sitter or git. Every command opens the graph for milliseconds, behind
//! the [`gate`], through [`Store::read`] and [`Store::write`].

pub mod change;
pub mod crash;
mod csv;
pub mod diff;
pub mod dump;
mod error;
pub mod gate;
pub mod graph;
pub mod guard;
mod headroom;
pub mod holder;
pub mod index_lock;
pub mod layout;
pub mod load;
pub mod lock_probe;
pub mod memory;
mod one_handle;
mod raw_lock;
pub mod read_files;
pub mod rows;
pub mod schema;
mod seal;
pub mod snapshot;
pub(crate) mod statements;
pub mod survey;
pub mod swap;
pub mod value;

use std::path::Path;
use std::time::{Duration, Instant};

pub use crate::owner;
pub use error::StoreError;
pub use gate::{Gate, GateMode};
pub use graph::{Graph, Mode, Options};
pub use layout::Layout;
pub use value::{Params, Rows};

/// What the store's functions return.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// A WAL larger than this is folded into the file by the writer that meets it, in bytes. Each opener replays it, which
/// takes some 0.3 ms a KiB; folding it in takes one writer some 50 to 200 ms and lets the file of a large graph grow by 1 to 5 MB,
/// whatever the size. Hooks and questions open the graph far more often than anybody writes much.
const CHECKPOINT_ABOVE: u64 = 256 * 1024;

/// A repository's graph, closed between uses.
#[derive(Clone, Debug)]
pub struct Store {
    layout: Layout,
    options: Options,
}

impl Store {
    /// A store over a folder that exists or not yet; nothing is touched.
    pub fn new(layout: Layout) -> Self {
        Store { layout, options: Options::default() }
    }

    /// The same with other engine options.
    pub fn with_options(layout: Layout, options: Options) -> Self {
        Store { layout, options }
    }

    /// Where things lie.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The engine's options.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Opens the graph read-only under the shared gate, runs `work`, closes it.
    ///
    /// # Errors
    /// [`StoreError::NoGraph`] when nothing was indexed yet; [`StoreError::GateBusy`] and
    /// [`StoreError::Held`] when the deadline passed; [`StoreError::Damaged`]; and what `work` returns.
    pub fn read<T, E>(&self, wait: Duration, work: impl FnOnce(&Graph) -> Result<T, E>) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        let deadline = Instant::now() + wait;
        let path = self.layout.graph();
        if !exists(&path)? {
            return Err(StoreError::NoGraph { path }.into());
        }
        let opened = {
            let gate = Gate::enter(&self.layout, GateMode::Shared, deadline)?;
            seal::check(&self.layout)?;
            match Graph::open(&path, Mode::Read, self.options, deadline) {
                Ok(graph) => Ok((gate, graph)),
                // Only a writer can finish what a killed checkpoint left; it needs the gate to itself.
                Err(StoreError::NeedsWriter { .. }) => Err(()),
                Err(error) => return Err(error.into()),
            }
        };
        let (gate, graph) = match opened {
            Ok(both) => both,
            Err(()) => {
                self.write(deadline.saturating_duration_since(Instant::now()), |_| Ok::<(), StoreError>(()))?;
                let gate = Gate::enter(&self.layout, GateMode::Shared, deadline)?;
                let graph = Graph::open(&path, Mode::Read, self.options, deadline)?;
                (gate, graph)
            }
        };
        schema::check(&graph)?;
        let answer = work(&graph);
        drop(graph);
        drop(gate);
        answer
    }

    /// Opens the graph for writing under the exclusive gate, runs `work`, closes it. Without a graph
    /// file one with the schema and the memory that `memory.jsonl` holds is made first. The WAL is folded in only when it has grown large.
    ///
    /// `work` opens its own transactions; what it did not commit is rolled back.
    ///
    /// # Errors
    /// As [`Store::read`], except [`StoreError::NoGraph`].
    pub fn write<T, E>(&self, wait: Duration, work: impl FnOnce(&Graph) -> Result<T, E>) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        let deadline = Instant::now() + wait;
        let gate = Gate::enter(&self.layout, GateMode::Exclusive, deadline)?;
        let graph = self.open_for_writing(deadline)?;
        let answer = work(&graph);
        if graph.wal_len() > CHECKPOINT_ABOVE && !graph.in_transaction() {
            // What `work` committed stands; the next writer tries again.
            if let Err(error) = graph.checkpoint() {
                tracing::warn!(%error, "the log was not folded into the graph");
            }
        }
        drop(graph);
        seal::put(&self.layout);
        drop(gate);
        answer
    }

    /// Folds the WAL into the file, so that openers need not replay it.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub fn checkpoint(&self, wait: Duration) -> Result<()> {
        self.write(wait, Graph::checkpoint)
    }

    /// Renames a graph aside that cannot even be opened, with its logs; the next writer makes a new one.
    ///
    /// # Errors
    /// [`StoreError::GateBusy`], [`StoreError::Held`], and what the file system says.
    pub fn set_aside(&self, wait: Duration) -> Result<()> {
        let deadline = Instant::now() + wait;
        let _gate = Gate::enter(&self.layout, GateMode::Exclusive, deadline)?;
        let path = self.layout.graph();
        let held = || StoreError::Held { path: path.clone(), waited: wait, holder: holder::of(&path) };
        let _claim = one_handle::Claim::take(&path, deadline).ok_or_else(held)?;
        let _lock = raw_lock::RawLock::try_take(&path, raw_lock::Kind::Exclusive)?.ok_or_else(held)?;
        layout::set_aside(&path)?;
        self.layout.set_aside_orphans()
    }

    /// Opens (or makes) the graph for a caller that already holds the exclusive gate.
    pub(crate) fn open_for_writing(&self, deadline: Instant) -> Result<Graph> {
        let path = self.layout.graph();
        if !exists(&path)? {
            self.layout.set_aside_orphans()?;
            schema::create_file(&path, self.options, deadline, &memory::Memory::load(&self.layout)?)?;
        }
        seal::check(&self.layout)?;
        let graph = Graph::open(&path, Mode::Write, self.options, deadline)?;
        schema::check(&graph)?;
        Ok(graph)
    }
}

fn exists(path: &Path) -> Result<bool> {
    path.try_exists().map_err(|source| StoreError::io("look for", path, source))
}
