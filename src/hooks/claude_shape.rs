//! Claude Code's hook contract, which most hosts took over in whole or in part.

use serde_json::{Value, json};

use super::event::Output;
use super::host::{Events, Moment};
use super::payload::{field, text};
use super::tools::{Call, failed};

/// Claude's events and those that the hosts with its names added.
pub(super) const EVENTS: Events = &[
    ("SessionStart", Moment::SessionStart),
    ("UserPromptSubmit", Moment::Prompt),
    ("PreToolUse", Moment::BeforeTool),
    ("PostToolUse", Moment::AfterTool),
    ("PostToolUseFailure", Moment::AfterFailure),
    ("PostToolBatch", Moment::AfterBatch),
    ("PreCompact", Moment::BeforeCompaction),
    ("PostCompact", Moment::Other),
    ("SubagentStart", Moment::SubagentStart),
    ("SubagentStop", Moment::SubagentStop),
    ("Stop", Moment::TurnEnd),
    ("StopFailure", Moment::TurnEnd),
    ("SessionEnd", Moment::SessionEnd),
    ("PermissionRequest", Moment::Other),
    ("PermissionDenied", Moment::Other),
    ("Notification", Moment::Other),
    ("Interrupt", Moment::TurnEnd),
    ("CwdChanged", Moment::Other),
    ("FileChanged", Moment::Other),
    ("ConfigChange", Moment::Other),
    ("WorktreeCreate", Moment::Other),
    ("WorktreeRemove", Moment::Other),
    ("InstructionsLoaded", Moment::Other),
    ("UserPromptExpansion", Moment::Other),
    ("Setup", Moment::Other),
    ("TaskCreated", Moment::Other),
    ("TaskCompleted", Moment::Other),
    ("TeammateIdle", Moment::Other),
    ("Elicitation", Moment::Other),
    ("ElicitationResult", Moment::Other),
];

/// Where Claude reads `additionalContext`. On `Stop` and `SubagentStop` it would make the agent go on working.
pub(super) const CONTEXT_EVENTS: &[&str] =
    &["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolBatch", "SubagentStart"];

static NULL: Value = Value::Null;

/// The tool call of a tool event.
pub(super) fn call(payload: &Value) -> Call<'_> {
    Call {
        name: text(payload, &["tool_name", "toolName"]).unwrap_or_default(),
        input: field(payload, &["tool_input", "toolInput", "toolArgs"]).unwrap_or(&NULL),
        response: field(
            payload,
            &["tool_response", "toolResponse", "tool_result", "toolResult", "tool_output", "error"],
        )
        .unwrap_or(&NULL),
    }
}

/// A call from parts, each of which may be missing.
pub(super) fn call_of<'v>(name: Option<&'v str>, input: Option<&'v Value>, response: Option<&'v Value>) -> Call<'v> {
    Call { name: name.unwrap_or_default(), input: input.unwrap_or(&NULL), response: response.unwrap_or(&NULL) }
}

/// The calls of a round that were refused before they ran, with their ids: those have no event of their own.
pub(super) fn refused(payload: &Value) -> impl Iterator<Item = (Call<'_>, Option<&str>)> {
    let calls = field(payload, &["tool_calls"]).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    calls
        .iter()
        .map(|value| (call(value), text(value, &["tool_use_id"])))
        .filter(|(call, _)| call.response.is_string() && failed(call.response))
}

/// Text for the model.
pub(super) fn context(event: &str, text: &str) -> Output {
    Output::json(json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}))
}

/// `deny` or `ask`, before a tool.
pub(super) fn decide(event: &str, decision: &str, reason: &str) -> Output {
    Output::json(json!({"hookSpecificOutput": {
        "hookEventName": event,
        "permissionDecision": decision,
        "permissionDecisionReason": reason,
    }}))
}
