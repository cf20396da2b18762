//! Which host really runs a hook: several run the hook files of others, Claude's above all.

use serde_json::Value;

use super::Environment;
use super::payload::{field, text};

/// Another host than the one that the command line names, if payload or environment betray one. What the payload
/// says outranks the environment, which a host started from another one's shell inherits.
pub(super) fn foreign(host: &str, payload: &Value, env: Environment<'_>) -> Option<&'static str> {
    let real = by_payload(payload).or_else(|| match host {
        // Hosts that run Claude's settings write payloads like Claude's.
        "claude-code" if is_claude(payload, env) => None,
        "claude-code" => by_shape(payload).or_else(|| by_environment(payload, env)),
        // VS Code runs Copilot's hook files too, and writes its own tools' arguments.
        "copilot-cli" if set(env, "COPILOT_CLI") => None,
        "copilot-cli" => vscode_tool(payload).then_some("vscode"),
        _ => None,
    })?;
    (real != host).then_some(real)
}

/// Keys that one host alone writes.
fn by_payload(payload: &Value) -> Option<&'static str> {
    let has = |key: &str| field(payload, &[key]).is_some();
    if has("cursor_version") || (has("conversation_id") && has("generation_id")) {
        Some("cursor")
    } else if has("workspacePaths") && (has("toolCall") || has("invocationNum") || has("conversationId")) {
        Some("antigravity")
    } else if has("trajectory_id") && has("agent_action_name") {
        Some("windsurf")
    } else if has("clineVersion") {
        Some("cline")
    } else if text(payload, &["client_type"]) == Some("kimi_code_cli") {
        Some("kimi")
    } else if text(payload, &["event"]).is_some() && has("session_id") {
        Some("goose")
    } else {
        None
    }
}

/// Claude's own word: the session in its environment is the payload's.
fn is_claude(payload: &Value, env: Environment<'_>) -> bool {
    let session = env("CLAUDE_CODE_SESSION_ID");
    set(env, "CLAUDECODE") && session.is_some() && session.as_deref() == text(payload, &["session_id"])
}

/// Payloads like Claude's that are not quite Claude's.
fn by_shape(payload: &Value) -> Option<&'static str> {
    if text(payload, &["sessionId"]).is_some() && text(payload, &["hookEventName"]).is_none() {
        return Some("copilot-cli");
    }
    if text(payload, &["turn_id"]).is_some() {
        return Some("codex");
    }
    let transcript = text(payload, &["transcript_path"]).unwrap_or_default().replace('\\', "/");
    transcript.contains("/.continue/").then_some("continue-cli")
}

/// Signs that hold only where the payload does not speak against them. Claude writes no time stamp; Copilot, Gemini,
/// Qwen and VS Code do.
fn by_environment(payload: &Value, env: Environment<'_>) -> Option<&'static str> {
    if text(payload, &["timestamp"]).is_some() {
        let stamped = [
            ("COPILOT_CLI", "copilot-cli"),
            ("QWEN_PROJECT_DIR", "qwen-code"),
            ("QWEN_CODE_SESSION_ID", "qwen-code"),
            ("GEMINI_SESSION_ID", "gemini-cli"),
        ];
        let named = stamped.iter().find(|(variable, _)| set(env, variable));
        return Some(if vscode_tool(payload) { "vscode" } else { named.map_or("vscode", |(_, host)| host) });
    }
    let unstamped =
        [("CODEBUDDY_PROJECT_DIR", "codebuddy"), ("DEVIN_PROJECT_DIR", "devin"), ("FACTORY_PROJECT_DIR", "droid")];
    unstamped.iter().find(|(variable, _)| set(env, variable)).map(|(_, host)| *host)
}

/// A time stamp, and a tool's arguments as VS Code's tools name them.
fn vscode_tool(payload: &Value) -> bool {
    let input = field(payload, &["tool_input"]);
    text(payload, &["timestamp"]).is_some()
        && input.is_some_and(|input| field(input, &["filePath", "replacements"]).is_some())
}

fn set(env: Environment<'_>, variable: &str) -> bool {
    env(variable).is_some_and(|value| !value.is_empty())
}
