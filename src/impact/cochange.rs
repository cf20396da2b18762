//! What usually changes with some files and was not touched.
//!
//! # The model
//!
//! A logistic regression (D. Cox, The Regression Analysis of Binary Sequences, JRSS B 20, 1958) over signs of a pair of files says
//! how likely the second changes in a commit that changes the first:
//!
//! ```text
//! score = 1 / (1 + e^-z)
//! z = -5.45 + 1.32 together + 4.32 ln(1 + w) - 1.06 ln(1 + n) + 0.64 n / (c + 2)
//!     - 0.34 ln(1 + a) + 0.20 ln(1 + c) + 0.39 imports + 1.28 alike + 2.77 folder / (1 + ln(1 + f))
//!
//! n        commits that touched both; together: 1 when n > 0
//! w        the same, each worth 1 / (sqrt(files of the commit - 1) (1 + k / 5)), k: later commits to the first file. Large
//!          commits say little (T. Zimmermann et al., Mining Version Histories to Guide Software Changes, IEEE TSE 31(6), 2005),
//!          old ones less
//! c        commits that touched the second file
//! a        commits since the last one that touched it
//! imports  1 when one imports the other
//! alike    share of the words of the shorter name that the other has: a test and what it tests, a header, a translation
//! folder   1 in the same folder, which holds f files
//! ```
//!
//! The weights were fitted on the later commits of 12 repositories and measured on 13 others (`eval/cochange_fit.py`). Commits of
//! more than 50 files say nothing about any two of them.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::ask::{self, AskError, CoChange};
use crate::history::MOST_FILES;
use crate::store::Graph;
use crate::store::value::{RowExt, text, texts};
use crate::terms::query_words;

const PARTNERS: &str = include_str!("../../queries/impact/partners.cypher");
const FILES: &str = include_str!("../../queries/impact/files.cypher");
const TOUCHED: &str = include_str!("../../queries/impact/touched.cypher");

/// A file that usually changes too.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forgotten {
    /// Its path.
    pub path: String,
    /// Commits that touched it and the file it is named for.
    pub together: i64,
    /// Commits that touched that file.
    pub commits: i64,
    /// That file: the one of those asked about that speaks most for it.
    pub with: String,
    /// Recency-weighted commits, as in `cochange`.
    pub weight: f64,
    /// Between 0 and 1: how likely it changes too.
    pub score: f64,
    /// The signs: `history`, `imports`, `named alike`, `same folder`, `changed lately`, `changes often`.
    pub why: Vec<&'static str>,
}

/// Files that change most often, and those of the newest commits, are candidates whatever else they have in common.
const BUSIEST: usize = 30;

/// Files that usually change with these, the most likely first; those asked about are left out. `own`: hashes of commits that
/// do not count, those of the change itself.
///
/// # Errors
/// What the store says.
pub fn forgotten(graph: &Graph, touched: &[String], own: &[String]) -> Result<Vec<Forgotten>, AskError> {
    let past = Past::read(graph, own)?;
    let mut all: HashMap<String, (f64, Forgotten)> = HashMap::new();
    for file in touched {
        for one in of_file(graph, file, &past)? {
            if touched.contains(&one.path) {
                continue;
            }
            let entry = all.entry(one.path.clone()).or_insert_with(|| (1.0, one.clone()));
            entry.0 *= 1.0 - one.score;
            if one.score > entry.1.score {
                entry.1 = one;
            }
        }
    }
    let mut list: Vec<Forgotten> = all
        .into_values()
        .map(|(not, one)| Forgotten { score: if touched.len() > 1 { 1.0 - not } else { one.score }, ..one })
        .collect();
    list.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
    Ok(list)
}

/// A file of the tree and its history.
struct File {
    path: String,
    words: HashSet<String>,
    /// Commits that touched it.
    commits: usize,
    /// Commits since the last of them; those of the whole history when there is none.
    ago: usize,
}

/// The tree and the history that counts.
struct Past {
    files: Vec<File>,
    /// Files of each commit, the newest commit first.
    commits: Vec<Vec<usize>>,
    /// Of a folder how many files.
    folders: HashMap<String, usize>,
    /// Candidates of every file.
    busiest: HashSet<usize>,
    latest: HashSet<usize>,
}

