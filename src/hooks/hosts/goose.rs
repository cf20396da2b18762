//! Goose: Claude's event names under `event`, refusal by a decision, no way to add context.

use serde_json::{Value, json};

use super::super::event::Output;
use super::super::host::Host;
use super::super::payload::text;

pub(super) struct Goose;

impl Host for Goose {
    fn name(&self) -> &'static str {
        "goose"
    }

    fn context_events(&self) -> &'static [&'static str] {
        &[]
    }

    fn event_name<'v>(&self, payload: &'v Value) -> Option<&'v str> {
        text(payload, &["event", "hook_event_name"])
    }

    fn prompt(&self, payload: &Value) -> Option<String> {
        text(payload, &["message", "prompt"]).map(str::to_owned)
    }

    fn deny(&self, _event: &str, reason: &str) -> Output {
        Output::json(json!({"decision": "block", "reason": reason}))
    }
}
