//! What history says: commits about the same words, and files that change together.

use std::collections::BTreeMap;

use super::text::Word;
use super::weights::{Past as Weights, bounds};
use super::{Hit, Signal, Target};
use crate::search::{CommitView, Index};

/// All commits of the index.
pub struct Past<'a> {
    weights: &'a Weights,
    commits: Vec<CommitView>,
    newest: i64,
}

impl<'a> Past<'a> {
    /// Reads them: some 5,000 short records.
    pub fn read(weights: &'a Weights, index: &Index) -> Self {
        let commits: Vec<CommitView> = (0..index.commit_count()).filter_map(|no| index.commit(no)).collect();
        let newest = commits.iter().map(|c| c.at).max().unwrap_or(0);
        Past { weights, commits, newest }
    }

    fn recency(&self, at: i64) -> f32 {
        let years = (self.newest - at).max(0) as f32 / (365.25 * 86_400.0);
        0.5f32.powf(years / self.weights.half_life_years)
    }

    /// How usual it is that a commit of a file also touches another: `value` of the shared ones against its `own`.
    pub fn share(&self, value: f32, own: f32) -> f32 {
        value / (own + self.weights.co_change_prior)
    }

    /// Files that changed together with `file`: (file, shared commits weighed by their size and age), by file.
    pub fn together_with(&self, file: u32) -> (f32, BTreeMap<u32, (f32, u32)>) {
        let mut own = 0.0;
        let mut others: BTreeMap<u32, (f32, u32)> = BTreeMap::new();
        for commit in &self.commits {
            if commit.files.len() > bounds::LARGEST_COMMIT || commit.files.binary_search(&file).is_err() {
                continue;
            }
            let value = self.recency(commit.at);
            own += value;
            for &other in commit.files.iter().filter(|&&f| f != file) {
                let entry = others.entry(other).or_default();
                entry.0 += value / (commit.files.len() as f32).sqrt();
                entry.1 += 1;
            }
        }
        (own, others)
    }
}

/// Files touched by the commits whose messages share the rarest words with the text.
pub fn commits(past: &Past<'_>, words: &[Word<'_>], hits: &mut Vec<Hit>) {
    if past.commits.is_empty() {
        return;
    }
    let total = past.commits.len() as f32;
    let mut scores = vec![0f32; past.commits.len()];
    let mut whole = 0.0;
    for word in words {
        let holders = word.postings.commits.len() as f32;
        let idf = (1.0 + (total - holders + 0.5).max(0.5) / (holders + 0.5)).ln();
        let value = word.term.weight * idf;
        whole += value;
        for &commit in &word.postings.commits {
            if let Some(score) = scores.get_mut(commit as usize) {
                *score += value;
            }
        }
    }
    let mut ranked: Vec<(usize, f32)> = scores
        .into_iter()
        .enumerate()
        .filter(|&(no, s)| {
            s > 0.0 && !past.commits[no].files.is_empty() && past.commits[no].files.len() <= bounds::LARGEST_COMMIT
        })
        .map(|(no, s)| (no, s * (0.5 + 0.5 * past.recency(past.commits[no].at))))
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked.truncate(bounds::COMMITS);
    let mut files: BTreeMap<u32, (f32, u64)> = BTreeMap::new();
    for (no, score) in ranked {
        let commit = &past.commits[no];
        for &file in &commit.files {
            let entry = files.entry(file).or_insert((0.0, commit.short_hash));
            entry.0 += score / (commit.files.len() as f32).sqrt();
        }
    }
    let best = files.values().map(|f| f.0).fold(0.0, f32::max);
    if best <= 0.0 || whole <= 0.0 {
        return;
    }
    for (file, (score, hash)) in files {
        let note = format!("{:08x}", hash >> 32);
        hits.push(Hit { target: Target::File(file), signal: Signal::Commits, strength: score / best, note });
    }
}

/// Files that changed together with the best ones: (file, its share of the best score).
pub fn co_changes(past: &Past<'_>, best: &[(u32, f32, String)]) -> Vec<Hit> {
    let mut files: BTreeMap<u32, (f32, String)> = BTreeMap::new();
    for (seed, share, path) in best {
        let (own, others) = past.together_with(*seed);
        for (file, (value, count)) in others {
            if count >= bounds::LEAST_TOGETHER {
                let strength = share * past.share(value, own);
                let entry = files.entry(file).or_default();
                if strength > entry.0 {
                    *entry = (strength, path.clone());
                }
            }
        }
    }
    files
        .into_iter()
        .map(|(file, (strength, note))| Hit {
            target: Target::File(file),
            signal: Signal::CoChange,
            strength: strength.min(1.0),
            note,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::tests::library;

    #[test]
    fn commits_about_the_words_and_what_changes_together() {
        let (index, weights) = (library(), Weights::default());
        let past = Past::read(&weights, &index);
        let task = crate::locate::Task::read(None, "round prices");
        let mut hits = Vec::new();
        super::commits(&past, &crate::locate::text::look_up(&index, &task.terms), &mut hits);
        let path = |h: &Hit| match h.target {
            Target::File(f) => index.file(f).unwrap().path.to_owned(),
            Target::Unit(_) => String::new(),
        };
        assert_eq!(hits.iter().map(path).collect::<Vec<_>>(), ["src/shop/invoice.py"]);
        let invoice = (0..index.file_count()).find(|&f| index.file(f).unwrap().path.ends_with("invoice.py")).unwrap();
        let together = co_changes(&past, &[(invoice, 1.0, "invoice".into())]);
        assert_eq!(together.iter().map(path).collect::<Vec<_>>(), ["src/shop/cart.py"]);
        assert!(together[0].strength < 1.0);
    }
}
