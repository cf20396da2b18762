//! What a scan lists, and why the rest is left out.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use portolan::config::Config;
use portolan::scan::{Reading, Record, Scan, StatCache, read_content, scan};

use super::fixture::{Fixture, git};

fn scanned(fixture: &Fixture) -> Scan {
    scan(&fixture.repo(), &Config::default(), &StatCache::default()).expect("a scan")
}

fn files(scan: &Scan) -> Vec<&str> {
    scan.files.iter().map(|f| f.path.as_str()).collect()
}

fn skipped(scan: &Scan) -> Vec<(String, String)> {
    scan.skipped.iter().map(|s| (s.path.clone(), s.reason.to_string())).collect()
}

fn rows(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(path, reason)| ((*path).to_owned(), (*reason).to_owned())).collect()
}

/// By path: why a file is left out, or what to record of it.
type ByPath<T> = Vec<(String, T)>;

/// Reads all that the cache does not know: (what is left out, what to record).
fn read_all(fixture: &Fixture, scan: &Scan) -> (ByPath<String>, ByPath<Record>) {
    let (mut left, mut read) = (Vec::new(), Vec::new());
    for file in scan.files.iter().filter(|f| f.known.is_none()) {
        match read_content(&fixture.repo(), &Config::default(), file) {
            Reading::Text(content) => read.push((file.path.clone(), content.record)),
            Reading::Skipped(skipped, record) => {
                left.push((skipped.path, skipped.reason.to_string()));
                read.extend(record.map(|r| (file.path.clone(), r)));
            }
        }
    }
    (left, read)
}

#[test]
fn an_empty_repository_and_no_git_at_all() {
    assert!(files(&scanned(&Fixture::git())).is_empty());
    let plain = Fixture::plain();
    assert!(files(&scanned(&plain)).is_empty());
    plain.write("b.py", "").write("a/.hidden.rs", "").write(".gitignore", "*.log\n").write("x.log", "");
    assert_eq!(files(&scanned(&plain)), [".gitignore", "a/.hidden.rs", "b.py"]);
}

#[test]
fn tracked_and_untracked_alike_but_not_ignored() {
    let fixture = Fixture::git();
    fixture.write(".gitignore", "*.log\nbuild/\n").write("kept.log", "x").write("build/tracked.py", "");
    fixture.write(".github/workflows/ci.yml", "on: push\n");
    fixture.run(&["add", "-f", "kept.log", "build/tracked.py", ".github", ".gitignore"]);
    fixture.commit("one");
    fixture
        .write("new.py", "")
        .write("other.log", "")
        .write("build/untracked.py", "")
        .write("sub/.gitignore", "*.tmp\n");
    fixture.write("sub/a.tmp", "").write(".portolan/graph.kuzu", "").write("sub/.portolan/x.py", "");
    fixture.write(".git/info/exclude", "secret.txt\n").write("secret.txt", "");
    let scan = scanned(&fixture);
    let expected =
        [".github/workflows/ci.yml", ".gitignore", "build/tracked.py", "kept.log", "new.py", "sub/.gitignore"];
    assert_eq!(files(&scan), expected);
    assert_eq!(skipped(&scan), []);
    // A tracked file that is gone, and one whose folder became a link, are not there.
    std::fs::remove_dir_all(fixture.root.join("build")).expect("removed");
    symlink("/etc", fixture.root.join("build")).expect("a link");
    std::fs::remove_file(fixture.root.join("kept.log")).expect("removed");
    let scan = scanned(&fixture);
    assert!(!files(&scan).iter().any(|f| f.starts_with("build") || *f == "kept.log"), "{:?}", files(&scan));
}

