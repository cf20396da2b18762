//! The lock that the engine itself takes on a graph file, taken without the engine.

use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::path::Path;

use super::{Result, StoreError};

/// Which lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// As the engine takes it to read.
    Shared,
    /// As the engine takes it to write.
    Exclusive,
}

/// A file with the engine's lock on it, until dropped.
#[derive(Debug)]
pub(crate) struct RawLock {
    file: File,
}

impl RawLock {
    /// Takes the lock at once; `None` when another program has it. The caller must have the process's claim to the
    /// file and no engine handle on it: closing this descriptor would drop the engine's lock.
    pub(crate) fn try_take(path: &Path, kind: Kind) -> Result<Option<RawLock>> {
        let file = OpenOptions::new()
            .read(true)
            .write(kind == Kind::Exclusive)
            .open(path)
            .map_err(|e| StoreError::io("open", path, e))?;
        // SAFETY: all zeroes is a valid flock, which is plain data.
        let mut lock: libc::flock = unsafe { std::mem::zeroed() };
        #[allow(clippy::unnecessary_cast)]
        {
            lock.l_type = if kind == Kind::Exclusive { libc::F_WRLCK } else { libc::F_RDLCK } as libc::c_short;
            lock.l_whence = libc::SEEK_SET as libc::c_short;
        }
        // Start 0, length 0: the whole file, as the engine does. A lock of the open file description, where there is
        // one, conflicts with the engine's just the same, and no other descriptor of ours can drop it.
        #[cfg(target_os = "linux")]
        const SET: libc::c_int = libc::F_OFD_SETLK;
        #[cfg(not(target_os = "linux"))]
        const SET: libc::c_int = libc::F_SETLK;
        // SAFETY: the descriptor is open and the pointer is to a live flock of ours.
        if unsafe { libc::fcntl(file.as_raw_fd(), SET, &lock) } == 0 {
            return Ok(Some(RawLock { file }));
        }
        let error = std::io::Error::last_os_error();
        match error.raw_os_error() {
            Some(libc::EAGAIN | libc::EACCES) => Ok(None),
            _ => Err(StoreError::io("lock", path, error)),
        }
    }

    /// The locked file.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }
}
