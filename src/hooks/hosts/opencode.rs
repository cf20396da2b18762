//! OpenCode and Kilo: a plugin of ours (`opencode_plugin.js`) hands on what the plugin API tells, in an envelope
//! `{host, hook, directory, worktree, parent, input, output}`, and reads `{"context"}` or `{"deny"}`.

use serde_json::{Value, json};

use super::super::claude_shape;
use super::super::event::{Output, Source};
use super::super::host::{Events, Host, Moment};
use super::super::payload::{field, id, text};
use super::super::tools::Call;

/// A host with this plugin API, by name.
pub(super) struct OpenCode(pub(super) &'static str);

impl Host for OpenCode {
    fn name(&self) -> &'static str {
        self.0
    }

    fn events(&self) -> Events {
        &[
            ("session.created", Moment::SessionStart),
            ("chat.message", Moment::Prompt),
            ("tool.execute.before", Moment::BeforeTool),
            ("tool.execute.after", Moment::AfterTool),
            ("experimental.session.compacting", Moment::BeforeCompaction),
            ("session.compacted", Moment::SessionStart),
            ("session.idle", Moment::TurnEnd),
            ("session.error", Moment::TurnEnd),
            ("session.deleted", Moment::SessionEnd),
            ("experimental.chat.system.transform", Moment::Other),
            ("event", Moment::Other),
            ("file.edited", Moment::Other),
        ]
    }

    fn context_events(&self) -> &'static [&'static str] {
        &["session.created", "session.compacted", "chat.message", "tool.execute.before", "tool.execute.after"]
    }

    /// What the session of a sub-agent does is what the sub-agent does.
    fn moment(&self, event: &str, moment: Moment, payload: &Value) -> Moment {
        if id(payload, &["parent"]).is_none() {
            return moment;
        }
        match event {
            "session.created" => Moment::SubagentStart,
            "session.idle" | "session.error" | "session.deleted" => Moment::SubagentStop,
            _ => moment,
        }
    }

    fn event_name<'v>(&self, payload: &'v Value) -> Option<&'v str> {
        match text(payload, &["hook"])? {
            "event" => text(payload.pointer("/input/event")?, &["type"]),
            hook => Some(hook),
        }
    }

    /// A sub-agent has a session of its own; its parent's is the one that counts.
    fn session(&self, payload: &Value) -> Option<String> {
        id(payload, &["parent"]).or_else(|| own_session(payload))
    }

    fn agent(&self, payload: &Value) -> Option<String> {
        id(payload, &["parent"]).and_then(|_| own_session(payload))
    }

    fn directory<'v>(&self, payload: &'v Value) -> Option<&'v str> {
        text(payload, &["directory", "worktree", "cwd"])
    }

    fn call_id(&self, payload: &Value) -> Option<String> {
        id(payload.get("input")?, &["callID", "callId"])
    }

    fn call<'v>(&self, _event: &str, payload: &'v Value) -> Call<'v> {
        let input = payload.get("input");
        let output = payload.get("output");
        let arguments = output.and_then(|output| field(output, &["args"]));
        let name = input.and_then(|input| text(input, &["tool"]));
        claude_shape::call_of(name, arguments.or_else(|| field(input?, &["args"])), output)
    }

    fn prompt(&self, payload: &Value) -> Option<String> {
        let parts = payload.pointer("/output/parts")?.as_array()?;
        // What the host itself puts beside the person's words (files, reminders) is marked.
        let own = |part: &&Value| part.get("synthetic").and_then(Value::as_bool) != Some(true);
        let texts: Vec<&str> = parts.iter().filter(own).filter_map(|part| text(part, &["text"])).collect();
        Some(texts.join("\n"))
    }

    fn source(&self, event: &str, _payload: &Value) -> Source {
        if event == "session.compacted" { Source::Compact } else { Source::Startup }
    }

    fn context(&self, _event: &str, text: &str) -> Output {
        Output::json(json!({"context": text}))
    }

    fn deny(&self, _event: &str, reason: &str) -> Output {
        Output::json(json!({"deny": reason}))
    }
}

fn own_session(payload: &Value) -> Option<String> {
    const KEYS: &[&str] = &["sessionID", "sessionId", "session_id"];
    let input = payload.get("input")?;
    let properties = input.pointer("/event/properties");
    id(input, KEYS).or_else(|| id(properties?, KEYS)).or_else(|| id(properties?.get("info")?, &["id"]))
}
