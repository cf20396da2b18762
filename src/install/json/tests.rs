//! Texts of every layout: put in, put in again, taken out.

use serde_json::{Value as Json, json};

use super::{Doc, Entry};
use crate::install::Made;

const PROGRAM: &str = "/opt/bin/portolan";

fn server() -> Entry {
    let value = json!({"command": PROGRAM, "args": ["mcp"]});
    Entry::Property { at: vec!["mcpServers".into()], key: "portolan".into(), value }
}

fn hook(event: &str, matcher: &str, timeout: u32) -> Entry {
    let command = format!("{PROGRAM} hook --host codex {event}");
    let value = json!({"matcher": matcher, "hooks": [{"type": "command", "command": command, "timeout": timeout}]});
    Entry::Element { at: vec!["hooks".into(), event.into()], value }
}

fn entries() -> Vec<Entry> {
    let version = Entry::Default { key: "version".into(), value: json!(1) };
    vec![version, server(), hook("PreToolUse", "Edit", 10), hook("Stop", "", 5)]
}

const TEXTS: &[&str] = &[
    "",
    "\n",
    "{}",
    "{}\n",
    "{ }",
    "{\n}",
    "{\n}\n",
    "{\r\n\r\n}\r\n",
    "{\"a\":1}",
    "{\"a\": 1}\n",
    "{ \"a\": 1 }",
    "{\"mcpServers\":{}}",
    "{\"mcpServers\":{\"x\":{\"command\":\"y\"}}}",
    "{\n  \"a\": 1\n}",
    "{\n\t\"a\": 1\n}\n",
    "{\r\n    \"a\": 1,\r\n    \"mcpServers\": {\r\n    }\r\n}\r\n",
    "{\n  \"mcpServers\": {\n    \"x\": {\n      \"command\": \"y\"\n    }\n  },\n  \"hooks\": {}\n}\n",
    "{\n  \"mcpServers\": { \"x\": {\"command\": \"y\"} },\n  \"hooks\": {\"PreToolUse\": [], \"Stop\": [ ]}\n}\n",
    "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [{\"command\": \"lint\"}]\n      }\n    ]\n  }\n}\n",
    "\u{feff}{\n  \"a\": \"\u{e4}\u{20ac}\"\n}\n",
    "{\"a\": \"}]\\\"//\", \"b\": [1, [2], {}]}",
    "{\n\"a\": 1}",
];

const COMMENTED: &[&str] = &[
    "// head\n{\n  // first\n  \"a\": 1, // behind\n  /* block */ \"b\": 2 // last\n  // end\n}\n// foot\n",
    "{\n  \"a\": 1,\n}\n",
    "{\n  \"a\": 1, // trailing\n}\n",
    "{\n  // nothing yet\n}\n",
    "{ /* nothing */ }",
    "{\n  \"mcpServers\": {\n    // \"old\": {},\n    \"x\": {}, // why\n  },\n  \"hooks\": { // here\n  }\n}\n",
    "{ \"a\": 1 /* one */, /* two */ }",
    "{\"a\": 1 // end\n}",
    "{\r\n  \"mcpServers\": {\r\n    \"x\": {}, // why\r\n    // end\r\n  },\r\n}\r\n",
];

fn all() -> impl Iterator<Item = (&'static str, bool)> {
    TEXTS.iter().map(|text| (*text, true)).chain(COMMENTED.iter().map(|text| (*text, false)))
}

fn installed(text: &str, strict: bool, entries: &[Entry]) -> (String, Made) {
    let mut made = Made::default();
    let mut doc = Doc::parse(text.as_bytes(), strict).unwrap();
    doc.install(entries, &mut made).unwrap();
    (String::from_utf8(doc.bytes()).unwrap(), made)
}

fn removed(text: &str, strict: bool, made: Option<&Made>) -> String {
    let mut doc = Doc::parse(text.as_bytes(), strict).unwrap();
    assert!(doc.remove(&entries(), made).unwrap());
    String::from_utf8(doc.bytes()).unwrap()
}

#[test]
fn what_was_put_in_is_taken_out_to_the_byte() {
    for (text, strict) in all() {
        let (with, mut made) = installed(text, strict, &entries());
        let value = Doc::parse(with.as_bytes(), strict).unwrap().value().unwrap();
        assert_eq!(value["mcpServers"]["portolan"]["command"], PROGRAM, "{text:?} -> {with}");
        assert_eq!(value["hooks"]["Stop"].as_array().unwrap().len(), 1, "{text:?} -> {with}");
        if strict {
            let plain = with.trim_start_matches('\u{feff}');
            assert!(serde_json::from_str::<Json>(plain).is_ok(), "{text:?} -> {with}");
        }
        let mut again = Doc::parse(with.as_bytes(), strict).unwrap();
        again.install(&entries(), &mut made).unwrap();
        assert_eq!(String::from_utf8(again.bytes()).unwrap(), with, "{text:?}");
        assert_eq!(removed(&with, strict, Some(&made)), text, "{with}");
    }
}

