//! The tests that run a definition: those that call it, and those that reach it through others.
//!
//! Going back over all edges to the end reaches nearly every test of a framework: whoever runs a command reaches every
//! override of every method. A step to an override therefore counts for a test only when the test also reaches what makes an object
//! of that class or of a class below it: rapid type analysis (D. Bacon, P. Sweeney, Fast Static Analysis of C++ Virtual
//! Function Calls, OOPSLA 1996), read backwards. Steps that are guesses by name are treated alike. What is reached only
//! through several conditions is told apart ([`Hit::likely`], see `doubt`).

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::doubt;
use super::radius::{file_of, name_of};
use super::seeds::Seed;
use super::usage::{Usage, Use, makes, plain, with_ordinals};
use super::walk::confidence;
use crate::ask::AskError;
use crate::repo::Repo;
use crate::store::Graph;
use crate::store::value::RowExt;
use crate::terms::query_words;

const TESTS: &str = include_str!("../../queries/impact/test_symbols.cypher");

/// Steps back at most: no chain of calls in a real program that a test proves is longer.
const STEPS: usize = 24;
/// Classes whose making is looked into.
const CLASSES: usize = 32;
/// Seeds whose calls on something unknown are looked up.
const UNPLACED_OF: usize = 16;
/// Definitions of a way, from the seed on, whose words speak for a test.
const NEAR: usize = 3;
/// What each step leaves of a test's score.
const DECAY: f64 = 0.75;

/// A test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hit {
    /// Its id.
    pub id: String,
    /// Its file.
    pub file: String,
    /// Dotted name within the file.
    pub qualname: String,
    /// First line.
    pub start_line: i64,
    /// It calls a seed itself, or through a helper or fixture of the tests.
    pub direct: bool,
    /// Steps to the nearest seed.
    pub hops: usize,
    /// Its place in the order; comparable within one answer only.
    pub score: f64,
    /// Whether it probably runs a seed: few steps of the way are conditional or a guess, or the test bears a rare word of it.
    /// Where that is said of none, it is said of all.
    pub likely: bool,
    /// Ids between the seed and the test, from the seed on.
    pub through: Vec<String>,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Affected {
    /// Tests, the most telling first.
    pub hits: Vec<Hit>,
    /// How many tests the repository has.
    pub suite: usize,
    /// Seeds that no test is known to reach.
    pub untested: Vec<String>,
}

#[derive(Clone)]
struct Node {
    hops: usize,
    score: f64,
    before: Option<String>,
    seed: usize,
    /// The class of which a test must make an object for the way to count.
    needs: Option<String>,
}