impl Past {
    fn read(graph: &Graph, own: &[String]) -> Result<Past, AskError> {
        let mut files: Vec<File> = Vec::new();
        let mut numbers: HashMap<i64, usize> = HashMap::new();
        let mut folders: HashMap<String, usize> = HashMap::new();
        for row in graph.run(FILES, Vec::new())?.rows {
            let path = row.str(1)?.to_owned();
            numbers.insert(row.int(0)?, files.len());
            *folders.entry(folder_of(&path).to_owned()).or_default() += 1;
            files.push(File { words: words(&path), path, commits: 0, ago: 0 });
        }
        let mut by_commit: HashMap<i64, (i64, Vec<usize>)> = HashMap::new();
        graph.each::<AskError>(TOUCHED, vec![("own", texts(own))], |row| {
            if let Some(file) = numbers.get(&row.int(2)?) {
                by_commit.entry(row.int(0)?).or_insert((row.int(1)?, Vec::new())).1.push(*file);
            }
            Ok(())
        })?;
        let mut commits: Vec<(i64, Vec<usize>)> =
            by_commit.into_values().filter(|(_, files)| files.len() <= MOST_FILES).collect();
        for (_, files) in &mut commits {
            files.sort_unstable();
            files.dedup();
        }
        // Commits of one second are told apart by what they touch, so that the order is always the same.
        commits.sort_unstable_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let commits: Vec<Vec<usize>> = commits.into_iter().map(|(_, files)| files).collect();
        for (ago, touched) in commits.iter().enumerate() {
            for at in touched {
                let file = &mut files[*at];
                if file.commits == 0 {
                    file.ago = ago;
                }
                file.commits += 1;
            }
        }
        for file in files.iter_mut().filter(|f| f.commits == 0) {
            file.ago = commits.len();
        }
        let mut order: Vec<usize> = (0..files.len()).filter(|at| files[*at].commits > 0).collect();
        order.sort_by_key(|at| (std::cmp::Reverse(files[*at].commits), *at));
        let latest = commits.iter().take(BUSIEST).flatten().copied().collect();
        Ok(Past { busiest: order.into_iter().take(BUSIEST).collect(), latest, files, commits, folders })
    }
}

/// What two files have in common.
#[derive(Default)]
struct Signs {
    /// Commits that touched both.
    together: f64,
    /// The same, weighted.
    weight: f64,
    /// Commits that touched the candidate.
    commits: f64,
    /// Commits since.
    ago: f64,
    imports: bool,
    /// Share of the words of the shorter name.
    alike: f64,
    /// Files of the folder, when it is the same.
    folder: Option<f64>,
}

impl Signs {
    /// See the model above.
    fn score(&self) -> f64 {
        let one = |yes: bool| f64::from(u8::from(yes));
        let z = -5.45 + 1.32 * one(self.together > 0.0) + 4.32 * self.weight.ln_1p() - 1.06 * self.together.ln_1p()
            + 0.64 * self.together / (self.commits + 2.0)
            - 0.34 * self.ago.ln_1p()
            + 0.20 * self.commits.ln_1p()
            + 0.39 * one(self.imports)
            + 1.28 * self.alike
            + self.folder.map_or(0.0, |near| 2.77 / (1.0 + near.ln_1p()));
        1.0 / (1.0 + (-z).exp())
    }
}

