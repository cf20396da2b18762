//! A chain of calls from one symbol to another.

use serde::Serialize;

use super::{AskError, Brief, Certainty, file_of, text};
use crate::queries;
use crate::store::Graph;
use crate::store::value::RowExt;

/// A symbol on the way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// Its id.
    pub id: String,
    /// Its file.
    pub file: String,
    /// Lines of the sites, in this file, that call the next one; empty for the last.
    pub lines: Vec<i64>,
    /// How that call was resolved; empty for the last.
    pub how: String,
    /// How sure that call is; `None` for the last.
    pub certainty: Option<Certainty>,
}

/// A chain, from the caller down.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chain {
    /// The symbols, both ends included.
    pub steps: Vec<Step>,
    /// The lowest confidence on the way.
    pub confidence: f64,
}

/// A longer chain of sure calls is worth more than a short one with guesses.
const QUERIES: [&str; 2] = ["path_sure", "path"];

/// One of the shortest chains along the surest calls that connect the two, or `None` within 12 calls.
///
/// # Errors
/// What the store says.
pub fn path(graph: &Graph, from: &[Brief], to: &[Brief]) -> Result<Option<Chain>, AskError> {
    for query in QUERIES {
        let mut best: Option<Chain> = None;
        for (a, b) in from.iter().flat_map(|a| to.iter().map(move |b| (a, b))) {
            let params = vec![("from", text(a.id.as_str())), ("to", text(b.id.as_str()))];
            let rows = graph.run(queries::text(query), params)?;
            let Some(row) = rows.rows.first() else { continue };
            let chain = chain(a, b, row)?;
            if best.as_ref().is_none_or(|known| chain.steps.len() < known.steps.len()) {
                best = Some(chain);
            }
        }
        if best.is_some() {
            return Ok(best);
        }
    }
    Ok(None)
}

fn chain(a: &Brief, b: &Brief, row: &[kuzu::Value]) -> Result<Chain, AskError> {
    let mut ids = vec![a.id.as_str()];
    ids.extend(row.strs(0)?);
    ids.push(&b.id);
    let lines: Vec<Vec<i64>> = match &row[1] {
        kuzu::Value::List(_, calls) => {
            calls.iter().map(|call| std::slice::from_ref(call).ints(0)).collect::<Result<_, _>>()?
        }
        _ => Vec::new(),
    };
    let how = row.strs(2)?;
    let confidence = match &row[3] {
        kuzu::Value::List(_, values) => {
            values.iter().map(|v| std::slice::from_ref(v).float(0)).collect::<Result<Vec<_>, _>>()?
        }
        _ => Vec::new(),
    };
    let steps = ids.iter().enumerate().map(|(i, id)| Step {
        id: (*id).to_owned(),
        file: file_of(id).to_owned(),
        lines: lines.get(i).cloned().unwrap_or_default(),
        how: how.get(i).map_or_else(String::new, |h| (*h).to_owned()),
        certainty: how.get(i).map(|h| Certainty::of(h)),
    });
    Ok(Chain { steps: steps.collect(), confidence: confidence.into_iter().fold(1.0, f64::min) })
}
