//! Claims that are asked for outright, and not by an edit: from a command line or through a tool.

use std::path::Path;
use std::time::Duration;

use super::area::is_pattern;
use super::claim::{Ask, Claim, Outcome, claim, release};
use super::clock::Moment;
use super::error::AgentsError;
use super::journal::Journal;
use super::lesson::{self, Lesson};
use super::owner::Owner;
use super::record::{Kind, Record};
use super::within;
use crate::repo::Repo;
use crate::store::Store;

/// How long an entry of the journal waits for its turn.
const JOURNAL: Duration = Duration::from_secs(1);

/// Paths as the graph writes them, from paths relative to the absolute folder `from` or to the root; folders end with a
/// slash, patterns stay as they are. Sorted, each once.
///
/// # Errors
/// [`AgentsError::Outside`].
pub fn wanted(repo: &Repo, from: &Path, paths: &[impl AsRef<Path>]) -> Result<Vec<String>, AgentsError> {
    let one = |path: &Path| {
        let text = path.to_string_lossy();
        if is_pattern(text.trim_end_matches('/')) && !from.join(path).exists() {
            return Ok(text.trim_start_matches("./").to_owned());
        }
        let places = [from, repo.root()].map(|base| base.join(path));
        let found = places.iter().find_map(|place| within(repo, place));
        let outside =
            || AgentsError::Outside { path: text.clone().into_owned(), root: repo.root().display().to_string() };
        let found = found.ok_or_else(outside)?;
        let is_folder = text.ends_with('/') || places.iter().any(|place| place.is_dir());
        Ok(if is_folder { format!("{}/", found.trim_end_matches('/')) } else { found })
    };
    let mut wanted = paths.iter().map(|path| one(path.as_ref())).collect::<Result<Vec<String>, AgentsError>>()?;
    wanted.sort();
    wanted.dedup();
    Ok(wanted)
}

/// An entry of this moment.
fn note(owner: &Owner, kind: Kind) -> Record {
    let now = Moment::now();
    let unique = format!("{}-{}", std::process::id(), now.tick);
    Record::new(owner, kind, now, &unique)
}

/// [`claim`], with a note of it in the journal.
///
/// # Errors
/// As [`claim`].
pub fn claim_by_hand(store: &Store, ask: &Ask<'_>, wait: Duration) -> Result<Outcome, AgentsError> {
    let mut record = note(ask.owner, Kind::Claim);
    record.paths = ask.paths.to_vec();
    record.process = ask.process.to_owned();
    Journal::of(store.layout()).append(&record, JOURNAL)?;
    claim(store, ask, wait)
}

/// [`release`], with a note of it in the journal.
///
/// # Errors
/// As [`release`].
pub fn release_by_hand(
    store: &Store,
    owner: &Owner,
    paths: &[String],
    force: bool,
    wait: Duration,
) -> Result<Vec<Claim>, AgentsError> {
    let gone = release(store, owner, paths, force, wait)?;
    if !gone.is_empty() {
        let mut record = note(owner, Kind::Release);
        record.paths = gone.iter().map(|claim| claim.path.clone()).collect();
        Journal::of(store.layout()).append(&record, JOURNAL)?;
    }
    Ok(gone)
}

/// [`lesson::learn`], with a note of it in the journal.
///
/// # Errors
/// As [`lesson::learn`].
pub fn learn_by_hand(
    store: &Store,
    owner: &Owner,
    words: &str,
    about: Option<&str>,
    process: &str,
    wait: Duration,
) -> Result<Lesson, AgentsError> {
    let mut record = note(owner, Kind::Other);
    record.process = process.to_owned();
    Journal::of(store.layout()).append(&record, JOURNAL)?;
    lesson::learn(store, owner, words, about, wait)
}
