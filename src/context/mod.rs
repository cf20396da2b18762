//! Context for a model within a budget of tokens: the bodies of a few definitions, and of what is around them the
//! declarations only. The same question gives the same text.
//!
//! Order of worth: each seed's body, then its callers, its callees, its tests, lessons about it, then callers and callees
//! one step further. What does not fit is cut from the end of that order, and counted. The text itself goes by
//! files: `## File`, `## Symbol (lines)`, `## Called by`, `## Calls`, `## Tests`, `## Lessons`.

pub mod ask;
mod body;

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::ask::AskError;
use crate::impact::radius::{file_of, name_of};
use crate::impact::{Seed, affected};
use crate::repo::Repo;
use crate::store::Graph;
use crate::store::value::{RowExt, text};

const AROUND: &str = include_str!("../../queries/context/around.cypher");
const LESSONS: &str = include_str!("../../queries/context/lessons.cypher");

/// Neighbours of one definition that are considered.
const NEIGHBOURS: usize = 12;
/// Tests that are named for one definition.
const TESTS: usize = 5;

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Role {
    Body,
    CalledBy,
    Calls,
    Tests,
    Lessons,
}

/// A part of the context.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// The seed that it belongs to.
    pub seed: String,
    /// What it is.
    pub role: Role,
    /// Steps from the seed.
    pub hops: usize,
    /// Its lines.
    pub text: String,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Assembled {
    /// The text.
    pub text: String,
    /// Its tokens, by the counter that was given.
    pub tokens: usize,
    /// Parts in it.
    pub parts: Vec<Part>,
    /// Parts that did not fit: (role, how many).
    pub cut: Vec<(Role, usize)>,
    /// Definitions whose body is only there in parts.
    pub shortened: Vec<String>,
}

