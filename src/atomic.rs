//! Files that are replaced in one step: whoever opens one sees the old content or the new one, whole.
//!
//! What is new is written beside its place, under a name that tells the process that writes it, so that two never
//! write into one file, and what a killed one left can be told from what a live one needs.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::NamedTempFile;

use crate::owner::Owner;

/// Drafts are called `.new-OWNER-RANDOM`.
const PREFIX: &str = ".new-";

/// A file on its way; gone again when dropped before it was put in its place.
#[derive(Debug)]
pub(crate) struct Draft {
    out: BufWriter<NamedTempFile>,
    place: PathBuf,
}

impl Draft {
    /// An empty one that is to replace `place`. It has the permissions of what stands there; else only this user can
    /// read it.
    pub(crate) fn of(place: &Path) -> io::Result<Draft> {
        static OWNER: OnceLock<String> = OnceLock::new();
        let owner = OWNER.get_or_init(|| Owner::this_process().to_string());
        let mode = match fs::symlink_metadata(place) {
            Ok(meta) if meta.is_file() => meta.permissions().mode() & 0o777,
            _ => 0o600,
        };
        let file = tempfile::Builder::new()
            .prefix(&format!("{PREFIX}{owner}-"))
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(folder_of(place))?;
        Ok(Draft { out: BufWriter::with_capacity(1 << 18, file), place: place.to_owned() })
    }

    /// Puts it in its place. A power cut may leave the new name with torn content: for what a checksum guards.
    pub(crate) fn put(self) -> io::Result<()> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.persist(&self.place).map(drop).map_err(|e| e.error)
    }

    /// The same, and it is on the disk.
    pub(crate) fn put_durably(self) -> io::Result<()> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(&self.place).map_err(|e| e.error)?;
        File::open(folder_of(&self.place))?.sync_all()
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Replaces a file's content as [`Draft::put`] does.
pub(crate) fn write(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = Draft::of(place)?;
    draft.write_all(bytes)?;
    draft.put()
}

/// Replaces a file's content as [`Draft::put_durably`] does.
pub(crate) fn write_durably(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = Draft::of(place)?;
    draft.write_all(bytes)?;
    draft.put_durably()
}

/// Removes what killed processes left in a folder. Failing is no error.
pub(crate) fn clear_dead(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|n| n.strip_prefix(PREFIX)).and_then(|n| n.split('-').next());
        if owner.and_then(Owner::parse).is_some_and(|owner| owner.is_dead()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn folder_of(place: &Path) -> &Path {
    place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn permissions_stay_and_new_files_are_private() {
        let folder = tempfile::tempdir().unwrap();
        let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
        write(&folder.path().join("new"), b"1").unwrap();
        fs::write(folder.path().join("old"), "0").unwrap();
        fs::set_permissions(folder.path().join("old"), Permissions::from_mode(0o640)).unwrap();
        write_durably(&folder.path().join("old"), b"1").unwrap();
        assert_eq!((mode("new"), mode("old")), (0o600, 0o640));
        assert_eq!(fs::read(folder.path().join("old")).unwrap(), b"1");
        assert_eq!(names(folder.path()), ["new", "old"]);
    }

    #[test]
    fn only_drafts_of_the_dead_are_cleared() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("x");
        let ours = Draft::of(&place).unwrap();
        let mut dead = std::process::Command::new("true").spawn().unwrap();
        dead.wait().unwrap();
        let gone = format!("{PREFIX}{}_1_b_n_r-abc", dead.id());
        for name in [&gone, ".new-x", ".newer"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        clear_dead(folder.path());
        let left = names(folder.path());
        assert!(left.len() == 3 && !left.contains(&gone), "{left:?}");
        drop(ours);
        assert_eq!(names(folder.path()), [".new-x", ".newer"]);
    }
}
