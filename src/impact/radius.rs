//! The blast radius: what depends on the seeds, by levels, ranked, with what is cut counted.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use super::seeds::Seed;
use super::usage::{Usage, bare, plain};
use super::walk::{Node, Relation, Rules, confidence, walk, walk_one};
use crate::ask::{self, AskError, Certainty};
use crate::repo::Repo;
use crate::store::Graph;
use crate::store::value::{RowExt, texts};
use crate::terms::query_words;

const PLACES: &str = include_str!("../../queries/impact/places.cypher");
const FILE_COUNT: &str = include_str!("../../queries/impact/file_count.cypher");
const IMPORTERS: &str = include_str!("../../queries/impact/importers.cypher");

/// Steps back from a change.
pub const LEVELS: usize = 3;
/// Definitions of a level that are named; the others are counted.
pub const A_LEVEL: usize = 25;
/// Least confidence of an edge.
const LEAST: f64 = 0.3;
/// What each step after the first leaves of the probability: most callers' callers do not notice.
const DECAY: f64 = 0.6;

/// A definition that depends on a seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reached {
    /// Its id.
    pub id: String,
    /// Its file.
    pub file: String,
    /// Dotted name within the file.
    pub qualname: String,
    /// First line; 0 when the graph no longer says.
    pub start_line: i64,
    /// Last line.
    pub end_line: i64,
    /// A test.
    pub is_test: bool,
    /// Called from outside.
    pub entry_point: bool,
    /// Steps from the seed.
    pub hops: usize,
    /// How likely it is affected: a rough order, between 0 and 1.
    pub probability: f64,
    /// How the last step goes.
    pub relation: Relation,
    /// How that step was resolved.
    pub how: String,
    /// How sure the least sure step is.
    pub certainty: Certainty,
    /// Ids from the seed to the one before it.
    pub path: Vec<String>,
}

/// All that is as many steps away.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Level {
    /// Steps.
    pub hops: usize,
    /// The first ones: entry points and what bears the change's words first, then by probability.
    pub shown: Vec<Reached>,
    /// How many there are.
    pub total: usize,
    /// Those that are not shown, by file.
    pub cut: BTreeMap<String, usize>,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Radius {
    /// Production code by distance.
    pub levels: Vec<Level>,
    /// All of it, cut or not.
    pub total: usize,
    /// All of it by file, most first.
    pub files: Vec<(String, usize)>,
    /// Entry points among it.
    pub entry_points: Vec<Reached>,
    /// Tests within the same distance, by file, most first.
    pub tests: Vec<(String, usize)>,
    /// Call sites that name something that was removed or renamed and that could not be tied to a definition:
    /// (name, symbol that holds them, sites).
    pub broken: Vec<(String, String, i64)>,
    /// Files that import one of the seeds' files.
    pub importers: usize,
}

