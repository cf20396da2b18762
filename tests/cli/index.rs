//! From a git repository to answers, with the real program throughout.

use std::fs;

use serde_json::json;
use tempfile::TempDir;

use super::shop::{Ran, git, run};

const CART: &str = "\"\"\"Baskets and carts.\"\"\"
from shop.tax import rate


class Cart:
    \"\"\"What a customer is about to buy.\"\"\"

    def add(self, item):
        self.items.append(item)

    def total(self, country):
        \"\"\"The sum of all items with value added tax.\"\"\"
        return self.net() * rate(country)

    def net(self):
        return sum(item.price for item in self.items)
";
const TAX: &str = "def rate(country):
    \"\"\"Value added tax of a country.\"\"\"
    if country not in RATES:
        raise ValueError('no tax rate for this country')
    return RATES[country]


RATES = {'DE': 1.19}
";
const TEST: &str = "from shop.cart import Cart


def test_total():
    cart = Cart()
    assert cart.total('DE') == 0
";

/// A repository with two commits, indexed.
pub(super) fn indexed() -> TempDir {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("shop")).unwrap();
    fs::create_dir_all(root.join("tests")).unwrap();
    fs::write(root.join("shop/__init__.py"), "").unwrap();
    fs::write(root.join("shop/cart.py"), CART).unwrap();
    fs::write(root.join("shop/tax.py"), TAX).unwrap();
    fs::write(root.join("tests/test_cart.py"), TEST).unwrap();
    fs::write(root.join("logo.png"), [0x89, b'P', b'N', b'G', 0, 1]).unwrap();
    git(root, &["init", "-q"]);
    git(root, &["add", "-A"]);
    git(root, &["commit", "-qm", "A shop"]);
    fs::write(root.join("shop/cart.py"), format!("{CART}\n")).unwrap();
    fs::write(root.join("shop/tax.py"), format!("{TAX}\n")).unwrap();
    git(root, &["commit", "-qam", "Fix the tax of a cart"]);
    let ran = run(root, &["index"], "");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.starts_with("indexed 4 files, 1 left out"), "{ran:?}");
    folder
}

pub(super) fn ask(folder: &TempDir, args: &[&str]) -> Ran {
    let ran = run(folder.path(), args, "");
    assert_eq!(ran.code, 0, "{args:?}: {ran:?}");
    ran
}

#[test]
fn a_repository_becomes_a_graph_that_answers() {
    let folder = indexed();
    assert!(ask(&folder, &["index"]).out.starts_with("up to date: 4 files"));
    let status = ask(&folder, &["status", "--json"]).json();
    assert_eq!((&status["files"], &status["counts"]["commits"]), (&json!(4), &json!(2)), "{status}");
    assert_eq!(status["skipped"], json!([{"path": "logo.png", "reason": "binary"}]));

    let callers = ask(&folder, &["callers", "rate", "--json"]).json();
    assert_eq!(callers["callers"][0]["id"], "shop/cart.py::Cart.total", "{callers}");
    let path = ask(&folder, &["path", "test_total", "tax.rate", "--json"]).json();
    assert_eq!(path["path"].as_array().map(Vec::len), Some(3), "{path}");
    let cochange = ask(&folder, &["cochange", "shop/cart.py", "--json"]).json();
    assert_eq!(cochange["cochange"][0]["together"], 2, "{cochange}");
    assert!(ask(&folder, &["owners", "shop/cart.py"]).out.contains("2 commits  100 %"));
}

#[test]
fn the_map_names_the_place_and_its_tests() {
    let folder = indexed();
    let map = ask(&folder, &["map", "total of a cart is wrong: value added tax missing"]);
    assert!(map.out.starts_with("[portolan] Likely places for this task (confidence: "), "{map:?}");
    assert!(map.out.contains("shop/cart.py:11-13 Cart.total"), "{map:?}");
    let piped = run(folder.path(), &["map"], "total of a cart is wrong: value added tax missing");
    assert_eq!(piped.out, map.out, "stdin is read alike");
    let json = ask(&folder, &["map", "--json", "total of a cart is wrong: value added tax missing"]).json();
    assert_eq!(json["text"].as_str(), Some(map.out.as_str()));
    let nothing = run(folder.path(), &["map", "--check", "zxqv wvutq"], "");
    assert_eq!(nothing.code, 1, "{nothing:?}");
    let all = ask(&folder, &["locate", "--explain", "no tax rate for this country"]);
    assert!(all.out.contains("shop/tax.py") && all.out.contains("text"), "{all:?}");
}

#[test]
fn a_snapshot_is_a_graph_of_its_own() {
    let folder = indexed();
    let copy = TempDir::new().unwrap();
    let file = copy.path().join("copy.kuzu");
    ask(&folder, &["snapshot", file.to_str().unwrap()]);
    let other = TempDir::new().unwrap();
    fs::create_dir_all(other.path().join(".portolan")).unwrap();
    fs::rename(&file, other.path().join(".portolan/graph.kuzu")).unwrap();
    let dump = |folder: &TempDir| ask(folder, &["--no-index", "export", "dump"]).out;
    assert_eq!(dump(&other), dump(&folder));
    fs::write(&file, "something else").unwrap();
    let refused = run(folder.path(), &["snapshot", file.to_str().unwrap()], "");
    assert_eq!(refused.code, 2, "{refused:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "something else");
}
