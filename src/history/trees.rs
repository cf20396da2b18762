//! Differences of two git trees, read raw.
//!
//! libgit2's own diff parses each tree into entries; a folder of a thousand files of which one
//! changed then costs a thousand allocations a commit. Here trees stay the bytes that git stores, equal
//! stretches are skipped by comparing bytes, and subtrees with equal ids are never opened.

use std::cmp::Ordering;
use std::rc::Rc;

use git2::{Odb, Oid};
use rustc_hash::FxHashMap;

/// How many bytes of trees are kept. The parent's trees of one commit are the next one's own.
const KEEP: usize = 48 * 1024 * 1024;

/// A commit that changes more files is not looked into: nested trees that share their subtrees make any number of files
/// of a few objects.
const MOST_CHANGES: usize = 200_000;
/// Nor one in which more entries of trees differ (empty trees count here, and not as files) ...
const MOST_ENTRIES: usize = 2 * MOST_CHANGES;
/// ... or whose changed files have more bytes of path than this.
const MOST_PATH_BYTES: usize = 64 * 1024 * 1024;

/// A path longer than this, in bytes, is no work tree's: it bounds the recursion into a hostile tree.
const LONGEST_PATH: usize = 4096;

/// What one side of a change says of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Blob {
    /// git's file mode.
    pub mode: u32,
    /// Content.
    pub id: Oid,
}

/// One differing path: before and after. Not both are `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// Bytes of the path.
    pub path: Vec<u8>,
    /// In the older tree.
    pub old: Option<Blob>,
    /// In the newer tree.
    pub new: Option<Blob>,
}

/// All files that differ, or why they were not listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Diff {
    /// Sorted as git sorts paths.
    Changes(Vec<Change>),
    /// There are too many.
    TooLarge,
}

/// The list while it is made.
#[derive(Default)]
struct Listing {
    changes: Vec<Change>,
    prefix: Vec<u8>,
    entries: usize,
    path_bytes: usize,
}

impl Listing {
    fn is_too_large(&self) -> bool {
        self.changes.len() > MOST_CHANGES || self.entries > MOST_ENTRIES || self.path_bytes > MOST_PATH_BYTES
    }
}

/// Reads trees and keeps the recent ones.
pub(crate) struct Trees<'a> {
    odb: &'a Odb<'a>,
    recent: FxHashMap<Oid, Rc<[u8]>>,
    before: FxHashMap<Oid, Rc<[u8]>>,
    bytes: usize,
}

impl<'a> Trees<'a> {
    pub fn new(odb: &'a Odb<'a>) -> Self {
        Trees { odb, recent: FxHashMap::default(), before: FxHashMap::default(), bytes: 0 }
    }

    /// All files that differ; an absent tree is empty. Submodules are left out.
    ///
    /// # Errors
    /// A tree is missing (a partial clone without trees) or damaged.
    pub fn diff(&mut self, old: Option<Oid>, new: Option<Oid>) -> Result<Diff, git2::Error> {
        let mut listing = Listing::default();
        if old != new {
            self.diff_below(old, new, &mut listing)?;
        }
        Ok(if listing.is_too_large() { Diff::TooLarge } else { Diff::Changes(listing.changes) })
    }

    fn tree(&mut self, id: Option<Oid>) -> Result<Rc<[u8]>, git2::Error> {
        let Some(id) = id else { return Ok(Rc::new([])) };
        if let Some(tree) = self.recent.get(&id) {
            return Ok(Rc::clone(tree));
        }
        let tree = match self.before.remove(&id) {
            Some(tree) => tree,
            None => Rc::from(self.odb.read(id)?.data()),
        };
        // Two generations: what was not asked for during one whole generation goes.
        if self.bytes > KEEP / 2 {
            self.before = std::mem::take(&mut self.recent);
            self.bytes = 0;
        }
        self.bytes += tree.len();
        self.recent.insert(id, Rc::clone(&tree));
        Ok(tree)
    }

