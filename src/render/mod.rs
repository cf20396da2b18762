//! Text of answers for people and models. Only here does data become text.
//!
//! Whatever a repository holds may be hostile: each name or path is one line, without control or invisible
//! characters, and capped.

pub mod budget;
pub mod impact;
mod json;
pub mod line;
mod map;
mod page;
pub mod pages;
pub mod phrase;
pub mod review;
mod sarif;
mod state;
pub mod tokens;

pub use json::map_json;
pub use map::{MAX_PLACES, MAX_TOKENS, NOTHING, map_text};
pub use sarif::sarif;
pub use state::{behind, graph_state};
