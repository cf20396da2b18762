//! The difference between two states' rows: what to remove from the graph, and what to put in.

use std::cmp::Ordering;

use super::rows::{AuthoredRow, CoChangeRow, CommitRow, HistoryRows, PersonRow, TouchedRow};

/// What turns one state's rows into another's; borrowed from both, each list in key order. A row whose key stays
/// while something else of it changes is in the `changed` list with its new values.
#[derive(Debug, Default, PartialEq)]
pub struct HistoryChanges<'a> {
    /// Commits that are no longer among the newest.
    pub commits_removed: Vec<&'a CommitRow>,
    /// New ones.
    pub commits_added: Vec<&'a CommitRow>,
    /// People without a commit now.
    pub people_removed: Vec<&'a PersonRow>,
    /// New ones.
    pub people_added: Vec<&'a PersonRow>,
    /// Another name or spelling.
    pub people_changed: Vec<&'a PersonRow>,
    /// Gone.
    pub authored_removed: Vec<&'a AuthoredRow>,
    /// New.
    pub authored_added: Vec<&'a AuthoredRow>,
    /// Gone.
    pub touched_removed: Vec<&'a TouchedRow>,
    /// New.
    pub touched_added: Vec<&'a TouchedRow>,
    /// Another kind of change: the file's names are followed differently now.
    pub touched_changed: Vec<&'a TouchedRow>,
    /// Gone.
    pub co_changes_removed: Vec<&'a CoChangeRow>,
    /// New.
    pub co_changes_added: Vec<&'a CoChangeRow>,
    /// Another count or weight.
    pub co_changes_changed: Vec<&'a CoChangeRow>,
}

impl HistoryRows {
    /// What turns these rows into `new`.
    pub fn changes_to<'a>(&'a self, new: &'a HistoryRows) -> HistoryChanges<'a> {
        let mut changes = HistoryChanges::default();
        let mut never = Vec::new();
        compare(
            (&self.commits, &new.commits),
            |a, b| a.hash.cmp(&b.hash),
            (&mut changes.commits_removed, &mut changes.commits_added, &mut never),
        );
        compare(
            (&self.people, &new.people),
            |a, b| a.id.cmp(&b.id),
            (&mut changes.people_removed, &mut changes.people_added, &mut changes.people_changed),
        );
        compare(
            (&self.authored, &new.authored),
            Ord::cmp,
            (&mut changes.authored_removed, &mut changes.authored_added, &mut Vec::new()),
        );
        compare(
            (&self.touched, &new.touched),
            |a, b| a.commit.cmp(&b.commit).then_with(|| a.path.cmp(&b.path)),
            (&mut changes.touched_removed, &mut changes.touched_added, &mut changes.touched_changed),
        );
        compare(
            (&self.co_changes, &new.co_changes),
            |a, b| a.a.cmp(&b.a).then_with(|| a.b.cmp(&b.b)),
            (&mut changes.co_changes_removed, &mut changes.co_changes_added, &mut changes.co_changes_changed),
        );
        debug_assert!(never.is_empty(), "a commit's own facts never change");
        changes
    }
}

impl HistoryChanges<'_> {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        *self == HistoryChanges::default()
    }
}

type Lists<'l, 'a, T> = (&'l mut Vec<&'a T>, &'l mut Vec<&'a T>, &'l mut Vec<&'a T>);

/// Joins two lists sorted by the same key into (removed, added, changed).
fn compare<'a, T: PartialEq>(
    (old, new): (&'a [T], &'a [T]),
    key: impl Fn(&T, &T) -> Ordering,
    (removed, added, changed): Lists<'_, 'a, T>,
) {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (Some(a), Some(b)) => key(a, b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return,
        };
        match order {
            Ordering::Less => removed.extend(old.next()),
            Ordering::Greater => added.extend(new.next()),
            Ordering::Equal => {
                if let (Some(a), Some(b)) = (old.next(), new.next())
                    && a != b
                {
                    changed.push(b);
                }
            }
        }
    }
}
