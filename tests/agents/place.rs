//! A repository with agents in it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tempfile::TempDir;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_portolan");

/// The repository; gone when dropped.
pub struct Place {
    folder: TempDir,
}

/// How a run ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn of(output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let ran = Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
        assert!(!ran.err.contains("panicked"), "{ran:?}");
        ran
    }

    pub fn json(&self) -> Json {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    pub fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// The reason of a refusal in Claude Code's dialect; empty when the tool may run.
    pub fn denied(&self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        if self.out.is_empty() {
            return String::new();
        }
        let output = &self.json()["hookSpecificOutput"];
        if output["permissionDecision"] == "deny" {
            return output["permissionDecisionReason"].as_str().unwrap().to_owned();
        }
        String::new()
    }

    /// What the agent is told in Claude Code's dialect.
    pub fn told(&self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        if self.out.is_empty() {
            return String::new();
        }
        self.json()["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or("").to_owned()
    }
}

/// A session of Claude Code.
#[derive(Clone)]
pub struct Agent<'a> {
    place: &'a Place,
    pub session: String,
    sub: Option<String>,
    /// With the deadlines of real life.
    hurried: bool,
    /// Seconds on the wall clock and on the boot's clock.
    pub offset: (i64, i64),
}

impl Place {
    /// Indexed, with a short history.
    pub fn new() -> Place {
        let place = Place::bare();
        place.run(&["index"]).ok();
        place
    }

    /// The same without a graph.
    pub fn bare() -> Place {
        let folder = TempDir::new().unwrap();
        let place = Place { folder };
        place.write("src/cart.py", "\"\"\"The shopping cart.\"\"\"\n\n\ndef total(items):\n    \"\"\"Sum up a cart with discount.\"\"\"\n    return sum(items)\n");
        place.write("src/tax.py", "from src.cart import total\n\n\ndef tax(items):\n    \"\"\"Value added tax.\"\"\"\n    return total(items) / 5\n");
        place.write("src/report.py", "from src.cart import total\n\n\ndef a(x):\n    return total(x)\n\n\ndef b(x):\n    return total(x)\n\n\ndef c(x):\n    return total(x)\n");
        place.write(
            "tests/test_cart.py",
            "from src.cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n",
        );
        for args in [&["init", "-q"][..], &["add", "-A"], &["commit", "-q", "-m", "all"]] {
            place.git(args);
        }
        place
    }

    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn git(&self, args: &[&str]) {
        let status = Command::new("git")
            .current_dir(self.root())
            .args(["-c", "user.name=Ada", "-c", "user.email=ada@shop", "-c", "commit.gpgsign=false"])
            .args(args)
            .status()
            .unwrap();
        assert!(status.success(), "git {args:?}");
    }

    /// The program, not yet started. Nothing of the surroundings tells who asks.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(self.root()).args(args);
        for name in ["PORTOLAN", "PORTOLAN_LOG", "CLAUDE_CODE_SESSION_ID", "CLAUDECODE", "CLAUDE_PROJECT_DIR"] {
            command.env_remove(name);
        }
        // Deadlines are tested where they are what a test is about.
        command.env("PORTOLAN_TEST_PATIENCE", "20");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        finish(self.command(args).spawn().unwrap(), "")
    }

    /// Rows of a statement.
    pub fn cypher(&self, statement: &str) -> Json {
        self.run(&["--no-index", "--json", "cypher", statement]).json()
    }

    pub fn count(&self, pattern: &str) -> i64 {
        // Whatever waits comes in first.
        self.run(&["--no-index", "sessions"]);
        let rows = self.cypher(&format!("MATCH {pattern} RETURN count(*) AS n"));
        rows[0]["n"].as_i64().unwrap_or_else(|| panic!("{rows}"))
    }

    pub fn agent(&self, session: &str) -> Agent<'_> {
        Agent { place: self, session: session.into(), sub: None, hurried: false, offset: (0, 0) }
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.path(".portolan/log")).unwrap_or_default()
    }
}

