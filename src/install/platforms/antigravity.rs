//! Antigravity, the editor and `agy`.

use std::path::Path;

use serde_json::{Map, Value as Json, json};

use crate::install::ours::PROGRAM;
use crate::install::shapes::{CLAIM, Hook, OTHER, group, hooks, mcp, on, server, tools};
use crate::install::{Entry, Machine, Part, Place, Platform, Signs};

/// Antigravity: hooks under a key of our own. A comment, a fraction or an event in the wrong shape loses the file.
pub struct Antigravity;

const EDITS: &str = "write_to_file|replace_file_content|multi_replace_file_content";

/// Tool events hold groups.
const GROUPED: [Hook; 2] = [tools("PreToolUse", EDITS, CLAIM), on("PostToolUse", OTHER)];
/// The others hold handlers.
const FLAT: [Hook; 2] = [on("PreInvocation", OTHER), on("Stop", OTHER)];

impl Platform for Antigravity {
    fn id(&self) -> &'static str {
        "antigravity"
    }

    fn title(&self) -> &'static str {
        "Antigravity"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        let gemini = machine.home().join(".gemini");
        let paths = ["antigravity", "antigravity-cli", "config"].map(|name| gemini.join(name)).to_vec();
        Signs { paths, programs: &["agy", "antigravity"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let handler = |hook: &Hook| {
            let line = place.hook_line("antigravity", hook.event);
            json!({"type": "command", "command": line, "timeout": hook.timeout})
        };
        let mut value = Map::new();
        value.insert("enabled".into(), true.into());
        for hook in &GROUPED {
            value.insert(hook.event.into(), json!([group(*hook, handler(hook))]));
        }
        for hook in &FLAT {
            value.insert(hook.event.into(), json!([handler(hook)]));
        }
        let entry = Entry::Property { at: vec![], key: PROGRAM.into(), value: Json::Object(value) };
        let server =
            |folder: &Path| mcp(folder.join("mcp_config.json"), false, "mcpServers", server(place, &json!({})));
        let folder = place.file(place.home(".gemini/config"), ".agents");
        let mut parts = vec![server(&folder)];
        let cli = place.home(".gemini/antigravity-cli");
        if place.project.is_none() && cli.exists() {
            parts.push(server(&cli));
        }
        parts.push(hooks(folder.join("hooks.json"), true, vec![entry]));
        parts
    }
}
