//! From facts of commits to rows of the graph.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{AuthoredRow, Change, CoChangeRow, Commit, CommitRow, History, HistoryRows, PathNo, PersonRow, TouchedRow};

/// The instant at which a shared commit weighs 1: 2020-01-01 00:00 UTC, seconds since the Unix epoch. A constant, so
/// that weights of different days add up; a query divides by `2^((now - T0) / HALF_LIFE)`.
pub const T0: i64 = 1_577_836_800;

/// Seconds in which a shared commit loses half its weight: 180 days.
///
/// Half a year is a few release cycles of most projects: what changed together in this one counts in full, what
/// did two years ago a sixteenth, so that a structure that has been taken apart fades while rarely touched files
/// keep some partners.
pub const HALF_LIFE: i64 = 180 * 24 * 60 * 60;

/// Commits that touch more files say nothing about any two of them.
pub const MOST_FILES: usize = 50;

/// A pair that changed together once counts only in a commit of at most this many files.
const FEW_FILES: usize = 10;

/// The strongest partners that each file keeps.
const PARTNERS: usize = 20;

/// The rows for a history and the files that are there now (`present`: repository paths, sorted, each once).
///
/// **TOUCHED** follows renames: going back in time, what a commit calls `old` is the file that a later commit
/// renamed to `new`, up to today's name. What is not there today gets no row (its commits stay).
///
/// **CO_CHANGES** counts, for two files, the commits that touched both, without merges and without commits that
/// touch more than [`MOST_FILES`]. The weight decays exponentially with age, as N(t) = N0 * 2^(-t / half-life)
/// (the law of radioactive decay: Rutherford and Soddy, "The Cause and Nature of Radioactivity", 1902; for the
/// age of changes as predictors of change: Graves, Karr, Marron and Siy, "Predicting Fault Incidence Using
/// Software Change History", IEEE TSE 26(7), 2000): the sum over shared commits of `2^((t - T0) / HALF_LIFE)`, `t`
/// being the committer's time. Summed oldest first, so that equal input gives equal bits. Kept are pairs with
/// two shared commits, or one that touches at most ten files; of those each file's 20 heaviest (a
/// pair stays if either file keeps it; ties by count, then by path). What goes are pairs that met once, in a sweep over
/// many files, which are most pairs and say least.
pub fn derive<S: AsRef<str>>(history: &History, present: &[S]) -> HistoryRows {
    let text: Vec<Arc<str>> = present.iter().map(|p| Arc::from(p.as_ref())).collect();
    let hashes: Vec<Arc<str>> = history.commits.iter().map(|c| Arc::from(c.hash.to_string())).collect();
    let touched = touched_files(history, present);

    let mut rows = HistoryRows { co_changes: co_changes(history, &touched, &text), ..HistoryRows::default() };
    for ((commit, hash), files) in history.commits.iter().zip(&hashes).zip(&touched) {
        rows.commits.push(CommitRow {
            hash: Arc::clone(hash),
            at: commit.at,
            subject: commit.subject.clone(),
            body: commit.body.clone(),
            is_merge: commit.is_merge(),
        });
        for (file, change) in files {
            let path = Arc::clone(&text[*file as usize]);
            rows.touched.push(TouchedRow { commit: Arc::clone(hash), path, change });
        }
    }
    people(history, &hashes, &mut rows);
    rows.commits.sort_unstable_by(|a, b| a.hash.cmp(&b.hash));
    rows.touched.sort_by(|a, b| a.commit.cmp(&b.commit));
    rows
}

