//! What a tool call does: its kind, its files, its outcome.

use std::path::PathBuf;

use serde_json::Value;

use super::event::{ToolKind, ToolUse};
use super::patch;
use super::path::Base;
use super::payload::{field, text};

/// A tool call as a host tells it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'v> {
    /// The tool's name.
    pub(super) name: &'v str,
    /// Its arguments: an object, an object as a string, or an envelope as a string.
    pub(super) input: &'v Value,
    /// What came back; null before the call.
    pub(super) response: &'v Value,
}

/// File tools of all hosts, lower case. A name means the same wherever it occurs, and a host that runs another
/// host's hook file may use either's names.
const READS: &[&str] = &[
    "fs_read",
    "notebookread",
    "read",
    "read_file",
    "read_many_files",
    "readfile",
    "view",
    "view_code_item",
    "view_file",
    "view_image",
];
const EDITS: &[&str] = &[
    "apply_patch",
    "applypatch",
    "create",
    "create_file",
    "delete",
    "delete_file",
    "edit",
    "edit_file",
    "edit_notebook_file",
    "editor",
    "fs_write",
    "insert",
    "insert_edit_into_file",
    "multi_edit",
    "multi_replace_file_content",
    "multi_replace_string_in_file",
    "multiedit",
    "notebook_edit",
    "notebookedit",
    "replace",
    "replace_file_content",
    "replace_in_file",
    "replace_string_in_file",
    "str_replace",
    "str_replace_based_edit_tool",
    "str_replace_editor",
    "strreplacefile",
    "text_editor",
    "write",
    "write_file",
    "write_to_file",
    "writefile",
];
const SHELLS: &[&str] = &[
    "bash",
    "exec",
    "exec_command",
    "execute",
    "execute_bash",
    "execute_command",
    "local_shell",
    "powershell",
    "run_command",
    "run_commands",
    "run_in_terminal",
    "run_shell_command",
    "run_terminal_cmd",
    "shell",
    "shell_command",
    "terminal",
];
const SEARCHES: &[&str] = &[
    "codebase_search",
    "file_search",
    "find",
    "glob",
    "grep",
    "grep_search",
    "list",
    "list_dir",
    "list_directory",
    "list_files",
    "ls",
    "search",
    "search_file_content",
    "search_files",
    "semantic_search",
    "textsearch",
];

/// Arguments that name a file.
const PATHS: &[&str] = &[
    "file_path",
    "filePath",
    "filepath",
    "notebook_path",
    "path",
    "TargetFile",
    "AbsolutePath",
    "absolute_path",
    "target_file",
    "file",
    "filename",
];

/// Arguments that hold a list of files, or of objects that name one.
const LISTS: &[&str] = &["replacements", "edits", "operations", "files", "paths", "include"];

/// Arguments that hold a command.
const COMMANDS: &[&str] = &["command", "CommandLine", "command_line", "cmd", "commands", "script"];

/// Arguments that hold an envelope.
const ENVELOPES: &[&str] = &["input", "patchText", "command", "patch", "diff"];

/// Directories of a shell call.
const DIRECTORIES: &[&str] = &["working_directory", "workdir", "dir_path", "directory", "cwd", "Cwd"];

/// What `call` does; relative paths stand on `base`.
pub(super) fn tool_use(call: &Call<'_>, base: &Base) -> ToolUse {
    let parsed;
    let input = match call.input {
        Value::String(json) if json.trim_start().starts_with('{') => {
            parsed = serde_json::from_str(json).unwrap_or_else(|_| call.input.clone());
            &parsed
        }
        input => input,
    };
    let mut tool = ToolUse { kind: kind(call.name, input), name: call.name.to_owned(), ..ToolUse::default() };
    match tool.kind {
        ToolKind::Read | ToolKind::Edit => tool.paths = paths(input, base),
        ToolKind::Shell => {
            let base = text(input, DIRECTORIES).map_or_else(|| base.clone(), |directory| base.within(directory));
            tool.command = command(input);
            tool.exit_ok = exit_ok(call.response);
            if let Some(command) = &tool.command {
                tool.paths = match patch::is_envelope(command) {
                    true => patch::files(command).filter_map(|path| base.absolute(path)).collect(),
                    false => patch::files_of_command(command, &base),
                };
                if !tool.paths.is_empty() {
                    tool.kind = ToolKind::Edit;
                }
            }
        }
        ToolKind::Search | ToolKind::Other => {}
    }
    each_once(&mut tool.paths);
    tool
}

/// Whether the host says that the call failed. A command that exits with another code than 0 has not failed as a
/// call: some hosts call it so, others do not.
pub(super) fn failed(response: &Value) -> bool {
    let word = text(response, &["resultType", "result_type"]);
    field(response, &["error"]).is_some_and(|error| error.as_str() != Some(""))
        || field(response, &["isError", "is_error"]).and_then(Value::as_bool) == Some(true)
        || field(response, &["success", "ok"]).and_then(Value::as_bool) == Some(false)
        || word.is_some_and(|word| word != "success")
        || response.as_str().is_some_and(refused)
}

/// Claude's mark of a call that was refused before it ran.
fn refused(response: &str) -> bool {
    response.trim_start().starts_with("<tool_use_error>")
}

