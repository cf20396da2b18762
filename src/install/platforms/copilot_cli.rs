//! GitHub Copilot CLI.

use serde_json::{Map, json};

use crate::install::shapes::{CLAIM, Hook, OTHER, element, hooks, mcp, on, server, tools};
use crate::install::{Entry, Machine, Part, Place, Platform, Scope, Signs};

/// Copilot CLI: a hooks file of our own; the lower-case events get its own dialect.
pub struct CopilotCli;

const HOOKS: &[Hook] = &[
    on("sessionStart", OTHER),
    on("userPromptSubmitted", OTHER),
    tools("preToolUse", "edit|create|str_replace_editor|apply_patch", CLAIM),
    tools("postToolUse", "view|edit|create|str_replace_editor|apply_patch|bash", OTHER),
    on("preCompact", OTHER),
    on("subagentStop", OTHER),
    on("agentStop", OTHER),
    on("sessionEnd", OTHER),
];

impl Platform for CopilotCli {
    fn id(&self) -> &'static str {
        "copilot-cli"
    }

    fn title(&self) -> &'static str {
        "Copilot CLI"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        // VS Code's hooks of ours lie in a folder of this name, so the folder alone is no sign.
        let home = machine.folder("COPILOT_HOME", ".copilot");
        let paths = ["config.json", "settings.json", "mcp-config.json"].map(|name| home.join(name)).to_vec();
        Signs { paths, programs: &["copilot"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let home = place.machine.folder("COPILOT_HOME", ".copilot");
        let before = match place.scope() {
            Scope::User => json!({"type": "local"}),
            // It shares this file with Claude Code.
            Scope::Project => json!({"type": "stdio"}),
        };
        let mut value = server(place, &before);
        if place.scope() == Scope::User
            && let Some(object) = value.as_object_mut()
        {
            object.insert("tools".into(), json!(["*"]));
        }
        let entry = |hook: &Hook| {
            let mut entry = Map::new();
            entry.insert("type".into(), "command".into());
            entry.insert("bash".into(), place.open_hook_line("copilot-cli", hook.event).into());
            entry.insert("timeoutSec".into(), hook.timeout.into());
            if let Some(matcher) = hook.matcher {
                entry.insert("matcher".into(), matcher.into());
            }
            element(&["hooks", hook.event], entry.into())
        };
        let version = Entry::Default { key: "version".into(), value: json!(1) };
        let entries = std::iter::once(version).chain(HOOKS.iter().map(entry)).collect();
        vec![
            mcp(place.file(home.join("mcp-config.json"), ".mcp.json"), true, "mcpServers", value),
            hooks(place.file(home.join("hooks/portolan.json"), ".github/hooks/portolan.json"), true, entries),
        ]
    }

    fn notes(&self, scope: Scope) -> Vec<&'static str> {
        match scope {
            Scope::User => vec![],
            Scope::Project => vec![
                "Copilot CLI reads a project's hooks and servers in trusted folders only, and the servers under `-p` \
                 only with GITHUB_COPILOT_PROMPT_MODE_WORKSPACE_MCP=true",
            ],
        }
    }
}