/// All tests that reach one of the seeds.
///
/// # Errors
/// What the store says.
pub fn affected(graph: &Graph, repo: &Repo, seeds: &[Seed]) -> Result<Affected, AskError> {
    let cases = Cases::read(graph)?;
    let mut out = Affected { suite: cases.lines.len(), ..Affected::default() };
    let start: Vec<&Seed> = seeds.iter().filter(|s| s.in_graph).collect();
    if start.is_empty() || cases.lines.is_empty() {
        out.untested = seeds.iter().filter(|s| matters(s)).map(|s| s.id.clone()).collect();
        return Ok(out);
    }
    let mut edges = Usage::new(graph, repo)?;
    for seed in start.iter().take(UNPLACED_OF) {
        edges.take_unplaced(&seed.id)?;
    }
    let nodes = back(&mut edges, &start)?;
    let needed: BTreeSet<&str> =
        nodes.iter().filter_map(|(id, n)| cases.of(id).next().and(n.needs.as_deref())).collect();
    let mut makers: FxHashMap<String, Option<FxHashSet<String>>> = FxHashMap::default();
    for class in needed.into_iter().take(CLASSES) {
        makers.insert(class.to_owned(), makers_of(&mut edges, class, &cases)?);
    }
    let rarity = Rarity::of(&cases);
    let own: FxHashSet<String> = start.iter().take(40).flat_map(|s| query_words(s.name())).collect();
    let words: FxHashSet<String> = start.iter().take(40).flat_map(|s| query_words(&s.qualname)).collect();
    let mut doubts: FxHashMap<(String, String), usize> = FxHashMap::default();
    let mut best: FxHashMap<&str, Hit> = FxHashMap::default();
    for (id, node) in &nodes {
        for case in cases.of(id) {
            if let Some(Some(makers)) = node.needs.as_ref().map(|class| makers.get(class).unwrap_or(&None))
                && !makers.contains(case)
            {
                continue;
            }
            let worth = |text: &str| -> f64 {
                let shared = query_words(text).into_iter().filter(|w| words.contains(w));
                shared.map(|w| rarity.of_word(&w) * if own.contains(&w) { 1.0 } else { 0.5 }).sum()
            };
            let score = node.score + 0.3 * worth(name_of(case)).min(1.5) + 0.2 * worth(file_of(case)).min(1.0);
            let through = chain(&nodes, id);
            let likely = is_likely(&edges, &mut doubts, &rarity, &through, id, case);
            let hit = Hit {
                id: case.to_owned(),
                file: file_of(case).to_owned(),
                qualname: name_of(case).to_owned(),
                start_line: cases.lines.get(case).copied().unwrap_or(0),
                direct: through[1..].iter().all(|t| crate::scan::holds_tests(file_of(t))),
                hops: node.hops,
                score,
                likely,
                through,
            };
            match best.get(case) {
                Some(known) if (known.direct, known.likely, known.score) >= (hit.direct, hit.likely, hit.score) => {}
                _ => {
                    best.insert(case, hit);
                }
            }
        }
    }
    let covered: FxHashSet<usize> =
        nodes.iter().filter(|(id, _)| cases.of(id).next().is_some()).map(|(_, n)| n.seed).collect();
    out.untested = untested(&mut edges, seeds, &start, &covered, &cases)?;
    out.hits = best.into_values().collect();
    if !out.hits.iter().any(|hit| hit.likely) {
        out.hits.iter_mut().for_each(|hit| hit.likely = true);
    }
    out.hits.sort_by(|a, b| {
        (b.direct, b.likely)
            .cmp(&(a.direct, a.likely))
            .then_with(|| b.score.total_cmp(&a.score))
            .then_with(|| a.id.cmp(&b.id))
    });
    Ok(out)
}

/// See [`Hit::likely`]. `id`: the definition of the tests at which the way ends, in `case`.
fn is_likely(
    edges: &Usage<'_>,
    doubts: &mut FxHashMap<(String, String), usize>,
    rarity: &Rarity,
    through: &[String],
    id: &str,
    case: &str,
) -> bool {
    let users = through.iter().skip(1).map(String::as_str).chain([id]);
    let steps = through.iter().zip(users).filter(|(target, _)| !crate::scan::holds_tests(file_of(target)));
    let mut sum = 0;
    for (target, user) in steps {
        let key = (target.clone(), user.to_owned());
        sum += *doubts.entry(key).or_insert_with(|| edges.doubts(target, user));
    }
    sum <= doubt::MOST || {
        let rare: FxHashSet<String> = query_words(name_of(case))
            .into_iter()
            .chain(query_words(file_of(case)))
            .filter(|w| rarity.is_rare(w))
            .collect();
        through.iter().take(NEAR).any(|t| query_words(name_of(t)).iter().any(|w| rare.contains(w)))
    }
}

/// In how many tests' names and paths a word stands.
struct Rarity {
    tests: f64,
    with: FxHashMap<String, f64>,
}

impl Rarity {
    #[allow(clippy::cast_precision_loss)] // a count of tests
    fn of(cases: &Cases) -> Rarity {
        let mut with: FxHashMap<String, f64> = FxHashMap::default();
        for id in cases.lines.keys() {
            let words: FxHashSet<String> =
                query_words(name_of(id)).into_iter().chain(query_words(file_of(id))).collect();
            words.into_iter().for_each(|word| *with.entry(word).or_default() += 1.0);
        }
        Rarity { tests: cases.lines.len() as f64, with }
    }

    /// Between 0, in every name, and 1, in one: inverse document frequency (K. Spärck Jones, A Statistical Interpretation of
    /// Term Specificity, Journal of Documentation 28, 1972).
    fn of_word(&self, word: &str) -> f64 {
        let with = self.with.get(word).copied().unwrap_or(1.0);
        if self.tests <= 1.0 { 1.0 } else { (self.tests / with).ln() / self.tests.ln() }
    }

