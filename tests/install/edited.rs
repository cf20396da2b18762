//! People edit round our entries between installing and leaving.

use std::fs;

use portolan::install::{Form, PLATFORMS, Scope};
use serde_json::{Value as Json, json};

use super::home::{Home, same};
use super::kinds::foreign;

#[test]
fn edits_of_people_stay_and_nothing_else_does() {
    for platform in PLATFORMS {
        for scope in [Scope::User, Scope::Project] {
            let home = Home::new();
            let parts = home.parts(*platform, scope);
            let what = format!("{} {scope:?}", platform.id());
            home.change("install", platform.id(), scope);
            let mut edited = Vec::new();
            for part in &parts {
                let Form::Json { entries, .. } = &part.form else { continue };
                // Settings before and after ours, and servers and hooks beside ours.
                let mut value: Json = serde_json::from_slice(&fs::read(&part.file).unwrap()).unwrap();
                beside(&mut value, &foreign(entries));
                let text = serde_json::to_string_pretty(&value).unwrap();
                let first = if edited.contains(&part.file) { "{" } else { "{\n  \"first\": 1," };
                fs::write(&part.file, text.replacen('{', first, 1)).unwrap();
                edited.push(part.file.clone());
            }
            let ran = home.change("uninstall", platform.id(), scope);
            assert_eq!(ran.code, 0, "{what}: {ran:?}");
            for file in &edited {
                let text = fs::read_to_string(file).unwrap();
                let value: Json = serde_json::from_str(&text).unwrap();
                assert!(!text.contains("portolan"), "{what}: {text}");
                assert_eq!((&value["first"], &value["theme"]), (&json!(1), &json!("dark")), "{what}: {text}");
            }
            for part in &parts {
                if let Form::Json { entries, .. } = &part.form {
                    let value: Json = serde_json::from_slice(&fs::read(&part.file).unwrap()).unwrap();
                    holds_all(&value, &foreign(entries), &what);
                } else {
                    assert!(!part.file.exists(), "{what}: {}", part.file.display());
                }
            }
        }
    }
}

/// Adds what `theirs` has: names that are missing, elements behind ours.
fn beside(value: &mut Json, theirs: &Json) {
    match (value, theirs) {
        (Json::Object(object), Json::Object(theirs)) => {
            for (key, their) in theirs {
                match object.get_mut(key) {
                    Some(ours) => beside(ours, their),
                    None => drop(object.insert(key.clone(), their.clone())),
                }
            }
        }
        (Json::Array(array), Json::Array(theirs)) => array.extend(theirs.clone()),
        _ => {}
    }
}

fn holds_all(value: &Json, theirs: &Json, what: &str) {
    match (value, theirs) {
        (Json::Object(object), Json::Object(theirs)) => {
            theirs.iter().for_each(|(key, their)| holds_all(&object[key], their, what));
        }
        (value, theirs) => assert_eq!(value, theirs, "{what}"),
    }
}

#[test]
fn text_behind_a_block_and_tables_behind_ours_stay() {
    let home = Home::new();
    let (rules, config) = (home.repo().join("AGENTS.md"), home.home().join(".codex/config.toml"));
    home.write(&rules, b"# Rules");
    home.write(&config, b"model = \"x\"");
    home.change("install", "zed", Scope::Project);
    home.change("install", "codex", Scope::User);
    for (file, more) in [(&rules, "\nMore.\n"), (&config, "\n[tui]\ntheme = \"dark\"\n")] {
        let text = fs::read_to_string(file).unwrap();
        assert!(text.contains("portolan"), "{text}");
        fs::write(file, text + more).unwrap();
    }
    home.change("uninstall", "zed", Scope::Project);
    home.change("uninstall", "codex", Scope::User);
    assert_eq!(fs::read_to_string(&rules).unwrap(), "# Rules\n\nMore.\n");
    assert_eq!(fs::read_to_string(&config).unwrap(), "model = \"x\"\n\n[tui]\ntheme = \"dark\"\n");
}

#[test]
fn a_file_that_was_removed_in_between_is_no_trouble() {
    let home = Home::new();
    let before = home.tree();
    home.change("install", "cursor", Scope::User);
    fs::remove_file(home.home().join(".cursor/hooks.json")).unwrap();
    let ran = home.change("uninstall", "cursor", Scope::User);
    assert_eq!(ran.code, 0, "{ran:?}");
    same(&before, &home.tree(), "cursor");
}

#[test]
fn a_file_of_somebody_else_under_our_name_is_left_alone() {
    let home = Home::new();
    let hook = home.home().join(".cline/hooks/PreToolUse");
    home.write(&hook, b"#!/bin/sh\nexec mine\n");
    let before = home.tree();
    let ran = home.change("install", "cline", Scope::User);
    assert!(ran.code == 1 && ran.out.contains("not Portolan's"), "{ran:?}");
    assert_eq!(fs::read(&hook).unwrap(), b"#!/bin/sh\nexec mine\n");
    home.change("uninstall", "cline", Scope::User);
    same(&before, &home.tree(), "cline");
}
