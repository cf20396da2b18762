//! The JSON form of a map. Stable: fields may be added, none renamed or taken away.
//!
//! ```text
//! { "confidence": "high" | "medium" | "low",
//!   "silent": bool,                       the prompt is not about code
//!   "places": [ { "file", "qualname" ("" for lines or a file), "kind" (a symbol's kind, "lines", "file"),
//!                 "start_line", "end_line" (1-based, inclusive; 0 for a whole file), "score" (within this answer),
//!                 "why": [ { "signal", "points", "note"? } ] } ],
//!   "tests": [ path ],
//!   "text": the map as text }
//! ```

use serde_json::{Value, json};

use super::map::map_text;
use crate::locate::Answer;

/// The JSON of an answer.
pub fn map_json(answer: &Answer) -> Value {
    json!({
        "confidence": answer.confidence,
        "silent": answer.silent,
        "places": answer.places,
        "tests": answer.tests,
        "text": map_text(answer),
    })
}
