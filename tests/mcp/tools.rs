//! What the tools answer.

use std::fs;

use serde_json::json;

use super::client::{Start, indexed, project, read, text, tokens, write};

#[test]
fn each_tool_answers_with_places() {
    let folder = indexed();
    let mut client = Start::new(folder.path()).start();
    let map =
        client.call("orient", json!({"task": "The total price of a cart must count an item without a price as 0"}));
    assert!(map.contains("confidence") && map.contains("shop/cart.py:"), "{map}");
    assert!(map.contains("tests (1):\n  tests/test_cart.py"), "{map}");
    let found = client.call("find", json!({"text": "without a price"}));
    assert!(found.contains("lines (1):\n  shop/cart.py:16 (price_of): raise ValueError("), "{found}");
    let card = client.call("symbol", json!({"name": "price_of"}));
    assert!(card.contains("called by, exact (3):"), "{card}");
    assert!(card.contains("shop/checkout.py:9 cheapest"), "{card}");
    assert!(card.contains("tested by"), "{card}");
    let past = client.call("history", json!({"file": "shop/cart.py"}));
    assert!(past.contains("2 commits"), "{past}");
    assert!(past.contains("shop/checkout.py: 2 of 2 commits"), "{past}");
    assert!(past.contains("past fixes (1):"), "{past}");
    assert!(past.contains("Ann"), "{past}");
    let by_symbol = client.call("history", json!({"file": "Cart.add"}));
    // Their last lines say how old the graph is.
    assert_eq!(by_symbol.rsplit_once("graph:").unwrap().0, past.rsplit_once("graph:").unwrap().0);
    let hot = client.call("history", json!({}));
    assert!(hot.contains("shop/cart.py: 2 commits"), "{hot}");
    for text in [&map, &found, &card, &past, &hot] {
        assert!(text.contains("graph: up to date"), "{text}");
    }
}

#[test]
fn a_change_is_judged_and_code_is_assembled() {
    let folder = indexed();
    let before = read(folder.path(), "shop/cart.py");
    write(folder.path(), "shop/cart.py", &before.replace("def price_of(item):", "def price_of(item, currency):"));
    let mut client = Start::new(folder.path()).start();
    let judged = client.call("impact", json!({}));
    assert!(judged.contains("Risk ") && judged.contains("price_of") && judged.contains("graph: "), "{judged}");
    let since = client.call("impact", json!({"base": "HEAD~1"}));
    assert!(since.contains("against HEAD~1"), "{since}");
    let reason = client.fails("impact", json!({"base": "no-such-branch"}));
    assert!(reason.contains("no-such-branch"), "{reason}");
    let code = client.call("context", json!({"target": "Cart.total_price", "budget": 400}));
    assert!(code.contains("return sum(price_of(item) for item in self.items)"), "{code}");
    assert!(code.contains("of 280 tokens; left out:") && tokens(&code) <= 400, "{code}");
    let asked = client.call("context", json!({"target": "where is the total price of the cart made"}));
    assert!(asked.contains("def total_price(self):"), "{asked}");
}

#[test]
fn claims_and_lessons_are_the_sessions_own() {
    let folder = indexed();
    let mut one = Start::new(folder.path()).env("CLAUDE_CODE_SESSION_ID", "aaaa").start();
    let mut two = Start::new(folder.path()).env("CLAUDE_CODE_SESSION_ID", "bbbb").start();
    let path = json!(["shop/cart.py"]);
    assert!(one.call("claims", json!({"action": "claim", "paths": path})).contains("granted: shop/cart.py"));
    let refused = two.call("claims", json!({"action": "claim", "paths": path}));
    assert!(refused.contains("is being edited by tests session aaaa"), "{refused}");
    let listed = two.call("claims", json!({"action": "list"}));
    assert!(listed.contains("shop/cart.py: tests session aaaa, since"), "{listed}");
    assert!(one.call("claims", json!({"action": "list"})).contains("(you)"));
    assert!(two.call("claims", json!({"action": "release"})).contains("you hold nothing"));
    assert!(one.call("claims", json!({"action": "release", "paths": path})).contains("released (1):"));
    assert!(two.call("claims", json!({"action": "claim", "paths": path, "session": "codex:9"})).contains("granted"));
    assert!(one.fails("claims", json!({"action": "claim"})).contains("`paths`"));
    assert!(
        one.fails("claims", json!({"action": "claim", "paths": ["/etc/passwd"]})).contains("not in the repository")
    );
    assert!(one.call("learn", json!({})).contains("no lessons yet"));
    let noted = one.call("learn", json!({"text": "Prices\nare cents", "about": "price_of"}));
    assert!(noted.contains("noted about shop/cart.py::price_of: Prices are cents"), "{noted}");
    let lessons = two.request("resources/read", json!({"uri": "portolan://lessons"}));
    assert!(lessons["result"]["contents"][0]["text"].as_str().unwrap().contains("Prices are cents"), "{lessons}");
}

#[test]
fn names_that_are_not_there_or_not_alone() {
    let folder = indexed();
    write(folder.path(), "shop/other.py", "def pay():\n    pass\n");
    let mut client = Start::new(folder.path()).start();
    let many = client.call("symbol", json!({"name": "pay"}));
    assert!(many.contains("several definitions") && many.contains("shop/other.py:1-2 pay"), "{many}");
    let none = client.call("symbol", json!({"name": "price"}));
    assert!(none.contains("nothing here is called price") && none.contains("shop/cart.py::price_of"), "{none}");
    let none = client.call("find", json!({"text": "no such text"}));
    assert!(none.contains("no symbol, line or path"), "{none}");
    let none = client.fails("history", json!({"file": "shop/nothing.py"}));
    assert!(none.contains("shop/nothing.py is not in the graph"), "{none}");
    let chat = client.call("orient", json!({"task": "Yes, go ahead"}));
    assert!(chat.contains("not a task about code"), "{chat}");
}

