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
    for at in telling(&lines, &low).into_iter().take(40) {
        // Where there is no room for what is around it, the line alone.
        for around in [AROUND, 1, 0] {
            let range = at.saturating_sub(around)..(at + around + 1).min(lines.len());
            if chosen(range, &mut keep, share) {
                break;
            }
        }
    }
    (gaps(&lines, &keep, from), false)
}

/// Lines that hold some of the words, the most telling first: a word of many lines says little about any of them.
#[allow(clippy::cast_precision_loss)] // counts of lines
fn telling(lines: &[&str], words: &[String]) -> Vec<usize> {
    let lines: Vec<String> = lines.iter().map(|line| line.to_lowercase()).collect();
    let mut worth = vec![0.0; lines.len()];
    for word in words {
        let with: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].contains(word.as_str())).collect();
        for at in &with {
            worth[*at] += 1.0 / with.len() as f64;
        }
    }
    let mut order: Vec<usize> = (0..lines.len()).filter(|at| worth[*at] > 0.0).collect();
    order.sort_by(|a, b| f64::total_cmp(&worth[*b], &worth[*a]).then(a.cmp(b)));
    order
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
