//! The real agents read what was written for them. PORTOLAN_AGENTS names a folder with their packages (`npm install`).

use std::path::PathBuf;
use std::time::Duration;

use assert_cmd::Command;
use portolan::install::{Form, Scope, by_id};

use super::home::Home;
use super::kinds::Kind;

/// Their names here, and their programs.
const CLIENTS: [(&str, &str); 6] = [
    ("claude-code", "claude"),
    ("codex", "codex"),
    ("gemini-cli", "gemini"),
    ("qwen-code", "qwen"),
    ("copilot-cli", "copilot"),
    ("opencode", "opencode"),
];

#[test]
fn real_agents_list_the_server() {
    let Some(folder) = std::env::var_os("PORTOLAN_AGENTS").map(PathBuf::from) else {
        eprintln!("skipped: PORTOLAN_AGENTS names no folder with the agents' packages");
        return;
    };
    for (id, program) in CLIENTS {
        let program = folder.join("node_modules/.bin").join(program);
        if !program.exists() {
            eprintln!("skipped: {} is not there", program.display());
            continue;
        }
        for kind in [Kind::Empty, Kind::Crlf] {
            let home = Home::new();
            for part in home.parts(by_id(id).unwrap(), Scope::User) {
                // Its own settings hold nothing that it does not know.
                if let (Kind::Crlf, Form::Json { strict: false, .. }) = (kind, &part.form) {
                    home.write(&part.file, b"{\r\n  // mine\r\n}\r\n");
                }
            }
            assert_eq!(home.change("install", id, Scope::User).code, 0);
            let output = Command::new(&program)
                .current_dir(home.repo())
                .env_clear()
                .env("HOME", home.home())
                .env("PATH", std::env::var_os("PATH").unwrap())
                .args(["mcp", "list"])
                .timeout(Duration::from_secs(180))
                .output()
                .unwrap();
            if output.status.code().is_none() {
                eprintln!("skipped: {id} was killed (time, or memory), which says nothing of its settings");
                continue;
            }
            let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
            assert!(text.contains("portolan"), "{id} {kind:?}: {text}");
        }
    }
}
