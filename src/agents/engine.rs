//! The engine apart: what opens the graph in a hook runs in a child process, which dies with its parent and is killed
//! at the deadline. The engine can hang, crash on a damaged log, or be killed for want of memory; no error
//! handling can catch that, and none of it may be noticed by an agent.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::store::Layout;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Apart {
    /// The deadline passed.
    #[error("no answer within {} ms", .0.as_millis())]
    Late(Duration),
    /// The child died of a signal, or ended without a word.
    #[error("the engine's process ended with status {0:#x}")]
    Crashed(i32),
    /// No child could be made.
    #[error("no process for the engine: {0}")]
    NoChild(String),
    /// Three crashes in a row: the graph is not opened any more.
    #[error(
        "the graph is not opened since the engine crashed on it three times; `portolan index --rebuild` mends that"
    )]
    Skipped,
}

/// Crashes in a row after which hooks leave the graph alone.
const CRASHES: usize = 3;
const MARKER: &str = "crashed";

/// Runs `work` in a child process of this one and returns its answer. This process must have no other threads.
///
/// # Errors
/// [`Apart`], each logged by the caller.
pub fn apart<T: Serialize + DeserializeOwned>(
    layout: &Layout,
    wait: Duration,
    work: impl FnOnce() -> T,
) -> Result<T, Apart> {
    if crashes(layout) >= CRASHES {
        return Err(Apart::Skipped);
    }
    let answer = run(wait, || serde_json::to_vec(&work()).unwrap_or_default());
    match answer.and_then(|bytes| serde_json::from_slice(&bytes).map_err(|_| Apart::Crashed(0))) {
        Ok(answer) => {
            if crashes(layout) > 0 {
                // What stays is noticed by whoever counts next.
                let _ = clear(layout);
            }
            Ok(answer)
        }
        Err(error) => {
            if matches!(error, Apart::Crashed(_)) {
                let _ = std::fs::OpenOptions::new()
                    .append(true)
                    .create(true)
                    .open(marker(layout))
                    .and_then(|mut file| file.write_all(b"x"));
            }
            Err(error)
        }
    }
}

fn marker(layout: &Layout) -> std::path::PathBuf {
    layout.dir().join(MARKER)
}

/// Crashes in a row, as hooks have counted them.
pub fn crashes(layout: &Layout) -> usize {
    std::fs::metadata(marker(layout)).map_or(0, |m| usize::try_from(m.len()).unwrap_or(usize::MAX))
}

/// Whether hooks leave the graph alone.
pub fn is_skipped(layout: &Layout) -> bool {
    crashes(layout) >= CRASHES
}

/// Forgets the crashes: the graph was built anew, or mended. Whether there were any.
///
/// # Errors
/// The marker's path, and why it cannot be removed.
pub fn clear(layout: &Layout) -> Result<bool, (std::path::PathBuf, std::io::Error)> {
    let marker = marker(layout);
    match std::fs::remove_file(&marker) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err((marker, e)),
    }
}

fn run(wait: Duration, work: impl FnOnce() -> Vec<u8>) -> Result<Vec<u8>, Apart> {
    let deadline = Instant::now() + wait;
    let no_child = || Apart::NoChild(std::io::Error::last_os_error().to_string());
    let mut ends = [0; 2];
    // SAFETY: the pointer is to two integers of ours.
    if unsafe { libc::pipe(ends.as_mut_ptr()) } != 0 {
        return Err(no_child());
    }
    // SAFETY: both were just made and belong to nobody else.
    let (read, write) = unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) };
    // SAFETY: getpid cannot fail.
    let parent = unsafe { libc::getpid() };
    // SAFETY: this process has no other threads (the caller's promise), so the child may go on as any program.
    match unsafe { libc::fork() } {
        -1 => Err(no_child()),
        0 => {
            drop(read);
            child(parent, write, wait, work)
        }
        child => {
            drop(write);
            let bytes = read_until(&read, deadline);
            if bytes.is_none() {
                // SAFETY: the child is ours and not yet waited for.
                unsafe { libc::kill(child, libc::SIGKILL) };
            }
            let mut status = 0;
            // SAFETY: the pointer is to an integer of ours.
            while unsafe { libc::waitpid(child, &mut status, 0) } == -1
                && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
            {}
            match bytes {
                None => Err(Apart::Late(wait)),
                Some(bytes) if status == 0 && !bytes.is_empty() => Ok(bytes),
                Some(_) => Err(Apart::Crashed(status)),
            }
        }
    }
}

fn child(parent: libc::pid_t, write: OwnedFd, wait: Duration, work: impl FnOnce() -> Vec<u8>) -> ! {
    // SAFETY: plain system calls on this process alone. The timer ends it where the system has no death signal.
    unsafe {
        #[cfg(target_os = "linux")]
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // A crash is expected to happen to somebody, and a core file each time is not.
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &none);
        if libc::getppid() != parent {
            libc::_exit(3);
        }
        let seconds = u32::try_from(wait.as_secs()).unwrap_or(60) + 2;
        libc::alarm(seconds);
        // What the engine or a panic prints is nobody's answer.
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC);
        if null >= 0 {
            libc::dup2(null, libc::STDIN_FILENO);
            libc::dup2(null, libc::STDOUT_FILENO);
            libc::dup2(null, libc::STDERR_FILENO);
        }
    }
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    let code = match done {
        Ok(bytes) => i32::from(File::from(write).write_all(&bytes).is_err()),
        Err(_) => 101,
    };
    // SAFETY: ends the process without running what belongs to the parent.
    unsafe { libc::_exit(code) }
}

/// All that is written until the other end closes; `None` at the deadline.
fn read_until(end: &impl AsRawFd, deadline: Instant) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    read(end, deadline, |chunk| {
        bytes.extend_from_slice(chunk);
        true
    })
    .then_some(bytes)
}

/// Hands over what is written, until the other end closes or `take` has enough: true. False at the deadline.
pub(super) fn read(end: &impl AsRawFd, deadline: Instant, mut take: impl FnMut(&[u8]) -> bool) -> bool {
    let fd = end.as_raw_fd();
    // SAFETY: the descriptor is open, and this never closes it.
    let mut file = std::mem::ManuallyDrop::new(unsafe { File::from_raw_fd(fd) });
    let mut chunk = vec![0; 64 * 1024];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut poll = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        let ms = i32::try_from(left.as_millis()).unwrap_or(i32::MAX);
        // SAFETY: the pointer is to one pollfd of ours.
        match unsafe { libc::poll(&mut poll, 1, ms) } {
            0 => return false,
            -1 if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => continue,
            -1 => return false,
            _ => {}
        }
        match file.read(&mut chunk) {
            Ok(0) => return true,
            Ok(n) if !take(&chunk[..n]) => return true,
            Ok(_) => {}
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return false,
        }
    }
}
