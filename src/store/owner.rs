//! Who a process is, so that another one can tell whether it still lives.

use std::fmt;
use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};

/// A process: its id alone may be given to another one later, so start time, boot and pid namespace go with it,
/// and a random part for two owners in one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    pid: u32,
    start: u64,
    boot: String,
    namespace: String,
    random: String,
}

impl Owner {
    /// This process, with a new random part.
    pub fn this_process() -> Owner {
        let pid = std::process::id();
        let random = RandomState::new().build_hasher().finish();
        Owner {
            pid,
            start: start_of(pid).unwrap_or(0),
            boot: boot_id(),
            namespace: namespace(),
            random: format!("{random:016x}"),
        }
    }

    /// Another process of this pid namespace, without a random part; `None` when it is not there or cannot be looked at.
    pub fn of_process(pid: u32) -> Option<Owner> {
        let start = start_of(pid)?;
        Some(Owner { pid, start, boot: boot_id(), namespace: namespace(), random: "0".into() })
    }

    /// Reads what [`fmt::Display`] wrote.
    pub fn parse(text: &str) -> Option<Owner> {
        let mut parts = text.split('_');
        let owner = Owner {
            pid: parts.next()?.parse().ok()?,
            start: parts.next()?.parse().ok()?,
            boot: parts.next()?.to_owned(),
            namespace: parts.next()?.to_owned(),
            random: parts.next()?.to_owned(),
        };
        parts.next().is_none().then_some(owner)
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Whether it is known to have ended: false when in doubt (another pid namespace).
    pub fn is_dead(&self) -> bool {
        if self.boot != boot_id() {
            return true;
        }
        if self.namespace != namespace() {
            return false;
        }
        match start_of(self.pid) {
            Some(start) => start != self.start,
            None => !answers(self.pid),
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}_{}_{}_{}", self.pid, self.start, self.boot, self.namespace, self.random)
    }
}

/// Milliseconds since boot, suspended time included.
pub fn boot_clock_ms() -> i64 {
    #[cfg(target_os = "linux")]
    const CLOCK: libc::clockid_t = libc::CLOCK_BOOTTIME;
    // On macOS the monotonic clock counts suspended time.
    #[cfg(not(target_os = "linux"))]
    const CLOCK: libc::clockid_t = libc::CLOCK_MONOTONIC;
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live timespec of ours.
    unsafe { libc::clock_gettime(CLOCK, &mut now) };
    #[allow(clippy::useless_conversion)]
    let (seconds, nanoseconds) = (i64::from(now.tv_sec), i64::from(now.tv_nsec));
    seconds * 1000 + nanoseconds / 1_000_000
}

/// Field 22 of `/proc/PID/stat`; `None` without such a process or without procfs. A zombie has ended.
fn start_of(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The command in parentheses may hold anything, spaces and parentheses too.
    let mut fields = text[text.rfind(')')? + 1..].split_ascii_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

fn answers(pid: u32) -> bool {
    if fs::metadata("/proc/self/stat").is_ok() {
        return false;
    }
    let Ok(pid) = libc::pid_t::try_from(pid) else { return false };
    // SAFETY: signal 0 only asks.
    let answer = unsafe { libc::kill(pid, 0) };
    answer == 0 || std::io::Error::last_os_error().raw_os_error() == Some(libc::EPERM)
}

/// The running boot's id, hexadecimal digits; empty where the system has none.
pub fn boot_id() -> String {
    let text = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    text.chars().filter(char::is_ascii_hexdigit).collect()
}

fn namespace() -> String {
    let link = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    link.to_string_lossy().chars().filter(char::is_ascii_digit).collect()
}
