//! Codex CLI: Claude's shape with strict schemas; no key beyond those that its answers need, and no `ask`.

use super::super::host::Host;

pub(super) struct Codex;

impl Host for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["codex-cli"]
    }

    fn context_events(&self) -> &'static [&'static str] {
        &["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart"]
    }
}
