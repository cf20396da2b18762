//! The process that asks the engine: one question after the other, from stdin.

use std::io::{BufRead as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use super::answer::answer;
use super::wire::{Answer, Ask, Said, Stage};
use crate::progress::Progress;

/// A worker that holds more memory than this after an answer makes way for a new one; MiB.
const GROWN: u64 = 100;
/// Progress is told that often.
const PACE: Duration = Duration::from_millis(250);

/// Answers questions from stdin until it closes. `program`: this program's file, for indexing in the background.
///
/// # Errors
/// stdout is closed.
pub fn work(program: Option<&Path>) -> std::io::Result<()> {
    // The allocator has read it; an indexer that is started from here is faster without.
    // SAFETY: no other thread exists yet.
    unsafe { std::env::remove_var(super::pool::PURGE_DELAY) };
    let (asked, questions) = channel::<String>();
    // Reads all the time, so that the end of the server is the end of this process in the middle of a question too.
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if asked.send(line).is_err() {
                break;
            }
        }
        // SAFETY: ends the process at once, without the destructors of an engine that another thread is using.
        unsafe { libc::_exit(0) }
    });
    for line in questions {
        say(&Said::Taken)?;
        let teller = Teller::default();
        let mut said = match serde_json::from_str::<Ask>(&line) {
            Ok(ask) => catch_unwind(AssertUnwindSafe(|| answer(&ask, &teller, program))).unwrap_or_else(|_| Answer {
                last: true,
                ..Answer::error("portolan failed at this question; the server's log has the reason")
            }),
            Err(error) => Answer::error(format!("server and worker do not understand each other: {error}")),
        };
        said.last |= resident_mib() > GROWN;
        say(&Said::Answer(said))?;
    }
    Ok(())
}

fn say(said: &Said) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(said)?;
    line.push(b'\n');
    let mut out = std::io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}

/// Resident memory now; where the system does not tell, the peak.
fn resident_mib() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.as_deref().and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
    // SAFETY: asks for a constant.
    let page = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
    pages.map_or_else(peak_mib, |pages| (pages * page) >> 20)
}

fn peak_mib() -> u64 {
    // SAFETY: a zeroed rusage is a valid one, and the call fills it in.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let unit = if cfg!(target_os = "macos") { 1 << 20 } else { 1 << 10 };
    u64::try_from(usage.ru_maxrss).unwrap_or(0) / unit
}

/// Tells the server how far long work is.
#[derive(Default)]
struct Teller {
    state: Mutex<(Stage, Option<Instant>)>,
}

impl Teller {
    fn tell(&self, change: impl FnOnce(&mut Stage), at_once: bool) {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        change(&mut state.0);
        if at_once || state.1.is_none_or(|last| last.elapsed() >= PACE) {
            state.1 = Some(Instant::now());
            // Without a server there is nobody to tell.
            let _ = say(&Said::Progress(state.0.clone()));
        }
    }
}

impl Progress for Teller {
    fn stage(&self, name: &str, total: u64) {
        self.tell(|stage| *stage = Stage { name: name.to_owned(), done: 0, total }, true);
    }

    fn done(&self, steps: u64) {
        self.tell(|stage| stage.done += steps, false);
    }

    fn note(&self, text: &str) {
        self.tell(|stage| *stage = Stage { name: text.to_owned(), ..Stage::default() }, true);
    }
}
