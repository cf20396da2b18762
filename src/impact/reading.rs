//! `Read:` the least that a reviewer must read: what changed with the definition around it, and the places that rely on
//! what a change may break.

use std::collections::BTreeMap;

use serde::Serialize;

use super::compare::{ChangeKind, Compared};
use super::radius::Radius;
use crate::repo::{Repo, path};

/// Lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stretch {
    /// The file.
    pub file: String,
    /// First line.
    pub start: i64,
    /// Last line.
    pub end: i64,
}

/// What to read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reading {
    /// In the order of the paths, none overlapping.
    pub stretches: Vec<Stretch>,
    /// Files among them.
    pub files: usize,
    /// Files of the repository.
    pub of: usize,
    /// Lines in all.
    pub lines: i64,
    /// o200k tokens of these lines, at most.
    pub tokens: usize,
}

/// A longer definition is read only round what changed in it.
const WHOLE: i64 = 60;
/// Lines before and after.
const AROUND: i64 = 8;
/// Users that are read of a change that breaks whoever relies on it, and of one that may not.
const USERS: (usize, usize) = (8, 3);

/// What to read of a change and of its radius; `of`: files of the repository, `tokens`: of a line.
pub fn reading(repo: &Repo, files: &[Compared], radius: &Radius, of: usize, tokens: &dyn Fn(&str) -> usize) -> Reading {
    let mut wanted: BTreeMap<&str, Vec<(i64, i64)>> = BTreeMap::new();
    let mut breaking = false;
    for file in files.iter().filter(|f| !f.cosmetic) {
        let place = wanted.entry(&file.path).or_default();
        for (start, end) in &file.lines {
            let (start, end) = (i64::from(*start), i64::from(*end));
            let around = file.symbols.iter().filter(|s| s.change != ChangeKind::Removed && s.kind != "module");
            let around = around.map(|s| (i64::from(s.start_line), i64::from(s.end_line)));
            let holder = around.filter(|(a, b)| *a <= start && end <= *b && b - a < WHOLE).min_by_key(|(a, b)| b - a);
            place.push(holder.unwrap_or((start - AROUND, end + AROUND)));
        }
        breaking |= file.symbols.iter().any(|s| s.change <= ChangeKind::Value && !s.is_test);
    }
    wanted.retain(|_, lines| !lines.is_empty());
    let users = if breaking { USERS.0 } else { USERS.1 };
    if let Some(level) = radius.levels.first() {
        for user in level.shown.iter().filter(|u| u.start_line > 0).take(users) {
            let end = user.end_line.min(user.start_line + WHOLE);
            wanted.entry(&user.file).or_default().push((user.start_line, end));
        }
    }
    let mut out = Reading { of, ..Reading::default() };
    for (file, mut lines) in wanted {
        let text = match std::fs::metadata(repo.root().join(path::to_path(file))) {
            Ok(meta) if meta.is_file() && meta.len() < 4 << 20 => {
                std::fs::read(repo.root().join(path::to_path(file))).map(|b| String::from_utf8_lossy(&b).into_owned())
            }
            _ => continue,
        };
        let Ok(text) = text else { continue };
        let text: Vec<&str> = text.lines().collect();
        let last = i64::try_from(text.len()).unwrap_or(i64::MAX);
        lines.sort_unstable();
        let mut merged: Vec<(i64, i64)> = Vec::new();
        for (start, end) in lines {
            let (start, end) = (start.clamp(1, last.max(1)), end.min(last));
            if end < start {
                continue;
            }
            match merged.last_mut() {
                Some(before) if start <= before.1 + 3 => before.1 = before.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        out.files += usize::from(!merged.is_empty());
        for (start, end) in merged {
            out.lines += end - start + 1;
            let from = usize::try_from(start - 1).unwrap_or(0);
            let body = &text[from..usize::try_from(end).unwrap_or(from)];
            out.tokens += body.iter().map(|line| tokens(line) + 1).sum::<usize>();
            out.stretches.push(Stretch { file: file.to_owned(), start, end });
        }
    }
    out
}
