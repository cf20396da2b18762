//! Which folder is the repository, and what git says about it.

pub mod path;

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Once;

/// The folder that holds the graph, directly below the root.
pub const FOLDER: &str = ".portolan";
/// The optional settings that a repository brings.
pub const CONFIG_FILE: &str = "portolan.toml";

/// What stands in the way of using a folder as a repository.
#[derive(Debug, thiserror::Error)]
pub enum RepoError {
    /// Nothing is there.
    #[error("{path}: no such file or folder; give the path of a repository or of a folder in it")]
    NotFound {
        /// As given.
        path: PathBuf,
    },
    /// A file where a folder is needed.
    #[error("{path} is not a directory; give the path of a repository or of a folder in it")]
    NotADirectory {
        /// As given.
        path: PathBuf,
    },
    /// The operating system said no.
    #[error("cannot read {path}: {source}; check its permissions")]
    Unreadable {
        /// What was read.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// `/` or the home folder.
    #[error("{path} is {what}, not a repository; go into a repository, or say --force if you mean all of it")]
    TooWide {
        /// The root that was found.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// A git repository without files.
    #[error("{path} is a bare git repository and has no files to index; make a work tree of it (git worktree add)")]
    Bare {
        /// As given.
        path: PathBuf,
    },
    /// git's own data could not be read.
    #[error("git data of {path}: {source}; `git -C {path} status` may say more")]
    Git {
        /// The root.
        path: PathBuf,
        /// libgit2's message.
        source: git2::Error,
    },
    /// A `.portolan` that somebody else could have filled.
    #[error("{path} {why}; it is not used: look into it, then remove it (git rm --cached, rm -r) and index again")]
    ForeignFolder {
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
}

/// A folder that is indexed as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repo {
    root: PathBuf,
    /// `.git` as it stands at the root, if there is one.
    dot_git: Option<PathBuf>,
}

impl Repo {
    /// The repository that a folder lies in: the top of the git work tree (a linked worktree's own
    /// top); without git the nearest folder above with `.portolan` or `portolan.toml`; else the folder itself.
    ///
    /// # Errors
    /// The folder is missing, unreadable, not a folder or a bare repository; or, unless `force`, the
    /// root is `/` or the home folder.
    pub fn open(folder: &Path, force: bool) -> Result<Repo, RepoError> {
        let meta = std::fs::metadata(folder).map_err(|e| cannot(folder, e))?;
        if !meta.is_dir() {
            return Err(RepoError::NotADirectory { path: folder.to_owned() });
        }
        let folder = folder.canonicalize().map_err(|e| cannot(folder, e))?;
        let repo = Repo::around(&folder)?;
        match too_wide(&repo.root) {
            Some(what) if !force => Err(RepoError::TooWide { path: repo.root, what }),
            _ => Ok(repo),
        }
    }

    /// Like [`Repo::open`], for a file that may not exist yet: starts at its nearest existing folder.
    ///
    /// # Errors
    /// As [`Repo::open`].
    pub fn of_file(file: &Path, force: bool) -> Result<Repo, RepoError> {
        let absolute = std::path::absolute(file).map_err(|e| cannot(file, e))?;
        let folder = absolute.ancestors().find(|f| f.is_dir());
        Repo::open(folder.unwrap_or(Path::new("/")), force)
    }

    /// `folder` is canonical.
    fn around(folder: &Path) -> Result<Repo, RepoError> {
        for dir in folder.ancestors() {
            let dot_git = dir.join(".git");
            if std::fs::symlink_metadata(&dot_git).is_ok() {
                return Ok(Repo { root: dir.to_owned(), dot_git: Some(dot_git) });
            }
        }
        if folder.join("HEAD").is_file() && folder.join("objects").is_dir() && folder.join("refs").is_dir() {
            return Err(RepoError::Bare { path: folder.to_owned() });
        }
        // What somebody once forced for a whole home folder is not the root of all that lies in it.
        let marked = |dir: &&Path| {
            (*dir == folder || too_wide(dir).is_none())
                && (dir.join(FOLDER).is_dir() || dir.join(CONFIG_FILE).is_file())
        };
        let root = folder.ancestors().find(marked).unwrap_or(folder);
        Ok(Repo { root: root.to_owned(), dot_git: None })
    }

    /// The root, absolute, without symbolic links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `.portolan` at the root; it need not exist.
    pub fn folder(&self) -> PathBuf {
        self.root.join(FOLDER)
    }

    /// The file of that name in `.portolan/cache`; it need not exist.
    pub fn cache_file(&self, name: &str) -> PathBuf {
        self.folder().join("cache").join(name)
    }

    /// Whether a `.git` stands at the root (it may still be broken: see [`Repo::git`]).
    pub fn has_git(&self) -> bool {
        self.dot_git.is_some()
    }

    /// The absolute path of a repository path (see [`path`]).
    pub fn absolute(&self, repo_path: &str) -> PathBuf {
        self.root.join(path::to_path(repo_path))
    }

    /// The repository path of an absolute path, if it lies in the repository. The folder part is made canonical
    /// where it exists; the last part is not followed.
    pub fn relative(&self, absolute: &Path) -> Option<String> {
        if let Ok(rest) = absolute.strip_prefix(&self.root)
            && rest.components().all(|c| matches!(c, std::path::Component::Normal(_)))
        {
            return Some(path::from_path(rest));
        }
        let name = absolute.file_name()?;
        let parent = absolute.parent()?.canonicalize().ok()?;
        Some(path::from_path(&parent.strip_prefix(&self.root).ok()?.join(name)))
    }

    /// A path as the graph writes it, from a path relative to the absolute folder `from`, relative to the root, or absolute.
    pub fn resolve(&self, from: &Path, given: &Path) -> String {
        // The folder that the user stands in comes first, the root after it.
        let absolute = [from, self.root()].map(|base| base.join(given));
        let found = absolute.iter().find(|p| p.symlink_metadata().is_ok()).and_then(|p| self.relative(p));
        // A file that is gone may still be in the graph.
        found.or_else(|| self.relative(given)).unwrap_or_else(|| path::from_path(given))
    }

    /// git's data, or `None` without git.
    ///
    /// # Errors
    /// There is a `.git`, but libgit2 cannot open it.
    pub fn git(&self) -> Result<Option<git2::Repository>, RepoError> {
        if self.dot_git.is_none() {
            return Ok(None);
        }
        libgit2_options();
        git2::Repository::open(&self.root).map(Some).map_err(|e| self.git_error(e))
    }

    /// An error of git's with the root.
    pub(crate) fn git_error(&self, source: git2::Error) -> RepoError {
        RepoError::Git { path: self.root.clone(), source }
    }

    /// For a linked worktree, the main work tree's root (if it has one: not for a bare repository).
    pub fn main_worktree(&self) -> Option<PathBuf> {
        let dot_git = self.dot_git.as_deref()?;
        let git_dir = linked_git_dir(dot_git)?;
        let common = std::fs::read_to_string(git_dir.join("commondir")).ok()?;
        let common = git_dir.join(common.trim_end_matches('\n')).canonicalize().ok()?;
        if common.file_name()? != ".git" {
            return None;
        }
        let main = common.parent()?;
        (main != self.root).then(|| main.to_owned())
    }

    /// The roots of the repository's other work trees, sorted.
    pub fn other_worktrees(&self) -> Vec<PathBuf> {
        let main = self.main_worktree();
        let Some(git) = main.as_ref().map(|main| main.join(".git")).or_else(|| self.dot_git.clone()) else {
            return Vec::new();
        };
        let linked = std::fs::read_dir(git.join("worktrees")).into_iter().flatten().filter_map(|entry| {
            let text = std::fs::read_to_string(entry.ok()?.path().join("gitdir")).ok()?;
            Path::new(text.trim_end_matches('\n')).parent()?.canonicalize().ok()
        });
        let mut roots: Vec<PathBuf> = linked.chain(main).filter(|root| *root != self.root).collect();
        roots.sort();
        roots
    }

    /// Whether git tracks anything in `.portolan`: then it came with the repository and is not ours.
    ///
    /// # Errors
    /// git's index cannot be read.
    pub fn folder_is_tracked(&self) -> Result<bool, RepoError> {
        let Some(git) = self.git()? else { return Ok(false) };
        let index = git.index().map_err(|e| self.git_error(e))?;
        let below = format!("{FOLDER}/");
        Ok(index.find_prefix(below.as_str()).is_ok() || index.get_path(Path::new(FOLDER), 0).is_some())
    }

    /// Checks a `.portolan` that is there already: a real folder, this user's, not tracked by git.
    ///
    /// # Errors
    /// [`RepoError::ForeignFolder`], or git's index cannot be read.
    pub fn check_folder(&self) -> Result<(), RepoError> {
        let Ok(meta) = std::fs::symlink_metadata(self.folder()) else { return Ok(()) };
        // A folder that is somebody else's is told without git.
        match why_foreign(&meta, false) {
            None if !self.folder_is_tracked()? => Ok(()),
            why => {
                let why = why.or_else(|| why_foreign(&meta, true)).unwrap_or_default();
                Err(RepoError::ForeignFolder { path: self.folder(), why })
            }
        }
    }
}

/// Why a `.portolan` that was found is not one that this user's Portolan made, if so. `tracked`: git has something in
/// it.
pub(crate) fn why_foreign(folder: &std::fs::Metadata, tracked: bool) -> Option<&'static str> {
    if folder.file_type().is_symlink() {
        return Some("is a symbolic link");
    }
    if !folder.is_dir() {
        return Some("is not a folder");
    }
    // SAFETY: geteuid has no preconditions.
    if folder.uid() != unsafe { libc::geteuid() } {
        return Some("belongs to another user");
    }
    tracked.then_some("is tracked by git, so it came with the repository")
}

/// What a `.git` file (of a worktree, a submodule) points to; `None` for a folder or anything else.
pub(crate) fn linked_git_dir(dot_git: &Path) -> Option<PathBuf> {
    use std::io::Read;
    if !std::fs::symlink_metadata(dot_git).ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    std::fs::File::open(dot_git).ok()?.take(8192).read_to_string(&mut text).ok()?;
    let target = text.strip_prefix("gitdir:")?.trim_start().trim_end_matches(['\n', '\r']);
    Some(dot_git.parent()?.join(target))
}

/// `/` and the home folder are never indexed by accident.
fn too_wide(root: &Path) -> Option<&'static str> {
    if root.parent().is_none() {
        return Some("the root of the file system");
    }
    let home = std::env::var_os("HOME").filter(|h| !h.is_empty())?;
    let home = Path::new(&home).canonicalize().ok()?;
    (home == root).then_some("your home folder")
}

fn cannot(path: &Path, source: std::io::Error) -> RepoError {
    let path = path.to_owned();
    if source.kind() == std::io::ErrorKind::NotFound {
        RepoError::NotFound { path }
    } else {
        RepoError::Unreadable { path, source }
    }
}

/// Process-wide options of libgit2, set once.
fn libgit2_options() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Objects are only read here, and git verified them when it wrote them.
        git2::opts::strict_hash_verification(false);
        // git refuses the repositories of other users since it runs programs that their configuration
        // names. Nothing here runs any, and containers often see a mounted repository of another user.
        // SAFETY: called once, before any repository is opened through this module.
        let _ = unsafe { git2::opts::set_verify_owner_validation(false) };
    });
}
