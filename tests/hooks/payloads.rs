//! Each case's event and answers.

use portolan::hooks::{self, EventKind, Reply, ToolKind};
use serde_json::{Value, json};

use super::fixture::{cases, told, told_output};

#[test]
fn each_payload_is_the_event_that_its_host_means() {
    for case in cases() {
        let event = case.read();
        assert_eq!(event.owner.host, case.host, "{case}");
        let (mut got, mut wanted) = (told(&event), case.whole["expect"].clone());
        for value in [&mut got, &mut wanted] {
            value.as_object_mut().expect("an object").sort_keys();
        }
        assert_eq!(got, wanted, "{case}");
    }
}

#[test]
fn each_answer_is_in_its_hosts_one_dialect() {
    let replies = [
        ("nothing", Reply::Nothing),
        ("context", Reply::Context("MAP".to_owned())),
        ("deny", Reply::Deny("TAKEN".to_owned())),
        ("ask", Reply::Ask("TAKEN".to_owned())),
    ];
    for case in cases() {
        let event = case.read();
        for (key, reply) in &replies {
            let output = hooks::answer(&event.owner.host, &event.name, reply);
            assert_eq!(told_output(&output), case.whole[key], "{case}: {key}");
        }
        let takes = case.whole["context"] != case.whole["nothing"];
        assert_eq!(hooks::takes_context(&event.owner.host, &event.name), takes, "{case}");
    }
}

#[test]
fn the_end_of_a_turn_is_never_added_to() {
    let text = Reply::Context("go on".to_owned());
    for case in cases() {
        let event = case.read();
        if matches!(event.kind, EventKind::TurnEnd | EventKind::SubagentStop | EventKind::SessionEnd) {
            let neutral = hooks::answer(&event.owner.host, &event.name, &Reply::Nothing);
            assert_eq!(hooks::answer(&event.owner.host, &event.name, &text), neutral, "{case}");
        }
    }
}

#[test]
fn an_event_is_known_in_kebab_case_and_in_the_hosts_spelling() {
    for case in cases() {
        let mut anonymous = case.payload.clone();
        for key in ["hook_event_name", "hookEventName", "hookName", "agent_action_name", "event", "hook"] {
            anonymous.as_object_mut().expect("an object").remove(key);
        }
        let event = case.read();
        let stdin = anonymous.to_string();
        for spelling in [&case.event, &event.name] {
            let again = hooks::read(&case.host, spelling, stdin.as_bytes(), &|name| case.env.get(name).cloned());
            let again = again.unwrap_or_else(|error| panic!("{case} as {spelling}: {error}"));
            assert_eq!(again.kind, event.kind, "{case} as {spelling}");
        }
    }
}

#[test]
fn a_call_told_in_both_dialects_of_copilot_has_one_hash() {
    let all = cases();
    let hash = |name: &str, event: &str| {
        let case = all.iter().find(|c| c.host == "copilot-cli" && c.name == name && c.payload.get(event).is_some());
        case.unwrap_or_else(|| panic!("{name}")).read().payload_hash
    };
    assert_eq!(hash("preToolUse.edit", "toolName"), hash("pascal.PreToolUse.Edit", "tool_name"));
    assert_eq!(hash("preToolUse.edit", "toolName"), hash("preToolUse.edit.string-args", "toolName"));
    assert_ne!(hash("preToolUse.edit", "toolName"), hash("preToolUse.view", "toolName"));
    assert_ne!(hash("preToolUse.edit", "toolName"), hash("postToolUse.edit", "toolName"));
}

#[test]
fn a_hash_with_a_time_is_another_one_a_moment_later() {
    let mut timed = 0;
    for case in cases() {
        let event = case.read();
        assert_eq!(event.timed, case.payload.get("timestamp").is_some(), "{case}");
        if event.timed {
            let mut later = case.payload.clone();
            later["timestamp"] = json!("2026-03-04T05:06:08.001Z");
            let later = case.read_bytes(later.to_string().as_bytes()).expect("the same payload, later");
            assert_ne!(later.payload_hash, event.payload_hash, "{case}");
            timed += 1;
        }
    }
    assert!(timed > 50, "{timed}");
}

#[test]
fn a_hash_does_not_depend_on_the_order_of_keys() {
    for case in cases() {
        let mut sorted = case.payload.clone();
        sorted.sort_all_objects();
        let again = case.read_bytes(sorted.to_string().as_bytes()).expect("the same payload");
        assert_eq!(again, case.read(), "{case}");
    }
}

#[test]
fn a_prompt_of_somebody_else_has_another_hash() {
    for case in cases().into_iter().filter(|case| case.whole["expect"]["kind"] == "prompt") {
        let text = case.whole["expect"]["text"].as_str().expect("text");
        let other = case.payload.to_string().replace(text, "And now?");
        let event = case.read_bytes(other.as_bytes()).expect("a prompt");
        assert_eq!(event.kind, EventKind::Prompt { text: "And now?".to_owned() }, "{case}");
        assert_ne!(event.payload_hash, case.read().payload_hash, "{case}");
    }
}

#[test]
fn kilo_is_opencode_under_its_own_name() {
    let payload = json!({"host": "kilo", "hook": "tool.execute.before", "directory": "/srv/shop",
        "input": {"tool": "edit", "sessionID": "s", "callID": "c"}, "output": {"args": {"filePath": "a.py"}}});
    let event =
        hooks::read("kilo", "tool-execute-before", payload.to_string().as_bytes(), &|_| None).expect("an event");
    assert_eq!((event.owner.host.as_str(), event.owner.session.as_str()), ("kilo", "s"));
    let EventKind::BeforeTool(tool) = event.kind else { panic!("{:?}", event.kind) };
    assert_eq!(tool.kind, ToolKind::Edit);
    let deny = hooks::answer("kilo", "tool-execute-before", &Reply::Deny("no".to_owned()));
    assert_eq!(serde_json::from_str::<Value>(&deny.stdout).expect("JSON"), json!({"deny": "no"}));
}

#[test]
fn an_mcp_tool_is_no_file_tool() {
    for name in ["mcp__files__write_file", "files-edit", "MCP:edit", "mcp_files_read_file"] {
        let payload = json!({"session_id": "s", "cwd": "/p", "hook_event_name": "PreToolUse", "tool_name": name,
            "tool_input": {"path": "a.py", "command": "apply_patch"}});
        let event = hooks::read("claude-code", "pre-tool-use", payload.to_string().as_bytes(), &|_| None).unwrap();
        let EventKind::BeforeTool(tool) = event.kind else { panic!("{:?}", event.kind) };
        assert_eq!((tool.kind, tool.paths.len(), tool.command), (ToolKind::Other, 0, None), "{name}");
    }
}

#[test]
fn an_envelope_in_a_files_content_names_no_file_to_edit() {
    let envelope = "*** Begin Patch\n*** Update File: victim.py\n*** End Patch\n";
    let payload = json!({"session_id": "s", "cwd": "/p", "hook_event_name": "PreToolUse", "tool_name": "Write",
        "tool_input": {"file_path": "notes.md", "content": envelope, "input": envelope}});
    let event = hooks::read("claude-code", "pre-tool-use", payload.to_string().as_bytes(), &|_| None).unwrap();
    let EventKind::BeforeTool(tool) = event.kind else { panic!("{:?}", event.kind) };
    assert_eq!(tool.paths, [std::path::PathBuf::from("/p/notes.md")]);
}