#[allow(clippy::cast_precision_loss)] // counts of files and commits
fn of_file(graph: &Graph, file: &str, past: &Past) -> Result<Vec<Forgotten>, AskError> {
    let known: Vec<CoChange> = match ask::cochange(graph, file) {
        Ok(known) => known,
        // New, or gone: only its name and place speak.
        Err(AskError::NoFile { .. }) => Vec::new(),
        Err(error) => return Err(error),
    };
    let known: HashMap<&str, &CoChange> = known.iter().map(|c| (c.path.as_str(), c)).collect();
    let mut partners: HashSet<String> = HashSet::new();
    for row in graph.run(PARTNERS, vec![("path", text(file))])?.rows {
        partners.insert(row.str(0)?.to_owned());
    }
    let own = past.files.iter().position(|f| f.path == file);
    let mut pairs: HashMap<usize, (usize, f64)> = HashMap::new();
    let mut commits = 0;
    for touched in past.commits.iter().filter(|touched| own.is_some_and(|own| touched.binary_search(&own).is_ok())) {
        let worth = 1.0 / ((touched.len() as f64 - 1.0).max(1.0).sqrt() * (1.0 + commits as f64 / 5.0));
        commits += 1;
        for other in touched.iter().filter(|other| Some(**other) != own) {
            let pair = pairs.entry(*other).or_default();
            *pair = (pair.0 + 1, pair.1 + worth);
        }
    }
    let (folder, words) = (folder_of(file), words(file));
    let near = past.folders.get(folder).copied().unwrap_or(0) as f64;
    let mut out = Vec::new();
    for (at, other) in past.files.iter().enumerate().filter(|(at, _)| Some(*at) != own) {
        let (together, weight) = pairs.get(&at).copied().unwrap_or_default();
        let before = known.get(other.path.as_str());
        let together = together.max(before.map_or(0, |c| usize::try_from(c.together).unwrap_or(0)));
        let shorter = words.len().min(other.words.len()).max(1) as f64;
        let signs = Signs {
            together: together as f64,
            weight,
            commits: other.commits as f64,
            ago: other.ago as f64,
            imports: partners.contains(&other.path),
            alike: words.intersection(&other.words).count() as f64 / shorter,
            folder: (folder_of(&other.path) == folder).then_some(near),
        };
        let why: Vec<&'static str> = [
            (together > 0, "history"),
            (signs.alike > 0.5, "named alike"),
            (signs.imports, "imports"),
            (signs.folder.is_some(), "same folder"),
            (past.latest.contains(&at), "changed lately"),
            (past.busiest.contains(&at), "changes often"),
        ]
        .into_iter()
        .filter_map(|(is, why)| is.then_some(why))
        .collect();
        if why.is_empty() {
            continue;
        }
        out.push(Forgotten {
            path: other.path.clone(),
            together: together.try_into().unwrap_or(i64::MAX),
            commits: before.map_or(commits.into(), |c| c.commits),
            with: file.to_owned(),
            weight: before.map_or(0.0, |c| c.weight),
            score: signs.score(),
            why,
        });
    }
    Ok(out)
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Words of a file's name that say what it is about.
fn words(path: &str) -> HashSet<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.split('.').next().unwrap_or(name);
    let common = |word: &String| matches!(word.as_str(), "test" | "tests" | "spec" | "init" | "mod");
    // Its parts only, not the name as a whole.
    let mut parts = String::new();
    let mut small = false;
    for c in name.chars() {
        if c.is_uppercase() && small {
            parts.push(' ');
        }
        parts.push(if c.is_alphanumeric() { c } else { ' ' });
        small = c.is_lowercase() || c.is_ascii_digit();
    }
    query_words(&parts).into_iter().filter(|w| w.len() > 2 && !common(w)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(a: &str, b: &str) -> bool {
        words(a).intersection(&words(b)).count() > 0
    }

    #[test]
    fn a_test_is_named_like_what_it_tests() {
        assert!(alike("src/click/types.py", "tests/test_types.py"));
        assert!(alike("core/load/shedder.go", "core/load/shedder_test.go"));
        assert!(alike("src/Foo.java", "test/FooTest.java"));
        assert!(!alike("src/a/__init__.py", "src/b/__init__.py"));
        assert!(!alike("src/core.py", "src/types.py"));
    }

    #[test]
    fn a_small_new_commit_says_more_than_a_large_old_one() {
        let pair = |weight: f64| Signs { together: 1.0, weight, commits: 3.0, ago: 10.0, ..Signs::default() };
        let stranger = Signs { commits: 3.0, ago: 10.0, ..Signs::default() };
        assert!(pair(1.0).score() > pair(0.1).score() && pair(0.1).score() > stranger.score());
    }
}
