//! One open Kuzu file.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kuzu::{Connection, Database, PreparedStatement, SystemConfig, Value};
use rustc_hash::FxHashMap;

use super::crash::Watch;
use super::error::engine_text;
use super::layout::{set_aside, shadow_of, wal_of};
use super::one_handle::Claim;
use super::value::{Params, Rows};
use super::{Result, StoreError, headroom, holder};

/// How a graph is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Beside other readers.
    Read,
    /// Alone; closing leaves the WAL for the next one.
    Write,
    /// A new file: anything that is already there is refused.
    Create,
}

/// What the engine may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Buffer pool, in bytes. Small: the default of the engine is most of the memory.
    pub buffer_pool: u64,
    /// Threads for one statement.
    pub threads: u64,
    /// How long one statement may run; none when zero.
    pub timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options { buffer_pool: 128 << 20, threads: 1, timeout: Duration::ZERO }
    }
}

/// The address space that the engine reserves for a graph: a power of two.
const MAX_DB_SIZE: u64 = 64 << 30;

const SETUP: &str = include_str!("../../queries/store/engine.cypher");

/// An open graph. Fields drop in this order: statements and connection before their database, and the
/// process's claim to the file last.
pub struct Graph {
    statements: RefCell<FxHashMap<String, PreparedStatement>>,
    connection: Connection<'static>,
    _database: Box<Database>,
    _claim: Claim,
    _watch: Watch,
    path: PathBuf,
    timeout: Cell<Duration>,
    open_transaction: Cell<bool>,
}

