//! Which tests run a definition, and how to run them.

use super::ran::Tree;

fn names(tree: &Tree, args: &[&str]) -> Vec<String> {
    let json = tree.run(&[&["tests"], args, &["--json"]].concat()).json();
    json["tests"].as_array().unwrap().iter().map(|t| t["qualname"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn direct_tests_come_first_and_the_command_runs_them() {
    let tree = Tree::shop();
    assert_eq!(names(&tree, &["rate"]), ["test_rate_of_germany", "TestPlace.test_place"]);
    tree.run(&["tests", "rate"]).says(&[
        "tests of rate: 2 of 2 reach it, 1 directly",
        "pytest tests/test_tax.py::test_rate_of_germany tests/test_order.py::TestPlace::test_place",
        "directly (1):",
        "through others (1):\n  tests/test_order.py:5 TestPlace.test_place  via place",
    ]);
}

#[test]
fn no_test_is_said_only_where_none_is() {
    let tree = Tree::shop();
    let ran = tree.run(&["tests", "shop/cli.py::main"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("no test covers shop/cli.py::main"), "{ran:?}");
    tree.run(&["tests", "round_up"]).says(&["TestPlace.test_place"]);
}

/// A framework calls the method of a base class; only who makes an object of the class is affected.
#[test]
fn an_override_reaches_the_tests_that_make_such_an_object() {
    let tree = Tree::with(&[
        (
            "kinds.py",
            "class Kind:\n    def convert(self, v):\n        return v\n\n    def run(self, v):\n        return self.convert(v)\n\n\n\
            class Whole(Kind):\n    def convert(self, v):\n        return int(v)\n\n\nclass Upper(Kind):\n    def convert(self, v):\n        return v.upper()\n",
        ),
        ("app.py", "from kinds import Kind\n\n\ndef run(kind: Kind, v):\n    return kind.run(v)\n"),
        (
            "tests/test_app.py",
            "from app import run\nfrom kinds import Upper, Whole\n\n\ndef test_whole():\n    assert run(Whole(), '1') == 1\n\n\n\
            def test_upper():\n    assert run(Upper(), 'a') == 'A'\n",
        ),
    ]);
    assert_eq!(names(&tree, &["Whole.convert", "--all-affected"]), ["test_whole"]);
    assert_eq!(names(&tree, &["Upper.convert", "--all-affected"]), ["test_upper"]);
    let mut both = names(&tree, &["Kind.run", "--all-affected"]);
    both.sort();
    assert_eq!(both, ["test_upper", "test_whole"]);
}

/// `with`, `iter` and the like call methods without their names.
#[test]
fn what_the_language_calls_by_itself_is_run_by_who_uses_the_class() {
    let tree = Tree::with(&[
        (
            "door.py",
            "class Door:\n    def __enter__(self):\n        return self\n\n    def __exit__(self, *a):\n        pass\n",
        ),
        (
            "tests/test_door.py",
            "from door import Door\n\n\ndef test_open():\n    with Door() as d:\n        assert d\n\n\ndef test_other():\n    assert 1\n",
        ),
    ]);
    assert_eq!(names(&tree, &["Door.__enter__"]), ["test_open"]);
}

#[test]
fn a_changed_test_is_run_first() {
    let tree = Tree::shop();
    tree.replace("tests/test_order.py", "> 1", ">= 1");
    tree.replace("shop/tax.py", "base / 2 if", "base / 3 if");
    let json = tree.run(&["tests", "--diff", "--json"]).json();
    assert_eq!(json["tests"][0]["qualname"], "TestPlace.test_place", "{json}");
}

#[test]
fn each_language_has_its_runner() {
    for (files, name, line) in [
        (
            vec![
                ("go.mod", "module example.org/a\n\ngo 1.22\n"),
                ("core/a.go", "package core\n\nfunc Twice(x int) int {\n\treturn x * 2\n}\n"),
                (
                    "core/a_test.go",
                    "package core\n\nimport \"testing\"\n\nfunc TestTwice(t *testing.T) {\n\tif Twice(1) != 2 {\n\t\tt.Fail()\n\t}\n}\n",
                ),
            ],
            "Twice",
            "go test -run '^(TestTwice)$' ./core",
        ),
        (
            vec![
                ("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\n"),
                (
                    "src/lib.rs",
                    "pub fn twice(x: u32) -> u32 {\n    x * 2\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn doubles() {\n        assert_eq!(twice(1), 2);\n    }\n}\n",
                ),
            ],
            "twice",
            "cargo test -- tests::doubles",
        ),
        (
            vec![
                ("package.json", "{\"scripts\": {\"test\": \"jest\"}, \"devDependencies\": {\"jest\": \"^29\"}}\n"),
                ("src/a.js", "export function twice(x) {\n  return x * 2;\n}\n"),
                (
                    "test/a.test.js",
                    "import { twice } from '../src/a';\n\ntest('doubles', () => {\n  expect(twice(1)).toBe(2);\n});\n",
                ),
            ],
            "twice",
            "npx jest test/a.test.js",
        ),
        (
            vec![
                ("pom.xml", "<project/>\n"),
                (
                    "src/main/java/org/a/A.java",
                    "package org.a;\n\npublic class A {\n  public static int twice(int x) {\n    return x * 2;\n  }\n}\n",
                ),
                (
                    "src/test/java/org/a/ATest.java",
                    "package org.a;\n\nimport org.junit.jupiter.api.Test;\n\nclass ATest {\n  @Test\n  void doubles() {\n    A.twice(1);\n  }\n}\n",
                ),
            ],
            "twice",
            "mvn test -Dtest='ATest#doubles'",
        ),
    ] {
        let tree = Tree::with(&files);
        tree.run(&["tests", name]).says(&[line]);
    }
}

/// The enumeration's `__repr__` runs where somebody prints what a constant holds.
#[test]
fn what_a_constant_holds_is_used_where_the_constant_is() {
    let tree = Tree::with(&[
        (
            "a.py",
            "class Nothing:\n    def __repr__(self):\n        return 'nothing'\n\n\nNOTHING = Nothing()\n\n\n\
            def __getattr__(name):\n    return name\n",
        ),
        (
            "tests/test_a.py",
            "from a import NOTHING\n\n\ndef test_said():\n    assert str(NOTHING) == 'nothing'\n\n\ndef test_other():\n    assert 1\n",
        ),
    ]);
    assert_eq!(names(&tree, &["Nothing.__repr__"]), ["test_said"]);
    assert!(names(&tree, &["a.py::__getattr__"]).contains(&"test_said".to_owned()));
}

#[test]
fn what_is_reached_only_through_conditions_is_told_apart() {
    let tree = Tree::with(&[
        (
            "a.py",
            "def run(x):\n    if x:\n        middle(x)\n\n\ndef middle(x):\n    if x > 1:\n        inner(x)\n\n\n\
            def inner(x):\n    if x > 2:\n        deep(x)\n\n\ndef deep(x):\n    return x\n",
        ),
        (
            "tests/test_a.py",
            "from a import deep, run\n\n\ndef test_bottom():\n    deep(1)\n\n\ndef test_all():\n    run(1)\n",
        ),
    ]);
    assert_eq!(names(&tree, &["deep", "--all-affected"]), ["test_bottom"]);
    assert_eq!(names(&tree, &["deep", "--all"]), ["test_bottom", "test_all"]);
    assert_eq!(names(&tree, &["middle", "--all-affected"]), ["test_all"]);
}

#[test]
fn the_declarations_of_an_overload_are_not_untested() {
    let tree = Tree::with(&[
        (
            "a.py",
            "import typing as t\n\n\n@t.overload\ndef twice(x: int) -> int: ...\n\n\n@t.overload\n\
            def twice(x: str) -> str: ...\n\n\ndef twice(x):\n    return x * 2\n",
        ),
        ("tests/test_a.py", "from a import twice\n\n\ndef test_twice():\n    assert twice(1) == 2\n"),
    ]);
    tree.replace("a.py", "twice(x: str)", "twice(x: bytes)");
    let json = tree.run(&["review", "--diff", "--format", "json"]).json();
    assert_eq!(json["tests"]["untested"].as_array().map(Vec::len), Some(0), "{json}");
    assert_eq!(json["risks"][0]["factors"]["untested"], 0.0, "{json}");
}
