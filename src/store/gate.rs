//! The queue in front of the graph: many readers or one writer across processes, fair, with a deadline.
//!
//! flock neither queues nor times out, and a stream of readers starves a writer. So everyone takes
//! `gate.turn` exclusive, then `gate` (shared or exclusive), then frees the turn: whoever waits for the
//! gate holds the turn, and later arrivals queue behind it. Both files stay for ever; locks die with
//! their process.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fs2::FileExt;

use super::{Layout, Result, StoreError};

/// How the gate is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateMode {
    /// To read, beside other readers.
    Shared,
    /// To write, alone.
    Exclusive,
}

/// A held gate; dropping it lets the next one in.
#[derive(Debug)]
pub struct Gate {
    /// `None` on a read-only file system, where nobody writes and readers need no gate.
    file: Option<File>,
    mode: GateMode,
}

const FIRST_PAUSE: Duration = Duration::from_micros(200);
const LONGEST_PAUSE: Duration = Duration::from_millis(4);

impl Gate {
    /// Waits for its turn and then for the gate, until `deadline`. At least one try is made.
    ///
    /// # Errors
    /// [`StoreError::GateBusy`] at the deadline; [`StoreError::Io`] and its kin when the lock files cannot be opened.
    pub fn enter(layout: &Layout, mode: GateMode, deadline: Instant) -> Result<Gate> {
        let started = Instant::now();
        let (turn_path, gate_path) = (layout.turn(), layout.gate());
        let busy = |path: &Path| StoreError::GateBusy {
            path: layout.graph(),
            waited: started.elapsed(),
            holder: described(path).unwrap_or_else(|| "another portolan process".into()),
        };
        let turn = match lock(&turn_path, GateMode::Exclusive, deadline) {
            Err(StoreError::ReadOnly { .. }) if mode == GateMode::Shared => return Ok(Gate { file: None, mode }),
            turn => turn?,
        };
        let Some(turn) = turn else { return Err(busy(&gate_path)) };
        let Some(mut file) = lock(&gate_path, mode, deadline)? else { return Err(busy(&gate_path)) };
        drop(turn);
        if mode == GateMode::Exclusive {
            describe(&mut file);
        }
        Ok(Gate { file: Some(file), mode })
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        let Some(file) = &self.file else { return };
        if self.mode == GateMode::Exclusive {
            let _ = file.set_len(0);
        }
        let _ = FileExt::unlock(file);
    }
}

/// Polls for a lock on the file that is at `path` now; `None` at the deadline.
fn lock(path: &Path, mode: GateMode, deadline: Instant) -> Result<Option<File>> {
    let mut pause = FIRST_PAUSE;
    let mut file = open(path)?;
    loop {
        let taken = match mode {
            GateMode::Shared => FileExt::try_lock_shared(&file),
            GateMode::Exclusive => FileExt::try_lock_exclusive(&file),
        };
        match taken {
            // `git clean` may have removed the file while we waited: a lock on a removed file guards nothing.
            Ok(()) if still_there(&file, path) => return Ok(Some(file)),
            Ok(()) => {
                file = open(path)?;
                continue;
            }
            Err(error) if error.raw_os_error() == fs2::lock_contended_error().raw_os_error() => {}
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(StoreError::io("lock", path, error)),
        }
        let now = Instant::now();
        if now >= deadline {
            return Ok(None);
        }
        std::thread::sleep(pause.min(deadline - now));
        pause = (pause * 2).min(LONGEST_PAUSE);
        if !still_there(&file, path) {
            file = open(path)?;
        }
    }
}

fn open(path: &Path) -> Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC)
        .open(path)
        .map_err(|e| StoreError::io("open", path, e))
}

fn still_there(file: &File, path: &Path) -> bool {
    match (file.metadata(), std::fs::symlink_metadata(path)) {
        (Ok(ours), Ok(theirs)) => ours.ino() == theirs.ino() && ours.dev() == theirs.dev(),
        _ => false,
    }
}

/// Leaves a note of who holds the gate; best effort, for messages only.
fn describe(file: &mut File) {
    let command: Vec<String> = std::env::args_os().take(3).map(|a| a.to_string_lossy().into_owned()).collect();
    let name = command.first().map(PathBuf::from).and_then(|p| p.file_name().map(|n| n.to_string_lossy().into_owned()));
    let rest = command.get(1..).unwrap_or_default().join(" ");
    let note = format!("{} {} {rest}\n", std::process::id(), name.unwrap_or_default());
    let _ = file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0))).and_then(|_| file.write_all(note.as_bytes()));
}

/// `process 12 (portolan index)` of the note in the gate.
fn described(path: &Path) -> Option<String> {
    let mut note = String::new();
    File::open(path).ok()?.take(400).read_to_string(&mut note).ok()?;
    let (pid, command) = note.trim_end().split_once(' ')?;
    let pid: u32 = pid.parse().ok()?;
    // A killed holder leaves its note.
    if Path::new("/proc/self").exists() && !Path::new("/proc").join(pid.to_string()).exists() {
        return None;
    }
    let command: String = command.chars().filter(|c| !c.is_control()).collect();
    Some(format!("process {pid} ({})", command.trim_end()))
}
