//! Entries that several platforms write alike.

use serde_json::{Map, Value as Json, json};

use super::ours::PROGRAM;
use super::{Entry, Form, Part, Place, Role, rules};

/// A hook that a platform gets.
#[derive(Clone, Copy, Debug)]
pub struct Hook {
    /// The event, as the platform spells it.
    pub event: &'static str,
    /// The tools, where the event has some.
    pub matcher: Option<&'static str>,
    /// How long the platform waits, in seconds.
    pub timeout: u32,
}

/// A hook of an event without tools.
pub const fn on(event: &'static str, timeout: u32) -> Hook {
    Hook { event, matcher: None, timeout }
}

/// A hook of a tool event.
pub const fn tools(event: &'static str, matcher: &'static str, timeout: u32) -> Hook {
    Hook { event, matcher: Some(matcher), timeout }
}

/// How long a host waits for a hook before an edit: the claim's own deadline is 4 s.
pub const CLAIM: u32 = 10;
/// For a hook that gives the map or records: their own deadlines are 1.5 and 0.2 s.
pub const OTHER: u32 = 5;

/// `{"command": ..., "args": ["mcp"]}` with what stands before.
pub fn server(place: Place<'_>, before: &Json) -> Json {
    let mut object = before.as_object().cloned().unwrap_or_default();
    object.insert("command".into(), place.program().into());
    object.insert("args".into(), json!(["mcp"]));
    Json::Object(object)
}

/// The server's entry in the object `at` of a JSON file.
pub fn mcp(file: std::path::PathBuf, strict: bool, at: &str, value: Json) -> Part {
    let entries = vec![Entry::Property { at: vec![at.to_owned()], key: PROGRAM.to_owned(), value }];
    Part { role: Role::Mcp, file, form: Form::Json { strict, entries } }
}

/// A group as Claude Code writes it: `{"matcher": ..., "hooks": [HANDLER]}`.
pub fn group(hook: Hook, handler: Json) -> Json {
    let mut group = Map::new();
    if let Some(matcher) = hook.matcher {
        group.insert("matcher".into(), matcher.into());
    }
    group.insert("hooks".into(), Json::Array(vec![handler]));
    Json::Object(group)
}

/// Groups under `hooks.EVENT`, with a command line for a shell.
pub fn groups(place: Place<'_>, host: &str, hooks: &[Hook]) -> Vec<Entry> {
    groups_of(hooks, |event| place.hook_line(host, event))
}

/// The same with command lines of the platform's own.
pub fn groups_of(hooks: &[Hook], line: impl Fn(&str) -> String) -> Vec<Entry> {
    let handler = |hook: &Hook| json!({"type": "command", "command": line(hook.event), "timeout": hook.timeout});
    hooks.iter().map(|hook| element(&["hooks", hook.event], group(*hook, handler(hook)))).collect()
}

/// An element of an array.
pub fn element(at: &[&str], value: Json) -> Entry {
    Entry::Element { at: at.iter().map(|&key| key.to_owned()).collect(), value }
}

/// Hooks in a JSON file.
pub fn hooks(file: std::path::PathBuf, strict: bool, entries: Vec<Entry>) -> Part {
    Part { role: Role::Hooks, file, form: Form::Json { strict, entries } }
}

/// A rules file of our own; `front`: front matter that the platform reads.
pub fn own_rules(file: std::path::PathBuf, front: &str) -> Part {
    let text = format!("{front}{}\n{}\n", rules::OWN, rules::TEXT);
    Part { role: Role::Rules, file, form: Form::Own { text, executable: false } }
}

/// A block in the first of `names` that the folder has, else in `new`. Platforms read only the first of them that
/// exists, so a new file could hide what people wrote.
pub fn rules_block(folder: &std::path::Path, names: &[&str], new: &str) -> Part {
    let name = names.iter().copied().find(|name| folder.join(name).is_file()).unwrap_or(new);
    Part { role: Role::Rules, file: folder.join(name), form: Form::Block(rules::TEXT.to_owned()) }
}
