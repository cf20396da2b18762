//! The shipped queries in Kuzu's Python wheel: the file that we write, in a client that is not ours.

use std::process::Command;

use super::shop::Shop;

/// A Python with kuzu 0.11.3: from `dev/test`, or the user's own.
fn python() -> Option<String> {
    let named = std::env::var("PORTOLAN_WHEEL_PYTHON").ok();
    if named.is_some() {
        return named;
    }
    let check = "import kuzu; assert kuzu.__version__ == '0.11.3'";
    let found = Command::new("python3").args(["-c", check]).output().is_ok_and(|o| o.status.success());
    found.then(|| "python3".into())
}

#[test]
fn every_shipped_query_runs_in_the_python_wheel_as_it_stands() {
    let Some(python) = python() else {
        eprintln!("SKIPPED: no Python with kuzu==0.11.3; `bash dev/test` sets one up");
        return;
    };
    let shop = Shop::in_a_crowd();
    let values = shop.path().join("values.json");
    let cart = "src/shop/cart.py";
    let json = serde_json::json!({
        "id": [format!("{cart}::Cart.total"), format!("{cart}::Cart")],
        "from": ["src/shop/cli.py::main"],
        "to": ["src/shop/tax.py::rate"],
        "path": [cart],
        "name": ["total", "quantize"],
        "limit": [20],
    });
    std::fs::write(&values, json.to_string()).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/wheel/test_queries.py");
    let output = Command::new(python)
        .arg(script)
        .arg(shop.path().join(".portolan/graph.kuzu"))
        .arg(&values)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}
