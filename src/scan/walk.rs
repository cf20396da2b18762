//! The walk over the work tree, joined with git's index.

use std::collections::HashMap;
use std::fs::{FileType, Metadata};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ignore::{DirEntry, WalkBuilder};

use super::content::{parsed_as, skip_reason};
use super::{FileStat, Known, Scan, ScanError, Scanned, SkipReason, Skipped, StatCache, kinds};
use crate::config::Config;
use crate::lang::LanguageSupport;
use crate::repo::{FOLDER, Repo, linked_git_dir, path};

/// What git's index says.
#[derive(Default)]
struct Tracked {
    /// Paths as bytes, sorted.
    files: Vec<Vec<u8>>,
    /// Submodules, sorted.
    submodules: Vec<Vec<u8>>,
}

impl Tracked {
    fn is_submodule(&self, path: &[u8]) -> bool {
        self.submodules.binary_search_by(|s| s.as_slice().cmp(path)).is_ok()
    }

    /// Whether anything below the folder is tracked.
    fn below(&self, folder: &[u8]) -> bool {
        let mut prefix = folder.to_vec();
        prefix.push(b'/');
        let at = self.files.partition_point(|f| *f < prefix);
        self.files.get(at).is_some_and(|f| f.starts_with(&prefix))
    }
}

/// Rows that the walk's filter makes; it has to be shareable.
#[derive(Default)]
struct Left {
    folders: Vec<(Vec<u8>, SkipReason)>,
    excluded: usize,
}

/// Lists what there is in a repository; see [`Scan`].
///
/// # Errors
/// The root cannot be listed.
pub fn scan(repo: &Repo, config: &Config, cache: &StatCache) -> Result<Scan, ScanError> {
    let mut scan = Scan::default();
    let tracked = Arc::new(match tracked(repo) {
        Ok(tracked) => tracked,
        Err(e) => {
            scan.notes.push(format!("git's index was not read, so tracked files that are ignored are missing: {e}"));
            Tracked::default()
        }
    });
    let left = Arc::new(Mutex::new(Left::default()));
    let mut found = walk(repo, config, &tracked, &left, &mut scan)?;
    let mut left = std::mem::take(&mut *left.lock().unwrap_or_else(|e| e.into_inner()));

    for submodule in &tracked.submodules {
        left.folders.push((submodule.clone(), SkipReason::Submodule));
    }
    left.folders.sort();
    left.folders.dedup_by(|a, b| a.0 == b.0);

    found.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let more = ignored_but_tracked(repo, config, &tracked, &found, &mut left);
    found.extend(more);

    let mut found: Vec<(String, Metadata)> = found.into_iter().map(|(p, meta)| (path::encode(&p), meta)).collect();
    found.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    found.dedup_by(|a, b| a.0 == b.0);
    for (path, meta) in found {
        sort_in(&mut scan, repo, config, cache, path, &meta);
    }
    for (folder, reason) in left.folders {
        scan.skipped.push(Skipped { path: format!("{}/", path::encode(&folder)), reason, size: 0 });
    }
    scan.skipped.sort();
    scan.excluded = left.excluded;
    Ok(scan)
}

/// All files, links and special files that are not ignored, as relative bytes.
fn walk(
    repo: &Repo,
    config: &Config,
    tracked: &Arc<Tracked>,
    left: &Arc<Mutex<Left>>,
    scan: &mut Scan,
) -> Result<Vec<(Vec<u8>, Metadata)>, ScanError> {
    let filter = {
        let (root, exclude) = (repo.root().to_owned(), config.exclude.clone());
        let (tracked, left) = (Arc::clone(tracked), Arc::clone(left));
        move |entry: &DirEntry| {
            let mut left = left.lock().unwrap_or_else(|e| e.into_inner());
            wanted(entry, &root, &exclude, &tracked, &mut left)
        }
    };
    let mut builder = WalkBuilder::new(repo.root());
    builder
        .hidden(false)
        .ignore(false)
        .parents(false)
        .require_git(false)
        .git_global(repo.has_git())
        .git_exclude(repo.has_git())
        .follow_links(false)
        .filter_entry(filter);
    let mut found = Vec::new();
    for entry in builder.build() {
        match entry {
            Ok(entry) => {
                if let Some(error) = entry.error() {
                    scan.notes.push(format!("in an ignore file: {error}"));
                }
                if entry.depth() == 0 || entry.file_type().is_some_and(|t| t.is_dir()) {
                    continue;
                }
                let Ok(relative) = entry.path().strip_prefix(repo.root()) else { continue };
                match std::fs::symlink_metadata(entry.path()) {
                    Ok(meta) => found.push((relative.as_os_str().as_bytes().to_vec(), meta)),
                    // Gone since it was listed.
                    Err(e) if e.kind() == ErrorKind::NotFound => {}
                    Err(e) => scan.skipped.push(unreadable(relative, "", e.kind())),
                }
            }
            Err(error) => walk_error(repo, error, scan)?,
        }
    }
    Ok(found)
}

