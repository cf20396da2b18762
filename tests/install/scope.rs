//! What is written where, for whom, and what is asked before.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use portolan::hooks::OPENCODE_PLUGIN;
use portolan::install::{Form, PLATFORMS, Role, Scope, by_id, ours};
use serde_json::Value as Json;

use super::home::{Home, program, same};

#[test]
fn files_of_a_repository_name_no_place_of_this_machine() {
    for platform in PLATFORMS {
        let home = Home::new();
        home.change("install", platform.id(), Scope::Project);
        for part in home.parts(*platform, Scope::Project) {
            let text = fs::read_to_string(&part.file).unwrap();
            let path = home.path().display().to_string();
            assert!(!text.contains(&path) && !text.contains(&program().display().to_string()), "{text}");
            for command in part.form.commands(text.as_bytes()) {
                let ours::Command::Ours { program, .. } = command else { panic!("{text}") };
                assert_eq!(program, "portolan", "{text}");
            }
        }
    }
}

#[test]
fn hook_command_lines_are_those_that_were_fixed() {
    let home = Home::new();
    let hosts = [
        "claude-code",
        "codex",
        "gemini-cli",
        "qwen-code",
        "copilot-cli",
        "cursor",
        "vscode",
        "opencode",
        "antigravity",
        "windsurf",
        "cline",
        "continue-cli",
        "codebuddy",
        "goose",
        "droid",
        "kimi",
        "kiro",
    ];
    let mut seen = Vec::new();
    for platform in PLATFORMS {
        for scope in [Scope::User, Scope::Project] {
            for part in home.parts(*platform, scope).iter().filter(|p| p.role == Role::Hooks) {
                let bytes = part.form.install(None, &mut Default::default()).unwrap();
                for command in part.form.commands(&bytes) {
                    let ours::Command::Ours { words, .. } = command else { panic!("{}", platform.id()) };
                    let [hook, flag, host, event] = words.as_slice() else { panic!("{words:?}") };
                    assert_eq!((hook.as_str(), flag.as_str()), ("hook", "--host"), "{words:?}");
                    assert!(hosts.contains(&host.as_str()), "{words:?}");
                    assert!(event.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{words:?}");
                    seen.push(format!("{host} {event}"));
                }
            }
        }
    }
    for line in ["claude-code pre-tool-use", "codex user-prompt-submit", "gemini-cli before-tool", "cursor stop"] {
        assert!(seen.iter().any(|s| s == line), "{line}");
    }
}

#[test]
fn cursor_gets_no_double_slash_and_a_path_with_spaces_is_quoted() {
    let home = Home::new();
    let folder = home.path().join("my tools");
    fs::create_dir(&folder).unwrap();
    let copy = folder.join("portolan");
    fs::copy(program(), &copy).unwrap();
    let doubled = format!("{}//portolan", folder.display());
    let status =
        home.command().env("PATH", format!("{}/:/usr/bin", folder.display())).args(["install"]).output().unwrap();
    assert_eq!(status.status.code(), Some(2), "no agent is here");
    let output = assert_cmd::Command::new(&doubled)
        .env_clear()
        .env("HOME", home.home())
        .env("PATH", format!("{}/", folder.display()))
        .args(["install", "-y", "--platform", "cursor,claude-code"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = fs::read_to_string(home.home().join(".cursor/hooks.json")).unwrap();
    assert!(!text.contains("//"), "{text}");
    let value: Json = serde_json::from_str(&text).unwrap();
    let line = value["hooks"]["stop"][0]["command"].as_str().unwrap();
    assert_eq!(shlex::split(line).unwrap()[0], copy.display().to_string(), "{line}");
    let claude = fs::read_to_string(home.home().join(".claude/settings.json")).unwrap();
    let claude: Json = serde_json::from_str(&claude).unwrap();
    let line = claude["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
    assert_eq!(shlex::split(line).unwrap()[0], copy.display().to_string(), "{line}");
}

#[test]
fn nothing_is_written_unasked() {
    let home = Home::new();
    let before = home.tree();
    let ran = home.run(&["install", "--platform", "claude-code"]);
    assert!(ran.code == 2 && ran.err.contains("-y"), "{ran:?}");
    let dry = home.run(&["install", "--platform", "claude-code", "--dry-run"]);
    assert!(dry.code == 0 && dry.out.contains("+      \"command\": ") && dry.out.contains("--- /dev/null"), "{dry:?}");
    same(&before, &home.tree(), "install");
    home.change("install", "claude-code", Scope::User);
    let after = home.tree();
    let ran = home.run(&["uninstall"]);
    assert!(ran.code == 2 && ran.err.contains("-y"), "{ran:?}");
    assert_eq!(home.run(&["uninstall", "--dry-run"]).code, 0);
    same(&after, &home.tree(), "uninstall");
}

#[test]
fn the_dry_run_shows_exactly_what_is_written() {
    let home = Home::new();
    let file = home.home().join(".gemini/settings.json");
    home.write(&file, b"{\n  // mine\n  \"ui\": {}\n}\n");
    let told = home.run(&["install", "--dry-run", "--json", "--platform", "gemini-cli"]).json();
    let diff = told["changes"][0]["diff"].as_str().unwrap();
    home.change("install", "gemini-cli", Scope::User);
    // The added lines of the diff, and the kept ones, are the file.
    let new: String = diff
        .lines()
        .skip(2)
        .filter(|line| line.starts_with(['+', ' ']))
        .map(|line| format!("{}\n", &line[1..]))
        .collect();
    assert_eq!(new, fs::read_to_string(&file).unwrap());
    assert_eq!(told["dry_run"], true);
    assert_eq!(told["changes"][0]["action"], "change");
}

#[test]
fn agents_are_found_by_their_folders_and_programs() {
    let home = Home::new();
    fs::create_dir_all(home.home().join(".codex")).unwrap();
    let bin = home.path().join("bin");
    fs::create_dir(&bin).unwrap();
    fs::write(bin.join("goose"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(bin.join("goose"), fs::Permissions::from_mode(0o755)).unwrap();
    let output = home.command().env("PATH", &bin).args(["install", "-y", "--json"]).output().unwrap();
    let told: Json = serde_json::from_slice(&output.stdout).unwrap();
    let whose: Vec<&str> = told["changes"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|c| c["for"].as_array().unwrap())
        .map(|o| o["platform"].as_str().unwrap())
        .collect();
    assert!(whose.contains(&"codex") && whose.contains(&"goose"), "{told}");
    assert!(whose.iter().all(|id| ["codex", "goose"].contains(id)), "{told}");
    let notes = told["notes"].to_string();
    assert!(notes.contains("/hooks"), "{notes}");
}

#[test]
fn hooks_and_rules_can_be_left_out() {
    for (flag, role) in [("--no-hooks", Role::Hooks), ("--no-rules", Role::Rules)] {
        let home = Home::new();
        let all: Vec<&str> = PLATFORMS.iter().map(|p| p.id()).collect();
        home.run(&["install", "-y", flag, "--platform", &all.join(",")]);
        for part in PLATFORMS.iter().flat_map(|p| home.parts(*p, Scope::User)) {
            let there = fs::read(&part.file).is_ok_and(|bytes| part.form.is_in(&bytes));
            assert_eq!(there, part.role != role, "{flag} {}", part.file.display());
        }
    }
}

#[test]
fn a_rules_file_never_hides_what_people_wrote() {
    let home = Home::new();
    home.write(&home.repo().join("CLAUDE.md"), b"# Ours\n");
    home.change("install", "zed", Scope::Project);
    assert!(!home.repo().join("AGENTS.md").exists());
    assert!(fs::read_to_string(home.repo().join("CLAUDE.md")).unwrap().contains("impact"));
    // A file that comes first by now does not keep ours from being found.
    home.write(&home.repo().join(".rules"), b"first\n");
    home.change("uninstall", "zed", Scope::Project);
    assert_eq!(fs::read(home.repo().join("CLAUDE.md")).unwrap(), b"# Ours\n");
}

#[test]
fn codex_groups_go_behind_those_that_are_there() {
    let home = Home::new();
    let parts = home.parts(portolan::install::by_id("codex").unwrap(), Scope::User);
    let hooks = parts.iter().find(|p| p.role == Role::Hooks).unwrap();
    let Form::Json { entries, .. } = &hooks.form else { panic!() };
    home.write(&hooks.file, super::kinds::foreign(entries).to_string().as_bytes());
    home.change("install", "codex", Scope::User);
    let value: Json = serde_json::from_slice(&fs::read(&hooks.file).unwrap()).unwrap();
    for (event, groups) in value["hooks"].as_object().unwrap() {
        assert!(ours::has_foreign(&groups[0]) && ours::wholly(&groups[1]), "{event}: {groups}");
    }
    assert_eq!(value.as_object().unwrap().keys().filter(|k| *k != "hooks" && *k != "theme").count(), 0);
}

#[test]
fn purge_says_what_agents_left_and_takes_the_graph_away() {
    let home = Home::new();
    fs::write(home.repo().join("a.py"), "def f():\n    pass\n").unwrap();
    fs::remove_dir(home.repo().join(".git")).unwrap();
    assert_eq!(home.run(&["index"]).code, 0);
    let memory = "{\"table\":\"Session\",\"id\":\"s\",\"host\":\"codex\",\"started\":1,\"last_at\":1,\"ended\":0}\n\
                  {\"table\":\"Lesson\",\"id\":\"l\",\"text\":\"t\",\"at\":1,\"confirmed\":0,\"target\":\"\"}\n";
    let folder = home.repo().join(".portolan");
    fs::write(folder.join("memory.jsonl"), memory).unwrap();
    fs::remove_file(folder.join("graph.kuzu")).unwrap();
    let dry = home.run(&["uninstall", "--purge", "--dry-run"]);
    assert!(dry.out.contains("1 session, 1 lesson") && folder.exists(), "{dry:?}");
    let ran = home.run(&["uninstall", "--purge", "-y"]);
    assert!(ran.code == 0 && ran.out.contains("1 lesson") && !folder.exists(), "{ran:?}");
    let ran = home.run(&["uninstall", "--purge", "-y"]);
    assert!(ran.code == 0 && ran.out.contains("no graph"), "{ran:?}");
}

#[test]
fn the_plugin_that_is_written_is_the_one_that_the_hooks_read() {
    let home = Home::new();
    let parts = home.parts(by_id("opencode").unwrap(), Scope::User);
    let Form::Own { text, .. } = &parts.iter().find(|p| p.role == Role::Hooks).unwrap().form else { panic!() };
    let (before, after) = OPENCODE_PLUGIN.split_once("@PORTOLAN@").unwrap();
    assert!(text.starts_with(before));
    assert!(text.ends_with(after.split_once("@HOST@").unwrap().1));
    assert!(text.contains("const HOST = \"opencode\"\n") && !text.contains("@PORTOLAN@"), "{text}");
}

#[test]
fn claude_code_tells_of_refused_edits_and_of_sub_agents_that_begin() {
    let home = Home::new();
    let parts = home.parts(by_id("claude-code").unwrap(), Scope::User);
    let hooks = &parts.iter().find(|p| p.role == Role::Hooks).unwrap().form;
    let settings: Json = serde_json::from_slice(&hooks.install(None, &mut Default::default()).unwrap()).unwrap();
    for event in ["PostToolBatch", "SubagentStart", "SubagentStop"] {
        assert_eq!(settings["hooks"][event].as_array().map(Vec::len), Some(1), "{event}: {settings}");
    }
}
