//! A power cut in the middle: the program is killed at each of its system calls in turn.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use portolan::install::Scope;

use super::home::{Home, Tree, program, same};

const SETTINGS: &[u8] = b"{\n  \"theme\": \"dark\",\n  \"hooks\": {}\n}\n";

fn prepared() -> Home {
    let home = Home::new();
    home.write(&home.home().join(".claude/settings.json"), SETTINGS);
    home.write(&home.home().join(".claude.json"), b"{\"projects\":{}}");
    home
}

/// The program under strace.
fn traced(home: &Home, what: &str, options: &[String]) -> std::process::Output {
    let mut command = Command::new("strace");
    command.args(options).arg(program()).args([what, "-y", "--platform", "claude-code"]);
    command.current_dir(home.repo()).env_clear().env("HOME", home.home()).env("PATH", "/usr/bin:/bin");
    command.output().unwrap()
}

/// How often each system call is made, once files are touched.
fn calls(home: &Home, what: &str) -> Option<Vec<(String, usize)>> {
    let log = home.path().join("log");
    let options = ["-o", log.to_str()?].map(str::to_owned);
    if Command::new("strace").arg("-V").output().is_err() || !traced(home, what, &options).status.success() {
        eprintln!("skipped: tracing is refused here, or strace is not installed (apt-get install strace)");
        return None;
    }
    let text = fs::read_to_string(&log).unwrap();
    fs::remove_file(&log).unwrap();
    let home = home.home().display().to_string();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = Vec::new();
    let mut begun = false;
    for line in text.lines() {
        let Some((name, _)) = line.split_once('(') else { continue };
        let count = counts.entry(name.to_owned()).or_default();
        *count += 1;
        begun |= line.contains(&home) && name != "execve";
        if begun && name != "exit_group" {
            found.push((name.to_owned(), *count));
        }
    }
    assert!(found.len() > 20, "{text}");
    Some(found)
}

/// The settings, without what a cut-off write left beside them.
fn settings(tree: &Tree) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = tree.iter().filter(|(path, _)| path.extension().is_some_and(|e| e == "json"));
    files.map(|(path, (_, bytes))| (path.clone(), bytes.clone())).collect()
}

/// Of a cut-off record, empty folders may be left; nobody's settings lie there.
fn relative(home: &Home, tree: &Tree) -> Tree {
    let (root, record) = (home.path(), home.home().join(".local"));
    let theirs = tree.iter().filter(|(path, _)| !path.starts_with(&record));
    theirs.map(|(path, entry)| (path.strip_prefix(&root).unwrap().to_owned(), entry.clone())).collect()
}

/// Kills `what` at each call; every file is the old or the new one, and trying again ends as if nothing had been.
fn killed_at_each_call(what: &str) {
    let start = || {
        let home = prepared();
        if what == "uninstall" {
            assert_eq!(home.change("install", "claude-code", Scope::User).code, 0);
        }
        home
    };
    let reference = start();
    let before = relative(&reference, &reference.tree());
    let Some(calls) = calls(&reference, what) else { return };
    let after = relative(&reference, &reference.tree());
    let mut cut = 0;
    for (name, n) in calls {
        let home = start();
        let options = ["-qq".to_owned(), "-o".into(), "/dev/null".into(), "-e".into()];
        let inject = format!("inject={name}:signal=KILL:when={n}");
        let output = traced(&home, what, &[&options[..], std::slice::from_ref(&inject)].concat());
        cut += usize::from(!output.status.success());
        for (path, bytes) in settings(&relative(&home, &home.tree())) {
            let whole = [&before, &after].iter().any(|tree| tree.get(&path).is_some_and(|(_, old)| *old == bytes));
            assert!(
                whole,
                "{inject}: {} is neither the old nor the new: {:?}",
                path.display(),
                String::from_utf8_lossy(&bytes)
            );
        }
        let ran = home.change(what, "claude-code", Scope::User);
        assert_eq!(ran.code, 0, "{inject}: {ran:?}");
        same(&after, &relative(&home, &home.tree()), &inject);
    }
    assert!(cut > 20, "only {cut} runs were cut off");
    // Whatever was cut off: the way back ends where it began.
    if what == "install" {
        let home = start();
        let rename = ["-qq", "-o", "/dev/null", "-e", "inject=rename:signal=KILL:when=2"].map(str::to_owned);
        traced(&home, what, &rename);
        assert_eq!(home.change("uninstall", "claude-code", Scope::User).code, 0);
        same(&before, &relative(&home, &home.tree()), "uninstall");
        assert!(!home.home().join(".local").exists());
    }
}

#[test]
fn installing_killed_at_each_system_call_leaves_the_old_or_the_new_file() {
    killed_at_each_call("install");
}

#[test]
fn leaving_killed_at_each_system_call_leaves_the_old_or_the_new_file() {
    killed_at_each_call("uninstall");
}