#[test]
fn nothing_but_insertions() {
    for (text, strict) in all() {
        let (with, _) = installed(text, strict, &entries());
        let mut rest = with.chars();
        let text = if text.trim().is_empty() { "" } else { text };
        assert!(text.chars().filter(|c| !c.is_whitespace()).all(|c| rest.any(|r| r == c)), "{text:?} -> {with}");
        let ends = |of: &str| (of.matches("\r\n").count(), of.matches('\n').count());
        let (crlf, lf) = ends(&with);
        assert!(!text.contains("\r\n") || crlf == lf, "{with:?}");
    }
}

#[test]
fn a_new_version_changes_its_own_entries_and_keeps_what_people_added() {
    for (text, strict) in all() {
        let old = Entry::Property {
            at: vec!["mcpServers".into()],
            key: "portolan".into(),
            value: json!({"command": "/old/portolan", "args": ["mcp", "--old"], "env": {"A": "b"}}),
        };
        let stray = hook("PreCompact", "", 5);
        let (with, mut made) = installed(text, strict, &[old, hook("PreToolUse", "Old", 3), stray]);
        let mut doc = Doc::parse(with.as_bytes(), strict).unwrap();
        doc.install(&entries(), &mut made).unwrap();
        let value = doc.value().unwrap();
        assert_eq!(value["mcpServers"]["portolan"], json!({"command": PROGRAM, "args": ["mcp"], "env": {"A": "b"}}));
        let group = value["hooks"]["PreToolUse"].as_array().unwrap().last().unwrap();
        assert_eq!((&group["matcher"], &group["hooks"][0]["timeout"]), (&json!("Edit"), &json!(10)), "{text}");
        assert!(value["hooks"].get("PreCompact").is_none(), "{text}");
        assert_eq!(removed(std::str::from_utf8(&doc.bytes()).unwrap(), strict, Some(&made)), text);
    }
}

#[test]
fn what_people_wrote_round_our_entries_stays() {
    let before = "{\n  \"mcpServers\": {\n    \"x\": {}\n  }\n}\n";
    let (with, made) = installed(before, true, &entries());
    let theirs = ",\n    \"y\": {\"command\": \"z\"}\n  }";
    let ends = with.find("\n  },\n  \"version\"").unwrap();
    let edited = format!("{}{}{}", &with[..ends], theirs, &with[ends + 4..]);
    assert_eq!(removed(&edited, true, Some(&made)), before.replace("\n  }\n", &format!("{theirs}\n")));
}

#[test]
fn a_foreign_hook_in_our_group_stays_and_keeps_the_group() {
    let (with, mut made) = installed("{}\n", true, &entries());
    let shared =
        with.replacen("\"hooks\": [\n          {", "\"hooks\": [\n          {\"command\": \"lint\"},\n          {", 1);
    assert_ne!(shared, with);
    let mut doc = Doc::parse(shared.as_bytes(), true).unwrap();
    doc.install(&entries(), &mut made).unwrap();
    assert_eq!(String::from_utf8(doc.bytes()).unwrap(), shared);
    let left: Json = serde_json::from_str(&removed(&shared, true, Some(&made))).unwrap();
    assert_eq!(left["hooks"], json!({"PreToolUse": [{"matcher": "Edit", "hooks": [{"command": "lint"}]}]}));
}

#[test]
fn without_a_record_our_entries_are_found_all_the_same() {
    for (text, strict) in all().filter(|(text, _)| text.contains("\"a\"") && !text.contains("mcpServers")) {
        let (with, _) = installed(text, strict, &entries()[1..]);
        assert_eq!(removed(&with, strict, None), text, "{with}");
    }
}

#[test]
fn what_is_not_ours_or_not_json_is_left_alone() {
    let refused = |text: &str| {
        let doc = Doc::parse(text.as_bytes(), true);
        doc.and_then(|mut doc| doc.install(&entries(), &mut Made::default())).unwrap_err().to_string()
    };
    assert!(refused("{\"a\": 1,}").contains("plain JSON"));
    assert!(refused("{\"a\": 1").contains("does not parse"));
    assert!(refused("[]").contains("root"));
    assert!(refused("{\"mcpServers\": []}").contains("mcpServers"));
    assert!(refused("{\"hooks\": {\"Stop\": {}}}").contains("hooks.Stop"));
    assert!(refused("{\"mcpServers\": {\"portolan\": {\"url\": \"http://x\"}}}").contains("rename"));
    assert!(refused(&"[".repeat(100_000)).contains("nesting"));
}
