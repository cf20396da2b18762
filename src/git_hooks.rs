//! Portolan's lines in git's hooks, beside what stands there already.
//!
//! Existing hooks are shell scripts that may end in `exit 0` anywhere, so the lines go to the top, between two marks, and are taken
//! out again by these marks. What is no shell script is left alone.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::repo::{Repo, RepoError};

const BEGIN: &str = "# >>> portolan >>>";
const END: &str = "# <<< portolan <<<";
/// In a file that was not there before: it goes when nothing else is left in it.
const OURS: &str = "# this file was made by `portolan hooks git install`";

/// A hook of git's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Hook {
    PrePush,
    PostCommit,
}

impl Hook {
    /// Both.
    pub const ALL: [Hook; 2] = [Hook::PrePush, Hook::PostCommit];

    /// The name of its file.
    pub fn file_name(self) -> &'static str {
        match self {
            Hook::PrePush => "pre-push",
            Hook::PostCommit => "post-commit",
        }
    }

    /// What it runs. Neither reads what git says on stdin to the hooks behind it, and a missing program is no fault.
    fn lines(self, fail_on: Option<&str>) -> String {
        let run = match (self, fail_on) {
            (Hook::PrePush, Some(grade)) => {
                format!("portolan review --fail-on {grade} </dev/null >&2 || {{ [ $? -ne 1 ] || exit 1; }}")
            }
            (Hook::PrePush, None) => "portolan review </dev/null >&2 || :".to_owned(),
            (Hook::PostCommit, _) => "(portolan index </dev/null >/dev/null 2>&1 &)".to_owned(),
        };
        format!("if command -v portolan >/dev/null 2>&1; then\n  {run}\nfi\n")
    }
}

/// What was done to one hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// A new file.
    Made(PathBuf),
    /// Lines were put into a file, or those that were there renewed.
    Added(PathBuf),
    /// The lines were taken out.
    Removed(PathBuf),
    /// Nothing was to be done.
    Nothing(PathBuf),
}

/// Why a hook cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum HookError {
    /// git's data cannot be opened.
    #[error(transparent)]
    Repo(#[from] RepoError),
    /// There is no git.
    #[error("{path} is no git repository")]
    NoGit {
        /// The root.
        path: PathBuf,
    },
    /// Not a file that lines can be put into.
    #[error("{path} {why}; it is left as it is. To have it run Portolan, add this to it:\n{lines}")]
    Foreign {
        /// The hook's file.
        path: PathBuf,
        /// What it is.
        why: String,
        /// The lines.
        lines: String,
    },
    /// The operating system said no.
    #[error("cannot write {path}: {source}; check its permissions")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
}

/// Puts the lines into both hooks. `fail_on`: the grade of risk from which a push is stopped.
///
/// # Errors
/// See [`HookError`]; hooks before the one at fault are done.
pub fn install(repo: &Repo, fail_on: Option<&str>) -> Result<Vec<Done>, HookError> {
    let folder = folder(repo, fail_on)?;
    Hook::ALL.into_iter().map(|hook| add(&folder, hook, fail_on)).collect()
}

/// Takes the lines out of both hooks.
///
/// # Errors
/// A file cannot be read or written.
pub fn remove(repo: &Repo) -> Result<Vec<Done>, HookError> {
    let folder = folder(repo, None)?;
    Hook::ALL.into_iter().map(|hook| take_out(&folder.join(hook.file_name()))).collect()
}

/// Where git looks for hooks; those that another tool keeps for the whole repository are not touched.
fn folder(repo: &Repo, fail_on: Option<&str>) -> Result<PathBuf, HookError> {
    let git = repo.git()?.ok_or_else(|| HookError::NoGit { path: repo.root().to_owned() })?;
    let own = git.commondir().join("hooks");
    match git.config().and_then(|c| c.get_path("core.hooksPath")) {
        Ok(path) if repo.root().join(&path) != own => {
            let lines = Hook::ALL.map(|h| format!("{}:\n{}", h.file_name(), h.lines(fail_on))).concat();
            Err(HookError::Foreign { path, why: "holds this repository's hooks (core.hooksPath)".into(), lines })
        }
        _ => Ok(own),
    }
}

