//! Gemini CLI.

use serde_json::json;

use crate::install::shapes::{CLAIM, Hook, OTHER, element, group, hooks, mcp, on, server, tools};
use crate::install::{Machine, Part, Place, Platform, Scope, Signs};

/// Gemini CLI: everything in `settings.json`; it waits in milliseconds.
pub struct GeminiCli;

const HOOKS: &[Hook] = &[
    on("SessionStart", OTHER),
    on("BeforeAgent", OTHER),
    tools("BeforeTool", "replace|write_file", CLAIM),
    tools("AfterTool", "read_file|read_many_files|replace|write_file|run_shell_command", OTHER),
    on("AfterAgent", OTHER),
    on("SessionEnd", OTHER),
];

impl Platform for GeminiCli {
    fn id(&self) -> &'static str {
        "gemini-cli"
    }

    fn title(&self) -> &'static str {
        "Gemini CLI"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        // The folder alone may be Antigravity's.
        Signs { paths: vec![machine.home().join(".gemini/settings.json")], programs: &["gemini"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let file = place.file(place.home(".gemini/settings.json"), ".gemini/settings.json");
        let entry = |hook: &Hook| {
            let line = place.hook_line("gemini-cli", hook.event);
            let handler =
                json!({"type": "command", "name": "portolan", "command": line, "timeout": hook.timeout * 1000});
            element(&["hooks", hook.event], group(*hook, handler))
        };
        vec![
            mcp(file.clone(), false, "mcpServers", server(place, &json!({}))),
            hooks(file, false, HOOKS.iter().map(entry).collect()),
        ]
    }

    fn notes(&self, scope: Scope) -> Vec<&'static str> {
        match scope {
            Scope::User => vec![],
            Scope::Project => vec!["Gemini CLI reads a project's settings in trusted folders only"],
        }
    }
}
