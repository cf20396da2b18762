//! Zed.

use serde_json::json;

use crate::install::shapes::{mcp, rules_block, server};
use crate::install::{Machine, Part, Place, Platform, Signs};

/// Zed: a server entry and rules; it has no hooks.
pub struct Zed;

/// It reads the first of these.
const RULES: &[&str] = &[
    ".rules",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    ".github/copilot-instructions.md",
    "AGENT.md",
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
];

impl Platform for Zed {
    fn id(&self) -> &'static str {
        "zed"
    }

    fn title(&self) -> &'static str {
        "Zed"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        Signs { paths: vec![machine.config_home().join("zed")], programs: &["zed", "zeditor"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let file = place.file(place.machine.config_home().join("zed/settings.json"), ".zed/settings.json");
        let mut parts = vec![mcp(file, false, "context_servers", server(place, &json!({})))];
        parts.extend(place.project.map(|root| rules_block(root, RULES, "AGENTS.md")));
        parts
    }
}
