//! Who holds a claim and did what a journal line tells.

/// An agent's identity, as its host tells it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Owner {
    /// The host's name on a hook's command line: `claude-code`, `codex`, ...
    pub host: String,
    /// The host's session id.
    pub session: String,
    /// The sub-agent within the session; `None` is the session's own agent.
    pub agent: Option<String>,
}
