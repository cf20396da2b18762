//! Who indexes: one row of IndexLock, taken by one MERGE.
//!
//! A dead owner, or one silent for too long, is taken over, which raises the epoch. Every transaction of an
//! indexer, and the swap of a new file, checks the epoch or aborts: an owner that wakes up late writes nothing.

use super::owner::Owner;
use super::statements::{named, single};
use super::value::{RowExt, int, text};
use super::{Graph, Result, StoreError};

const TAKE: &str = include_str!("../../queries/index_lock.cypher");
const OTHERS: &str = include_str!("../../queries/store/index_lock.cypher");

/// An owner that gave no sign for so long is taken over, in milliseconds.
pub const SILENT_MS: i64 = 60_000;

/// A taken index lock. It is a claim in the graph, not a guard: call [`IndexLock::release`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexLock {
    owner: String,
    epoch: i64,
}

/// What the lock says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockState {
    /// The owner, as [`Owner`] writes itself; empty when free.
    pub owner: String,
    /// Raised at each takeover.
    pub epoch: i64,
    /// When the owner gave its last sign, on the clock of [`super::owner::boot_clock_ms`].
    pub at: i64,
}

impl LockState {
    /// Whether nobody holds it, or only somebody who is dead, silent at `now`, or of an earlier boot.
    pub fn is_free(&self, now: i64) -> bool {
        self.owner.is_empty()
            || self.at < now - SILENT_MS
            // The clock starts anew with each boot: so late a sign is one of an earlier boot.
            || self.at > now + SILENT_MS
            || Owner::parse(&self.owner).is_none_or(|owner| owner.is_dead())
    }
}

/// What the graph says of its lock; free with epoch 0 when it never was taken.
pub fn state(graph: &Graph) -> Result<LockState> {
    let rows = graph.run(named(OTHERS, "state"), vec![])?;
    match rows.rows.first() {
        Some(row) => Ok(LockState { owner: row.str(0)?.to_owned(), epoch: row.int(1)?, at: row.int(2)? }),
        None => Ok(LockState { owner: String::new(), epoch: 0, at: 0 }),
    }
}

/// Takes the lock for `owner` at `now` (milliseconds of the boot clock), or says who has it.
///
/// # Errors
/// What the engine says. A lock of another owner is no error: it is the `Err` inside.
pub fn take(graph: &Graph, owner: &Owner, now: i64) -> Result<std::result::Result<IndexLock, LockState>> {
    let seen = state(graph)?;
    // The statement compares again, so a lock that changed hands since is not taken away by mistake.
    let dead = if seen.is_free(now) { seen.owner } else { String::new() };
    let me = owner.to_string();
    let rows = graph.run(
        single(TAKE),
        vec![("me", text(&*me)), ("now", int(now)), ("stale", int(now - SILENT_MS)), ("dead", text(dead))],
    )?;
    let Some(row) = rows.rows.first() else {
        return Err(StoreError::Query { message: "the index lock's statement returned no row".into() });
    };
    let found = LockState { owner: row.str(1)?.to_owned(), epoch: row.int(2)?, at: row.int(3)? };
    Ok(if row.bool(0)? { Ok(IndexLock { owner: me, epoch: found.epoch }) } else { Err(found) })
}

impl IndexLock {
    /// Its owner, as written in the graph.
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Its epoch.
    pub fn epoch(&self) -> i64 {
        self.epoch
    }

    /// First statement of each of the indexer's transactions: it is still the owner. Gives a sign of life as well.
    ///
    /// # Errors
    /// [`StoreError::LockLost`].
    pub fn check(&self, graph: &Graph, now: i64) -> Result<()> {
        let rows = graph.run(named(OTHERS, "beat"), self.params(now))?;
        if rows.is_empty() {
            return Err(StoreError::LockLost { ours: self.epoch, found: state(graph)?.epoch });
        }
        Ok(())
    }

    /// Puts this lock into a graph that was built beside, so that it is held after the swap as before.
    pub fn carry_over(&self, new: &Graph, now: i64) -> Result<()> {
        new.run(named(OTHERS, "carry"), self.params(now)).map(drop)
    }

    /// Gives the lock back; nothing happens when another owner has it by now.
    pub fn release(self, graph: &Graph, now: i64) -> Result<()> {
        graph.run(named(OTHERS, "release"), self.params(now)).map(drop)
    }

    fn params(&self, now: i64) -> super::Params<'static> {
        vec![("me", text(&*self.owner)), ("epoch", int(self.epoch)), ("now", int(now))]
    }
}
