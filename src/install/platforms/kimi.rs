//! Kimi Code.

use serde_json::json;

use crate::install::shapes::{CLAIM, Hook, OTHER, mcp, on, server, tools};
use crate::install::{Form, Machine, Part, Place, Platform, Role, Signs, Table};

/// Kimi Code: `mcp.json`, and hooks in the user's `config.toml`, where any key it does not know loses the whole file.
pub struct Kimi;

const HOOKS: &[Hook] = &[
    on("SessionStart", OTHER),
    on("UserPromptSubmit", OTHER),
    tools("PreToolUse", "Edit|Write|WriteFile|StrReplaceFile", CLAIM),
    tools("PostToolUse", "Read|ReadFile|Edit|Write|WriteFile|StrReplaceFile|Shell|Bash", OTHER),
    on("SubagentStop", OTHER),
    on("Stop", OTHER),
    on("SessionEnd", OTHER),
];

impl Platform for Kimi {
    fn id(&self) -> &'static str {
        "kimi"
    }

    fn title(&self) -> &'static str {
        "Kimi Code"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        Signs { paths: vec![folder(machine)], programs: &["kimi"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let user = folder(place.machine);
        let servers = place.file(user.join("mcp.json"), ".kimi-code/mcp.json");
        let mut parts = vec![mcp(servers, true, "mcpServers", server(place, &json!({})))];
        if place.project.is_none() {
            let table = |hook: &Hook| {
                let mut pairs = vec![("event", json!(hook.event))];
                pairs.extend(hook.matcher.map(|matcher| ("matcher", json!(matcher))));
                pairs.push(("command", json!(place.hook_line("kimi", hook.event))));
                pairs.push(("timeout", json!(hook.timeout)));
                Table { name: &["hooks"], element: true, pairs }
            };
            let tables = HOOKS.iter().map(table).collect();
            parts.push(Part { role: Role::Hooks, file: user.join("config.toml"), form: Form::Toml(tables) });
        }
        parts
    }
}

fn folder(machine: &Machine) -> std::path::PathBuf {
    machine.folder("KIMI_CODE_HOME", ".kimi-code")
}
