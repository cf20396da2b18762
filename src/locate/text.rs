//! The words of the text against the fields of files and symbols: BM25F.
//!
//! S. Robertson, H. Zaragoza: "The Probabilistic Relevance Framework: BM25 and Beyond", Foundations and Trends
//! in Information Retrieval 3(4), 2009, section 3.6. For a document d and a word t:
//!
//! ```text
//! tf'(t, d) = sum over fields f of  w_f * tf(t, d, f) / (1 - b_f + b_f * len(d, f) / meanlen(f))
//! score(d)  = sum over words t of  weight(t) * idf(t) * (k1 + 1) * tf'(t, d) / (k1 + tf'(t, d))
//! idf(t)    = ln(1 + (N - df(t) + 0.5) / (df(t) + 0.5))
//! ```
//!
//! A file is a document made of all its units and its path, a unit is one of its own fields.

use super::prior::Classes;
use super::task::Term;
use super::weights::Text;
use crate::search::{Index, Postings};

/// A word of the text with what the index knows of it.
pub struct Word<'a> {
    /// The word.
    pub term: &'a Term,
    /// Where it stands.
    pub postings: Postings<'a>,
    /// Its weight times its rarity among files.
    pub value: f32,
}

/// Looks up the words that the index has.
pub fn look_up<'a>(index: &'a Index, terms: &'a [Term]) -> Vec<Word<'a>> {
    let files = f64::from(index.file_count().max(1));
    terms
        .iter()
        .filter_map(|term| {
            let postings = index.lookup(&term.word)?;
            let holders = f64::from(postings.file_count.max(postings.paths.len() as u32));
            let idf = idf(files, holders);
            Some(Word { term, postings, value: term.weight * idf as f32 })
        })
        .collect()
}

fn idf(documents: f64, holders: f64) -> f64 {
    (1.0 + (documents - holders + 0.5).max(0.5) / (holders + 0.5)).ln()
}

/// Scores of all files and units.
pub struct TextScores {
    /// By file.
    pub files: Vec<f32>,
    /// By unit.
    pub units: Vec<f32>,
    /// The best score of a file before [`TextScores::normalise`], over the most that the words could give.
    pub coverage: f32,
    possible: f32,
}

/// Scores files and units by the words.
pub fn score(w: &Text, index: &Index, words: &[Word<'_>]) -> TextScores {
    let mut files = vec![0f32; index.file_count() as usize];
    let mut units = vec![0f32; index.unit_count() as usize];
    let unit_means = index.unit_means();
    let file_means = index.file_means();
    let total_units = f64::from(index.unit_count().max(1));
    let mut possible = 0.0;
    for word in words {
        let unit_value = word.term.weight * idf(total_units, f64::from(word.postings.unit_count)) as f32;
        possible += word.value * (w.file_k1 + 1.0);
        let mut paths = word.postings.paths.iter().peekable();
        let mut path_only = |before: u32, files: &mut Vec<f32>| -> f32 {
            // Files with the word in the path alone come between those that hold it.
            while let Some(p) = paths.peek() {
                if p.file > before {
                    break;
                }
                let weight = if p.in_name { w.file_name } else { w.folder };
                let file = p.file;
                paths.next();
                if file == before {
                    return weight;
                }
                if let Some(score) = files.get_mut(file as usize) {
                    *score += word.value * saturate(weight, w.file_k1);
                }
            }
            0.0
        };
        let mut current = u32::MAX;
        let mut counts = [0u32; 5];
        let mut flush = |file: u32, counts: &[u32; 5], files: &mut Vec<f32>| {
            let Some(view) = index.file_lengths(file) else { return };
            let mut tf = path_only(file, files);
            for field in 0..5 {
                if counts[field] > 0 {
                    let norm = 1.0 - w.file_b[field] + w.file_b[field] * view[field] as f32 / file_means[field] as f32;
                    tf += w.file_field[field] * counts[field] as f32 / norm;
                }
            }
            if let Some(score) = files.get_mut(file as usize) {
                *score += word.value * saturate(tf, w.file_k1);
            }
        };
        for posting in word.postings.units() {
            let Some((file, lengths)) = index.unit_lengths(posting.unit) else { break };
            if file != current {
                if current != u32::MAX {
                    flush(current, &counts, &mut files);
                }
                current = file;
                counts = [0; 5];
            }
            let mut tf = 0.0;
            for field in 0..5 {
                let n = posting.counts[field];
                if n > 0 {
                    counts[field] += u32::from(n);
                    let norm =
                        1.0 - w.unit_b[field] + w.unit_b[field] * f32::from(lengths[field]) / unit_means[field] as f32;
                    tf += w.unit_field[field] * f32::from(n) / norm;
                }
            }
            units[posting.unit as usize] += unit_value * saturate(tf, w.unit_k1);
        }
        if current != u32::MAX {
            flush(current, &counts, &mut files);
        }
        path_only(u32::MAX, &mut files);
    }
    TextScores { files, units, coverage: 0.0, possible }
}

fn saturate(tf: f32, k1: f32) -> f32 {
    (k1 + 1.0) * tf / (k1 + tf)
}

impl TextScores {
    /// Turns scores into shares of the best place that is code and no test.
    pub fn normalise(&mut self, index: &Index, classes: &Classes) {
        let mut best_file = 0f32;
        let mut best_unit = 0f32;
        for (no, &score) in self.files.iter().enumerate() {
            if classes.weight(no as u32) < 1.0 {
                continue;
            }
            best_file = best_file.max(score);
            for unit in index.units_of(no as u32) {
                best_unit = best_unit.max(self.units[unit as usize]);
            }
        }
        self.coverage = if self.possible > 0.0 { best_file / self.possible } else { 0.0 };
        let scale = |scores: &mut [f32], best: f32| {
            if best > 0.0 {
                scores.iter_mut().for_each(|s| *s /= best);
            }
        };
        scale(&mut self.files, best_file);
        scale(&mut self.units, best_unit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::tests::index;

    #[test]
    fn a_name_counts_more_than_a_word_in_passing() {
        let index = index(
            &[("a.py", "def parse(x):\n    return other(x)\n"), ("b.py", "def run(x):\n    return parse(x)\n")],
            &[],
        );
        let terms = [Term { word: "pars".into(), weight: 1.0, in_title: true }];
        let words = look_up(&index, &terms);
        let scores = score(&Text::default(), &index, &words);
        let unit =
            |name: &str| (0..index.unit_count()).find(|&u| index.unit(u).unwrap().qualname == name).unwrap() as usize;
        assert!(scores.units[unit("parse")] > scores.units[unit("run")] && scores.units[unit("run")] > 0.0);
    }
}