fn add(folder: &Path, hook: Hook, fail_on: Option<&str>) -> Result<Done, HookError> {
    let path = folder.join(hook.file_name());
    let io = |source| HookError::Io { path: path.clone(), source };
    let block = format!("{BEGIN}\n{}{END}\n", hook.lines(fail_on));
    let foreign =
        |why: &str| Err(HookError::Foreign { path: path.clone(), why: why.to_owned(), lines: hook.lines(fail_on) });
    let meta = match std::fs::symlink_metadata(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            std::fs::create_dir_all(folder).map_err(io)?;
            write(&path, &format!("#!/bin/sh\n{OURS}\n{block}"), 0o755).map_err(io)?;
            return Ok(Done::Made(path));
        }
        Err(e) => return Err(io(e)),
        Ok(meta) => meta,
    };
    if !meta.is_file() {
        return foreign("is no regular file");
    }
    let Ok(text) = String::from_utf8(std::fs::read(&path).map_err(io)?) else { return foreign("is no text") };
    let bare = without(&text);
    let (first, rest) = bare.split_once('\n').unwrap_or((&bare, ""));
    if !is_shell(first) {
        return foreign("is no shell script");
    }
    let ended = if bare.contains('\n') { "" } else { "\n" };
    let new = format!("{first}\n{ended}{block}{rest}").replacen("\n\n# >>>", "\n# >>>", 1);
    if new == text {
        return Ok(Done::Nothing(path));
    }
    write(&path, &new, meta.permissions().mode() | 0o111).map_err(io)?;
    Ok(Done::Added(path))
}

fn take_out(path: &Path) -> Result<Done, HookError> {
    let io = |source| HookError::Io { path: path.to_owned(), source };
    let Ok(text) = std::fs::read_to_string(path) else { return Ok(Done::Nothing(path.to_owned())) };
    let bare = without(&text);
    if bare == text {
        return Ok(Done::Nothing(path.to_owned()));
    }
    if bare.trim() == format!("#!/bin/sh\n{OURS}") {
        std::fs::remove_file(path).map_err(io)?;
        return Ok(Done::Removed(path.to_owned()));
    }
    let mode = std::fs::metadata(path).map_err(io)?.permissions().mode();
    write(path, &bare, mode).map_err(io)?;
    Ok(Done::Removed(path.to_owned()))
}

/// The text without our lines.
fn without(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        match line.trim_end() {
            BEGIN => inside = true,
            END if inside => inside = false,
            _ if inside => {}
            _ => out.push_str(line),
        }
    }
    // Without an end mark somebody edited the block: then nothing is taken out.
    if inside { text.to_owned() } else { out }
}

fn is_shell(first: &str) -> bool {
    let program = first.strip_prefix("#!").map(str::trim).unwrap_or("");
    let words: Vec<&str> = program.split_whitespace().map(|w| w.rsplit('/').next().unwrap_or(w)).collect();
    let name = if words.first() == Some(&"env") { words.get(1) } else { words.first() };
    matches!(name, Some(&("sh" | "bash" | "dash" | "zsh" | "ksh" | "ash")))
}

/// By a rename, so that git never runs half a hook.
fn write(path: &Path, text: &str, mode: u32) -> std::io::Result<()> {
    use std::io::Write;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(mode & 0o777))?;
    file.persist(path).map_err(|e| e.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shells_are_told_from_others() {
        for shell in ["#!/bin/sh", "#!/usr/bin/env bash", "#! /bin/dash -e", "#!/usr/bin/zsh"] {
            assert!(is_shell(shell), "{shell}");
        }
        for other in ["#!/usr/bin/env python3", "#!/usr/bin/perl", "", "echo"] {
            assert!(!is_shell(other), "{other}");
        }
    }

    #[test]
    fn what_was_there_is_there_again_after_removing() {
        let folder = tempfile::tempdir().unwrap();
        let before = "#!/bin/sh\necho mine\nexit 0\n";
        std::fs::write(folder.path().join("pre-push"), before).unwrap();
        assert!(matches!(add(folder.path(), Hook::PrePush, None).unwrap(), Done::Added(_)));
        let with = std::fs::read_to_string(folder.path().join("pre-push")).unwrap();
        assert!(with.find("portolan review").unwrap() < with.find("exit 0").unwrap(), "{with}");
        assert!(matches!(add(folder.path(), Hook::PrePush, None).unwrap(), Done::Nothing(_)), "{with}");
        take_out(&folder.path().join("pre-push")).unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join("pre-push")).unwrap(), before);
        assert!(matches!(add(folder.path(), Hook::PostCommit, None).unwrap(), Done::Made(_)));
        take_out(&folder.path().join("post-commit")).unwrap();
        assert!(!folder.path().join("post-commit").exists());
    }

    #[test]
    fn a_hook_in_another_language_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let before = "#!/usr/bin/env python3\nprint(1)\n";
        std::fs::write(folder.path().join("pre-push"), before).unwrap();
        let error = add(folder.path(), Hook::PrePush, Some("high")).unwrap_err().to_string();
        assert!(error.contains("no shell script") && error.contains("--fail-on high"), "{error}");
        assert_eq!(std::fs::read_to_string(folder.path().join("pre-push")).unwrap(), before);
    }
}
