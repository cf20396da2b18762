//! Repositories that are not as usual: each gets a page that makes sense.

use super::ran::{Tree, git, run_in};

const COMMANDS: [&[&str]; 6] = [
    &["review"],
    &["review", "--format", "markdown"],
    &["review", "--format", "sarif"],
    &["impact", "--diff"],
    &["tests", "--diff"],
    &["impact", "--staged"],
];

/// Every form runs, and ends with a page or with a word on why not.
fn all_run(tree: &Tree) {
    for args in COMMANDS {
        let ran = tree.run(args);
        assert!(matches!(ran.code, 0..=2), "{args:?}: {ran:?}");
        assert!(!ran.out.is_empty() || !ran.err.is_empty(), "{args:?} is silent");
        assert!(ran.out.lines().count() <= 60 || args[0] != "review", "{args:?}: {ran:?}");
        tree.run(&[args, &["--json"]].concat()).json();
    }
}

#[test]
fn without_tests() {
    let tree = Tree::with(&[
        ("a.py", "def f():\n    return 1\n"),
        ("b.py", "from a import f\n\n\ndef g():\n    return f()\n"),
    ]);
    tree.replace("a.py", "return 1", "return 2");
    tree.run(&["review"]).says(&["Tests: this repository has none that Portolan knows"]);
    let ran = tree.run(&["tests", "f"]);
    assert_eq!((ran.code, ran.out.contains("has no tests")), (1, true), "{ran:?}");
    all_run(&tree);
}

#[test]
fn without_git() {
    let tree = Tree::bare();
    tree.write("a.py", "def f():\n    return 1\n");
    tree.write("b.py", "from a import f\n\n\ndef g():\n    return f()\n");
    tree.run(&["index"]);
    tree.run(&["impact", "f"]).says(&["1 symbol in 1 file depend on it", "b.py: g:4"]);
    let ran = tree.run(&["review"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("no git repository") && ran.err.contains("patch on stdin"), "{ran:?}");
    let patch = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 2\n";
    tree.run_with(&["review", "--patch", "-"], patch).says(&["body a.py:1 f"]);
    all_run(&tree);
}

#[test]
fn with_one_commit_or_none() {
    let tree = Tree::shop();
    tree.run(&["review"]).says(&["nothing changed against HEAD"]);
    tree.run(&["impact", "--diff"]).says(&["nothing changed"]);
    let ran = tree.run(&["review", "--base", "HEAD~1"]);
    assert_eq!((ran.code, ran.err.contains("knows no revision HEAD~1")), (2, true), "{ran:?}");
    all_run(&tree);
    let tree = Tree::bare();
    tree.git(&["init", "-q"]);
    tree.write("a.py", "def f():\n    return 1\n");
    tree.run(&["review"]).says(&["1 file +2 -0", "added a.py:1 f"]);
    all_run(&tree);
}

#[test]
fn in_a_shallow_clone() {
    let tree = Tree::shop();
    tree.git(&["checkout", "-q", "-b", "work"]);
    tree.replace("shop/tax.py", "base / 2", "base / 3");
    tree.commit("third");
    let folder = tempfile::tempdir().unwrap();
    let clone = folder.path().join("clone");
    let from = format!("file://{}", tree.path().display());
    git(folder.path(), &["clone", "-q", "--depth", "1", "--no-single-branch", &from, "clone"]);
    let ran = run_in(&clone, &["review", "--base", "origin/main"], "");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("no common commit") && ran.err.contains("--unshallow"), "{ran:?}");
    let ran = run_in(&clone, &["review"], "");
    assert_eq!((ran.code, ran.out.contains("nothing changed")), (0, true), "{ran:?}");
}

#[test]
fn against_a_merge_commit() {
    let tree = Tree::shop();
    tree.git(&["checkout", "-q", "-b", "side"]);
    tree.write("side.py", "def aside():\n    return 1\n");
    tree.commit("side");
    tree.git(&["checkout", "-q", "main"]);
    tree.write("more.py", "def more():\n    return 1\n");
    tree.commit("more");
    tree.git(&["merge", "-q", "--no-ff", "-m", "merged", "side"]);
    tree.git(&["tag", "merged"]);
    tree.git(&["checkout", "-q", "-b", "work"]);
    tree.replace("shop/tax.py", "base / 2", "base / 3");
    tree.commit("third");
    let ran = tree.run(&["review", "--base", "merged"]);
    ran.says(&["1 file +1 -1 against merged (", "body shop/tax.py"]);
    assert!(!ran.out.contains("side.py"), "{ran:?}");
}

#[test]
fn with_a_rename_only() {
    let tree = Tree::shop();
    tree.git(&["mv", "shop/tax.py", "shop/taxes.py"]);
    let ran = tree.run(&["review"]);
    ran.says(&["1 file +0 -0", "1 renamed with no other change"]);
    all_run(&tree);
}

#[test]
fn with_a_binary_change() {
    let tree = Tree::shop();
    tree.write("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR");
    tree.commit("logo");
    tree.write("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\x0eIHDR");
    tree.run(&["review"]).says(&["1 binary", "No code outside of tests changed"]);
    tree.run(&["impact", "--diff"]);
    let patch = tree.git(&["diff", "--binary"]);
    tree.run_with(&["review", "--patch", "-"], &patch).says(&["1 binary"]);
    all_run(&tree);
}

#[test]
fn with_5000_changed_files() {
    let tree = Tree::bare();
    tree.git(&["init", "-q", "-b", "main"]);
    for i in 0..5000 {
        tree.write(&format!("pkg{}/m{i}.py", i % 50), format!("def f{i}(x):\n    return x + {i}\n"));
    }
    tree.commit("many");
    for i in 0..5000 {
        tree.write(&format!("pkg{}/m{i}.py", i % 50), format!("def f{i}(x, y):\n    return x + {i}\n"));
    }
    let ran = tree.run(&["review"]);
    ran.says(&["5,000 files +5000 -5000", "4000 of them not judged"]);
    assert!(ran.out.lines().count() <= 60, "{ran:?}");
    tree.run(&["impact", "--diff"]).says(&["5,000 files changed", "not followed"]);
}
