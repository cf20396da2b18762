//! What can stop an index run.

use crate::config::ConfigError;
use crate::history::HistoryError;
use crate::repo::RepoError;
use crate::scan::ScanError;
use crate::search::SearchError;
use crate::store::StoreError;

/// An index run that did not finish. The graph is as it was before.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The folder is not usable as a repository.
    #[error(transparent)]
    Repo(#[from] RepoError),
    /// `portolan.toml` is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The work tree cannot be listed.
    #[error(transparent)]
    Scan(#[from] ScanError),
    /// An index in the SCIP format cannot be used.
    #[error(transparent)]
    Scip(#[from] crate::scip::ScipError),
    /// git's history cannot be read.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// The graph cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The search index cannot be written.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A cached entry is damaged; the run is begun again without the cache.
    #[error("the cached facts of {path} are damaged; remove .portolan/cache and index again")]
    Cache {
        /// The file they are of.
        path: String,
    },
    /// A cache file cannot be written.
    #[error("cannot write {path}: {source}; check permissions and free space of .portolan")]
    Write {
        /// Which.
        path: String,
        /// Why not.
        source: std::io::Error,
    },
    /// Another indexer kept the lock until the deadline.
    #[error("another indexer ({owner}) is at work and did not finish within {waited} s; run it again later")]
    Busy {
        /// Its process.
        owner: String,
        /// Seconds.
        waited: u64,
    },
    /// The tree or the graph changed under the run again and again.
    #[error("the graph changed under each of {tries} tries to update it; run `portolan index` again")]
    Unsettled {
        /// How often it was tried.
        tries: u32,
    },
}

impl IndexError {
    /// Whether somebody else was in the way; later it may work.
    pub fn is_busy(&self) -> bool {
        use StoreError::{GateBusy, Held, LockLost};
        matches!(
            self,
            IndexError::Busy { .. }
                | IndexError::Unsettled { .. }
                | IndexError::Store(GateBusy { .. } | Held { .. } | LockLost { .. })
        )
    }

    pub(super) fn cache(path: &str) -> IndexError {
        IndexError::Cache { path: path.to_owned() }
    }

    pub(super) fn write(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> IndexError {
        let path = path.display().to_string();
        move |source| match StoreError::io("write", &path, source) {
            StoreError::Io { source, .. } => IndexError::Write { path, source },
            sorted => IndexError::Store(sorted),
        }
    }
}
