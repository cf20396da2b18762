//! Kiro.

use serde_json::{Map, json};

use crate::install::shapes::{CLAIM, Hook, OTHER, element, hooks, mcp, on, own_rules, server, tools};
use crate::install::{Entry, Machine, Part, Place, Platform, Signs};

/// Kiro: hooks in a repository, steering for the user.
pub struct Kiro;

const HOOKS: &[Hook] = &[
    on("SessionStart", OTHER),
    on("UserPromptSubmit", OTHER),
    tools("PreToolUse", "fs_write|str_replace", CLAIM),
    tools("PostToolUse", "fs_read|fs_write|str_replace", OTHER),
    on("Stop", OTHER),
];

impl Platform for Kiro {
    fn id(&self) -> &'static str {
        "kiro"
    }

    fn title(&self) -> &'static str {
        "Kiro"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        Signs { paths: vec![machine.home().join(".kiro")], programs: &["kiro", "kiro-cli"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let folder = place.file(place.home(".kiro"), ".kiro");
        let mut parts = vec![mcp(folder.join("settings/mcp.json"), false, "mcpServers", server(place, &json!({})))];
        if place.project.is_none() {
            parts.push(own_rules(folder.join("steering/portolan.md"), "---\ninclusion: always\n---\n"));
            return parts;
        }
        let entry = |hook: &Hook| {
            let mut entry = Map::new();
            entry.insert("name".into(), format!("portolan {}", hook.event).into());
            entry.insert("trigger".into(), hook.event.into());
            if let Some(matcher) = hook.matcher {
                entry.insert("matcher".into(), matcher.into());
            }
            let action = json!({"type": "command", "command": place.hook_line("kiro", hook.event)});
            entry.insert("action".into(), action);
            entry.insert("timeout".into(), hook.timeout.into());
            entry.insert("enabled".into(), true.into());
            element(&["hooks"], entry.into())
        };
        let version = Entry::Default { key: "version".into(), value: json!("v1") };
        let entries = std::iter::once(version).chain(HOOKS.iter().map(entry)).collect();
        parts.push(hooks(folder.join("hooks/portolan.json"), true, entries));
        parts
    }
}
