//! One line of the journal: something that an agent did.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::clock::Moment;
use super::owner::Owner;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A session began, or was cleared.
    Start,
    /// An earlier session goes on.
    Resume,
    /// The context was compacted.
    Compacted,
    /// The user said something; what, is not kept.
    Prompt,
    /// About to read.
    BeforeRead,
    /// About to edit.
    BeforeEdit,
    /// About to run a command.
    BeforeShell,
    /// About to search.
    BeforeSearch,
    /// About to use another tool.
    BeforeTool,
    /// Read a file.
    Read,
    /// Edited a file.
    Edit,
    /// Ran a command.
    Shell,
    /// Searched.
    Search,
    /// Used another tool.
    Tool,
    /// A claimed file changed and no event told of it.
    UnseenEdit,
    /// A claim was granted.
    Granted,
    /// A claim was refused.
    Denied,
    /// It could not be told whether a file is claimed.
    Unknown,
    /// The agent was told something; `tokens` says how much.
    Context,
    /// A lesson was learned; `detail` holds it.
    Lesson,
    /// The context is about to be compacted.
    Compacting,
    /// A sub-agent began.
    AgentStart,
    /// A sub-agent ended.
    AgentStop,
    /// A turn ended; `paths` are the claimed files with uncommitted changes.
    Stop,
    /// The session ended.
    End,
    /// A claim by hand.
    Claim,
    /// A release by hand.
    Release,
    /// Anything else.
    Other,
}

impl Kind {
    /// The word that the graph keeps.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Start => "start",
            Kind::Resume => "resume",
            Kind::Compacted => "compacted",
            Kind::Prompt => "prompt",
            Kind::BeforeRead => "before-read",
            Kind::BeforeEdit => "before-edit",
            Kind::BeforeShell => "before-shell",
            Kind::BeforeSearch => "before-search",
            Kind::BeforeTool => "before-tool",
            Kind::Read => "read",
            Kind::Edit => "edit",
            Kind::Shell => "shell",
            Kind::Search => "search",
            Kind::Tool => "tool",
            Kind::UnseenEdit => "unseen-edit",
            Kind::Granted => "granted",
            Kind::Denied => "denied",
            Kind::Unknown => "unknown",
            Kind::Context => "context",
            Kind::Lesson => "lesson",
            Kind::Compacting => "compacting",
            Kind::AgentStart => "agent-start",
            Kind::AgentStop => "agent-stop",
            Kind::Stop => "stop",
            Kind::End => "end",
            Kind::Claim => "claim",
            Kind::Release => "release",
            Kind::Other => "other",
        }
    }

    /// A tool is about to run.
    pub fn is_before(self) -> bool {
        matches!(self, Kind::BeforeRead | Kind::BeforeEdit | Kind::BeforeShell | Kind::BeforeSearch | Kind::BeforeTool)
    }

    /// A tool has run.
    pub fn is_after(self) -> bool {
        matches!(self, Kind::Read | Kind::Edit | Kind::Shell | Kind::Search | Kind::Tool)
    }
}

fn is_zero(n: &i64) -> bool {
    *n == 0
}

/// A record. Fields that say nothing are left out of the line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Unique: the same event twice has the same.
    pub id: String,
    /// Who.
    #[serde(flatten)]
    pub owner: Owner,
    /// What.
    pub kind: Kind,
    /// When.
    #[serde(flatten)]
    pub at: Moment,
    /// The agent's process, as [`super::process::agent`] writes it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub process: String,
    /// Files, as paths of the repository.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Hashes of the files' contents, as long as `paths`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hashes: Vec<String>,
    /// A command without secrets, a lesson, a reason.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The host's own id of the call, or the tool's name where it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub call: String,
    /// The tool failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// It was a search, whatever the tool.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub search: bool,
    /// Tokens given to the agent.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tokens: i64,
}

impl Record {
    /// A record that says only who, what and when. `unique`: the call's id, or a hash of the input.
    pub fn new(owner: &Owner, kind: Kind, at: Moment, unique: &str) -> Record {
        let owner = Owner::new(&owner.host, &owner.session, owner.agent.as_deref());
        let id = id_of(&owner, kind, unique);
        Record {
            id,
            owner,
            kind,
            at,
            process: String::new(),
            paths: Vec::new(),
            hashes: Vec::new(),
            detail: String::new(),
            call: String::new(),
            failed: false,
            search: false,
            tokens: 0,
        }
    }

    /// As a line of the journal, without its end.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The same for the same host, session, event and call; 32 hexadecimal digits.
fn id_of(owner: &Owner, kind: Kind, unique: &str) -> String {
    let agent = owner.agent();
    let parts = [&*owner.host, &*owner.session, &*agent, kind.as_str(), unique];
    format!("{:032x}", xxh3_128(parts.join("\u{0}").as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back() {
        let at = Moment { wall: 1, tick: 2, boot: "b".into() };
        let owner = Owner::new("codex", "s", Some("a"));
        let mut record = Record::new(&owner, Kind::BeforeEdit, at.clone(), "call-1");
        record.paths = vec!["a\n.py".into()];
        assert!(!record.line().contains('\n'));
        assert_eq!(serde_json::from_str::<Record>(&record.line()).unwrap(), record);
        assert_eq!(Record::new(&owner, Kind::BeforeEdit, at.clone(), "call-1").id, record.id);
        assert_ne!(Record::new(&owner, Kind::Edit, at, "call-1").id, record.id);
        for kind in [Kind::UnseenEdit, Kind::AgentStop, Kind::Other] {
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{}\"", kind.as_str()));
        }
    }
}
