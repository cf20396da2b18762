//! Claude Code.

use serde_json::json;

use crate::install::shapes::{CLAIM, Hook, OTHER, groups_of, hooks, mcp, on, server, tools};
use crate::install::{Machine, Part, Place, Platform, Scope, Signs};

/// Claude Code: `~/.claude.json` and `~/.claude/settings.json`, `.mcp.json` and `.claude/settings.json`.
pub struct ClaudeCode;

const HOOKS: &[Hook] = &[
    on("SessionStart", OTHER),
    on("UserPromptSubmit", OTHER),
    tools("PreToolUse", "Edit|Write|NotebookEdit", CLAIM),
    tools("PostToolUse", "Read|Edit|Write|NotebookEdit|Bash", OTHER),
    tools("PostToolUseFailure", "Edit|Write|NotebookEdit", OTHER),
    // An edit that was refused before it ran is told of by this one alone.
    on("PostToolBatch", OTHER),
    on("SubagentStart", OTHER),
    on("SubagentStop", OTHER),
    on("Stop", OTHER),
    on("SessionEnd", OTHER),
];

impl Platform for ClaudeCode {
    fn id(&self) -> &'static str {
        "claude-code"
    }

    fn title(&self) -> &'static str {
        "Claude Code"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        let paths = vec![machine.folder("CLAUDE_CONFIG_DIR", ".claude"), state(machine)];
        Signs { paths, programs: &["claude"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let settings = place.machine.folder("CLAUDE_CONFIG_DIR", ".claude").join("settings.json");
        // Not as program and arguments: other agents read this file too, and one that does not know `args` would call
        // the bare program, whose exit code for wrong usage (2) means "blocked".
        let groups = groups_of(HOOKS, |event| place.open_hook_line("claude-code", event));
        vec![
            mcp(
                place.file(state(place.machine), ".mcp.json"),
                true,
                "mcpServers",
                server(place, &json!({"type": "stdio"})),
            ),
            hooks(place.file(settings, ".claude/settings.json"), true, groups),
        ]
    }

    fn notes(&self, scope: Scope) -> Vec<&'static str> {
        match scope {
            Scope::User => vec![],
            Scope::Project => vec!["each user approves the project's MCP server once, when Claude Code asks"],
        }
    }
}

/// The file that Claude Code rewrites while it runs.
fn state(machine: &Machine) -> std::path::PathBuf {
    machine.absolute("CLAUDE_CONFIG_DIR").unwrap_or_else(|| machine.home().to_owned()).join(".claude.json")
}
