//! From a named API along CALLS, through thin symbols, down to the function that does the work.

use std::collections::BTreeMap;

use super::weights::fusion as w;
use super::{GraphView, Hit, Signal, Target};
use crate::search::Index;

/// Most named symbols that are walked from: each is a statement.
const MOST_SEEDS: usize = 6;
/// A walk that reaches more than this has met no thin chain but a hub.
const MOST_REACHED: usize = 40;

/// Hits on what the strongest named symbols call.
pub fn hits<G: GraphView>(index: &Index, graph: &G, hits: &mut Vec<Hit>) -> Result<(), G::Error> {
    let mut seeds: BTreeMap<u32, f32> = BTreeMap::new();
    for hit in hits.iter() {
        if let (Target::Unit(unit), Signal::Mention | Signal::Frame) = (hit.target, hit.signal) {
            let strength = seeds.entry(unit).or_default();
            *strength = strength.max(hit.strength);
        }
    }
    let mut seeds: Vec<(u32, f32)> = seeds.into_iter().collect();
    seeds.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    seeds.truncate(MOST_SEEDS);
    for (seed, strength) in seeds {
        let Some((id, name)) = symbol_id(index, seed) else { continue };
        let reached = graph.callees_through_thin(&id)?;
        if reached.len() > MOST_REACHED {
            continue;
        }
        let spread = 1.0 / (1.0 + (reached.len() as f32 / w::WALK_SPREAD));
        for (callee, hops) in reached {
            let Some(unit) = unit_of(index, &callee) else { continue };
            hits.push(Hit {
                target: Target::Unit(unit),
                signal: Signal::Calls,
                strength: strength * spread * w::WALK_DECAY.powi(hops.saturating_sub(1) as i32),
                note: format!("{hops} calls below {name}"),
            });
        }
    }
    Ok(())
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
