//! Codex CLI.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::install::ours::{self, PROGRAM};
use crate::install::shapes::{CLAIM, Hook, OTHER, groups, hooks, on, tools};
use crate::install::{Form, Machine, Part, Place, Platform, Role, Scope, Signs, Table, kebab, write};

/// Codex CLI: `config.toml` and `hooks.json`. The user's trust in a hook hangs on its place and its text: groups are
/// appended, and a command line stays as it is.
pub struct Codex;

// Codex has no tool for reading: it reads, and sometimes patches, through the shell.
const HOOKS: &[Hook] = &[
    on("SessionStart", OTHER),
    on("UserPromptSubmit", OTHER),
    tools("PreToolUse", "apply_patch|Bash", CLAIM),
    tools("PostToolUse", "apply_patch|Bash", OTHER),
    on("SubagentStop", OTHER),
    on("Stop", OTHER),
    on("SessionEnd", 3),
];

impl Platform for Codex {
    fn id(&self) -> &'static str {
        "codex"
    }

    fn title(&self) -> &'static str {
        "Codex CLI"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        Signs { paths: vec![machine.folder("CODEX_HOME", ".codex")], programs: &["codex"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let folder = place.file(place.machine.folder("CODEX_HOME", ".codex"), ".codex");
        let pairs = vec![("command", json!(place.program())), ("args", json!(["mcp"]))];
        let table = Table { name: &["mcp_servers", PROGRAM], element: false, pairs };
        vec![
            Part { role: Role::Mcp, file: folder.join("config.toml"), form: Form::Toml(vec![table]) },
            hooks(folder.join("hooks.json"), true, groups(place, "codex", HOOKS)),
        ]
    }

    fn untrusted(&self, place: Place<'_>) -> Option<(String, String)> {
        let user = place.machine.folder("CODEX_HOME", ".codex");
        let hooks = place.file(user.clone(), ".codex").join("hooks.json");
        let value: Json = serde_json::from_slice(&write::read(&hooks).ok()??).ok()?;
        let trusted = trusted(&user.join("config.toml"));
        // Codex calls the file by its name or by what that leads to.
        let names = [hooks.clone(), write::target(&hooks)];
        let mut waiting = 0;
        for (event, groups) in value["hooks"].as_object()? {
            for (i, group) in groups.as_array().into_iter().flatten().enumerate() {
                for (j, handler) in group["hooks"].as_array().into_iter().flatten().enumerate() {
                    let place = format!(":{}:{i}:{j}", kebab(event).replace('-', "_"));
                    let accepted = names.iter().any(|file| trusted.contains(&format!("{}{place}", file.display())));
                    waiting += usize::from(ours::wholly(handler) && !accepted);
                }
            }
        }
        let says =
            format!("{waiting} of its hooks in {} wait for your trust; Codex does not run them", hooks.display());
        (waiting > 0).then(|| (says, "start `codex`, enter /hooks and accept them".to_owned()))
    }

    fn notes(&self, scope: Scope) -> Vec<&'static str> {
        let trust = "Codex runs no hook until you accept it: start `codex` and enter /hooks (`codex exec` skips hooks \
                     that were not accepted without a word)";
        match scope {
            Scope::User => vec![trust],
            Scope::Project => vec![trust, "Codex reads .codex/ of trusted projects only"],
        }
    }
}

/// The places of the hooks that the user accepted: `FILE:EVENT:GROUP:INDEX`.
fn trusted(config: &Path) -> BTreeSet<String> {
    let Ok(Some(bytes)) = write::read(config) else { return BTreeSet::new() };
    let table: toml::Table = toml::from_str(&String::from_utf8_lossy(&bytes)).unwrap_or_default();
    let state = table.get("hooks").and_then(|hooks| hooks.get("state")).and_then(toml::Value::as_table);
    let entries = state.into_iter().flatten();
    entries.filter(|(_, entry)| entry.get("trusted_hash").is_some()).map(|(key, _)| key.clone()).collect()
}
