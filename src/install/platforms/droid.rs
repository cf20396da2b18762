//! Factory Droid.

use serde_json::json;

use crate::install::shapes::{CLAIM, Hook, OTHER, groups, hooks, mcp, on, server, tools};
use crate::install::{Machine, Part, Place, Platform, Signs};

/// Factory Droid: hooks as Claude Code writes them.
pub struct Droid;

const HOOKS: &[Hook] = &[
    on("SessionStart", OTHER),
    on("UserPromptSubmit", OTHER),
    tools("PreToolUse", "Edit|Create|ApplyPatch", CLAIM),
    tools("PostToolUse", "Read|Edit|Create|ApplyPatch|Execute", OTHER),
    on("SubagentStop", OTHER),
    on("Stop", OTHER),
    on("SessionEnd", OTHER),
];

impl Platform for Droid {
    fn id(&self) -> &'static str {
        "droid"
    }

    fn title(&self) -> &'static str {
        "Factory Droid"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        Signs { paths: vec![machine.home().join(".factory")], programs: &["droid"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let folder = place.file(place.home(".factory"), ".factory");
        vec![
            mcp(folder.join("mcp.json"), false, "mcpServers", server(place, &json!({"type": "stdio"}))),
            hooks(folder.join("settings.json"), false, groups(place, "droid", HOOKS)),
        ]
    }
}
