//! Goose.

use serde_json::json;

use crate::install::ours::PROGRAM;
use crate::install::shapes::{CLAIM, Hook, OTHER, groups, hooks, mcp, on, rules_block, server, tools};
use crate::install::{Entry, Form, Machine, Part, Place, Platform, Role, Scope, Signs};

/// Goose: a plugin folder of our own, so its `config.yaml` stays untouched. Hooks give the model nothing, so there are
/// rules as well.
pub struct Goose;

const HOOKS: &[Hook] = &[
    tools("PreToolUse", "developer__(edit|write|text_editor)", CLAIM),
    tools("PostToolUse", "developer__(edit|write|text_editor|shell)", OTHER),
    on("SessionEnd", OTHER),
];

impl Platform for Goose {
    fn id(&self) -> &'static str {
        "goose"
    }

    fn title(&self) -> &'static str {
        "Goose"
    }

    fn signs(&self, machine: &Machine) -> Signs {
        Signs { paths: vec![machine.config_home().join("goose")], programs: &["goose"] }
    }

    fn parts(&self, place: Place<'_>) -> Vec<Part> {
        let plugin = place.file(place.home(".agents/plugins"), ".agents/plugins").join(PROGRAM);
        let manifest = |key: &str, text: &str| Entry::Default { key: key.into(), value: text.into() };
        let manifest = vec![
            manifest("name", PROGRAM),
            manifest("version", "1.0.0"),
            manifest("description", "Written by portolan: the repository as a graph"),
        ];
        let hints = match place.project {
            Some(root) => rules_block(root, &[], ".goosehints"),
            None => rules_block(&place.machine.config_home().join("goose"), &[], ".goosehints"),
        };
        vec![
            Part {
                role: Role::Mcp,
                file: plugin.join("plugin.json"),
                form: Form::Own { text: print(&manifest), executable: false },
            },
            mcp(plugin.join(".mcp.json"), true, "mcpServers", server(place, &json!({}))),
            hooks(plugin.join("hooks/hooks.json"), true, groups(place, "goose", HOOKS)),
            hints,
        ]
    }

    fn notes(&self, _scope: Scope) -> Vec<&'static str> {
        vec!["Goose starts servers of plugin folders from version 1.39 on"]
    }
}

fn print(manifest: &[Entry]) -> String {
    let object = manifest.iter().filter_map(|entry| match entry {
        Entry::Default { key, value } => Some((key.clone(), value.clone())),
        _ => None,
    });
    let object: serde_json::Map<_, _> = object.collect();
    format!("{}\n", serde_json::to_string_pretty(&object).unwrap_or_default())
}
