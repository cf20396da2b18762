//! Gemini CLI: its own event names and refusals, Claude's way to add context.

use serde_json::{Value, json};

use super::super::event::Output;
use super::super::host::{Events, Host, Moment};
use super::super::payload::text;

pub(super) struct GeminiCli;

impl Host for GeminiCli {
    fn name(&self) -> &'static str {
        "gemini-cli"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["gemini"]
    }

    fn events(&self) -> Events {
        &[
            ("SessionStart", Moment::SessionStart),
            ("BeforeAgent", Moment::Prompt),
            ("BeforeTool", Moment::BeforeTool),
            ("AfterTool", Moment::AfterTool),
            ("AfterAgent", Moment::TurnEnd),
            ("SessionEnd", Moment::SessionEnd),
            // Fires before every request to the model, not only before compressions.
            ("PreCompress", Moment::Other),
            ("BeforeModel", Moment::Other),
            ("AfterModel", Moment::Other),
            ("BeforeToolSelection", Moment::Other),
            ("Notification", Moment::Other),
        ]
    }

    fn context_events(&self) -> &'static [&'static str] {
        &["SessionStart", "BeforeAgent", "AfterTool"]
    }

    fn directory_variables(&self) -> &'static [&'static str] {
        &["GEMINI_CWD", "GEMINI_PROJECT_DIR"]
    }

    fn session_variables(&self) -> &'static [&'static str] {
        &["GEMINI_SESSION_ID"]
    }

    /// Headless, what hooks said at the session's start stands before the person's words.
    fn prompt(&self, payload: &Value) -> Option<String> {
        let mut prompt = text(payload, &["prompt"])?.trim_start();
        while let Some(context) = prompt.strip_prefix("<hook_context>") {
            prompt = context.split_once("</hook_context>").map_or("", |(_, rest)| rest.trim_start());
        }
        Some(prompt.to_owned())
    }

    fn deny(&self, _event: &str, reason: &str) -> Output {
        Output::json(json!({"decision": "deny", "reason": reason}))
    }
}