#[test]
fn names_of_any_bytes() {
    let fixture = Fixture::git();
    let latin = OsStr::from_bytes(b"caf\xe9.py");
    fixture.write(latin, "x = 1\n").write("new\nline.py", "").write("back\\slash.py", "").write("a\\x41.py", "");
    fixture.write("-dash.py", "").write("sp ace\t.py", "");
    let expected = ["-dash.py", "a\\x5cx41.py", "back\\slash.py", "caf\\xe9.py", "new\nline.py", "sp ace\t.py"];
    assert_eq!(files(&scanned(&fixture)), expected);
    fixture.commit("tracked now");
    let scan = scanned(&fixture);
    assert_eq!(files(&scan), expected);
    let file = scan.files.iter().find(|f| f.path.starts_with("caf")).expect("listed");
    assert_eq!(file.file_type, "python");
    match read_content(&fixture.repo(), &Config::default(), file) {
        Reading::Text(content) => assert_eq!(content.text, "x = 1\n"),
        Reading::Skipped(s, _) => panic!("{}", s.reason),
    }
}

#[test]
fn links_and_special_files_are_never_opened() {
    let fixture = Fixture::git();
    fixture.write("real/a.py", "");
    std::fs::create_dir(fixture.beside("outside")).expect("a folder");
    let link = |to: &str, name: &str| symlink(to, fixture.root.join(name)).expect("a link");
    link("real/a.py", "inside.py");
    link("../outside", "out");
    link("/etc/passwd", "passwd.py");
    link("nothing", "broken.py");
    link("loop_b", "loop_a");
    link("loop_a", "loop_b");
    link("..", "real/up");
    link("real", "folder");
    let pipe = std::ffi::CString::new(fixture.root.join("pipe.py").as_os_str().as_bytes()).expect("a path");
    // SAFETY: the path is a valid C string.
    assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);
    let _socket = std::os::unix::net::UnixListener::bind(fixture.root.join("sock")).expect("a socket");
    let expected = rows(&[
        ("broken.py", "broken link"),
        ("folder", "link to real"),
        ("inside.py", "link to real/a.py"),
        ("loop_a", "link loop"),
        ("loop_b", "link loop"),
        ("out", "link out of the root"),
        ("passwd.py", "link out of the root"),
        ("pipe.py", "named pipe"),
        ("real/up", "link loop"),
        ("sock", "socket"),
    ]);
    let scan = scanned(&fixture);
    assert_eq!(files(&scan), ["real/a.py"]);
    assert_eq!(skipped(&scan), expected);
    // The same when git tracks the links.
    fixture.commit("links");
    assert_eq!(skipped(&scanned(&fixture)), expected);
}

#[test]
fn a_file_that_turns_into_a_link_or_a_pipe_before_it_is_read() {
    let fixture = Fixture::plain();
    fixture.write("a.py", "x").write("b.py", "x").write("c.py", "x");
    let scan = scanned(&fixture);
    for name in ["a.py", "b.py", "c.py"] {
        std::fs::remove_file(fixture.root.join(name)).expect("removed");
    }
    symlink("/etc/passwd", fixture.root.join("a.py")).expect("a link");
    let pipe = std::ffi::CString::new(fixture.root.join("b.py").as_os_str().as_bytes()).expect("a path");
    // SAFETY: the path is a valid C string.
    assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);
    let (left, read) = read_all(&fixture, &scan);
    assert!(read.is_empty());
    let reasons: Vec<&str> = left.iter().map(|(_, reason)| reason.as_str()).collect();
    assert!(reasons[0].starts_with("unreadable"), "{reasons:?}");
    assert_eq!(reasons[1], "not a regular file");
    assert_eq!(reasons[2], "unreadable: entity not found");
}

