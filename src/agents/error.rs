//! What can go wrong.

use crate::ask::AskError;
use crate::store::StoreError;

/// An error of the agents' side.
#[derive(Debug, thiserror::Error)]
pub enum AgentsError {
    /// The store's reason.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A question's reason.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The repository's reason.
    #[error(transparent)]
    Repo(#[from] crate::repo::RepoError),
    /// A pattern that cannot be understood.
    #[error("{pattern:?} is no pattern: {reason}; quote it as in .gitignore, such as 'src/**/*.py'")]
    Pattern {
        /// As given.
        pattern: String,
        /// What is wrong.
        reason: String,
    },
    /// A path that lies outside of the repository.
    #[error("{path} is not in the repository {root}; name a file in it")]
    Outside {
        /// As given.
        path: String,
        /// The root.
        root: String,
    },
    /// A name that stands for nothing, or for several things.
    #[error("{0}")]
    About(String),
}
