//! A change judged: the risk of each changed definition, what it reaches, which tests are missing, what was forgotten.
//!
//! # The formula
//!
//! ```text
//! risk = 100 * kind * (0.30 reach + 0.25 untested + 0.15 entry + 0.12 fixes + 0.10 size + 0.08 doubt)
//!
//! kind      removed, renamed, signature 1; value 0.9; body 0.8; added 0.5
//! reach     c / (c + 5), c: production symbols outside its file that call or mention it
//! untested  1 when no test is known to reach it, else 0; 0.5 when that was not looked into
//! entry     1 when it is an entry point, 0.7 when it reaches one within 3 steps, else 0
//! fixes     f / (f + 5), f: past commits to its file (the change's own left out) whose subject speaks of a fault
//! size      l / (l + 30), l: its added and removed lines
//! doubt     share of its callers that are known by their name only
//! ```
//!
//! Each factor lies between 0 and 1. High from 45 on, medium from 20. The weights are chosen by hand and order a review; they
//! are no measured probability of a fault.

mod claims;
mod risk;

use serde::Serialize;

pub use claims::{Claim, claims};
pub use risk::{Factors, Grade, Risk};

use crate::ask::AskError;
use crate::impact::changes::{Changes, FileChange};
use crate::impact::seeds::{Seed, of_changes};
use crate::impact::{Affected, Compared, Forgotten, Radius, affected, compare, forgotten, radius};
use crate::repo::Repo;
use crate::store::Graph;

/// Forgotten files must have changed with a touched one in at least so many commits, and in at least so large a share of its commits.
const FORGOTTEN: (i64, f64) = (3, 0.4);
/// Touched files whose partners are looked up; of more the partners say nothing.
const PARTNERS_OF: usize = 40;

/// All that a page shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Review {
    /// What the change is compared with.
    pub against: String,
    /// The patch is not in the work tree yet.
    pub unapplied: bool,
    /// The changed files.
    pub files: Vec<Compared>,
    /// The highest grade of all.
    pub grade: Grade,
    /// Changed definitions that are no tests, the riskiest first.
    pub risks: Vec<Risk>,
    /// More changed definitions, that were not looked into.
    pub not_judged: usize,
    /// What they reach.
    pub radius: Radius,
    /// Tests that reach them.
    pub tests: Affected,
    /// What usually changes too and did not.
    pub forgotten: Vec<Forgotten>,
    /// What other sessions hold of the changed files.
    pub claims: Vec<Claim>,
    /// Files in the graph.
    pub repository_files: usize,
}

/// Judges a change. `now`: seconds since 1970, for claims.
///
/// # Errors
/// What the store says.
pub fn review(graph: &Graph, repo: &Repo, changes: &Changes, now: i64) -> Result<Review, AskError> {
    let files = compare(changes);
    let (seeds, not_judged) = of_changes(graph, &files, changes.unapplied)?;
    let radius = radius(graph, repo, &seeds, false)?;
    let tests = affected(graph, repo, &seeds)?;
    let risks = risk::risks(graph, &files, &seeds, &radius, &tests, &changes.commits)?;
    let touched: Vec<String> = changes.files.iter().flat_map(names).collect();
    let asked: Vec<String> = touched.iter().take(PARTNERS_OF).cloned().collect();
    let mut missing =
        if touched.len() > PARTNERS_OF { Vec::new() } else { forgotten(graph, &asked, &changes.commits)? };
    #[allow(clippy::cast_precision_loss)] // counts of commits
    let often = |f: &Forgotten| f.together >= FORGOTTEN.0 && f.together as f64 >= FORGOTTEN.1 * f.commits as f64;
    missing.retain(|f| often(f) && !touched.contains(&f.path));
    let repository_files = crate::impact::radius::file_count(graph)?;
    Ok(Review {
        against: changes.against.clone(),
        unapplied: changes.unapplied,
        grade: risks.iter().map(|r| r.grade).max().unwrap_or(Grade::Low),
        risks,
        not_judged,
        radius,
        tests,
        forgotten: missing,
        claims: claims(graph, &touched, now)?,
        repository_files,
        files,
    })
}

fn names(file: &FileChange) -> impl Iterator<Item = String> {
    std::iter::once(file.path.clone()).chain(file.was.clone())
}

/// The seeds of a review's radius that were judged.
fn seed<'s>(seeds: &'s [Seed], id: &str) -> Option<&'s Seed> {
    seeds.iter().find(|s| s.id == id)
}
