//! `context`: never over its budget, the same each time.

use super::ran::Tree;

fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base().unwrap().encode_ordinary(text).len()
}

#[test]
fn the_block_form() {
    let tree = Tree::shop();
    let ran = tree.run(&["context", "place"]);
    ran.says(&[
        "## File shop/order.py\n## Symbol place (lines 4-6)\ndef place(items):\n    cart = Cart(items)\n",
        "## Called by\nshop/order.py:10 def confirm(items)\n",
        "## Calls\n",
        "Cart: def total(self)",
        "## Tests\ntests/test_order.py:5 TestPlace.test_place\n",
        "left out: nothing)",
    ]);
    assert_eq!(tree.run(&["context", "place"]).out, ran.out);
}

#[test]
fn a_question_finds_its_places() {
    let tree = Tree::shop();
    let ran = tree.run(&["context", "the reduced rate of a country is wrong"]);
    ran.says(&["## Symbol rate (lines"]);
}

#[test]
fn never_over_budget_and_what_is_cut_is_told() {
    let tree = Tree::shop();
    let long: String = (0..400).map(|i| format!("    value_{i} = compute(value, {i})\n")).collect();
    tree.write(
        "long.py",
        format!(
            "def compute(a, b):\n    return a\n\n\ndef enormous(value):\n{long}    needle = value\n    return needle\n"
        ),
    );
    tree.commit("long");
    for budget in [120, 200, 400, 1000, 3000] {
        for target in ["place", "enormous", "shop/cart.py", "where does the needle come from in enormous"] {
            let ran = tree.run(&["context", target, "--budget", &budget.to_string()]);
            if ran.code == 0 {
                assert!(tokens(&ran.out) <= budget, "{target} {budget}: {} tokens {ran:?}", tokens(&ran.out));
            } else {
                assert!(ran.err.contains("nothing fits into"), "{ran:?}");
            }
        }
    }
    let ran = tree.run(&["context", "where does the needle come from in enormous", "--budget", "700"]);
    ran.says(&["def enormous(value):", " left out\n"]);
}

#[test]
fn a_long_body_keeps_the_lines_that_the_question_names() {
    let tree = Tree::shop();
    let long: String = (0..400).map(|i| format!("    value_{i} = compute(value, {i})\n")).collect();
    tree.write("long.py", format!("def enormous(value):\n{long}    needle = value\n    return needle\n"));
    tree.commit("long");
    let ran = tree.run(&["context", "where does the needle come from in enormous", "--budget", "700"]);
    ran.says(&["def enormous(value):", "needle = value", " left out\n"]);
}

#[test]
fn lessons_about_it_are_told() {
    let tree = Tree::shop();
    tree.run(&["index"]);
    for statement in [
        "CREATE (:Lesson {id: 'l1', text: 'rates are halves', at: 1, confirmed: 0, target: ''})",
        "MATCH (l:Lesson {id: 'l1'}), (f:File {path: 'shop/tax.py'}) CREATE (l)-[:ABOUT]->(f)",
    ] {
        assert_eq!(tree.run(&["cypher", "--write", statement]).code, 0);
    }
    tree.run(&["context", "rate"]).says(&["## Lessons\nrates are halves\n"]);
}
