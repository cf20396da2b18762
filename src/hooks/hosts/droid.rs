//! Factory Droid: Claude's shape, its own tool names.

use super::super::host::Host;

pub(super) struct Droid;

impl Host for Droid {
    fn name(&self) -> &'static str {
        "droid"
    }

    fn context_events(&self) -> &'static [&'static str] {
        &["SessionStart", "UserPromptSubmit", "PostToolUse"]
    }

    fn directory_variables(&self) -> &'static [&'static str] {
        &["FACTORY_PROJECT_DIR"]
    }
}
