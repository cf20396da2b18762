//! Real repositories in temporary folders, made by the git binary.

use std::cell::Cell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use portolan::repo::Repo;

/// A folder that goes with the value.
pub struct Fixture {
    _temporary: tempfile::TempDir,
    /// The repository's root.
    pub root: PathBuf,
    /// Seconds since the epoch of the next commit.
    clock: Cell<i64>,
}

impl Fixture {
    /// A folder without git.
    pub fn plain() -> Fixture {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let root = temporary.path().canonicalize().expect("its path").join("repo");
        std::fs::create_dir(&root).expect("the root");
        Fixture { _temporary: temporary, root, clock: Cell::new(1_700_000_000) }
    }

    /// A git repository without a commit.
    pub fn git() -> Fixture {
        let fixture = Fixture::plain();
        fixture.run(&["init", "-q", "-b", "main", "."]);
        fixture
    }

    /// A folder beside the root.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.root.parent().expect("a parent").join(name)
    }

    /// The repository at the root.
    pub fn repo(&self) -> Repo {
        Repo::open(&self.root, false).expect("a repository")
    }

    /// Writes a file, and the folders above it.
    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> &Self {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, content).expect("a file");
        self
    }

    /// Runs git at the root and returns its output.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> String {
        git(&self.root, self.clock.get(), "Ann", "ann@example.org", arguments)
    }

    /// Commits all there is, an hour after the last commit; returns the hash.
    pub fn commit(&self, message: &str) -> String {
        self.commit_as("Ann", "ann@example.org", message)
    }

    /// Like [`Fixture::commit`], by somebody else.
    pub fn commit_as(&self, name: &str, email: &str, message: &str) -> String {
        self.clock.set(self.clock.get() + 3600);
        self.run(&["add", "-A"]);
        git(&self.root, self.clock.get(), name, email, &["commit", "-q", "--allow-empty", "-m", message]);
        self.run(&["rev-parse", "HEAD"]).trim().to_owned()
    }
}

/// Runs git in a folder with nothing of this machine's configuration.
pub fn git<S: AsRef<OsStr>>(folder: &Path, at: i64, name: &str, email: &str, arguments: &[S]) -> String {
    let output = Command::new("git")
        .args(["-c", "protocol.file.allow=always", "-c", "advice.detachedHead=false"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE")
        .envs([("GIT_AUTHOR_NAME", name), ("GIT_COMMITTER_NAME", name)])
        .envs([("GIT_AUTHOR_EMAIL", email), ("GIT_COMMITTER_EMAIL", email)])
        .envs([("GIT_AUTHOR_DATE", format!("@{at} +0000")), ("GIT_COMMITTER_DATE", format!("@{at} +0000"))])
        .output()
        .expect("git runs");
    assert!(output.status.success(), "git: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
