//! VS Code's own agent ("Local"): Claude's shape, its own tools. A prompt's event takes no context.

use super::super::claude_shape;
use super::super::event::Output;
use super::super::host::Host;

pub(super) struct VsCode;

impl Host for VsCode {
    fn name(&self) -> &'static str {
        "vscode"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["vscode-copilot", "vs-code"]
    }

    fn context_events(&self) -> &'static [&'static str] {
        &["SessionStart", "PreToolUse", "PostToolUse", "SubagentStart"]
    }

    fn ask(&self, event: &str, reason: &str) -> Output {
        claude_shape::decide(event, "ask", reason)
    }
}
