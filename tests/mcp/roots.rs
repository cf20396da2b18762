//! Which repository a call is about.

use serde_json::json;
use tempfile::TempDir;

use super::client::{Start, indexed, run, text, write};

#[test]
fn without_a_repository_the_server_starts_and_each_call_says_so() {
    let nowhere = TempDir::new().unwrap();
    let mut client = Start::new(nowhere.path()).start();
    assert!(client.request("tools/list", json!({}))["result"]["tools"].is_array());
    let reason = client.fails("symbol", json!({"name": "pay"}));
    assert!(reason.contains("no repository is known") && reason.contains("`root`"), "{reason}");
    assert!(!nowhere.path().join(".portolan").exists());
    let folder = indexed();
    let text = client.call("symbol", json!({"name": "pay", "root": folder.path().join("shop")}));
    assert!(text.contains("shop/checkout.py:4-5"), "{text}");
    let reason = client.fails("symbol", json!({"name": "pay", "root": "/no/such/folder"}));
    assert!(reason.contains("/no/such/folder"), "{reason}");
}

#[test]
fn the_root_that_was_installed_comes_first() {
    let (folder, nowhere) = (indexed(), TempDir::new().unwrap());
    let path = folder.path().to_str().unwrap();
    let mut by_argument = Start::new(nowhere.path()).args(&["--root", path]).start();
    assert!(by_argument.call("symbol", json!({"name": "pay"})).contains("shop/checkout.py"));
    let mut by_variable = Start::new(nowhere.path()).env("PORTOLAN_ROOT", path).start();
    assert!(by_variable.call("symbol", json!({"name": "pay"})).contains("shop/checkout.py"));
    // A client that does not know the placeholder passes it on.
    let mut unfilled = Start::new(folder.path()).args(&["--root", "${workspaceFolder}"]).start();
    assert!(unfilled.call("symbol", json!({"name": "pay"})).contains("shop/checkout.py"));
}

#[test]
fn roots_that_hosts_name() {
    let (folder, nowhere) = (indexed(), TempDir::new().unwrap());
    let mut claude = Start::new(nowhere.path()).env("CLAUDE_PROJECT_DIR", folder.path()).discovered();
    assert!(claude.call("symbol", json!({"name": "pay"})).contains("shop/checkout.py"));
    let mut codex = Start::new(nowhere.path()).start();
    let turn = json!({"turn_id": "1", "workspaces": {folder.path().to_str().unwrap(): {}}});
    let meta = json!({"sessionId": "s", "callId": "c", "x-codex-turn-metadata": turn});
    let asked = json!({"name": "symbol", "arguments": {"name": "pay"}, "_meta": meta});
    let id = codex.send("tools/call", asked);
    assert!(text(&codex.answer(id), false).contains("shop/checkout.py"));
}

#[test]
fn roots_that_the_client_lists_and_changes() {
    let (first, second, nowhere) = (indexed(), indexed(), TempDir::new().unwrap());
    write(second.path(), "shop/extra.py", "def only_here():\n    pass\n");
    run(second.path(), &["index"]);
    let mut client = Start::new(nowhere.path());
    client = client.args(&[]);
    let mut client = client.initialized("2025-11-25", json!({"roots": {"listChanged": true}}));
    client.roots = vec![first.path().to_owned()];
    assert!(client.call("symbol", json!({"name": "only_here"})).contains("nothing here is called"));
    client.roots = vec![first.path().to_owned(), second.path().to_owned()];
    client.notify("notifications/roots/list_changed", json!({}));
    let both = client.call("symbol", json!({"name": "only_here"}));
    assert!(both.contains("nothing here is called") && both.contains("shop/extra.py:1-2"), "{both}");
    assert_eq!(both.matches("## ").count(), 2, "{both}");
    let name = second.path().file_name().unwrap().to_str().unwrap();
    let one = client.call("symbol", json!({"name": "only_here", "root": name}));
    assert!(one.contains("shop/extra.py:1-2") && !one.contains("## "), "{one}");
    let reason = client.fails("symbol", json!({"name": "only_here", "root": "elsewhere"}));
    assert!(reason.contains("elsewhere") && reason.contains(name), "{reason}");
}
