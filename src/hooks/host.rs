//! What a host's file says about it. The defaults are Claude Code's ways, which most hosts took over.

use serde_json::Value;

use super::claude_shape;
use super::event::{Output, Source};
use super::payload::{field, first_of, id, text};
use super::tools::{self, Call};

/// What an event of a host means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    SessionStart,
    Prompt,
    BeforeTool,
    AfterTool,
    /// Told only of calls that failed.
    AfterFailure,
    /// Told once for all calls of a round, after each one's own event.
    AfterBatch,
    BeforeCompaction,
    SubagentStart,
    SubagentStop,
    TurnEnd,
    SessionEnd,
    Other,
}

/// Events in the host's own spelling with what they mean.
pub(super) type Events = &'static [(&'static str, Moment)];

/// One host.
pub(super) trait Host: Sync {
    /// Its name on a hook's command line.
    fn name(&self) -> &'static str;

    /// Other names for it.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// Its events.
    fn events(&self) -> Events {
        claude_shape::EVENTS
    }

    /// The events whose answer may carry text for the model.
    fn context_events(&self) -> &'static [&'static str] {
        claude_shape::CONTEXT_EVENTS
    }

    /// Variables that name its project directory, for payloads without one.
    fn directory_variables(&self) -> &'static [&'static str] {
        &[]
    }

    /// Variables that name its session, for payloads without one.
    fn session_variables(&self) -> &'static [&'static str] {
        &[]
    }

    /// The event's name in the payload.
    fn event_name<'v>(&self, payload: &'v Value) -> Option<&'v str> {
        text(payload, &["hook_event_name", "hookEventName"])
    }

    /// What the event means, where the payload says more than its name.
    fn moment(&self, _event: &str, moment: Moment, _payload: &Value) -> Moment {
        moment
    }

    /// The session's id.
    fn session(&self, payload: &Value) -> Option<String> {
        id(payload, &["session_id", "sessionId"])
    }

    /// The sub-agent's id.
    fn agent(&self, payload: &Value) -> Option<String> {
        id(payload, &["agent_id", "agentId"])
    }

    /// The session's directory.
    fn directory<'v>(&self, payload: &'v Value) -> Option<&'v str> {
        text(payload, &["cwd", "working_dir", "directory"])
            .or_else(|| first_of(payload, &["workspace_roots", "workspacePaths", "workspaceRoots"]))
    }

    /// The id of the tool call.
    fn call_id(&self, payload: &Value) -> Option<String> {
        id(payload, &["tool_use_id", "toolUseId", "tool_call_id", "toolCallId"])
    }

    /// The tool call of the event with this name.
    fn call<'v>(&self, _event: &str, payload: &'v Value) -> Call<'v> {
        claude_shape::call(payload)
    }

    /// Whether a finished call failed.
    fn failed(&self, _payload: &Value, call: &Call<'_>) -> bool {
        tools::failed(call.response)
    }

    /// The prompt.
    fn prompt(&self, payload: &Value) -> Option<String> {
        text(payload, &["prompt"]).map(str::to_owned)
    }

    /// How a session began.
    fn source(&self, _event: &str, payload: &Value) -> Source {
        source(text(payload, &["source"]).unwrap_or_default())
    }

    /// The answer that adds `text` to what the model sees; called for [`Host::context_events`] only.
    fn context(&self, event: &str, text: &str) -> Output {
        claude_shape::context(event, text)
    }

    /// The answer that refuses a tool call; called before tools only.
    fn deny(&self, event: &str, reason: &str) -> Output {
        claude_shape::decide(event, "deny", reason)
    }

    /// The answer that lets a person decide on a tool call; called before tools only.
    fn ask(&self, event: &str, reason: &str) -> Output {
        self.deny(event, reason)
    }

    /// The answer without objection and addition. `event` may be unknown.
    fn neutral(&self, _event: &str) -> Output {
        Output::default()
    }
}

/// A session's source by the word that hosts use.
pub(super) fn source(word: &str) -> Source {
    match word {
        "resume" => Source::Resume,
        "clear" => Source::Clear,
        "compact" | "compress" => Source::Compact,
        "fork" => Source::Fork,
        _ => Source::Startup,
    }
}

/// When the event happened, in milliseconds, as far as the payload tells: `timestamp` in ISO 8601, or a number or
/// digits of milliseconds.
pub(super) fn time_of(payload: &Value) -> Option<i64> {
    match field(payload, &["timestamp"])? {
        Value::Number(number) => number.as_i64(),
        Value::String(words) => {
            words.parse().ok().or_else(|| Some(chrono::DateTime::parse_from_rfc3339(words).ok()?.timestamp_millis()))
        }
        _ => None,
    }
}
