//! Kiro, the editor and both generations of its command line: plain output is context, refusal by exit code.

use serde_json::Value;

use super::super::event::Output;
use super::super::host::{Events, Host, Moment};
use super::super::payload::text;

pub(super) struct Kiro;

impl Host for Kiro {
    fn name(&self) -> &'static str {
        "kiro"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["kiro-cli", "kiro-cli2"]
    }

    fn events(&self) -> Events {
        &[
            ("SessionStart", Moment::SessionStart),
            ("UserPromptSubmit", Moment::Prompt),
            ("PreToolUse", Moment::BeforeTool),
            ("PostToolUse", Moment::AfterTool),
            ("Stop", Moment::TurnEnd),
            ("PreTaskExec", Moment::Other),
            ("PostTaskExec", Moment::Other),
            ("PostFileCreate", Moment::Other),
            ("PostFileSave", Moment::Other),
            ("PostFileDelete", Moment::Other),
            ("Manual", Moment::Other),
            // Hooks inside an agent's file (command line 2).
            ("agentSpawn", Moment::SessionStart),
            ("userPromptSubmit", Moment::Prompt),
            ("preToolUse", Moment::BeforeTool),
            ("postToolUse", Moment::AfterTool),
            ("stop", Moment::TurnEnd),
        ]
    }

    fn context_events(&self) -> &'static [&'static str] {
        &["SessionStart", "UserPromptSubmit", "agentSpawn", "userPromptSubmit"]
    }

    fn prompt(&self, payload: &Value) -> Option<String> {
        text(payload, &["prompt", "user_prompt"]).map(str::to_owned)
    }

    fn context(&self, _event: &str, text: &str) -> Output {
        Output::text(text)
    }

    fn deny(&self, _event: &str, reason: &str) -> Output {
        Output::exit_2(reason)
    }
}