fn kind(name: &str, input: &Value) -> ToolKind {
    let lower = name.to_ascii_lowercase();
    let name = lower.strip_prefix("developer__").unwrap_or(&lower);
    // Editors with sub-commands, one of which only shows.
    if matches!(name, "str_replace_editor" | "str_replace_based_edit_tool" | "text_editor")
        && text(input, &["command"]) == Some("view")
    {
        return ToolKind::Read;
    }
    let lists =
        [(READS, ToolKind::Read), (EDITS, ToolKind::Edit), (SHELLS, ToolKind::Shell), (SEARCHES, ToolKind::Search)];
    lists.iter().find(|(names, _)| names.contains(&name)).map_or(ToolKind::Other, |(_, kind)| *kind)
}

fn paths(input: &Value, base: &Base) -> Vec<PathBuf> {
    let mut found: Vec<&str> = text(input, PATHS).into_iter().collect();
    for list in LISTS.iter().filter_map(|key| input.get(key)?.as_array()) {
        found.extend(
            list.iter().filter_map(|item| item.as_str().filter(|path| !is_glob(path)).or_else(|| text(item, PATHS))),
        );
    }
    if found.is_empty() {
        let envelope = input.as_str().or_else(|| text(input, ENVELOPES)).unwrap_or_default();
        found.extend(patch::files(envelope));
    }
    found.into_iter().filter_map(|path| base.absolute(path)).collect()
}

fn is_glob(path: &str) -> bool {
    path.contains(['*', '?', '{'])
}

/// A command, also one that is a list of words (`["bash", "-lc", SCRIPT]`, `["apply_patch", ENVELOPE]`).
fn command(input: &Value) -> Option<String> {
    if let Some(command) = input.as_str().filter(|command| !command.is_empty()) {
        return Some(command.to_owned());
    }
    match field(input, COMMANDS)? {
        Value::String(command) => Some(command.clone()).filter(|command| !command.is_empty()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match words[..] {
                [] => None,
                [_, option, script] if option.starts_with('-') && option.ends_with('c') => Some(script.to_owned()),
                [program, envelope] if program.ends_with("patch") && patch::is_envelope(envelope) => {
                    Some(envelope.to_owned())
                }
                _ => Some(words.join(" ")),
            }
        }
        _ => None,
    }
}

/// A command's success as far as the response tells it.
fn exit_ok(response: &Value) -> Option<bool> {
    match response {
        Value::String(words) => match words.trim_start().starts_with('{') {
            true => serde_json::from_str::<Value>(words).ok().and_then(|value| exit_of(&value)),
            false => exit_code_in(words).map(|code| code == 0),
        },
        response => exit_of(response),
    }
}

fn exit_of(response: &Value) -> Option<bool> {
    let code = field(response, &["exit_code", "exitCode", "exit_status", "exit"]);
    if let Some(code) = code.and_then(Value::as_i64) {
        return Some(code == 0);
    }
    if let Some(ok) = response.get("metadata").and_then(exit_of) {
        return Some(ok);
    }
    if let Some(interrupted) = field(response, &["interrupted"]).and_then(Value::as_bool) {
        // Claude: other exit codes are failures with an event of their own, but for those that it explains.
        let running = field(response, &["backgroundTaskId"]).is_some();
        return (!interrupted && !running).then(|| field(response, &["returnCodeInterpretation"]).is_none());
    }
    let words = text(response, &["error", "llmContent", "textResultForLlm", "text_result_for_llm", "output"])?;
    exit_code_in(words).map(|code| code == 0).or_else(|| silent_success(words))
}

/// Gemini's report of a command names the exit code only if it is not 0.
fn silent_success(report: &str) -> Option<bool> {
    const ENDINGS: [&str; 4] = ["Exit Code:", "Signal:", "Error:", "Background PIDs:"];
    let ended = |line: &str| ENDINGS.iter().any(|start| line.starts_with(start));
    let group = report.lines().any(|line| line.starts_with("Process Group PGID:"));
    (group && !report.lines().any(ended)).then_some(true)
}

/// The number behind the first or the last of the phrases with which hosts tell an exit code: it stands in a line of
/// its own before or behind the output, which may say anything.
fn exit_code_in(words: &str) -> Option<i64> {
    const PHRASES: [&str; 3] = ["exit code: ", "exit code ", "exited with code "];
    let code_of = |line: &str| {
        let line = line.trim().to_ascii_lowercase();
        let rest = PHRASES.iter().find_map(|phrase| Some(&line[line.find(phrase)? + phrase.len()..]))?;
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
        rest[..end].parse().ok()
    };
    let first = words.lines().next().filter(|line| starts_with_exit(line)).and_then(code_of);
    first.or_else(|| words.lines().rev().take(4).filter(|line| starts_with_exit(line)).find_map(code_of))
}

fn starts_with_exit(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches('<').to_ascii_lowercase();
    ["exit code", "exited with", "process exited", "shell exited", "command exited"]
        .iter()
        .any(|start| line.starts_with(start))
}

fn each_once(paths: &mut Vec<PathBuf>) {
    let mut seen = rustc_hash::FxHashSet::default();
    paths.retain(|path| seen.insert(path.clone()));
}
