//! Who calls, and from which repositories: found in the environment and in what the client sends along.

use std::path::{Path, PathBuf};

use rmcp::model::JsonObject;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// The session that calls, as the host's hooks know it too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// The agent program as it names itself: `claude-code`, `codex-mcp-client`, ...
    pub host: Option<String>,
    /// Its session, the same id as in the payload of its hooks.
    pub session: Option<String>,
    /// This call, likewise.
    pub call: Option<String>,
}

/// Hosts as the hooks name them, by what their clients' names hold.
const HOSTS: [(&str, &str); 12] = [
    ("claude", "claude-code"),
    ("codex", "codex"),
    ("copilot", "copilot-cli"),
    ("gemini", "gemini-cli"),
    ("qwen", "qwen-code"),
    ("cursor", "cursor"),
    ("opencode", "opencode"),
    ("visual studio code", "vscode"),
    ("vscode", "vscode"),
    ("cline", "cline"),
    ("kiro", "kiro"),
    ("goose", "goose"),
];

/// Environment variables that hold the session's id.
const SESSION_VARIABLES: [&str; 2] = ["CLAUDE_CODE_SESSION_ID", "COPILOT_AGENT_SESSION_ID"];

impl Caller {
    /// The host as its hooks name it, so that a session is one and the same; `mcp` for one that does not say.
    pub fn host_id(&self) -> &str {
        let name = self.host.as_deref().unwrap_or_default().to_lowercase();
        match HOSTS.iter().find(|(part, _)| name.contains(part)) {
            Some((_, host)) => host,
            None if name.trim().is_empty() => "mcp",
            None => self.host.as_deref().unwrap_or_default(),
        }
    }

    /// From the request's `_meta`, the client's name, and the environment.
    pub fn of(meta: &JsonObject, host: Option<String>, env: impl Fn(&str) -> Option<String>) -> Caller {
        let text = |key: &str| meta.get(key).and_then(Json::as_str).map(str::to_owned);
        Caller {
            host,
            session: text("sessionId").or_else(|| SESSION_VARIABLES.iter().find_map(|name| env(name))),
            call: text("callId").or_else(|| text("claudecode/toolUseId")),
        }
    }
}

/// The folders that whoever installed the server named: `--root`, else those of an environment variable (a list as in
/// PATH). Placeholders that a client did not fill in are none.
pub fn roots(argument: Option<&Path>, variable: Option<std::ffi::OsString>) -> Vec<PathBuf> {
    match argument.and_then(given) {
        Some(folder) => vec![folder],
        None => std::env::split_paths(&variable.unwrap_or_default()).filter_map(|path| given(&path)).collect(),
    }
}

/// Roots that Codex names: the keys of `workspaces`.
pub(super) fn workspaces(meta: &JsonObject) -> Vec<PathBuf> {
    let found = meta.get("x-codex-turn-metadata");
    // Sent as an object, or as JSON in a string.
    let parsed = found.and_then(Json::as_str).and_then(|text| serde_json::from_str::<Json>(text).ok());
    let workspaces = parsed.as_ref().or(found).and_then(|m| m.get("workspaces")).and_then(Json::as_object);
    workspaces.into_iter().flatten().map(|(path, _)| PathBuf::from(path)).filter(|path| path.is_dir()).collect()
}

/// The folder of a `file:` address, percent signs decoded.
pub(super) fn folder_of(uri: &str) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    let rest = uri.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let (mut bytes, mut rest) = (Vec::with_capacity(path.len()), path.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| byte == b'%') {
            Some(decoded) => {
                bytes.push(decoded);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    let path = PathBuf::from(std::ffi::OsString::from_vec(bytes));
    path.is_absolute().then_some(path)
}

/// A value that a client was to fill in and did not (`${workspaceFolder}`) is none.
pub(super) fn given(path: &Path) -> Option<PathBuf> {
    let text = path.to_string_lossy();
    (!text.trim().is_empty() && !text.contains("${")).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(json: Json) -> JsonObject {
        json.as_object().cloned().unwrap()
    }

    #[test]
    fn sessions_of_each_host() {
        let none = |_: &str| None;
        let claude = |name: &str| (name == "CLAUDE_CODE_SESSION_ID").then(|| "s1".to_owned());
        let caller = Caller::of(&object(json!({"claudecode/toolUseId": "t1"})), Some("claude-code".into()), claude);
        assert_eq!((caller.session.as_deref(), caller.call.as_deref()), (Some("s1"), Some("t1")));
        let caller = Caller::of(&object(json!({"sessionId": "s2", "callId": "c2"})), None, none);
        assert_eq!((caller.session.as_deref(), caller.call.as_deref()), (Some("s2"), Some("c2")));
        assert_eq!(Caller::of(&object(json!({"sessionId": 5})), None, none), Caller::default());
    }

    #[test]
    fn roots_of_codex_and_of_addresses() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().to_str().unwrap();
        let turn = json!({"workspaces": {path: {}, "/no/such/folder": {}}});
        assert_eq!(workspaces(&object(json!({"x-codex-turn-metadata": turn}))), [folder.path()]);
        assert_eq!(workspaces(&object(json!({"x-codex-turn-metadata": turn.to_string()}))), [folder.path()]);
        assert!(workspaces(&object(json!({"x-codex-turn-metadata": [1]}))).is_empty());
        assert_eq!(folder_of("file:///a%20b/%C3%A9%zz"), Some("/a b/é%zz".into()));
        assert_eq!(folder_of("file://localhost/a"), Some("/a".into()));
        assert_eq!(folder_of("https://a/b"), None);
        assert_eq!(given(Path::new("${workspaceFolder}")), None);
    }
}
