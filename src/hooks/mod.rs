//! The dialects of agents' hooks: what a host writes to a hook's standard input as one [`Event`], and a [`Reply`] as what
//! that host reads. No database, no clock, no file: text in, text out.
//!
//! Each host has a small file under `hosts/`; what most of them took over from Claude Code is in `claude_shape`.

use std::hash::Hasher;

use serde_json::Value;
use xxhash_rust::xxh3::Xxh3;

use crate::agents::Owner;

mod claude_shape;
mod event;
mod host;
mod hosts;
mod patch;
mod path;
mod payload;
mod signs;
mod tools;

pub use event::{Error, Event, EventKind, Output, Reply, Source, ToolKind, ToolUse};

use host::{Host, Moment};
use path::Base;
use tools::Call;

/// Looks up an environment variable.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The plugin that forwards OpenCode's and Kilo's events to `portolan hook`; `@PORTOLAN@` stands for the JSON string of
/// the program's path, `@HOST@` for that of the host's name.
pub const OPENCODE_PLUGIN: &str = include_str!("opencode_plugin.js");

/// The hosts' names, as they stand on a hook's command line.
pub fn host_names() -> impl Iterator<Item = &'static str> {
    hosts::HOSTS.iter().map(|host| host.name())
}

/// Reads a hook's input: `host` and `event` from the command line (the event in kebab case or in the host's own
/// spelling), `stdin` to its end. The answer goes to `owner.host` and `name` of the result, which differ from the
/// arguments where one host runs another's hook file.
pub fn read(host: &str, event: &str, stdin: &[u8], env: Environment<'_>) -> Result<Event, Error> {
    let named = hosts::by_name(host).ok_or_else(|| Error::UnknownHost(host.to_owned()))?;
    let payload = payload::parse(stdin)?;
    let real = signs::foreign(named.name(), &payload, env).and_then(hosts::by_name).unwrap_or(named);
    let (name, moment) = event_of(real, named, event, &payload)
        .ok_or_else(|| Error::UnknownEvent { host: real.name(), event: event.to_owned() })?;
    Ok(build(real, name, real.moment(name, moment, &payload), &payload, env))
}

/// The answer in the host's dialect; `host` and `event` are those of an [`Event`], or after an error the command
/// line's. Where the host takes no such answer, the one that neither objects nor adds anything.
pub fn answer(host: &str, event: &str, reply: &Reply) -> Output {
    let Some(host) = hosts::by_name(host) else { return Output::default() };
    let Some((name, moment)) = find(host, event) else { return host.neutral(event) };
    match reply {
        Reply::Context(text) if !text.is_empty() && host.context_events().contains(&name) => host.context(name, text),
        Reply::Deny(reason) if moment == Moment::BeforeTool => host.deny(name, reason),
        Reply::Ask(reason) if moment == Moment::BeforeTool => host.ask(name, reason),
        Reply::Nothing | Reply::Context(_) | Reply::Deny(_) | Reply::Ask(_) => host.neutral(name),
    }
}

/// Whether what [`answer`] adds on this event reaches the model: if not, a map is not worth making there, and was not
/// given.
pub fn takes_context(host: &str, event: &str) -> bool {
    hosts::by_name(host)
        .is_some_and(|host| find(host, event).is_some_and(|(name, _)| host.context_events().contains(&name)))
}

/// An event in the host's own spelling: exactly so, or as the same letters (`pre-tool-use`).
fn find(host: &dyn Host, event: &str) -> Option<(&'static str, Moment)> {
    let letters = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let events = host.events();
    let wanted = letters(event);
    events
        .iter()
        .find(|(name, _)| *name == event)
        .or_else(|| events.iter().find(|(name, _)| letters(name) == wanted))
        .copied()
}

/// The event: what the payload says, else the command line, whose name may be the one of the host that it is meant for.
fn event_of(real: &dyn Host, named: &dyn Host, event: &str, payload: &Value) -> Option<(&'static str, Moment)> {
    real.event_name(payload).and_then(|name| find(real, name)).or_else(|| find(real, event)).or_else(|| {
        let (_, meant) = find(named, event)?;
        real.events().iter().find(|(_, moment)| *moment == meant).copied()
    })
}

