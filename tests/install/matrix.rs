//! Every agent, in both scopes, over every kind of settings: put in, put in again, taken out.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use portolan::install::{Entry, Form, PLATFORMS, Part, Platform, Scope};
use serde_json::Value as Json;

use super::home::{Home, Tree, program, same};
use super::kinds::Kind;

/// Runs `check` for every agent and scope that has settings there.
fn each(check: impl Fn(&Home, &'static dyn Platform, Scope, Vec<Part>)) {
    for platform in PLATFORMS {
        for scope in [Scope::User, Scope::Project] {
            let home = Home::new();
            let parts = home.parts(*platform, scope);
            if !parts.is_empty() {
                check(&home, *platform, scope, parts);
            }
        }
    }
}

fn prepare(home: &Home, parts: &[Part], kind: Kind) {
    for (i, part) in parts.iter().enumerate() {
        if parts[..i].iter().any(|p| p.file == part.file) {
            continue;
        }
        // Two parts of one file: what both get stands in it.
        let mut all = part.clone();
        for other in parts[i + 1..].iter().filter(|p| p.file == part.file) {
            if let (Form::Json { entries, .. }, Form::Json { entries: more, .. }) = (&mut all.form, &other.form) {
                entries.extend(more.clone());
            }
        }
        if let Some(bytes) = kind.content(&all) {
            home.write(&part.file, &bytes);
        }
    }
}

/// All is there, in a file that the platform can parse.
fn is_in(parts: &[Part], what: &str) {
    for part in parts {
        let bytes = fs::read(&part.file).unwrap_or_else(|e| panic!("{what}: {}: {e}", part.file.display()));
        let text = String::from_utf8(bytes.clone()).unwrap();
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        match &part.form {
            Form::Json { strict: true, entries } => {
                let value: Json = serde_json::from_str(text).unwrap_or_else(|e| panic!("{what}: {e}: {text}"));
                entries.iter().for_each(|entry| holds(&value, entry, what));
            }
            Form::Json { strict: false, entries } => {
                let value = portolan_jsonc(text).unwrap_or_else(|e| panic!("{what}: {e}: {text}"));
                entries.iter().for_each(|entry| holds(&value, entry, what));
            }
            Form::Toml(_) => {
                drop(toml::from_str::<toml::Table>(text).unwrap_or_else(|e| panic!("{what}: {e}: {text}")))
            }
            Form::Own { text: own, executable } => {
                assert_eq!(text, own, "{what}");
                let mode = fs::metadata(&part.file).unwrap().permissions().mode();
                assert_eq!(mode & 0o100 != 0, *executable, "{what}");
            }
            Form::Block(block) => assert!(text.replace("\r\n", "\n").contains(block.trim_end()), "{what}: {text}"),
        }
        assert!(part.form.is_in(&bytes), "{what}: {}", part.file.display());
    }
}

/// As an editor's reader of JSON with comments sees it.
fn portolan_jsonc(text: &str) -> Result<Json, String> {
    let parsed =
        jsonc_parser::parse_to_ast(text, &Default::default(), &Default::default()).map_err(|e| e.to_string())?;
    parsed.value.map(Json::from).ok_or_else(|| "empty".to_owned())
}

fn holds(root: &Json, entry: &Entry, what: &str) {
    let at = |at: &[String]| at.iter().fold(root, |value, key| &value[key]);
    match entry {
        Entry::Property { at: place, key, value } => assert_eq!(&at(place)[key], value, "{what}"),
        Entry::Element { at: place, value } => {
            let same = at(place).as_array().unwrap_or_else(|| panic!("{what}: {root}")).iter().filter(|v| *v == value);
            assert_eq!(same.count(), 1, "{what}: {value} in {root}");
        }
        Entry::Default { key, .. } => assert!(!root[key].is_null(), "{what}"),
    }
}

/// All but the record of what was made.
fn settings(home: &Home, tree: &Tree) -> Tree {
    tree.clone().into_iter().filter(|(path, _)| !path.starts_with(home.home().join(".local"))).collect()
}

fn round_trip(kind: Kind) {
    each(|home, platform, scope, parts| {
        // A file of each form will do where size is the matter.
        if kind == Kind::Huge && !["claude-code", "codex", "zed"].contains(&platform.id()) {
            return;
        }
        let what = format!("{} {scope:?} {kind:?}", platform.id());
        prepare(home, &parts, kind);
        let before = home.tree();
        let ran = home.change("install", platform.id(), scope);
        assert_eq!(ran.code, 0, "{what}: {ran:?}");
        is_in(&parts, &what);
        let after = home.tree();
        let again = home.change("install", platform.id(), scope);
        assert!(again.code == 0 && again.out.contains("nothing to change"), "{what}: {again:?}");
        same(&after, &home.tree(), &what);
        let ran = home.change("uninstall", platform.id(), scope);
        assert_eq!(ran.code, 0, "{what}: {ran:?}");
        same(&before, &home.tree(), &what);
    });
}

#[test]
fn no_settings_at_all() {
    round_trip(Kind::Empty);
}

#[test]
fn blank_files() {
    round_trip(Kind::Blank);
}

#[test]
fn empty_objects_without_a_last_line_end() {
    round_trip(Kind::EmptyObject);
}

#[test]
fn settings_with_comments_where_the_agent_reads_them() {
    round_trip(Kind::Real);
}

#[test]
fn crlf() {
    round_trip(Kind::Crlf);
}

#[test]
fn a_byte_order_mark() {
    round_trip(Kind::Bom);
}

#[test]
fn minified() {
    round_trip(Kind::Minified);
}

#[test]
fn servers_and_hooks_of_others() {
    round_trip(Kind::Foreign);
}

#[test]
fn huge_files() {
    round_trip(Kind::Huge);
}

#[test]
fn other_peoples_hooks_stay_first_and_unchanged() {
    each(|home, platform, scope, parts| {
        prepare(home, &parts, Kind::Foreign);
        home.change("install", platform.id(), scope);
        for part in &parts {
            let Form::Json { entries, .. } = &part.form else { continue };
            let value: Json = serde_json::from_slice(&fs::read(&part.file).unwrap()).unwrap();
            for entry in entries {
                let Entry::Element { at, .. } = entry else { continue };
                let first = &at.iter().fold(&value, |value, key| &value[key])[0];
                assert_eq!(first["hooks"][0]["command"], "lint --all", "{}", platform.id());
            }
        }
    });
}

#[test]
fn an_older_version_is_brought_up_to_date_and_leaves_with_this_one() {
    for with_record in [true, false] {
        each(|home, platform, scope, parts| {
            let what = format!("{} {scope:?} record {with_record}", platform.id());
            prepare(home, &parts, Kind::Foreign);
            let before = home.tree();
            home.change("install", platform.id(), scope);
            let now = home.tree();
            for part in &parts {
                let text = fs::read_to_string(&part.file).unwrap();
                let own = program().display().to_string();
                let old = text.replace(&own, "/old/bin/portolan").replace("\"timeout\": 10", "\"timeout\": 1");
                fs::write(&part.file, old.replace("orient", "map")).unwrap();
            }
            if !with_record {
                fs::remove_dir_all(home.home().join(".local")).unwrap();
            }
            let ran = home.change("install", platform.id(), scope);
            assert_eq!(ran.code, 0, "{what}: {ran:?}");
            same(&settings(home, &now), &settings(home, &home.tree()), &what);
            home.change("uninstall", platform.id(), scope);
            if with_record {
                same(&before, &home.tree(), &what);
            } else {
                // Nobody knows any more which files were made, and where a last line's end was missing.
                let files = |tree: &Tree| -> Tree {
                    let there = tree.iter().filter(|(path, _)| path.is_file() && before.contains_key(*path));
                    there
                        .map(|(path, (mode, bytes))| (path.clone(), (*mode, bytes.trim_ascii_end().to_vec())))
                        .collect()
                };
                same(&files(&before), &files(&home.tree()), &what);
            }
        });
    }
}

#[test]
fn what_does_not_parse_is_left_alone() {
    each(|home, platform, scope, parts| {
        let what = format!("{} {scope:?}", platform.id());
        let broken: Vec<&Part> = parts.iter().filter(|p| matches!(p.form, Form::Json { .. } | Form::Toml(_))).collect();
        for part in &broken {
            home.write(&part.file, b"{ \"mcpServers\": { \"x\": \n");
        }
        let before = home.tree();
        let ran = home.change("install", platform.id(), scope);
        assert_eq!(ran.code, i32::from(!broken.is_empty()), "{what}: {ran:?}");
        for part in &broken {
            let file = part.file.display().to_string();
            assert!(
                ran.out.contains(&format!("leave {file}")) && ran.out.contains("does not parse"),
                "{what}: {ran:?}"
            );
            assert_eq!(fs::read(&part.file).unwrap(), b"{ \"mcpServers\": { \"x\": \n", "{what}");
        }
        let ran = home.change("uninstall", platform.id(), scope);
        assert_eq!(ran.code, 0, "{what}: {ran:?}");
        same(&before, &home.tree(), &what);
    });
}

#[test]
fn comments_in_plain_json_are_said_and_left_alone() {
    each(|home, platform, scope, parts| {
        let strict: Vec<&Part> = parts.iter().filter(|p| matches!(p.form, Form::Json { strict: true, .. })).collect();
        for part in &strict {
            home.write(&part.file, b"{\n  // mine\n  \"a\": 1\n}\n");
        }
        let ran = home.change("install", platform.id(), scope);
        for part in &strict {
            assert!(ran.code == 1 && ran.out.contains("plain JSON"), "{}: {ran:?}", platform.id());
            assert_eq!(fs::read(&part.file).unwrap(), b"{\n  // mine\n  \"a\": 1\n}\n");
        }
    });
}

#[test]
fn read_only_files_are_left_alone() {
    each(|home, platform, scope, parts| {
        let what = format!("{} {scope:?}", platform.id());
        prepare(home, &parts, Kind::Foreign);
        let there: Vec<&Part> = parts.iter().filter(|p| p.file.exists()).collect();
        for part in &there {
            fs::set_permissions(&part.file, fs::Permissions::from_mode(0o444)).unwrap();
        }
        let before = home.tree();
        let ran = home.change("install", platform.id(), scope);
        assert_eq!(ran.code, i32::from(!there.is_empty()), "{what}: {ran:?}");
        assert!(there.is_empty() || ran.out.contains("read-only"), "{what}: {ran:?}");
        for part in &there {
            assert_eq!(fs::read(&part.file).unwrap(), before[&part.file].1, "{what}");
        }
        home.change("uninstall", platform.id(), scope);
        same(&before, &home.tree(), &what);
    });
}

#[test]
fn links_stay_links_and_their_targets_are_edited() {
    each(|home, platform, scope, parts| {
        let what = format!("{} {scope:?}", platform.id());
        prepare(home, &parts, Kind::Real);
        let store = home.path().join("dotfiles");
        fs::create_dir(&store).unwrap();
        let mut links: Vec<&Path> = Vec::new();
        for part in parts.iter().filter(|p| p.file.exists()) {
            if links.contains(&part.file.as_path()) {
                continue;
            }
            let target = store.join(format!("{}.settings", links.len()));
            fs::rename(&part.file, &target).unwrap();
            fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
            symlink(&target, &part.file).unwrap();
            links.push(&part.file);
        }
        let before = home.tree();
        let ran = home.change("install", platform.id(), scope);
        assert_eq!(ran.code, 0, "{what}: {ran:?}");
        is_in(&parts, &what);
        for link in &links {
            assert!(fs::symlink_metadata(link).unwrap().is_symlink(), "{what}");
            assert_eq!(fs::metadata(link).unwrap().permissions().mode() & 0o777, 0o640, "{what}");
        }
        home.change("uninstall", platform.id(), scope);
        same(&before, &home.tree(), &what);
    });
}

#[test]
fn all_agents_at_once_share_what_they_share() {
    for scope in ["--user", "--project"] {
        let home = Home::new();
        let before = home.tree();
        let all: Vec<&str> = PLATFORMS.iter().map(|p| p.id()).collect();
        let all = all.join(",");
        let ran = home.run(&["install", "-y", scope, "--platform", &all]);
        assert_eq!(ran.code, 0, "{ran:?}");
        let after = home.tree();
        // One agent leaves: what it shared stays for the others, and coming back gives the same again.
        for platform in PLATFORMS {
            home.run(&["uninstall", "-y", scope, "--platform", platform.id()]);
            home.run(&["install", "-y", scope, "--platform", platform.id()]);
            same(&settings(&home, &after), &settings(&home, &home.tree()), platform.id());
        }
        let ran = home.run(&["uninstall", "-y", scope]);
        assert_eq!(ran.code, 0, "{ran:?}");
        same(&before, &home.tree(), scope);
    }
}
