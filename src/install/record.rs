//! What was made beside the entries themselves, so that leaving gives every file back as it was. It names files and
//! holds white space, nothing of what stands in them. Without it our entries are still found and taken out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::edit::Made;
use super::write::{self, WriteError};
use super::{Machine, Role};

/// All that is installed on this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// The version of this file's format.
    format: u32,
    /// Per file.
    pub files: BTreeMap<PathBuf, FileRecord>,
    /// Folders that were made, for files and for this record.
    pub folders: BTreeSet<PathBuf>,
}

/// What was done to one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileRecord {
    /// There was none before.
    pub created: bool,
    /// The repository it belongs to; none for the user's own files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<PathBuf>,
    /// For whom what is in it.
    pub roles: BTreeMap<Role, BTreeSet<String>>,
    /// What was made in it; unknown when our entries were there already without a record.
    pub made: Option<Made>,
}

const FORMAT: u32 = 1;

impl Record {
    /// Reads it; an empty one when there is none, or none that can be read.
    pub fn load(machine: &Machine) -> Record {
        let Ok(bytes) = std::fs::read(path(machine)) else { return Record::default() };
        match serde_json::from_slice::<Record>(&bytes) {
            Ok(record) if record.format == FORMAT => record,
            _ => {
                tracing::warn!(path = %path(machine).display(), "the record of what was installed cannot be read");
                Record::default()
            }
        }
    }

    /// Writes it, or removes it when nothing is installed any more.
    ///
    /// # Errors
    /// The file system says no.
    pub fn save(&mut self, machine: &Machine) -> Result<(), WriteError> {
        let path = path(machine);
        let old = write::read(&path)?;
        if self.files.is_empty() {
            if let Some(old) = old {
                write::remove(&path, &old)?;
            }
            self.remove_folders();
            return Ok(());
        }
        self.format = FORMAT;
        let folder = path.parent().unwrap_or(Path::new("/"));
        self.folders.extend(write::folders(folder, true)?);
        let mut new = serde_json::to_vec_pretty(self).unwrap_or_default();
        new.push(b'\n');
        if old.as_deref() == Some(&new) { Ok(()) } else { write::replace(&path, old.as_deref(), &new, 0o600) }
    }
}

impl Record {
    /// Removes the folders that are empty, from the innermost outwards. Those with files stay recorded: an agent that
    /// leaves later empties them.
    pub fn remove_folders(&mut self) {
        let mut folders: Vec<&PathBuf> = self.folders.iter().collect();
        folders.sort_by_key(|f| std::cmp::Reverse(f.components().count()));
        for folder in folders {
            write::clear_dead(folder);
            // Anybody's file in it keeps it.
            let _ = std::fs::remove_dir(folder);
        }
        self.folders.retain(|folder| folder.is_dir());
    }
}

/// Where the record lies.
pub fn path(machine: &Machine) -> PathBuf {
    machine.state_home().join("portolan/install.json")
}