fn build(host: &dyn Host, name: &'static str, moment: Moment, payload: &Value, env: Environment<'_>) -> Event {
    let variable = |names: &[&str]| names.iter().filter_map(|name| env(name)).find(|value| !value.is_empty());
    let owner = Owner {
        host: host.name().to_owned(),
        session: host.session(payload).or_else(|| variable(host.session_variables())).unwrap_or_default(),
        agent: host.agent(payload),
    };
    let base = match host.directory(payload) {
        Some(directory) => Base::new(directory),
        None => Base::new(&variable(host.directory_variables()).or_else(|| env("PWD")).unwrap_or_default()),
    };
    let mut call_id = None;
    let kind = match moment {
        Moment::SessionStart => EventKind::SessionStart { source: host.source(name, payload) },
        Moment::Prompt => prompt(host, payload),
        Moment::BeforeTool => {
            call_id = host.call_id(payload);
            EventKind::BeforeTool(tools::tool_use(&host.call(name, payload), &base))
        }
        Moment::AfterTool | Moment::AfterFailure => {
            call_id = host.call_id(payload);
            let call = host.call(name, payload);
            let failed = moment == Moment::AfterFailure || host.failed(payload, &call);
            let mut tool = tools::tool_use(&call, &base);
            if tool.command.is_some() && moment == Moment::AfterFailure {
                tool.exit_ok = Some(false);
            }
            EventKind::AfterTool { tool, failed }
        }
        Moment::AfterBatch => refused_edit(payload, &base, &mut call_id),
        Moment::BeforeCompaction => EventKind::BeforeCompaction,
        Moment::SubagentStart => EventKind::SubagentStart,
        Moment::SubagentStop => EventKind::SubagentStop,
        Moment::TurnEnd => EventKind::TurnEnd,
        Moment::SessionEnd => EventKind::SessionEnd,
        Moment::Other => EventKind::Other,
    };
    let time = host::time_of(payload);
    let payload_hash = hash(&owner, moment, &host.call(name, payload), payload, time);
    let (name, cwd, timed) = (name.to_owned(), base.directory(), time.is_some());
    Event { owner, name, cwd, call_id, kind, payload_hash, timed }
}

/// A prompt that somebody wrote: some hosts repeat the event after each round of tools with an empty one.
fn prompt(host: &dyn Host, payload: &Value) -> EventKind {
    match host.prompt(payload) {
        Some(text) if !text.trim().is_empty() => EventKind::Prompt { text },
        _ => EventKind::Other,
    }
}

/// Edits that were refused before they ran are told by the round's event alone; several are put into one.
fn refused_edit(payload: &Value, base: &Base, call_id: &mut Option<String>) -> EventKind {
    let edits: Vec<_> = claude_shape::refused(payload)
        .map(|(call, id)| (tools::tool_use(&call, base), id))
        .filter(|(tool, _)| tool.kind == ToolKind::Edit)
        .collect();
    if let [(_, id)] = &edits[..] {
        *call_id = id.map(str::to_owned);
    }
    let mut tools = edits.into_iter().map(|(tool, _)| tool);
    let Some(mut tool) = tools.next() else { return EventKind::Other };
    for path in tools.flat_map(|tool| tool.paths) {
        if !tool.paths.contains(&path) {
            tool.paths.push(path);
        }
    }
    EventKind::AfterTool { tool, failed: true }
}

/// A hash over what an event means rather than how its dialect spells it.
fn hash(owner: &Owner, moment: Moment, call: &Call<'_>, payload: &Value, time: Option<i64>) -> u64 {
    const IDS: &[&str] = &["prompt_id", "turn_id", "generation_id", "execution_id", "stepIdx", "invocationNum"];
    const WORDS: &[&str] = &["prompt", "message", "source", "trigger", "reason", "taskId"];
    let mut hasher = Xxh3::new();
    add_text(&mut hasher, &owner.host);
    add_text(&mut hasher, &owner.session);
    add_text(&mut hasher, owner.agent.as_deref().unwrap_or_default());
    hasher.write_u8(moment as u8);
    for key in IDS.iter().chain(WORDS) {
        add(&mut hasher, payload.get(key).unwrap_or(&Value::Null));
    }
    for key in ["tool_calls", "input", "tool_info", "userPromptSubmit", "taskStart"] {
        add(&mut hasher, payload.get(key).unwrap_or(&Value::Null));
    }
    hasher.write_i64(time.unwrap_or(i64::MIN));
    match call.input.as_str().and_then(|json| serde_json::from_str(json).ok()) {
        Some(parsed) => add(&mut hasher, &parsed),
        None => add(&mut hasher, call.input),
    }
    if time.is_none() {
        add(&mut hasher, call.response);
    }
    hasher.finish()
}

/// Adds a value, whatever the order of its objects' keys.
fn add(hasher: &mut Xxh3, value: &Value) {
    match value {
        Value::Null => hasher.write_u8(0),
        Value::Bool(yes) => hasher.write_u8(1 + u8::from(*yes)),
        Value::Number(number) => add_text(hasher, &number.to_string()),
        Value::String(text) => add_text(hasher, text),
        Value::Array(items) => {
            hasher.write_u8(3);
            hasher.write_usize(items.len());
            items.iter().for_each(|item| add(hasher, item));
        }
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(key, _)| *key);
            hasher.write_u8(4);
            hasher.write_usize(fields.len());
            for (key, field) in fields {
                add_text(hasher, key);
                add(hasher, field);
            }
        }
    }
}

fn add_text(hasher: &mut Xxh3, text: &str) {
    hasher.write_u8(5);
    hasher.write_usize(text.len());
    hasher.write(text.as_bytes());
}
