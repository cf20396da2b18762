//! Derived data beside the graph, in `.portolan/cache/`: each file can be thrown away and
//! is made again, none is authoritative, and each is checked before it is believed.

mod facts;
mod sealed;

pub use facts::{CachedFile, FactsCache, FactsKey};
pub use sealed::{read_sealed, write_sealed};
