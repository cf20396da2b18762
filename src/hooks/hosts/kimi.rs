//! Kimi Code: Claude's event names; a prompt's plain output is context, refusal by exit code.

use super::super::event::Output;
use super::super::host::Host;

pub(super) struct Kimi;

impl Host for Kimi {
    fn name(&self) -> &'static str {
        "kimi"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["kimi-code", "kimi-cli"]
    }

    fn context_events(&self) -> &'static [&'static str] {
        &["UserPromptSubmit"]
    }

    fn context(&self, _event: &str, text: &str) -> Output {
        Output::text(text)
    }

    fn deny(&self, _event: &str, reason: &str) -> Output {
        Output::exit_2(reason)
    }
}
