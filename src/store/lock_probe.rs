//! Both kinds of lock that guard a graph, taken on files made for that, to see whether they hold between processes.

use std::fs::{File, OpenOptions};
use std::path::Path;

use fs2::FileExt;

use super::raw_lock::{Kind, RawLock};
use super::{Result, StoreError};

const FLOCK: &str = "flock";
const FCNTL: &str = "fcntl";

/// Both locks, until dropped.
#[derive(Debug)]
pub struct Held {
    _flock: File,
    _fcntl: RawLock,
}

/// Which of the locks could be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The gate's kind.
    pub flock: bool,
    /// The engine's kind.
    pub fcntl: bool,
}

/// Takes both on files in `folder`, which are made.
///
/// # Errors
/// The files cannot be made, or a lock is taken already.
pub fn hold(folder: &Path) -> Result<Held> {
    let (path, taken) = (folder.join(FLOCK), || std::io::Error::other("it is locked already"));
    let file = open(&path)?;
    FileExt::try_lock_exclusive(&file).map_err(|e| StoreError::io("lock", &path, e))?;
    let path = folder.join(FCNTL);
    open(&path)?;
    let raw = RawLock::try_take(&path, Kind::Exclusive)?.ok_or_else(|| StoreError::io("lock", &path, taken()))?;
    Ok(Held { _flock: file, _fcntl: raw })
}

/// Tries both, without waiting, and gives them back.
///
/// # Errors
/// The files cannot be opened.
pub fn try_take(folder: &Path) -> Result<Tried> {
    let file = open(&folder.join(FLOCK))?;
    let flock = FileExt::try_lock_exclusive(&file).is_ok();
    let fcntl = RawLock::try_take(&folder.join(FCNTL), Kind::Exclusive)?.is_some();
    Ok(Tried { flock, fcntl })
}

fn open(path: &Path) -> Result<File> {
    let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    options.map_err(|e| StoreError::io("open", path, e))
}
