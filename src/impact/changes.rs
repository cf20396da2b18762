//! The two sides of a change, file by file, by git or from a patch.

use std::path::{Path, PathBuf};

use git2::{Delta, DiffFindOptions, DiffOptions, ErrorCode, ObjectType, Oid, Repository};

use crate::repo::{Repo, RepoError, path};

/// Larger files, in bytes, are compared by their names only.
const LARGEST: u64 = 1024 * 1024;
/// A NUL among the first so many bytes makes a file binary, as for git.
const LOOK_FOR_NUL: usize = 8000;
/// Pairs of deleted and added files that are compared to find renames of files that were edited too.
const RENAME_PAIRS: usize = 400;

/// What is compared with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The last commit and the work tree, new files included.
    WorkTree,
    /// The last commit and git's index.
    Staged,
    /// The merge base of a revision and HEAD, and the work tree.
    Base(String),
    /// A unified diff, applied to the work tree already or not.
    Patch(String),
}

/// What keeps a change from being read.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    /// git's data cannot be opened.
    #[error(transparent)]
    Repo(#[from] RepoError),
    /// Without git nothing says what changed.
    #[error(
        "{path} is no git repository, so nothing says what changed; name symbols or files, or give a patch on stdin"
    )]
    NoGit {
        /// The root.
        path: PathBuf,
    },
    /// A revision that git does not know.
    #[error("git knows no revision {rev}; `git fetch` may bring it, `git branch -a` lists the branches")]
    NoRevision {
        /// As given.
        rev: String,
    },
    /// Two histories without a common commit here.
    #[error("HEAD and {rev} have no common commit in this clone{}", if *shallow { ": it is shallow, `git fetch --unshallow` (or fetch-depth: 0 in CI) brings the rest" } else { "" })]
    NoMergeBase {
        /// As given.
        rev: String,
        /// Whether the clone is cut off.
        shallow: bool,
    },
    /// libgit2 failed.
    #[error("git data of {path}: {source}; `git -C {path} fsck` may say more")]
    Git {
        /// The root.
        path: PathBuf,
        /// libgit2's message.
        source: git2::Error,
    },
    /// Not a unified diff.
    #[error("the patch cannot be read: {message}; it must be a unified diff as `git diff` prints it")]
    Patch {
        /// What is wrong.
        message: String,
    },
}

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Status {
    Added,
    Modified,
    Deleted,
    Renamed,
}

/// One side of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// It is not there.
    Absent,
    /// Its text; what is not UTF-8 is replaced.
    Text(String),
    /// It holds a NUL byte.
    Binary,
    /// Too large to compare, a link, a submodule, or not in this clone.
    Unread,
}

impl Side {
    /// Its text, if it has one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Side::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn of(bytes: &[u8]) -> Side {
        if memchr::memchr(0, &bytes[..bytes.len().min(LOOK_FOR_NUL)]).is_some() {
            return Side::Binary;
        }
        if bytes.len() as u64 > LARGEST {
            return Side::Unread;
        }
        Side::Text(String::from_utf8_lossy(bytes).into_owned())
    }
}

/// One changed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// Its path now; of a deleted file the one that it had.
    pub path: String,
    /// Its path before, where that was another.
    pub was: Option<String>,
    /// What happened to it.
    pub status: Status,
    /// Before.
    pub old: Side,
    /// After.
    pub new: Side,
}

/// Commits of one change at most; of more the newest.
const OWN_COMMITS: usize = 2000;

/// A change as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The changed files, sorted by path.
    pub files: Vec<FileChange>,
    /// What it is compared with: `main (merge base 1a2b3c4d)`.
    pub against: String,
    /// A patch that the work tree does not hold yet: the graph shows the code before it.
    pub unapplied: bool,
    /// Hashes of the commits that make it, from the merge base to HEAD: they are no part of its past.
    pub commits: Vec<String>,
}

