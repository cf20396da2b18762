//! Any number of agents in one repository: what they do, who edits what, what they learned.
//!
//! Hooks write to the [`journal`], which needs no graph; whoever has the graph for himself next brings it in
//! ([`mod@drain`]). Claims are decided in the graph ([`mod@claim`]).

mod area;
mod by_hand;
pub mod claim;
pub mod clock;
pub mod drain;
pub mod engine;
mod error;
pub mod hook;
pub mod journal;
mod learn;
pub mod lesson;
pub mod log;
pub mod news;
pub mod owner;
mod place;
pub mod process;
pub mod record;
pub mod redact;
pub mod session;
pub mod state;
mod tally;
pub mod transcript;

use std::path::PathBuf;
use std::time::Duration;

pub use by_hand::{claim_by_hand, learn_by_hand, release_by_hand, wanted};
pub use claim::{Ask, Claim, Outcome, claim, claims, release};
pub use clock::Moment;
pub use error::AgentsError;
pub use owner::Owner;

use crate::store::{Layout, Result, Store};

/// The file's path in a repository, links resolved as far as it exists; `None` for what lies elsewhere.
pub fn within(repo: &crate::repo::Repo, path: &std::path::Path) -> Option<String> {
    place::within(repo, &place::real(path))
}

/// Brings the journal into the graph, if there is a graph and anything waits.
///
/// # Errors
/// What the store says.
pub fn drain_now(store: &Store, wait: Duration) -> Result<usize> {
    let layout = store.layout();
    if journal::Journal::of(layout).is_empty() {
        return Ok(0);
    }
    store.write(wait, |graph| drain::drain(graph, layout, &Moment::now()))
}

fn pause_file(layout: &Layout) -> PathBuf {
    layout.dir().join("paused")
}

/// Hooks do nothing from now on.
///
/// # Errors
/// What the file system says.
pub fn pause(layout: &Layout) -> Result<()> {
    let path = pause_file(layout);
    crate::atomic::write(&path, b"").map_err(|e| crate::store::StoreError::io("write", path, e))
}

/// Hooks work again; false when they did.
///
/// # Errors
/// What the file system says.
pub fn resume(layout: &Layout) -> Result<bool> {
    let path = pause_file(layout);
    match std::fs::remove_file(&path) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(crate::store::StoreError::io("remove", path, e)),
    }
}

/// Whether hooks do nothing: paused here, or `PORTOLAN=off`.
pub fn is_paused(layout: &Layout) -> bool {
    is_off() || std::fs::symlink_metadata(pause_file(layout)).is_ok()
}

/// `PORTOLAN=off`, or `0`, `false`, `no`.
pub fn is_off() -> bool {
    std::env::var("PORTOLAN").is_ok_and(|v| matches!(v.to_ascii_lowercase().as_str(), "off" | "0" | "false" | "no"))
}