#[test]
fn other_repositories_below_the_root_are_one_row_each() {
    let fixture = Fixture::git();
    let library = Fixture::git();
    library.write("lib.py", "");

    library.commit("lib");
    fixture.write("a.py", "").commit("one");
    let url = library.root.to_str().expect("UTF-8").to_owned();
    fixture.run(&["submodule", "add", "-q", &url, "deps/lib"]);
    fixture.commit("submodule");
    fixture.run(&["worktree", "add", "-q", ".claude/worktrees/one"]);
    fixture.write("nested/b.py", "");
    git(&fixture.root.join("nested"), 0, "a", "a@b", &["init", "-q"]);
    fixture.write("web/node_modules/x/index.js", "").write("env/pyvenv.cfg", "").write("env/lib/x.py", "");
    fixture.write("out/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55").write("out/x.rs", "");
    let scan = scanned(&fixture);
    assert_eq!(files(&scan), [".gitmodules", "a.py"]);
    let expected = rows(&[
        (".claude/worktrees/one/", "worktree"),
        ("deps/lib/", "submodule"),
        ("env/", "installed dependencies"),
        ("nested/", "nested repository"),
        ("out/", "cache folder"),
        ("web/node_modules/", "installed dependencies"),
    ]);
    assert_eq!(skipped(&scan), expected);
    // A worktree and a submodule are repositories of their own.
    for (folder, file) in [(".claude/worktrees/one", "a.py"), ("deps/lib", "lib.py")] {
        let repo = portolan::repo::Repo::open(&fixture.root.join(folder), false).expect("its own root");
        let inner = scan_of(&repo);
        assert!(files(&inner).contains(&file), "{folder}: {:?}", files(&inner));
        assert_eq!(inner.notes, [] as [&str; 0]);
    }
}

fn scan_of(repo: &portolan::repo::Repo) -> Scan {
    scan(repo, &Config::default(), &StatCache::default()).expect("a scan")
}

#[test]
fn content_and_name_decide_what_is_worth_it() {
    let fixture = Fixture::plain();
    fixture.write("binary.py", b"x\0y").write("logo.png", b"\x89PNG\r\n\x1a\n").write("latin.py", b"# caf\xe9\n");
    fixture.write("gen.go", "// Code generated by x. DO NOT EDIT.\npackage x\n").write("jquery.min.js", "x");
    fixture.write("packed.js", format!("var a=\"{}\";", "x".repeat(5000))).write("Cargo.lock", "");
    fixture.write("large.py", vec![b'#'; 1024 * 1024 + 1]).write("limit.txt", vec![b'#'; 1024 * 1024]);
    let scan = scanned(&fixture);
    assert_eq!(files(&scan), ["binary.py", "gen.go", "latin.py", "limit.txt", "logo.png", "packed.js"]);
    let by_name =
        rows(&[("Cargo.lock", "lock file"), ("jquery.min.js", "minified"), ("large.py", "larger than 1048576 bytes")]);
    assert_eq!(skipped(&scan), by_name);
    assert_eq!(scan.skipped[2].size, 1024 * 1024 + 1);
    let (left, read) = read_all(&fixture, &scan);
    assert_eq!(left, rows(&[("binary.py", "binary"), ("logo.png", "binary"), ("packed.js", "minified")]));
    assert_eq!(read.len(), 6);
    for file in &scan.files {
        if let Reading::Text(content) = read_content(&fixture.repo(), &Config::default(), file) {
            assert_eq!(content.generated, file.path == "gen.go");
            assert_eq!(content.lossy, file.path == "latin.py");
            if content.lossy {
                assert_eq!(content.text, "# caf\u{fffd}\n");
            }
        }
    }
}

#[test]
fn a_file_that_may_not_be_read_is_a_row() {
    // SAFETY: geteuid has no preconditions.
    if unsafe { libc::geteuid() } == 0 {
        return;
    }
    let fixture = Fixture::plain();
    fixture.write("a.py", "x").write("d/b.py", "x").write("c.py", "");
    let forbid = |path: &str| {
        std::fs::set_permissions(fixture.root.join(path), std::fs::Permissions::from_mode(0o000)).expect("chmod");
    };
    forbid("a.py");
    forbid("d");
    let scan = scanned(&fixture);
    assert_eq!(skipped(&scan), rows(&[("d/", "unreadable: permission denied")]));
    assert_eq!(read_all(&fixture, &scan).0, rows(&[("a.py", "unreadable: permission denied")]));
    std::fs::set_permissions(fixture.root.join("d"), std::fs::Permissions::from_mode(0o700)).expect("chmod");
}

