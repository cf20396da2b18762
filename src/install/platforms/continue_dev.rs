//! Continue, the extension and `cn`.

use serde_json::Value as Json;

use crate::install::shapes::{CLAIM, Hook, OTHER, groups, hooks, on, tools};
use crate::install::{Form, Machine, Part, Place, Platform, Role, Signs};

/// Continue: a server file of our own; `cn` runs hooks as Claude Code writes them.
pub struct Continue;

const HOOKS: &[Hook] = &[
    on("SessionStart", OTHER),
    on("UserPromptSubmit", OTHER),
    tools("PreToolUse", "Edit|MultiEdit|Write", CLAIM),
    tools("PostToolUse", "Read|Edit|MultiEdit|Write|Bash", OTHER),
    on("Stop", OTHER),
    on("SessionEnd", OTHER),
];

impl Platform for Continue {
    fn id(&self) -> &'static str {
        "continue-cli"
    }

    fn title(&self) -> &'static str {
        "Continue"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        Signs { paths: vec![machine.home().join(".continue")], programs: &["cn"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let folder = place.file(place.home(".continue"), ".continue");
        // A JSON string is a YAML string as well.
        let program = Json::String(place.program());
        let text = format!(
            "# Written by portolan; `portolan uninstall` removes it.\n\
             name: portolan\nversion: 0.0.1\nschema: v1\n\
             mcpServers:\n  - name: portolan\n    command: {program}\n    args:\n      - mcp\n"
        );
        vec![
            Part {
                role: Role::Mcp,
                file: folder.join("mcpServers/portolan.yaml"),
                form: Form::Own { text, executable: false },
            },
            hooks(folder.join("settings.json"), true, groups(place, "continue-cli", HOOKS)),
        ]
    }
}
