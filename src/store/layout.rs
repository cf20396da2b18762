//! The folder `.portolan` and the files in it.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::{Result, StoreError};
use crate::repo::why_foreign;

/// Paths under `<root>/.portolan/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    root: PathBuf,
    dir: PathBuf,
}

impl Layout {
    /// Paths only; nothing is looked at or made.
    pub fn at(root: &Path) -> Self {
        Layout { root: root.to_owned(), dir: root.join(".portolan") }
    }

    /// Checks the folder if it exists. `tracked`: git tracks something in it (the caller asks git).
    ///
    /// # Errors
    /// [`StoreError::Refused`] for a link, a folder of another user, or one that came with the repository.
    pub fn open(root: &Path, tracked: bool) -> Result<Self> {
        let layout = Self::at(root);
        match fs::symlink_metadata(&layout.dir) {
            Ok(meta) => layout.accept(&meta, tracked)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(StoreError::io("look at", &layout.dir, error)),
        }
        Ok(layout)
    }

    /// Makes the folder (0700) with its `.gitignore`, or accepts the one that is there.
    ///
    /// # Errors
    /// As [`Layout::open`], and what the file system says.
    pub fn create(root: &Path, tracked: bool) -> Result<Self> {
        let layout = Self::at(root);
        match DirBuilder::new().mode(0o700).create(&layout.dir) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(StoreError::io("create", &layout.dir, error)),
        }
        let meta = fs::symlink_metadata(&layout.dir).map_err(|e| StoreError::io("look at", &layout.dir, e))?;
        layout.accept(&meta, tracked)?;
        if meta.mode() & 0o077 != 0 {
            fs::set_permissions(&layout.dir, Permissions::from_mode(0o700))
                .map_err(|e| StoreError::io("close to other users", &layout.dir, e))?;
        }
        let ignore = layout.dir.join(".gitignore");
        match OpenOptions::new().write(true).create_new(true).open(&ignore) {
            Ok(mut file) => file.write_all(b"*\n").map_err(|e| StoreError::io("write", &ignore, e))?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(StoreError::io("write", &ignore, error)),
        }
        Ok(layout)
    }

    fn accept(&self, meta: &fs::Metadata, tracked: bool) -> Result<()> {
        match why_foreign(meta, tracked) {
            None => Ok(()),
            Some(why) => {
                let reason = format!("it {why}; look into it, then remove it (git rm -r --cached, rm -r)");
                Err(StoreError::Refused { path: self.dir.clone(), reason })
            }
        }
    }

    /// The repository's root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `.portolan` itself.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The graph, one Kuzu file.
    pub fn graph(&self) -> PathBuf {
        self.dir.join("graph.kuzu")
    }

    /// The lock that decides who reads and who writes.
    pub fn gate(&self) -> PathBuf {
        self.dir.join("gate")
    }

    /// The lock that makes the queue.
    pub fn turn(&self) -> PathBuf {
        self.dir.join("gate.turn")
    }

    /// Events that are not yet in the graph.
    pub fn journal(&self) -> PathBuf {
        self.dir.join("journal")
    }

    /// The second copy of agents' memory.
    pub fn memory(&self) -> PathBuf {
        self.dir.join("memory.jsonl")
    }

    /// What the graph's log was when it was last closed.
    pub fn seal(&self) -> PathBuf {
        self.dir.join("graph.seal")
    }

    /// What hooks did.
    pub fn log(&self) -> PathBuf {
        self.dir.join("log")
    }

    /// Derived data beside the graph, each file rebuildable.
    pub fn cache(&self) -> PathBuf {
        self.dir.join("cache")
    }

    /// A graph that `owner` built and did not yet swap in; `owner` is made safe for a file name.
    pub fn build(&self, owner: &str) -> PathBuf {
        self.dir.join(format!("graph.kuzu.build-{}", file_name(owner)))
    }

    /// The same while it is not complete.
    pub fn part(&self, owner: &str) -> PathBuf {
        self.dir.join(format!("graph.kuzu.part-{}", file_name(owner)))
    }

    /// Makes a folder for this user alone.
    pub fn private_dir(path: &Path) -> Result<()> {
        match DirBuilder::new().mode(0o700).recursive(true).create(path) {
            Ok(()) => Ok(()),
            Err(e) => Err(StoreError::io("create", path, e)),
        }
    }

    /// Renames a WAL or shadow file that lies without its graph aside, so that the engine does not replay it
    /// into another file. Under the exclusive gate, when there is no graph file.
    pub(crate) fn set_aside_orphans(&self) -> Result<()> {
        for suffix in ["wal", "shadow"] {
            set_aside(&self.dir.join(format!("graph.kuzu.{suffix}")))?;
        }
        Ok(())
    }
}

/// The path of the write-ahead log of a graph file.
pub(crate) fn wal_of(graph: &Path) -> PathBuf {
    with_suffix(graph, ".wal")
}

/// The path of the shadow file of a graph file.
pub(crate) fn shadow_of(graph: &Path) -> PathBuf {
    with_suffix(graph, ".shadow")
}

pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Renames `path` to the first free `path.aside-N`; nothing to do when it is not there.
pub(crate) fn set_aside(path: &Path) -> Result<Option<PathBuf>> {
    if let Err(error) = fs::symlink_metadata(path) {
        return match error.kind() {
            io::ErrorKind::NotFound => Ok(None),
            _ => Err(StoreError::io("look at", path, error)),
        };
    }
    for n in 1.. {
        let aside = with_suffix(path, &format!(".aside-{n}"));
        if fs::symlink_metadata(&aside).is_err() {
            fs::rename(path, &aside).map_err(|e| StoreError::io("set aside", path, e))?;
            return Ok(Some(aside));
        }
    }
    Ok(None)
}

/// Makes renames and new names in a folder durable.
pub(crate) fn sync_dir(dir: &Path) -> Result<()> {
    File::open(dir).and_then(|d| d.sync_all()).map_err(|e| StoreError::io("sync", dir, e))
}

fn file_name(owner: &str) -> String {
    owner.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' }).collect()
}
