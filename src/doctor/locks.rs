//! Whether locks hold between processes where the graph lies: on some network file systems they do not, and then two
//! writers would damage the graph.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::run::run;
use super::{Finding, Level};
use crate::store::lock_probe::{Held, Tried, hold, try_take};
use crate::store::{Layout, StoreError};

const WAIT: Duration = Duration::from_secs(10);

/// What the second process does: tries both kinds of lock on files of the first one, and prints what it got.
///
/// # Errors
/// The files cannot be opened.
pub fn second_process(folder: &Path) -> Result<String, StoreError> {
    let tried = try_take(folder)?;
    let word = |free: bool| if free { "free" } else { "taken" };
    Ok(format!("{} {}", word(tried.flock), word(tried.fcntl)))
}

/// Holds both kinds of lock in `.portolan` while a second process (`program`, with `arguments` and the folder) tries
/// them, and once more after they were given back.
pub fn check(layout: &Layout, program: &Path, arguments: &[&str]) -> Finding {
    match tried(layout, program, arguments) {
        Ok((Tried { flock: false, fcntl: false }, Tried { flock: true, fcntl: true })) => {
            Finding::new(Level::Ok, "locks", "both kinds of lock hold between two processes")
        }
        Ok((held, _)) if held.flock || held.fcntl => {
            let kind = match (held.flock, held.fcntl) {
                (true, true) => "flock and fcntl locks do",
                (true, false) => "flock does",
                _ => "fcntl locks do",
            };
            let says = format!(
                "{kind} not hold between processes on the file system of {}: two writers could damage the graph",
                layout.dir().display()
            );
            Finding::new(Level::Error, "locks", says).fix("move the repository to a local file system")
        }
        Ok(_) => {
            let says = "a lock that was given back stays taken for other processes";
            Finding::new(Level::Error, "locks", says).fix("move the repository to a local file system")
        }
        Err(why) => Finding::new(Level::Warning, "locks", format!("not tested: {why}")),
    }
}

fn tried(layout: &Layout, program: &Path, arguments: &[&str]) -> Result<(Tried, Tried), String> {
    let folder = tempfile::Builder::new()
        .prefix("lock-probe-")
        .tempdir_in(layout.dir())
        .map_err(|e| format!("{} cannot be written: {e}", layout.dir().display()))?;
    let ask = || -> Result<Tried, String> {
        let mut command = Command::new(program);
        command.args(arguments).arg(folder.path());
        let ran = run(command, b"", WAIT).map_err(|e| format!("cannot start {}: {e}", program.display()))?;
        let ran = ran.ok_or("the second process did not end")?;
        let text = String::from_utf8_lossy(&ran.out).into_owned();
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            [flock @ ("free" | "taken"), fcntl @ ("free" | "taken")] => {
                Ok(Tried { flock: *flock == "free", fcntl: *fcntl == "free" })
            }
            _ => Err(format!("the second process failed: {}", String::from_utf8_lossy(&ran.err).trim())),
        }
    };
    let held: Held = hold(folder.path()).map_err(|e| e.to_string())?;
    let during = ask()?;
    drop(held);
    Ok((during, ask()?))
}
