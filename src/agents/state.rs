//! What hooks of one session remember between two calls, without the graph: losing it costs a repeated line, no more.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use fs2::FileExt;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::clock::Moment;
use super::learn::Failed;
use super::owner::Owner;
use super::tally::{CALL_MS, SILENT_MS};
use crate::store::Layout;

const FOLDER: &str = "sessions";
const PAUSE: Duration = Duration::from_micros(200);
/// A file of a session that has been silent for so long goes, in seconds.
const KEPT: u64 = 3 * 86_400;

/// A session of another work tree that was silent for longer is not spoken of.
const ELSEWHERE: Duration = Duration::from_secs(3600);

/// The memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Whose it is, as messages name it.
    pub owner: String,
    /// Places of maps that were given.
    pub places: BTreeSet<String>,
    /// Files about which news was given.
    pub news: BTreeSet<String>,
    /// Files that it edited.
    pub edited: BTreeSet<String>,
    /// Claimed files: hash of the content that the session is known to have left, and the sub-agent.
    pub claimed: BTreeMap<String, Claimed>,
    /// Commands that failed.
    pub failed: Vec<Failed>,
    /// Once a session: the graph cannot be used.
    pub told: bool,
    /// About when its newest event was, milliseconds since the boot.
    pub seen: i64,
    /// Which boot.
    pub boot: String,
    /// Hashes of events without an id, and when each was told first, milliseconds since the boot.
    pub told_at: BTreeMap<u64, i64>,
}

impl State {
    /// When an event with this hash was told first, if that is some seconds ago at most: then it is told twice. Else now.
    pub fn first_told(&mut self, hash: u64, now: &Moment) -> i64 {
        const DOUBLES_MS: i64 = 10_000;
        self.told_at.retain(|_, at| (0..DOUBLES_MS).contains(&(now.tick - *at)));
        *self.told_at.entry(hash).or_insert(now.tick)
    }

    /// Claims end in silence: what happened to their files since is not this session's doing.
    pub fn lapse(&mut self, now: &Moment) {
        /// Closer moments are the same here, which spares writing the file at each event.
        const ABOUT_MS: i64 = 30_000;
        let silent = if self.boot == now.boot { now.tick - self.seen } else { i64::MAX };
        let under_way = self.claimed.values().any(|claimed| claimed.open);
        if silent > CALL_MS || (silent > SILENT_MS && !under_way) {
            self.claimed.clear();
        }
        if silent > ABOUT_MS {
            self.seen = now.tick;
            self.boot.clone_from(&now.boot);
        }
    }
}

/// A claimed file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claimed {
    /// Of its content.
    pub hash: String,
    /// The sub-agent that has it, or empty.
    #[serde(default)]
    pub agent: String,
    /// An edit is under way: a change is expected.
    #[serde(default)]
    pub open: bool,
}

/// The file, locked until dropped.
#[derive(Debug)]
pub struct Held {
    file: File,
    /// What it says; written back by [`Held::save`].
    pub state: State,
    before: State,
}

fn path(layout: &Layout, owner: &Owner) -> PathBuf {
    layout.dir().join(FOLDER).join(format!("{:016x}.json", xxh3_64(owner.key().as_bytes())))
}

/// Opens and locks a session's memory; `None` when it cannot be had within `wait`.
pub fn hold(layout: &Layout, owner: &Owner, wait: Duration) -> Option<Held> {
    let deadline = Instant::now() + wait;
    let path = path(layout, owner);
    let open = || {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        options.custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC).open(&path)
    };
    let mut file = match open() {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            Layout::private_dir(path.parent()?).ok()?;
            open().ok()?
        }
        file => file.ok()?,
    };
    while FileExt::try_lock_exclusive(&file).is_err() {
        if Instant::now() >= deadline {
            return None;
        }
        std::thread::sleep(PAUSE);
    }
    let mut text = Vec::new();
    file.read_to_end(&mut text).ok()?;
    let state: State = serde_json::from_slice(&text).unwrap_or_default();
    Some(Held { file, before: state.clone(), state })
}

impl Held {
    /// Writes it back when it changed.
    pub fn save(mut self) {
        if self.state == self.before {
            return;
        }
        let text = serde_json::to_vec(&self.state).unwrap_or_default();
        // A torn file reads as empty.
        let _ = self.file.seek(SeekFrom::Start(0));
        let _ = self.file.set_len(0).and_then(|()| self.file.write_all(&text));
    }
}

/// Who has claimed one of these files in another work tree, by what its sessions remember: (path, owner's name).
pub fn claimed_in(layout: &Layout, paths: &[String]) -> Option<(String, String)> {
    let entries = std::fs::read_dir(layout.dir().join(FOLDER)).ok()?;
    for entry in entries.filter_map(Result::ok) {
        let age = entry.metadata().and_then(|m| m.modified()).ok().and_then(|at| at.elapsed().ok());
        if age.is_none_or(|age| age > ELSEWHERE) {
            continue;
        }
        let state: State = match std::fs::read(entry.path()) {
            Ok(text) => serde_json::from_slice(&text).unwrap_or_default(),
            Err(_) => continue,
        };
        if let Some(path) = paths.iter().find(|path| state.claimed.contains_key(*path)) {
            return Some((path.clone(), state.owner));
        }
    }
    None
}

/// Empties a session's memory but for what tells that its end is told twice, and removes that of sessions that have long
/// been silent.
pub fn forget(layout: &Layout, owner: &Owner, wait: Duration) {
    if let Some(mut held) = hold(layout, owner, wait) {
        let told_at = std::mem::take(&mut held.state.told_at);
        held.state = State { told_at, ..State::default() };
        held.save();
    }
    let Ok(entries) = std::fs::read_dir(layout.dir().join(FOLDER)) else { return };
    for entry in entries.filter_map(Result::ok) {
        let age = entry.metadata().and_then(|m| m.modified()).ok().and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age.as_secs() > KEPT) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_that_is_told_again_within_ten_seconds_is_the_same_wherever_they_begin() {
        let at = |tick| Moment { wall: 0, tick, boot: "b".into() };
        for begin in [1, 9_999, 10_000, 19_995] {
            let mut state = State::default();
            assert_eq!(state.first_told(7, &at(begin)), begin);
            assert_eq!(state.first_told(7, &at(begin + 9_999)), begin);
            assert_eq!(state.first_told(8, &at(begin + 9_999)), begin + 9_999, "another event");
            assert_eq!(state.first_told(7, &at(begin + 10_000)), begin + 10_000, "a call that is repeated later");
            assert_eq!(state.told_at.len(), 2);
            assert_eq!(state.first_told(7, &at(3 - begin)), 3 - begin, "after a boot");
        }
    }
}
