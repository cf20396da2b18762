//! Windsurf (Devin Desktop).

use serde_json::json;

use crate::install::shapes::{element, hooks, mcp, own_rules, rules_block, server};
use crate::install::{Machine, Part, Place, Platform, Signs};

/// Windsurf: hooks can block and record, but give the model nothing, so there are rules as well.
pub struct Windsurf;

const EVENTS: [&str; 4] = ["pre_write_code", "post_read_code", "post_write_code", "post_cascade_response"];

impl Platform for Windsurf {
    fn id(&self) -> &'static str {
        "windsurf"
    }

    fn title(&self) -> &'static str {
        "Windsurf"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        Signs { paths: vec![machine.home().join(".codeium/windsurf")], programs: &["windsurf"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let entries = EVENTS.map(|event| {
            let line = place.hook_line("windsurf", event);
            element(&["hooks", event], json!({"command": line, "show_output": false}))
        });
        let file = place.file(place.home(".codeium/windsurf/hooks.json"), ".windsurf/hooks.json");
        let hooks = hooks(file, false, entries.into());
        match place.project {
            // Servers are the user's only.
            Some(root) => {
                vec![hooks, own_rules(root.join(".windsurf/rules/portolan.md"), "---\ntrigger: always_on\n---\n")]
            }
            None => {
                let mcp_file = place.home(".codeium/windsurf/mcp_config.json");
                let memories = place.home(".codeium/windsurf/memories");
                vec![
                    mcp(mcp_file, false, "mcpServers", server(place, &json!({}))),
                    hooks,
                    rules_block(&memories, &[], "global_rules.md"),
                ]
            }
        }
    }
}
