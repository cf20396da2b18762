//! Tasks as people paste them, and what `status` says when something is wrong.

use std::fs;
use std::time::{Duration, Instant};

use portolan::store::graph::Mode;
use portolan::store::{Graph, Options};

use super::index::{ask, indexed};
use super::shop::{Shop, run};

#[test]
fn a_task_may_begin_with_a_dash() {
    let folder = indexed();
    let task = "- total of a cart is wrong: value added tax missing";
    let map = ask(&folder, &["map", task]);
    assert!(map.out.contains("Cart.total"), "{map:?}");
    for args in [["map", "--json", task], ["map", task, "--json"]] {
        assert_eq!(ask(&folder, &args).json()["text"].as_str(), Some(map.out.as_str()), "{args:?}");
    }
    let located = ask(&folder, &["locate", "--country rate is wrong", "--explain", "-n", "1"]);
    assert!(located.out.contains("shop/tax.py"), "{located:?}");
    let unknown = run(folder.path(), &["map", "--sise"], "");
    assert_eq!(unknown.code, 2, "{unknown:?}");
    assert!(unknown.err.contains("--sise"), "{unknown:?}");
}

#[test]
fn no_task_is_wrong_usage_and_chat_is_answered_with_silence() {
    let folder = indexed();
    for (args, stdin) in [(&["map", ""][..], ""), (&["map"][..], " \n"), (&["locate", "-"][..], "")] {
        let ran = run(folder.path(), args, stdin);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
        assert!(ran.err.contains("no task given"), "{ran:?}");
    }
    let ran = run(folder.path(), &["map", "", "--json"], "");
    assert!(ran.json()["error"]["message"].as_str().unwrap().starts_with("no task given: "), "{ran:?}");
    assert_eq!(ask(&folder, &["map", "thanks"]).out, "");
}

#[test]
fn a_damaged_graph_is_not_up_to_date() {
    let folder = indexed();
    assert!(ask(&folder, &["status"]).out.contains("\nup to date\n"));
    fs::write(folder.path().join(".portolan/graph.kuzu"), vec![b'x'; 20_000]).unwrap();
    let ran = run(folder.path(), &["status"], "");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("damaged") && !ran.out.contains("up to date"), "{ran:?}");
    assert_eq!(run(folder.path(), &["status", "--json"], "").json()["up_to_date"], false);
}

#[test]
fn who_holds_the_graph_is_said_at_once() {
    let shop = Shop::new();
    let path = shop.path().join(".portolan/graph.kuzu");
    let deadline = Instant::now() + Duration::from_secs(20);
    let held = Graph::open(&path, Mode::Write, Options::default(), deadline).unwrap();
    let started = Instant::now();
    let ran = run(shop.path(), &["status"], "");
    let took = started.elapsed();
    drop(held);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("is held by"), "{ran:?}");
    assert!(took < Duration::from_secs(8), "{took:?}");
}
