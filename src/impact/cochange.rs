//! What usually changes with some files and was not touched.
//!
//! Past commits that touched both count most, newer ones more; beside them what the code says: imports either way,
//! a test and what it is named after, the same folder. Each sign is read as a probability and they are joined as if independent
//! (noisy or), so that a pair that never changed together before can still be named.

use std::collections::HashMap;

use serde::Serialize;

use crate::ask::{self, AskError, CoChange};
use crate::store::Graph;
use crate::store::value::{RowExt, text};

const PARTNERS: &str = include_str!("../../queries/impact/partners.cypher");
const FILES: &str = include_str!("../../queries/impact/files.cypher");

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
    /// The signs: `history`, `imports`, `named alike`, `same folder`.
    pub why: Vec<&'static str>,
}

/// Commits that a pair would have had without changing together: keeps one shared commit of two from being half a proof.
const PRIOR: f64 = 2.0;

/// Files that usually change with these, the most likely first; those asked about are left out.
///
/// # Errors
/// What the store says.
pub fn forgotten(graph: &Graph, touched: &[String]) -> Result<Vec<Forgotten>, AskError> {
    let mut all: HashMap<String, (f64, Forgotten)> = HashMap::new();
    let mut files: Vec<(String, i64)> = Vec::new();
    for row in graph.run(FILES, Vec::new())?.rows {
        files.push((row.str(0)?.to_owned(), row.int(2)?));
    }
    for file in touched {
        for one in of_file(graph, file, &files)? {
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

fn of_file(graph: &Graph, file: &str, files: &[(String, i64)]) -> Result<Vec<Forgotten>, AskError> {
    let past: Vec<CoChange> = match ask::cochange(graph, file) {
        Ok(past) => past,
        // New, or gone: only its name and place speak.
        Err(AskError::NoFile { .. }) => Vec::new(),
        Err(error) => return Err(error),
    };
    let mut partners: Vec<String> = Vec::new();
    for row in graph.run(PARTNERS, vec![("path", text(file))])?.rows {
        partners.push(row.str(0)?.to_owned());
    }
    let folder = folder_of(file);
    let near = files.iter().filter(|(path, _)| folder_of(path) == folder).count();
    let past: HashMap<&str, &CoChange> = past.iter().map(|c| (c.path.as_str(), c)).collect();
    let busiest = files.iter().map(|(_, commits)| *commits).max().unwrap_or(1).max(1);
    let mut out = Vec::new();
    for (path, commits) in files.iter().filter(|(path, _)| path != file) {
        let mut why = Vec::new();
        let mut not = 1.0;
        let known = past.get(path.as_str());
        if let Some(c) = known {
            #[allow(clippy::cast_precision_loss)] // counts of commits
            let share = c.together as f64 / (c.commits as f64 + PRIOR);
            // Recent commits say more than old ones.
            let recent = c.weight / (c.weight + PRIOR);
            not *= 1.0 - 0.95 * (0.3 * share + 0.7 * recent);
            why.push("history");
        }
        if named_alike(file, path) {
            not *= 1.0 - 0.2;
            why.push("named alike");
        }
        if partners.contains(path) {
            not *= 1.0 - 0.06;
            why.push("imports");
        }
        if folder_of(path) == folder {
            #[allow(clippy::cast_precision_loss)] // counts of files and commits
            let share = 0.10 / (1.0 + (near as f64).ln());
            not *= 1.0 - share;
            why.push("same folder");
        }
        if why.is_empty() {
            continue;
        }
        // Among what is alike otherwise, what changes often comes first.
        #[allow(clippy::cast_precision_loss)]
        let busy = 0.02 * (*commits as f64 / busiest as f64);
        let score = 1.0 - not * (1.0 - busy);
        out.push(Forgotten {
            path: path.clone(),
            together: known.map_or(0, |c| c.together),
            commits: known.map_or(0, |c| c.commits),
            with: file.to_owned(),
            weight: known.map_or(0.0, |c| c.weight),
            score,
            why,
        });
    }
    Ok(out)
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A test and what it tests, a header and its source, a document and its subject: the same name but for the words of tests.
fn named_alike(a: &str, b: &str) -> bool {
    let (a, b) = (stem(a), stem(b));
    a.len() >= 3 && a == b && !matches!(a.as_str(), "index" | "main" | "mod" | "lib" | "init" | "readme" | "conftest")
}

fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let name =
        name.trim_start_matches("test_").trim_end_matches("_test").trim_end_matches("_tests").trim_end_matches("test");
    name.trim_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_named_like_what_it_tests() {
        assert!(named_alike("src/click/types.py", "tests/test_types.py"));
        assert!(named_alike("core/load/shedder.go", "core/load/shedder_test.go"));
        assert!(named_alike("src/Foo.java", "test/FooTest.java"));
        assert!(!named_alike("src/a/__init__.py", "src/b/__init__.py"));
        assert!(!named_alike("src/core.py", "src/types.py"));
    }
}
