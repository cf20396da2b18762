//! What agents are told, and when they are told nothing.

use std::fs;
use std::io::Write as _;
use std::time::{Duration, Instant};

use serde_json::json;

use super::place::{Place, finish, wait};

const CART: &str = "src/cart.py";
const TASK: &str = "the discount of a shopping cart is summed up wrongly in total";

#[test]
fn the_map_comes_before_the_first_tool_call_and_not_twice() {
    let place = Place::new();
    let agent = place.agent("one");
    let told = agent.prompt(TASK).told();
    assert!(told.starts_with("[portolan] Likely places for this task") && told.contains("src/cart.py"), "{told}");
    assert_eq!(agent.prompt(TASK).out, "", "the same places again");
    for chat in ["thanks", "commit this", "yes"] {
        assert_eq!(place.agent("two").prompt(chat).out, "", "{chat}");
    }
    assert!(!place.agent("two").prompt(TASK).told().is_empty(), "another session gets its own");
    let session = place.run(&["--json", "session", "claude-code:one"]).json();
    assert!(session["injected"].as_i64().unwrap() > 20, "{session}");
    let kept = fs::read_to_string(place.path(".portolan/memory.jsonl")).unwrap_or_default();
    let log = place.log();
    let events = place.cypher("MATCH (e:Event) RETURN e.detail").to_string();
    assert!([kept, log, events].iter().all(|text| !text.contains("discount")), "prompts are not kept");
}

#[test]
fn after_a_compaction_the_session_hears_what_it_has_read_and_edited() {
    let place = Place::new();
    let agent = place.agent("one");
    agent.read("src/tax.py", "1");
    agent.before_edit(CART, "2");
    agent.after_edit(CART, "2");
    let told = agent.hook("SessionStart", json!({ "source": "compact" })).told();
    assert_eq!(told, "[portolan] So far in this session edited: src/cart.py; read: src/tax.py.");
    assert_eq!(place.agent("two").hook("SessionStart", json!({ "source": "compact" })).out, "");
}

#[test]
fn after_an_edit_there_is_one_line_of_news_for_a_file_and_session() {
    let place = Place::new();
    let agent = place.agent("one");
    agent.before_edit(CART, "1");
    let told = agent.after_edit(CART, "1").told();
    assert_eq!(
        told,
        "[portolan] src/cart.py: tested by tests/test_cart.py; 4 callers in 2 other files.",
        "{}",
        place.log()
    );
    agent.before_edit(CART, "2");
    assert_eq!(agent.after_edit(CART, "2").out, "");
}

#[test]
fn reads_edits_failures_and_what_nobody_told_are_recorded_as_what_they_are() {
    let place = Place::new();
    let agent = place.agent("one");
    agent.bash("grep -rn total src", "0", false);
    agent.read(CART, "1");
    agent.read(CART, "2");
    agent.before_edit(CART, "3");
    agent.tool_failed(CART, "3");
    agent.before_edit(CART, "4");
    place.write(CART, "def total(items):\n    return 1\n");
    agent.after_edit(CART, "4");
    agent.read(CART, "5");
    // A formatter, a person: no event tells of it.
    place.write(CART, "def total(items):\n    return 2\n");
    agent.bash("ls", "6", false);
    let session = place.run(&["--json", "session", "one"]).json();
    assert_eq!(session["calls"], 7, "{session}");
    assert_eq!(session["searches"], 1, "{session}");
    assert_eq!(session["reads"], 3, "{session}");
    assert_eq!(session["rereads"], 1, "{session}");
    assert_eq!(session["before_edit"], 4, "{session}");
    assert_eq!(session["failed"], 1, "{session}");
    assert_eq!(session["edits"], 2, "one was told, one was not: {session}");
    assert_eq!(place.count("(e:Event {kind: 'unseen-edit'})"), 1);
    assert_eq!(place.count("(e:Event {kind: 'edit', failed: true})"), 1);
    let read = &session["read"][0];
    assert_eq!((read["count"].as_i64(), read["again"].as_i64()), (Some(3), Some(1)), "{session}");
}

#[test]
fn an_edit_whose_end_no_event_tells_is_found_at_the_end_of_the_turn() {
    let place = Place::new();
    let agent = place.agent("one");
    agent.before_edit(CART, "1");
    place.write(CART, "def total(items):\n    return 1\n");
    agent.stop();
    let session = place.run(&["--json", "session", "one"]).json();
    assert_eq!(session["edited"][0]["path"], CART, "{session}");
    assert_eq!(place.count("(e:Event {kind: 'unseen-edit'})"), 1);
}

#[test]
fn the_same_event_twice_is_one() {
    let place = Place::new();
    let agent = place.agent("one");
    for _ in 0..3 {
        agent.read(CART, "same");
    }
    assert_eq!(place.count("(e:Event {kind: 'read'})"), 1);
    agent.read(CART, "other");
    assert_eq!(place.count("(e:Event {kind: 'read'})"), 2);
}

