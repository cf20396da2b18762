//! Commits, renames, people, and the rows made of them.

use std::sync::Arc;

use portolan::history::{CommitCache, HALF_LIFE, History, HistoryRows, T0, commits, derive};
use portolan::repo::Repo;
use portolan::scan::{StatCache, scan};

use super::fixture::{Fixture, git};

fn history(repo: &Repo, depth: usize) -> Arc<History> {
    commits(repo, depth, &CommitCache::default()).expect("a history")
}

fn present(repo: &Repo) -> Vec<String> {
    let scan = scan(repo, &portolan::config::Config::default(), &StatCache::default()).expect("a scan");
    scan.files.into_iter().map(|f| f.path).collect()
}

fn rows(fixture: &Fixture) -> HistoryRows {
    let repo = fixture.repo();
    derive(&history(&repo, 5000), &present(&repo))
}

/// (subject, path, change), oldest first.
fn touched(rows: &HistoryRows) -> Vec<(String, String, &'static str)> {
    let commit = |hash: &str| rows.commits.iter().find(|c| *c.hash == *hash).expect("its commit");
    let mut list: Vec<_> = rows
        .touched
        .iter()
        .map(|t| (commit(&t.commit).at, (commit(&t.commit).subject.clone(), t.path.to_string(), t.change)))
        .collect();
    list.sort();
    list.into_iter().map(|(_, row)| row).collect()
}

