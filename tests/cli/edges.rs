//! Reads, writes, what a compiler says, and names that are nearly right.

use std::fs;
use std::path::Path;

use protobuf::Message as _;
use scip::types::{Document, Index, Metadata, Occurrence};
use tempfile::TempDir;

use super::index::ask;
use super::shop::{git, run};

const CART: &str = "from shop.tax import rate


class Cart:
    limit = 3

    def __init__(self):
        self.items = []

    def add(self, item, store):
        self.items = self.items + [item]
        store.put(item)

    def net(self):
        return len(self.items) * rate(self.limit)
";
const TAX: &str = "def rate(n):
    return n


class Disk:
    def put(self, item):
        pass


class Net:
    def put(self, item):
        pass


def main():
    from shop.cart import Cart
    Cart().add(1, Disk())
";

fn shop() -> TempDir {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("shop")).unwrap();
    fs::write(root.join("shop/__init__.py"), "").unwrap();
    fs::write(root.join("shop/cart.py"), CART).unwrap();
    fs::write(root.join("shop/tax.py"), TAX).unwrap();
    git(root, &["init", "-q"]);
    git(root, &["add", "-A"]);
    git(root, &["commit", "-qm", "A shop"]);
    let ran = run(root, &["index"], "");
    assert_eq!(ran.code, 0, "{ran:?}");
    folder
}

#[test]
fn who_writes_a_field_and_which_paths_lead_there() {
    let shop = shop();
    let ran = ask(&shop, &["writers", "Cart.items", "--paths"]);
    assert_eq!(
        ran.out,
        "writers of shop/cart.py::Cart.items shop/cart.py:8\n\
         by the receiver's inferred class (2):\n\
         \x20 shop/cart.py::Cart.__init__  shop/cart.py:8  [type]\n\
         \x20 shop/cart.py::Cart.add  shop/cart.py:11  [type]\n\
         reached from:\n\
         \x20 shop/tax.py::main -> shop/cart.py::Cart.__init__\n\
         \x20 shop/tax.py::main -> shop/cart.py::Cart.add\n"
    );
    let readers = ask(&shop, &["readers", "Cart.limit", "--json"]).json();
    assert_eq!(readers["readers"][0]["id"], "shop/cart.py::Cart.net", "{readers}");
    let none = ask(&shop, &["writers", "Cart.limit"]);
    assert!(none.out.ends_with("no writer of it is known\n"), "{none:?}");
    let gone = run(shop.path(), &["writers", "Cart.nothing"], "");
    assert_eq!(gone.code, 1, "{gone:?}");
}

#[test]
fn a_field_is_no_answer_to_who_stands_at_a_line() {
    let shop = shop();
    let json = ask(&shop, &["symbol", "shop/cart.py:8", "--json"]).json();
    assert_eq!(json[0]["symbol"]["id"], "shop/cart.py::Cart.__init__", "{json}");
}

#[test]
fn a_name_that_is_nearly_right_brings_hints_and_no_answer() {
    let shop = shop();
    for (asked, meant) in
        [("Cart.ad", "Cart.add"), ("ratte", "rate"), ("Crate.add", "Cart.add"), ("shop.Cart.nett", "Cart.net")]
    {
        let ran = run(shop.path(), &["callers", asked], "");
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.out.contains("perhaps one of these was meant:"), "{ran:?}");
        assert!(ran.out.contains(meant), "{asked}: {ran:?}");
    }
    let ran = run(shop.path(), &["callers", "zzzzzz"], "");
    assert_eq!(ran.out, "nothing here is called zzzzzz\n");
    for asked in ["shop.Cart", "cart::Cart", "crate::cart::Cart", "shop.cart.Cart"] {
        let json = ask(&shop, &["symbol", asked, "--json"]).json();
        assert_eq!(json[0]["symbol"]["id"], "shop/cart.py::Cart", "{asked}");
    }
}

#[test]
fn sites_that_could_not_be_placed_are_shown_with_their_lines() {
    let shop = shop();
    let ran = ask(&shop, &["unresolved", "put"]);
    assert_eq!(ran.out, "shop/cart.py::Cart.add  .put  shop/cart.py:12\n");
    let ran = ask(&shop, &["callers", "Disk.put"]);
    assert!(ran.out.contains("no caller is known, which is no proof that there is none"), "{ran:?}");
}

