//! CodeBuddy.

use serde_json::json;

use crate::install::shapes::{CLAIM, Hook, OTHER, groups, hooks, mcp, on, server, tools};
use crate::install::{Machine, Part, Place, Platform, Scope, Signs};

/// CodeBuddy: files as Claude Code has them.
pub struct CodeBuddy;

const HOOKS: &[Hook] = &[
    on("SessionStart", OTHER),
    on("UserPromptSubmit", OTHER),
    tools("PreToolUse", "Edit|MultiEdit|Write|NotebookEdit", CLAIM),
    tools("PostToolUse", "Read|Edit|MultiEdit|Write|NotebookEdit|Bash", OTHER),
    on("SubagentStop", OTHER),
    on("Stop", OTHER),
    on("SessionEnd", OTHER),
];

impl Platform for CodeBuddy {
    fn id(&self) -> &'static str {
        "codebuddy"
    }

    fn title(&self) -> &'static str {
        "CodeBuddy"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        Signs { paths: vec![machine.home().join(".codebuddy")], programs: &["codebuddy"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let servers = place.file(place.home(".codebuddy/.mcp.json"), ".mcp.json");
        let settings = place.file(place.home(".codebuddy/settings.json"), ".codebuddy/settings.json");
        vec![
            mcp(servers, true, "mcpServers", server(place, &json!({"type": "stdio"}))),
            hooks(settings, true, groups(place, "codebuddy", HOOKS)),
        ]
    }

    fn notes(&self, _scope: Scope) -> Vec<&'static str> {
        vec!["CodeBuddy reads hooks when it starts; while it runs, review them in /hooks"]
    }
}
