//! Which files there are: those that git tracks, and those that it neither tracks nor ignores.
//!
//! A scan reads folders and file metadata only. Content is read by [`read_content`], once for hash
//! and text together, and only for files that the [`StatCache`] does not vouch for.

mod classify;
mod content;
mod kinds;
mod stat_cache;
mod walk;

use std::fmt;
use std::path::PathBuf;

use crate::lang::LanguageSupport;

pub use content::{Content, Reading, read_content};
pub(crate) use kinds::extension;
pub use kinds::{file_type, is_test_path};
pub(crate) use stat_cache::write_atomically;
pub use stat_cache::{Record, StatCache};
pub use walk::{holds_tests, language_of, scan};

/// A scan that cannot even begin.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// The root cannot be listed.
    #[error("cannot list {path}: {source}; check its permissions")]
    Root {
        /// The root.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
}

/// BLAKE3 of a file's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash(pub [u8; 32]);

impl ContentHash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> ContentHash {
        ContentHash(*blake3::hash(bytes).as_bytes())
    }
}

impl fmt::Display for ContentHash {
    /// 64 lower-case hex digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(blake3::Hash::from_bytes(self.0).to_hex().as_str())
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What the operating system says of a file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FileStat {
    /// Bytes.
    pub size: u64,
    /// Last change of content, nanoseconds since the Unix epoch.
    pub mtime: i64,
    /// Last change of anything, nanoseconds since the Unix epoch.
    pub ctime: i64,
    /// Inode number.
    pub inode: u64,
}

impl FileStat {
    /// From metadata. Times beyond the year 2262 are clamped.
    pub fn of(meta: &std::fs::Metadata) -> FileStat {
        use std::os::unix::fs::MetadataExt;
        let nanos = |s: i64, n: i64| s.saturating_mul(1_000_000_000).saturating_add(n);
        FileStat {
            size: meta.size(),
            mtime: nanos(meta.mtime(), meta.mtime_nsec()),
            ctime: nanos(meta.ctime(), meta.ctime_nsec()),
            inode: meta.ino(),
        }
    }
}

/// What a file's content says about it as a whole; a pure function of its bytes and name.
#[derive(Clone, Copy)]
pub struct Traits {
    /// NUL bytes or a binary format's magic: skipped.
    pub binary: bool,
    /// Machine-made lines that nobody reads: skipped.
    pub minified: bool,
    /// Says of itself that a program wrote it; indexed.
    pub generated: bool,
    /// Not UTF-8: indexed, with U+FFFD for what cannot be decoded.
    pub lossy: bool,
    /// The language, the `#!` line included. Not yet narrowed by `portolan.toml`.
    pub language: Option<&'static dyn LanguageSupport>,
}

/// A file to index.
#[derive(Clone)]
pub struct Scanned {
    /// Its repository path.
    pub path: String,
    /// How it is parsed, if it is. For a file without extension that is yet to be read, what its `#!` line says
    /// comes with its [`Content`].
    pub language: Option<&'static dyn LanguageSupport>,
    /// A word for its type: the language's name, else by extension (`markdown`, `cpp`, `text`).
    pub file_type: &'static str,
    /// Whether it holds tests.
    pub is_test: bool,
    /// Its metadata at the scan.
    pub stat: FileStat,
    /// What its content was, if it cannot have changed since; `None`: must be read.
    pub known: Option<Known>,
}

impl fmt::Debug for Scanned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scanned")
            .field("path", &self.path)
            .field("file_type", &self.file_type)
            .field("is_test", &self.is_test)
            .field("stat", &self.stat)
            .field("known", &self.known)
            .finish()
    }
}

/// What is known of a file's content without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its hash.
    pub hash: ContentHash,
    /// As [`Traits::generated`].
    pub generated: bool,
    /// As [`Traits::lossy`].
    pub lossy: bool,
}

/// Why something is not indexed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    /// Holds NUL bytes or begins like a binary format.
    Binary,
    /// Over the limit (bytes).
    TooLarge(u64),
    /// Minified or bundled: lines that nobody reads.
    Minified,
    /// A package manager's lock file.
    LockFile,
    /// Reading failed; the operating system's word for it.
    Unreadable(String),
    /// A symbolic link to something inside, whose repository path follows: that is indexed itself.
    Link(String),
    /// A symbolic link that leads out of the root; never followed.
    LinkOutside,
    /// A symbolic link to nothing.
    LinkBroken,
    /// A symbolic link that leads to itself or to a folder above it.
    LinkLoop,
    /// Another repository's work tree, as a submodule of this one.
    Submodule,
    /// Another git repository below the root.
    NestedRepository,
    /// A linked worktree below the root.
    NestedWorktree,
    /// Installed dependencies: `node_modules`, a Python virtual environment.
    Dependencies,
    /// Marked as a cache (`CACHEDIR.TAG`).
    Cache,
    /// A pipe, socket or device (which); never opened.
    Special(&'static str),
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SkipReason::Binary => f.write_str("binary"),
            SkipReason::TooLarge(limit) => write!(f, "larger than {limit} bytes"),
            SkipReason::Minified => f.write_str("minified"),
            SkipReason::LockFile => f.write_str("lock file"),
            SkipReason::Unreadable(why) => write!(f, "unreadable: {why}"),
            SkipReason::Link(target) => write!(f, "link to {target}"),
            SkipReason::LinkOutside => f.write_str("link out of the root"),
            SkipReason::LinkBroken => f.write_str("broken link"),
            SkipReason::LinkLoop => f.write_str("link loop"),
            SkipReason::Submodule => f.write_str("submodule"),
            SkipReason::NestedRepository => f.write_str("nested repository"),
            SkipReason::NestedWorktree => f.write_str("worktree"),
            SkipReason::Dependencies => f.write_str("installed dependencies"),
            SkipReason::Cache => f.write_str("cache folder"),
            SkipReason::Special(what) => f.write_str(what),
        }
    }
}

/// Something that is not indexed. A folder that is left out as a whole is one row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// Its repository path; a folder's ends in `/`.
    pub path: String,
    /// Why.
    pub reason: SkipReason,
    /// Bytes; 0 for what is not a file.
    pub size: u64,
}

/// What there is.
#[derive(Debug, Default)]
pub struct Scan {
    /// Files to index, sorted by path, each once.
    pub files: Vec<Scanned>,
    /// What is left out, sorted by path. Files whose content decides are here only if the cache knows them;
    /// [`read_content`] tells of the others.
    pub skipped: Vec<Skipped>,
    /// How many files and folders `portolan.toml` excludes.
    pub excluded: usize,
    /// What went wrong without stopping the scan, as sentences for the user.
    pub notes: Vec<String>,
    /// Indices into the cache of the entries that hold for a file of this scan, ascending.
    pub(crate) fresh: Vec<u32>,
}
