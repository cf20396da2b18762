//! Answers as pages for a model: paths with lines, how sure each edge is, how much was left out.

mod agents;
mod card;
mod change;
mod found;
mod history;
mod places;
mod rows;

pub use agents::{claims, learned, lessons, outcome, released};
pub use card::{cards, choices, unknown};
pub use change::{context, impact};
pub use found::found;
pub use history::{file_history, hotspots};
pub use places::places;
pub use rows::rows;

use crate::ask::{Brief, Certainty};

/// `src/a.py:3-9 Class.method`.
fn brief(symbol: &Brief) -> String {
    let Brief { file, start_line, end_line, qualname, kind, .. } = symbol;
    format!("{file}:{start_line}-{end_line} {qualname} [{kind}]")
}

/// How sure an edge of that class is.
fn sureness(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Exact => "exact",
        Certainty::Inferred => "inferred type",
        Certainty::Possible => "possible, by override",
        Certainty::Guess => "guess by name",
    }
}
