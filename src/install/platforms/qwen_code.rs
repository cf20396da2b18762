//! Qwen Code.

use serde_json::json;

use crate::install::shapes::{CLAIM, Hook, OTHER, groups, hooks, mcp, on, server, tools};
use crate::install::{Machine, Part, Place, Platform, Scope, Signs};

/// Qwen Code: everything in `settings.json`, hooks as Claude Code writes them.
pub struct QwenCode;

const HOOKS: &[Hook] = &[
    on("SessionStart", OTHER),
    on("UserPromptSubmit", OTHER),
    tools("PreToolUse", "edit|write_file|notebook_edit", CLAIM),
    tools("PostToolUse", "read_file|edit|write_file|notebook_edit|run_shell_command", OTHER),
    on("PreCompact", OTHER),
    on("SubagentStop", OTHER),
    on("Stop", OTHER),
    on("SessionEnd", OTHER),
];

impl Platform for QwenCode {
    fn id(&self) -> &'static str {
        "qwen-code"
    }

    fn title(&self) -> &'static str {
        "Qwen Code"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        Signs { paths: vec![machine.home().join(".qwen")], programs: &["qwen"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let file = place.file(place.home(".qwen/settings.json"), ".qwen/settings.json");
        vec![
            mcp(file.clone(), false, "mcpServers", server(place, &json!({}))),
            hooks(file, false, groups(place, "qwen-code", HOOKS)),
        ]
    }

    fn notes(&self, scope: Scope) -> Vec<&'static str> {
        match scope {
            Scope::User => vec![],
            Scope::Project => vec!["Qwen Code runs a project's hooks in trusted folders only"],
        }
    }
}
