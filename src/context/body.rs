//! A definition's text; of a long one its head and the lines that matter.

use crate::impact::Seed;
use crate::repo::{Repo, path};

/// Lines of the head that are always there.
const HEAD: usize = 12;
/// Lines around one that matters.
const AROUND: usize = 3;
/// Larger files, in bytes, are not read.
const LARGEST: u64 = 4 << 20;

/// The text of a definition within `share` tokens, and whether it is whole.
pub(super) fn body(
    repo: &Repo,
    seed: &Seed,
    words: &[String],
    share: usize,
    count: &dyn Fn(&str) -> usize,
) -> (String, bool) {
    let file = repo.root().join(path::to_path(&seed.file));
    let small = std::fs::symlink_metadata(&file).is_ok_and(|m| m.is_file() && m.len() <= LARGEST);
    let Some(bytes) = small.then(|| std::fs::read(&file).ok()).flatten() else { return (String::new(), false) };
    let all = String::from_utf8_lossy(&bytes);
    let from = usize::try_from(seed.start_line - 1).unwrap_or(0);
    let to = usize::try_from(seed.end_line).unwrap_or(0);
    let lines: Vec<&str> = all.lines().skip(from).take(to.saturating_sub(from)).collect();
    let whole: String = lines.iter().map(|l| format!("{}\n", clean(l))).collect();
    if count(&whole) <= share {
        return (whole, true);
    }
    let low: Vec<String> = words.iter().map(|w| w.to_lowercase()).filter(|w| w.len() > 2).collect();
    let mut keep = vec![false; lines.len()];
    let chosen = |range: std::ops::Range<usize>, keep: &mut Vec<bool>, share: usize| {
        let mut next = keep.clone();
        next[range].fill(true);
        if count(&gaps(&lines, &next, from)) <= share {
            *keep = next;
            true
        } else {
            false
        }
    };
    let mut head = HEAD.min(lines.len());
    // Where words say what matters, they get half of the room.
    let of_head = if low.is_empty() { share } else { share / 2 };
    while head > 0 && !chosen(0..head, &mut keep, of_head) {
        head /= 2;
    }
    // Lines with most of the words first.
    let mut order: Vec<(usize, usize)> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| (low.iter().filter(|w| line.to_lowercase().contains(w.as_str())).count(), at))
        .filter(|(n, _)| *n > 0)
        .collect();
    order.sort_by_key(|(n, at)| (std::cmp::Reverse(*n), *at));
    for (_, at) in order.into_iter().take(40) {
        let range = at.saturating_sub(AROUND)..(at + AROUND + 1).min(lines.len());
        if !chosen(range, &mut keep, share) {
            break;
        }
    }
    (gaps(&lines, &keep, from), false)
}

/// The kept lines, with a word on each gap.
fn gaps(lines: &[&str], keep: &[bool], first: usize) -> String {
    let mut out = String::new();
    let mut at = 0;
    while at < lines.len() {
        if keep[at] {
            out.push_str(&clean(lines[at]));
            out.push('\n');
            at += 1;
            continue;
        }
        let end = (at..lines.len()).find(|i| keep[*i]).unwrap_or(lines.len());
        out.push_str(&format!("... lines {}-{} left out\n", first + at + 1, first + end));
        at = end;
    }
    out
}

/// Nothing in a line of code moves a cursor.
fn clean(line: &str) -> String {
    line.chars().filter(|c| *c == '\t' || !c.is_control()).collect()
}
