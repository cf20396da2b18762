//! Where a repository begins.

use std::os::unix::fs::symlink;
use std::path::Path;

use portolan::repo::{Repo, RepoError};

use super::fixture::{Fixture, git};

#[test]
fn the_root_is_gits_or_a_marked_folder_or_the_folder_itself() {
    let fixture = Fixture::git();
    fixture.write("a/b/c.py", "").write("a/portolan.toml", "");
    assert_eq!(Repo::open(&fixture.root.join("a/b"), false).expect("git").root(), fixture.root);
    assert_eq!(Repo::of_file(&fixture.root.join("a/new/x.py"), false).expect("no file yet").root(), fixture.root);

    let plain = Fixture::plain();
    plain.write("a/b/c.py", "");
    let below = plain.root.join("a/b");
    assert_eq!(Repo::open(&below, false).expect("plain").root(), below);
    plain.write("a/portolan.toml", "");
    let repo = Repo::open(&below, false).expect("marked");
    assert_eq!(repo.root(), plain.root.join("a"));
    assert!(!repo.has_git() && repo.git().expect("no git").is_none() && repo.main_worktree().is_none());
}

#[test]
fn what_is_no_repository_is_refused_with_advice() {
    let fixture = Fixture::plain();
    fixture.write("f", "");
    let said = |path: &Path| Repo::open(path, false).expect_err("refused").to_string();
    assert!(said(&fixture.root.join("none")).contains("no such file or folder"));
    assert!(said(&fixture.root.join("f")).contains("is not a directory"));
    assert!(said(Path::new("/")).contains("--force"));
    assert!(Repo::open(Path::new("/"), true).is_ok());
    if let Some(home) =
        std::env::var_os("HOME").filter(|h| Path::new(h).is_dir() && !Path::new(h).join(".git").exists())
    {
        assert!(matches!(Repo::open(Path::new(&home), false), Err(RepoError::TooWide { .. })));
    }
    git(&fixture.root, 0, "a", "a@b", &["init", "-q", "--bare", "bare.git"]);
    assert!(matches!(Repo::open(&fixture.root.join("bare.git"), false), Err(RepoError::Bare { .. })));
}

#[test]
fn a_worktree_has_its_own_root_and_knows_the_main_one() {
    let fixture = Fixture::git();
    fixture.write("a.py", "").commit("one");
    let linked = fixture.beside("linked");
    fixture.run(&["worktree".as_ref(), "add".as_ref(), "-q".as_ref(), linked.as_os_str()]);
    let repo = Repo::open(&linked, false).expect("the worktree");
    assert_eq!(repo.root(), linked);
    assert_eq!(repo.main_worktree().as_deref(), Some(fixture.root.as_path()));
    assert!(repo.git().expect("git").is_some());
    assert_eq!(fixture.repo().main_worktree(), None);
}

#[test]
fn a_broken_git_link_is_an_error_that_names_the_root() {
    let fixture = Fixture::plain();
    fixture.write(".git", "gitdir: /nowhere/at/all\n");
    let repo = fixture.repo();
    let error = repo.git().err().expect("broken").to_string();
    assert!(error.contains(fixture.root.to_str().expect("UTF-8")), "{error}");
}

#[test]
fn a_foreign_portolan_folder_is_refused() {
    let fixture = Fixture::git();
    let repo = fixture.repo();
    repo.check_folder().expect("none yet");
    fixture.write(".portolan/graph.kuzu", "x").write("a.py", "");
    repo.check_folder().expect("not tracked");
    fixture.commit("all");
    assert!(repo.folder_is_tracked().expect("an index"));
    let said = repo.check_folder().expect_err("tracked").to_string();
    assert!(said.contains("is tracked by git"), "{said}");

    let plain = Fixture::plain();
    symlink("/tmp", plain.root.join(".portolan")).expect("a link");
    let said = plain.repo().check_folder().expect_err("a link").to_string();
    assert!(said.contains("is a symbolic link"), "{said}");
}

#[test]
fn paths_go_there_and_back() {
    let fixture = Fixture::plain();
    fixture.write("a/b.py", "");
    let repo = fixture.repo();
    assert_eq!(repo.relative(&fixture.root.join("a/b.py")).as_deref(), Some("a/b.py"));
    assert_eq!(repo.relative(&fixture.root.join("a/../a/new.py")).as_deref(), Some("a/new.py"));
    assert_eq!(repo.relative(Path::new("/etc/passwd")), None);
    assert_eq!(repo.relative(&fixture.root.join("../x")), None);
    assert_eq!(repo.absolute("a/b.py"), fixture.root.join("a/b.py"));
}
