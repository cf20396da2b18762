//! Inputs that no host should send: a neutral answer in the host's dialect, and never a panic.

use portolan::hooks::{self, EventKind, Reply, ToolKind};
use serde_json::{Value, json};

use super::fixture::{Case, cases, is_acceptable, told_output};

/// A small generator of the same numbers on every run (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// What the door does with an input: each answer to it is one that the host takes.
fn check(case: &Case, stdin: &[u8], what: &str) {
    let (host, event) = match case.read_bytes(stdin) {
        Ok(event) => (event.owner.host, event.name),
        Err(_) => (case.host.clone(), case.event.clone()),
    };
    for reply in [Reply::Nothing, Reply::Context("a map".to_owned()), Reply::Deny("taken".to_owned())] {
        let output = hooks::answer(&host, &event, &reply);
        assert!(is_acceptable(&host, &output), "{case}: {what}: {output:?}");
    }
}

#[test]
fn what_is_no_json_gets_the_hosts_neutral_answer() {
    for case in cases() {
        let broken: [&[u8]; 8] =
            [b"", b"{", b"null", b"[]", b"\"x\"", b"\xff\xfe\x00", b"{\"a\":1}}", b"not json at all"];
        for stdin in broken {
            assert!(case.read_bytes(stdin).is_err(), "{case}: {stdin:?}");
            let neutral = hooks::answer(&case.host, &case.event, &Reply::Nothing);
            assert_eq!(told_output(&neutral), case.whole["nothing"], "{case}");
        }
    }
}

#[test]
fn cut_inputs_are_harmless() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for case in cases() {
        let whole = case.payload.to_string().into_bytes();
        for _ in 0..40 {
            let mut cut = whole[..dice.below(whole.len())].to_vec();
            check(&case, &cut, "cut");
            if !cut.is_empty() {
                let at = dice.below(cut.len());
                cut[at] = dice.below(256) as u8;
                check(&case, &cut, "cut and changed");
            }
            let mut changed = whole.clone();
            changed[dice.below(whole.len())] = dice.below(256) as u8;
            check(&case, &changed, "changed");
        }
    }
}

#[test]
fn wrong_types_are_absent_fields() {
    for case in cases() {
        for pointer in pointers(&case.payload) {
            let odd = [
                json!(null),
                json!(true),
                json!(-7),
                json!(1e300),
                json!(""),
                json!("\u{0}\n../..\\x"),
                json!([]),
                json!([[], {}, null, "a\u{202e}b"]),
                json!({}),
                json!({"path": {"path": 1}, "type": []}),
            ];
            for value in odd {
                let mut payload = case.payload.clone();
                *payload.pointer_mut(&pointer).expect("a place in the payload") = value;
                check(&case, payload.to_string().as_bytes(), &pointer);
            }
        }
    }
}

/// The JSON pointers of all values below the top.
fn pointers(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), value)];
    while let Some((at, value)) = open.pop() {
        let inner: Vec<(String, &Value)> = match value {
            Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), value)).collect(),
            Value::Array(items) => items.iter().enumerate().map(|(key, value)| (key.to_string(), value)).collect(),
            _ => Vec::new(),
        };
        for (key, value) in inner {
            let pointer = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
            found.push(pointer.clone());
            open.push((pointer, value));
        }
    }
    found
}

#[test]
fn missing_fields_are_harmless() {
    for case in cases() {
        let keys: Vec<String> = case.payload.as_object().expect("an object").keys().cloned().collect();
        for key in keys {
            let mut payload = case.payload.clone();
            payload.as_object_mut().expect("an object").remove(&key);
            check(&case, payload.to_string().as_bytes(), &key);
        }
        check(&case, b"{}", "no fields");
    }
}

#[test]
fn ten_megabytes_are_read() {
    let payload = json!({"session_id": "s", "cwd": "/srv/shop", "hook_event_name": "PostToolUse", "tool_name": "Write",
        "tool_use_id": "t", "tool_input": {"file_path": "/srv/shop/big.py", "content": "x = 1\n".repeat(1_000_000)},
        "tool_response": {"originalFile": "y\n".repeat(2_500_000)}});
    let stdin = payload.to_string();
    assert!(stdin.len() > 10_000_000);
    let event = hooks::read("claude-code", "post-tool-use", stdin.as_bytes(), &|_| None).expect("an event");
    let EventKind::AfterTool { tool, failed: false } = event.kind else { panic!("{:?}", event.name) };
    assert_eq!((tool.kind, tool.paths.len()), (ToolKind::Edit, 1));
}

#[test]
fn deep_nesting_is_refused() {
    let deep = format!("{{\"tool_input\":{}", "[".repeat(5_000_000));
    for case in cases().iter().take(3) {
        assert!(case.read_bytes(deep.as_bytes()).is_err());
    }
}

#[test]
fn text_that_is_not_utf_8_costs_only_its_bytes() {
    let stdin =
        b"{\"session_id\":\"s\",\"cwd\":\"/srv/shop\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Write\",\
        \"tool_input\":{\"file_path\":\"a.py\",\"content\":\"caf\xe9 \\ud83d\"}}";
    let event = hooks::read("claude-code", "pre-tool-use", stdin, &|_| None).expect("an event");
    let EventKind::BeforeTool(tool) = event.kind else { panic!("{:?}", event.kind) };
    assert_eq!(tool.paths, [std::path::PathBuf::from("/srv/shop/a.py")]);
}

#[test]
fn unknown_hosts_and_events_are_named_and_answered() {
    let error = hooks::read("emacs", "pre-tool-use", b"{}", &|_| None).expect_err("no such host");
    assert!(error.to_string().starts_with("unknown host `emacs`: expected one of claude-code, codex,"), "{error}");
    assert_eq!(
        told_output(&hooks::answer("emacs", "pre-tool-use", &Reply::Deny("no".to_owned()))),
        json!({
        "stdout": null, "stderr": "", "exit": 0})
    );
    for host in hooks::host_names() {
        let error = hooks::read(host, "no-such-event", b"{}", &|_| None).expect_err("no such event");
        assert_eq!(error.to_string(), format!("`no-such-event` is no event of {host}"));
        let output = hooks::answer(host, "no-such-event", &Reply::Deny("no".to_owned()));
        assert!(is_acceptable(host, &output) && output.exit_code == 0, "{host}: {output:?}");
    }
    assert_eq!(hooks::answer("cline", "no-such-event", &Reply::Nothing).stdout, "{\"cancel\":false}");
}

#[test]
fn without_a_directory_relative_paths_are_left_out() {
    let payload = json!({"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Edit",
        "tool_input": {"file_path": "a.py", "edits": [{"file_path": "/srv/shop/b.py"}]}});
    let event =
        hooks::read("claude-code", "pre-tool-use", payload.to_string().as_bytes(), &|_| None).expect("an event");
    assert_eq!(event.cwd, std::path::PathBuf::new());
    let EventKind::BeforeTool(tool) = event.kind else { panic!("{:?}", event.kind) };
    assert_eq!(tool.paths, [std::path::PathBuf::from("/srv/shop/b.py")]);
}
