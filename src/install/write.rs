//! Settings files of other programs, replaced in one step: at any moment the old file is there or the new one, whole.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::store::owner::Owner;

/// What is new is written beside its place under `.portolan-new-OWNER-RANDOM`.
const DRAFT: &str = ".portolan-new-";

/// Larger files are no settings.
const LARGEST: u64 = 256 * 1024 * 1024;

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The operating system said no.
    #[error("cannot {what} {path}: {source}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Its owner does not want it changed.
    #[error("{path} is read-only; make it writable (chmod u+w), or add the entry where the file is generated")]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// Somebody changed it in between.
    #[error("{path} changed while it was edited; run it again")]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    move |source| WriteError::Io { what, path: path.to_owned(), source }
}

/// Where a path leads to through symbolic links, whether something stands there or not.
pub fn target(path: &Path) -> PathBuf {
    let mut at = path.to_owned();
    for _ in 0..40 {
        match fs::read_link(&at) {
            Ok(link) => at = at.parent().unwrap_or(Path::new("/")).join(link),
            Err(_) => break,
        }
    }
    // Folders may be links as well; those that are not there yet are none.
    let mut missing = Vec::new();
    let mut there = at.as_path();
    loop {
        if let Ok(found) = there.canonicalize() {
            return missing.iter().rev().fold(found, |path, name| path.join(name));
        }
        match (there.parent(), there.file_name()) {
            (Some(parent), Some(name)) => {
                missing.push(name);
                there = parent;
            }
            _ => return at.clone(),
        }
    }
}

/// A file's content; `None` when there is none.
///
/// # Errors
/// It cannot be read, is no regular file, or is larger than any settings.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, WriteError> {
    match fs::metadata(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(io("read", path)(e)),
        Ok(meta) if !meta.is_file() => Err(io("read", path)(io::Error::other("it is not a regular file"))),
        Ok(meta) if meta.len() > LARGEST => Err(io("read", path)(io::Error::other("it is larger than 256 MiB"))),
        Ok(_) => fs::read(path).map(Some).map_err(io("read", path)),
    }
}

/// Whether this user may replace the file, or make it.
///
/// # Errors
/// [`WriteError::ReadOnly`], or the folder cannot be written.
pub fn may_replace(path: &Path) -> Result<(), WriteError> {
    if let Ok(meta) = fs::metadata(path)
        && (meta.mode() & 0o222 == 0 || !writable(path))
    {
        return Err(WriteError::ReadOnly { path: path.to_owned() });
    }
    let folder = path.ancestors().skip(1).find(|folder| folder.exists()).unwrap_or(Path::new("/"));
    if !folder.is_dir() {
        return Err(io("write into", folder)(io::Error::other("it is not a folder")));
    }
    let meta = fs::metadata(folder).map_err(io("look at", folder))?;
    if meta.mode() & 0o222 == 0 || !writable(folder) {
        return Err(WriteError::ReadOnly { path: folder.to_owned() });
    }
    Ok(())
}

fn writable(path: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt;
    let Ok(path) = std::ffi::CString::new(path.as_os_str().as_bytes()) else { return false };
    // SAFETY: the path is a string with its NUL, alive during the call.
    unsafe { libc::access(path.as_ptr(), libc::W_OK) == 0 }
}

/// Makes the folders that are missing; they are returned, the outermost first.
///
/// # Errors
/// The file system says no.
pub fn folders(folder: &Path, private: bool) -> Result<Vec<PathBuf>, WriteError> {
    let missing: Vec<&Path> = folder.ancestors().take_while(|f| !f.exists()).collect();
    let mut made = Vec::new();
    for folder in missing.into_iter().rev() {
        let mode = if private { 0o700 } else { 0o777 };
        fs::DirBuilder::new().mode(mode).create(folder).map_err(io("make the folder", folder))?;
        if let Some(parent) = folder.parent() {
            sync(parent)?;
        }
        made.push(folder.to_owned());
    }
    Ok(made)
}

