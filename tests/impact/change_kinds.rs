//! What was done to a definition decides how far the change reaches.

use super::ran::Tree;

/// (qualified name, kind of change) of the seeds of `impact --diff`.
fn kinds(tree: &Tree) -> Vec<(String, String)> {
    let json = tree.run(&["impact", "--diff", "--json"]).json();
    let seeds = json["seeds"].as_array().unwrap();
    seeds.iter().map(|s| (s["qualname"].as_str().unwrap().into(), s["change"].as_str().unwrap().into())).collect()
}

fn one(name: &str, change: &str) -> Vec<(String, String)> {
    vec![(name.into(), change.into())]
}

#[test]
fn a_comment_a_doc_or_layout_has_no_radius() {
    let tree = Tree::shop();
    tree.run(&["index"]);
    tree.replace("shop/tax.py", "# reduced ones are half", "# reduced rates are a half of the base");
    tree.replace("shop/tax.py", "\"\"\"The rate of a country.\"\"\"", "\"\"\"What a country takes.\"\"\"");
    tree.replace("shop/tax.py", "def rate(country, reduced=False):", "def rate(\n    country,\n    reduced=False,\n):");
    tree.replace("shop/tax.py", "== \"de\"", "== 'de'");
    assert_eq!(kinds(&tree), vec![]);
    let ran = tree.run(&["impact", "--diff"]);
    ran.says(&["1 file changed, 1 only in comments, docs or layout"]);
    let json = tree.run(&["impact", "--diff", "--json"]).json();
    assert_eq!(json["total"], 0, "{json}");
    assert_eq!(json["changed_files"][0]["cosmetic"], true, "{json}");
}

#[test]
fn each_kind_is_told() {
    let tree = Tree::shop();
    for (old, new, expected) in [
        ("base / 2 if", "base / 3 if", one("rate", "body")),
        ("reduced=False", "reduced=True", one("rate", "value")),
        ("rate(country, reduced", "rate(land, country, reduced", one("rate", "signature")),
        ("RATE = 0.2", "RATE = 0.25", one("RATE", "value")),
        ("def round_up(value)", "def ceil_to_cent(value)", one("ceil_to_cent", "renamed")),
        (
            "def round_up(value):\n    steps = int(value * 100)\n    return (steps + 1) / 100\n",
            "",
            one("round_up", "removed"),
        ),
        ("RATE = 0.2\n", "RATE = 0.2\n\n\ndef fresh():\n    return 1\n", one("fresh", "added")),
    ] {
        tree.replace("shop/tax.py", old, new);
        assert_eq!(kinds(&tree), expected, "{old} -> {new}");
        tree.git(&["checkout", "-q", "."]);
    }
}

#[test]
fn indentation_counts_in_python() {
    let tree = Tree::with(&[("a.py", "def f(x):\n    if x:\n        y = 1\n        print(x)\n")]);
    tree.replace("a.py", "        print(x)", "    print(x)");
    assert_eq!(kinds(&tree), one("f", "body"));
}

#[test]
fn other_languages_are_compared_too() {
    for (file, text, old, new, name, change) in [
        ("a.go", "package a\n\n// F does.\nfunc F(x int) int {\n\treturn x + 1\n}\n", "x + 1", "x + 2", "F", "body"),
        ("b.go", "package a\n\nfunc F(x int) int {\n\treturn x + 1\n}\n", "(x int)", "(x int64)", "F", "signature"),
        ("a.js", "export function f(x) {\n  return x + 1;\n}\n", "(x)", "(x, y)", "f", "signature"),
        (
            "a.ts",
            "export const LIMIT = 3;\nexport function f(): number { return LIMIT; }\n",
            "= 3",
            "= 4",
            "LIMIT",
            "value",
        ),
        ("src/lib.rs", "pub fn f(x: u32) -> u32 {\n    x + 1\n}\n", "x + 1", "x + 2", "f", "body"),
        ("A.java", "class A {\n  int f(int x) {\n    return x + 1;\n  }\n}\n", "x + 1", "x + 2", "A.f", "body"),
    ] {
        let tree = Tree::with(&[(file, text)]);
        tree.replace(file, old, new);
        assert_eq!(kinds(&tree), one(name, change), "{file}");
        tree.git(&["checkout", "-q", "."]);
        tree.replace(file, text.lines().last().unwrap(), &format!("{}\n\n", text.lines().last().unwrap()));
        assert_eq!(kinds(&tree), vec![], "{file}: an empty line more");
    }
}

#[test]
fn the_same_change_is_seen_staged_as_a_patch_and_against_a_base() {
    let tree = Tree::shop();
    tree.replace("shop/tax.py", "base / 2 if", "base / 3 if");
    let patch = tree.git(&["diff"]);
    let seeds = |args: &[&str], stdin: &str| {
        let json = tree.run_with(&[args, &["--json"]].concat(), stdin).json();
        json["seeds"].as_array().unwrap().iter().map(|s| s["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let expected = vec!["shop/tax.py::rate".to_owned()];
    assert_eq!(seeds(&["impact", "-"], &patch), expected, "applied");
    assert_eq!(seeds(&["impact", "--patch", "-"], &patch), expected);
    tree.git(&["add", "-A"]);
    assert_eq!(seeds(&["impact", "--staged"], ""), expected);
    tree.git(&["checkout", "-q", "-b", "work"]);
    tree.commit("half is a third");
    assert_eq!(seeds(&["impact", "--base", "main"], ""), expected);
    tree.git(&["checkout", "-q", "main"]);
    assert_eq!(seeds(&["impact", "-"], &patch), expected, "not applied yet");
    tree.run_with(&["review", "--patch", "-"], &patch).says(&["not applied here"]);
}

#[test]
fn a_removed_definition_reaches_who_still_names_it() {
    let tree = Tree::shop();
    tree.replace(
        "shop/tax.py",
        "def round_up(value):\n    steps = int(value * 100)\n    return (steps + 1) / 100\n",
        "",
    );
    let json = tree.run(&["impact", "--diff", "--json"]).json();
    let broken = json["broken"].to_string();
    let reached = json["levels"].to_string();
    assert!(broken.contains("Cart.total") || reached.contains("Cart.total"), "{json}");
}

#[test]
fn a_line_that_sets_a_field_belongs_to_the_method() {
    let tree = Tree::shop();
    let named = tree.run(&["impact", "shop/cart.py:6", "--json"]).json();
    assert_eq!(named["seeds"][0]["qualname"], "Basket.__init__", "{named}");
    tree.replace("shop/cart.py", "self.items = items", "self.items = list(items)");
    assert_eq!(kinds(&tree), one("Basket.__init__", "body"));
}
