//! Along CALLS down to the function that does the work: strength spreads, call by call, from the symbols that the text
//! names, from the members of the classes that it names and of their bases, and from the functions whose own words
//! fit best. A function that many of them lead to gathers what each passes on.

use std::collections::BTreeMap;

use super::text::TextScores;
use super::weights::bounds;
use super::{GraphView, Ground, Hit, Signal, Target};
use crate::facts::SymbolKind;
use crate::search::Index;

/// Hits on what the strongest symbols call. `text` has been normalised.
pub fn hits<G: GraphView>(on: Ground<'_>, graph: &G, text: &TextScores, hits: &mut Vec<Hit>) -> Result<(), G::Error> {
    let w = &on.weights.walk;
    let mut frontier: BTreeMap<u32, Reached> = BTreeMap::new();
    let seeds = named(hits);
    let surest = seeds.first().map_or(0.0, |s| s.1.min(1.0));
    // People name what is public: what is not, and is named or described all the same, is likely the place itself.
    let public = |unit| if on.index.unit(unit).is_some_and(|v| v.exported) { 1.0 } else { w.private_seed };
    for (seed, strength) in seeds {
        let Some(view) = on.index.unit(seed) else { continue };
        let strength = strength * public(seed);
        if !is_type(view.kind) {
            gather(&mut frontier, seed, strength, seed);
            continue;
        }
        for (class, share) in with_bases(on, graph, seed)? {
            if class != seed {
                // What a class does may be written in its base.
                let note = format!("base of {}", view.qualname);
                hits.push(Hit { target: Target::Unit(class), signal: Signal::Calls, strength: strength * share, note });
            }
            for (member, relevance) in best_members(on.index, text, class) {
                let relevance = w.member_floor + (1.0 - w.member_floor) * relevance;
                gather(&mut frontier, member, strength * share * w.from_member * relevance, seed);
            }
        }
    }
    for (unit, relevance) in best_by_words(on, text) {
        // Where nothing is named, the words describe the place rather than what leads to it.
        let described = w.unnamed + (1.0 - w.unnamed) * surest;
        gather(&mut frontier, unit, w.from_words * described * public(unit) * relevance.powf(w.words_power), unit);
    }
    let mut reached: BTreeMap<u32, Reached> = BTreeMap::new();
    for hops in 1..=bounds::HOPS {
        let mut next: BTreeMap<u32, Reached> = BTreeMap::new();
        let asked: Vec<(u32, Reached, String)> = strongest(frontier)
            .into_iter()
            .filter_map(|(unit, at)| Some((unit, at, symbol_id(on.index, unit)?)))
            .collect();
        let ids: Vec<String> = asked.iter().map(|(.., id)| id.clone()).collect();
        for ((unit, at, _), calls) in asked.into_iter().zip(graph.calls(&ids)?) {
            let spread = 1.0 / (1.0 + calls.len() as f32 / w.spread);
            for (callee, rank) in calls {
                let Some(callee) = unit_of(on.index, &callee) else { continue };
                // What everybody calls says little of who does.
                let callers = rank.exp() as f32 - 1.0;
                let passed = at.strength * w.decay * spread / (1.0 + callers / w.hub);
                if callee != unit && passed >= w.least {
                    gather(&mut next, callee, passed, at.from);
                }
            }
        }
        for (&unit, at) in &next {
            let entry = reached.entry(unit).or_insert(Reached { hops, ..*at });
            entry.strength =
                either(entry.strength, if entry.hops == hops { 0.0 } else { at.strength }).max(at.strength);
        }
        frontier = next;
    }
    for (unit, at) in reached {
        // What is called counts more when its own words fit.
        let fits = 1.0 - w.needs_words + w.needs_words * text.units[unit as usize].min(1.0);
        // People name what is public; what they do not see is the likelier of the others.
        let seen = if on.index.unit(unit).is_some_and(|v| v.exported) { w.exported } else { 1.0 };
        let from = on.index.unit(at.from).map_or("", |v| v.qualname);
        hits.push(Hit {
            target: Target::Unit(unit),
            signal: Signal::Calls,
            strength: at.strength.min(1.0) * fits * seen,
            note: format!("{} call{} below {from}", at.hops, if at.hops == 1 { "" } else { "s" }),
        });
    }
    Ok(())
}

#[derive(Clone, Copy)]
struct Reached {
    strength: f32,
    /// The seed that gave most.
    from: u32,
    most: f32,
    hops: u32,
}

/// Two pieces of evidence of which either may be right.
fn either(a: f32, b: f32) -> f32 {
    1.0 - (1.0 - a.min(1.0)) * (1.0 - b.min(1.0))
}

