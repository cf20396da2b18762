//! GitHub Copilot CLI: the dialect follows the spelling of the event in the configuration. `preToolUse` has camel case
//! and flat answers, `PreToolUse` (a Claude settings file) snake case and Claude's answers.

use serde_json::{Value, json};

use super::super::claude_shape;
use super::super::event::Output;
use super::super::host::{Events, Host, Moment};
use super::super::payload::text;

pub(super) struct CopilotCli;

impl Host for CopilotCli {
    fn name(&self) -> &'static str {
        "copilot-cli"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["copilot"]
    }

    fn events(&self) -> Events {
        &[
            ("sessionStart", Moment::SessionStart),
            ("userPromptSubmitted", Moment::Prompt),
            ("preToolUse", Moment::BeforeTool),
            ("postToolUse", Moment::AfterTool),
            ("postToolUseFailure", Moment::AfterFailure),
            ("preCompact", Moment::BeforeCompaction),
            ("agentStop", Moment::TurnEnd),
            ("subagentStart", Moment::SubagentStart),
            ("subagentStop", Moment::SubagentStop),
            ("sessionEnd", Moment::SessionEnd),
            ("userPromptTransformed", Moment::Other),
            ("permissionRequest", Moment::Other),
            ("errorOccurred", Moment::Other),
            ("notification", Moment::Other),
            ("SessionStart", Moment::SessionStart),
            ("UserPromptSubmit", Moment::Prompt),
            ("PreToolUse", Moment::BeforeTool),
            ("PostToolUse", Moment::AfterTool),
            ("PostToolUseFailure", Moment::AfterFailure),
            ("PreCompact", Moment::BeforeCompaction),
            ("Stop", Moment::TurnEnd),
            ("SubagentStart", Moment::SubagentStart),
            ("SubagentStop", Moment::SubagentStop),
            ("SessionEnd", Moment::SessionEnd),
            ("Notification", Moment::Other),
        ]
    }

    /// What a `SessionStart` out of a Claude settings file adds is lost.
    fn context_events(&self) -> &'static [&'static str] {
        &[
            "sessionStart",
            "userPromptSubmitted",
            "preToolUse",
            "postToolUse",
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
        ]
    }

    fn directory_variables(&self) -> &'static [&'static str] {
        &["COPILOT_PROJECT_DIR"]
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &["COPILOT_AGENT_SESSION_ID"]
    }

    /// Camel-case payloads carry no event name.
    fn event_name<'v>(&self, payload: &'v Value) -> Option<&'v str> {
        text(payload, &["hook_event_name"])
    }

    fn context(&self, event: &str, text: &str) -> Output {
        if pascal(event) {
            return claude_shape::context(event, text);
        }
        Output::json(json!({"additionalContext": text}))
    }

    fn deny(&self, event: &str, reason: &str) -> Output {
        if pascal(event) {
            return claude_shape::decide(event, "deny", reason);
        }
        Output::json(json!({"permissionDecision": "deny", "permissionDecisionReason": reason}))
    }
}

fn pascal(event: &str) -> bool {
    event.starts_with(|c: char| c.is_ascii_uppercase())
}