/// Walks back from the seeds. `all`: every definition is named, none cut.
///
/// # Errors
/// What the store says.
pub fn radius(graph: &Graph, repo: &Repo, seeds: &[Seed], all: bool) -> Result<Radius, AskError> {
    let mut out = Radius::default();
    let own: HashSet<&str> = seeds.iter().map(|s| s.id.as_str()).collect();
    let nodes = nodes(graph, repo, seeds)?;
    out.broken = broken(graph, seeds)?;
    let words: HashSet<String> = seeds.iter().take(40).flat_map(|s| query_words(s.name())).collect();
    let mut levels: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let (mut files, mut tests) = (HashMap::new(), HashMap::new());
    for (at, node) in nodes.iter().enumerate().filter(|(_, n)| n.hops > 0 && !own.contains(n.id.as_str())) {
        let file = file_of(&node.id).to_owned();
        if node.is_test || crate::scan::holds_tests(&file) {
            *tests.entry(file).or_insert(0) += 1;
            continue;
        }
        *files.entry(file).or_insert(0) += 1;
        levels.entry(node.hops).or_default().push(at);
    }
    let bears = |node: &Node| query_words(name_of(&node.id)).iter().any(|w| words.contains(w));
    /// Steps, the nodes that are named, how many are not, and those by file.
    type Named = (usize, Vec<usize>, usize, BTreeMap<String, usize>);
    let mut named: Vec<Named> = Vec::new();
    for (hops, mut found) in levels {
        let bearing: HashSet<usize> = found.iter().copied().filter(|at| bears(&nodes[*at])).collect();
        let score = |at: &usize| {
            let n = &nodes[*at];
            let first = if n.entry_point { 0.3 } else { 0.0 } + if bearing.contains(at) { 0.1 } else { 0.0 };
            n.probability + first - if n.id.ends_with("::<module>") { 0.3 } else { 0.0 }
        };
        found.sort_by(|a, b| score(b).total_cmp(&score(a)).then_with(|| nodes[*a].id.cmp(&nodes[*b].id)));
        let total = found.len();
        let keep = if all { total } else { A_LEVEL.min(total) };
        let mut cut = BTreeMap::new();
        for at in &found[keep..] {
            *cut.entry(file_of(&nodes[*at].id).to_owned()).or_insert(0) += 1;
        }
        found.truncate(keep);
        named.push((hops, found, total, cut));
    }
    let is_entry = |node: &Node| {
        node.hops > 0
            && node.entry_point
            && !node.is_test
            && !own.contains(node.id.as_str())
            && !crate::scan::holds_tests(file_of(&node.id))
    };
    let mut entries: Vec<usize> = (0..nodes.len()).filter(|at| is_entry(&nodes[*at])).collect();
    entries.sort_by(|a, b| nodes[*b].probability.total_cmp(&nodes[*a].probability).then(a.cmp(b)));
    entries.truncate(A_LEVEL);
    let wanted: Vec<&str> = named.iter().flat_map(|l| &l.1).chain(&entries).map(|at| nodes[*at].id.as_str()).collect();
    let places = places(graph, &wanted)?;
    let reached = |at: &usize| reached(&nodes, *at, &places);
    out.entry_points = entries.iter().map(reached).collect();
    for (hops, found, total, cut) in named {
        out.total += total;
        out.levels.push(Level { hops, shown: found.iter().map(reached).collect(), total, cut });
    }
    out.files = most_first(files);
    out.tests = most_first(tests);
    out.importers = importers(graph, seeds)?;
    Ok(out)
}

fn nodes(graph: &Graph, repo: &Repo, seeds: &[Seed]) -> Result<Vec<Node>, AskError> {
    /// Seeds whose overridden methods are looked up.
    const MANY: usize = 300;
    let mut start: Vec<(String, f64)> =
        seeds.iter().filter(|s| s.in_graph).map(|s| (s.id.clone(), s.weight())).collect();
    // Whoever overrides that one too and calls it (`super`) has nothing to do with this one.
    let mut siblings: HashSet<(String, String)> = HashSet::new();
    if seeds.iter().take(MANY).any(|s| s.kind == "method" || s.kind == "property") {
        // Who calls the method that one of these overrides may run it.
        let usage = Usage::new(graph, repo)?;
        let mut overridden: Vec<(String, f64)> = Vec::new();
        for seed in seeds.iter().take(MANY).filter(|s| s.in_graph) {
            let weight = seed.weight() * confidence("override");
            overridden.extend(usage.overridden(&seed.id).into_iter().map(|id| (id, weight)));
        }
        let known = places(graph, &overridden.iter().map(|o| o.0.as_str()).collect::<Vec<_>>())?;
        let mut seen: HashSet<String> = start.iter().map(|s| s.0.clone()).collect();
        overridden.retain(|(id, _)| known.contains_key(id) && seen.insert(id.clone()));
        for (base, _) in &overridden {
            let family = usage.class_of(base).map_or_else(Vec::new, |class| usage.family(class));
            siblings.extend(family.iter().map(|class| (base.clone(), format!("{class}.{}", bare(base)))));
        }
        start.append(&mut overridden);
    }
    let types = seeds.iter().any(|s| s.reaches_types() && !["function", "method"].contains(&s.kind.as_str()));
    let rules = Rules { hops: LEVELS, least: LEAST, decay: DECAY, types };
    match &start[..] {
        [] => Ok(Vec::new()),
        [one] if !types => walk_one(graph, one, rules),
        many if siblings.is_empty() => walk(graph, many, rules, &|_, _| true),
        many => {
            walk(graph, many, rules, &|target, user| !siblings.contains(&(target.to_owned(), plain(user).to_owned())))
        }
    }
}

