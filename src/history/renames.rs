//! Which of a commit's deletions and additions are one file that moved.
//!
//! First files of equal content, in a commit of any size. Then, in one of few files, of what is left, pairs of at least half equal content: bytes in lines
//! that both have, over the size of the larger file (the measure of git's diffcore-rename, by
//! whole lines). Best pairs first; ties by equal file name, then by path.

use std::collections::VecDeque;

use git2::{Odb, OdbLookupFlags, Oid};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use super::trees::{Blob, Change};

/// In commits that touch more files only equal content is looked for: it takes no reading of files.
const MOST_FILES: usize = 50;
/// Larger files, in bytes, are matched by equal content only.
const LARGEST: usize = 1024 * 1024;

/// Pairs (index of the deletion, index of the addition) in `changes`, each index at most once.
pub(crate) fn find(odb: &Odb<'_>, changes: &[Change]) -> Vec<(usize, usize)> {
    let mut gone: Vec<usize> = (0..changes.len()).filter(|at| changes[*at].new.is_none()).collect();
    let mut come: Vec<usize> = (0..changes.len()).filter(|at| changes[*at].old.is_none()).collect();
    let mut pairs = equal(changes, &gone, &come);
    if changes.len() > MOST_FILES {
        return pairs;
    }
    gone.retain(|at| pairs.iter().all(|(old, _)| old != at));
    come.retain(|at| pairs.iter().all(|(_, new)| new != at));
    if gone.is_empty() || come.is_empty() {
        return pairs;
    }
    let read = |side: &[usize], old: bool| -> Vec<Option<Lines>> {
        let mut lines: Vec<Option<Lines>> = changes.iter().map(|_| None).collect();
        for at in side {
            let blob = if old { changes[*at].old } else { changes[*at].new };
            lines[*at] = blob.filter(|b| b.mode & 0o170_000 == 0o100_000).and_then(|b| Lines::read(odb, b.id));
        }
        lines
    };
    let (old_lines, new_lines) = (read(&gone, true), read(&come, false));
    let similar = candidates(&gone, &come, |old, new| {
        let score = old_lines[old].as_ref()?.similarity(new_lines[new].as_ref()?);
        (score >= 500).then_some(score)
    });
    take_best(similar, changes, &mut gone, &mut come, &mut pairs);
    pairs
}

/// Files of equal content and mode: first those that keep their file name, then the others, each in the order of paths.
fn equal(changes: &[Change], gone: &[usize], come: &[usize]) -> Vec<(usize, usize)> {
    let mut by_name: FxHashMap<(Blob, &[u8]), VecDeque<usize>> = FxHashMap::default();
    let mut by_content: FxHashMap<Blob, VecDeque<usize>> = FxHashMap::default();
    for &at in come {
        if let Some(blob) = changes[at].new.filter(|blob| !is_empty_blob(blob.id)) {
            by_name.entry((blob, file_name(&changes[at]))).or_default().push_back(at);
            by_content.entry(blob).or_default().push_back(at);
        }
    }
    let mut pairs = Vec::new();
    let mut taken = vec![false; changes.len()];
    for named in [true, false] {
        for &old in gone {
            let Some(blob) = changes[old].old.filter(|_| !taken[old]) else { continue };
            let candidates = match named {
                true => by_name.get_mut(&(blob, file_name(&changes[old]))),
                false => by_content.get_mut(&blob),
            };
            let free = candidates.and_then(|list| {
                while list.front().is_some_and(|at| taken[*at]) {
                    list.pop_front();
                }
                list.pop_front()
            });
            if let Some(new) = free {
                (taken[old], taken[new]) = (true, true);
                pairs.push((old, new));
            }
        }
    }
    pairs
}

fn file_name(change: &Change) -> &[u8] {
    change.path.rsplit(|b| *b == b'/').next().unwrap_or_default()
}

fn candidates(gone: &[usize], come: &[usize], score: impl Fn(usize, usize) -> Option<u64>) -> Vec<(u64, usize, usize)> {
    let mut found = Vec::new();
    for old in gone {
        for new in come {
            found.extend(score(*old, *new).map(|s| (s, *old, *new)));
        }
    }
    found
}

fn take_best(
    mut candidates: Vec<(u64, usize, usize)>,
    changes: &[Change],
    gone: &mut Vec<usize>,
    come: &mut Vec<usize>,
    pairs: &mut Vec<(usize, usize)>,
) {
    let name = |at: usize| file_name(&changes[at]);
    // Indices ascend with the path.
    candidates.sort_by_key(|(score, old, new)| (std::cmp::Reverse(*score), name(*old) != name(*new), *old, *new));
    for (_, old, new) in candidates {
        if gone.contains(&old) && come.contains(&new) {
            gone.retain(|at| *at != old);
            come.retain(|at| *at != new);
            pairs.push((old, new));
        }
    }
}

fn is_empty_blob(id: Oid) -> bool {
    id.as_bytes().starts_with(&[0xe6, 0x9d, 0xe2, 0x9b, 0xb2, 0xd1, 0xd6, 0x43])
}

/// A text's lines as sorted (hash, bytes).
struct Lines {
    lines: Vec<(u64, u64)>,
    bytes: u64,
}

impl Lines {
    /// `None`: not in this clone (a partial one), too large, binary or empty.
    fn read(odb: &Odb<'_>, id: Oid) -> Option<Lines> {
        if !odb.exists_ext(id, OdbLookupFlags::NO_REFRESH) || odb.read_header(id).ok()?.0 > LARGEST {
            return None;
        }
        let object = odb.read(id).ok()?;
        let data = object.data();
        if data.is_empty() || memchr::memchr(0, data).is_some() {
            return None;
        }
        let mut lines: Vec<(u64, u64)> =
            data.split_inclusive(|b| *b == b'\n').map(|line| (xxh3_64(line), line.len() as u64)).collect();
        lines.sort_unstable();
        Some(Lines { lines, bytes: data.len() as u64 })
    }

    /// In thousandths.
    fn similarity(&self, other: &Lines) -> u64 {
        let most = self.bytes.max(other.bytes);
        if self.bytes.min(other.bytes) * 2 < most {
            return 0;
        }
        let (mut a, mut b, mut common) = (0, 0, 0);
        while let (Some(left), Some(right)) = (self.lines.get(a), other.lines.get(b)) {
            match left.cmp(right) {
                std::cmp::Ordering::Less => a += 1,
                std::cmp::Ordering::Greater => b += 1,
                std::cmp::Ordering::Equal => {
                    common += left.1;
                    a += 1;
                    b += 1;
                }
            }
        }
        common * 1000 / most
    }
}
