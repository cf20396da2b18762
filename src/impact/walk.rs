//! Backwards along the graph from many definitions at once, level by level.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::ask::AskError;
use crate::queries;
use crate::store::Graph;
use crate::store::value::{RowExt, int, text, texts};

const STEP: &str = include_str!("../../queries/impact/step.cypher");

/// More rows than the walk of one definition gives.
const ALL: i64 = i64::MAX / 2;

/// How one definition depends on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// It calls it.
    Calls,
    /// It inherits from it.
    Inherits,
    /// It mentions it.
    Mentions,
    /// It names what is gone.
    Names,
}

/// A definition that was reached.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub id: String,
    pub is_test: bool,
    pub entry_point: bool,
    /// Steps from the seed; 0 for a seed.
    pub hops: usize,
    pub probability: f64,
    /// The node before it on the best way, by index.
    pub before: Option<usize>,
    pub relation: Relation,
    pub how: String,
}

/// How far a walk goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub hops: usize,
    /// Least confidence of an edge.
    pub least: f64,
    /// What each step after the first leaves of the probability.
    pub decay: f64,
    /// Mentions as a type count in the first step.
    pub types: bool,
}

/// What `how` is worth; as the graph says it in `confidence`.
pub(super) fn confidence(how: &str) -> f64 {
    match how {
        "type" => 0.9,
        "override" => 0.7,
        "unique name" => 0.6,
        "ambiguous name" => 0.3,
        _ => 1.0,
    }
}

/// All that depends on the seeds (id and probability), the seeds themselves first, nearest first. Each definition once, on its
/// most probable way among the shortest ones. `follows`: whether an edge (what is depended on, who depends) is taken.
pub(super) fn walk(
    graph: &Graph,
    seeds: &[(String, f64)],
    rules: Rules,
    follows: &dyn Fn(&str, &str) -> bool,
) -> Result<Vec<Node>, AskError> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut known: FxHashMap<String, usize> = FxHashMap::default();
    for (id, probability) in seeds {
        known.entry(id.clone()).or_insert(nodes.len());
        nodes.push(Node {
            id: id.clone(),
            is_test: false,
            entry_point: false,
            hops: 0,
            probability: *probability,
            before: None,
            relation: Relation::Calls,
            how: String::new(),
        });
    }
    let mut frontier: Vec<String> = seeds.iter().map(|s| s.0.clone()).collect();
    for hops in 1..=rules.hops {
        if frontier.is_empty() {
            break;
        }
        let params = vec![("ids", texts(&frontier)), ("least", kuzu::Value::Double(rules.least))];
        let mut next = FxHashSet::default();
        let first = nodes.len();
        graph.each::<AskError>(STEP, params, |row| {
            let access = row.str(6)?;
            let relation = match row.str(4)? {
                "INHERITS" => Relation::Inherits,
                "REFERENCES" => Relation::Mentions,
                _ => Relation::Calls,
            };
            if access == "type" && !(rules.types && hops == 1) {
                return Ok(());
            }
            let (target, id, how) = (row.str(0)?, row.str(1)?, row.str(5)?);
            let Some(&before) = known.get(target).filter(|_| follows(target, id)) else { return Ok(()) };
            let decay = if hops > 1 { rules.decay } else { 1.0 };
            let probability = nodes[before].probability * confidence(how) * decay;
            match known.get(id) {
                Some(&at) if at >= first && nodes[at].probability < probability => {
                    let node = &mut nodes[at];
                    (node.probability, node.before, node.relation) = (probability, Some(before), relation);
                    how.clone_into(&mut node.how);
                }
                Some(_) => {}
                None => {
                    known.insert(id.to_owned(), nodes.len());
                    next.insert(id.to_owned());
                    nodes.push(Node {
                        id: id.to_owned(),
                        is_test: row.bool(2)?,
                        entry_point: row.bool(3)?,
                        hops,
                        probability,
                        before: Some(before),
                        relation,
                        how: how.to_owned(),
                    });
                }
            }
            Ok(())
        })?;
        frontier = next.into_iter().collect();
        frontier.sort_unstable();
    }
    Ok(nodes)
}

/// The same from one definition, in one statement: the query that ships. At most three steps.
pub(super) fn walk_one(graph: &Graph, seed: &(String, f64), rules: Rules) -> Result<Vec<Node>, AskError> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut known: FxHashMap<String, usize> = FxHashMap::default();
    known.insert(seed.0.clone(), 0);
    nodes.push(Node {
        id: seed.0.clone(),
        is_test: false,
        entry_point: false,
        hops: 0,
        probability: seed.1,
        before: None,
        relation: Relation::Calls,
        how: String::new(),
    });
    // Chains without guesses first; then what only guesses reach, but never a longer sure way for a shorter guessed one.
    let mut best: FxHashMap<String, (f64, Vec<kuzu::Value>)> = FxHashMap::default();
    for query in ["blast_radius_sure", "blast_radius"] {
        let params = vec![("id", text(seed.0.as_str())), ("limit", int(ALL))];
        graph.each::<AskError>(queries::text(query), params, |row| {
            let id = row.str(0)?.to_owned();
            let hows = row.strs(5)?;
            let decay = rules.decay.powi(hows.len() as i32 - 1);
            let probability = seed.1 * decay * hows.iter().map(|how| confidence(how)).product::<f64>();
            let shorter = |old: &(f64, Vec<kuzu::Value>)| {
                let (was, is) = (old.1.int(3).unwrap_or(0), row.int(3).unwrap_or(0));
                (is, -probability) < (was, -old.0)
            };
            if best.get(&id).is_none_or(shorter) {
                best.insert(id, (probability, row));
            }
            Ok(())
        })?;
    }
    let mut found: Vec<(String, (f64, Vec<kuzu::Value>))> = best.into_iter().collect();
    found.sort_by(|a, b| (a.1.1.int(3).unwrap_or(0), &a.0).cmp(&(b.1.1.int(3).unwrap_or(0), &b.0)));
    for (id, (probability, row)) in found {
        let through = row.strs(4)?;
        let before = match through.last() {
            Some(last) => known.get(*last).copied(),
            None => Some(0),
        };
        let relation = match &row[6] {
            kuzu::Value::List(_, access) if matches!(access.last(), Some(kuzu::Value::String(_))) => Relation::Mentions,
            _ => Relation::Calls,
        };
        known.insert(id.clone(), nodes.len());
        nodes.push(Node {
            id,
            is_test: row.bool(1)?,
            entry_point: row.bool(2)?,
            hops: usize::try_from(row.int(3)?).unwrap_or(0),
            probability,
            before,
            relation,
            how: row.strs(5)?.last().copied().unwrap_or("").to_owned(),
        });
    }
    Ok(nodes)
}