    /// In one test of eight at most.
    fn is_rare(&self, word: &str) -> bool {
        self.with.get(word).is_some_and(|with| *with <= (self.tests / 8.0).max(1.0))
    }
}

/// Whether a missing test of it is worth a word.
fn matters(seed: &Seed) -> bool {
    matches!(seed.kind.as_str(), "function" | "method" | "property" | "macro")
}

/// Seeds that no test reaches. A seed behind another one was reached through it, so each is asked on its own.
fn untested(
    edges: &mut Usage<'_>,
    seeds: &[Seed],
    start: &[&Seed],
    covered: &FxHashSet<usize>,
    cases: &Cases,
) -> Result<Vec<String>, AskError> {
    const MOST: usize = 30;
    let mut out = Vec::new();
    for seed in seeds.iter().filter(|s| matters(s)).take(MOST) {
        let at = start.iter().position(|s| s.id == seed.id);
        if at.is_some_and(|at| covered.contains(&at)) {
            continue;
        }
        let alone = match at {
            Some(at) => {
                // The declarations of one overloaded name are run by the calls of any of them.
                let twins: Vec<Seed> =
                    with_ordinals(plain(&seed.id)).into_iter().map(|id| Seed { id, ..start[at].clone() }).collect();
                back(edges, &twins.iter().collect::<Vec<_>>())?
            }
            None => FxHashMap::default(),
        };
        let known = out.iter().any(|id: &String| plain(id) == plain(&seed.id));
        if !known && !alone.keys().any(|id| cases.of(id).next().is_some()) {
            out.push(seed.id.clone());
        }
    }
    Ok(out)
}

/// From a node to its seed, the seed first.
fn chain(nodes: &FxHashMap<String, Node>, id: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut at = nodes.get(id).and_then(|n| n.before.as_deref());
    while let Some(id) = at {
        out.push(id.to_owned());
        at = nodes.get(id).and_then(|n| n.before.as_deref());
        if out.len() > STEPS + 1 {
            break;
        }
    }
    out.reverse();
    if out.is_empty() { vec![id.to_owned()] } else { out }
}

/// Everything that the seeds' users lead to. Sure uses first, then those that need an object of some class.
fn back(usage: &mut Usage<'_>, seeds: &[&Seed]) -> Result<FxHashMap<String, Node>, AskError> {
    let mut nodes: FxHashMap<String, Node> = FxHashMap::default();
    for (seed, s) in seeds.iter().enumerate() {
        nodes.insert(s.id.clone(), Node { hops: 0, score: 1.0, before: None, seed, needs: None });
    }
    let mut frontier: Vec<String> = seeds.iter().map(|s| s.id.clone()).collect();
    let mut later: Vec<(String, Use)> = Vec::new();
    for unsure in [false, true] {
        for round in 0..STEPS {
            let mut found: FxHashMap<String, Node> = FxHashMap::default();
            let mut take = |nodes: &FxHashMap<String, Node>, target: &str, user: &Use, class: Option<&str>| {
                let node = step(&nodes[target], target, user, class);
                if found.get(&user.id).is_none_or(|known| known.score < node.score) {
                    found.insert(user.id.clone(), node);
                }
            };
            if unsure && round == 0 {
                for (target, user) in std::mem::take(&mut later) {
                    if !nodes.contains_key(&user.id) {
                        take(&nodes, &target, &user, usage.class_of(&target));
                    }
                }
            } else {
                for (target, uses) in frontier.iter().zip(usage.of(&frontier)?) {
                    for user in uses.into_iter().filter(|u| !nodes.contains_key(&u.id)) {
                        if unsure || user.is_sure() {
                            take(&nodes, target, &user, usage.class_of(target));
                        } else {
                            later.push((target.clone(), user));
                        }
                    }
                }
            }
            frontier = found.keys().cloned().collect();
            frontier.sort_unstable();
            nodes.extend(found);
            if frontier.is_empty() {
                break;
            }
        }
    }
    Ok(nodes)
}

