//! OpenCode.

use serde_json::{Value as Json, json};

use crate::install::ours::PROGRAM;
use crate::install::shapes::mcp;
use crate::install::{Form, Machine, Part, Place, Platform, Role, Signs};

/// OpenCode: a server entry, and a plugin file that calls the hooks.
pub struct OpenCode;

/// The plugin, with places for the program and for the host's name.
const PLUGIN: &str = include_str!("../assets/opencode.js");

impl Platform for OpenCode {
    fn id(&self) -> &'static str {
        "opencode"
    }

    fn title(&self) -> &'static str {
        "OpenCode"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        Signs { paths: vec![folder(machine)], programs: &["opencode"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let (config, plugins) = match place.project {
            Some(root) => (root.to_owned(), root.join(".opencode/plugins")),
            None => (folder(place.machine), folder(place.machine).join("plugins")),
        };
        let name = if config.join("opencode.jsonc").exists() { "opencode.jsonc" } else { "opencode.json" };
        let value = json!({"type": "local", "command": [place.program(), "mcp"], "enabled": true});
        let text =
            PLUGIN.replace("@PORTOLAN@", &Json::String(place.program()).to_string()).replace("@HOST@", "\"opencode\"");
        vec![
            mcp(config.join(name), false, "mcp", value),
            Part {
                role: Role::Hooks,
                file: plugins.join(format!("{PROGRAM}.js")),
                form: Form::Own { text, executable: false },
            },
        ]
    }
}

fn folder(machine: &Machine) -> std::path::PathBuf {
    machine.absolute("OPENCODE_CONFIG_DIR").unwrap_or_else(|| machine.config_home().join("opencode"))
}
