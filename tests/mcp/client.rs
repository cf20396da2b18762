//! A client that speaks JSON lines with the real program, and a repository to ask about.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tempfile::TempDir;

/// No wait is longer.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);
/// The versions with a handshake.
pub(crate) const OLD: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
pub(crate) const NEW: &str = "2026-07-28";

/// A running server.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Json>,
    /// Answers that came before they were asked for.
    early: HashMap<u64, Json>,
    pub(crate) notifications: Vec<Json>,
    /// What is answered to `roots/list`.
    pub(crate) roots: Vec<PathBuf>,
    next: u64,
    /// Sent with each request; the newest protocol wants it.
    meta: Json,
}

/// How the server is started.
pub(crate) struct Start {
    command: Command,
}

impl Start {
    pub(crate) fn new(folder: &Path) -> Start {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portolan"));
        command.arg("mcp").current_dir(folder);
        for name in ["CLAUDE_PROJECT_DIR", "CLAUDE_CODE_SESSION_ID", "COPILOT_AGENT_SESSION_ID", "PORTOLAN_ROOT"] {
            command.env_remove(name);
        }
        // Nobody's own settings.
        command.env("XDG_CONFIG_HOME", folder.join(".no-settings"));
        Start { command }
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Start {
        self.command.env(name, value);
        self
    }

    pub(crate) fn args(mut self, args: &[&str]) -> Start {
        self.command.args(args);
        self
    }

    /// The process, before any message.
    pub(crate) fn raw(mut self) -> Client {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = self.command.spawn().unwrap();
        let (tell, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let Ok(line) = line else { break };
                let message =
                    serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: not of the protocol: {line}"));
                if tell.send(message).is_err() {
                    break;
                }
            }
        });
        Client {
            stdin: child.stdin.take(),
            child,
            lines,
            early: HashMap::new(),
            notifications: Vec::new(),
            roots: Vec::new(),
            next: 1,
            meta: json!({}),
        }
    }

    /// After the handshake of an old version.
    pub(crate) fn initialized(self, version: &str, capabilities: Json) -> Client {
        let mut client = self.raw();
        let info = json!({"name": "tests", "version": "1"});
        let asked = json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": info});
        let answer = client.request("initialize", asked);
        assert_eq!(answer["result"]["protocolVersion"], if version == NEW { OLD[3] } else { version }, "{answer}");
        client.notify("notifications/initialized", json!({}));
        client
    }

    /// After a discovery, as the newest version has it.
    pub(crate) fn discovered(self) -> Client {
        let mut client = self.raw();
        client.meta = json!({
            "io.modelcontextprotocol/protocolVersion": NEW,
            "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let answer = client.request("server/discover", json!({}));
        assert!(answer["result"]["supportedVersions"].as_array().is_some_and(|v| v.contains(&json!(NEW))), "{answer}");
        client
    }

    pub(crate) fn start(self) -> Client {
        self.initialized("2025-06-18", json!({}))
    }
}

impl Client {
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn write(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        writeln!(stdin, "{line}").unwrap();
        stdin.flush().unwrap();
    }

    pub(crate) fn notify(&mut self, method: &str, params: Json) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    /// Sends a request and returns its number.
    pub(crate) fn send(&mut self, method: &str, mut params: Json) -> u64 {
        let id = self.next;
        self.next += 1;
        for (key, value) in self.meta.as_object().unwrap() {
            params["_meta"][key] = value.clone();
        }
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        id
    }

    /// The answer to a request; answers the server's own questions meanwhile.
    pub(crate) fn answer(&mut self, id: u64) -> Json {
        self.wait_for(id, LIMIT).unwrap_or_else(|| panic!("no answer to request {id}"))
    }

    pub(crate) fn wait_for(&mut self, id: u64, limit: Duration) -> Option<Json> {
        let end = Instant::now() + limit;
        loop {
            if let Some(answer) = self.early.remove(&id) {
                return Some(answer);
            }
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => panic!("the server closed its stdout"),
            }
        }
    }

    fn take(&mut self, message: Json) {
        match (message["id"].as_u64(), message["method"].as_str()) {
            (Some(id), None) => {
                self.early.insert(id, message);
            }
            (Some(id), Some("roots/list")) => {
                let roots = self.roots.iter().map(|root| json!({"uri": format!("file://{}", root.display())}));
                let roots: Vec<Json> = roots.collect();
                self.write(&json!({"jsonrpc": "2.0", "id": id, "result": {"roots": roots}}).to_string());
            }
            (_, Some(_)) => self.notifications.push(message),
            _ => panic!("neither answer nor request: {message}"),
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Json) -> Json {
        let id = self.send(method, params);
        self.answer(id)
    }

    pub(crate) fn send_call(&mut self, tool: &str, arguments: Json) -> u64 {
        self.send("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// The text of a tool's answer.
    pub(crate) fn call(&mut self, tool: &str, arguments: Json) -> String {
        let id = self.send_call(tool, arguments);
        text(&self.answer(id), false)
    }

    /// The text of a tool's answer that is an error.
    pub(crate) fn fails(&mut self, tool: &str, arguments: Json) -> String {
        let id = self.send_call(tool, arguments);
        text(&self.answer(id), true)
    }

    /// Closes stdin and waits for the end.
    pub(crate) fn close(mut self) -> std::process::ExitStatus {
        drop(self.stdin.take());
        let end = Instant::now() + LIMIT;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < end, "the server did not end");
            std::thread::yield_now();
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // After a test that failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The text of an answer to `tools/call`.
pub(crate) fn text(answer: &Json, is_error: bool) -> String {
    let result = &answer["result"];
    assert_eq!(result["isError"].as_bool().unwrap_or(false), is_error, "{answer}");
    assert_eq!(result["content"].as_array().map(Vec::len), Some(1), "{answer}");
    assert!(result.get("structuredContent").is_none(), "the same data twice: {answer}");
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}")).to_owned()
}

pub(crate) fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base().unwrap().encode_ordinary(text).len()
}

pub(crate) fn git(folder: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]).args(args).current_dir(folder);
    let done = command.output().unwrap();
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A shop in Python with tests and three commits; not indexed.
pub(crate) fn project() -> TempDir {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    write(root, ".gitignore", ".no-settings\n");
    write(root, "shop/__init__.py", "");
    write(
        root,
        "shop/cart.py",
        "class Cart:\n    \"\"\"What a customer is about to buy.\"\"\"\n\n    def __init__(self):\n        self.items = []\n\n    \
         def add(self, item):\n        self.items.append(item)\n\n    def total_price(self):\n        return \
         sum(price_of(item) for item in self.items)\n\n\ndef price_of(item):\n    if item is None:\n        raise \
         ValueError(\"an item without a price\")\n    return item.price\n",
    );
    write(
        root,
        "shop/checkout.py",
        "from shop.cart import Cart, price_of\n\n\ndef pay(cart: Cart):\n    return cart.total_price()\n\n\ndef \
         cheapest(items):\n    return min(price_of(item) for item in items)\n",
    );
    write(
        root,
        "tests/test_cart.py",
        "from shop.cart import Cart, price_of\n\n\ndef test_total_price():\n    cart = Cart()\n    assert \
         cart.total_price() == 0\n\n\ndef test_price_of():\n    assert price_of(None)\n",
    );
    git(root, &["init", "-q"]);
    git(root, &["add", "-A"]);
    git(root, &["commit", "-qm", "Begin"]);
    write(root, "shop/cart.py", &(read(root, "shop/cart.py") + "\n\nCURRENCY = \"EUR\"\n"));
    write(root, "shop/checkout.py", &(read(root, "shop/checkout.py") + "\n\nFREE = 0\n"));
    git(root, &["commit", "-qam", "Fix the price of nothing"]);
    folder
}

/// The same, indexed.
pub(crate) fn indexed() -> TempDir {
    let folder = project();
    run(folder.path(), &["index"]);
    folder
}

/// Runs the program to its end.
pub(crate) fn run(folder: &Path, args: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_portolan")).args(args).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

pub(crate) fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

pub(crate) fn read(root: &Path, path: &str) -> String {
    fs::read_to_string(root.join(path)).unwrap()
}

/// Asks again and again until there is an answer.
pub(crate) fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + LIMIT;
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(Instant::now() < end, "never: {what}");
        std::thread::yield_now();
    }
}
