//! Room on the disk, asked before the engine writes: an engine that meets a full disk while it writes its log ends the
//! whole process (an exception leaves a destructor), which no error handling can catch.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::layout::wal_of;
use super::{Result, StoreError};

/// What a transaction may write, in bytes.
pub(crate) const FOR_TRANSACTION: u64 = 4 << 20;

/// What folding in the log may write.
pub(crate) const FOR_CHECKPOINT: u64 = 16 << 20;

/// Checks that `bytes` can still be written beside and into a graph file.
///
/// # Errors
/// [`StoreError::DiskFull`].
pub(crate) fn check(graph: &Path, bytes: u64) -> Result<()> {
    let full = || StoreError::DiskFull { action: "write", path: graph.to_owned() };
    let folder = graph.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if available(folder).is_some_and(|available| available < bytes) {
        return Err(full());
    }
    let length = |path: &Path| std::fs::metadata(path).map_or(0, |m| m.len());
    let longest = length(graph).max(length(&wal_of(graph)));
    if file_size_limit().is_some_and(|limit| longest.saturating_add(bytes) > limit) {
        return Err(full());
    }
    Ok(())
}

/// Bytes that this user may still write to the file system; `None` when it does not say.
fn available(folder: &Path) -> Option<u64> {
    let folder = CString::new(folder.as_os_str().as_bytes()).ok()?;
    // SAFETY: all zeroes is a valid statvfs, which is plain data.
    let mut stat: libc::statvfs = unsafe { std::mem::zeroed() };
    // SAFETY: the path ends in NUL, and the pointer is to a live statvfs of ours.
    if unsafe { libc::statvfs(folder.as_ptr(), &mut stat) } != 0 || stat.f_blocks == 0 {
        return None;
    }
    #[allow(clippy::useless_conversion, clippy::unnecessary_cast)]
    Some((stat.f_bavail as u64).saturating_mul(stat.f_frsize as u64))
}

/// The longest file that this process may write.
fn file_size_limit() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is to a live rlimit of ours.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) } == 0;
    (known && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
}