/// Puts `new` in the place of `old` (`None`: there is no file): same permissions and owner, on the disk when this
/// returns. Another content than `old` is not overwritten.
///
/// # Errors
/// [`WriteError`]; the file is as it was.
pub fn replace(path: &Path, old: Option<&[u8]>, new: &[u8], mode: u32) -> Result<(), WriteError> {
    may_replace(path)?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    clear_dead(folder);
    let meta = fs::metadata(path).ok();
    let mode = meta.as_ref().map_or(mode, |m| m.mode() & 0o7777);
    let mut draft = tempfile::Builder::new()
        .prefix(&format!("{DRAFT}{}-", Owner::this_process()))
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder)
        .map_err(io("write into", folder))?;
    draft.write_all(new).map_err(io("write", path))?;
    if let Some(meta) = meta {
        // The user's mask has no say in what was there; somebody else's file stays theirs where we may say so.
        draft.as_file().set_permissions(Permissions::from_mode(mode)).map_err(io("write", path))?;
        let _ = std::os::unix::fs::fchown(draft.as_file(), Some(meta.uid()), Some(meta.gid()));
    }
    draft.as_file().sync_all().map_err(io("write", path))?;
    if read(path)?.as_deref() != old {
        return Err(WriteError::Changed { path: path.to_owned() });
    }
    if old.is_some() {
        draft.persist(path).map_err(|e| io("replace", path)(e.error))?;
    } else {
        draft.persist_noclobber(path).map_err(|e| match e.error.kind() {
            io::ErrorKind::AlreadyExists => WriteError::Changed { path: path.to_owned() },
            _ => io("write", path)(e.error),
        })?;
    }
    sync(folder)
}

/// Removes a file that still holds `old`.
///
/// # Errors
/// [`WriteError`]; the file is as it was.
pub fn remove(path: &Path, old: &[u8]) -> Result<(), WriteError> {
    may_replace(path)?;
    if read(path)?.as_deref() != Some(old) {
        return Err(WriteError::Changed { path: path.to_owned() });
    }
    fs::remove_file(path).map_err(io("remove", path))?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    clear_dead(folder);
    sync(folder)
}

fn sync(folder: &Path) -> Result<(), WriteError> {
    File::open(folder).and_then(|f| f.sync_all()).map_err(io("sync", folder))
}

/// What killed processes left in a folder.
pub fn dead_drafts(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let is_dead = |name: &str| {
        let owner = name.strip_prefix(DRAFT).and_then(|rest| rest.rsplit_once('-')).map(|(owner, _)| owner);
        owner.and_then(Owner::parse).is_some_and(|owner| owner.is_dead())
    };
    entries.flatten().filter(|e| e.file_name().to_str().is_some_and(is_dead)).map(|e| e.path()).collect()
}

/// Removes what killed processes left in a folder. Failing is no error.
pub fn clear_dead(folder: &Path) {
    for draft in dead_drafts(folder) {
        let _ = fs::remove_file(draft);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_wrote_in_between_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("settings.json");
        fs::write(&file, "new").unwrap();
        for old in [None, Some(b"old".as_slice())] {
            let error = replace(&file, old, b"ours", 0o600).unwrap_err();
            assert!(matches!(error, WriteError::Changed { .. }), "{error}");
        }
        assert!(matches!(remove(&file, b"old").unwrap_err(), WriteError::Changed { .. }));
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_path_is_followed_through_links_to_what_is_not_there_yet() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir(root.join("real")).unwrap();
        std::os::unix::fs::symlink("real", root.join("folder")).unwrap();
        std::os::unix::fs::symlink("folder/a.json", root.join("file")).unwrap();
        assert_eq!(target(&root.join("file")), root.join("real/a.json"));
        assert_eq!(target(&root.join("folder/x/y.json")), root.join("real/x/y.json"));
        std::os::unix::fs::symlink("loop", root.join("loop")).unwrap();
        assert!(read(&target(&root.join("loop"))).is_err());
    }
}
