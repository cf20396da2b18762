//! The last history on disk, so that only new commits are read from git.
//!
//! The file: magic, version, checksum of the rest, then the [`History`] as postcard. One that is
//! missing, damaged or of another version is empty.

use std::path::Path;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::{Change, Commit, HISTORY_VERSION, History, PathNo};
use crate::atomic;

const MAGIC: &[u8; 8] = b"PTLNHIST";
const HEADER: usize = 8 + 4 + 8;

/// Cached facts of commits, with the history they were last used in.
#[derive(Clone, Debug, Default)]
pub struct CommitCache {
    last: Option<Arc<History>>,
}

impl CommitCache {
    /// Reads a cache.
    pub fn load(file: &Path) -> CommitCache {
        let last = std::fs::read(file).ok().and_then(|bytes| decode(&bytes)).map(Arc::new);
        CommitCache { last }
    }

    /// The history as it was saved. With the fingerprint that the graph remembers ([`History::fingerprint`])
    /// it is what the graph's rows were made of.
    pub fn last(&self) -> Option<&Arc<History>> {
        self.last.as_ref()
    }

    /// Saves a history, unless it is the one that was loaded. The file (0600) is replaced in one step.
    ///
    /// Returns whether it was written.
    ///
    /// # Errors
    /// The folder does not exist, or the file cannot be written.
    pub fn save(&self, file: &Path, history: &Arc<History>) -> std::io::Result<bool> {
        if self.last.as_ref().is_some_and(|last| Arc::ptr_eq(last, history)) {
            return Ok(false);
        }
        let mut bytes = vec![0; HEADER];
        bytes = postcard::to_extend(history.as_ref(), bytes).map_err(std::io::Error::other)?;
        let checksum = xxh3_64(&bytes[HEADER..]);
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&HISTORY_VERSION.to_le_bytes());
        bytes[12..HEADER].copy_from_slice(&checksum.to_le_bytes());
        atomic::write(file, &bytes)?;
        Ok(true)
    }
}

fn decode(bytes: &[u8]) -> Option<History> {
    let (header, body) = bytes.split_at_checked(HEADER)?;
    let whole = header.starts_with(MAGIC)
        && header[8..12] == HISTORY_VERSION.to_le_bytes()
        && header[12..] == xxh3_64(body).to_le_bytes();
    let history: History = whole.then(|| postcard::from_bytes(body).ok())??;
    // What is read is indexed without looking again.
    let path = |path: PathNo| (path.0 as usize) < history.paths.len();
    let sound = |commit: &Commit| {
        (commit.author as usize) < history.identities.len()
            && commit.touched.iter().all(|touch| {
                path(touch.path)
                    && match touch.change {
                        Change::Rename { from } => path(from),
                        _ => true,
                    }
            })
    };
    let sound =
        history.people.len() == history.identities.len() && history.commits.iter().chain(&history.spare).all(sound);
    sound.then_some(history)
}