#[test]
fn answers_are_bounded_and_say_what_was_cut() {
    let folder = project();
    let many: String = (0..600).map(|i| format!("def caller_number_{i}():\n    return price_of({i})\n\n")).collect();
    write(folder.path(), "shop/many.py", &format!("from shop.cart import price_of\n\n{many}"));
    let mut client = Start::new(folder.path()).start();
    for (tool, arguments) in [
        ("symbol", json!({"name": "price_of"})),
        ("find", json!({"text": "price_of"})),
        ("find", json!({"text": "caller_number"})),
        ("orient", json!({"task": "price_of is called by too many callers, caller_number_7 for one"})),
    ] {
        for budget in [None, Some(200), Some(4000)] {
            let mut arguments = arguments.clone();
            if let Some(budget) = budget {
                arguments["budget"] = json!(budget);
            }
            let text = client.call(tool, arguments);
            let most = budget.unwrap_or(1500);
            assert!(tokens(&text) <= most, "{} of {most} tokens: {text}", tokens(&text));
            if tool != "orient" {
                assert!(text.contains("shown") && text.contains("`budget`"), "{text}");
                assert!(tokens(&text) > most / 3, "{} of {most} tokens is too few: {text}", tokens(&text));
            }
        }
    }
}

#[test]
fn a_file_edited_a_moment_ago_is_seen() {
    let folder = indexed();
    let mut client = Start::new(folder.path()).start();
    assert!(client.call("symbol", json!({"name": "cheapest"})).contains("shop/checkout.py:8-9"));
    let before = read(folder.path(), "shop/checkout.py");
    write(
        folder.path(),
        "shop/checkout.py",
        &format!("# A line more.\n{before}\n\ndef refund(cart):\n    pay(cart)\n"),
    );
    assert!(client.call("symbol", json!({"name": "cheapest"})).contains("shop/checkout.py:9-10"));
    let card = client.call("symbol", json!({"name": "pay"}));
    assert!(card.contains("refund"), "{card}");
    assert!(client.call("find", json!({"text": "refund"})).contains("definitions (1):"));
    fs::remove_file(folder.path().join("shop/checkout.py")).unwrap();
    assert!(client.call("symbol", json!({"name": "cheapest"})).contains("nothing here is called"));
}

#[test]
fn a_missing_graph_is_built_with_progress() {
    let folder = project();
    let mut client = Start::new(folder.path()).start();
    let asked = json!({"name": "symbol", "arguments": {"name": "pay"}, "_meta": {"progressToken": "t7"}});
    let id = client.send("tools/call", asked);
    let answer = text(&client.answer(id), false);
    assert!(answer.contains("shop/checkout.py:4-5") && answer.contains("indexed just now"), "{answer}");
    let steps: Vec<f64> = client
        .notifications
        .iter()
        .filter(|n| n["method"] == "notifications/progress" && n["params"]["progressToken"] == "t7")
        .map(|n| n["params"]["progress"].as_f64().unwrap())
        .collect();
    assert!(!steps.is_empty() && steps.is_sorted_by(|a, b| a < b), "{steps:?}");
    // Nobody who did not ask is told.
    client.notifications.clear();
    write(folder.path(), "shop/new.py", "def novelty():\n    pass\n");
    assert!(client.call("symbol", json!({"name": "novelty"})).contains("shop/new.py:1-2"));
    assert_eq!(client.notifications, Vec::<serde_json::Value>::new());
}

#[test]
fn indexing_that_takes_long_is_answered_with_how_far_it_is_and_goes_on() {
    let folder = project();
    let mut client = Start::new(folder.path()).args(&["--patience", "0"]).start();
    let first = client.call("symbol", json!({"name": "pay"}));
    assert!(first.contains("still indexing"), "{first}");
    let end = std::time::Instant::now() + super::client::LIMIT;
    loop {
        let text = client.call("symbol", json!({"name": "pay"}));
        if text.contains("shop/checkout.py:4-5") {
            break;
        }
        assert!(text.contains("still indexing") && std::time::Instant::now() < end, "{text}");
    }
}

#[test]
fn cypher_is_there_only_where_the_user_switched_it_on() {
    let folder = indexed();
    let mut off = Start::new(folder.path()).start();
    let id = off.send_call("cypher", json!({"query": "RETURN 1"}));
    assert!(off.answer(id)["error"].is_object());
    let settings = tempfile::TempDir::new().unwrap();
    write(settings.path(), "portolan/config.toml", "[mcp]\ncypher = true\n");
    let mut on = Start::new(folder.path()).env("XDG_CONFIG_HOME", settings.path()).start();
    let query = "MATCH (s:Symbol {id: $id}) RETURN s.kind AS kind, s.start_line AS line";
    let rows = on.call("cypher", json!({"query": query, "params": {"id": "shop/cart.py::price_of"}}));
    assert!(rows.contains("kind | line (1):\n  function | 14\n"), "{rows}");
    let reason = on.fails("cypher", json!({"query": query}));
    assert!(reason.contains("parameter id is missing"), "{reason}");
    for query in ["MATCH (n) DETACH DELETE n", "COPY Symbol TO 'x.csv'", "INSTALL json"] {
        let reason = on.fails("cypher", json!({"query": query}));
        assert!(reason.contains("only reads") && !reason.contains("--write"), "{query}: {reason}");
    }
    let rows = on.call("cypher", json!({"query": "UNWIND range(1, 5000) AS x RETURN x"}));
    assert!(rows.contains("of 1000 shown") && rows.contains("more rows") && tokens(&rows) <= 1500, "{rows}");
}
