//! What git's history says: the newest commits reachable from HEAD, who made them, what they touched.
//!
//! The facts of one commit never change, so they are cached by hash ([`CommitCache`]); which commits count is
//! computed anew from HEAD each time. A rebase, a force push or another branch is therefore nothing special.
//! [`derive`] makes the graph's rows of it, purely in memory, and [`HistoryRows::changes_to`] the difference
//! between two states.

mod cache;
mod changes;
mod commits;
mod derive;
mod object;
mod renames;
mod rows;
mod trees;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub use cache::CommitCache;
pub use changes::HistoryChanges;
pub use commits::commits;
pub use derive::{HALF_LIFE, MOST_FILES, T0, derive};
pub use rows::{AuthoredRow, CoChangeRow, CommitRow, HistoryRows, PersonRow, TouchedRow};

/// Changes whenever the same objects may give other facts or rows.
pub(crate) const HISTORY_VERSION: u32 = 2;

/// A history that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// git's data cannot be opened.
    #[error(transparent)]
    Repo(#[from] crate::repo::RepoError),
    /// An object that has to be there is missing or damaged.
    #[error("git history of {path}: {source}; `git -C {path} fsck` may say more")]
    Object {
        /// The root.
        path: PathBuf,
        /// libgit2's message.
        source: git2::Error,
    },
}

/// A git object's id.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CommitHash(pub [u8; 20]);

impl std::fmt::Display for CommitHash {
    /// 40 lower-case hex digits.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::fmt::Debug for CommitHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// Index into [`History::paths`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PathNo(pub u32);

/// What a commit did to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// It was not there before.
    Add,
    /// Content or mode changed.
    Modify,
    /// It is no longer there.
    Delete,
    /// It had another name before, and the same or similar content.
    Rename {
        /// That name.
        from: PathNo,
    },
}

/// A file that a commit touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touch {
    /// The file's name in the commit (before it, for a deletion).
    pub path: PathNo,
    /// What happened.
    pub change: Change,
}

/// The facts of one commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// Its hash.
    pub hash: CommitHash,
    /// Its parents' hashes, as the commit says, present or not.
    pub parents: Vec<CommitHash>,
    /// Committer's time, seconds since the Unix epoch.
    pub at: i64,
    /// Index into [`History::identities`].
    pub author: u32,
    /// First paragraph of the message, on one line, clipped.
    pub subject: String,
    /// The rest of the message, clipped.
    pub body: String,
    /// Files that differ from the first parent, in git's order. A merge touches nothing: what it brings in is
    /// its other ancestors' work. Nor does a commit whose parent is cut off, or one that is too large.
    pub touched: Vec<Touch>,
    /// The parent (or a tree) is not in this clone, so nothing is known of what it touched.
    pub cut_off: bool,
    /// It touches more files than are looked at, so nothing is known of them.
    pub too_large: bool,
}

impl Commit {
    /// Whether it has more than one parent.
    pub fn is_merge(&self) -> bool {
        self.parents.len() > 1
    }
}

/// A name and an email address.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Identity {
    /// Name; may be empty.
    pub name: String,
    /// Email address; may be empty.
    pub email: String,
}

/// The newest commits reachable from HEAD.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// HEAD's commit; `None` without git or before the first commit.
    pub head: Option<CommitHash>,
    /// How many commits were asked for.
    pub depth: u64,
    /// Children before parents, else newer first, else by hash.
    pub commits: Vec<Commit>,
    /// Repository paths (see [`crate::repo::path`]) that the commits name, in order of first use; then perhaps
    /// others. `identities` likewise.
    pub paths: Vec<String>,
    /// Authors as the commits name them.
    pub identities: Vec<Identity>,
    /// For each of `identities`, who that is by `.mailmap`.
    pub people: Vec<Identity>,
    /// Where a shallow clone ends, sorted.
    shallow: Vec<CommitHash>,
    /// Facts of commits that are not reachable now: the way back to another branch is short.
    spare: Vec<Commit>,
}

impl History {
    /// Two histories with the same fingerprint give the same rows for the same files.
    pub fn fingerprint(&self) -> u64 {
        // Numbers are given in order of use, so those of the spare commits come after.
        let authors = self.commits.iter().map(|c| c.author as usize + 1).max().unwrap_or(0);
        let people = self.people.get(..authors).unwrap_or_default();
        let key = (HISTORY_VERSION, self.head, self.depth, &self.shallow, people, self.commits.len() as u64);
        let bytes = postcard::to_stdvec(&key).unwrap_or_default();
        xxhash_rust::xxh3::xxh3_64(&bytes)
    }

    /// Sentences on what it leaves out, for the user.
    pub fn notes(&self) -> Vec<String> {
        let large = self.commits.iter().filter(|c| c.too_large).map(|c| c.hash.to_string());
        large.map(|h| format!("commit {} changes too many files to look at: none of them is told", &h[..10])).collect()
    }

    /// The path's text.
    pub fn path(&self, path: PathNo) -> &str {
        self.paths.get(path.0 as usize).map_or("", String::as_str)
    }
}
