//! Amp.

use serde_json::json;

use crate::install::shapes::{mcp, rules_block, server};
use crate::install::{Machine, Part, Place, Platform, Signs};

/// Amp: a server entry, and rules.
pub struct Amp;

impl Platform for Amp {
    fn id(&self) -> &'static str {
        "amp"
    }

    fn title(&self) -> &'static str {
        "Amp"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        Signs { paths: vec![machine.config_home().join("amp")], programs: &["amp"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let file = place.file(place.machine.config_home().join("amp/settings.json"), ".amp/settings.json");
        let rules = match place.project {
            Some(root) => rules_block(root, &["AGENTS.md", "AGENT.md", "CLAUDE.md"], "AGENTS.md"),
            None => rules_block(&place.machine.config_home(), &[], "AGENTS.md"),
        };
        vec![mcp(file, false, "amp.mcpServers", server(place, &json!({}))), rules]
    }
}
