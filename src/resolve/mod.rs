//! From the facts of all files to edges between symbols.
//!
//! Phase 1 ([`Project::build`]) makes tables over all files: modules, imports with their re-export chains, classes
//! with their method resolution order, evaluated types of what functions return and attributes hold. Phase 2
//! ([`Project::resolve_file`]) resolves one file's sites against them. What phase 2 reads of other files is looked up
//! by a container and a name that stands in the file's own string table, and every such answer is hashed into the
//! [`Interface`], so a file needs phase 2 again only if its facts changed or an answer for one of its names did.

mod calls;
mod classes;
mod config;
mod edges;
mod fallback;
mod hierarchy;
mod infer;
mod interface;
mod known;
mod linking;
mod lookup;
mod modules;
mod names;
mod project;
mod rounds;
mod scopes;
mod tests_edges;
mod types;
mod typing;

pub use config::ProjectConfig;
pub use interface::Interface;
pub use project::{Project, SourceFile};

/// Changes whenever resolving answers otherwise for the same facts; a graph of another version is built anew.
pub const RESOLVE_VERSION: u32 = 1;

/// Number of distinct names that each symbol of a file calls, resolved or not. A symbol that calls few names is a
/// thin one: the walk from an API to the function that does the work goes through those.
pub fn call_names(facts: &crate::facts::Facts) -> Vec<u32> {
    use crate::facts::Expr;
    let mut pairs: Vec<(u32, u32)> = facts
        .calls
        .iter()
        .filter_map(|call| match facts.expr(call.callee) {
            Expr::Name(name) | Expr::Attr(_, name) => Some((call.caller.0, name.0)),
            Expr::New(inner) => match facts.expr(*inner) {
                Expr::Name(name) | Expr::Attr(_, name) => Some((call.caller.0, name.0)),
                _ => None,
            },
            _ => None,
        })
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut counts = vec![0; facts.symbols.len()];
    for (caller, _) in pairs {
        counts[caller as usize] += 1;
    }
    counts
}
