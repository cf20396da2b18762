//! What lies in `.portolan`, by names and sizes alone.

use std::fs;
use std::path::{Path, PathBuf};

use super::layout::wal_of;
use super::swap::{Leftover, leftovers};
use super::{Layout, Result, StoreError};

/// Files and sizes, in bytes; 0 for what is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// The graph's file.
    pub graph: u64,
    /// Its log, which each opener replays.
    pub wal: u64,
    /// The caches.
    pub cache: u64,
    /// Events that are not in the graph yet.
    pub journal: u64,
    /// Builds whose owners are dead; the next index adopts or removes them.
    pub leftovers: Vec<Leftover>,
    /// Damaged graphs and stray logs that were kept, sorted.
    pub aside: Vec<PathBuf>,
}

/// Looks at the folder; all empty when there is none.
///
/// # Errors
/// The folder cannot be listed.
pub fn survey(layout: &Layout) -> Result<Survey> {
    let dir = layout.dir();
    if fs::symlink_metadata(dir).is_err() {
        return Ok(Survey::default());
    }
    let mut aside: Vec<PathBuf> = fs::read_dir(dir)
        .map_err(|e| StoreError::io("list", dir, e))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().contains(".aside-")))
        .collect();
    aside.sort();
    let graph = layout.graph();
    let size = |path: &Path| fs::metadata(path).map_or(0, |m| m.len());
    Ok(Survey {
        graph: size(&graph),
        wal: size(&wal_of(&graph)),
        cache: below(&layout.cache()),
        journal: below(&layout.journal()),
        leftovers: leftovers(layout)?,
        aside,
    })
}

/// Bytes of the files directly in a folder.
fn below(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries.filter_map(|entry| entry.ok()?.metadata().ok()).filter(fs::Metadata::is_file).map(|m| m.len()).sum()
}
