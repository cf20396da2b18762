//! Junie.

use serde_json::json;

use crate::install::shapes::{mcp, rules_block, server};
use crate::install::{Machine, Part, Place, Platform, Signs};

/// Junie: a server entry, and rules in a repository; its one hook does not talk to the model.
pub struct Junie;

impl Platform for Junie {
    fn id(&self) -> &'static str {
        "junie"
    }

    fn title(&self) -> &'static str {
        "Junie"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        Signs { paths: vec![machine.home().join(".junie")], programs: &["junie"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let file = place.file(place.home(".junie/mcp/mcp.json"), ".junie/mcp/mcp.json");
        let mut parts = vec![mcp(file, false, "mcpServers", server(place, &json!({})))];
        let names = [".junie/AGENTS.md", ".junie/guidelines.md"];
        parts.extend(place.project.map(|root| rules_block(root, &names, ".junie/AGENTS.md")));
        parts
    }
}