impl Agent<'_> {
    pub fn sub(&self, id: &str) -> Self {
        Agent { sub: Some(id.into()), ..self.clone() }
    }

    pub fn impatient(&self) -> Self {
        Agent { hurried: true, ..self.clone() }
    }

    pub fn at(&self, wall: i64, boot: i64) -> Self {
        Agent { offset: (wall, boot), ..self.clone() }
    }

    /// Payload of an event.
    pub fn payload(&self, event: &str, more: Json) -> Json {
        let mut payload = json!({
            "session_id": self.session, "cwd": self.place.root(), "hook_event_name": event,
            "permission_mode": "acceptEdits", "prompt_id": "p",
        });
        if let Some(sub) = &self.sub {
            payload["agent_id"] = json!(sub);
            payload["agent_type"] = json!("general-purpose");
        }
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        payload
    }

    pub fn start(&self, event: &str) -> Command {
        let kebab: String = event
            .chars()
            .enumerate()
            .flat_map(|(n, c)| {
                let dash = (n > 0 && c.is_uppercase()).then_some('-');
                dash.into_iter().chain(c.to_lowercase())
            })
            .collect();
        let mut command = self.place.command(&["hook", "--host", "claude-code", &kebab]);
        if self.hurried {
            command.env_remove("PORTOLAN_TEST_PATIENCE");
        }
        if self.offset != (0, 0) {
            command.env("PORTOLAN_TEST_CLOCK_OFFSET", format!("{},{}", self.offset.0, self.offset.1));
        }
        command
    }

    pub fn hook(&self, event: &str, more: Json) -> Ran {
        finish(self.start(event).spawn().unwrap(), &self.payload(event, more).to_string())
    }

    fn tool(&self, event: &str, tool: &str, input: Json, call: &str) -> Ran {
        self.hook(event, json!({ "tool_name": tool, "tool_input": input, "tool_use_id": call, "tool_response": {} }))
    }

    fn file(&self, name: &str) -> Json {
        json!({ "file_path": self.place.path(name), "old_string": "a", "new_string": "b" })
    }

    pub fn before_edit(&self, name: &str, call: &str) -> Ran {
        self.tool("PreToolUse", "Edit", self.file(name), call)
    }

    pub fn after_edit(&self, name: &str, call: &str) -> Ran {
        self.tool("PostToolUse", "Edit", self.file(name), call)
    }

    pub fn read(&self, name: &str, call: &str) -> Ran {
        self.tool("PostToolUse", "Read", json!({ "file_path": self.place.path(name) }), call)
    }

    pub fn tool_failed(&self, name: &str, call: &str) -> Ran {
        self.tool("PostToolUseFailure", "Edit", self.file(name), call)
    }

    pub fn bash(&self, command: &str, call: &str, failed: bool) -> Ran {
        let event = if failed { "PostToolUseFailure" } else { "PostToolUse" };
        self.tool(event, "Bash", json!({ "command": command }), call)
    }

    pub fn prompt(&self, text: &str) -> Ran {
        self.hook("UserPromptSubmit", json!({ "prompt": text }))
    }

    pub fn stop(&self) -> Ran {
        self.hook("Stop", json!({ "stop_hook_active": false }))
    }

    pub fn end(&self) -> Ran {
        self.hook("SessionEnd", json!({ "reason": "other" }))
    }
}

/// Feeds a process and waits for its end.
pub fn finish(mut child: Child, input: &str) -> Ran {
    // A process may end without reading.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    wait(child)
}

/// Waits for the end of a process, at most two minutes.
pub fn wait(mut child: Child) -> Ran {
    let end = Instant::now() + Duration::from_secs(120);
    let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let read = |from: &mut dyn std::io::Read| {
        let mut text = Vec::new();
        from.read_to_end(&mut text).unwrap();
        text
    };
    let (stdout, stderr) = std::thread::scope(|scope| {
        let other = scope.spawn(|| read(&mut err));
        (read(&mut out), other.join().unwrap())
    });
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Ran::of(Output { status, stdout, stderr });
        }
        assert!(Instant::now() < end, "a process does not end");
        std::thread::yield_now();
    }
}
