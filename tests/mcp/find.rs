//! `portolan find`, which asks the same question as the tool.

use serde_json::Value as Json;

use super::client::{indexed, run, write};

#[test]
fn names_parts_of_names_lines_and_paths() {
    let folder = indexed();
    let json = |text: &str| -> Json { serde_json::from_str(&run(folder.path(), &["find", text, "--json"])).unwrap() };
    let found = json("price_of");
    assert_eq!(found["symbols"][0]["id"], "shop/cart.py::price_of");
    assert_eq!(
        (&found["symbols"][0]["exact"], &found["symbols"][1]["id"]),
        (&true.into(), &"tests/test_cart.py::test_price_of".into())
    );
    assert_eq!(found["lines"][0]["inside"], "Cart.total_price", "source before tests: {found}");
    let found = json("Cart.add");
    assert_eq!(found["symbols"][0]["id"], "shop/cart.py::Cart.add");
    assert_eq!(json("ithout a pri")["lines"][0]["line"], 16, "parts of words too");
    assert_eq!(json("checkout")["files"][0], "shop/checkout.py");
    assert_eq!(json("price item total")["words"][0]["id"], "shop/cart.py::Cart.total_price");
    assert_eq!(json("eur")["totals"]["lines"], 1, "small letters stand for capitals");
}

#[test]
fn hostile_lines_stay_lines() {
    let folder = indexed();
    write(folder.path(), "shop/evil.py", "X = 1  # marker\u{1b}[31m\u{202e} red\n");
    let text = run(folder.path(), &["find", "marker"]);
    assert!(text.contains("shop/evil.py:1") && !text.contains('\u{1b}'), "{text:?}");
}
