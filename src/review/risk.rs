//! The risk of each changed definition; see the formula in [`super`].

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::seed;
use crate::ask::{AskError, Certainty};
use crate::impact::radius::file_of;
use crate::impact::seeds::Seed;
use crate::impact::{Affected, ChangeKind, Compared, Radius, SymbolChange};
use crate::store::Graph;
use crate::store::value::{RowExt, texts};

const SITES: &str = include_str!("../../queries/impact/sites.cypher");
const PLACES: &str = include_str!("../../queries/impact/places.cypher");
const CHURN: &str = include_str!("../../queries/review/churn.cypher");

/// How much a change wants to be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Grade {
    Low,
    Medium,
    High,
}

impl Grade {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Grade::Low => "low",
            Grade::Medium => "medium",
            Grade::High => "high",
        }
    }

    fn of(risk: f64) -> Grade {
        match risk {
            45.0.. => Grade::High,
            20.0.. => Grade::Medium,
            _ => Grade::Low,
        }
    }
}

/// The factors, each between 0 and 1, and the counts behind them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Factors {
    /// By what was done to it.
    pub kind: f64,
    /// Users outside its file.
    pub reach: f64,
    /// No test reaches it.
    pub untested: f64,
    /// Entry points behind it.
    pub entry: f64,
    /// Past fixes of its file.
    pub fixes: f64,
    /// Changed lines.
    pub size: f64,
    /// Callers known by name only.
    pub doubt: f64,
    /// Production symbols outside its file that call or mention it.
    pub users_outside: usize,
    /// Past commits to its file that speak of a fault.
    pub past_fixes: i64,
    /// Past commits to its file.
    pub past_commits: i64,
}

impl Factors {
    /// Between 0 and 100.
    pub fn risk(&self) -> f64 {
        100.0
            * self.kind
            * (0.30 * self.reach
                + 0.25 * self.untested
                + 0.15 * self.entry
                + 0.12 * self.fixes
                + 0.10 * self.size
                + 0.08 * self.doubt)
    }
}

/// One changed definition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Risk {
    /// What was done to what.
    #[serde(flatten)]
    pub symbol: SymbolChange,
    /// Between 0 and 100.
    pub risk: f64,
    /// The grade of that.
    pub grade: Grade,
    /// What it is made of.
    pub factors: Factors,
}

fn share(n: f64, half: f64) -> f64 {
    n / (n + half)
}

pub(super) fn risks(
    graph: &Graph,
    files: &[Compared],
    seeds: &[Seed],
    radius: &Radius,
    tests: &Affected,
    own: &[String],
) -> Result<Vec<Risk>, AskError> {
    /// Beyond so many definitions tests are not looked for one by one.
    const TESTS_FOR: usize = 30;
    let users = users(graph, seeds)?;
    let churn = churn(graph, seeds, own)?;
    let entries = entries(graph, seeds)?;
    let untested: HashSet<&str> = tests.untested.iter().map(String::as_str).collect();
    let looked: HashSet<&str> = seeds.iter().take(TESTS_FOR).map(|s| s.id.as_str()).collect();
    let mut out = Vec::new();
    for symbol in files.iter().flat_map(|f| &f.symbols).filter(|s| !s.is_test) {
        let was = symbol.was.as_deref().and_then(|was| seed(seeds, was));
        let Some(found) = seed(seeds, &symbol.id).or(was) else { continue };
        let (outside, guesses, all) = users.get(found.id.as_str()).copied().unwrap_or_default();
        let still_named: i64 =
            radius.broken.iter().filter(|(name, ..)| name == found.name()).map(|(_, _, sites)| *sites).sum();
        let (commits, fixes) = churn.get(symbol.file.as_str()).copied().unwrap_or_default();
        let reaches_entry = radius.entry_points.iter().any(|e| e.path.first() == Some(&found.id));
        let users_outside = outside + usize::try_from(still_named).unwrap_or(0);
        #[allow(clippy::cast_precision_loss)] // counts
        let factors = Factors {
            kind: match symbol.change {
                ChangeKind::Removed | ChangeKind::Renamed | ChangeKind::Signature => 1.0,
                ChangeKind::Value => 0.9,
                ChangeKind::Body => 0.8,
                ChangeKind::Added => 0.5,
            },
            reach: share(users_outside as f64, 5.0),
            untested: match () {
                () if untested.contains(found.id.as_str()) && symbol.change != ChangeKind::Removed => 1.0,
                () if !looked.contains(found.id.as_str()) => 0.5,
                () => 0.0,
            },
            entry: match () {
                () if entries.contains(&found.id) => 1.0,
                () if reaches_entry => 0.7,
                () => 0.0,
            },
            fixes: share(fixes as f64, 5.0),
            size: share(f64::from(symbol.changed_lines), 30.0),
            doubt: if all == 0 { 0.0 } else { guesses as f64 / all as f64 },
            users_outside,
            past_fixes: fixes,
            past_commits: commits,
        };
        let risk = factors.risk();
        out.push(Risk { symbol: symbol.clone(), risk, grade: Grade::of(risk), factors });
    }
    out.sort_by(|a, b| b.risk.total_cmp(&a.risk).then_with(|| a.symbol.id.cmp(&b.symbol.id)));
    Ok(out)
}

