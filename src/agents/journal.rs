//! Events that are not in the graph yet: `.portolan/journal/`.
//!
//! An appender takes a shared lock on the open segment, checks that it is still the one at its path, and writes one
//! line with one call. The drainer takes it exclusively, renames it (seals it), and nobody writes to it any more; it
//! is removed after its rows are committed. Each line begins with a line feed too, so that what a crash tore
//! off spoils no other line.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fs2::FileExt;

use super::record::Record;
use crate::store::owner::boot_clock_ms;
use crate::store::{Layout, Result, StoreError};

const OPEN: &str = "open";
const SEALED: &str = "sealed-";
const TORN: &str = "torn";
const PAUSE: Duration = Duration::from_micros(100);
/// Torn pieces are kept for a look, up to this many bytes.
const TORN_LONGEST: u64 = 64 * 1024;

/// The journal of a repository.
#[derive(Clone, Debug)]
pub struct Journal {
    folder: PathBuf,
}

/// What sealed segments hold.
#[derive(Debug, Default)]
pub struct Batch {
    /// In the order in which they were written.
    pub records: Vec<Record>,
    segments: Vec<PathBuf>,
    torn: Vec<u8>,
}

impl Journal {
    /// Nothing is touched.
    pub fn of(layout: &Layout) -> Journal {
        Journal { folder: layout.journal() }
    }

    /// Writes one record. A drainer that is stopped while it seals delays this by at most `wait`.
    ///
    /// # Errors
    /// The folder cannot be made, or the line not be written (a full disk).
    pub fn append(&self, record: &Record, wait: Duration) -> Result<()> {
        self.append_line(&record.line(), wait).map_err(|e| StoreError::io("write to", &self.folder, e))
    }

    fn append_line(&self, line: &str, wait: Duration) -> io::Result<()> {
        let deadline = Instant::now() + wait;
        let line = format!("\n{line}\n");
        let path = self.folder.join(OPEN);
        loop {
            let mut file = match open(&path) {
                Err(e) if e.kind() == ErrorKind::NotFound => {
                    Layout::private_dir(&self.folder).map_err(|e| io::Error::other(e.to_string()))?;
                    open(&path)?
                }
                file => file?,
            };
            match FileExt::try_lock_shared(&file) {
                Ok(()) if still_there(&file, &path) => return write_once(&mut file, line.as_bytes()),
                // Sealed between opening and locking.
                Ok(()) => continue,
                Err(e) if e.raw_os_error() == fs2::lock_contended_error().raw_os_error() => {}
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            }
            if Instant::now() >= deadline {
                return self.append_apart(line.as_bytes());
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// A segment of its own for one line.
    fn append_apart(&self, line: &[u8]) -> io::Result<()> {
        let name = self.new_name();
        let part = self.folder.join(format!("part-{name}"));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part)?;
        write_once(&mut file, line)?;
        fs::rename(&part, self.folder.join(format!("{SEALED}{name}")))
    }

    fn new_name(&self) -> String {
        let nanos = std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |d| d.subsec_nanos());
        format!("{:015}-{}-{nanos:09}", boot_clock_ms(), std::process::id())
    }

    /// Bytes that wait.
    pub fn len(&self) -> u64 {
        let Ok(entries) = fs::read_dir(&self.folder) else { return 0 };
        let ours = entries.filter_map(std::result::Result::ok).filter(|e| {
            let name = e.file_name();
            name == OPEN || name.to_string_lossy().starts_with(SEALED)
        });
        ours.filter_map(|e| e.metadata().ok()).map(|m| m.len()).sum()
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What waits, left where it is; `None` when something in it cannot be read, such as a line that is being written.
    /// The caller holds the exclusive gate, so nobody takes it away meanwhile.
    pub fn peek(&self) -> Option<Vec<Record>> {
        let mut records = Vec::new();
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == ErrorKind::NotFound => return Some(records),
            Err(_) => return None,
        };
        for entry in entries {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_string_lossy();
            if name == OPEN || name.starts_with(SEALED) {
                let bytes = fs::read(&path).ok()?;
                let lines = bytes.split(|b| *b == b'\n').filter(|line| !line.is_empty());
                for line in lines {
                    records.push(serde_json::from_slice(line).ok()?);
                }
            }
        }
        Some(records)
    }

    /// Seals what is open and reads all that is sealed. The caller holds the exclusive gate, so it is the only drainer.
    /// An appender that is stopped while it writes keeps its segment open after `wait`; the others are read.
    ///
    /// # Errors
    /// What the file system says.
    pub fn take(&self, wait: Duration) -> Result<Batch> {
        let failed = |e| StoreError::io("read", &self.folder, e);
        self.seal(wait).map_err(failed)?;
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Batch::default()),
            Err(e) => return Err(failed(e)),
        };
        let mut segments: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(SEALED)))
            .collect();
        segments.sort();
        let mut batch = Batch::default();
        for segment in segments {
            let bytes = fs::read(&segment).map_err(failed)?;
            for line in bytes.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
                match serde_json::from_slice(line) {
                    Ok(record) => batch.records.push(record),
                    Err(_) => {
                        batch.torn.extend_from_slice(line);
                        batch.torn.push(b'\n');
                    }
                }
            }
            batch.segments.push(segment);
        }
        Ok(batch)
    }

    fn seal(&self, wait: Duration) -> io::Result<()> {
        let deadline = Instant::now() + wait;
        let path = self.folder.join(OPEN);
        loop {
            let file = match OpenOptions::new().append(true).custom_flags(libc::O_NOFOLLOW).open(&path) {
                Ok(file) => file,
                Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
                Err(e) => return Err(e),
            };
            match FileExt::try_lock_exclusive(&file) {
                Ok(()) if !still_there(&file, &path) => continue,
                Ok(()) if file.metadata()?.len() == 0 => return Ok(()),
                Ok(()) => return fs::rename(&path, self.folder.join(format!("{SEALED}{}", self.new_name()))),
                Err(e) if e.raw_os_error() == fs2::lock_contended_error().raw_os_error() => {}
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            }
            if Instant::now() >= deadline {
                return Ok(());
            }
            std::thread::sleep(PAUSE);
        }
    }
}

impl Batch {
    /// Removes the segments, after their rows are committed. What was torn is kept in the file `torn`.
    ///
    /// # Errors
    /// What the file system says; the events are then known by their ids when they are read again.
    pub fn remove(self) -> Result<()> {
        if let Some(folder) = self.segments.first().and_then(|s| s.parent())
            && !self.torn.is_empty()
        {
            let path = folder.join(TORN);
            let kept = open(&path).and_then(|mut file| {
                if file.metadata()?.len() < TORN_LONGEST { file.write_all(&self.torn) } else { Ok(()) }
            });
            kept.map_err(|e| StoreError::io("write", &path, e))?;
        }
        for segment in &self.segments {
            match fs::remove_file(segment) {
                Ok(()) => {}
                Err(e) if e.kind() == ErrorKind::NotFound => {}
                Err(e) => return Err(StoreError::io("remove", segment, e)),
            }
        }
        Ok(())
    }

    /// Bytes of lines that could not be read.
    pub fn torn(&self) -> usize {
        self.torn.len()
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true).mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC);
    options.open(path)
}

fn write_once(file: &mut File, line: &[u8]) -> io::Result<()> {
    let written = file.write(line)?;
    if written == line.len() { Ok(()) } else { Err(io::Error::from(ErrorKind::StorageFull)) }
}

fn still_there(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(ours), Ok(theirs)) => ours.ino() == theirs.ino() && ours.dev() == theirs.dev(),
        _ => false,
    }
}
