//! Folders that cannot be indexed, and `.portolan`s that are not ours.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use super::ran::{PROGRAM, Ran, git, is_root, nothing_panics, portolan, repository, skipped, with_a_lesson, write};

#[test]
fn a_missing_path() {
    let folder = tempfile::tempdir().unwrap();
    portolan(folder.path(), &["index", "no such"]).says(&["no such: no such file or folder", "give the path"]);
    portolan(folder.path(), &["-C", "no such", "status"]).says(&["no such: no such file or folder"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_file_for_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.py", "x = 1\n");
    portolan(folder.path(), &["index", "a.py"]).says(&["a.py is not a directory", "give the path"]);
    portolan(folder.path(), &["index", "a.py/b"]).says(&["a.py/b"]);
}

#[test]
fn the_home_folder_and_the_root() {
    let home = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        Ran::of(Command::new(PROGRAM).current_dir(&home).env("HOME", home.path()).args(args).output().unwrap())
    };
    run(&["index"]).says(&["your home folder", "--force"]);
    run(&["index", "/"]).says(&["the root of the file system", "--force"]);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn no_git_no_commits_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("sub");
    fs::create_dir(&root).unwrap();
    portolan(&root, &["index"]).ok();
    nothing_panics(&root);
    write(&root, "a.py", "def a():\n    return a()\n");
    portolan(&root, &["index"]).ok();
    let status = portolan(&root, &["status", "--json"]).json();
    assert_eq!(status["counts"]["files"], 1, "{status}");
    assert_eq!(status["counts"]["commits"], 0, "{status}");
    git(&root, &["init", "-q"]);
    portolan(&root, &["index"]).ok();
    nothing_panics(&root);
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-qm", "one"]);
    super::ran::equals_fresh(&root);
}

#[test]
fn broken_git_data() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    fs::write(root.join(".git/HEAD"), "nonsense").unwrap();
    for args in [&["index"][..], &["status"]] {
        let ran = portolan(&root, args);
        assert!(ran.code == Some(0) || (ran.code == Some(2) && ran.err.contains("git")), "{ran:?}");
    }
    nothing_panics(&root);
    fs::write(root.join(".git/HEAD"), "ref: refs/heads/gone\n").unwrap();
    fs::write(root.join(".git/index"), "nonsense").unwrap();
    nothing_panics(&root);
}

#[test]
fn a_portolan_folder_that_came_with_the_repository() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    git(&root, &["add", "-f", ".portolan/graph.kuzu"]);
    for args in [&["index"][..], &["index", "--rebuild"], &["callers", "f3_0"], &["map", "x"], &["cypher", "RETURN 1"]]
    {
        portolan(&root, args).says(&[".portolan", "git", "remove"]);
    }
    nothing_panics(&root);
}

#[test]
fn a_portolan_folder_that_is_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    let other = folder.path().join("elsewhere");
    fs::rename(root.join(".portolan"), &other).unwrap();
    symlink(&other, root.join(".portolan")).unwrap();
    for args in [&["index"][..], &["index", "--rebuild"], &["callers", "f3_0"], &["status"]] {
        portolan(&root, args).says(&[".portolan", "symbolic link"]);
    }
    nothing_panics(&root);
    fs::remove_file(root.join(".portolan")).unwrap();
    fs::write(root.join(".portolan"), "a file").unwrap();
    portolan(&root, &["index"]).says(&[".portolan", "not a folder"]);
    nothing_panics(&root);
}

#[test]
fn a_portolan_folder_of_another_user() {
    if !is_root() {
        return skipped("only root can give a folder to another user");
    }
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    std::os::unix::fs::chown(root.join(".portolan"), Some(65534), None).unwrap();
    for args in [&["index"][..], &["callers", "f3_0"]] {
        portolan(&root, args).says(&[".portolan", "another user"]);
    }
    nothing_panics(&root);
}

/// As a user without rights: root is asked by nobody.
fn as_nobody(folder: &Path, args: &[&str]) -> Option<Ran> {
    let mut command = if is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", PROGRAM]);
        command
    } else {
        Command::new(PROGRAM)
    };
    match command.current_dir(folder).env("HOME", "/nonexistent").args(args).output() {
        // The program may lie in a folder that only its owner may enter.
        Ok(output) if is_root() && matches!(output.status.code(), Some(126 | 127)) => None,
        Ok(output) => Some(Ran::of(output)),
        Err(_) => None,
    }
}

