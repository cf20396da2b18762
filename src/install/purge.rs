//! Taking a repository's graph away, with what agents left in it.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::store::memory::Memory;
use crate::store::{Layout, Store, StoreError};

/// What would be lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holds {
    /// Rows of agents' memory by table.
    pub rows: BTreeMap<String, usize>,
    /// Why the graph could not be asked; the second copy was counted then.
    pub unread: Option<String>,
}

impl Holds {
    /// Rows of a table.
    pub fn count(&self, table: &str) -> usize {
        self.rows.get(table).copied().unwrap_or(0)
    }
}

/// How long a program that holds the graph is waited for.
const WAIT: Duration = Duration::from_secs(3);

/// Counts what agents left.
pub fn holds(store: &Store) -> Holds {
    let (memory, unread) = match store.read(WAIT, Memory::export) {
        Ok(memory) => (memory, None),
        Err(StoreError::NoGraph { .. }) => (Memory::load(store.layout()).unwrap_or_default(), None),
        Err(error) => (Memory::load(store.layout()).unwrap_or_default(), Some(error.to_string())),
    };
    let mut rows: BTreeMap<String, usize> = BTreeMap::new();
    for line in memory.lines() {
        if let Some((table, _)) = line.split_once('\t') {
            *rows.entry(table.to_owned()).or_default() += 1;
        }
    }
    Holds { rows, unread }
}

/// Removes the folder. The layout was accepted before: it is a folder of this user's, no link, and not git's.
///
/// # Errors
/// The file system says no, or somebody is at work on the graph.
pub fn purge(layout: &Layout) -> Result<(), StoreError> {
    use crate::store::{Gate, GateMode};
    let _gate = Gate::enter(layout, GateMode::Exclusive, std::time::Instant::now() + WAIT)?;
    std::fs::remove_dir_all(layout.dir()).map_err(|e| StoreError::io("remove", layout.dir(), e))
}
