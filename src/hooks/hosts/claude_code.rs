//! Claude Code: the shape that the defaults follow.

use super::super::claude_shape;
use super::super::event::Output;
use super::super::host::Host;

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

    fn ask(&self, event: &str, reason: &str) -> Output {
        claude_shape::decide(event, "ask", reason)
    }
}
