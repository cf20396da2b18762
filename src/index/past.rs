//! History's rows as the store takes them.

use crate::history::{self, HistoryRows};
use crate::store::StoreError;
use crate::store::diff::HistoryChanges;
use crate::store::load::Bulk;
use crate::store::rows::{CoChangeRow, CommitRow, PersonRow, TouchedRow};

fn commit(row: &history::CommitRow) -> CommitRow {
    CommitRow {
        hash: row.hash.to_string(),
        at: row.at,
        subject: row.subject.clone(),
        body: row.body.clone(),
        is_merge: row.is_merge,
    }
}

fn person(row: &history::PersonRow) -> PersonRow {
    PersonRow { id: row.id.to_string(), name: row.name.clone(), email: row.email.clone() }
}

fn touched(row: &history::TouchedRow) -> TouchedRow {
    TouchedRow { commit: row.commit.to_string(), path: row.path.to_string(), change: row.change.to_owned() }
}

fn co_change(row: &history::CoChangeRow) -> CoChangeRow {
    CoChangeRow { a: row.a.to_string(), b: row.b.to_string(), count: row.count as u32, weight: row.weight }
}

/// Adds all rows to a first load.
pub fn load(bulk: &mut Bulk, rows: &HistoryRows) -> Result<(), StoreError> {
    rows.commits.iter().try_for_each(|row| bulk.commit(&commit(row)))?;
    rows.people.iter().try_for_each(|row| bulk.person(&person(row)))?;
    rows.authored.iter().try_for_each(|row| bulk.authored(&row.person, &row.commit))?;
    rows.touched.iter().try_for_each(|row| bulk.touched(&touched(row)))?;
    rows.co_changes.iter().try_for_each(|row| bulk.co_change(&co_change(row)))
}

/// The difference as the store writes it.
pub fn changes(of: &history::HistoryChanges<'_>) -> HistoryChanges {
    let gone = |commit: &str| of.commits_removed.iter().any(|c| &*c.hash == commit);
    // A row whose key stays and whose value changes is taken out and put in again.
    let touched_gone = of.touched_removed.iter().chain(&of.touched_changed).filter(|t| !gone(&t.commit));
    HistoryChanges {
        authored_gone: of
            .authored_removed
            .iter()
            .filter(|a| !gone(&a.commit) && !of.people_removed.iter().any(|p| p.id == a.person))
            .map(|a| (a.person.to_string(), a.commit.to_string()))
            .collect(),
        commits_gone: of.commits_removed.iter().map(|c| c.hash.to_string()).collect(),
        persons_gone: of.people_removed.iter().map(|p| p.id.to_string()).collect(),
        co_changes_gone: of.co_changes_removed.iter().map(|c| (c.a.to_string(), c.b.to_string())).collect(),
        touched_gone: touched_gone.map(|t| (t.commit.to_string(), t.path.to_string())).collect(),
        commits_new: of.commits_added.iter().map(|c| commit(c)).collect(),
        persons: of.people_added.iter().chain(&of.people_changed).map(|p| person(p)).collect(),
        authored_new: of.authored_added.iter().map(|a| (a.person.to_string(), a.commit.to_string())).collect(),
        touched_new: of.touched_added.iter().chain(&of.touched_changed).map(|t| touched(t)).collect(),
        co_changes_new: of.co_changes_added.iter().map(|c| co_change(c)).collect(),
        co_changes: of.co_changes_changed.iter().map(|c| co_change(c)).collect(),
    }
}
