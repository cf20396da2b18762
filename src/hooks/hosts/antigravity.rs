//! Antigravity: camel case without an event name; strict answers. An empty answer before a tool refuses it.

use serde_json::{Value, json};

use super::super::claude_shape;
use super::super::event::Output;
use super::super::host::{Events, Host, Moment};
use super::super::payload::{field, id, text};
use super::super::tools::Call;

pub(super) struct Antigravity;

impl Host for Antigravity {
    fn name(&self) -> &'static str {
        "antigravity"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["agy"]
    }

    fn events(&self) -> Events {
        &[
            ("PreInvocation", Moment::SessionStart),
            ("PostInvocation", Moment::Other),
            ("PreToolUse", Moment::BeforeTool),
            ("PostToolUse", Moment::AfterTool),
            ("Stop", Moment::TurnEnd),
            ("SessionStart", Moment::SessionStart),
        ]
    }

    fn context_events(&self) -> &'static [&'static str] {
        &["PreInvocation"]
    }

    /// Comes before every request to the model; the first one of a turn is the place for a map.
    fn moment(&self, _event: &str, moment: Moment, payload: &Value) -> Moment {
        match field(payload, &["invocationNum"]).map(Value::as_u64) {
            Some(Some(0)) | None => moment,
            Some(_) => Moment::Other,
        }
    }

    fn event_name<'v>(&self, _payload: &'v Value) -> Option<&'v str> {
        None
    }

    fn session(&self, payload: &Value) -> Option<String> {
        id(payload, &["conversationId"])
    }

    fn call_id(&self, payload: &Value) -> Option<String> {
        id(payload, &["stepIdx"])
    }

    fn call<'v>(&self, _event: &str, payload: &'v Value) -> Call<'v> {
        let call = field(payload, &["toolCall"]);
        let name = call.and_then(|call| text(call, &["name"]));
        // The whole payload, for its `error`.
        claude_shape::call_of(name, call.and_then(|call| field(call, &["args"])), Some(payload))
    }

    fn context(&self, _event: &str, text: &str) -> Output {
        Output::json(json!({"injectSteps": [{"ephemeralMessage": text}]}))
    }

    fn deny(&self, _event: &str, reason: &str) -> Output {
        Output::json(json!({"decision": "deny", "reason": reason}))
    }

    fn ask(&self, _event: &str, reason: &str) -> Output {
        Output::json(json!({"decision": "ask", "reason": reason}))
    }

    /// A decision anywhere else aborts the turn.
    fn neutral(&self, event: &str) -> Output {
        if event == "PreToolUse" { Output::json(json!({"decision": "allow"})) } else { Output::json(json!({})) }
    }
}