impl std::fmt::Debug for Graph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Graph").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Graph {
    /// Opens a graph file. A lock of another program is waited for until `deadline`.
    ///
    /// # Errors
    /// [`StoreError::NoGraph`], [`StoreError::Held`], [`StoreError::Damaged`], [`StoreError::NeedsWriter`], and
    /// what the file system says.
    pub fn open(path: &Path, mode: Mode, options: Options, deadline: Instant) -> Result<Graph> {
        let started = Instant::now();
        let held = |holder: String| StoreError::Held { path: path.to_owned(), waited: started.elapsed(), holder };
        let claim = Claim::take(path, deadline).ok_or_else(|| held("another thread of this process".into()))?;
        prepare_files(path, mode)?;
        if mode != Mode::Read {
            headroom::check(path, headroom::FOR_TRANSACTION)?;
        }
        let config = SystemConfig::default()
            .buffer_pool_size(options.buffer_pool)
            .max_num_threads(options.threads)
            .max_db_size(MAX_DB_SIZE)
            .read_only(mode == Mode::Read)
            .auto_checkpoint(false);
        let name = path.to_str().ok_or_else(|| StoreError::Refused {
            path: path.to_owned(),
            reason: "the engine opens only paths that are UTF-8; move the repository".into(),
        })?;
        let mut watch = Watch::opening(path);
        let mut pause = Duration::from_millis(2);
        let database = loop {
            match Database::new(name, config.clone()) {
                Ok(database) => break Box::new(database),
                Err(error) => {
                    let error = classify(path, &engine_text(&error));
                    let Err(error) = error else {
                        // Held by a program outside of the gate: wait for it.
                        let now = Instant::now();
                        if now >= deadline {
                            return Err(held(holder::of(path)));
                        }
                        std::thread::sleep(pause.min(deadline - now));
                        pause = (pause * 2).min(Duration::from_millis(40));
                        continue;
                    };
                    return Err(error);
                }
            }
        };
        watch.opened();
        let connection = Connection::new(&database).map_err(|e| damaged(path, engine_text(&e)))?;
        // SAFETY: the connection borrows the database behind the Box, whose address does not change when the Graph
        // moves; it is dropped before the Box (field order), is private, and never leaves with this lifetime.
        let connection = unsafe { std::mem::transmute::<Connection<'_>, Connection<'static>>(connection) };
        let graph = Graph {
            statements: RefCell::default(),
            connection,
            _database: database,
            _claim: claim,
            _watch: watch,
            path: path.to_owned(),
            timeout: Cell::new(Duration::ZERO),
            open_transaction: Cell::new(false),
        };
        if mode != Mode::Read {
            graph.run_once(super::statements::named(SETUP, "keep_wal"))?;
        }
        graph.set_timeout(options.timeout);
        tracing::trace!(took = ?started.elapsed(), ?mode, "opened");
        Ok(graph)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Limits each statement from now on; zero lifts the limit.
    pub fn set_timeout(&self, limit: Duration) {
        self.timeout.set(limit);
        self.connection.set_query_timeout(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX));
    }

    /// Runs one statement and takes its whole answer. Statements are prepared once and kept by their text.
    ///
    /// # Errors
    /// [`StoreError::Query`] with the engine's message, [`StoreError::Timeout`], [`StoreError::DiskFull`].
    pub fn run(&self, cypher: &str, params: Params<'_>) -> Result<Rows> {
        let mut rows = Rows::default();
        rows.columns = self.each(cypher, params, |row| {
            rows.rows.push(row);
            Ok(())
        })?;
        Ok(rows)
    }

    /// Runs one statement and hands over row by row, without a copy of the whole answer; returns the column names.
    ///
    /// # Errors
    /// As [`Graph::run`], and what `take` returns.
    pub fn each<E: From<StoreError>>(
        &self,
        cypher: &str,
        params: Params<'_>,
        mut take: impl FnMut(Vec<Value>) -> Result<(), E>,
    ) -> Result<Vec<String>, E> {
        let begun = Instant::now();
        let mut statements = self.statements.borrow_mut();
        if !statements.contains_key(cypher) {
            let prepared = self.connection.prepare(cypher).map_err(|e| self.failed(e))?;
            tracing::trace!(took = ?begun.elapsed(), "prepared");
            statements.insert(cypher.to_owned(), prepared);
        }
        let Some(prepared) = statements.get_mut(cypher) else {
            return Err(StoreError::Query { message: "statement vanished".into() }.into());
        };
        let answer = self.connection.execute(prepared, params).map_err(|e| self.failed(e))?;
        drop(statements);
        let columns = answer.get_column_names();
        for row in answer {
            take(row)?;
        }
        tracing::trace!(took = ?begun.elapsed(), statement = first_words(cypher), "ran");
        Ok(columns)
    }

    /// Runs a statement that takes no parameters and is not worth keeping (DDL, COPY, settings).
    ///
    /// # Errors
    /// As [`Graph::run`].
    pub fn run_once(&self, cypher: &str) -> Result<()> {
        let begun = Instant::now();
        let done = self.connection.query(cypher).map(drop).map_err(|e| self.failed(e));
        tracing::trace!(took = ?begun.elapsed(), statement = first_words(cypher), "ran");
        done
    }

    /// Runs `work` in one write transaction: committed when it returns `Ok`, else rolled back.
    ///
    /// # Errors
    /// What `work` returns, and what the commit says.
    pub fn transaction<T, E: From<StoreError>>(&self, work: impl FnOnce(&Graph) -> Result<T, E>) -> Result<T, E> {
        use super::statements::named;
        headroom::check(&self.path, headroom::FOR_TRANSACTION)?;
        self.run_once(named(SETUP, "begin"))?;
        self.open_transaction.set(true);
        let guard = Rollback { graph: self };
        let answer = work(self)?;
        self.run_once(named(SETUP, "commit"))?;
        self.open_transaction.set(false);
        drop(guard);
        Ok(answer)
    }

    /// Whether a transaction is open.
    pub fn in_transaction(&self) -> bool {
        self.open_transaction.get()
    }

    /// Folds the WAL into the file.
    ///
    /// # Errors
    /// What the engine says, such as a full disk.
    pub fn checkpoint(&self) -> Result<()> {
        headroom::check(&self.path, headroom::FOR_CHECKPOINT)?;
        self.run_once(super::statements::named(SETUP, "checkpoint"))
    }

    /// Bytes in the WAL now.
    pub fn wal_len(&self) -> u64 {
        std::fs::metadata(wal_of(&self.path)).map_or(0, |m| m.len())
    }

    fn failed(&self, error: kuzu::Error) -> StoreError {
        StoreError::from_engine(&self.path, error, self.timeout.get())
    }
}