fn gather(all: &mut BTreeMap<u32, Reached>, unit: u32, strength: f32, from: u32) {
    let entry = all.entry(unit).or_insert(Reached { strength: 0.0, from, most: 0.0, hops: 0 });
    entry.strength = either(entry.strength, strength);
    if strength > entry.most {
        (entry.from, entry.most) = (from, strength);
    }
}

fn strongest(all: BTreeMap<u32, Reached>) -> Vec<(u32, Reached)> {
    let mut ranked: Vec<(u32, Reached)> = all.into_iter().collect();
    ranked.sort_by(|a, b| b.1.strength.total_cmp(&a.1.strength).then(a.0.cmp(&b.0)));
    ranked.truncate(bounds::ASKED_A_HOP);
    ranked
}

/// The strongest symbols that the text names.
fn named(hits: &[Hit]) -> Vec<(u32, f32)> {
    let mut seeds: BTreeMap<u32, f32> = BTreeMap::new();
    for hit in hits {
        if let (Target::Unit(unit), Signal::Mention | Signal::Frame) = (hit.target, hit.signal) {
            let entry = seeds.entry(unit).or_default();
            *entry = entry.max(hit.strength);
        }
    }
    let mut seeds: Vec<(u32, f32)> = seeds.into_iter().collect();
    seeds.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    seeds.truncate(bounds::SEEDS);
    seeds
}

/// A class, the classes it inherits from and theirs, with the share that each has of its strength.
fn with_bases<G: GraphView>(on: Ground<'_>, graph: &G, class: u32) -> Result<Vec<(u32, f32)>, G::Error> {
    let mut all = vec![(class, 1.0f32)];
    let mut at = 0;
    while at < all.len() && all.len() < bounds::CLASSES {
        let (unit, share) = all[at];
        at += 1;
        let Some(id) = symbol_id(on.index, unit) else { continue };
        for base in graph.bases(&id)? {
            if let Some(base) = unit_of(on.index, &base)
                && !all.iter().any(|a| a.0 == base)
            {
                all.push((base, share * on.weights.walk.base));
            }
        }
    }
    Ok(all)
}

fn best_members(index: &Index, text: &TextScores, class: u32) -> Vec<(u32, f32)> {
    let Some(view) = index.unit(class) else { return Vec::new() };
    let mut ranked: Vec<(u32, f32)> = index
        .units_of(view.file)
        .filter(|&u| index.unit(u).is_some_and(|v| v.parent == Some(class) && is_callable(v.kind)))
        .map(|m| (m, text.units[m as usize].min(1.0)))
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked.truncate(bounds::MEMBERS);
    ranked
}

fn best_by_words(on: Ground<'_>, text: &TextScores) -> Vec<(u32, f32)> {
    let Ground { index, classes, .. } = on;
    let mut best: Vec<(u32, f32)> = Vec::new();
    for (unit, &score) in text.units.iter().enumerate() {
        if score <= 0.0 || best.len() == bounds::BY_WORDS && score <= best[bounds::BY_WORDS - 1].1 {
            continue;
        }
        let unit = unit as u32;
        let callable =
            index.unit(unit).is_some_and(|v| !v.is_test && is_callable(v.kind) && classes.weight(v.file) >= 1.0);
        if callable {
            let at = best.partition_point(|b| b.1 >= score);
            best.insert(at, (unit, score));
            best.truncate(bounds::BY_WORDS);
        }
    }
    best
}

fn is_callable(kind: Option<SymbolKind>) -> bool {
    matches!(kind, Some(SymbolKind::Function | SymbolKind::Method | SymbolKind::Property))
}

/// Says whether calls are made by its members and not by itself.
fn is_type(kind: Option<SymbolKind>) -> bool {
    use SymbolKind::*;
    matches!(kind, Some(Class | Interface | Trait | Struct | Enum))
}

/// The id of a unit's symbol (`path::Qual.name`).
pub fn symbol_id(index: &Index, unit: u32) -> Option<String> {
    let view = index.unit(unit)?;
    view.kind?;
    let file = index.file(view.file)?;
    Some(format!("{}::{}", file.path, view.qualname))
}

/// The unit of a symbol id (`path::Qual.name`).
pub fn unit_of(index: &Index, id: &str) -> Option<u32> {
    let (path, qualname) = id.split_once("::")?;
    let base = path.rsplit('/').next()?;
    let (file, _) = index.files_named(base).find(|(_, f)| f.path == path)?;
    index.units_of(file).find(|&u| index.unit(u).is_some_and(|v| v.qualname == qualname))
}
