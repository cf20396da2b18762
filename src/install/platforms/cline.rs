//! Cline.

use std::path::PathBuf;

use serde_json::json;

use crate::install::shapes::{mcp, server};
use crate::install::{Form, Machine, Part, Place, Platform, Role, Scope, Signs};

/// Cline: hooks are programs named by their event, one each; a user's own is never replaced.
pub struct Cline;

const EVENTS: [&str; 6] = ["TaskStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "TaskComplete"];

/// The extension's folder in an editor's user folder.
const EXTENSION: &str = "User/globalStorage/saoudrizwan.claude-dev";

impl Platform for Cline {
    fn id(&self) -> &'static str {
        "cline"
    }

    fn title(&self) -> &'static str {
        "Cline"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        Signs { paths: vec![machine.home().join(".cline"), extension(machine)], programs: &["cline"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let folder = place.file(place.home(".cline/hooks"), ".cline/hooks");
        let hook = |event: &str| {
            let line = place.hook_line("cline", event);
            // Without the program (a colleague's machine) nothing is said against anything.
            let program = line.split_once(" hook ").map_or(line.as_str(), |(program, _)| program);
            let text = format!(
                "#!/bin/sh\n# Written by portolan; `portolan uninstall` removes it.\n\
                 command -v {program} >/dev/null 2>&1 || {{ echo '{{\"cancel\":false}}'; exit 0; }}\nexec {line}\n"
            );
            Part { role: Role::Hooks, file: folder.join(event), form: Form::Own { text, executable: true } }
        };
        let mut parts: Vec<Part> = EVENTS.map(hook).into();
        if place.scope() == Scope::User {
            let data = place.machine.folder("CLINE_DATA_DIR", ".cline/data");
            let mut files = vec![data.join("settings/cline_mcp_settings.json")];
            let old = extension(place.machine);
            if old.exists() {
                files.push(old.join("settings/cline_mcp_settings.json"));
            }
            parts.extend(files.into_iter().map(|file| mcp(file, false, "mcpServers", server(place, &json!({})))));
        }
        parts
    }
}

fn extension(machine: &Machine) -> PathBuf {
    machine.application("Code").join(EXTENSION)
}
