//! Along CALLS down to the function that does the work: from a named function through thin symbols, from a
//! named class to what its members share, and from the functions whose own words fit best.

use std::collections::{BTreeMap, BTreeSet};

use super::prior::Classes;
use super::text::TextScores;
use super::weights::walk as w;
use super::{GraphView, Hit, Signal, Target};
use crate::facts::SymbolKind;
use crate::search::Index;

/// Most named symbols that are walked from: each is a statement.
const MOST_SEEDS: usize = 6;
/// Members of a named class that are walked from, those whose words fit best.
const MOST_MEMBERS: usize = 2;
/// Functions that are walked from for their words alone.
const MOST_BY_WORDS: usize = 3;
/// A walk that reaches more than this has met no thin chain but a hub.
const MOST_REACHED: usize = 40;

/// Hits on what the strongest symbols call. `text` has been normalised.
pub fn hits<G: GraphView>(
    index: &Index,
    graph: &G,
    classes: &Classes,
    text: &TextScores,
    hits: &mut Vec<Hit>,
) -> Result<(), G::Error> {
    // Unit to walk from -> strength. A class stands for its members.
    let mut starts: BTreeMap<u32, f32> = BTreeMap::new();
    for (seed, strength) in named(hits) {
        let Some(view) = index.unit(seed) else { continue };
        if is_type(view.kind) {
            let members = shared_callees(index, graph, seed, strength, hits)?;
            for (member, relevance) in best_members(text, members) {
                raise(&mut starts, member, strength * w::FROM_MEMBER * relevance);
            }
        } else {
            raise(&mut starts, seed, strength);
        }
    }
    for (unit, relevance) in best_by_words(index, classes, text) {
        raise(&mut starts, unit, w::FROM_WORDS * relevance);
    }
    let mut starts: Vec<(u32, f32)> = starts.into_iter().collect();
    starts.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    for (start, strength) in starts.into_iter().take(MOST_SEEDS + MOST_BY_WORDS) {
        let Some((id, name)) = symbol_id(index, start) else { continue };
        let reached = graph.callees_through_thin(&id)?;
        if reached.len() > MOST_REACHED {
            continue;
        }
        let spread = 1.0 / (1.0 + (reached.len() as f32 / w::SPREAD));
        for (callee, hops) in reached {
            let Some(unit) = unit_of(index, &callee) else { continue };
            // What is called counts more when its own words fit.
            let fits = 1.0 - w::NEEDS_WORDS + w::NEEDS_WORDS * text.units[unit as usize].min(1.0);
            hits.push(Hit {
                target: Target::Unit(unit),
                signal: Signal::Calls,
                strength: strength * spread * fits * w::DECAY.powi(hops.saturating_sub(1) as i32),
                note: format!("{hops} calls below {name}"),
            });
        }
    }
    Ok(())
}

fn raise(starts: &mut BTreeMap<u32, f32>, unit: u32, strength: f32) {
    let entry = starts.entry(unit).or_default();
    *entry = entry.max(strength);
}

/// The strongest symbols that the text names.
fn named(hits: &[Hit]) -> Vec<(u32, f32)> {
    let mut seeds = BTreeMap::new();
    for hit in hits {
        if let (Target::Unit(unit), Signal::Mention | Signal::Frame) = (hit.target, hit.signal) {
            raise(&mut seeds, unit, hit.strength);
        }
    }
    let mut seeds: Vec<(u32, f32)> = seeds.into_iter().collect();
    seeds.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    seeds.truncate(MOST_SEEDS);
    seeds
}

/// Hits on what several members of a class call; gives the members that call anything.
fn shared_callees<G: GraphView>(
    index: &Index,
    graph: &G,
    class: u32,
    strength: f32,
    hits: &mut Vec<Hit>,
) -> Result<BTreeSet<u32>, G::Error> {
    let Some((id, name)) = symbol_id(index, class) else { return Ok(BTreeSet::new()) };
    let mut callers: BTreeMap<String, u32> = BTreeMap::new();
    let mut members = BTreeSet::new();
    for (member, callee) in graph.calls_of_members(&id)? {
        *callers.entry(callee).or_default() += 1;
        members.extend(unit_of(index, &member));
    }
    for (callee, count) in callers {
        let Some(unit) = unit_of(index, &callee) else { continue };
        let count = count as f32;
        hits.push(Hit {
            target: Target::Unit(unit),
            signal: Signal::Calls,
            strength: strength * w::SHARED * count / (count + w::SHARED_HALF),
            note: format!("called by {count} members of {name}"),
        });
    }
    Ok(members)
}

fn best_members(text: &TextScores, members: BTreeSet<u32>) -> Vec<(u32, f32)> {
    let mut ranked: Vec<(u32, f32)> = members.into_iter().map(|m| (m, text.units[m as usize].min(1.0))).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked.truncate(MOST_MEMBERS);
    ranked
}

fn best_by_words(index: &Index, classes: &Classes, text: &TextScores) -> Vec<(u32, f32)> {
    let mut best: Vec<(u32, f32)> = Vec::new();
    for (unit, &score) in text.units.iter().enumerate() {
        if score <= 0.0 || best.len() == MOST_BY_WORDS && score <= best[MOST_BY_WORDS - 1].1 {
            continue;
        }
        let unit = unit as u32;
        let callable = index.unit(unit).is_some_and(|v| {
            !v.is_test
                && matches!(v.kind, Some(SymbolKind::Function | SymbolKind::Method))
                && classes.weight(v.file) >= 1.0
        });
        if callable {
            let at = best.partition_point(|b| b.1 >= score);
            best.insert(at, (unit, score));
            best.truncate(MOST_BY_WORDS);
        }
    }
    best
}

/// Says whether calls are made by its members and not by itself.
pub fn is_type(kind: Option<SymbolKind>) -> bool {
    use SymbolKind::*;
    matches!(kind, Some(Class | Interface | Trait | Struct | Enum))
}

fn symbol_id(index: &Index, unit: u32) -> Option<(String, String)> {
    let view = index.unit(unit)?;
    view.kind?;
    let file = index.file(view.file)?;
    Some((format!("{}::{}", file.path, view.qualname), view.qualname.to_owned()))
}

/// The unit of a symbol id (`path::Qual.name`).
pub fn unit_of(index: &Index, id: &str) -> Option<u32> {
    let (path, qualname) = id.split_once("::")?;
    let base = path.rsplit('/').next()?;
    let (file, _) = index.files_named(base).find(|(_, f)| f.path == path)?;
    index.units_of(file).find(|&u| index.unit(u).is_some_and(|v| v.qualname == qualname))
}
