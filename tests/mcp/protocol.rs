//! What the protocol asks of a server, in all its versions.

use serde_json::json;

use super::client::{NEW, OLD, Start, indexed, project, text, tokens};

#[test]
fn every_version_with_a_handshake_is_served() {
    let folder = indexed();
    for version in OLD {
        let mut client = Start::new(folder.path()).initialized(version, json!({}));
        let tools = client.request("tools/list", json!({}));
        assert!(tools["result"]["tools"].as_array().unwrap().len() >= 4, "{version}: {tools}");
        let text = client.call("symbol", json!({"name": "price_of"}));
        assert!(text.contains("shop/cart.py:14-17"), "{version}: {text}");
        assert!(client.close().success(), "{version}");
    }
    let newer = Start::new(folder.path()).initialized(NEW, json!({}));
    assert!(newer.close().success());
}

#[test]
fn the_version_without_a_handshake_is_served() {
    let folder = indexed();
    let mut client = Start::new(folder.path()).discovered();
    let tools = client.request("tools/list", json!({}));
    assert!(tools["result"]["tools"].is_array(), "{tools}");
    let text = client.call("symbol", json!({"name": "price_of"}));
    assert!(text.contains("shop/cart.py:14-17"), "{text}");
    assert!(client.close().success());
    // A client may probe first and then shake hands all the same.
    let mut client = Start::new(folder.path()).discovered();
    let info = json!({"name": "tests", "version": "1"});
    let asked = json!({"protocolVersion": OLD[3], "capabilities": {}, "clientInfo": info});
    let answer = client.request("initialize", asked);
    assert_eq!(answer["result"]["protocolVersion"], OLD[3], "{answer}");
    client.notify("notifications/initialized", json!({}));
    assert!(client.call("find", json!({"text": "cheapest"})).contains("shop/checkout.py"));
}

#[test]
fn what_every_session_pays_is_small() {
    let folder = project();
    let mut client = Start::new(folder.path()).raw();
    let info = json!({"name": "tests", "version": "1"});
    let asked = json!({"protocolVersion": OLD[2], "capabilities": {}, "clientInfo": info});
    let hello = client.request("initialize", asked);
    let instructions = hello["result"]["instructions"].as_str().unwrap().to_owned();
    let tools = client.request("tools/list", json!({}));
    let all = tokens(&tools["result"]["tools"].to_string()) + tokens(&instructions);
    assert!(all < 1500, "{all} tokens");
    assert_eq!(hello["result"]["serverInfo"]["name"], "portolan");
}

#[test]
fn resources_and_prompts() {
    let folder = indexed();
    let mut client = Start::new(folder.path()).start();
    let listed = client.request("resources/list", json!({}));
    for resource in listed["result"]["resources"].as_array().unwrap() {
        let read = client.request("resources/read", json!({"uri": resource["uri"]}));
        assert!(read["result"]["contents"][0]["text"].is_string(), "{read}");
    }
    let query = client.request("resources/read", json!({"uri": "portolan://queries/callers"}));
    assert!(query["result"]["contents"][0]["text"].as_str().unwrap().contains("CALLS"), "{query}");
    let none = client.request("resources/read", json!({"uri": "portolan://nothing"}));
    assert!(none["error"]["code"].is_i64(), "{none}");
    let prompts = client.request("prompts/list", json!({}));
    let names: Vec<&str> =
        prompts["result"]["prompts"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["review", "locate", "onboard"]);
    let got = client.request("prompts/get", json!({"name": "locate", "arguments": {"task": "sort the items"}}));
    assert!(got["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("sort the items"), "{got}");
    assert!(client.request("prompts/get", json!({"name": "locate"}))["error"]["message"].is_string());
}

#[test]
fn what_cannot_be_answered_is_an_error_and_not_the_end() {
    let folder = indexed();
    let mut client = Start::new(folder.path()).start();
    client.write("this is no JSON");
    let id = client.send("tools/call", json!({"name": "no_such_tool", "arguments": {}}));
    assert!(client.answer(id)["error"]["message"].as_str().unwrap().contains("no_such_tool"));
    let reason = client.fails("find", json!({}));
    assert!(reason.contains("find") && reason.contains("`text`"), "{reason}");
    let reason = client.fails("symbol", json!({"name": 5}));
    assert!(reason.contains("symbol"), "{reason}");
    let id = client.send("no/such/method", json!({}));
    assert!(client.answer(id)["error"].is_object());
    assert!(client.call("symbol", json!({"name": "pay"})).contains("shop/checkout.py:4-5"));
}

#[test]
fn answers_come_to_concurrent_calls() {
    let folder = indexed();
    let mut client = Start::new(folder.path()).start();
    let asked: Vec<(u64, &str)> = ["pay", "cheapest", "price_of", "Cart.add", "Cart.total_price"]
        .iter()
        .cycle()
        .take(30)
        .map(|name| (client.send_call("symbol", json!({"name": name})), *name))
        .collect();
    for (id, name) in asked {
        let answer = text(&client.answer(id), false);
        assert!(answer.lines().next().unwrap().contains(&format!("::{name} ")), "{name}: {answer}");
    }
}