/// For each seed: production users outside its file, users by guess, all users.
fn users(graph: &Graph, seeds: &[Seed]) -> Result<HashMap<String, (usize, usize, usize)>, AskError> {
    let ids: Vec<&str> = seeds.iter().filter(|s| s.in_graph).map(|s| s.id.as_str()).collect();
    let mut seen: HashMap<String, HashMap<String, bool>> = HashMap::new();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    for row in graph.run(SITES, vec![("ids", texts(&ids))])?.rows {
        let (target, id) = (row.str(0)?.to_owned(), row.str(1)?.to_owned());
        let guess = Certainty::of(row.str(3)?) == Certainty::Guess;
        if row.bool(5)? || crate::scan::holds_tests(file_of(&id)) {
            continue;
        }
        let entry = seen.entry(target).or_default().entry(id).or_insert(true);
        *entry &= guess;
    }
    Ok(seen
        .into_iter()
        .map(|(target, users)| {
            let outside = users.keys().filter(|id| file_of(id) != file_of(&target)).count();
            let guesses = users.values().filter(|guess| **guess).count();
            let all = users.len();
            (target, (outside, guesses, all))
        })
        .collect())
}

/// Seeds that are called from outside.
fn entries(graph: &Graph, seeds: &[Seed]) -> Result<HashSet<String>, AskError> {
    let ids: Vec<&str> = seeds.iter().filter(|s| s.in_graph).map(|s| s.id.as_str()).collect();
    let mut out = HashSet::new();
    if ids.is_empty() {
        return Ok(out);
    }
    for row in graph.run(PLACES, vec![("ids", texts(&ids))])?.rows {
        if row.bool(6)? {
            out.insert(row.str(0)?.to_owned());
        }
    }
    Ok(out)
}

/// For each file: commits, and those that mend; those of the change itself left out.
fn churn(graph: &Graph, seeds: &[Seed], own: &[String]) -> Result<HashMap<String, (i64, i64)>, AskError> {
    let files: std::collections::BTreeSet<&str> = seeds.iter().map(|s| s.file.as_str()).collect();
    let files: Vec<&str> = files.into_iter().collect();
    let mut out = HashMap::new();
    if files.is_empty() {
        return Ok(out);
    }
    for row in graph.run(CHURN, vec![("paths", texts(&files)), ("own", texts(own))])?.rows {
        out.insert(row.str(0)?.to_owned(), (row.int(1)?, row.int(2)?));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_make_a_whole_and_grades_follow() {
        let all = Factors {
            kind: 1.0,
            reach: 1.0,
            untested: 1.0,
            entry: 1.0,
            fixes: 1.0,
            size: 1.0,
            doubt: 1.0,
            ..Factors::default()
        };
        assert!((all.risk() - 100.0).abs() < 1e-9);
        assert_eq!(Factors { kind: 1.0, ..Factors::default() }.risk(), 0.0);
        assert_eq!((Grade::of(44.9), Grade::of(45.0), Grade::of(19.9)), (Grade::Medium, Grade::High, Grade::Low));
    }
}
