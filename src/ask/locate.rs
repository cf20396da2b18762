//! From a task to places: the search index and the graph together.

use std::time::Duration;

use super::AskError;
use crate::locate::graph_view::StoredGraph;
use crate::locate::{Answer, Limits, Task};
use crate::repo::Repo;
use crate::search::Index;
use crate::store::Store;

/// Places for a task. `wait`: how long to wait for the graph.
///
/// # Errors
/// The search index or the graph cannot be read.
pub fn locate(repo: &Repo, store: &Store, wait: Duration, task: &Task, limits: Limits) -> Result<Answer, AskError> {
    // The graph first: without one, its error says what to do.
    store.read(wait, |graph| {
        let index = Index::open(&repo.cache_file("search"))?;
        Ok(crate::locate::locate(&index, &StoredGraph { graph, symbols: index.unit_count() as usize }, task, limits)?)
    })
}
