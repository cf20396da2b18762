//! Full-text index over symbols, files and commit messages: `.portolan/cache/search`.
//!
//! One file, written whole and atomically by [`build`] from the cached words of all files,
//! memory-mapped and read with [`Index`]. It is derived data: whoever finds it missing, damaged
//! or of another version rebuilds it.
//!
//! A *unit* is what postings point at: a symbol, or a stretch of lines of a file in no known
//! language. Words of a path are postings of their own on the file, words of a commit message
//! on the commit.

mod build;
mod format;
mod index;
mod interner;

use std::io;
use std::path::PathBuf;

pub use build::{CommitDoc, FileDoc, build, to_bytes};
pub use index::last_name;
pub use index::{CommitView, FileView, Index, PathPosting, Postings, UnitPosting, UnitView};

/// What went wrong with the search index.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// It could not be read or written.
    #[error("search index {path}: cannot {what}: {source}; check permissions and free space of .portolan")]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        what: &'static str,
        /// The system's answer.
        source: io::Error,
    },
    /// It is not there; `portolan index` makes it.
    #[error("search index {path} does not exist: run `portolan index`")]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// It is not what this version wrote; `portolan index` makes it anew.
    #[error("search index {path} is unusable ({reason}): run `portolan index` to rebuild it")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: &'static str,
    },
    /// More than the format can hold.
    #[error("search index {path}: too large ({what})")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// What there is too much of.
        what: &'static str,
    },
}

#[cfg(test)]
mod tests;