/// The walk's filter: whether to yield a file, or go into a folder.
fn wanted(
    entry: &DirEntry,
    root: &Path,
    exclude: &ignore::gitignore::Gitignore,
    tracked: &Tracked,
    left: &mut Left,
) -> bool {
    if entry.depth() == 0 {
        return true;
    }
    let name = entry.file_name();
    if name == ".git" || name == FOLDER {
        return false;
    }
    let is_dir = entry.file_type().is_some_and(|t| t.is_dir());
    if !exclude.is_empty() && exclude.matched(entry.path(), is_dir).is_ignore() {
        left.excluded += 1;
        return false;
    }
    if !is_dir {
        return true;
    }
    let Ok(relative) = entry.path().strip_prefix(root) else { return false };
    let relative = relative.as_os_str().as_bytes();
    match folder_reason(entry.path(), name == "node_modules", relative, tracked) {
        Some(reason) => {
            left.folders.push((relative.to_vec(), reason));
            false
        }
        None => true,
    }
}

/// Why a folder is left out as a whole.
fn folder_reason(folder: &Path, node_modules: bool, relative: &[u8], tracked: &Tracked) -> Option<SkipReason> {
    let holds = |name: &str| std::fs::symlink_metadata(folder.join(name)).is_ok();
    if tracked.is_submodule(relative) {
        return Some(SkipReason::Submodule);
    }
    // git tracks nothing below another repository, so what it does track needs no look.
    if tracked.below(relative) {
        return None;
    }
    if holds(".git") {
        let git_dir = linked_git_dir(&folder.join(".git"));
        let worktree = git_dir.is_some_and(|d| d.parent().is_some_and(|p| p.ends_with("worktrees")));
        return Some(if worktree { SkipReason::NestedWorktree } else { SkipReason::NestedRepository });
    }
    if node_modules || holds("pyvenv.cfg") {
        return Some(SkipReason::Dependencies);
    }
    holds("CACHEDIR.TAG").then_some(SkipReason::Cache)
}

/// Files that git tracks although they match an ignore pattern: the walk does not yield them.
fn ignored_but_tracked(
    repo: &Repo,
    config: &Config,
    tracked: &Tracked,
    found: &[(Vec<u8>, Metadata)],
    left: &mut Left,
) -> Vec<(Vec<u8>, Metadata)> {
    let mut more = Vec::new();
    let mut folders: HashMap<PathBuf, bool> = HashMap::new();
    let mut seen = found.iter().map(|(path, _)| path.as_slice()).peekable();
    for file in &tracked.files {
        while seen.next_if(|path| *path < file.as_slice()).is_some() {}
        if seen.peek() == Some(&file.as_slice()) {
            continue;
        }
        let relative = Path::new(path::os(file));
        let inside = |name: &std::ffi::OsStr| name != ".git" && name != FOLDER;
        if !relative.iter().all(inside) || !reached(repo.root(), relative.parent(), &mut folders) {
            continue;
        }
        // Missing in a sparse checkout, or deleted.
        let Ok(meta) = std::fs::symlink_metadata(repo.root().join(relative)) else { continue };
        if meta.is_dir() || left.folders.iter().any(|(folder, _)| relative.starts_with(path::os(folder))) {
            continue;
        }
        let absolute = repo.root().join(relative);
        if !config.exclude.is_empty() && config.exclude.matched_path_or_any_parents(&absolute, false).is_ignore() {
            // Counted with its folder if the walk met that.
            continue;
        }
        more.push((file.clone(), meta));
    }
    more
}

/// Whether each part of a folder's path is a real folder: a link on the way may lead out of the root.
fn reached(root: &Path, folder: Option<&Path>, known: &mut HashMap<PathBuf, bool>) -> bool {
    let Some(folder) = folder.filter(|f| !f.as_os_str().is_empty()) else { return true };
    if let Some(answer) = known.get(folder) {
        return *answer;
    }
    let answer = reached(root, folder.parent(), known)
        && std::fs::symlink_metadata(root.join(folder)).is_ok_and(|meta| meta.is_dir());
    known.insert(folder.to_owned(), answer);
    answer
}

