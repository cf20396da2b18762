//! Qwen Code: Claude's shape; what is added before a tool does not arrive.

use super::super::host::Host;

pub(super) struct QwenCode;

impl Host for QwenCode {
    fn name(&self) -> &'static str {
        "qwen-code"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["qwen"]
    }

    fn context_events(&self) -> &'static [&'static str] {
        &["SessionStart", "UserPromptSubmit", "PostToolUse"]
    }

    fn directory_variables(&self) -> &'static [&'static str] {
        &["QWEN_PROJECT_DIR"]
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &["QWEN_CODE_SESSION_ID"]
    }
}
