//! Continue's `cn`: Claude's shape, whose settings files it runs too.

use super::super::host::Host;

pub(super) struct ContinueCli;

impl Host for ContinueCli {
    fn name(&self) -> &'static str {
        "continue-cli"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["continue", "cn"]
    }

    fn context_events(&self) -> &'static [&'static str] {
        &["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"]
    }
}