#[test]
fn excludes_and_languages_of_the_configuration() {
    let fixture = Fixture::git();
    fixture.write("vendor/a.py", "").write("vendor/b/c.py", "").write("src/x.gen.py", "").write("src/x.py", "");
    fixture.write("src/y.go", "").write(".gitignore", "vendor/\n");
    fixture.run(&["add", "-f", "vendor"]);
    fixture.commit("tracked, ignored and excluded");
    let text = "exclude = [\"/vendor/\", \"*.gen.py\"]\nlanguages = [\"python\"]\n";
    let config = Config::parse(text, &fixture.root.join("portolan.toml")).expect("settings");
    let scan = scan(&fixture.repo(), &config, &StatCache::default()).expect("a scan");
    assert_eq!(files(&scan), [".gitignore", "src/x.py", "src/y.go"]);
    assert_eq!(scan.files[1].language.map(|l| l.name()), Some("python"));
    assert!(scan.files[2].language.is_none() && scan.files[2].file_type == "go");
}

#[test]
fn a_sparse_checkout_is_what_is_there() {
    let fixture = Fixture::git();
    fixture.write("a/x.py", "").write("b/y.py", "").write("top.py", "").commit("one");
    fixture.run(&["sparse-checkout", "set", "a"]);
    let scan = scanned(&fixture);
    assert_eq!(files(&scan), ["a/x.py", "top.py"]);
    assert!(scan.notes.is_empty() && scan.skipped.is_empty());
    fixture.run(&["sparse-checkout", "reapply", "--sparse-index"]);
    let scan = scanned(&fixture);
    assert_eq!(files(&scan), ["a/x.py", "top.py"], "{:?}", scan.notes);
}

#[test]
fn a_linked_worktree_obeys_the_shared_exclude_file() {
    let fixture = Fixture::git();
    fixture.write("a.py", "").commit("one");
    let linked = fixture.beside("linked");
    fixture.run(&["worktree", "add", "-q", linked.to_str().expect("UTF-8")]);
    fixture.write(".git/info/exclude", "secret.txt\n");
    std::fs::write(linked.join("secret.txt"), "x").expect("a file");
    std::fs::write(linked.join("new.py"), "x").expect("a file");
    let repo = portolan::repo::Repo::open(&linked, false).expect("the worktree");
    assert_eq!(files(&scan_of(&repo)), ["a.py", "new.py"]);
}

#[test]
fn a_damaged_index_is_a_note() {
    let fixture = Fixture::git();
    fixture.write("a.py", "").commit("one");
    fixture.write(".git/index", "nonsense");
    let scan = scanned(&fixture);
    assert_eq!(files(&scan), ["a.py"]);
    assert_eq!(scan.notes.len(), 1);
    assert!(scan.notes[0].starts_with("git's index was not read"), "{:?}", scan.notes);
}

/// Sets a file's mtime back so that it is not "racily clean"; ctime cannot be set, so the test waits it out by
/// recording in the future instead: `recorded` is the caller's.
fn age(records: &mut [(String, Record)]) {
    for (_, record) in records {
        record.recorded += 3_000_000_000;
    }
}

