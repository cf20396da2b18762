//! Trae.

use serde_json::json;

use crate::install::shapes::{mcp, own_rules, server};
use crate::install::{Machine, Part, Place, Platform, Scope, Signs};

/// Trae: a server entry, and rules in a repository; it has no hooks.
pub struct Trae;

impl Platform for Trae {
    fn id(&self) -> &'static str {
        "trae"
    }

    fn title(&self) -> &'static str {
        "Trae"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        let paths = vec![machine.application("Trae"), machine.home().join(".trae")];
        Signs { paths, programs: &["trae"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let file = place.file(place.machine.application("Trae").join("User/mcp.json"), ".trae/mcp.json");
        let mut parts = vec![mcp(file, false, "mcpServers", server(place, &json!({})))];
        parts.extend(place.project.map(|root| own_rules(root.join(".trae/rules/portolan.md"), "")));
        parts
    }

    fn notes(&self, scope: Scope) -> Vec<&'static str> {
        match scope {
            Scope::User => vec![],
            Scope::Project => vec!["Trae reads a project's servers once that is enabled in its settings"],
        }
    }
}
