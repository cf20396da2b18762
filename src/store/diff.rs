//! What must change in the graph for a file's rows to become what they should be. Pure.

use std::cmp::Ordering;

use super::rows::{
    CoChangeRow, CommitRow, EdgeKey, EdgeKind, EdgeRow, FileRow, FileState, PersonRow, SymbolRow, TouchedRow,
};

/// A number of a file's rows that moves by the same distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moved {
    /// First lines of symbols.
    Start,
    /// Last lines of symbols.
    End,
    /// Lines of CALLS or REFERENCES.
    Lines(EdgeKind),
}

/// One statement that moves many rows: all of the file's whose lines lie within `lo..=hi`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The file.
    pub path: String,
    /// What moves.
    pub what: Moved,
    /// Lowest line, before the move.
    pub lo: u32,
    /// Highest line, before the move.
    pub hi: u32,
    /// How far.
    pub by: i64,
}

/// Everything that one transaction writes, in the order of [`super::change::apply`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Moves of lines; they come first, on the rows as they are.
    pub shifts: Vec<Shift>,
    /// Files that are new, changed or back.
    pub files: Vec<FileRow>,
    /// Paths that left the tree.
    pub files_gone: Vec<String>,
    /// Symbols that are new or back: (path, row).
    pub symbols_new: Vec<(String, SymbolRow)>,
    /// Symbols of which more than lines changed: (path, row).
    pub symbols_changed: Vec<(String, SymbolRow)>,
    /// Symbols of which only lines changed, and no shift moves them: (id, first, last).
    pub symbols_moved: Vec<(String, u32, u32)>,
    /// Symbols of which only the rank changed.
    pub ranks: Vec<(String, f64)>,
    /// Symbols that left the tree.
    pub symbols_gone: Vec<String>,
    /// Relationships to make.
    pub edges_new: Vec<EdgeRow>,
    /// Relationships of which the lines changed, and no shift moves them.
    pub edges_moved: Vec<EdgeRow>,
    /// Relationships to remove.
    pub edges_gone: Vec<EdgeKey>,
    /// IMPORTS to make.
    pub imports_new: Vec<(String, String)>,
    /// IMPORTS to remove.
    pub imports_gone: Vec<(String, String)>,
    /// History.
    pub history: HistoryChanges,
    /// Values of Meta to set.
    pub meta: Vec<(String, String)>,
}

/// Changes of history rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryChanges {
    /// Commits that left the history; AUTHORED and TOUCHED go with them.
    pub commits_gone: Vec<String>,
    /// (person, commit) of commits and people that stay: a mailmap changed.
    pub authored_gone: Vec<(String, String)>,
    /// People without a commit left.
    pub persons_gone: Vec<String>,
    /// Pairs that no longer change together.
    pub co_changes_gone: Vec<(String, String)>,
    /// TOUCHED rows of commits that stay.
    pub touched_gone: Vec<(String, String)>,
    /// Commits that came in.
    pub commits_new: Vec<CommitRow>,
    /// New or renamed people.
    pub persons: Vec<PersonRow>,
    /// (person, commit) of new commits.
    pub authored_new: Vec<(String, String)>,
    /// Files that new commits touched.
    pub touched_new: Vec<TouchedRow>,
    /// New pairs.
    pub co_changes_new: Vec<CoChangeRow>,
    /// Pairs with another count or weight.
    pub co_changes: Vec<CoChangeRow>,
}

