//! The cases under `fixtures/`: one file per host, each case an input with the event and the answers that follow.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use portolan::hooks::{self, Event, EventKind, Output, Source, ToolKind, ToolUse};
use serde_json::{Map, Value, json};

/// One case.
pub struct Case {
    pub host: String,
    pub name: String,
    pub event: String,
    pub env: HashMap<String, String>,
    pub payload: Value,
    pub whole: Value,
}

impl Case {
    pub fn read(&self) -> Event {
        self.read_bytes(self.payload.to_string().as_bytes()).unwrap_or_else(|error| panic!("{self}: {error}"))
    }

    pub fn read_bytes(&self, stdin: &[u8]) -> Result<Event, hooks::Error> {
        hooks::read(&self.host, &self.event, stdin, &|name| self.env.get(name).cloned())
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}: {}", self.host, self.event, self.name)
    }
}

/// All cases of all hosts.
pub fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hooks/fixtures");
    let mut cases = Vec::new();
    for host in hooks::host_names().filter(|host| *host != "kilo") {
        let file = folder.join(format!("{host}.json"));
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let list: Vec<Value> = serde_json::from_str(&text).expect("a list of cases");
        cases.extend(list.into_iter().map(|whole| {
            Case {
                host: host.to_owned(),
                name: whole["case"].as_str().expect("case").to_owned(),
                event: whole["event"].as_str().expect("event").to_owned(),
                env: whole["env"]
                    .as_object()
                    .expect("env")
                    .iter()
                    .map(|(name, value)| (name.clone(), value.as_str().expect("a variable's text").to_owned()))
                    .collect(),
                payload: whole["payload"].clone(),
                whole,
            }
        }));
    }
    assert!(cases.len() > 150, "{}", cases.len());
    cases
}

/// An event as a case's `expect` tells it.
pub fn told(event: &Event) -> Value {
    let mut told = Map::new();
    let mut put = |key: &str, value: Value| {
        told.insert(key.to_owned(), value);
    };
    put("name", json!(event.name));
    put("session", json!(event.owner.session));
    put("agent", json!(event.owner.agent));
    put("cwd", json!(event.cwd));
    put("call_id", json!(event.call_id));
    let mut kind = match &event.kind {
        EventKind::SessionStart { source } => format!("session start {}", source_word(*source)),
        EventKind::Prompt { text } => {
            put("text", json!(text));
            "prompt".to_owned()
        }
        EventKind::BeforeTool(_) => "before".to_owned(),
        EventKind::AfterTool { failed, .. } => {
            put("failed", json!(failed));
            "after".to_owned()
        }
        EventKind::BeforeCompaction => "before compaction".to_owned(),
        EventKind::SubagentStart => "subagent start".to_owned(),
        EventKind::SubagentStop => "subagent stop".to_owned(),
        EventKind::TurnEnd => "turn end".to_owned(),
        EventKind::SessionEnd => "session end".to_owned(),
        EventKind::Other => "other".to_owned(),
    };
    if let EventKind::BeforeTool(tool) | EventKind::AfterTool { tool, .. } = &event.kind {
        kind = format!("{kind} {}", kind_word(tool));
        put("tool", json!(tool.name));
        put("paths", json!(tool.paths));
        if let Some(command) = &tool.command {
            put("command", json!(command));
        }
        if let Some(ok) = tool.exit_ok {
            put("exit_ok", json!(ok));
        }
    }
    put("kind", json!(kind));
    Value::Object(told)
}

fn source_word(source: Source) -> &'static str {
    match source {
        Source::Startup => "startup",
        Source::Resume => "resume",
        Source::Clear => "clear",
        Source::Compact => "compact",
        Source::Fork => "fork",
    }
}

fn kind_word(tool: &ToolUse) -> &'static str {
    match tool.kind {
        ToolKind::Read => "read",
        ToolKind::Edit => "edit",
        ToolKind::Shell => "shell",
        ToolKind::Search => "search",
        ToolKind::Other => "other",
    }
}

/// An output as a case tells it: JSON as JSON, other text as it stands, nothing as null.
pub fn told_output(output: &Output) -> Value {
    let stdout = match output.stdout.as_str() {
        "" => Value::Null,
        text => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
    };
    json!({"stdout": stdout, "stderr": output.stderr, "exit": output.exit_code})
}

/// Whether a host takes an output: JSON or nothing, except where plain text is the host's way.
pub fn is_acceptable(host: &str, output: &Output) -> bool {
    let plain = matches!(host, "kiro" | "kimi") && output.exit_code == 0;
    let document = output.stdout.is_empty() || plain || serde_json::from_str::<Value>(&output.stdout).is_ok();
    let refusal = matches!(host, "kiro" | "kimi" | "windsurf") && output.exit_code == 2 && !output.stderr.is_empty();
    document && (refusal || (output.exit_code == 0 && output.stderr.is_empty()))
}
