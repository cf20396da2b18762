//! What the last index run saw: read by the next run and by every question to know at once
//! whether anything changed, without reading the graph's tables.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cache::{read_sealed, write_sealed};

const MAGIC: &[u8; 8] = b"PTLMANI3";

/// One file as it was indexed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexedFile {
    /// Path within the repository.
    pub path: String,
    /// Content hash.
    pub hash: [u8; 32],
    /// Its language or type word.
    pub language: String,
    /// Whether it holds tests.
    pub is_test: bool,
    /// Whether it was parsed: `portolan.toml` may leave its language out.
    pub parsed: bool,
}

/// Everything that decides whether the graph is up to date, and the counts that `status` shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The graph's generation that this describes: `Meta.generation`.
    pub generation: String,
    /// Versions of the extractor, the resolver, the schema and the caches; another build of Portolan that
    /// extracts otherwise must not trust this.
    pub versions: String,
    /// Fingerprint of the commits that history was made of; `None` without git or before the first commit.
    pub history: Option<String>,
    /// HEAD's commit, `None` when unborn or without git.
    pub head: Option<String>,
    /// Files in the graph, sorted by path.
    pub files: Vec<IndexedFile>,
    /// Files that are not, with the reason, sorted by path.
    pub skipped: Vec<(String, String)>,
    /// Sentences on what else is not in the graph.
    pub notes: Vec<String>,
    /// Seconds since the Unix epoch at which the run ended.
    pub at: i64,
}

impl Manifest {
    /// Reads it; `None` when missing, damaged or of another format.
    pub fn read(path: &Path) -> Option<Manifest> {
        read_sealed(path, MAGIC, "")
    }

    /// Writes it atomically.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        write_sealed(path, MAGIC, "", self)
    }
}
