//! What can go wrong with the graph on disk, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An error of the store. Messages name the file, the cause and the next step.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Nothing was indexed here yet.
    #[error("no graph at {}: run `portolan index` first", path.display())]
    NoGraph {
        /// Where it would be.
        path: PathBuf,
    },
    /// The file system is mounted read-only.
    #[error("cannot {action} {}: the file system is read-only", path.display())]
    ReadOnly {
        /// What was tried.
        action: &'static str,
        /// On which path.
        path: PathBuf,
    },
    /// The user may not do that.
    #[error("cannot {action} {}: permission denied; check who owns the folder", path.display())]
    Denied {
        /// What was tried.
        action: &'static str,
        /// On which path.
        path: PathBuf,
    },
    /// No space, over quota, or over the process's file size limit.
    #[error("cannot {action} {}: the disk is full; free some space and run it again, the graph is as it was before", path.display())]
    DiskFull {
        /// What was tried.
        action: &'static str,
        /// On which path.
        path: PathBuf,
    },
    /// Any other failure of the operating system.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// `.portolan` is not a folder that Portolan made for this user.
    #[error("refusing to use {}: {reason}", path.display())]
    Refused {
        /// The folder.
        path: PathBuf,
        /// Why, and what to do.
        reason: String,
    },
    /// Another Portolan process kept the gate until the deadline.
    #[error("the graph at {} is busy: waited {:.1} s for {holder}; try again", path.display(), waited.as_secs_f64())]
    GateBusy {
        /// The gate's file.
        path: PathBuf,
        /// How long.
        waited: Duration,
        /// Who has it, as far as it can be told.
        holder: String,
    },
    /// A program that does not queue at the gate (the kuzu shell) kept the file until the deadline.
    #[error(
        "{} is held by {holder}: waited {:.1} s; close that program (or give it a copy: `portolan snapshot FILE`) and try again",
        path.display(), waited.as_secs_f64()
    )]
    Held {
        /// The graph file.
        path: PathBuf,
        /// How long.
        waited: Duration,
        /// Who has it, as far as it can be told.
        holder: String,
    },
    /// The engine cannot read the file. Nothing was changed or deleted.
    #[error(
        "the graph at {} is damaged: {message}\nNothing was changed. `portolan index --rebuild` builds it anew from the \
         repository and restores agents' memory from memory.jsonl; the damaged file is kept aside",
        path.display()
    )]
    Damaged {
        /// The graph file.
        path: PathBuf,
        /// What the engine said.
        message: String,
    },
    /// A checkpoint was cut short, and only a writer can finish it.
    #[error("{} needs recovery by a writer: {message}", path.display())]
    NeedsWriter {
        /// The graph file.
        path: PathBuf,
        /// What the engine said.
        message: String,
    },
    /// The graph is of a newer Portolan.
    #[error("the graph at {} has schema {found}, this portolan knows {known}: upgrade portolan, or index again with `--rebuild`", path.display())]
    Newer {
        /// The graph file.
        path: PathBuf,
        /// Its schema version.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// The graph is of an older Portolan and must be built anew; agents' memory is carried over.
    #[error("the graph at {} has schema {found}, this portolan writes {known}: run `portolan index`, it rebuilds the graph and keeps agents' memory", path.display())]
    Older {
        /// The graph file.
        path: PathBuf,
        /// Its schema version.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// The engine refused a statement. The message is the engine's, with the position.
    #[error("{message}")]
    Query {
        /// What the engine said.
        message: String,
    },
    /// A statement ran longer than it may.
    #[error("the query ran longer than {:.1} s and was stopped; bind its start, bound its hops, or raise --timeout", limit.as_secs_f64())]
    Timeout {
        /// The limit.
        limit: Duration,
    },
    /// An ad-hoc statement that may not run.
    #[error("refused: {reason}")]
    Forbidden {
        /// Why, and what to do.
        reason: String,
    },
    /// A column did not hold what the reader expected.
    #[error("column {column} of the answer holds {found}, not {expected}")]
    Column {
        /// Its name or number.
        column: String,
        /// The type wanted.
        expected: &'static str,
        /// What was there.
        found: String,
    },
    /// Another indexer took over; this one writes nothing more.
    #[error("another indexer has taken over (epoch {found}, ours was {ours}); its result stands")]
    LockLost {
        /// The epoch this indexer had.
        ours: i64,
        /// The epoch in the graph.
        found: i64,
    },
    /// A file of ours cannot be understood.
    #[error("{}: line {line}: {message}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// 1-based.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

impl StoreError {
    /// Sorts a failure of the operating system.
    pub fn io(action: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        let path = path.into();
        match source.raw_os_error() {
            Some(libc::ENOSPC | libc::EDQUOT | libc::EFBIG) => StoreError::DiskFull { action, path },
            Some(libc::EROFS) => StoreError::ReadOnly { action, path },
            Some(libc::EACCES | libc::EPERM) => StoreError::Denied { action, path },
            Some(_) => StoreError::Io { action, path, source },
            // Wrapped on its way: only the kind is left.
            None => match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                    StoreError::DiskFull { action, path }
                }
                io::ErrorKind::ReadOnlyFilesystem => StoreError::ReadOnly { action, path },
                io::ErrorKind::PermissionDenied => StoreError::Denied { action, path },
                _ => StoreError::Io { action, path, source },
            },
        }
    }

    /// Sorts what the engine says of a statement.
    pub(crate) fn from_engine(path: &Path, error: kuzu::Error, limit: Duration) -> Self {
        let message = engine_text(&error);
        let lower = message.to_ascii_lowercase();
        if lower.contains("interrupted") {
            StoreError::Timeout { limit }
        } else if lower.contains("cannot write to file")
            || lower.contains("no space left")
            || lower.contains("file too large")
            || lower.contains("quota exceeded")
        {
            StoreError::DiskFull { action: "write", path: path.to_owned() }
        } else {
            StoreError::Query { message }
        }
    }
}

/// The engine's message without the wrapper's prefix.
pub(crate) fn engine_text(error: &kuzu::Error) -> String {
    let text = error.to_string();
    for prefix in ["Query execution failed: ", "Preparing statement failed: ", "Failed to prepare statement: "] {
        if let Some(rest) = text.strip_prefix(prefix) {
            return rest.to_owned();
        }
    }
    text
}
