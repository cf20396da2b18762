//! Cline, the extension and the command line: an object per event, named after it.

use serde_json::{Value, json};

use super::super::claude_shape;
use super::super::event::{Output, Source};
use super::super::host::{Events, Host, Moment};
use super::super::payload::{field, id, text};
use super::super::tools::Call;

pub(super) struct Cline;

impl Host for Cline {
    fn name(&self) -> &'static str {
        "cline"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["cline-cli"]
    }

    fn events(&self) -> Events {
        &[
            ("TaskStart", Moment::SessionStart),
            ("TaskResume", Moment::SessionStart),
            ("UserPromptSubmit", Moment::Prompt),
            ("PreToolUse", Moment::BeforeTool),
            ("PostToolUse", Moment::AfterTool),
            ("PreCompact", Moment::BeforeCompaction),
            ("TaskCancel", Moment::TurnEnd),
            ("TaskComplete", Moment::SessionEnd),
            // The command line's names.
            ("tool_call", Moment::BeforeTool),
            ("tool_result", Moment::AfterTool),
        ]
    }

    fn context_events(&self) -> &'static [&'static str] {
        &["TaskStart", "TaskResume", "UserPromptSubmit", "PreToolUse", "PostToolUse", "tool_call", "tool_result"]
    }

    fn event_name<'v>(&self, payload: &'v Value) -> Option<&'v str> {
        text(payload, &["hookName"])
    }

    fn session(&self, payload: &Value) -> Option<String> {
        field(payload, &["sessionContext"])
            .and_then(|context| id(context, &["rootSessionId"]))
            .or_else(|| id(payload, &["taskId"]))
    }

    /// The leading agent has an id too, but no parent.
    fn agent(&self, payload: &Value) -> Option<String> {
        id(payload, &["parent_agent_id"]).and_then(|_| id(payload, &["agent_id"]))
    }

    fn call_id(&self, payload: &Value) -> Option<String> {
        field(payload, &["tool_call", "tool_result"]).and_then(|call| id(call, &["id"]))
    }

    fn call<'v>(&self, _event: &str, payload: &'v Value) -> Call<'v> {
        let call = field(payload, &["preToolUse", "postToolUse", "tool_call", "tool_result"]);
        let name = call.and_then(|call| text(call, &["toolName", "name", "tool"]));
        let input = call.and_then(|call| field(call, &["parameters", "input"]));
        claude_shape::call_of(name, input, call)
    }

    fn prompt(&self, payload: &Value) -> Option<String> {
        text(payload.get("userPromptSubmit")?, &["prompt"]).map(str::to_owned)
    }

    fn source(&self, event: &str, _payload: &Value) -> Source {
        if event == "TaskResume" { Source::Resume } else { Source::Startup }
    }

    fn context(&self, _event: &str, text: &str) -> Output {
        Output::json(json!({"cancel": false, "contextModification": text}))
    }

    fn deny(&self, _event: &str, reason: &str) -> Output {
        Output::json(json!({"cancel": true, "errorMessage": reason}))
    }

    fn neutral(&self, _event: &str) -> Output {
        Output::json(json!({"cancel": false}))
    }
}
