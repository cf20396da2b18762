//! One engine handle per file per process: the engine's fcntl locks belong to the process, so a second handle would
//! not be refused but corrupt the file, and closing any descriptor of it would drop the first one's lock.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

static TAKEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
static FREED: Condvar = Condvar::new();

/// The right of this process to touch one graph file, until dropped.
#[derive(Debug)]
pub(crate) struct Claim {
    key: PathBuf,
}

impl Claim {
    /// Waits until no other thread of this process uses the file; `None` at the deadline.
    pub(crate) fn take(path: &Path, deadline: Instant) -> Option<Claim> {
        let key = key(path);
        let mut taken = lock();
        while !taken.insert(key.clone()) {
            let left = deadline.checked_duration_since(Instant::now())?;
            (taken, _) = FREED.wait_timeout(taken, left).unwrap_or_else(PoisonError::into_inner);
        }
        Some(Claim { key })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        lock().remove(&self.key);
        FREED.notify_all();
    }
}

fn lock() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The real path of the folder and the file's name: the same for every way of writing it, also before the file exists.
fn key(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    folder.join(path.file_name().unwrap_or_default())
}
