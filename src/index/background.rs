//! One indexer in the background: of low priority, on its own, and never two of them on one repository.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use fs2::FileExt;

use crate::repo::Repo;

/// The file that a background indexer keeps locked while it runs; it stays for ever, the lock dies with its process.
const LOCK: &str = "background";
/// How far it steps back behind others, as `nice` counts.
const NICE: libc::c_int = 10;

/// Whether a background indexer is at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Started {
    /// It was started.
    Now,
    /// There was one.
    Before,
    /// It could not be started; the log says why.
    No,
}

/// The right to be a repository's background indexer, until dropped.
#[derive(Debug)]
pub struct Background {
    _lock: File,
}

impl Background {
    /// Takes it; `None` when another process has it, or the folder cannot be written.
    pub fn take(repo: &Repo) -> Option<Background> {
        let lock = open(repo).ok()?;
        FileExt::try_lock_exclusive(&lock).ok()?;
        Some(Background { _lock: lock })
    }
}

fn open(repo: &Repo) -> std::io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC)
        .open(repo.folder().join(LOCK))
}

/// Starts `program index --background`, in a session of its own, so that neither the end of this process nor the
/// terminal's ends it, and as nobody's child: whoever asks many questions gathers no zombies.
pub fn start(program: &Path, repo: &Repo) -> Started {
    match Background::take(repo) {
        // Given back at once: the new process takes it. Two that start at the same moment sort it out there.
        Some(free) => drop(free),
        None => return Started::Before,
    }
    let mut command = Command::new(program);
    command.arg("--root").arg(repo.root()).args(["index", "--background", "--force"]);
    command.current_dir(repo.root()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: between fork and exec only async-signal-safe calls are made.
    unsafe {
        command.pre_exec(|| {
            if libc::setsid() == -1 {
                return Err(std::io::Error::last_os_error());
            }
            match libc::fork() {
                -1 => return Err(std::io::Error::last_os_error()),
                0 => {}
                _ => libc::_exit(0),
            }
            // Being polite may fail.
            libc::setpriority(libc::PRIO_PROCESS, 0, NICE);
            Ok(())
        });
    }
    // The child that is waited for has forked and ended; the indexer is init's.
    match command.spawn().and_then(|mut child| child.wait()) {
        Ok(_) => Started::Now,
        Err(error) => {
            tracing::warn!(%error, program = %program.display(), "no background indexer started");
            Started::No
        }
    }
}
