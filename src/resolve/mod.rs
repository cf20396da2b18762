//! From the facts of all files to edges between symbols.
//!
//! Phase 1 ([`Project::build`]) makes tables over all files: modules, imports with their re-export chains, classes
//! with their method resolution order, evaluated types of what functions return and attributes hold. Phase 2
//! ([`Project::resolve_file`]) resolves one file's sites against them. What phase 2 reads of other files is looked up
//! by a container and a name that stands in the file's own string table, and every such answer is hashed into the
//! [`Interface`], so a file needs phase 2 again only if its facts changed or an answer for one of its names did.

mod calls;
mod classes;
mod compiler;
mod config;
mod edges;
mod fallback;
mod hierarchy;
mod infer;
mod interface;
mod java_library;
mod java_overloads;
mod java_types;
mod known;
mod linking;
mod lookup;
mod member_calls;
mod modules;
mod names;
mod names_called;
mod overloads;
mod project;
mod protocols;
mod returns;
mod rounds;
mod scopes;
mod tests_edges;
mod types;
mod typing;

pub use config::ProjectConfig;
pub use interface::Interface;
pub use names_called::call_names;
pub use project::{Project, SourceFile};

/// Changes whenever the same facts may resolve to other edges: an [`Interface`] and edges of another version are not
/// comparable with those of this one.
pub const RESOLVE_VERSION: u32 = 7;
