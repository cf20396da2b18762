//! Which process must live for a claim to hold: the agent that called the hook.

use std::fs;

use crate::store::owner::Owner;

/// Programs that only start others. A claim does not hang on them.
const STARTERS: [&str; 17] = [
    "sh", "bash", "dash", "zsh", "fish", "ksh", "mksh", "ash", "busybox", "tcsh", "csh", "env", "timeout", "nice",
    "setsid", "xargs", "portolan",
];
/// More steps up than any chain of starters has.
const STEPS: usize = 16;

/// The first ancestor that is no shell, as [`Owner`] writes processes; empty when that cannot be told.
pub fn agent() -> String {
    // SAFETY: getppid cannot fail.
    let mut pid = u32::try_from(unsafe { libc::getppid() }).unwrap_or(0);
    for _ in 0..STEPS {
        if pid <= 1 {
            return String::new();
        }
        let Some((command, parent)) = look(pid) else { return String::new() };
        if !STARTERS.contains(&command.as_str()) {
            return Owner::of_process(pid).map_or_else(String::new, |owner| owner.to_string());
        }
        pid = parent;
    }
    String::new()
}

/// Whether a process that [`agent`] named is known to have ended.
pub fn is_dead(process: &str) -> bool {
    !process.is_empty() && Owner::parse(process).is_some_and(|owner| owner.is_dead())
}

/// Command name and parent.
fn look(pid: u32) -> Option<(String, u32)> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (open, close) = (text.find('(')?, text.rfind(')')?);
    let command = text.get(open + 1..close)?.trim_start_matches('-').to_owned();
    let parent = text.get(close + 1..)?.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some((command, parent))
}
