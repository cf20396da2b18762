//! `hooks git`: beside what is there, and gone without a trace.

use std::os::unix::fs::PermissionsExt;

use super::ran::Tree;

#[test]
fn installed_beside_and_removed_without_a_trace() {
    let tree = Tree::shop();
    let mine = "#!/bin/sh\necho mine >> hook.log\nexit 0\n";
    tree.write(".git/hooks/pre-push", mine);
    tree.run(&["hooks", "git", "install"]).says(&["added to ", "/pre-push", "made ", "/post-commit"]);
    let text = tree.read(".git/hooks/pre-push");
    assert!(text.find("portolan review").unwrap() < text.find("exit 0").unwrap(), "{text}");
    let mode = std::fs::metadata(tree.path().join(".git/hooks/pre-push")).unwrap().permissions().mode();
    assert_eq!(mode & 0o111, 0o111);
    tree.run(&["hooks", "git", "install"]).says(&["nothing to do in"]);
    tree.run(&["hooks", "git", "install", "--fail-on", "high"]).says(&["added to "]);
    assert_eq!(tree.read(".git/hooks/pre-push").matches(">>> portolan").count(), 1);
    tree.run(&["hooks", "git", "remove"]).says(&["taken out of"]);
    assert_eq!(tree.read(".git/hooks/pre-push"), mine);
    assert!(!tree.path().join(".git/hooks/post-commit").exists());
}

/// A push runs the review, and the hook that was there before; a missing program stops nothing.
#[test]
fn a_push_runs_both() {
    let tree = Tree::shop();
    tree.write(".git/hooks/pre-push", "#!/bin/sh\ncat > refs.log\necho mine\n");
    tree.run(&["hooks", "git", "install"]);
    let folder = tempfile::tempdir().unwrap();
    super::ran::git(folder.path(), &["init", "-q", "--bare", "target"]);
    let target = folder.path().join("target");
    tree.git(&["push", "-q", target.to_str().unwrap(), "main"]);
    // git tells the refs on stdin: the hook behind ours still gets them.
    assert!(tree.read("refs.log").contains("refs/heads/main"));
}

#[test]
fn hooks_of_another_tool_are_left_alone() {
    let tree = Tree::shop();
    tree.git(&["config", "core.hooksPath", ".husky"]);
    let ran = tree.run(&["hooks", "git", "install"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("core.hooksPath") && ran.err.contains("portolan review"), "{ran:?}");
}
