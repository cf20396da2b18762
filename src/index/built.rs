//! How large the graph's file was when it was new. The engine's file never shrinks, and each checkpoint writes changed
//! pages to its end, so after many edits a new file is built beside and swapped in.

use std::fs;
use std::path::Path;

use crate::cache::{read_sealed, write_sealed};
use crate::repo::Repo;
use crate::store::Layout;
use crate::store::layout::wal_of;

/// The cache file that keeps the size.
pub(super) const BUILT: &str = "built";
const MAGIC: &[u8; 8] = b"PTLBUIL1";
/// The file is built anew when it has grown beyond so many percent of its size when new ...
const PERCENT: u64 = 140;
/// ... and by so many bytes.
const AT_LEAST: u64 = 8 << 20;

/// Remembers the size of a file that was just built and put in place.
pub(super) fn note_size(repo: &Repo) {
    let (size, _) = sizes(repo);
    if let Err(error) = write_sealed(&repo.cache_file(BUILT), MAGIC, "", &size) {
        tracing::warn!(%error, "the graph's size when new is not remembered");
    }
}

/// Whether the graph is so much larger than when it was new that building it anew is due.
pub(super) fn is_bloated(repo: &Repo) -> bool {
    let Some(new) = read_sealed::<u64>(&repo.cache_file(BUILT), MAGIC, "") else {
        // A graph of unknown past is measured from here.
        note_size(repo);
        return false;
    };
    let (file, log) = sizes(repo);
    let bloated = is_bloat(new, file + log);
    if bloated {
        tracing::debug!(new, file, log, "the graph has grown: it is built anew");
    }
    bloated
}

fn sizes(repo: &Repo) -> (u64, u64) {
    let graph = Layout::at(repo.root()).graph();
    let size = |path: &Path| fs::metadata(path).map_or(0, |m| m.len());
    (size(&graph), size(&wal_of(&graph)))
}

fn is_bloat(new: u64, now: u64) -> bool {
    now > new.saturating_mul(PERCENT) / 100 && now > new + AT_LEAST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_counts_by_share_and_by_size() {
        const MB: u64 = 1 << 20;
        assert!(!is_bloat(30 * MB, 42 * MB));
        assert!(is_bloat(30 * MB, 42 * MB + 1));
        assert!(!is_bloat(MB, 9 * MB), "the first rows of agents' memory alone take megabytes");
        assert!(is_bloat(MB, 9 * MB + 1));
    }
}
