//! CodeBuddy: Claude's shape.

use super::super::host::Host;

pub(super) struct CodeBuddy;

impl Host for CodeBuddy {
    fn name(&self) -> &'static str {
        "codebuddy"
    }

    fn context_events(&self) -> &'static [&'static str] {
        &["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"]
    }

    fn directory_variables(&self) -> &'static [&'static str] {
        &["CODEBUDDY_PROJECT_DIR"]
    }
}