fn occurrence(line: i32, from: i32, to: i32, symbol: &str, definition: bool) -> Occurrence {
    Occurrence {
        range: vec![line, from, to],
        symbol: symbol.into(),
        symbol_roles: i32::from(definition),
        ..Occurrence::default()
    }
}

fn document(path: &str, occurrences: Vec<Occurrence>) -> Document {
    Document { relative_path: path.into(), occurrences, ..Document::default() }
}

/// What a type checker would say of the shop: the store is a `Net`.
fn write_index(root: &Path, to: &Path) {
    let (put, rate) = ("py shop 1 `shop.tax`/Net#put().", "py shop 1 `shop.tax`/rate().");
    let index = Index {
        metadata: Some(Metadata { project_root: format!("file://{}", root.display()), ..Metadata::default() }).into(),
        documents: vec![
            document("shop/tax.py", vec![occurrence(0, 4, 8, rate, true), occurrence(10, 8, 11, put, true)]),
            document("shop/cart.py", vec![occurrence(11, 14, 17, put, false), occurrence(14, 33, 37, rate, false)]),
        ],
        ..Index::default()
    };
    fs::write(to, index.write_to_bytes().unwrap()).unwrap();
}

#[test]
fn what_a_compiler_says_replaces_what_is_inferred_while_the_file_is_unchanged() {
    let shop = shop();
    let root = shop.path();
    let at = root.join("index.scip");
    write_index(root, &at);
    let calls = || ask(&shop, &["export", "calls"]).out;
    let said = "shop/cart.py\tCart.add\tshop/tax.py\tNet.put\t12\tscip\t1\n";
    assert!(!calls().contains("Net.put"));
    let ran = ask(&shop, &["index", "--scip", "index.scip"]);
    assert!(ran.err.contains("index.scip: 2 documents taken"), "{ran:?}");
    assert!(calls().contains(said), "{}", calls());
    assert!(calls().contains("shop/cart.py\tCart.net\tshop/tax.py\trate\t15\tscip\t1\n"), "{}", calls());
    assert!(ask(&shop, &["index"]).out.starts_with("up to date"));

    // An edit elsewhere leaves it as it is, also one that moves what is named.
    fs::write(root.join("shop/tax.py"), format!("# moved\n\n{TAX}")).unwrap();
    ask(&shop, &["index"]);
    assert!(calls().contains(said), "{}", calls());
    let incremental = ask(&shop, &["export", "dump"]).out;
    ask(&shop, &["index", "--rebuild"]);
    assert!(ask(&shop, &["export", "dump"]).out == incremental, "incremental is fresh");

    // An edit of the file itself: what is inferred counts again; undone, the index does.
    fs::write(root.join("shop/cart.py"), format!("{CART}\n\nX = 1\n")).unwrap();
    ask(&shop, &["index"]);
    assert!(!calls().contains("scip"), "{}", calls());
    fs::write(root.join("shop/cart.py"), CART).unwrap();
    ask(&shop, &["index"]);
    assert!(calls().contains(said), "{}", calls());

    let ran = ask(&shop, &["index", "--no-scip"]);
    assert!(ran.err.contains("forgotten") && !calls().contains("scip"), "{ran:?}");
}

#[test]
fn an_index_that_cannot_be_used_is_refused_with_a_reason() {
    let shop = shop();
    let root = shop.path();
    fs::write(root.join("not.scip"), "this is no index").unwrap();
    for (name, reason) in [("not.scip", "is not a SCIP index"), ("nowhere.scip", "cannot read the SCIP index")] {
        let ran = run(root, &["index", "--scip", name], "");
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains(reason), "{ran:?}");
    }
    let index = Index { documents: vec![document("elsewhere.py", vec![])], ..Index::default() };
    fs::write(root.join("foreign.scip"), index.write_to_bytes().unwrap()).unwrap();
    let ran = run(root, &["index", "--scip", "foreign.scip"], "");
    assert!(ran.code == 2 && ran.err.contains("no document of foreign.scip is a file of this repository"), "{ran:?}");

    // Of a file that was edited since, nothing is taken.
    write_index(root, &root.join("old.scip"));
    fs::write(root.join("shop/tax.py"), format!("# moved\n{TAX}")).unwrap();
    let ran = ask(&shop, &["index", "--scip", "old.scip"]);
    assert!(ran.err.contains("1 left out because the file has changed since (shop/tax.py)"), "{ran:?}");
}