impl Changes {
    /// Reads both sides.
    ///
    /// # Errors
    /// See [`ChangesError`].
    pub fn read(repo: &Repo, source: &Source) -> Result<Changes, ChangesError> {
        if let Source::Patch(text) = source {
            return super::patch::read(repo, text);
        }
        let root = repo.root().to_owned();
        let git = repo.git()?.ok_or_else(|| ChangesError::NoGit { path: root.clone() })?;
        let failed = |source| ChangesError::Git { path: root.clone(), source };
        let mut options = DiffOptions::new();
        options.include_untracked(true).recurse_untracked_dirs(true).ignore_submodules(true).context_lines(0);
        // Only which files differ is asked: lines are compared later.
        let mut commits = Vec::new();
        let (mut diff, against) = match source {
            Source::Staged => {
                let tree =
                    head(&git).map_err(failed)?.map(|c| git.find_commit(c)?.tree()).transpose().map_err(failed)?;
                (git.diff_tree_to_index(tree.as_ref(), None, Some(&mut options)).map_err(failed)?, "HEAD".to_owned())
            }
            _ => {
                let (base, against) = match source {
                    Source::Base(rev) => merge_base(&git, rev, &failed)?,
                    _ => (head(&git).map_err(failed)?, "HEAD".to_owned()),
                };
                if let (Source::Base(_), Some(base)) = (source, base) {
                    commits = since(&git, base).map_err(failed)?;
                }
                let tree = base.map(|c| git.find_commit(c)?.tree()).transpose().map_err(failed)?;
                let diff = git.diff_tree_to_workdir_with_index(tree.as_ref(), Some(&mut options)).map_err(failed)?;
                (diff, against)
            }
        };
        let mut find = DiffFindOptions::new();
        find.renames(true).for_untracked(true).rename_limit(RENAME_PAIRS);
        diff.find_similar(Some(&mut find)).map_err(failed)?;
        let staged = *source == Source::Staged;
        let mut files: Vec<FileChange> =
            diff.deltas().filter_map(|delta| file(&git, repo.root(), staged, &delta)).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Changes { files, against, unapplied: false, commits })
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

/// What a review compares with unless told: the merge base with the main branch of the remote or of this clone, where
/// HEAD is ahead of it; else the last commit.
///
/// # Errors
/// git's data cannot be read.
pub fn default_base(repo: &Repo) -> Result<Source, ChangesError> {
    let Some(git) = repo.git()? else { return Err(ChangesError::NoGit { path: repo.root().to_owned() }) };
    let Ok(Some(head)) = head(&git) else { return Ok(Source::WorkTree) };
    for rev in ["origin/HEAD", "origin/main", "origin/master", "main", "master"] {
        let Ok(commit) = git.revparse_single(rev).and_then(|o| o.peel_to_commit()) else { continue };
        if git.merge_base(commit.id(), head).is_ok_and(|base| base != head) {
            return Ok(Source::Base(rev.to_owned()));
        }
    }
    Ok(Source::WorkTree)
}

/// HEAD's commit; `None` before the first one.
fn head(git: &Repository) -> Result<Option<Oid>, git2::Error> {
    match git.head() {
        Ok(head) => Ok(Some(head.peel_to_commit()?.id())),
        Err(e) if matches!(e.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => Ok(None),
        Err(e) => Err(e),
    }
}

/// Hashes of what is reachable from HEAD and not from `base`.
fn since(git: &Repository, base: Oid) -> Result<Vec<String>, git2::Error> {
    let Some(head) = head(git)? else { return Ok(Vec::new()) };
    let mut walk = git.revwalk()?;
    walk.push(head)?;
    walk.hide(base)?;
    walk.take(OWN_COMMITS).map(|commit| Ok(commit?.to_string())).collect()
}

fn merge_base(
    git: &Repository,
    rev: &str,
    failed: &impl Fn(git2::Error) -> ChangesError,
) -> Result<(Option<Oid>, String), ChangesError> {
    let commit = git.revparse_single(rev).and_then(|o| o.peel_to_commit());
    let commit = commit.map_err(|_| ChangesError::NoRevision { rev: rev.to_owned() })?.id();
    let Some(head) = head(git).map_err(failed)? else { return Ok((Some(commit), rev.to_owned())) };
    let base = match git.merge_base(commit, head) {
        Ok(base) => base,
        Err(e) if e.code() == ErrorCode::NotFound => {
            return Err(ChangesError::NoMergeBase { rev: rev.to_owned(), shallow: git.is_shallow() });
        }
        Err(e) => return Err(failed(e)),
    };
    let short: String = base.to_string().chars().take(10).collect();
    let against = if base == commit { format!("{rev} ({short})") } else { format!("{rev} (merge base {short})") };
    Ok((Some(base), against))
}

fn file(git: &Repository, root: &Path, staged: bool, delta: &git2::DiffDelta<'_>) -> Option<FileChange> {
    let status = match delta.status() {
        Delta::Added | Delta::Untracked | Delta::Copied => Status::Added,
        Delta::Deleted => Status::Deleted,
        Delta::Renamed => Status::Renamed,
        Delta::Modified | Delta::Typechange | Delta::Conflicted => Status::Modified,
        _ => return None,
    };
    let name = |file: git2::DiffFile<'_>| file.path_bytes().map(path::encode);
    let (old_path, new_path) = (name(delta.old_file()), name(delta.new_file()));
    let path = if status == Status::Deleted { old_path.clone() } else { new_path.or_else(|| old_path.clone()) }?;
    let was = if status == Status::Renamed { old_path.filter(|old| *old != path) } else { None };
    let old = match status {
        Status::Added => Side::Absent,
        _ => blob(git, delta.old_file()),
    };
    let new = match status {
        Status::Deleted => Side::Absent,
        _ if staged => blob(git, delta.new_file()),
        _ => on_disk(root, &path),
    };
    Some(FileChange { path, was, status, old, new })
}

fn is_regular(mode: git2::FileMode) -> bool {
    use git2::FileMode::{Blob, BlobExecutable, BlobGroupWritable};
    matches!(mode, Blob | BlobExecutable | BlobGroupWritable)
}

fn blob(git: &Repository, file: git2::DiffFile<'_>) -> Side {
    if !is_regular(file.mode()) {
        return Side::Unread;
    }
    let read = || -> Result<Side, git2::Error> {
        let odb = git.odb()?;
        let (size, kind) = odb.read_header(file.id())?;
        if kind != ObjectType::Blob || size as u64 > LARGEST {
            return Ok(Side::Unread);
        }
        Ok(Side::of(odb.read(file.id())?.data()))
    };
    // Not in a partial clone: then its lines are not known.
    read().unwrap_or(Side::Unread)
}

/// A file of the work tree; a link is not followed.
pub(super) fn on_disk(root: &Path, path: &str) -> Side {
    let absolute = root.join(path::to_path(path));
    match std::fs::symlink_metadata(&absolute) {
        Ok(meta) if meta.is_file() && meta.len() <= LARGEST => {
            std::fs::read(&absolute).map_or(Side::Unread, |bytes| Side::of(&bytes))
        }
        Ok(_) => Side::Unread,
        Err(_) => Side::Absent,
    }
}
