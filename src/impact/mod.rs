//! What a change can break: from changed lines to changed symbols, from those backwards along the graph to what
//! depends on them, to the tests that run them, and to what usually changes with them.
//!
//! ```text
//! changes (git, a patch) -> compare (both sides parsed) -> seeds -> walk -> radius, tests, cochange, reading
//! ```

pub mod ask;
pub mod changes;
pub mod cochange;
pub mod compare;
mod doubt;
pub mod patch;
mod print;
pub mod radius;
pub mod reading;
pub mod runner;
pub mod seeds;
pub mod tests;
mod usage;
mod walk;

pub use changes::{Changes, FileChange, Side, Source, Status};
pub use cochange::{Forgotten, forgotten};
pub use compare::{ChangeKind, Compared, SymbolChange, compare};
pub use radius::{Level, Radius, Reached, radius};
pub use reading::{Reading, Stretch, reading};
pub use seeds::{Seed, Target, Targets, targets};
pub use tests::{Affected, Hit, affected};
pub use walk::Relation;