    fn diff_below(&mut self, old: Option<Oid>, new: Option<Oid>, listing: &mut Listing) -> Result<(), git2::Error> {
        if listing.prefix.len() > LONGEST_PATH {
            return Err(git2::Error::from_str("a tree object is nested too deeply"));
        }
        let (old_tree, new_tree) = (self.tree(old)?, self.tree(new)?);
        let (mut a, mut b): (&[u8], &[u8]) = (&old_tree, &new_tree);
        while !(a.is_empty() && b.is_empty()) {
            let same = equal_entries(a, b);
            (a, b) = (&a[same..], &b[same..]);
            if a == b {
                break;
            }
            let (left, right) = (entry(a)?, entry(b)?);
            let order = match (&left, &right) {
                (Some(l), Some(r)) => compare(l, r),
                (Some(_), None) => Ordering::Less,
                (None, _) => Ordering::Greater,
            };
            let left = left.filter(|_| order.is_le());
            let right = right.filter(|_| order.is_ge());
            a = &a[left.as_ref().map_or(0, |e| e.length)..];
            b = &b[right.as_ref().map_or(0, |e| e.length)..];
            if let (Some(l), Some(r)) = (&left, &right)
                && (l.id, l.mode) == (r.id, r.mode)
            {
                continue;
            }
            let Some(name) = left.as_ref().or(right.as_ref()).map(|e| e.name) else { break };
            listing.entries += 1;
            if listing.is_too_large() {
                return Ok(());
            }
            let above = listing.prefix.len();
            listing.prefix.extend_from_slice(name);
            let folder = |e: &Option<Entry<'_>>| e.as_ref().filter(|e| e.is_tree()).map(|e| e.id);
            let file =
                |e: &Option<Entry<'_>>| e.as_ref().filter(|e| e.is_file()).map(|e| Blob { mode: e.mode, id: e.id });
            // The order sets a folder apart from a file of the same name, so a pair is of one kind
            // (or a submodule that became a file).
            if file(&left).is_some() || file(&right).is_some() {
                listing.path_bytes += listing.prefix.len();
                let path = listing.prefix.clone();
                listing.changes.push(Change { path, old: file(&left), new: file(&right) });
            }
            if folder(&left).is_some() || folder(&right).is_some() {
                listing.prefix.push(b'/');
                self.diff_below(folder(&left), folder(&right), listing)?;
            }
            listing.prefix.truncate(above);
        }
        Ok(())
    }
}

struct Entry<'t> {
    mode: u32,
    name: &'t [u8],
    id: Oid,
    /// Bytes of the whole entry.
    length: usize,
}

impl Entry<'_> {
    fn is_tree(&self) -> bool {
        self.mode & 0o170_000 == 0o040_000
    }

    fn is_file(&self) -> bool {
        matches!(self.mode & 0o170_000, 0o100_000 | 0o120_000)
    }
}

/// The first entry: octal mode, space, name, NUL, 20 bytes of id.
fn entry(tree: &[u8]) -> Result<Option<Entry<'_>>, git2::Error> {
    if tree.is_empty() {
        return Ok(None);
    }
    let parse = || {
        let space = memchr::memchr(b' ', tree)?;
        let nul = space + memchr::memchr(0, &tree[space..])?;
        let mode = u32::from_str_radix(std::str::from_utf8(&tree[..space]).ok()?, 8).ok()?;
        let id = Oid::from_bytes(tree.get(nul + 1..nul + 21)?).ok()?;
        Some(Entry { mode, name: &tree[space + 1..nul], id, length: nul + 21 })
    };
    parse().map(Some).ok_or_else(|| git2::Error::from_str("a tree object is damaged"))
}

/// git's order in a tree: a folder's name counts as if it ended in `/`.
fn compare(a: &Entry<'_>, b: &Entry<'_>) -> Ordering {
    let common = a.name.len().min(b.name.len());
    a.name[..common].cmp(&b.name[..common]).then_with(|| {
        let next = |e: &Entry<'_>| e.name.get(common).copied().unwrap_or(if e.is_tree() { b'/' } else { 0 });
        next(a).cmp(&next(b))
    })
}

/// The bytes of whole entries that both begin with.
fn equal_entries(a: &[u8], b: &[u8]) -> usize {
    let equal = common_prefix(a, b);
    let mut end = 0;
    while let Some(nul) = memchr::memchr(0, &a[end..equal]) {
        let next = end + nul + 21;
        if next > equal {
            break;
        }
        end = next;
    }
    end
}

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    const STEP: usize = 64;
    let length = a.len().min(b.len());
    let mut at = 0;
    while at + STEP <= length && a[at..at + STEP] == b[at..at + STEP] {
        at += STEP;
    }
    while at < length && a[at] == b[at] {
        at += 1;
    }
    at
}
