//! Codex CLI.

use serde_json::json;

use crate::install::ours::PROGRAM;
use crate::install::shapes::{CLAIM, Hook, OTHER, groups, hooks, on, tools};
use crate::install::{Form, Machine, Part, Place, Platform, Role, Scope, Signs, Table};

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

    fn notes(&self, scope: Scope) -> Vec<&'static str> {
        let trust = "Codex runs no hook until you accept it: start `codex` and enter /hooks (`codex exec` skips hooks \
                     that were not accepted without a word)";
        match scope {
            Scope::User => vec![trust],
            Scope::Project => vec![trust, "Codex reads .codex/ of trusted projects only"],
        }
    }
}
