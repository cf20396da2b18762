//! Hook files that another host runs: the owner and the dialect are those of the host that really runs.

use std::collections::HashMap;

use portolan::hooks::{self, Reply};
use serde_json::{Value, json};

use super::fixture::{Case, cases, told_output};

fn read_as(case: &Case, host: &str, event: &str, env: &HashMap<String, String>) -> hooks::Event {
    let stdin = case.payload.to_string();
    hooks::read(host, event, stdin.as_bytes(), &|name| env.get(name).cloned())
        .unwrap_or_else(|error| panic!("{case} as {host}: {error}"))
}

/// Variables with which a host runs the hooks of a Claude settings file.
fn environment_of(host: &str) -> HashMap<String, String> {
    let pairs: &[(&str, &str)] = match host {
        "copilot-cli" => &[("COPILOT_CLI", "1")],
        "qwen-code" => &[("QWEN_PROJECT_DIR", "/srv/shop"), ("GEMINI_PROJECT_DIR", "/srv/shop")],
        "gemini-cli" => &[("GEMINI_SESSION_ID", "9e310000")],
        "codebuddy" => &[("CODEBUDDY_PROJECT_DIR", "/srv/shop")],
        "devin" => &[("DEVIN_PROJECT_DIR", "/srv/shop")],
        "droid" => &[("FACTORY_PROJECT_DIR", "/srv/shop")],
        _ => &[],
    };
    let set = pairs.iter().chain(&[("CLAUDE_PROJECT_DIR", "/srv/shop")]);
    set.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn a_claude_settings_file_that_another_host_runs_speaks_that_hosts_dialect() {
    // The others have no way to run Claude's file, or nothing that tells them apart.
    let hosts = [
        "cursor",
        "copilot-cli",
        "vscode",
        "qwen-code",
        "gemini-cli",
        "continue-cli",
        "codebuddy",
        "devin",
        "droid",
        "windsurf",
        "cline",
        "antigravity",
        "kimi",
        "goose",
    ];
    for case in cases().iter().filter(|case| hosts.contains(&case.host.as_str())) {
        let own = case.read();
        let event = read_as(case, "claude-code", &case.event, &environment_of(&case.host));
        assert_eq!(event.owner, own.owner, "{case}");
        assert_eq!((&event.name, &event.kind), (&own.name, &own.kind), "{case}");
        for (key, reply) in [("nothing", Reply::Nothing), ("deny", Reply::Deny("TAKEN".to_owned()))] {
            let output = hooks::answer(&event.owner.host, &event.name, &reply);
            assert_eq!(told_output(&output), case.whole[key], "{case}: {key}");
        }
    }
}

#[test]
fn claude_itself_is_believed_whatever_its_shell_inherited() {
    let inherited = [
        ("COPILOT_CLI", "1"),
        ("CURSOR_PROJECT_DIR", "/x"),
        ("CURSOR_VERSION", "3"),
        ("QWEN_PROJECT_DIR", "/x"),
        ("QWEN_CODE_SESSION_ID", "x"),
        ("GEMINI_SESSION_ID", "x"),
        ("CODEBUDDY_PROJECT_DIR", "/x"),
        ("DEVIN_PROJECT_DIR", "/x"),
        ("FACTORY_PROJECT_DIR", "/x"),
    ];
    for case in cases().iter().filter(|case| case.host == "claude-code") {
        let session = case.payload["session_id"].as_str().expect("a session");
        let own = [("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", session)];
        let pairs = inherited.iter().chain(&own).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let event = read_as(case, "claude-code", &case.event, &pairs.collect());
        assert_eq!(event.owner, case.read().owner, "{case}");
        // Without its own word, what has no time stamp is neither Copilot nor Qwen, Gemini, VS Code.
        let pairs = inherited.iter().take(6).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let event = read_as(case, "claude-code", &case.event, &pairs.collect());
        assert_eq!(event.owner, case.read().owner, "{case}");
    }
}

#[test]
fn a_host_is_not_mistaken_for_the_one_whose_shell_it_runs_in() {
    let mut env: HashMap<String, String> = ["COPILOT_CLI", "CLAUDECODE", "QWEN_PROJECT_DIR", "GEMINI_SESSION_ID"]
        .iter()
        .map(|name| ((*name).to_owned(), "1".to_owned()))
        .collect();
    env.insert("CLAUDE_CODE_SESSION_ID".to_owned(), "another".to_owned());
    env.insert("CURSOR_PROJECT_DIR".to_owned(), "/x".to_owned());
    env.insert("DEVIN_PROJECT_DIR".to_owned(), "/srv/shop".to_owned());
    for case in cases().iter().filter(|case| case.host != "claude-code") {
        let event = read_as(case, &case.host, &case.event, &env);
        assert_eq!(event.owner.host, case.host, "{case}");
    }
}

#[test]
fn vs_code_runs_copilots_hook_files() {
    let cases = cases();
    let case = cases.iter().find(|case| case.name == "PreToolUse.create_file").expect("a case of VS Code");
    let event = read_as(case, "copilot-cli", "pre-tool-use", &HashMap::new());
    assert_eq!(event.owner.host, "vscode");
    let deny = hooks::answer(&event.owner.host, &event.name, &Reply::Deny("TAKEN".to_owned()));
    assert_eq!(told_output(&deny), case.whole["deny"]);
}

#[test]
fn an_event_of_the_named_host_becomes_the_same_event_of_the_real_one() {
    let payload =
        json!({"cursor_version": "3", "conversation_id": "c", "workspace_roots": ["/srv/shop"], "prompt": "Why?"});
    let stdin = payload.to_string();
    let event = hooks::read("claude-code", "user-prompt-submit", stdin.as_bytes(), &|_| None).expect("an event");
    assert_eq!((event.owner.host.as_str(), event.name.as_str()), ("cursor", "beforeSubmitPrompt"));
    let answer = hooks::answer(&event.owner.host, &event.name, &Reply::Context("MAP".to_owned()));
    assert_eq!(serde_json::from_str::<Value>(&answer.stdout).expect("JSON"), json!({"additional_context": "MAP"}));
}
