//! Which entries of a settings file are Portolan's own: those whose command runs a program named `portolan` with the
//! subcommand `hook` or `mcp`. Not by place or by equal text, since people edit what stands there.

use serde_json::Value as Json;

/// The name of the program and of its entries.
pub const PROGRAM: &str = "portolan";

/// The keys whose value is a command line, or the start of one that `args` continues.
const COMMAND_KEYS: [&str; 8] = ["command", "cmd", "bash", "powershell", "exec", "commandWindows", "linux", "osx"];

/// A command that an entry runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Portolan's, with the words after the program's name.
    Ours {
        /// The program as it is written.
        program: String,
        /// What it is called with: `hook --host codex stop`.
        words: Vec<String>,
    },
    /// Somebody else's.
    Foreign,
}

/// The commands in a value, however deep.
pub fn commands(value: &Json) -> Vec<Command> {
    let mut found = Vec::new();
    collect(value, &mut found);
    found
}

/// The words of the first command in `value` that is ours.
pub fn words(value: &Json) -> Option<Vec<String>> {
    commands(value).into_iter().find_map(|command| match command {
        Command::Ours { words, .. } => Some(words),
        Command::Foreign => None,
    })
}

/// Whether `value` runs something, and all that it runs is ours.
pub fn wholly(value: &Json) -> bool {
    let found = commands(value);
    !found.is_empty() && !found.contains(&Command::Foreign)
}

/// Whether `value` runs something of somebody else's.
pub fn has_foreign(value: &Json) -> bool {
    commands(value).contains(&Command::Foreign)
}

/// What a hook's entry stands for: its event, the last word of the command line.
pub fn event(value: &Json) -> Option<String> {
    words(value)?.pop()
}

fn collect(value: &Json, found: &mut Vec<Command>) {
    match value {
        Json::Object(object) => {
            let args = object.get("args").and_then(Json::as_array);
            let args: Vec<&str> = args.into_iter().flatten().filter_map(Json::as_str).collect();
            for (key, value) in object {
                match value {
                    Json::String(line) if COMMAND_KEYS.contains(&key.as_str()) => found.push(of_line(line, &args)),
                    Json::Array(words)
                        if key == "command" && !words.is_empty() && words.iter().all(Json::is_string) =>
                    {
                        let words: Vec<&str> = words.iter().filter_map(Json::as_str).collect();
                        found.push(of_words(&words));
                    }
                    _ => collect(value, found),
                }
            }
        }
        Json::Array(values) => values.iter().for_each(|value| collect(value, found)),
        _ => {}
    }
}

/// A command line of a shell, or with `args` a program.
pub fn of_line(line: &str, args: &[&str]) -> Command {
    if !args.is_empty() {
        return of_words(&[&[line], args].concat());
    }
    match shlex::split(line) {
        Some(words) => of_words(&words.iter().map(String::as_str).collect::<Vec<_>>()),
        None => Command::Foreign,
    }
}

fn of_words(words: &[&str]) -> Command {
    let Some((program, rest)) = words.split_first() else { return Command::Foreign };
    // `portolan hook ... || true`
    let end = rest.iter().position(|word| matches!(*word, "||" | "&&" | "|" | ";" | "&")).unwrap_or(rest.len());
    let rest = &rest[..end];
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.strip_suffix(".exe").unwrap_or(name);
    // Options may stand before the subcommand: `portolan -C /src mcp`.
    if name == PROGRAM && rest.iter().any(|word| matches!(*word, "hook" | "mcp")) {
        let words = rest.iter().map(|&word| word.to_owned()).collect();
        Command::Ours { program: (*program).to_owned(), words }
    } else {
        Command::Foreign
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_command_is_ours_by_program_and_subcommand() {
        for value in [
            json!({"command": "/opt/my tools/portolan", "args": ["hook", "--host", "claude-code", "stop"]}),
            json!({"command": "'/opt/my tools/portolan' hook --host codex stop"}),
            json!({"bash": "portolan hook stop || true", "timeoutSec": 3}),
            json!({"command": ["C:\\bin\\portolan.exe", "mcp"]}),
            json!({"action": {"type": "command", "command": "portolan hook --host kiro stop"}}),
            json!({"command": "portolan", "args": ["-C", "/src", "mcp"]}),
        ] {
            assert!(wholly(&value), "{value}");
        }
        for value in [
            json!({"command": "portolan-lint hook"}),
            json!({"command": "portolan map x"}),
            json!({"command": "echo portolan hook"}),
            json!({"name": "portolan"}),
        ] {
            assert!(!wholly(&value), "{value}");
        }
    }

    #[test]
    fn a_group_with_another_command_is_not_wholly_ours() {
        let group = json!({"matcher": "Edit", "hooks": [{"command": "lint"}, {"command": "portolan hook x"}]});
        assert!(!wholly(&group) && has_foreign(&group));
        assert_eq!(event(&group).as_deref(), Some("x"));
    }
}