#[test]
fn what_has_not_changed_is_known_and_what_has_is_not() {
    let fixture = Fixture::plain();
    let cache_file = fixture.beside("stat");
    fixture.write("a.py", "one").write("b.py", "two").write("script", "#!/bin/sh\n").write("bin.py", b"\0");
    let empty = StatCache::load(&cache_file);
    assert!(empty.is_empty());
    let (repo, config) = (fixture.repo(), Config::default());
    let first = scan(&repo, &config, &empty).expect("a scan");
    let (_, mut read) = read_all(&fixture, &first);

    // Just written: a later write in the same instant could not be told, so nothing is known.
    assert!(empty.save(&cache_file, &first, &read).expect("saved"));
    let racy = StatCache::load(&cache_file);
    assert_eq!(racy.len(), 4);
    let second = scan(&repo, &config, &racy).expect("a scan");
    assert!(second.files.iter().all(|f| f.known.is_none()));

    age(&mut read);
    assert!(racy.save(&cache_file, &second, &read).expect("saved"));
    let mode = std::fs::metadata(&cache_file).expect("the cache").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let cache = StatCache::load(&cache_file);
    let third = scan(&repo, &config, &cache).expect("a scan");
    assert_eq!(files(&third), ["a.py", "b.py", "script"]);
    assert_eq!(skipped(&third), rows(&[("bin.py", "binary")]));
    assert!(third.files.iter().all(|f| f.known.is_some()));
    assert_eq!(third.files[0].known.map(|k| k.hash), Some(portolan::scan::ContentHash::of(b"one")));
    assert!(!cache.save(&cache_file, &third, &[]).expect("nothing to save"));

    // Same size, same mtime: ctime tells. A new inode tells. A removed file goes from the cache.
    let old = std::fs::metadata(fixture.root.join("a.py")).expect("a.py").modified().expect("mtime");
    let file = std::fs::File::options().write(true).open(fixture.root.join("a.py")).expect("a.py");
    std::io::Write::write_all(&mut &file, b"eno").expect("written");
    file.set_modified(old).expect("mtime back");
    std::fs::remove_file(fixture.root.join("script")).expect("removed");
    let fourth = scan(&repo, &config, &cache).expect("a scan");
    assert_eq!(fourth.files.iter().map(|f| f.known.is_some()).collect::<Vec<_>>(), [false, true]);
    let (_, read) = read_all(&fixture, &fourth);
    assert!(cache.save(&cache_file, &fourth, &read).expect("saved"));
    let cache = StatCache::load(&cache_file);
    assert_eq!(cache.len(), 3);
    assert_eq!(cache.get("a.py").map(|r| r.hash), Some(portolan::scan::ContentHash::of(b"eno")));
    assert!(cache.get("script").is_none());
}

#[test]
fn a_file_from_the_future_is_always_read() {
    let fixture = Fixture::plain();
    let cache_file = fixture.beside("stat");
    fixture.write("a.py", "one");
    let file = std::fs::File::options().write(true).open(fixture.root.join("a.py")).expect("a.py");
    file.set_modified(SystemTime::now() + Duration::from_secs(3600)).expect("mtime");
    let first = scanned(&fixture);
    let (_, mut read) = read_all(&fixture, &first);
    age(&mut read);
    StatCache::default().save(&cache_file, &first, &read).expect("saved");
    let cache = StatCache::load(&cache_file);
    assert_eq!(cache.len(), 1);
    let second = scan(&fixture.repo(), &Config::default(), &cache).expect("a scan");
    assert!(second.files[0].known.is_none());
}

#[test]
fn a_damaged_cache_is_empty() {
    let fixture = Fixture::plain();
    let cache_file = fixture.beside("stat");
    fixture.write("a.py", "one").write("b.py", "two");
    let first = scanned(&fixture);
    let (_, read) = read_all(&fixture, &first);
    StatCache::default().save(&cache_file, &first, &read).expect("saved");
    let whole = std::fs::read(&cache_file).expect("the cache");
    assert_eq!(StatCache::load(&cache_file).len(), 2);
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        std::fs::write(&cache_file, &bytes).expect("damaged");
        assert_eq!(StatCache::load(&cache_file).len(), 0, "byte {at}");
        std::fs::write(&cache_file, &whole[..at]).expect("torn");
        assert_eq!(StatCache::load(&cache_file).len(), 0, "cut at {at}");
    }
    assert!(StatCache::load(Path::new("/nowhere")).is_empty());
}
