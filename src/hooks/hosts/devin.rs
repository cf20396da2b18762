//! Devin CLI: Claude's shape, refusal by a decision.

use serde_json::json;

use super::super::event::Output;
use super::super::host::Host;

pub(super) struct Devin;

impl Host for Devin {
    fn name(&self) -> &'static str {
        "devin"
    }

    fn context_events(&self) -> &'static [&'static str] {
        &["SessionStart", "UserPromptSubmit", "PostToolUse"]
    }

    fn directory_variables(&self) -> &'static [&'static str] {
        &["DEVIN_PROJECT_DIR"]
    }

    fn deny(&self, _event: &str, reason: &str) -> Output {
        Output::json(json!({"decision": "block", "reason": reason}))
    }
}
