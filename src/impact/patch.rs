//! A unified diff from somewhere else: which files, and what they are before and after it.
//!
//! The work tree may hold the patch already or not yet. Where its new lines stand in a file, the other side is made by
//! taking the patch back; else where its old lines stand, by applying it.

use git2::Diff;

use super::changes::{Changes, ChangesError, FileChange, Side, Status, on_disk};
use crate::repo::{Repo, path};

/// One hunk: the lines before and after, context included, each with its end of line.
struct Hunk {
    old_start: usize,
    new_start: usize,
    old: Vec<String>,
    new: Vec<String>,
}

/// Reads a patch over the work tree.
///
/// # Errors
/// [`ChangesError::Patch`].
pub(super) fn read(repo: &Repo, text: &str) -> Result<Changes, ChangesError> {
    let wrong = |message: String| ChangesError::Patch { message };
    if text.trim().is_empty() {
        return Ok(Changes { against: "the patch".into(), ..Changes::default() });
    }
    let text = with_git_headers(text);
    let diff = Diff::from_buffer(text.as_bytes()).map_err(|e| wrong(e.message().to_owned()))?;
    let mut files = Vec::new();
    let mut unapplied = false;
    for (at, delta) in diff.deltas().enumerate() {
        let name = |file: git2::DiffFile<'_>| file.path_bytes().map(path::encode);
        let (old_path, new_path) = (name(delta.old_file()), name(delta.new_file()));
        let status = match delta.status() {
            git2::Delta::Added => Status::Added,
            git2::Delta::Deleted => Status::Deleted,
            git2::Delta::Renamed => Status::Renamed,
            _ => Status::Modified,
        };
        let Some(path) =
            (if status == Status::Deleted { old_path.clone() } else { new_path.or_else(|| old_path.clone()) })
        else {
            continue;
        };
        // A patch comes from anywhere: nothing outside of the repository is read for it.
        if path.split('/').any(|part| part == ".." || part.is_empty()) {
            return Err(wrong(format!("it names {path:?}")));
        }
        let was = old_path.filter(|old| status == Status::Renamed && *old != path);
        let hunks = hunks(&diff, at).map_err(|e| wrong(e.message().to_owned()))?;
        let Some(hunks) = hunks.filter(|_| !delta.flags().is_binary()) else {
            files.push(FileChange { path, was, status, old: Side::Binary, new: Side::Binary });
            continue;
        };
        let here = on_disk(repo.root(), &path);
        let here = if here == Side::Absent {
            was.as_deref().map_or(Side::Absent, |was| on_disk(repo.root(), was))
        } else {
            here
        };
        let (old, new, not_yet) = sides(status, here, &hunks);
        unapplied |= not_yet;
        files.push(FileChange { path, was, status, old, new });
    }
    if files.is_empty() {
        return Err(wrong("no file is named in it".into()));
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Changes { files, against: "the patch".into(), unapplied, ..Changes::default() })
}

/// A patch as `diff -u` prints it, with the line before each file that git's own reader asks for.
fn with_git_headers(text: &str) -> std::borrow::Cow<'_, str> {
    if text.lines().any(|line| line.starts_with("diff --git ")) {
        return text.into();
    }
    let name = |line: &str| line.get(4..).unwrap_or_default().split('\t').next().unwrap_or_default().trim().to_owned();
    let of_file = |name: &str| name.strip_prefix("a/").or(name.strip_prefix("b/")).unwrap_or(name).to_owned();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut out = String::with_capacity(text.len() + 256);
    for (at, line) in lines.iter().enumerate() {
        let next = lines.get(at + 1).copied().unwrap_or_default();
        if line.starts_with("--- ") && next.starts_with("+++ ") {
            let (old, new) = (name(line), name(next));
            let file = of_file(if new == "/dev/null" { &old } else { &new });
            let mode = match (&*old, &*new) {
                ("/dev/null", _) => "new file mode 100644\n",
                (_, "/dev/null") => "deleted file mode 100644\n",
                _ => "",
            };
            out.push_str(&format!("diff --git a/{file} b/{file}\n{mode}"));
        }
        out.push_str(line);
    }
    out.into()
}

/// `None` for a binary file.
fn hunks(diff: &Diff<'_>, at: usize) -> Result<Option<Vec<Hunk>>, git2::Error> {
    let Some(patch) = git2::Patch::from_diff(diff, at)? else { return Ok(None) };
    let mut hunks = Vec::new();
    for number in 0..patch.num_hunks() {
        let (head, lines) = patch.hunk(number)?;
        let mut hunk = Hunk {
            old_start: head.old_start() as usize,
            new_start: head.new_start() as usize,
            old: Vec::new(),
            new: Vec::new(),
        };
        for line in 0..lines {
            let line = patch.line_in_hunk(number, line)?;
            let text = String::from_utf8_lossy(line.content()).into_owned();
            match line.origin() {
                ' ' => {
                    hunk.old.push(text.clone());
                    hunk.new.push(text);
                }
                '-' => hunk.old.push(text),
                '+' => hunk.new.push(text),
                // "\ No newline at end of file" of the line before.
                '<' | '=' | '>' => {
                    for side in [&mut hunk.old, &mut hunk.new] {
                        if let Some(last) = side.last_mut() {
                            last.truncate(last.trim_end_matches('\n').len());
                        }
                    }
                }
                _ => {}
            }
        }
        hunks.push(hunk);
    }
    Ok(Some(hunks))
}

/// Before, after, and whether the work tree holds what is before.
fn sides(status: Status, here: Side, hunks: &[Hunk]) -> (Side, Side, bool) {
    let whole = |new: bool| Side::Text(hunks.iter().flat_map(|h| if new { &h.new } else { &h.old }).cloned().collect());
    match (status, &here) {
        (Status::Added, _) => (Side::Absent, whole(true), here == Side::Absent),
        (Status::Deleted, _) => (whole(false), Side::Absent, here != Side::Absent),
        (_, Side::Text(text)) => {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            if let Some(before) = swapped(&lines, hunks, true) {
                return (Side::Text(before), here, false);
            }
            match swapped(&lines, hunks, false) {
                Some(after) => (here, Side::Text(after), true),
                // It fits neither way: its own lines are all that is known.
                None => (whole(false), whole(true), true),
            }
        }
        _ => (whole(false), whole(true), true),
    }
}

/// The text with each hunk's one side put in place of its other; `None` when that does not stand there.
fn swapped(lines: &[&str], hunks: &[Hunk], applied: bool) -> Option<String> {
    let mut out = String::new();
    let mut at = 0;
    for hunk in hunks {
        let (found, other, start) =
            if applied { (&hunk.new, &hunk.old, hunk.new_start) } else { (&hunk.old, &hunk.new, hunk.old_start) };
        // An empty side names the line before it.
        let from = if found.is_empty() { start } else { start.saturating_sub(1) };
        let to = from + found.len();
        let same = |(a, b): (&&str, &String)| a.trim_end_matches(['\r', '\n']) == b.trim_end_matches(['\r', '\n']);
        if from < at || to > lines.len() || !lines[from..to].iter().zip(found).all(same) {
            return None;
        }
        out.extend(lines[at..from].iter().copied());
        out.extend(other.iter().map(String::as_str));
        at = to;
    }
    out.extend(lines[at..].iter().copied());
    Some(out)
}
