//! What server and worker say to each other: one JSON value a line.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::caller::Caller;

/// What is asked of a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Ask {
    /// A tool.
    Tool {
        /// Its name.
        name: String,
        /// Its arguments as the client sent them.
        arguments: Json,
        /// Folders in the repositories that are asked; at least one.
        roots: Vec<PathBuf>,
        /// Who asks.
        caller: Caller,
    },
    /// What agents have learned.
    Lessons {
        /// As for a tool.
        roots: Vec<PathBuf>,
    },
}

/// What a worker says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Said {
    /// The question has been read and is being answered from now on.
    Taken,
    /// Long work has got so far.
    Progress(Stage),
    /// The answer; the next question may come.
    Answer(Answer),
}

/// A stage of long work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stage {
    /// In words.
    pub name: String,
    /// Steps done.
    pub done: u64,
    /// Of so many; 0 when unknown.
    pub total: u64,
}

impl std::fmt::Display for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.total {
            0 => f.write_str(&self.name),
            total => write!(f, "{} {}/{total}", self.name, self.done),
        }
    }
}

/// An answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Answer {
    /// For the model.
    pub text: String,
    /// Something went wrong; the text says what and what to do.
    pub is_error: bool,
    /// The worker has grown and ends after this answer.
    pub last: bool,
}

impl Answer {
    pub fn error(text: impl Into<String>) -> Answer {
        Answer { text: text.into(), is_error: true, last: false }
    }
}