/// For each commit the present files it touched, as (index into `present`, change), ascending, each once.
fn touched_files<S: AsRef<str>>(history: &History, present: &[S]) -> Vec<Vec<(u32, &'static str)>> {
    let here: Vec<Option<u32>> = history
        .paths
        .iter()
        .map(|path| present.binary_search_by(|p| p.as_ref().cmp(path)).ok().map(|at| at as u32))
        .collect();
    // What each path, as the commit at hand names it, is called today.
    let mut today: Vec<PathNo> = (0..history.paths.len()).map(|at| PathNo(at as u32)).collect();
    let mut all = Vec::with_capacity(history.commits.len());
    for commit in &history.commits {
        let mut files: Vec<(u32, &'static str)> = Vec::with_capacity(commit.touched.len());
        let mut renamed: Vec<(PathNo, PathNo)> = Vec::new();
        for touch in &commit.touched {
            let name = today[touch.path.0 as usize];
            let word = match touch.change {
                Change::Add => "add",
                Change::Modify => "modify",
                Change::Delete => "delete",
                Change::Rename { from } => {
                    renamed.push((from, name));
                    "rename"
                }
            };
            files.extend(here[name.0 as usize].map(|file| (file, word)));
        }
        for (from, name) in renamed {
            today[from.0 as usize] = name;
        }
        files.sort_unstable_by_key(|(file, word)| (*file, *word == "delete", *word));
        files.dedup_by_key(|(file, _)| *file);
        all.push(files);
    }
    all
}

#[derive(Clone, Copy, Default)]
struct Pair {
    count: u32,
    weight: f64,
    /// Shared a commit of few files.
    close: bool,
}

fn co_changes(history: &History, touched: &[Vec<(u32, &'static str)>], text: &[Arc<str>]) -> Vec<CoChangeRow> {
    let mut pairs: FxHashMap<u64, Pair> = FxHashMap::default();
    for (commit, files) in history.commits.iter().zip(touched).rev() {
        if commit.is_merge() || commit.touched.len() > MOST_FILES {
            continue;
        }
        let weight = weight(commit);
        let close = commit.touched.len() <= FEW_FILES;
        for (at, (a, _)) in files.iter().enumerate() {
            for (b, _) in &files[at + 1..] {
                let pair = pairs.entry(u64::from(*a) << 32 | u64::from(*b)).or_default();
                pair.count += 1;
                pair.weight += weight;
                pair.close |= close;
            }
        }
    }
    let mut pairs: Vec<(u64, Pair)> = pairs.into_iter().filter(|(_, pair)| pair.count > 1 || pair.close).collect();
    let best_first = |a: &(u64, Pair), b: &(u64, Pair)| {
        b.1.weight.total_cmp(&a.1.weight).then(b.1.count.cmp(&a.1.count)).then(a.0.cmp(&b.0))
    };
    pairs.sort_unstable_by(best_first);
    let mut partners = vec![0usize; text.len()];
    pairs.retain(|(key, _)| {
        let ends = [(key >> 32) as usize, (key & 0xffff_ffff) as usize];
        let keep = ends.iter().any(|end| partners[*end] < PARTNERS);
        for end in ends {
            partners[end] += 1;
        }
        keep
    });
    pairs.sort_unstable_by_key(|(key, _)| *key);
    let row = |(key, pair): (u64, Pair)| CoChangeRow {
        a: Arc::clone(&text[(key >> 32) as usize]),
        b: Arc::clone(&text[(key & 0xffff_ffff) as usize]),
        count: pair.count,
        weight: pair.weight,
    };
    pairs.into_iter().map(row).collect()
}

/// Of one shared commit. A clock gone wild must not make it infinite or nothing.
fn weight(commit: &Commit) -> f64 {
    (commit.at.saturating_sub(T0) as f64 / HALF_LIFE as f64).clamp(-900.0, 900.0).exp2()
}

fn people(history: &History, hashes: &[Arc<str>], rows: &mut HistoryRows) {
    let ids: Vec<Arc<str>> = history
        .people
        .iter()
        .map(|person| match person.email.trim() {
            "" => Arc::from(format!("name:{}", person.name.trim())),
            email => Arc::from(email.to_lowercase()),
        })
        .collect();
    // Newest first: the first name that is met is the one to show.
    let mut met: FxHashMap<Arc<str>, usize> = FxHashMap::default();
    for (commit, hash) in history.commits.iter().zip(hashes) {
        let author = commit.author as usize;
        met.entry(Arc::clone(&ids[author])).or_insert(author);
        rows.authored.push(AuthoredRow { person: Arc::clone(&ids[author]), commit: Arc::clone(hash) });
    }
    for (id, author) in met {
        let person = &history.people[author];
        rows.people.push(PersonRow { id, name: person.name.clone(), email: person.email.clone() });
    }
    rows.people.sort_unstable();
    rows.authored.sort_unstable();
}
