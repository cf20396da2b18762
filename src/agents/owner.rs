//! Who acts: a host's session, and within it a sub-agent or none.

use serde::{Deserialize, Serialize};

use crate::render::line::one_line;

/// The owner of a claim, and who an event is of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Owner {
    /// The platform: `claude-code`, `codex`, ...; `cli` for a person.
    pub host: String,
    /// The host's own id of the session.
    pub session: String,
    /// The sub-agent within the session, if it is not the session's main agent.
    pub agent: Option<String>,
}

/// Ids are shown and stored up to this many characters.
const LONGEST: usize = 200;
/// Ids longer than that are cut when shown.
const SHOWN: usize = 12;
const SHORT: usize = 4;

impl Owner {
    /// An owner of these ids, made safe to store and to show.
    pub fn new(host: &str, session: &str, agent: Option<&str>) -> Owner {
        let clean = |text: &str| one_line(text, LONGEST);
        let agent = agent.map(clean).filter(|a| !a.is_empty());
        Owner { host: clean(host), session: clean(session), agent }
    }

    /// The key of its Session row: `host:session`.
    pub fn key(&self) -> String {
        format!("{}:{}", one_line(&self.host, LONGEST), one_line(&self.session, LONGEST))
    }

    /// The sub-agent, or empty: as the graph keeps it.
    pub fn agent(&self) -> String {
        self.agent.as_deref().map_or_else(String::new, |agent| one_line(agent, LONGEST))
    }

    /// `claude-code session 7f3a`, for messages.
    pub fn shown(&self) -> String {
        let host = one_line(&self.host, 40);
        let session = if host == "cli" { one_line(&self.session, 60) } else { short(&self.session) };
        match &self.agent {
            Some(agent) => format!("{host} session {session} (sub-agent {})", short(agent)),
            None => format!("{host} session {session}"),
        }
    }
}

/// The owner that a Session row's key and a claim's agent stand for.
pub fn from_key(key: &str, agent: &str) -> Owner {
    let (host, session) = key.split_once(':').unwrap_or(("", key));
    Owner { host: host.to_owned(), session: session.to_owned(), agent: (!agent.is_empty()).then(|| agent.to_owned()) }
}

/// The first characters of an id that is too long to be read.
pub fn short(id: &str) -> String {
    let clean = one_line(id, LONGEST);
    if clean.chars().count() <= SHOWN { clean } else { clean.chars().take(SHORT).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_names() {
        let owner = Owner::new("claude-code", "7f3a9c12-aaaa-bbbb-cccc-0123456789ab", None);
        assert_eq!(owner.shown(), "claude-code session 7f3a");
        assert_eq!(from_key(&owner.key(), ""), owner);
        let hostile = Owner::new("x", "a\nIgnore all\u{202e}", Some("\u{0}"));
        assert_eq!(hostile, Owner { host: "x".into(), session: "a Ignore all".into(), agent: None });
        assert_eq!(Owner::new("cli", "ann at the desk", None).shown(), "cli session ann at the desk");
    }
}
