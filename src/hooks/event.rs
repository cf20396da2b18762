//! What a hook is told and what it says, independent of any host.

use std::path::PathBuf;

use crate::agents::Owner;

/// One hook call, as the host that really made it meant it.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Who: `owner.host` is the host that runs the hook, whatever file named it. The session is empty where the
    /// host tells none (Kiro's older hooks, Devin): the caller knows its parent process, this module does not.
    pub owner: Owner,
    /// The host's own spelling of the event, as [`crate::hooks::answer`] wants it.
    pub name: String,
    /// The session's directory; empty when neither payload nor environment tells it.
    pub cwd: PathBuf,
    /// The host's id of the tool call.
    pub call_id: Option<String>,
    /// What happened.
    pub kind: EventKind,
    /// The same for the same event told twice, also in two dialects of one host: the idempotency key where there
    /// is no `call_id`.
    pub payload_hash: u64,
    /// The hash covers the host's time stamp, so that an equal one is the same event. Otherwise a call that is repeated
    /// later on has the same hash, which tells doubles apart only within moments.
    pub timed: bool,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// A session begins or goes on.
    SessionStart {
        /// How it came about.
        source: Source,
    },
    /// A person's prompt, never empty, without what hooks put in front of it.
    Prompt {
        /// Its text.
        text: String,
    },
    /// A tool is about to run.
    BeforeTool(ToolUse),
    /// A tool has run or was refused.
    AfterTool {
        /// The call.
        tool: ToolUse,
        /// The host says that it failed. A command may have changed files all the same.
        failed: bool,
    },
    /// The conversation is about to be shortened.
    BeforeCompaction,
    /// A sub-agent begins; its id is in the owner.
    SubagentStart,
    /// A sub-agent ends.
    SubagentStop,
    /// The agent has finished its answer; the session may go on.
    TurnEnd,
    /// The session is over.
    SessionEnd,
    /// Nothing that matters here.
    Other,
}

/// How a session began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// New.
    Startup,
    /// An old one goes on.
    Resume,
    /// Emptied by its user.
    Clear,
    /// Goes on after a compaction.
    Compact,
    /// Branched off another one.
    Fork,
}

/// A tool call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolUse {
    /// What kind of tool.
    pub kind: ToolKind,
    /// The host's name for it.
    pub name: String,
    /// The files that a read or an edit names, in order, each once: absolute where `cwd` is, `.` and `..` resolved
    /// by text only (no symlinks, the file may not exist). A Windows path has forward slashes and an upper-case
    /// drive letter.
    pub paths: Vec<PathBuf>,
    /// A shell tool's command. A command that applies a patch is an [`ToolKind::Edit`] with its command: Codex
    /// reports no end of such a call.
    pub command: Option<String>,
    /// After a command, where the host tells: whether it exited with 0.
    pub exit_ok: Option<bool>,
}

/// Kinds of tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ToolKind {
    /// Shows files.
    Read,
    /// Creates, changes, moves or deletes files.
    Edit,
    /// Runs a command.
    Shell,
    /// Looks for files or text.
    Search,
    /// All else, MCP tools among it.
    #[default]
    Other,
}

/// What to tell the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// No objection, nothing to add.
    Nothing,
    /// Text for the model.
    Context(String),
    /// The tool must not run, and why.
    Deny(String),
    /// A person shall decide, and why. A host that cannot ask denies.
    Ask(String),
}

/// What the hook's process writes and how it ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Nothing, or one document in the host's dialect.
    pub stdout: String,
    /// Nothing, or the reason of a refusal where the host reads it there.
    pub stderr: String,
    /// 0, or 2 where that is the host's way to refuse.
    pub exit_code: i32,
}

impl Output {
    /// A JSON document.
    pub(super) fn json(document: serde_json::Value) -> Output {
        Output { stdout: document.to_string(), ..Output::default() }
    }

    /// Plain text for the model.
    pub(super) fn text(text: &str) -> Output {
        Output { stdout: text.to_owned(), ..Output::default() }
    }

    /// The refusal by exit code.
    pub(super) fn exit_2(reason: &str) -> Output {
        Output { stderr: reason.to_owned(), exit_code: 2, ..Output::default() }
    }
}

/// Why a hook's input says nothing.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The host is not known.
    #[error("unknown host `{0}`: expected one of {hosts}", hosts = super::host_names().collect::<Vec<_>>().join(", "))]
    UnknownHost(String),
    /// The event is neither one of the host's nor told by the payload.
    #[error("`{event}` is no event of {host}")]
    UnknownEvent {
        /// The host's name.
        host: &'static str,
        /// The event's argument.
        event: String,
    },
    /// The input is not JSON.
    #[error("standard input is not JSON: {0}")]
    NotJson(#[from] serde_json::Error),
    /// The input is JSON but not an object.
    #[error("standard input is not a JSON object")]
    NotAnObject,
}
