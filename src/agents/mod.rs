//! What agents do in a repository: who they are.

mod owner;

pub use owner::Owner;
