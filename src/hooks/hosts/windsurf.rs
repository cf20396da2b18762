//! Windsurf (Devin Desktop): one event per tool, refusal by exit code, no way to add context.

use serde_json::Value;

use super::super::claude_shape;
use super::super::event::Output;
use super::super::host::{Events, Host, Moment};
use super::super::payload::{field, id, text};
use super::super::tools::Call;

pub(super) struct Windsurf;

impl Host for Windsurf {
    fn name(&self) -> &'static str {
        "windsurf"
    }

    fn events(&self) -> Events {
        &[
            ("pre_user_prompt", Moment::Prompt),
            ("pre_read_code", Moment::BeforeTool),
            ("post_read_code", Moment::AfterTool),
            ("pre_write_code", Moment::BeforeTool),
            ("post_write_code", Moment::AfterTool),
            ("pre_run_command", Moment::BeforeTool),
            ("post_run_command", Moment::AfterTool),
            ("pre_mcp_tool_use", Moment::Other),
            ("post_mcp_tool_use", Moment::Other),
            ("post_cascade_response", Moment::TurnEnd),
            ("post_cascade_response_with_transcript", Moment::TurnEnd),
            ("post_setup_worktree", Moment::Other),
        ]
    }

    fn context_events(&self) -> &'static [&'static str] {
        &[]
    }

    fn event_name<'v>(&self, payload: &'v Value) -> Option<&'v str> {
        text(payload, &["agent_action_name"])
    }

    fn session(&self, payload: &Value) -> Option<String> {
        id(payload, &["trajectory_id"])
    }

    fn directory<'v>(&self, payload: &'v Value) -> Option<&'v str> {
        text(payload.get("tool_info")?, &["cwd"])
    }

    fn call<'v>(&self, event: &str, payload: &'v Value) -> Call<'v> {
        let name = match event {
            "pre_read_code" | "post_read_code" => "read",
            "pre_write_code" | "post_write_code" => "write",
            _ => "run_command",
        };
        let info = field(payload, &["tool_info"]);
        claude_shape::call_of(Some(name), info, info)
    }

    fn prompt(&self, payload: &Value) -> Option<String> {
        text(payload.get("tool_info")?, &["user_prompt"]).map(str::to_owned)
    }

    fn deny(&self, _event: &str, reason: &str) -> Output {
        Output::exit_2(reason)
    }
}