/// Puts one entry among the files or the skipped.
fn sort_in(scan: &mut Scan, repo: &Repo, config: &Config, cache: &StatCache, path: String, meta: &Metadata) {
    let kind = meta.file_type();
    let stat = FileStat::of(meta);
    let reason = if kind.is_symlink() {
        Some(link_reason(repo, &path))
    } else if !kind.is_file() {
        Some(SkipReason::Special(special(kind)))
    } else if kinds::lock_file(&path) {
        Some(SkipReason::LockFile)
    } else if kinds::minified_name(&path) {
        Some(SkipReason::Minified)
    } else if stat.size > config.max_file_size {
        Some(SkipReason::TooLarge(config.max_file_size))
    } else {
        None
    };
    let size = if kind.is_file() { stat.size } else { 0 };
    if let Some(reason) = reason {
        scan.skipped.push(Skipped { path, reason, size });
        return;
    }
    let mut language = kinds::language(&path);
    let mut known = None;
    if let Some((at, record)) = cache.fresh(&path, &stat) {
        scan.fresh.push(at);
        if let Some(reason) = skip_reason(&record.traits) {
            scan.skipped.push(Skipped { path, reason, size });
            return;
        }
        language = record.traits.language;
        known = Some(Known { hash: record.hash, generated: record.traits.generated, lossy: record.traits.lossy });
    }
    scan.files.push(Scanned {
        file_type: type_word(&path, language),
        is_test: is_test(&path, language),
        language: parsed_as(config, language),
        path,
        stat,
        known,
    });
}

/// The word for a file's type once its language is known.
pub(crate) fn type_word(path: &str, language: Option<&'static dyn LanguageSupport>) -> &'static str {
    language.map_or_else(|| kinds::file_type(path), LanguageSupport::name)
}

/// The language's rule, else the one by path.
pub(crate) fn is_test(path: &str, language: Option<&'static dyn LanguageSupport>) -> bool {
    language.map_or_else(|| kinds::is_test_path(path), |l| l.is_test_file(path))
}

/// How a text of that path is parsed: by its extension, or without one by its first line.
pub fn language_of(path: &str, text: &str) -> Option<&'static dyn LanguageSupport> {
    super::classify::traits(path, text.as_bytes()).language
}

/// Whether a file of that path holds tests, by its language's rule.
pub fn holds_tests(path: &str) -> bool {
    is_test(path, kinds::language(path))
}

fn link_reason(repo: &Repo, link: &str) -> SkipReason {
    let absolute = repo.absolute(link);
    match absolute.canonicalize() {
        Ok(target) if absolute.starts_with(&target) => SkipReason::LinkLoop,
        Ok(target) => match target.strip_prefix(repo.root()) {
            Ok(inside) => SkipReason::Link(path::from_path(inside)),
            Err(_) => SkipReason::LinkOutside,
        },
        Err(e) if e.raw_os_error() == Some(libc::ELOOP) => SkipReason::LinkLoop,
        Err(e) if e.kind() == ErrorKind::NotFound => SkipReason::LinkBroken,
        Err(e) => SkipReason::Unreadable(e.kind().to_string()),
    }
}

fn special(kind: FileType) -> &'static str {
    if kind.is_fifo() {
        "named pipe"
    } else if kind.is_socket() {
        "socket"
    } else if kind.is_block_device() || kind.is_char_device() {
        "device"
    } else {
        "not a regular file"
    }
}

/// git's index; empty without git.
fn tracked(repo: &Repo) -> Result<Tracked, crate::repo::RepoError> {
    let Some(git) = repo.git()? else { return Ok(Tracked::default()) };
    let index = git.index().map_err(|e| repo.git_error(e))?;
    let mut tracked = Tracked::default();
    for entry in index.iter() {
        match entry.mode & 0o170_000 {
            0o160_000 => tracked.submodules.push(entry.path),
            // A folder stands in a sparse index for all that is not checked out.
            0o040_000 => {}
            _ => tracked.files.push(entry.path),
        }
    }
    for list in [&mut tracked.files, &mut tracked.submodules] {
        list.sort_unstable();
        list.dedup();
    }
    Ok(tracked)
}

/// Something could not be listed: a row, unless it is the root.
fn walk_error(repo: &Repo, error: ignore::Error, scan: &mut Scan) -> Result<(), ScanError> {
    let kind = error.io_error().map_or(ErrorKind::Other, std::io::Error::kind);
    match error_path(&error) {
        Some(path) if path == repo.root() => {
            let source = std::io::Error::from(kind);
            Err(ScanError::Root { path: path.to_owned(), source })
        }
        Some(_) if kind == ErrorKind::NotFound => Ok(()),
        Some(path) => {
            scan.skipped.push(unreadable(path.strip_prefix(repo.root()).unwrap_or(path), "/", kind));
            Ok(())
        }
        None => {
            scan.notes.push(error.to_string());
            Ok(())
        }
    }
}

fn unreadable(relative: &Path, suffix: &str, kind: ErrorKind) -> Skipped {
    let path = format!("{}{suffix}", path::from_path(relative));
    Skipped { path, reason: SkipReason::Unreadable(kind.to_string()), size: 0 }
}

fn error_path(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => error_path(err),
        ignore::Error::Partial(errors) => errors.iter().find_map(error_path),
        _ => None,
    }
}
