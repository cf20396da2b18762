//! VS Code with Copilot.

use std::path::PathBuf;

use serde_json::json;

use crate::install::shapes::{CLAIM, Hook, OTHER, element, hooks, mcp, on, server};
use crate::install::{Entry, Machine, Part, Place, Platform, Scope, Signs};

/// VS Code: `mcp.json`, and a hooks file of our own in the folder that it shares with Copilot CLI. It reads no matcher,
/// so none is written; the hook itself looks at the tool.
pub struct VsCode;

const HOOKS: &[Hook] = &[
    on("SessionStart", OTHER),
    on("UserPromptSubmit", OTHER),
    on("PreToolUse", CLAIM),
    on("PostToolUse", OTHER),
    on("PreCompact", OTHER),
    on("SubagentStop", OTHER),
    on("Stop", OTHER),
];

impl Platform for VsCode {
    fn id(&self) -> &'static str {
        "vscode"
    }

    fn title(&self) -> &'static str {
        "VS Code"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        let paths = vec![machine.application("Code"), machine.application("Code - Insiders")];
        Signs { paths, programs: &["code", "code-insiders"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let entry = |hook: &Hook| {
            let line = place.open_hook_line("vscode", hook.event);
            element(&["hooks", hook.event], json!({"type": "command", "command": line, "timeout": hook.timeout}))
        };
        let version = Entry::Default { key: "version".into(), value: json!(1) };
        let entries = std::iter::once(version).chain(HOOKS.iter().map(entry)).collect();
        let mut value = server(place, &json!({"type": "stdio"}));
        if place.scope() == Scope::Project
            && let Some(object) = value.as_object_mut()
        {
            // Servers were started in the home folder.
            object.insert("cwd".into(), "${workspaceFolder}".into());
        }
        let user_hooks = place.machine.folder("COPILOT_HOME", ".copilot").join("hooks/portolan-vscode.json");
        let mut parts: Vec<Part> = match place.project {
            Some(root) => vec![mcp(root.join(".vscode/mcp.json"), false, "servers", value)],
            None => profiles(place.machine)
                .into_iter()
                .map(|profile| mcp(profile.join("mcp.json"), false, "servers", value.clone()))
                .collect(),
        };
        parts.push(hooks(place.file(user_hooks, ".github/hooks/portolan-vscode.json"), true, entries));
        parts
    }

    fn notes(&self, _scope: Scope) -> Vec<&'static str> {
        vec!["VS Code asks for your trust when it first starts the MCP server; hooks are a preview there"]
    }
}

/// The user folders of the editions that are there; of the usual one when none is.
fn profiles(machine: &Machine) -> Vec<PathBuf> {
    let user = |edition: &str| machine.application(edition).join("User");
    let insiders = machine.application("Code - Insiders").exists();
    let mut profiles = Vec::new();
    if machine.application("Code").exists() || !insiders {
        profiles.push(user("Code"));
    }
    if insiders {
        profiles.push(user("Code - Insiders"));
    }
    profiles
}
