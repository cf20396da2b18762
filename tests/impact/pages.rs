//! What the pages say, and how long they may be.

use super::ran::Tree;

fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base().unwrap().encode_ordinary(text).len()
}

#[test]
fn impact_walks_back_by_steps_with_the_way_that_explains_each() {
    let tree = Tree::shop();
    let ran = tree.run(&["impact", "round_up"]);
    ran.says(&[
        "impact of round_up\n",
        "3 symbols in 2 files depend on it within 3 steps",
        "1 step back (1):\n  shop/cart.py: Cart.total:",
        "2 steps back (1):\n  shop/order.py: place:4",
        "via Cart.total",
        "3 steps back (1):\n  shop/order.py: confirm:9",
        "Tests: 1 of 2 reach it, 0 directly",
        "  pytest tests/test_order.py::TestPlace::test_place",
        "Read: ",
    ]);
    let json = tree.run(&["impact", "round_up", "--json"]).json();
    assert_eq!(json["levels"][2]["shown"][0]["path"][2], "shop/order.py::place", "{json}");
}

/// One statement from one definition, and step by step from many: the same ones at the same distance.
#[test]
fn the_shipped_query_and_the_walk_from_many_agree() {
    let tree = Tree::shop();
    let rows = tree.run(&["query", "blast_radius", "-p", "id=shop/tax.py::round_up", "-p", "limit=100", "--json"]);
    let mut query: Vec<(String, u64)> = rows
        .json()
        .as_array()
        .unwrap()
        .iter()
        .filter(|r| !r["is_test"].as_bool().unwrap() && !r["id"].as_str().unwrap().starts_with("tests/"))
        .map(|r| (r["id"].as_str().unwrap().to_owned(), r["hops"].as_u64().unwrap()))
        .collect();
    query.sort();
    // A file is walked from in steps; the module itself adds nothing here.
    let json = tree
        .run(&["impact", "shop/tax.py:13-15", "shop/tax.py::round_up", "shop/cli.py::main", "--all", "--json"])
        .json();
    let mut walk: Vec<(String, u64)> = json["levels"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|l| l["shown"].as_array().unwrap())
        .map(|r| (r["id"].as_str().unwrap().to_owned(), r["hops"].as_u64().unwrap()))
        .collect();
    walk.sort();
    assert_eq!(query, walk);
    assert!(!query.is_empty());
}

#[test]
fn a_page_never_costs_more_than_1500_tokens_and_counts_what_it_cuts() {
    let tree = Tree::bare();
    tree.write("core.py", "def used(x):\n    return x\n");
    for i in 0..40 {
        let users: String = (0..12).map(|j| format!("def user_number_{i}_{j}(x):\n    return used(x)\n\n\n")).collect();
        tree.write(&format!("pkg/area_{i}/module_{i}.py"), format!("from core import used\n\n\n{users}"));
    }
    tree.git(&["init", "-q"]);
    tree.commit("all");
    let ran = tree.run(&["impact", "used"]);
    ran.says(&["480 symbols in 40 files", "1 step back (480):", " more: ", "more files"]);
    assert!(tokens(&ran.out) <= 1500, "{} tokens: {ran:?}", tokens(&ran.out));
    let all = tree.run(&["impact", "used", "--all"]);
    assert!(all.out.contains("user_number_39_11"), "{all:?}");
    let json = tree.run(&["impact", "used", "--json"]).json();
    let (shown, total) =
        (json["levels"][0]["shown"].as_array().unwrap().len(), json["levels"][0]["total"].as_u64().unwrap());
    let cut: u64 = json["levels"][0]["cut"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!((shown as u64 + cut, total), (480, 480));
}

#[test]
fn a_diff_of_a_small_file_says_that_reading_it_costs_less() {
    let tree = Tree::with(&[
        ("a.py", "def f():\n    return 1\n"),
        ("b.py", "from a import f\n\n\ndef g():\n    return f()\n"),
    ]);
    tree.replace("a.py", "return 1", "return 2");
    let ran = tree.run(&["impact", "--diff"]);
    ran.says(&["a.py has about", "less than this page would: read it. 1 symbol"]);
    assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
    let tree = Tree::shop();
    tree.replace("shop/tax.py", "base / 2", "base / 3");
    let page = tree.run(&["impact", "--diff"]).out;
    assert!(tokens(&page) <= tokens(&tree.read("shop/tax.py")).max(60), "{page}");
}

#[test]
fn a_review_has_the_risk_its_factors_and_what_to_read() {
    let tree = Tree::shop();
    for i in 0..4 {
        tree.replace("shop/tax.py", "RATE = ", &format!("# {i}\nRATE = "));
        tree.replace("shop/cart.py", "from shop.tax", &format!("# {i}\nfrom shop.tax"));
        tree.commit(&format!("fix rounding, part {i}"));
    }
    tree.git(&["checkout", "-q", "-b", "work"]);
    tree.replace("shop/tax.py", "rate(country, reduced", "rate(land, country, reduced");
    tree.commit("lands");
    let ran = tree.run(&["review", "--base", "main"]);
    ran.says(&[
        "1 file +1 -1 against main (",
        " signature shop/tax.py:",
        "1 user outside its file",
        " commits to its file were fixes",
        "Tests: 2 of 2 reach the change, 1 directly",
        "Usually changes too: shop/cart.py (5 of ",
        "Read: ",
    ]);
    assert!(ran.out.lines().count() <= 60, "{ran:?}");
    let json = tree.run(&["review", "--base", "main", "--format", "json"]).json();
    let factors = &json["risks"][0]["factors"];
    assert!(factors["reach"].as_f64().unwrap() > 0.1 && factors["untested"].as_f64() == Some(0.0), "{json}");
    // Without a base: the merge base with main.
    assert_eq!(tree.run(&["review"]).out, ran.out);
}

#[test]
fn review_formats_hold_what_they_must() {
    let tree = Tree::shop();
    tree.replace("shop/tax.py", "rate(country, reduced", "rate(land, country, reduced");
    let markdown = tree.run(&["review", "--diff", "--format", "markdown"]);
    markdown.says(&["<!-- portolan review -->\n### Portolan: Risk ", "**Read:**", "`rate`"]);
    let sarif = tree.run(&["review", "--diff", "--format", "sarif"]).json();
    assert_eq!(sarif["version"], "2.1.0");
    for result in sarif["runs"][0]["results"].as_array().unwrap() {
        let rule = result["ruleId"].as_str().unwrap();
        let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
        assert!(rules.iter().any(|r| r["id"] == rule), "{rule}");
        assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "shop/tax.py");
    }
}

