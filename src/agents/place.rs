//! From the paths that a host names to files of the repository, and what is in them.

use std::path::{Component, Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::repo::{FOLDER, Repo};

/// Larger files are told apart by size and time alone, in bytes.
const READ: u64 = 1024 * 1024;

/// The real path: links resolved as far as it exists, which also gives its case on file systems without case.
pub fn real(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    let mut rest = Vec::new();
    let mut at = path;
    while let (Some(parent), Some(name)) = (at.parent(), at.file_name()) {
        rest.push(name);
        if let Ok(mut real) = parent.canonicalize() {
            real.extend(rest.iter().rev());
            return real;
        }
        at = parent;
    }
    path.to_owned()
}

/// The file's path in a repository, if it is one of its files: not below `.git` or `.portolan`.
pub fn within(repo: &Repo, real: &Path) -> Option<String> {
    let rest = real.strip_prefix(repo.root()).ok()?;
    let mut parts = rest.components();
    let plain = parts.clone().all(|c| matches!(c, Component::Normal(_)));
    let first = parts.next()?.as_os_str();
    (plain && first != ".git" && first != FOLDER).then(|| crate::repo::path::from_path(rest))
}

/// A hash of a file's content; `-` when it is not there. A large file's is of its size and time.
pub fn hash(path: &Path) -> String {
    let Ok(meta) = std::fs::metadata(path) else { return "-".into() };
    if !meta.is_file() {
        return String::new();
    }
    if meta.len() > READ {
        use std::os::unix::fs::MetadataExt;
        return format!("{:x}.{:x}.{:x}", meta.len(), meta.mtime(), meta.mtime_nsec());
    }
    std::fs::read(path).map_or_else(|_| String::new(), |bytes| format!("{:016x}", xxh3_64(&bytes)))
}

/// Whether git sees a difference from the last commit; in doubt it does.
pub fn is_changed(git: Option<&git2::Repository>, path: &str) -> bool {
    let Some(git) = git else { return true };
    git.status_file(&crate::repo::path::to_path(path)) != Ok(git2::Status::CURRENT)
}