fn step(from: &Node, target: &str, user: &Use, class: Option<&str>) -> Node {
    let decay = if from.hops == 0 { 1.0 } else { DECAY };
    let needs = match &from.needs {
        Some(class) => Some(class.clone()),
        None if user.is_sure() => None,
        None => class.map(str::to_owned),
    };
    Node {
        hops: from.hops + 1,
        score: from.score * confidence(&user.how) * decay,
        before: Some(target.to_owned()),
        seed: from.seed,
        needs,
    }
}

/// Tests that reach what makes an object of a class or of one below it; `None` when code at the top level of a module that
/// tests load does, so that everybody has one. An object's own methods run only when there is one already, and whoever only asks
/// what something is (`isinstance`) makes none.
fn makers_of(usage: &mut Usage<'_>, class: &str, cases: &Cases) -> Result<Option<FxHashSet<String>>, AskError> {
    let family = usage.family(class);
    let own: FxHashSet<&str> = family.iter().map(String::as_str).collect();
    let start: FxHashSet<String> = family.iter().flat_map(|class| makes(class)).collect();
    let mut frontier: Vec<String> = start.iter().cloned().collect();
    let mut seen = start.clone();
    for _ in 0..STEPS {
        if frontier.is_empty() {
            break;
        }
        frontier.sort_unstable();
        usage.load(&frontier)?;
        let mut next: Vec<String> = Vec::new();
        for target in &frontier {
            for user in usage.stored(target) {
                let module = user.id.ends_with("::<module>");
                let mentioned = user.mentions
                    && start.contains(target)
                    && (user.access == "read"
                        || (module && file_of(&user.id) != file_of(target))
                        || usage.only_checks(user));
                let inside = usage.class_of(&user.id).is_some_and(|class| own.contains(class));
                if user.how != "ambiguous name" && !mentioned && !inside && seen.insert(user.id.clone()) {
                    next.push(user.id.clone());
                }
            }
        }
        for id in next.iter().filter(|id| id.ends_with("::<module>")) {
            let file = file_of(id);
            if !crate::scan::holds_tests(file) && usage.is_live(file)? {
                return Ok(None);
            }
        }
        frontier = next;
    }
    Ok(Some(seen.iter().flat_map(|id| cases.of(id)).map(str::to_owned).collect()))
}

/// The tests of the repository.
struct Cases {
    /// Each with its first line.
    lines: FxHashMap<String, i64>,
    /// Those of a file.
    files: FxHashMap<String, Vec<String>>,
}

impl Cases {
    fn read(graph: &Graph) -> Result<Cases, AskError> {
        let rows = graph.run(TESTS, Vec::new())?;
        let mut all: Vec<(String, i64)> = Vec::with_capacity(rows.len());
        for row in &rows.rows {
            if !matches!(row.str(1)?, "module" | "class" | "namespace" | "struct") {
                all.push((row.str(0)?.to_owned(), row.int(2)?));
            }
        }
        // A test that holds tests is a suite. Sorted, what a suite holds stands right behind it.
        let holds = |at: usize| {
            let below = format!("{}.", all[at].0);
            all.get(at + 1).is_some_and(|next| next.0.starts_with(&below))
        };
        let lines: FxHashMap<String, i64> = (0..all.len()).filter(|at| !holds(*at)).map(|at| all[at].clone()).collect();
        let mut files: FxHashMap<String, Vec<String>> = FxHashMap::default();
        for id in lines.keys() {
            files.entry(file_of(id).to_owned()).or_default().push(id.clone());
        }
        files.values_mut().for_each(|v| v.sort_unstable());
        Ok(Cases { lines, files })
    }

    /// The tests that a definition stands for: itself, the one that holds it, all of its suite, or all of the file when code
    /// at its top level is meant.
    fn of<'c>(&'c self, id: &'c str) -> Box<dyn Iterator<Item = &'c str> + 'c> {
        let Some(in_file) = self.files.get(file_of(id)) else { return Box::new(std::iter::empty()) };
        if id.ends_with("::<module>") {
            return Box::new(in_file.iter().map(String::as_str));
        }
        let mut around = id;
        while around.contains("::") {
            if let Some((case, _)) = self.lines.get_key_value(around) {
                return Box::new(std::iter::once(case.as_str()));
            }
            match around.rsplit_once('.') {
                Some((outer, _)) if outer.contains("::") => around = outer,
                _ => break,
            }
        }
        Box::new(std::iter::empty())
    }
}
