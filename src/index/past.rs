//! History's rows as the store takes them.

use rustc_hash::FxHashSet;

use crate::history::{self, HistoryRows};
use crate::store::StoreError;
use crate::store::diff::HistoryChanges;
use crate::store::load::Bulk;

/// Adds all rows to a first load.
pub fn load(bulk: &mut Bulk, rows: &HistoryRows) -> Result<(), StoreError> {
    rows.commits.iter().try_for_each(|row| bulk.commit(row))?;
    rows.people.iter().try_for_each(|row| bulk.person(row))?;
    rows.authored.iter().try_for_each(|row| bulk.authored(&row.person, &row.commit))?;
    rows.touched.iter().try_for_each(|row| bulk.touched(row))?;
    rows.co_changes.iter().try_for_each(|row| bulk.co_change(row))
}

/// The difference as the store writes it.
pub fn changes(of: &history::HistoryChanges<'_>) -> HistoryChanges {
    let commits: FxHashSet<&str> = of.commits_removed.iter().map(|c| &*c.hash).collect();
    let people: FxHashSet<&str> = of.people_removed.iter().map(|p| &*p.id).collect();
    let gone = |commit: &str| commits.contains(commit);
    // A row whose key stays and whose value changes is taken out and put in again.
    let touched_gone = of.touched_removed.iter().chain(&of.touched_changed).filter(|t| !gone(&t.commit));
    HistoryChanges {
        authored_gone: of
            .authored_removed
            .iter()
            .filter(|a| !gone(&a.commit) && !people.contains(&*a.person))
            .map(|a| (a.person.to_string(), a.commit.to_string()))
            .collect(),
        commits_gone: of.commits_removed.iter().map(|c| c.hash.to_string()).collect(),
        persons_gone: of.people_removed.iter().map(|p| p.id.to_string()).collect(),
        co_changes_gone: of.co_changes_removed.iter().map(|c| (c.a.to_string(), c.b.to_string())).collect(),
        touched_gone: touched_gone.map(|t| (t.commit.to_string(), t.path.to_string())).collect(),
        commits_new: of.commits_added.iter().copied().cloned().collect(),
        persons: of.people_added.iter().chain(&of.people_changed).copied().cloned().collect(),
        authored_new: of.authored_added.iter().map(|a| (a.person.to_string(), a.commit.to_string())).collect(),
        touched_new: of.touched_added.iter().chain(&of.touched_changed).copied().cloned().collect(),
        co_changes_new: of.co_changes_added.iter().copied().cloned().collect(),
        co_changes: of.co_changes_changed.iter().copied().cloned().collect(),
    }
}