/// Rolls back unless the transaction was closed. After some failures the engine has already done so itself.
struct Rollback<'a> {
    graph: &'a Graph,
}

impl Drop for Rollback<'_> {
    fn drop(&mut self) {
        if self.graph.open_transaction.replace(false) {
            let _ = self.graph.run_once(super::statements::named(SETUP, "rollback"));
        }
    }
}

/// The first line of a statement that is no comment: enough to know it by.
fn first_words(cypher: &str) -> &str {
    cypher.lines().find(|line| !line.trim_start().starts_with("//")).unwrap_or_default()
}

/// What must hold of the files before the engine sees them.
fn prepare_files(path: &Path, mode: Mode) -> Result<()> {
    let found = match std::fs::symlink_metadata(path) {
        Ok(meta) => Some(meta),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(StoreError::io("open", path, error)),
    };
    match (mode, found) {
        (Mode::Create, None) => {
            // A log without its file belongs to a file that is gone: replayed here it would write into this one.
            set_aside(&wal_of(path))?;
            set_aside(&shadow_of(path))?;
            Ok(())
        }
        (Mode::Create, Some(_)) => {
            Err(StoreError::io("create", path, std::io::Error::from(std::io::ErrorKind::AlreadyExists)))
        }
        (Mode::Read | Mode::Write, None) => Err(StoreError::NoGraph { path: path.to_owned() }),
        // An empty file is what a crash or a full disk leaves; the engine would make an empty graph of it.
        (Mode::Read | Mode::Write, Some(meta)) if meta.len() == 0 => Err(damaged(path, "the file is empty".into())),
        (Mode::Read | Mode::Write, Some(meta)) if !meta.is_file() => {
            Err(StoreError::Refused { path: path.to_owned(), reason: "it is not a regular file; move it away".into() })
        }
        (Mode::Read | Mode::Write, Some(_)) => Ok(()),
    }
}

fn damaged(path: &Path, message: String) -> StoreError {
    StoreError::Damaged { path: path.to_owned(), message }
}

/// What the engine's message at opening means; `Ok` for a lock, which is waited for. The lock comes
/// first: it must never be taken for damage.
fn classify(path: &Path, message: &str) -> Result<()> {
    if message.contains("Could not set lock on file") {
        return Ok(());
    }
    let path_buf = path.to_owned();
    Err(if message.contains("replay shadow pages under read-only mode") {
        StoreError::NeedsWriter { path: path_buf, message: message.to_owned() }
    } else if message.contains("Cannot open file") || message.contains("Permission denied") {
        let code = match () {
            () if message.contains("Permission denied") => libc::EACCES,
            () if message.contains("Read-only file system") => libc::EROFS,
            () if message.contains("No space left") => libc::ENOSPC,
            // With the graph there, what is missing is a file that its damaged log names.
            () if message.contains("No such file") && path.exists() => return Err(damaged(path, message.to_owned())),
            () if message.contains("No such file") => return Err(StoreError::NoGraph { path: path_buf }),
            () => return Err(StoreError::Query { message: message.to_owned() }),
        };
        StoreError::io("open", path_buf, std::io::Error::from_raw_os_error(code))
    } else if message.contains("No space left") || message.contains("File too large") {
        StoreError::DiskFull { action: "open", path: path_buf }
    } else if message.contains("Buffer manager exception") || message.contains("bad_alloc") {
        // The machine's limits, not the file's fault.
        StoreError::Query { message: message.to_owned() }
    } else {
        damaged(path, message.to_owned())
    })
}
