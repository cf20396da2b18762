//! Claude Code: the shape that the defaults follow.

use serde_json::Value;

use super::super::claude_shape;
use super::super::event::Output;
use super::super::host::Host;
use super::super::payload::text;

pub(super) struct ClaudeCode;

impl Host for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["claude"]
    }

    fn directory_variables(&self) -> &'static [&'static str] {
        &["CLAUDE_PROJECT_DIR"]
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &["CLAUDE_CODE_SESSION_ID"]
    }

    /// The end of a sub-agent in the background comes as a prompt too.
    fn prompt(&self, payload: &Value) -> Option<String> {
        text(payload, &["prompt"]).filter(|prompt| !prompt.starts_with("<task-notification>")).map(str::to_owned)
    }

    fn ask(&self, event: &str, reason: &str) -> Output {
        claude_shape::decide(event, "ask", reason)
    }
}
