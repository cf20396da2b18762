//! `doctor`: what it finds and what it says to do.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use portolan::install::Scope;
use serde_json::Value as Json;

use super::home::{Home, Ran};

fn findings<'a>(told: &'a Json, about: &str) -> Vec<&'a Json> {
    told["findings"].as_array().unwrap().iter().filter(|f| f["about"] == about).collect()
}

fn finding<'a>(told: &'a Json, about: &str, says: &str) -> &'a Json {
    let found = findings(told, about).into_iter().find(|f| f["says"].as_str().unwrap().contains(says));
    found.unwrap_or_else(|| panic!("{about}: {says}: {told:#}"))
}

fn indexed() -> Home {
    let home = Home::new();
    fs::remove_dir(home.repo().join(".git")).unwrap();
    fs::write(home.repo().join("a.py"), "def f():\n    pass\n").unwrap();
    let ran = home.run(&["index"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    home
}

fn doctor(home: &Home) -> Ran {
    home.run(&["doctor", "--json"])
}

/// A program named portolan that does what the script says.
fn stand_in(home: &Home, script: &str) -> std::path::PathBuf {
    let file = home.path().join("bin/portolan");
    home.write(&file, format!("#!/bin/sh\n{script}\n").as_bytes());
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    file
}

/// Lets the installed entries call another program.
fn call(home: &Home, file: &Path, program: &Path) {
    let text = fs::read_to_string(file).unwrap();
    let own = super::home::program().display().to_string();
    assert!(text.contains(&own), "{text}");
    home.write(file, text.replace(&own, &program.display().to_string()).as_bytes());
}

#[test]
fn a_good_graph_is_healthy_and_its_locks_hold() {
    let home = indexed();
    let told = doctor(&home).json();
    assert_eq!(finding(&told, "graph", "up to date")["level"], "ok");
    assert_eq!(finding(&told, "locks", "both kinds of lock hold")["level"], "ok");
    assert_eq!(finding(&told, "gate", "nobody")["level"], "ok");
    assert_eq!(finding(&told, "index lock", "nobody")["level"], "ok");
    assert_eq!(finding(&told, "journal", "no events")["level"], "ok");
    assert_eq!(told["healthy"], true, "{told:#}");
}

#[test]
fn what_changed_since_is_said_with_the_command() {
    let home = indexed();
    fs::write(home.repo().join("b.py"), "x = 1\n").unwrap();
    let told = doctor(&home).json();
    assert_eq!(finding(&told, "graph", "1 files")["fix"], "portolan index");
}

#[test]
fn a_damaged_graph_is_an_error_with_the_command() {
    let home = indexed();
    fs::write(home.repo().join(".portolan/graph.kuzu"), vec![b'x'; 20_000]).unwrap();
    let ran = doctor(&home);
    assert_eq!(ran.code, 1, "{ran:?}");
    let told = ran.json();
    let graph = finding(&told, "graph", "damaged");
    assert_eq!((&graph["level"], &graph["fix"]), (&"error".into(), &"portolan index --rebuild".into()));
}

#[test]
fn waiting_events_are_counted() {
    let home = indexed();
    let journal = home.repo().join(".portolan/journal");
    fs::create_dir_all(&journal).unwrap();
    fs::write(journal.join("open"), "\n{\"a\":1}\n\n{\"a\":2}\n").unwrap();
    assert_eq!(finding(&doctor(&home).json(), "journal", "2 events")["level"], "ok");
}

#[test]
fn repair_forgets_crashes_and_removes_what_cut_off_writes_left() {
    let home = indexed();
    let marker = home.repo().join(".portolan/crashed");
    fs::write(&marker, "xxx").unwrap();
    let mut dead = std::process::Command::new("true").spawn().unwrap();
    dead.wait().unwrap();
    let draft = home.home().join(format!(".cursor/.portolan-new-{}_1_b_n_r-Xy", dead.id()));
    home.write(&draft, b"half");
    let told = doctor(&home).json();
    assert_eq!(finding(&told, "graph", "crashed 3 times")["level"], "error");
    assert_eq!(finding(&told, "portolan", "cut off")["fix"], "portolan doctor --repair");
    let told = home.run(&["doctor", "--repair", "--json"]).json();
    assert_eq!(told["repaired"].as_array().unwrap().len(), 2, "{told:#}");
    assert!(!marker.exists() && !draft.exists());
}

#[test]
fn agents_without_portolan_are_named() {
    let home = Home::new();
    fs::create_dir_all(home.home().join(".cursor")).unwrap();
    let told = doctor(&home).json();
    assert_eq!(finding(&told, "cursor", "without Portolan")["fix"], "portolan install --platform cursor");
}

#[test]
fn a_hook_that_answers_is_told_from_one_that_does_not() {
    for (script, level, says) in [
        ("cat >/dev/null", "ok", "answers"),
        ("cat >/dev/null; echo '{}'", "ok", "answers"),
        ("echo oh no", "error", "one JSON document"),
        ("echo broken >&2; exit 3", "error", "exit code 3"),
    ] {
        let home = Home::new();
        home.change("install", "codex", Scope::User);
        let program = stand_in(&home, script);
        call(&home, &home.home().join(".codex/hooks.json"), &program);
        let told = doctor(&home).json();
        assert_eq!(finding(&told, "codex", says)["level"], level, "{script}");
        // Its entries are those of another program.
        assert_eq!(finding(&told, "codex", "not those of this version")["fix"], "portolan install --platform codex");
    }
}

#[test]
fn a_program_that_is_gone_is_an_error() {
    let home = Home::new();
    home.change("install", "cursor", Scope::User);
    call(&home, &home.home().join(".cursor/mcp.json"), &home.path().join("gone/portolan"));
    let told = doctor(&home).json();
    assert_eq!(finding(&told, "cursor", "is not there")["level"], "error");
}

#[test]
fn codex_hooks_wait_for_trust_until_it_is_recorded() {
    let home = Home::new();
    home.change("install", "codex", Scope::User);
    let told = doctor(&home).json();
    assert!(finding(&told, "codex", "wait for your trust")["fix"].as_str().unwrap().contains("/hooks"));
    let hooks = home.home().join(".codex/hooks.json");
    let value: Json = serde_json::from_slice(&fs::read(&hooks).unwrap()).unwrap();
    let config = home.home().join(".codex/config.toml");
    let mut text = fs::read_to_string(&config).unwrap();
    for event in value["hooks"].as_object().unwrap().keys() {
        let event = portolan::install::kebab(event).replace('-', "_");
        text += &format!("\n[hooks.state.\"{}:{event}:0:0\"]\ntrusted_hash = \"x\"\n", hooks.display());
    }
    fs::write(&config, text).unwrap();
    let told = doctor(&home).json();
    assert!(findings(&told, "codex").iter().all(|f| !f["says"].as_str().unwrap().contains("trust")), "{told:#}");
}

#[test]
fn another_version_on_the_path_is_said() {
    let home = Home::new();
    let other = stand_in(&home, "echo portolan 0.0.1");
    let output = home.command().env("PATH", other.parent().unwrap()).args(["doctor", "--json"]).output().unwrap();
    let told: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(finding(&told, "portolan", "version 0.0.1")["level"], "warning");
}