impl HistoryChanges {
    /// Number of rows that change.
    pub fn len(&self) -> usize {
        self.commits_gone.len()
            + self.authored_gone.len()
            + self.persons_gone.len()
            + self.co_changes_gone.len()
            + self.touched_gone.len()
            + self.commits_new.len()
            + self.persons.len()
            + self.authored_new.len()
            + self.touched_new.len()
            + self.co_changes_new.len()
            + self.co_changes.len()
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Changes {
    /// Number of statements that it takes, about: what decides between changes and a full build.
    pub fn len(&self) -> usize {
        self.shifts.len()
            + self.files.len()
            + self.files_gone.len()
            + 2 * self.symbols_new.len()
            + self.symbols_changed.len()
            + self.symbols_moved.len()
            + self.ranks.len()
            + self.symbols_gone.len()
            + self.edges_new.len()
            + self.edges_moved.len()
            + self.edges_gone.len()
            + self.imports_new.len()
            + self.imports_gone.len()
            + self.history.len()
            + self.meta.len()
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds what makes `old` (what the graph holds; `None` when it has no such file in the tree) into `new`. Both are
    /// [normalised](FileState::normalise).
    pub fn file(&mut self, old: Option<&FileState>, new: &FileState) {
        let path = &new.file.path;
        if old.is_none_or(|old| old.file != new.file) {
            self.files.push(new.file.clone());
        }
        let nothing = FileState::default();
        let old = old.unwrap_or(&nothing);
        self.symbols(path, &old.symbols, &new.symbols);
        self.edges(path, &old.edges, &new.edges);
        let pair = |to: &String| (path.clone(), to.clone());
        merge(&old.imports, &new.imports, String::cmp, |gone, come| match (gone, come) {
            (Some(to), None) => self.imports_gone.push(pair(to)),
            (None, Some(to)) => self.imports_new.push(pair(to)),
            _ => {}
        });
    }

    /// Adds the end of a file that the graph holds.
    pub fn file_gone(&mut self, old: &FileState) {
        self.files_gone.push(old.file.path.clone());
        self.symbols_gone.extend(old.symbols.iter().map(|s| s.id.clone()));
    }

    fn symbols(&mut self, path: &str, old: &[SymbolRow], new: &[SymbolRow]) {
        let mut both = Vec::new();
        merge(
            old,
            new,
            |a, b| a.id.cmp(&b.id),
            |gone, come| match (gone, come) {
                (Some(old), None) => self.symbols_gone.push(old.id.clone()),
                (None, Some(new)) => self.symbols_new.push((path.to_owned(), new.clone())),
                (Some(old), Some(new)) => both.push((old, new)),
                (None, None) => {}
            },
        );
        let starts: Vec<Item> = both.iter().map(|(old, new)| Item::of(&[old.start_line], &[new.start_line])).collect();
        let ends: Vec<Item> = both.iter().map(|(old, new)| Item::of(&[old.end_line], &[new.end_line])).collect();
        let (start_done, end_done) = (self.shift(path, Moved::Start, &starts), self.shift(path, Moved::End, &ends));
        for (i, (old, new)) in both.into_iter().enumerate() {
            let like = SymbolRow { start_line: new.start_line, end_line: new.end_line, ..old.clone() };
            if like != *new {
                if (SymbolRow { rank: new.rank, ..like }) != *new {
                    self.symbols_changed.push((path.to_owned(), new.clone()));
                    continue;
                }
                self.ranks.push((new.id.clone(), new.rank));
            }
            if !start_done[i] || !end_done[i] {
                self.symbols_moved.push((new.id.clone(), new.start_line, new.end_line));
            }
        }
    }

    fn edges(&mut self, path: &str, old: &[EdgeRow], new: &[EdgeRow]) {
        let mut both: [Vec<(&EdgeRow, &EdgeRow)>; 2] = Default::default();
        merge(
            old,
            new,
            |a, b| a.key.cmp(&b.key),
            |gone, come| match (gone, come) {
                (Some(old), None) => self.edges_gone.push(old.key.clone()),
                (None, Some(new)) => self.edges_new.push(new.clone()),
                (Some(old), Some(new)) => match new.key.kind {
                    EdgeKind::Calls => both[0].push((old, new)),
                    EdgeKind::References => both[1].push((old, new)),
                    EdgeKind::Contains | EdgeKind::Inherits | EdgeKind::Tests => {}
                },
                (None, None) => {}
            },
        );
        for (kind, pairs) in [EdgeKind::Calls, EdgeKind::References].into_iter().zip(both) {
            let items: Vec<Item> = pairs.iter().map(|(old, new)| Item::of(&old.lines, &new.lines)).collect();
            let done = self.shift(path, Moved::Lines(kind), &items);
            self.edges_moved
                .extend(pairs.into_iter().zip(done).filter(|(_, done)| !done).map(|((_, new), _)| new.clone()));
        }
    }

    /// Plans shifts, and says of each item whether it ends up where it should.
    fn shift(&mut self, path: &str, what: Moved, items: &[Item]) -> Vec<bool> {
        let ranges = plan(items);
        let done = items.iter().map(|item| item.after(&ranges) == item.wanted).collect();
        self.shifts.extend(ranges.into_iter().map(|(lo, hi, by)| Shift { path: path.to_owned(), what, lo, hi, by }));
        done
    }
}

/// Fewer rows than this are moved one by one.
const WORTH_A_SHIFT: usize = 6;

/// A row's lines: the lowest, the highest, and the distance that all of them must move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Item {
    lo: u32,
    hi: u32,
    /// `None` when they move by different distances.
    wanted: Option<i64>,
}

impl Item {
    fn of(old: &[u32], new: &[u32]) -> Item {
        let by = |(a, b): (&u32, &u32)| i64::from(*b) - i64::from(*a);
        let mut distances = old.iter().zip(new).map(by);
        let first = distances.next().unwrap_or(0);
        let same = old.len() == new.len() && distances.all(|d| d == first);
        Item {
            lo: old.first().copied().unwrap_or(0),
            hi: old.last().copied().unwrap_or(0),
            wanted: same.then_some(first),
        }
    }

    /// How far it has moved after all ranges, in order.
    fn after(&self, ranges: &[(u32, u32, i64)]) -> Option<i64> {
        let mut moved = 0;
        for &(lo, hi, by) in ranges {
            if i64::from(self.lo) + moved >= lo.into() && i64::from(self.hi) + moved <= hi.into() {
                moved += by;
            }
        }
        Some(moved)
    }
}

/// Ranges (lowest, highest, distance) that move most items where they belong. Downward moves run from the last range
/// to the first and upward ones the other way, so that rows moved seldom land in a range still to come; what lands
/// wrong all the same is seen by [`Item::after`] and set by itself.
fn plan(items: &[Item]) -> Vec<(u32, u32, i64)> {
    let mut sorted: Vec<Item> = items.to_vec();
    sorted.sort_by_key(|item| (item.lo, item.hi));
    let mut ranges: Vec<(u32, u32, i64)> = Vec::new();
    for group in sorted.chunk_by(|a, b| a.wanted == b.wanted) {
        let Some(by) = group[0].wanted.filter(|by| *by != 0) else { continue };
        if group.len() < WORTH_A_SHIFT {
            continue;
        }
        let hi = group.iter().map(|item| item.hi).max().unwrap_or(0);
        ranges.push((group[0].lo, hi, by));
    }
    ranges.sort_by_key(|&(lo, _, by)| if by > 0 { (0, -i64::from(lo)) } else { (1, i64::from(lo)) });
    ranges
}

/// Walks two sorted lists together.
fn merge<'a, T>(
    old: &'a [T],
    new: &'a [T],
    order: impl Fn(&T, &T) -> Ordering,
    mut meet: impl FnMut(Option<&'a T>, Option<&'a T>),
) {
    let (mut a, mut b) = (old.iter().peekable(), new.iter().peekable());
    loop {
        match (a.peek(), b.peek()) {
            (None, None) => return,
            (Some(_), None) => meet(a.next(), None),
            (None, Some(_)) => meet(None, b.next()),
            (Some(x), Some(y)) => match order(x, y) {
                Ordering::Less => meet(a.next(), None),
                Ordering::Greater => meet(None, b.next()),
                Ordering::Equal => meet(a.next(), b.next()),
            },
        }
    }
}