/// Assembles the context of these seeds. `words`: of the question, for the relevant parts of a long body. `count`: tokens of a
/// text; it must never give less for a text than for a part of it.
///
/// # Errors
/// What the store says.
pub fn assemble(
    graph: &Graph,
    repo: &Repo,
    seeds: &[Seed],
    words: &[String],
    budget: usize,
    count: &dyn Fn(&str) -> usize,
) -> Result<Assembled, AskError> {
    let mut parts: Vec<(usize, Part)> = Vec::new();
    let mut shortened = Vec::new();
    // No body takes more than its share, so that the last seed is not left out for the first one's length.
    let share = (budget * 3 / 5).checked_div(seeds.len().max(1)).unwrap_or(budget);
    for (at, seed) in seeds.iter().enumerate() {
        let around = around(graph, &seed.id)?;
        let mut names: Vec<String> = words.to_vec();
        names.extend(around.iter().filter(|n| !n.caller).take(6).map(|n| bare(&n.id).to_owned()));
        let (body, whole) = body::body(repo, seed, &names, share, count);
        if !whole {
            shortened.push(seed.id.clone());
        }
        let mut add = |worth: usize, role: Role, hops: usize, text: String| {
            parts.push((worth * 100 + at, Part { seed: seed.id.clone(), role, hops, text }));
        };
        add(0, Role::Body, 0, body);
        let mut seen: HashSet<String> = HashSet::from([seed.id.clone()]);
        for n in around.iter().filter(|n| seen.insert(format!("{}{}", n.caller, n.id))) {
            let (worth, role) = if n.caller { (1, Role::CalledBy) } else { (2, Role::Calls) };
            add(worth, role, 1, n.line(0));
        }
        for hit in affected(graph, repo, std::slice::from_ref(seed))?.hits.into_iter().take(TESTS) {
            add(3, Role::Tests, hit.hops, format!("{}:{} {}\n", hit.file, hit.start_line, hit.qualname));
        }
        let params = vec![("id", text(seed.id.as_str())), ("path", text(seed.file.as_str()))];
        for row in graph.run(LESSONS, params)?.rows {
            add(4, Role::Lessons, 0, format!("{}\n", crate::extract::fold_space(row.str(0)?)));
        }
        for (worth, callers, role) in [(5, true, Role::CalledBy), (6, false, Role::Calls)] {
            for n in around.iter().filter(|n| n.caller == callers).take(4) {
                for far in self::around(graph, &n.id)?.iter().filter(|f| f.caller == callers).take(4) {
                    if seen.insert(format!("{callers}{}", far.id)) {
                        add(worth, role, 2, far.line(1));
                    }
                }
            }
        }
    }
    parts.sort_by_key(|p| p.0);
    let parts: Vec<Part> = parts.into_iter().map(|p| p.1).collect();
    // The most parts whose text fits: the text only grows with them.
    let fits = |n: usize| count(&write(seeds, &parts[..n])) <= budget;
    let (mut low, mut high) = (0, parts.len());
    while low < high {
        let middle = (low + high).div_ceil(2);
        if fits(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    let mut cut: BTreeMap<Role, usize> = BTreeMap::new();
    for part in &parts[low..] {
        *cut.entry(part.role).or_default() += 1;
    }
    let text = if low == 0 { String::new() } else { write(seeds, &parts[..low]) };
    Ok(Assembled {
        tokens: count(&text),
        text,
        parts: parts[..low].to_vec(),
        cut: cut.into_iter().collect(),
        shortened,
    })
}

/// The block form.
fn write(seeds: &[Seed], parts: &[Part]) -> String {
    let mut out = String::new();
    let mut file = "";
    let mut order: Vec<&Seed> = seeds.iter().collect();
    // By files, in the order in which the files first matter.
    order.sort_by_key(|s| seeds.iter().position(|o| o.file == s.file));
    for seed in order {
        let own: Vec<&Part> = parts.iter().filter(|p| p.seed == seed.id).collect();
        if own.is_empty() {
            continue;
        }
        if file != seed.file {
            file = &seed.file;
            out.push_str(&format!("## File {file}\n"));
        }
        out.push_str(&format!("## Symbol {} (lines {}-{})\n", seed.qualname, seed.start_line, seed.end_line));
        for (role, title) in [
            (Role::Body, ""),
            (Role::CalledBy, "## Called by\n"),
            (Role::Calls, "## Calls\n"),
            (Role::Tests, "## Tests\n"),
            (Role::Lessons, "## Lessons\n"),
        ] {
            let mut titled = false;
            for part in own.iter().filter(|p| p.role == role) {
                if !titled {
                    out.push_str(title);
                    titled = true;
                }
                out.push_str(&part.text);
            }
        }
    }
    out
}

struct Neighbour {
    caller: bool,
    id: String,
    signature: String,
    start_line: i64,
    lines: Vec<i64>,
    guess: bool,
}

impl Neighbour {
    fn line(&self, indent: usize) -> String {
        let at = self.lines.first().filter(|_| self.caller).copied().unwrap_or(self.start_line);
        let what = if self.signature.is_empty() { name_of(&self.id).to_owned() } else { self.signature.clone() };
        let guess = if self.guess { " (a guess)" } else { "" };
        let owner = name_of(&self.id).rsplit_once('.').map_or(String::new(), |(owner, _)| format!("{owner}: "));
        format!("{}{}:{at} {owner}{what}{guess}\n", "  ".repeat(indent), file_of(&self.id))
    }
}

/// Callers that are no tests, and callees, the surest and most central first.
fn around(graph: &Graph, id: &str) -> Result<Vec<Neighbour>, AskError> {
    let mut found: Vec<(f64, f64, Neighbour)> = Vec::new();
    for row in graph.run(AROUND, vec![("id", text(id))])?.rows {
        if row.bool(6)? || crate::scan::holds_tests(file_of(row.str(1)?)) {
            continue;
        }
        found.push((
            row.float(5)?,
            row.float(7)?,
            Neighbour {
                caller: row.str(0)? == "caller",
                id: row.str(1)?.to_owned(),
                signature: crate::extract::clip(row.str(2)?, 160).to_owned(),
                start_line: row.int(3)?,
                lines: row.ints(4)?,
                guess: row.float(5)? < 0.7,
            },
        ));
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then_with(|| a.2.id.cmp(&b.2.id)));
    let (mut callers, mut callees) = (0, 0);
    found.retain(|(_, _, n)| {
        let kept = if n.caller { &mut callers } else { &mut callees };
        *kept += 1;
        *kept <= NEIGHBOURS
    });
    Ok(found.into_iter().map(|f| f.2).collect())
}

fn bare(id: &str) -> &str {
    let name = name_of(id);
    name.rsplit('.').next().unwrap_or(name)
}
