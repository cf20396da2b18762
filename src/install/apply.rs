//! Writing what was planned.

use std::path::{Path, PathBuf};

use super::plan::{Change, Plan};
use super::write::{self, WriteError};
use super::{Machine, Place, Scope};

/// What came of it.
#[derive(Debug, Default)]
pub struct Done {
    /// Files that were written or removed.
    pub written: Vec<PathBuf>,
    /// Files that could not be.
    pub failed: Vec<(PathBuf, WriteError)>,
}

impl Done {
    /// Whether a file was left since somebody else wrote it in between.
    pub fn is_overtaken(&self) -> bool {
        self.failed.iter().any(|(_, error)| matches!(error, WriteError::Changed { .. }))
    }
}

/// Writes the files of an installation. The record goes first: what a crash leaves half done can be undone.
///
/// # Errors
/// The record cannot be written: nothing was changed.
pub fn install(place: Place<'_>, plan: &mut Plan) -> Result<Done, WriteError> {
    plan.record.save(place.machine)?;
    let mut done = Done::default();
    for change in &plan.changes {
        note(&mut done, &change.file, put(change, place.scope() == Scope::User));
    }
    Ok(done)
}

/// Takes the entries out. The record goes last, and keeps what could not be taken out.
///
/// # Errors
/// The record cannot be written.
pub fn remove(machine: &Machine, plan: &mut Plan) -> Result<Done, WriteError> {
    let mut done = Done::default();
    let before = super::record::Record::load(machine);
    for change in &plan.changes {
        note(&mut done, &change.file, put(change, true));
        if done.failed.last().is_some_and(|(file, _)| *file == change.file)
            && let Some(file) = before.files.get(&change.target)
        {
            plan.record.files.insert(change.target.clone(), file.clone());
        }
    }
    plan.record.remove_folders();
    plan.record.save(machine)?;
    Ok(done)
}

fn put(change: &Change, private: bool) -> Result<(), WriteError> {
    match (&change.before, &change.after) {
        (before, Some(after)) => {
            write::folders(change.target.parent().unwrap_or(Path::new("/")), private)?;
            write::replace(&change.target, before.as_deref(), after, change.mode)
        }
        (Some(before), None) => write::remove(&change.target, before),
        (None, None) => Ok(()),
    }
}

fn note(done: &mut Done, file: &Path, result: Result<(), WriteError>) {
    match result {
        Ok(()) => done.written.push(file.to_owned()),
        Err(error) => done.failed.push((file.to_owned(), error)),
    }
}