#[test]
fn fail_on_is_an_exit_code() {
    let tree = Tree::with(&[("core.py", "def used(x):\n    return x\n")]);
    for i in 0..30 {
        tree.write(&format!("m{i}.py"), format!("from core import used\n\n\ndef f{i}(x):\n    return used(x)\n"));
    }
    tree.write("main.py", "from core import used\n\n\ndef main():\n    used(1)\n");
    tree.commit("users");
    tree.replace("core.py", "used(x)", "used(x, y)");
    let ran = tree.run(&["review", "--diff", "--fail-on", "high"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("Risk high"), "{ran:?}");
    tree.git(&["checkout", "-q", "."]);
    tree.replace("core.py", "def used", "# a word\ndef used");
    assert_eq!(tree.run(&["review", "--diff", "--fail-on", "medium"]).code, 0);
}

#[test]
fn commits_of_the_change_itself_are_not_its_past() {
    let tree = Tree::shop();
    for i in 0..4 {
        tree.replace("shop/tax.py", "RATE = ", &format!("# {i}\nRATE = "));
        tree.commit(&format!("fix rounding, part {i}"));
    }
    tree.git(&["checkout", "-q", "-b", "work"]);
    tree.replace("shop/tax.py", "rate(country, reduced", "rate(land, country, reduced");
    tree.commit("lands");
    tree.run(&["review", "--base", "main"]).says(&["4 of 5 commits to its file were fixes"]);
}

/// Names in a comment on a pull request are a stranger's.
#[test]
fn a_hostile_name_cannot_leave_its_place_in_markdown() {
    let tree = Tree::with(&[("a`b<script>.py", "def f(x):\n    return x\n")]);
    tree.replace("a`b<script>.py", "f(x)", "f(x, y)");
    let ran = tree.run(&["review", "--diff", "--format", "markdown"]);
    assert!(!ran.out.contains("a`b<script>"), "{ran:?}");
    assert!(ran.out.contains("`a'b<script>.py:1`"), "{ran:?}");
}

#[test]
fn claims_of_other_sessions_are_shown() {
    let tree = Tree::shop();
    tree.run(&["index"]);
    for statement in [
        "CREATE (:Session {id: 's1', host: 'claude', started: 1, last_at: 1, ended: 0})",
        "MATCH (s:Session {id: 's1'}), (f:File {path: 'shop/tax.py'}) CREATE (s)-[:CLAIMS {since: 1, expires: 99999999999}]->(f)",
    ] {
        assert_eq!(tree.run(&["cypher", "--write", statement]).code, 0);
    }
    tree.replace("shop/tax.py", "base / 2", "base / 3");
    tree.run(&["review", "--diff"]).says(&["Claimed by others: shop/tax.py by claude s1"]);
    tree.git(&["checkout", "-q", "."]);
    tree.replace("shop/order.py", "placed for", "ordered for");
    let ran = tree.run(&["review", "--diff"]);
    assert!(!ran.out.contains("Claimed"), "{ran:?}");
}

#[test]
fn wrong_use_is_told() {
    let tree = Tree::shop();
    for (args, words) in [
        (&["impact"][..], "wants a target"),
        (&["impact", "rate", "--diff"], "not both"),
        (&["review", "--base", "nowhere"], "git knows no revision nowhere"),
        (&["impact", "--diff", "--staged"], "cannot be used with"),
    ] {
        let ran = tree.run(args);
        assert_eq!(ran.code, 2, "{args:?}: {ran:?}");
        assert!(ran.err.contains(words), "{args:?}: {ran:?}");
    }
    let ran = tree.run_with(&["impact", "-"], "no patch at all\n");
    assert_eq!(ran.code, 2, "{ran:?}");
    for args in [&["impact", "nothing_of_that_name"][..], &["tests", "nothing_of_that_name"]] {
        let ran = tree.run(args);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.out.contains("nothing here is called"), "{ran:?}");
    }
    let ran = tree.run(&["impact", "total"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("stands for 2 definitions"), "{ran:?}");
}

#[test]
fn cochange_joins_several_files_and_names_the_people() {
    let tree = Tree::shop();
    for i in 0..3 {
        tree.replace("shop/tax.py", "RATE = ", &format!("# {i}\nRATE = "));
        tree.replace("shop/cart.py", "from shop.tax", &format!("# {i}\nfrom shop.tax"));
        tree.commit("both");
    }
    let ran = tree.run(&["cochange", "shop/tax.py"]);
    ran.says(&["4 of 4 commits", "shop/cart.py", "shop/tax.py: mostly Ann 100 %; last Ann on "]);
    assert!(ran.out.lines().next().unwrap().contains("shop/cart.py"), "{ran:?}");
    let json = tree.run(&["cochange", "shop/tax.py", "shop/cart.py", "--json"]).json();
    let paths = json["cochange"].to_string();
    assert!(!paths.contains("\"path\":\"shop/tax.py\"") && !paths.contains("\"path\":\"shop/cart.py\""), "{json}");
}

#[test]
fn a_file_that_is_named_is_not_read_as_a_whole() {
    let tree = Tree::bare();
    let many: String = (0..60).map(|i| format!("def other_{i}(x):\n    y = x\n    return y\n\n\n")).collect();
    tree.write("core.py", format!("def used(x):\n    return x\n\n\n{many}"));
    tree.write("user.py", "from core import used\n\n\ndef user(x):\n    return used(x)\n");
    tree.git(&["init", "-q"]);
    tree.commit("all");
    let json = tree.run(&["impact", "core.py", "--json"]).json();
    assert!(json["read"]["lines"].as_u64().unwrap() < 20, "{json}");
    assert_eq!(json["read"]["files"], 2, "{json}");
}

#[test]
fn a_changed_entry_point_counts_in_full() {
    let tree = Tree::shop();
    tree.replace("shop/cli.py", "[1, 2]", "[1, 2, 3]");
    let json = tree.run(&["review", "--diff", "--format", "json"]).json();
    assert_eq!(json["risks"][0]["qualname"], "main", "{json}");
    assert_eq!(json["risks"][0]["factors"]["entry"], 1.0, "{json}");
}

/// The list goes on behind what changed together: with what changes often, lately, or is named alike.
#[test]
fn cochange_fills_its_list_for_a_file_without_a_past() {
    let tree = Tree::shop();
    for i in 0..5 {
        tree.replace("shop/tax.py", "RATE = ", &format!("# {i}\nRATE = "));
        tree.write("CHANGELOG.md", format!("{i}\n"));
        tree.commit("again");
    }
    tree.write("shop/rebate.py", "from shop.tax import rate\n");
    tree.write("tests/test_rebate.py", "import shop.rebate\n");
    tree.commit("new");
    tree.write("shop/fresh.py", "from shop.tax import rate\n");
    let json = tree.run(&["cochange", "shop/fresh.py", "--json"]).json();
    let paths: Vec<&str> = json["cochange"].as_array().unwrap().iter().map(|c| c["path"].as_str().unwrap()).collect();
    assert_eq!(paths[0], "shop/tax.py", "{json}");
    assert!(paths.contains(&"CHANGELOG.md"), "{json}");
}

#[test]
fn a_sibling_that_calls_the_method_of_the_base_is_not_affected() {
    let tree = Tree::with(&[(
        "a.py",
        "class Base:\n    def told(self):\n        return 1\n\n\nclass One(Base):\n    def told(self):\n        return super().told()\n\n\n\
        class Two(Base):\n    def told(self):\n        return super().told() + 1\n\n\ndef tell(base: Base):\n    return base.told()\n",
    )]);
    let json = tree.run(&["impact", "Two.told", "--json"]).json();
    let level = json["levels"][0]["shown"].as_array().unwrap();
    let names: Vec<&str> = level.iter().map(|r| r["qualname"].as_str().unwrap()).collect();
    assert_eq!(names, ["tell"], "{json}");
}
