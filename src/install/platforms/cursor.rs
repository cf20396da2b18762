//! Cursor, the editor and cursor-agent.

use serde_json::{Map, json};

use crate::install::shapes::{CLAIM, Hook, OTHER, element, hooks, mcp, on, server, tools};
use crate::install::{Entry, Machine, Part, Place, Platform, Scope, Signs};

/// Cursor: `mcp.json` and `hooks.json`. One entry that it does not know takes the whole hooks file with it, and it cuts
/// off commands at `//`.
pub struct Cursor;

const HOOKS: &[Hook] = &[
    on("sessionStart", OTHER),
    on("beforeSubmitPrompt", OTHER),
    tools("preToolUse", "Write|Delete", CLAIM),
    tools("postToolUse", "Read|Write|Delete|Shell", OTHER),
    on("preCompact", OTHER),
    on("subagentStop", OTHER),
    on("stop", OTHER),
    on("sessionEnd", OTHER),
];

impl Platform for Cursor {
    fn id(&self) -> &'static str {
        "cursor"
    }

    fn title(&self) -> &'static str {
        "Cursor"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        Signs { paths: vec![machine.home().join(".cursor")], programs: &["cursor", "cursor-agent"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let folder = place.file(place.home(".cursor"), ".cursor");
        let entry = |hook: &Hook| {
            let mut entry = Map::new();
            entry.insert("command".into(), place.hook_line("cursor", hook.event).into());
            entry.insert("timeout".into(), hook.timeout.into());
            if let Some(matcher) = hook.matcher {
                entry.insert("matcher".into(), matcher.into());
            }
            element(&["hooks", hook.event], entry.into())
        };
        let version = Entry::Default { key: "version".into(), value: json!(1) };
        let entries = std::iter::once(version).chain(HOOKS.iter().map(entry)).collect();
        vec![
            mcp(folder.join("mcp.json"), false, "mcpServers", server(place, &json!({}))),
            hooks(folder.join("hooks.json"), false, entries),
        ]
    }

    fn notes(&self, scope: Scope) -> Vec<&'static str> {
        match scope {
            Scope::User => vec![],
            Scope::Project => vec!["each user enables the project's MCP server once, in Cursor's settings"],
        }
    }
}