#[test]
fn no_permission() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let root = folder.path().join("work tree");
    repository(&root, 3);
    if is_root() {
        let status = Command::new("chown").args(["-R", "65534:65534"]).arg(&root).status().unwrap();
        assert!(status.success());
    }
    let Some(ran) = as_nobody(&root, &["index"]) else {
        return skipped("no way to run the program as another user (setpriv)");
    };
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let set = |path: &str, mode| fs::set_permissions(root.join(path), fs::Permissions::from_mode(mode)).unwrap();

    // A file and a folder that cannot be read are left out with the reason, and come back.
    let whole = as_nobody(&root, &["export", "dump"]).unwrap().ok();
    set("pkg/m1.py", 0o000);
    as_nobody(&root, &["index"]).unwrap().ok();
    let status = as_nobody(&root, &["status", "--json"]).unwrap().json();
    assert_eq!(status["skipped"][0]["path"], "pkg/m1.py", "{status}");
    assert_eq!(status["skipped"][0]["reason"], "unreadable: permission denied", "{status}");
    set("pkg/m1.py", 0o644);
    as_nobody(&root, &["index"]).unwrap().ok();
    assert_eq!(as_nobody(&root, &["export", "dump"]).unwrap().ok(), whole);

    // A .portolan and a graph that cannot be written; the graph stays.
    write(&root, "pkg/new.py", "def new():\n    pass\n");
    set(".portolan/graph.kuzu", 0o444);
    as_nobody(&root, &["index"]).unwrap().says(&["graph.kuzu", "permission denied", "check"]);
    set(".portolan/graph.kuzu", 0o600);
    set(".portolan", 0o555);
    let ran = as_nobody(&root, &["index"]).unwrap();
    assert!(matches!(ran.code, Some(0 | 2)), "{ran:?}");
    set(".portolan", 0o700);
    write(&root, "pkg/newer.py", "def newer():\n    pass\n");
    set(".portolan/cache", 0o555);
    as_nobody(&root, &["index"]).unwrap().says(&[".portolan/cache", "permission denied", "check"]);
    set(".portolan/cache", 0o700);
    as_nobody(&root, &["index"]).unwrap().ok();

    fs::remove_dir_all(root.join(".portolan")).unwrap();
    set(".", 0o555);
    as_nobody(&root, &["index"]).unwrap().says(&[".portolan", "permission denied", "check"]);
    set(".", 0o000);
    as_nobody(folder.path(), &["index", "work tree"]).unwrap().says(&["work tree", "check"]);
    set(".", 0o755);
}

#[test]
fn links_that_loop_submodules_and_sparse_checkouts() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    repository(&root, 3);
    let other = folder.path().join("other");
    repository(&other, 2);
    git(&root, &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.to_str().unwrap(), "sub"]);
    symlink("loop", root.join("loop")).unwrap();
    symlink("..", root.join("pkg/up")).unwrap();
    symlink("/etc", root.join("out")).unwrap();
    symlink("nothing", root.join("broken")).unwrap();
    symlink("pkg/m0.py", root.join("link.py")).unwrap();
    let nested = folder.path().join("root/nested");
    repository(&nested, 2);
    git(&root, &["worktree", "add", "-q", "-b", "side", ".trees/side"]);
    portolan(&root, &["index"]).ok();
    let status = portolan(&root, &["status", "--all", "--json"]).json();
    let reason = |path: &str| {
        let rows = status["skipped"].as_array().unwrap();
        rows.iter().find(|r| r["path"] == path).map(|r| r["reason"].as_str().unwrap().to_owned())
    };
    for (path, why) in [
        ("loop", "link loop"),
        ("pkg/up", "link loop"),
        ("out", "link out of the root"),
        ("broken", "broken link"),
        ("link.py", "link to pkg/m0.py"),
        ("sub/", "submodule"),
        ("nested/", "nested repository"),
        (".trees/side/", "worktree"),
    ] {
        assert_eq!(reason(path).as_deref(), Some(why), "{path}: {status}");
    }
    write(&root, "other/x.py", "def x():\n    pass\n");
    git(&root, &["add", "other", ".gitmodules"]);
    git(&root, &["commit", "-qm", "two"]);
    git(&root, &["sparse-checkout", "set", "other"]);
    assert!(!root.join("pkg/m0.py").exists());
    super::ran::equals_fresh(&root);
    git(&root, &["sparse-checkout", "disable"]);
    super::ran::equals_fresh(&root);
    assert_eq!(portolan(&root, &["callers", "f1_0"]).code, Some(0));
}
