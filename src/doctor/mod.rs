//! What is wrong with an installation or a graph, and the command that mends it.

pub mod agents;
pub mod graph;
pub mod locks;
mod run;

use serde::Serialize;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// As it should be.
    Ok,
    /// Worth knowing.
    Note,
    /// Something does less than it could.
    Warning,
    /// Something does not work.
    Error,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub level: Level,
    /// What was looked at: `graph`, `locks`, `journal`, or an agent's name.
    pub about: String,
    /// What was found.
    pub says: String,
    /// The command that mends it, or what to do by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl Finding {
    fn new(level: Level, about: &str, says: impl Into<String>) -> Finding {
        Finding { level, about: about.to_owned(), says: says.into(), fix: None }
    }

    fn fix(self, fix: impl Into<String>) -> Finding {
        Finding { fix: Some(fix.into()), ..self }
    }
}