fn expect(list: &[(&str, &str, &'static str)]) -> Vec<(String, String, &'static str)> {
    list.iter().map(|(s, p, c)| ((*s).to_owned(), (*p).to_owned(), *c)).collect()
}

fn lines(word: &str, count: usize) -> String {
    (0..count).map(|n| format!("{word} line {n}\n")).collect()
}

#[test]
fn renames_are_followed_to_todays_name() {
    let fixture = Fixture::git();
    fixture.write("a.py", lines("a", 20)).write("gone.py", "x\n").commit("add");
    fixture.run(&["mv", "a.py", "b.py"]);
    fixture.commit("move");
    // Moved and edited at once; a new file takes the old name.
    fixture.run(&["rm", "-q", "b.py", "gone.py"]);
    fixture.write("lib/c.py", lines("a", 18) + "changed\n").write("a.py", lines("other", 5)).commit("move and edit");
    fixture.write("a.py", lines("other", 6)).commit("edit new a");
    let rows = rows(&fixture);
    assert_eq!(
        touched(&rows),
        expect(&[
            ("add", "lib/c.py", "add"),
            ("move", "lib/c.py", "rename"),
            ("move and edit", "a.py", "add"),
            ("move and edit", "lib/c.py", "rename"),
            ("edit new a", "a.py", "modify"),
        ])
    );
    assert_eq!(rows.commits.len(), 4);
}

#[test]
fn two_files_that_swap_names() {
    let fixture = Fixture::git();
    fixture.write("a.py", lines("a", 9)).write("b.py", lines("b", 9)).commit("add");
    fixture.write("a.py", lines("a", 10)).commit("edit a");
    for (from, to) in [("a.py", "c.py"), ("b.py", "d.py")] {
        fixture.run(&["mv", from, to]);
    }
    fixture.commit("out of the way");
    for (from, to) in [("c.py", "b.py"), ("d.py", "a.py")] {
        fixture.run(&["mv", from, to]);
    }
    fixture.commit("swapped");
    let list = touched(&rows(&fixture));
    assert!(list.contains(&("edit a".into(), "b.py".into(), "modify")), "{list:?}");
    assert!(!list.contains(&("edit a".into(), "a.py".into(), "modify")), "{list:?}");
}

#[test]
fn a_merge_touches_nothing_and_its_branch_counts() {
    let fixture = Fixture::git();
    fixture.write("a.py", "1\n").write("b.py", "1\n").commit("base");
    fixture.run(&["checkout", "-q", "-b", "side"]);
    fixture.write("a.py", "2\n").write("b.py", "2\n").commit("side");
    fixture.run(&["checkout", "-q", "main"]);
    fixture.write("c.py", "1\n").commit("main");
    fixture.run(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    let rows = rows(&fixture);
    assert_eq!(rows.commits.iter().filter(|c| c.is_merge).map(|c| c.subject.as_str()).collect::<Vec<_>>(), ["merge"]);
    assert!(!touched(&rows).iter().any(|(subject, ..)| subject == "merge"));
    let pairs: Vec<(&str, &str, u32)> = rows.co_changes.iter().map(|c| (&*c.a, &*c.b, c.count)).collect();
    assert_eq!(pairs, [("a.py", "b.py", 2)]);
}

#[test]
fn weights_halve_with_the_half_life_and_wide_commits_do_not_count() {
    let fixture = Fixture::git();
    fixture.write("a.py", "1\n").write("b.py", "1\n").commit("one");
    let at = |n: i64| T0 + n * HALF_LIFE;
    let amend = |at: i64| git(&fixture.root, at, "Ann", "a@b.c", &["commit", "-q", "--amend", "--no-edit"]);
    amend(at(2));
    fixture.write("a.py", "2\n").write("b.py", "2\n");
    git(&fixture.root, at(3), "Ann", "a@b.c", &["commit", "-q", "-am", "two"]);
    for n in 0..50 {
        fixture.write(format!("wide/{n}.txt"), "x\n");
    }
    fixture.write("a.py", "3\n").write("b.py", "3\n");
    fixture.commit("wide");
    let rows = rows(&fixture);
    assert_eq!(rows.co_changes.len(), 1, "{:?}", rows.co_changes.first());
    assert_eq!((rows.co_changes[0].count, rows.co_changes[0].weight), (2, 4.0 + 8.0));
    assert_eq!(rows.touched.len(), 2 + 2 + 52);
}

#[test]
fn each_file_keeps_its_strongest_partners() {
    let fixture = Fixture::git();
    for round in 0..2 {
        for n in 0..40 {
            fixture.write("hub.py", format!("{round} {n}\n")).write(format!("f{n:02}.py"), format!("{round}\n"));
            fixture.commit("pair");
        }
    }
    // Each partner keeps the hub, so all pairs stay: a pair needs one end only.
    assert_eq!(rows(&fixture).co_changes.len(), 40);
    // In commits of eleven files at once, a single time, nothing stays.
    let fixture = Fixture::git();
    for n in 0..11 {
        fixture.write(format!("f{n}.py"), "x\n");
    }
    fixture.commit("eleven");
    assert_eq!(rows(&fixture).co_changes, []);
}

#[test]
fn people_by_mailmap() {
    let fixture = Fixture::git();
    fixture.write("a.py", "1\n").commit_as("bob", "bob@old.example", "one");
    fixture.write("a.py", "2\n").commit_as("Bob B", "Bob@New.example", "two");
    fixture.write("a.py", "3\n").commit_as("Ann", "ann@example.org", "three");
    let rows_before = rows(&fixture);
    assert_eq!(rows_before.people.len(), 3);
    fixture.write(".mailmap", "Bob Builder <bob@new.example> <bob@old.example>\n");
    let rows_after = rows(&fixture);
    let people: Vec<(&str, &str)> = rows_after.people.iter().map(|p| (&*p.id, p.name.as_str())).collect();
    assert_eq!(people, [("ann@example.org", "Ann"), ("bob@new.example", "Bob B")]);
    assert_eq!(rows_after.authored.iter().filter(|a| &*a.person == "bob@new.example").count(), 2);
    let changes = rows_before.changes_to(&rows_after);
    assert_eq!(changes.people_removed.len(), 1);
    assert_eq!((changes.authored_removed.len(), changes.authored_added.len()), (1, 1));
    // With HEAD where it was, the cache notices the new mailmap.
    std::fs::remove_file(fixture.root.join(".mailmap")).expect("removed");
    let file = fixture.beside("commits");
    CommitCache::default().save(&file, &history(&fixture.repo(), 10)).expect("saved");
    let cache = CommitCache::load(&file);
    let same = commits(&fixture.repo(), 10, &cache).expect("a history");
    assert!(Arc::ptr_eq(&same, cache.last().expect("loaded")));
    fixture.write(".mailmap", "Bob Builder <bob@new.example> <bob@old.example>\n");
    let other = commits(&fixture.repo(), 10, &cache).expect("a history");
    assert_ne!(other.fingerprint(), same.fingerprint());
    assert_eq!(other.commits, same.commits);
}

#[test]
fn no_git_no_commit_and_a_detached_head() {
    assert_eq!(*history(&Fixture::plain().repo(), 10), History::default());
    let fixture = Fixture::git();
    let unborn = history(&fixture.repo(), 10);
    assert!(unborn.head.is_none() && unborn.commits.is_empty());
    let first = fixture.write("a.py", "").commit("one\n\nbody\nmore");
    fixture.write("b.py", "").commit("two");
    fixture.run(&["checkout", "-q", &first]);
    let detached = history(&fixture.repo(), 10);
    assert_eq!(detached.head.map(|h| h.to_string()), Some(first));
    assert_eq!(detached.commits.len(), 1);
    assert_eq!((detached.commits[0].subject.as_str(), detached.commits[0].body.as_str()), ("one", "body\nmore"));
}

#[test]
fn the_depth_is_the_newest_commits() {
    let fixture = Fixture::git();
    for n in 0..10 {
        fixture.write("a.py", n.to_string()).commit(&format!("c{n}"));
    }
    let newest = history(&fixture.repo(), 3);
    let subjects: Vec<&str> = newest.commits.iter().map(|c| c.subject.as_str()).collect();
    assert_eq!(subjects, ["c9", "c8", "c7"]);
    // The oldest one's parent is there, so what it touched is known.
    assert!(newest.commits.iter().all(|c| c.touched.len() == 1 && !c.cut_off));
    assert!(history(&fixture.repo(), 0).commits.is_empty());
}

#[test]
fn a_shallow_clone_and_its_deepening() {
    let fixture = Fixture::git();
    for n in 0..6 {
        fixture.write("a.py", n.to_string()).write(format!("f{n}.py"), "x").commit(&format!("c{n}"));
    }
    let clone = fixture.beside("clone");
    let url = format!("file://{}", fixture.root.display());
    fixture.run(&["clone", "-q", "--depth", "3", &url, clone.to_str().expect("UTF-8")]);
    let repo = Repo::open(&clone, false).expect("the clone");
    let shallow = history(&repo, 100);
    let counts: Vec<(usize, bool)> = shallow.commits.iter().map(|c| (c.touched.len(), c.cut_off)).collect();
    assert_eq!(counts, [(2, false), (2, false), (0, true)]);
    let file = fixture.beside("commits");
    CommitCache::default().save(&file, &shallow).expect("saved");
    git(&clone, 0, "a", "a@b", &["fetch", "-q", "--unshallow"]);
    let deep = commits(&repo, 100, &CommitCache::load(&file)).expect("a history");
    assert_eq!(*deep, *history(&repo, 100));
    assert_eq!(deep.commits.len(), 6);
    assert!(deep.commits.iter().all(|c| c.touched.len() == 2));
}

#[test]
fn with_a_cache_as_without_through_any_series_of_heads() {
    let fixture = Fixture::git();
    let file = fixture.beside("commits");
    for n in 0..5 {
        fixture.write("a.py", lines("a", n + 4)).write(format!("f{n}.py"), lines("f", n + 4)).commit(&format!("c{n}"));
    }
    let mut cache = CommitCache::default();
    let check = |fixture: &Fixture, cache: &mut CommitCache, depth: usize| {
        let repo = fixture.repo();
        let files = present(&repo);
        let before = cache.last().cloned().unwrap_or_default();
        let with = commits(&repo, depth, cache).expect("a history");
        let without = history(&repo, depth);
        assert_eq!(with.commits, without.commits);
        assert!(with.paths.starts_with(&without.paths) && with.people.starts_with(&without.people));
        assert_eq!(with.fingerprint(), without.fingerprint());
        let (old, new, fresh) = (derive(&before, &files), derive(&with, &files), derive(&without, &files));
        assert_eq!(new, fresh);
        let changes = old.changes_to(&new);
        assert_eq!(changes.is_empty(), old == new);
        assert_eq!(old.commits.len() + changes.commits_added.len(), new.commits.len() + changes.commits_removed.len());
        assert_eq!(old.touched.len() + changes.touched_added.len(), new.touched.len() + changes.touched_removed.len());
        cache.save(&file, &with).expect("saved");
        *cache = CommitCache::load(&file);
        assert_eq!(cache.last().map(|h| h.fingerprint()), Some(with.fingerprint()));
    };
    check(&fixture, &mut cache, 100);
    fixture.write("a.py", "new\n").commit("next");
    check(&fixture, &mut cache, 100);
    fixture.run(&["checkout", "-q", "-b", "side", "HEAD~3"]);
    check(&fixture, &mut cache, 100);
    fixture.run(&["mv", "f0.py", "g.py"]);
    fixture.commit("renamed on the side");
    check(&fixture, &mut cache, 100);
    fixture.run(&["rebase", "-q", "main"]);
    check(&fixture, &mut cache, 100);
    check(&fixture, &mut cache, 3);
    fixture.run(&["checkout", "-q", "main"]);
    check(&fixture, &mut cache, 100);
    fixture.run(&["reset", "-q", "--hard", "HEAD~2"]);
    check(&fixture, &mut cache, 100);
    fixture.run(&["checkout", "-q", "--orphan", "fresh"]);
    fixture.commit("orphan");
    check(&fixture, &mut cache, 100);
}

#[test]
fn a_damaged_cache_is_empty() {
    let fixture = Fixture::git();
    fixture.write("a.py", "").commit("one");
    let file = fixture.beside("commits");
    CommitCache::default().save(&file, &history(&fixture.repo(), 10)).expect("saved");
    let whole = std::fs::read(&file).expect("the cache");
    assert!(CommitCache::load(&file).last().is_some());
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        std::fs::write(&file, &bytes).expect("damaged");
        assert!(CommitCache::load(&file).last().is_none(), "byte {at}");
        std::fs::write(&file, &whole[..at]).expect("torn");
        assert!(CommitCache::load(&file).last().is_none(), "cut at {at}");
    }
}

#[test]
fn a_worktree_sees_the_history_of_its_own_head() {
    let fixture = Fixture::git();
    let first = fixture.write("a.py", "").commit("one");
    fixture.write("b.py", "").commit("two");
    let linked = fixture.beside("linked");
    fixture.run(&["worktree", "add", "-q", linked.to_str().expect("UTF-8"), &first]);
    let repo = Repo::open(&linked, false).expect("the worktree");
    assert_eq!(history(&repo, 10).commits.len(), 1);
}

#[test]
fn facts_agree_with_git_itself() {
    // Folders, a folder that becomes a file, modes, links, names of any bytes, many files.
    let fixture = Fixture::git();
    use std::os::unix::ffi::OsStrExt;
    for n in 0..300 {
        fixture.write(format!("many/f{n:03}.txt"), format!("{n}\n"));
    }
    fixture.write("x/y/z.py", "z\n").write("x.py", "x\n").write("x-y", "").commit("one");
    for n in [0, 7, 150, 299] {
        fixture.write(format!("many/f{n:03}.txt"), "changed\n");
    }
    fixture.write(std::ffi::OsStr::from_bytes(b"many/caf\xe9"), "x").commit("two");
    std::fs::remove_dir_all(fixture.root.join("x")).expect("removed");
    fixture.write("x", "a file now\n").write("new\nline", "").commit("three");
    std::fs::remove_file(fixture.root.join("x")).expect("removed");
    fixture.write("x/y/z.py", "back\n").write("many/zz.txt", "last").write("many/a.txt", "first");
    std::os::unix::fs::symlink("x.py", fixture.root.join("link")).expect("a link");
    fixture.run(&["update-index", "--chmod=+x", "x.py"]);
    fixture.run(&["config", "core.fileMode", "false"]);
    fixture.commit("four");
    std::fs::remove_dir_all(fixture.root.join("many")).expect("removed");
    fixture.commit("five");
    let ours = history(&fixture.repo(), 100);
    assert_eq!(ours.commits.len(), 5);
    for commit in &ours.commits {
        let output = std::process::Command::new("git")
            .args(["diff-tree", "--root", "--no-commit-id", "-r", "-z", "--name-status", "--no-renames"])
            .arg(commit.hash.to_string())
            .current_dir(&fixture.root)
            .output()
            .expect("git runs");
        let fields: Vec<&[u8]> = output.stdout.split(|b| *b == 0).filter(|f| !f.is_empty()).collect();
        let mut expected: Vec<(String, String)> = fields
            .chunks(2)
            .map(|f| (portolan::repo::path::encode(f[1]), String::from_utf8_lossy(f[0]).replace('T', "M")))
            .collect();
        let mut found = Vec::new();
        for touch in &commit.touched {
            use portolan::history::Change;
            let mut push = |path, what: &str| found.push((ours.path(path).to_owned(), what.to_owned()));
            match touch.change {
                Change::Add => push(touch.path, "A"),
                Change::Modify => push(touch.path, "M"),
                Change::Delete => push(touch.path, "D"),
                Change::Rename { from } => {
                    push(touch.path, "A");
                    push(from, "D");
                }
            }
        }
        expected.sort();
        found.sort();
        assert!(!expected.is_empty());
        assert_eq!(found, expected, "{}", commit.subject);
    }
}

#[test]
fn a_clone_without_old_trees_has_commits_and_no_touched_files() {
    let fixture = Fixture::git();
    fixture.run(&["config", "uploadpack.allowFilter", "true"]);
    for n in 0..3 {
        fixture.write("d/a.py", n.to_string()).commit(&format!("c{n}"));
    }
    let clone = fixture.beside("clone");
    let url = format!("file://{}", fixture.root.display());
    fixture.run(&["clone", "-q", "--filter=tree:0", &url, clone.to_str().expect("UTF-8")]);
    let repo = Repo::open(&clone, false).expect("the clone");
    let found = history(&repo, 10);
    assert_eq!(found.commits.len(), 3);
    assert!(found.commits.iter().all(|c| c.cut_off && c.touched.is_empty()));
    // Once they are there, they count.
    git(&clone, 0, "a", "a@b", &["fetch", "-q", "--refetch", "--no-filter"]);
    let file = fixture.beside("commits");
    CommitCache::default().save(&file, &found).expect("saved");
    fixture.write("d/a.py", "3").commit("c3");
    git(&clone, 0, "a", "a@b", &["pull", "-q"]);
    let full = commits(&repo, 10, &CommitCache::load(&file)).expect("a history");
    assert_eq!(full.commits.iter().map(|c| (c.touched.len(), c.cut_off)).collect::<Vec<_>>(), [(1, false); 4]);
}

#[test]
fn what_is_a_rename_and_what_is_not() {
    let fixture = Fixture::git();
    let many = |n: usize| (0..n).map(|n| format!("m/{n}.txt"));
    fixture.write("half.py", lines("h", 20)).write("less.py", lines("l", 20)).write("empty.py", "");
    fixture.write("twin/a.py", lines("t", 5)).write("twin/b.py", lines("t", 5)).commit("add");
    fixture.run(&["rm", "-rq", "."]);
    fixture.write("new_half.py", lines("h", 11) + &lines("x", 9)).write("new_less.py", lines("l", 8) + &lines("y", 12));
    fixture.write("none.py", "");
    fixture.write("moved/b.py", lines("t", 5)).write("moved/a.py", lines("t", 5)).commit("move");
    for path in many(60) {
        fixture.write(path.as_str(), format!("{path}\n"));
    }
    fixture.commit("many");
    fixture.run(&["mv", "m", "n"]);
    fixture.commit("move many");
    let found = history(&fixture.repo(), 10);
    let renames = |subject: &str| -> Vec<(String, String)> {
        let commit = found.commits.iter().find(|c| c.subject == subject).expect("the commit");
        let rename = |touch: &portolan::history::Touch| match touch.change {
            portolan::history::Change::Rename { from } => {
                Some((found.path(from).to_owned(), found.path(touch.path).to_owned()))
            }
            _ => None,
        };
        commit.touched.iter().filter_map(rename).collect()
    };
    let expected = [("twin/a.py", "moved/a.py"), ("twin/b.py", "moved/b.py"), ("half.py", "new_half.py")];
    assert_eq!(renames("move"), expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    let moved: Vec<_> = many(60).map(|path| (path.clone(), path.replacen('m', "n", 1))).collect();
    let found = renames("move many");
    assert_eq!(found.len(), 60);
    assert!(moved.iter().all(|pair| found.contains(pair)), "{found:?}");
}

#[test]
fn history_goes_on_beyond_a_mass_move() {
    let fixture = Fixture::git();
    for n in 0..300 {
        // Many files of equal content among them: those of the same name belong together.
        fixture.write(format!("old/d{n}/a.py"), if n % 3 == 0 { "same\n".into() } else { format!("{n}\n") });
        fixture.write(format!("old/d{n}/b.py"), "same\n");
    }
    fixture.commit("add");
    fixture.run(&["mv", "old", "new"]);
    fixture.commit("move");
    let rows = rows(&fixture);
    for path in ["new/d7/a.py", "new/d9/a.py", "new/d9/b.py", "new/d299/b.py"] {
        let of: Vec<_> = touched(&rows).into_iter().filter(|t| t.1 == path).collect();
        assert_eq!(of, expect(&[("add", path, "add"), ("move", path, "rename")]));
    }
}

/// Ten folders deep, each ten times the same one: a commit of 10^10 files in a few objects. It must take neither the time
/// nor the memory of that.
#[test]
fn a_history_bomb_is_not_looked_into_and_said() {
    let fixture = Fixture::git();
    fixture.write("a.py", "a\n").commit("first");
    let git = git2::Repository::open(&fixture.root).unwrap();
    for leaf in [Some(git.blob(b"x").unwrap()), None] {
        let mut tree = git.treebuilder(None).unwrap();
        if let Some(blob) = leaf {
            tree.insert("f", blob, 0o100_644).unwrap();
        }
        let mut id = tree.write().unwrap();
        for _ in 0..10 {
            let mut tree = git.treebuilder(None).unwrap();
            for n in 0..10 {
                tree.insert(format!("d{n}"), id, 0o040_000).unwrap();
            }
            id = tree.write().unwrap();
        }
        let head = git.head().unwrap().peel_to_commit().unwrap();
        let who = git2::Signature::new("Ann", "ann@example.org", &git2::Time::new(1_700_010_000, 0)).unwrap();
        let tree = git.find_tree(id).unwrap();
        git.commit(Some("HEAD"), &who, &who, "bomb", &tree, &[&head]).unwrap();
        // And away with it again.
        let bomb = git.head().unwrap().peel_to_commit().unwrap();
        git.commit(Some("HEAD"), &who, &who, "back", &head.tree().unwrap(), &[&bomb]).unwrap();
    }
    let found = history(&fixture.repo(), 10);
    let large: Vec<_> = found.commits.iter().map(|c| (c.subject.as_str(), c.too_large, c.touched.len())).collect();
    let bombs = [("back", true, 0), ("bomb", true, 0), ("back", true, 0), ("bomb", true, 0), ("first", false, 1)];
    assert_eq!(large, bombs);
    assert_eq!(found.notes().len(), 4, "{:?}", found.notes());
    let bomb = &found.commits[1];
    assert!(found.notes().iter().any(|note| note.contains(&bomb.hash.to_string()[..10])), "{:?}", found.notes());
}
