//! OpenCode.

use serde_json::{Value as Json, json};

use crate::hooks::OPENCODE_PLUGIN;
use crate::install::ours::PROGRAM;
use crate::install::shapes::mcp;
use crate::install::{Form, Machine, Part, Place, Platform, Role, Signs};

/// OpenCode: a server entry, and a plugin file that calls the hooks.
pub struct OpenCode;

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
        let program = Json::String(place.program()).to_string();
        let text = OPENCODE_PLUGIN.replace("@PORTOLAN@", &program).replace("@HOST@", "\"opencode\"");
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
