//! Rows of the graph that history gives. Plain data; text that many rows share is shared.

use std::sync::Arc;

/// A Commit node.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommitRow {
    /// Hash, 40 hex digits: the key.
    pub hash: Arc<str>,
    /// Committer's time, seconds since the Unix epoch.
    pub at: i64,
    /// First paragraph of the message, one line, at most 300 bytes.
    pub subject: String,
    /// The rest, at most 2,000 bytes.
    pub body: String,
    /// Whether it has more than one parent.
    pub is_merge: bool,
}

/// A Person node.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PersonRow {
    /// The key: the email address in lower case (after `.mailmap`); without one, `name:` and the name.
    pub id: Arc<str>,
    /// The name on the newest commit.
    pub name: String,
    /// The address as written on the newest commit.
    pub email: String,
}

/// An AUTHORED relationship.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AuthoredRow {
    /// Key of the person.
    pub person: Arc<str>,
    /// Hash of the commit.
    pub commit: Arc<str>,
}

/// A TOUCHED relationship.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TouchedRow {
    /// Hash of the commit.
    pub commit: Arc<str>,
    /// The file by today's path.
    pub path: Arc<str>,
    /// `add`, `modify`, `delete` or `rename`.
    pub change: &'static str,
}

/// A CO_CHANGES relationship, from the smaller path to the greater.
#[derive(Clone, Debug, Default, PartialEq, PartialOrd)]
pub struct CoChangeRow {
    /// The smaller path.
    pub a: Arc<str>,
    /// The greater path.
    pub b: Arc<str>,
    /// Number of commits that touched both.
    pub count: u32,
    /// Their sum of `2^((t - T0) / HALF_LIFE)`; see [`derive`](super::derive()).
    pub weight: f64,
}

/// All rows of one state; each list sorted by its key, without doubles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryRows {
    /// By hash.
    pub commits: Vec<CommitRow>,
    /// By id.
    pub people: Vec<PersonRow>,
    /// By person, then commit.
    pub authored: Vec<AuthoredRow>,
    /// By commit, then path.
    pub touched: Vec<TouchedRow>,
    /// By `a`, then `b`.
    pub co_changes: Vec<CoChangeRow>,
}