#[test]
fn bad_input_of_every_kind_gets_a_neutral_answer_and_a_line_in_the_log() {
    let place = Place::new();
    let hook = |host: &str, event: &str, input: &[u8]| {
        let mut child = place.command(&["hook", "--host", host, event]).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input);
        wait(child)
    };
    let large = format!("{{\"tool_input\":\"{}\"", "x".repeat(10 << 20));
    for (n, input) in [&b""[..], b"{", b"[]", b"null", b"\xff\xfe", large.as_bytes()].into_iter().enumerate() {
        let ran = hook("claude-code", "pre-tool-use", input);
        assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "", ""), "{n}");
    }
    for (host, event) in [("nobody", "pre-tool-use"), ("claude-code", "no-such-event"), ("", "")] {
        let ran = hook(host, event, b"{\"session_id\":\"x\"}");
        assert_eq!((ran.code, &*ran.out), (Some(0), ""), "{host} {event}");
    }
    let lines = place.log().lines().count();
    assert!(lines >= 7, "{}", place.log());
}

#[test]
fn stdin_that_never_closes_is_not_waited_for() {
    let place = Place::new();
    let agent = place.agent("one");
    let begun = Instant::now();
    let payload = agent.payload(
        "PostToolUse",
        json!({ "tool_name": "Read", "tool_use_id": "1", "tool_input": { "file_path": place.path(CART) } }),
    );
    let mut child = agent.start("PostToolUse").spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(payload.to_string().as_bytes()).unwrap();
    let ran = wait(child);
    assert_eq!(ran.code, Some(0));
    let mut half = agent.impatient().start("PostToolUse").spawn().unwrap();
    let mut other = half.stdin.take().unwrap();
    other.write_all(b"{\"session_id\":").unwrap();
    assert_eq!(wait(half).code, Some(0));
    assert!(begun.elapsed() < Duration::from_secs(20));
    drop((stdin, other));
    assert_eq!(place.count("(e:Event {kind: 'read'})"), 1);
}

#[test]
fn outside_of_a_repository_a_hook_does_nothing() {
    let folder = tempfile::TempDir::new().unwrap();
    let place = Place::new();
    let mut payload = place.agent("one").payload("UserPromptSubmit", json!({ "prompt": TASK }));
    payload["cwd"] = json!(folder.path());
    let mut command = place.command(&["hook", "--host", "claude-code", "user-prompt-submit"]);
    command.current_dir(folder.path());
    let ran = finish(command.spawn().unwrap(), &payload.to_string());
    assert_eq!((ran.code, &*ran.out), (Some(0), ""));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_first_event_in_a_repository_without_a_graph_starts_one_indexer() {
    let place = Place::bare();
    assert_eq!(place.agent("one").prompt(TASK).out, "");
    let end = Instant::now() + Duration::from_secs(60);
    while !place.path(".portolan/cache/manifest").exists() {
        assert!(Instant::now() < end, "nothing is indexed: {}", place.log());
        std::thread::yield_now();
    }
    place.run(&["index"]).ok();
    assert!(!place.agent("one").prompt(TASK).told().is_empty());
}

#[test]
fn every_sample_payload_gets_a_valid_answer() {
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hooks/payloads"));
    if !folder.is_dir() {
        eprintln!("SKIPPED: no {}", folder.display());
        return;
    }
    let place = Place::new();
    let mut tried = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Some((host, rest)) = name.split_once('.').filter(|_| name.ends_with(".json")) else { continue };
        let event = rest.split('.').next().unwrap();
        let text = fs::read_to_string(&path).unwrap().replace("/home/dev/project", place.root().to_str().unwrap());
        let child = place.command(&["hook", "--host", host, event]).spawn().unwrap();
        let ran = finish(child, &text);
        assert!(matches!(ran.code, Some(0 | 2)), "{name}: {ran:?}");
        if ran.out.starts_with('{') {
            ran.json();
        }
        tried += 1;
    }
    assert!(tried > 50);
}

#[test]
fn session_data_survives_a_rebuild_a_branch_and_back() {
    let place = Place::new();
    let agent = place.agent("one");
    agent.read("src/tax.py", "1");
    place.run(&["learn", "tax is rounded down", "--about", "src/tax.py", "--as", "ann"]).ok();
    let before = place.run(&["--json", "session", "claude-code:one"]).ok();
    place.run(&["index", "--rebuild"]).ok();
    assert_eq!(place.run(&["--json", "session", "claude-code:one"]).ok(), before);
    place.git(&["checkout", "-q", "-b", "without"]);
    place.git(&["rm", "-q", "src/tax.py"]);
    place.git(&["commit", "-q", "-m", "gone"]);
    place.run(&["index"]).ok();
    assert_eq!(place.run(&["--json", "session", "claude-code:one"]).ok(), before);
    place.git(&["checkout", "-q", "-"]);
    place.run(&["index"]).ok();
    assert_eq!(place.run(&["--json", "session", "claude-code:one"]).ok(), before);
    assert_eq!(place.count("(e:Event {kind: 'read'})"), 1);
    let lessons = place.run(&["lessons", "--json"]).json();
    assert_eq!(lessons["lessons"][0]["text"], "tax is rounded down");
    // The graph is lost, the second copy is not.
    fs::remove_file(place.path(".portolan/graph.kuzu")).unwrap();
    place.run(&["index"]).ok();
    assert_eq!(place.run(&["--json", "session", "claude-code:one"]).ok(), before);
}