/// Sites that still name what is gone.
fn broken(graph: &Graph, seeds: &[Seed]) -> Result<Vec<(String, String, i64)>, AskError> {
    use super::compare::ChangeKind::{Removed, Renamed};
    const MOST: usize = 20;
    let mut out = Vec::new();
    let gone = seeds.iter().filter(|s| !s.in_graph && matches!(s.change, Some(Removed | Renamed)));
    let mut names: Vec<&str> = gone.filter(|s| s.kind != "variable").map(Seed::name).collect();
    names.sort_unstable();
    names.dedup();
    for name in names.into_iter().take(MOST) {
        for site in ask::unresolved(graph, name)? {
            out.push((name.to_owned(), site.caller, site.sites));
        }
    }
    Ok(out)
}

/// Line, last line, kind of symbols.
pub(super) fn places(graph: &Graph, ids: &[&str]) -> Result<HashMap<String, (i64, i64, String)>, AskError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let mut out = HashMap::new();
    for row in graph.run(PLACES, vec![("ids", texts(ids))])?.rows {
        out.insert(row.str(0)?.to_owned(), (row.int(2)?, row.int(3)?, row.str(1)?.to_owned()));
    }
    Ok(out)
}

fn importers(graph: &Graph, seeds: &[Seed]) -> Result<usize, AskError> {
    let files: std::collections::BTreeSet<&str> = seeds.iter().map(|s| s.file.as_str()).collect();
    let files: Vec<&str> = files.into_iter().collect();
    if files.is_empty() {
        return Ok(0);
    }
    let rows = graph.run(IMPORTERS, vec![("paths", texts(&files))])?;
    let mut found = HashSet::new();
    for row in &rows.rows {
        found.insert(row.str(1)?.to_owned());
    }
    found.retain(|f| !files.contains(&f.as_str()));
    Ok(found.len())
}

fn reached(nodes: &[Node], at: usize, places: &HashMap<String, (i64, i64, String)>) -> Reached {
    let node = &nodes[at];
    let (start_line, end_line, _) = places.get(&node.id).cloned().unwrap_or_default();
    let mut path = Vec::new();
    let mut certainty = Certainty::of_edge(&node.how);
    let mut before = node.before;
    while let Some(at) = before {
        path.push(nodes[at].id.clone());
        if nodes[at].hops > 0 {
            certainty = certainty.max(Certainty::of_edge(&nodes[at].how));
        }
        before = nodes[at].before;
    }
    path.reverse();
    Reached {
        id: node.id.clone(),
        file: file_of(&node.id).to_owned(),
        qualname: name_of(&node.id).to_owned(),
        start_line,
        end_line,
        is_test: node.is_test,
        entry_point: node.entry_point,
        hops: node.hops,
        probability: node.probability,
        relation: node.relation,
        how: node.how.clone(),
        certainty,
        path,
    }
}

fn most_first(counts: HashMap<String, usize>) -> Vec<(String, usize)> {
    let mut list: Vec<(String, usize)> = counts.into_iter().collect();
    list.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    list
}

/// How many files the graph holds.
///
/// # Errors
/// What the store says.
pub fn file_count(graph: &Graph) -> Result<usize, AskError> {
    let rows = graph.run(FILE_COUNT, Vec::new())?;
    Ok(rows.rows.first().map_or(Ok(0), |row| row.int(0))?.try_into().unwrap_or(0))
}

/// The part of an id before `::`.
pub(crate) fn file_of(id: &str) -> &str {
    id.split_once("::").map_or(id, |(file, _)| file)
}

/// The part of an id after the file.
pub(crate) fn name_of(id: &str) -> &str {
    id.split_once("::").map_or(id, |(_, name)| name)
}
