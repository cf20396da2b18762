//! Cursor: its own event names and answers. Some events are tools of their own.

use serde_json::{Value, json};

use super::super::claude_shape;
use super::super::event::Output;
use super::super::host::{Events, Host, Moment};
use super::super::payload::{field, id};
use super::super::tools::Call;

pub(super) struct Cursor;

impl Host for Cursor {
    fn name(&self) -> &'static str {
        "cursor"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["cursor-agent"]
    }

    fn events(&self) -> Events {
        &[
            ("sessionStart", Moment::SessionStart),
            ("beforeSubmitPrompt", Moment::Prompt),
            ("preToolUse", Moment::BeforeTool),
            ("beforeShellExecution", Moment::BeforeTool),
            ("beforeReadFile", Moment::BeforeTool),
            ("beforeTabFileRead", Moment::Other),
            ("beforeMCPExecution", Moment::Other),
            ("postToolUse", Moment::AfterTool),
            ("postToolUseFailure", Moment::AfterFailure),
            ("afterShellExecution", Moment::AfterTool),
            ("afterFileEdit", Moment::AfterTool),
            // Completions that a person takes in the editor.
            ("afterTabFileEdit", Moment::Other),
            ("afterMCPExecution", Moment::Other),
            ("afterAgentResponse", Moment::Other),
            ("afterAgentThought", Moment::Other),
            ("preCompact", Moment::BeforeCompaction),
            ("subagentStart", Moment::SubagentStart),
            ("subagentStop", Moment::SubagentStop),
            ("stop", Moment::TurnEnd),
            ("sessionEnd", Moment::SessionEnd),
            ("workspaceOpen", Moment::Other),
        ]
    }

    fn context_events(&self) -> &'static [&'static str] {
        &["sessionStart", "beforeSubmitPrompt", "preToolUse", "postToolUse", "postToolUseFailure"]
    }

    fn directory_variables(&self) -> &'static [&'static str] {
        &["CURSOR_PROJECT_DIR"]
    }

    fn session(&self, payload: &Value) -> Option<String> {
        id(payload, &["session_id", "conversation_id"])
    }

    fn agent(&self, payload: &Value) -> Option<String> {
        id(payload, &["agent_id", "subagent_id", "parent_tool_call_id"])
    }

    fn call<'v>(&self, event: &str, payload: &'v Value) -> Call<'v> {
        // The arguments stand beside the common fields.
        let name = match event {
            "beforeShellExecution" | "afterShellExecution" => "Shell",
            "beforeReadFile" => "Read",
            "afterFileEdit" => return claude_shape::call_of(Some("Edit"), Some(payload), None),
            _ => return claude_shape::call(payload),
        };
        claude_shape::call_of(Some(name), Some(payload), field(payload, &["output"]))
    }

    fn context(&self, _event: &str, text: &str) -> Output {
        Output::json(json!({"additional_context": text}))
    }

    /// Which of the two texts the model gets differs between the editor and the SDK.
    fn deny(&self, _event: &str, reason: &str) -> Output {
        Output::json(json!({"permission": "deny", "user_message": reason, "agent_message": reason}))
    }

    /// On events that give a permission, invalid JSON blocks.
    fn neutral(&self, _event: &str) -> Output {
        Output::json(json!({}))
    }
}
