//! The same numbers from transcripts that exist already: Claude Code's JSONL files, one message a line.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::hook::searches;
use super::session::Usage;
use crate::store::StoreError;

/// One transcript.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Transcript {
    /// The file.
    pub path: PathBuf,
    /// The session's id, as the file or its name says.
    pub session: String,
    /// What happened in it.
    #[serde(flatten)]
    pub usage: Usage,
    /// Lines that could not be read.
    pub bad_lines: usize,
}

/// Deeper folders are not looked into.
const DEPTH: usize = 6;

/// All transcripts (`*.jsonl`) below a folder, sorted by path; those without a tool call are left out.
///
/// # Errors
/// The folder cannot be listed. A file that cannot be read is left out.
pub fn transcripts(folder: &Path) -> Result<Vec<Transcript>, StoreError> {
    let mut files = Vec::new();
    collect(folder, DEPTH, &mut files).map_err(|e| StoreError::io("list", folder, e))?;
    files.sort();
    let read = files.iter().filter_map(|path| read(path).ok());
    Ok(read.filter(|t| t.usage.calls > 0).collect())
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if folder.is_file() {
        files.push(folder.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let path = entry.path();
        if kind.is_dir() && depth > 0 {
            // One that may not be read does not hide the others.
            let _ = collect(&path, depth - 1, files);
        } else if kind.is_file() && path.extension().is_some_and(|e| e == "jsonl") {
            files.push(path);
        }
    }
    Ok(())
}

/// Reads one transcript.
///
/// # Errors
/// The file cannot be read.
pub fn read(path: &Path) -> std::io::Result<Transcript> {
    let session = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut out = Transcript { path: path.to_owned(), session, usage: Usage::default(), bad_lines: 0 };
    // Files that were read, and not edited since.
    let mut known: BTreeSet<String> = BTreeSet::new();
    for line in BufReader::new(File::open(path)?).split(b'\n') {
        let line = line?;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let Ok(message) = serde_json::from_slice::<Value>(&line) else {
            out.bad_lines += 1;
            continue;
        };
        if let Some(id) = message.get("sessionId").and_then(Value::as_str) {
            id.clone_into(&mut out.session);
        }
        let content = message.get("message").and_then(|m| m.get("content")).and_then(Value::as_array);
        for part in content.into_iter().flatten() {
            if part.get("type").and_then(Value::as_str) == Some("tool_use") {
                call(&mut out.usage, &mut known, part);
            }
        }
    }
    Ok(out)
}

fn call(usage: &mut Usage, known: &mut BTreeSet<String>, part: &Value) {
    let name = part.get("name").and_then(Value::as_str).unwrap_or("");
    let input = |key: &str| part.get("input").and_then(|i| i.get(key)).and_then(Value::as_str);
    usage.calls += 1;
    match name {
        "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => {
            usage.edits += 1;
            if let Some(path) = input("file_path").or_else(|| input("notebook_path")) {
                known.remove(path);
            }
        }
        "Read" | "NotebookRead" => {
            usage.reads += 1;
            if let Some(path) = input("file_path").or_else(|| input("notebook_path"))
                && !known.insert(path.to_owned())
            {
                usage.rereads += 1;
            }
        }
        "Grep" | "Glob" | "LS" | "WebSearch" => usage.searches += 1,
        "Bash" if input("command").is_some_and(searches) => usage.searches += 1,
        _ => {}
    }
    if usage.edits == 0 {
        usage.before_edit += 1;
    }
}
