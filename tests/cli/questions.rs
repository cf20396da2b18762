//! Questions about symbols, calls and history.

use serde_json::json;

use super::shop::{Shop, run};

#[test]
fn callers_are_grouped_by_certainty_with_their_sites() {
    let shop = Shop::new();
    let ran = shop.run(&["callers", "Cart.total"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(
        ran.out,
        "callers of src/shop/cart.py::Cart.total src/shop/cart.py:20\n\
         exact (1):\n\
         \x20 tests/test_cart.py::test_total  tests/test_cart.py:5  [import]\n\
         by the receiver's inferred class (1):\n\
         \x20 src/shop/cli.py::main  src/shop/cli.py:6,8  [type]\n\
         possible, through an override (1):\n\
         \x20 src/shop/cart.py::Basket.total  src/shop/cart.py:7  [override]\n\
         guesses by name (1):\n\
         \x20 src/shop/cart.py::<module>  src/shop/cart.py:39  [unique name]\n\
         1 site calls `total` on something unknown (portolan unresolved total)\n"
    );

    let ran = shop.run(&["callers", "Cart.total", "-n", "2"]);
    assert!(ran.out.contains("showing 2 of 4 (--all shows the rest)"), "{ran:?}");
    assert!(!ran.out.contains("override"), "{ran:?}");

    let json = shop.run(&["callers", "Cart.total", "--json"]).json();
    assert_eq!(json["total"], 4);
    assert_eq!(json["unresolved_sites"], 1);
    assert_eq!(json["callers"][1]["lines"], json!([6, 8]));
    assert_eq!(json["callers"][3]["certainty"], "guess");
}

#[test]
fn no_caller_is_no_proof_while_sites_are_unresolved() {
    let shop = Shop::new();
    let ran = shop.run(&["callers", "tax.total"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("no caller is known, which is no proof that there is none"), "{ran:?}");
    let ran = shop.run(&["callers", "rate"]);
    assert!(!ran.out.contains("proof"), "{ran:?}");
}

#[test]
fn callees_name_what_could_not_be_placed() {
    let shop = Shop::new();
    let ran = shop.run(&["callees", "Cart.total"]);
    assert!(ran.out.contains("src/shop/tax.py::rate  src/shop/cart.py:22,23  [import]"), "{ran:?}");
    assert!(ran.out.contains("could not be tied to a definition: 3 sites (.quantize, sum_up)"), "{ran:?}");
}

#[test]
fn a_name_may_be_an_id_a_qualified_name_or_a_place() {
    let shop = Shop::new();
    for name in [
        "src/shop/cart.py::Cart.total",
        "cart.py::Cart.total",
        "Cart.total",
        "Cart.total()",
        "shop.cart.Cart.total",
        "src/shop/cart.py:25",
        "./src/shop/cart.py:20",
    ] {
        let json = shop.run(&["symbol", name, "--json"]).json();
        assert_eq!(json[0]["symbol"]["id"], "src/shop/cart.py::Cart.total", "{name}");
    }
    let pair = shop.run(&["symbol", "Cart.owner", "--json"]).json();
    assert_eq!(pair.as_array().unwrap().len(), 2, "a property's getter and setter are one name: {pair}");
    let setter = shop.run(&["symbol", "Cart.owner#2", "--json"]).json();
    assert_eq!(setter.as_array().unwrap().len(), 1, "{setter}");
    assert_eq!(setter[0]["symbol"]["start_line"], 34);
}

#[test]
fn an_ambiguous_name_lists_the_candidates_and_is_no_answer() {
    let shop = Shop::new();
    let ran = shop.run(&["callers", "total"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.out.starts_with("total stands for 3 definitions; say which:\n  src/shop/cart.py::Cart.total"),
        "{ran:?}"
    );
    let ran = shop.run(&["symbol", "total", "--json"]);
    assert_eq!((ran.code, &ran.json()["total"]), (1, &json!(3)));
}

#[test]
fn what_is_not_there_is_not_answered_with_something_else() {
    let shop = Shop::new();
    for name in ["tota", "gone", "Cart.rate", "quantize", "src/shop/nowhere.py:3"] {
        let ran = shop.run(&["callers", name]);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.out.starts_with(&format!("nothing here is called {name}\n")), "{ran:?}");
    }
    let ran = shop.run(&["callers", "quantize"]);
    assert!(ran.out.contains("2 sites call that name"), "{ran:?}");
}

#[test]
fn a_path_follows_the_surest_calls() {
    let shop = Shop::new();
    let ran = shop.run(&["path", "main", "tax.rate"]);
    assert_eq!(
        ran.out,
        "src/shop/cli.py::main  calls the next at src/shop/cli.py:6,8  [type: by the receiver's inferred class]\n\
         \x20 src/shop/cart.py::Cart.total  calls the next at src/shop/cart.py:22,23  [import: exact]\n\
         \x20   src/shop/tax.py::rate\n"
    );
    let json = shop.run(&["path", "main", "tax.rate", "--json"]).json();
    assert_eq!((json["confidence"].as_f64(), json["path"].as_array().map(Vec::len)), (Some(0.9), Some(3)));
    let back = shop.run(&["path", "tax.rate", "main"]);
    assert_eq!(back.code, 1, "{back:?}");
    assert!(back.out.starts_with("no chain of at most 12 known calls"), "{back:?}");
}

#[test]
fn a_card_shows_the_neighbourhood() {
    let shop = Shop::new();
    let ran = shop.run(&["symbol", "Cart"]);
    assert!(ran.out.contains("inherits from 1\n    src/shop/cart.py::Basket  src/shop/cart.py:3"), "{ran:?}");
    let ran = shop.run(&["symbol", "Cart.total"]);
    for part in [
        "method, exported  src/shop/cart.py:20-30",
        "def total(self) -> Decimal",
        "The sum of all items, tax included.",
        "called by 4, and 1 site that could not be placed",
        "tested by 1\n    tests/test_cart.py::test_total",
    ] {
        assert!(ran.out.contains(part), "{part}: {ran:?}");
    }
}

#[test]
fn history_answers_for_a_file() {
    let shop = Shop::new();
    let owners = shop.run(&["owners", "src/shop/cart.py"]);
    assert_eq!(
        owners.out,
        "   2 commits   67 %  last 2021-03-12  Ada <ada@shop>\n   1 commit    33 %  last 2021-09-08  Bob <bob@shop>\n",
        "a merge is nobody's work"
    );
    let cochange = shop.run(&["cochange", "src/shop/cart.py", "--json"]).json();
    assert_eq!(cochange["cochange"][0]["path"], "src/shop/tax.py");
    assert_eq!(cochange["cochange"][0]["commits"], 3);
    // Stored 3.0 at t0, and two half-lives went by until the newest commit.
    assert!((cochange["cochange"][0]["weight"].as_f64().unwrap() - 0.75).abs() < 1e-9, "{cochange}");
    let hotspots = shop.run(&["hotspots"]);
    assert!(
        hotspots.out.starts_with("   3 commits      40 lines  last 2021-09-08  src/shop/cart.py\n"),
        "{hotspots:?}"
    );
    assert!(!hotspots.out.contains("gen.py"), "generated files are left out: {hotspots:?}");
    let none = shop.run(&["owners", "src/shop/old.py"]);
    assert_eq!((none.code, none.out.as_str()), (1, "no file of the graph is called src/shop/old.py\n"), "{none:?}");
    std::fs::create_dir_all(shop.path().join("src/shop")).unwrap();
    let folder = shop.run(&["cochange", "src/shop"]);
    assert_eq!((folder.code, folder.out.as_str()), (1, "src/shop is a folder; name a file\n"), "{folder:?}");
    let json = shop.run(&["owners", "nowhere.py", "--json"]);
    assert_eq!((json.code, json.json()), (1, json!({ "not_found": "nowhere.py", "is_folder": false })));
}

#[test]
fn a_file_may_be_named_from_the_folder_one_stands_in() {
    let shop = Shop::new();
    let folder = shop.path().join("src/shop");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("cart.py"), "").unwrap();
    let ran = run(&folder, &["--no-index", "owners", "cart.py"], "");
    assert!(ran.out.contains("Ada"), "{ran:?}");
    let from_outside = run(
        std::env::temp_dir().as_path(),
        &["--no-index", "-C", shop.path().to_str().unwrap(), "owners", "src/shop/cart.py"],
        "",
    );
    assert_eq!(from_outside.out, ran.out);
}

#[test]
fn unresolved_counts_sites() {
    let shop = Shop::new();
    let ran = shop.run(&["unresolved", "quantize"]);
    assert_eq!(ran.out, "src/shop/cart.py::Cart.total  .quantize  src/shop/cart.py:25,27  2 times\n");
    assert_eq!(shop.run(&["unresolved", "rate"]).code, 1);
}

#[test]
fn calls_are_exported_a_row_a_site() {
    let shop = Shop::new();
    let ran = shop.run(&["export", "calls", "--tsv"]);
    assert_eq!(ran.out.lines().count(), 8, "{ran:?}");
    let row = "src/shop/cli.py\tmain\tsrc/shop/cart.py\tCart.total\t8\ttype\t0.9";
    assert!(ran.out.lines().any(|l| l == row), "{ran:?}");
    assert!(ran.out.lines().is_sorted_by_key(|l| l.split('\t').take(4).map(str::to_owned).collect::<Vec<_>>()));
    let json = shop.run(&["export", "calls", "--json"]).json();
    assert_eq!(json.as_array().unwrap().len(), 8);
    let dump = shop.run(&["export", "dump", "--json"]);
    assert_eq!(dump.code, 2, "{dump:?}");
    assert!(dump.json()["error"]["message"].as_str().unwrap().contains("leave --json out"), "{dump:?}");
}

#[test]
fn who_makes_one_calls_its_constructor() {
    let shop = Shop::new();
    let before = shop.run(&["callers", "Cart", "--json"]).json();
    assert_eq!((&before["total"], &before["constructors"]), (&json!(1), &json!([])));
    for statement in [
        "MATCH (f:File {path: 'src/shop/cart.py'}) CREATE (f)-[:DEFINES]->(:Symbol {id: 'src/shop/cart.py::Cart.__init__', \
         name: '__init__', qualname: 'Cart.__init__', kind: 'method', file: 'src/shop/cart.py', start_line: 13, end_line: 15, \
         signature: 'def __init__(self)', doc: '', unresolved: CAST([] AS STRING[]), present: true})",
        "MATCH (a:Symbol {id: 'tests/test_cart.py::test_total'}), (b:Symbol {id: 'src/shop/cart.py::Cart.__init__'}) \
         CREATE (a)-[:CALLS {how: 'import', confidence: 1.0, lines: [4]}]->(b)",
    ] {
        let ran = shop.run(&["cypher", "--write", statement]);
        assert_eq!(ran.code, 0, "{ran:?}");
    }
    let ran = shop.run(&["callers", "Cart"]);
    assert_eq!(
        ran.out,
        "callers of src/shop/cart.py::Cart src/shop/cart.py:11\n\
         exact (1):\n\
         \x20 src/shop/cli.py::main  src/shop/cli.py:4  [import]\n\
         through its constructor Cart.__init__ (1):\n\
         \x20 tests/test_cart.py::test_total  tests/test_cart.py:4  [import: exact]\n"
    );
    let json = shop.run(&["callers", "Cart", "--json"]).json();
    assert_eq!((&json["total"], &json["constructors"][0]["total"]), (&json!(2), &json!(1)), "{json}");
    assert_eq!(json["constructors"][0]["callers"][0]["id"], "tests/test_cart.py::test_total");
    let card = shop.run(&["symbol", "Cart"]);
    assert!(card.out.contains("called by 2\n"), "{card:?}");
    assert!(card.out.contains("    through its constructor Cart.__init__ (1):\n      tests/test_cart.py"), "{card:?}");
}

#[test]
fn text_from_the_repository_cannot_steer_the_terminal() {
    let shop = Shop::new();
    let ran = shop.run(&[
        "cypher",
        "--write",
        "MATCH (s:Symbol {id: 'src/shop/tax.py::rate'}) SET s.signature = $evil",
        "--param",
        "evil=\"\\u001b[2Jdef\\nrate()\"",
    ]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for args in [&["symbol", "tax.rate"][..], &["cypher", "MATCH (s:Symbol) RETURN s.signature"]] {
        let ran = shop.run(args);
        assert!(ran.out.contains("[2Jdef rate()"), "{ran:?}");
        assert!(!ran.out.contains('\x1b'), "{ran:?}");
    }
}
