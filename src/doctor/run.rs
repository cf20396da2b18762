//! Running a program for a while.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How a program ended.
#[derive(Debug)]
pub(super) struct Ran {
    /// Its exit code; none when it was killed.
    pub(super) code: Option<i32>,
    /// What it printed.
    pub(super) out: Vec<u8>,
    /// What it complained about.
    pub(super) err: Vec<u8>,
}

const PAUSE: Duration = Duration::from_millis(5);

/// Runs a program with this input; `None` when it did not end in time.
pub(super) fn run(mut command: Command, input: &[u8], wait: Duration) -> std::io::Result<Option<Ran>> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let deadline = Instant::now() + wait;
    if let Some(mut stdin) = child.stdin.take() {
        // It may have ended without reading.
        let _ = stdin.write_all(input);
    }
    let out = collect(child.stdout.take());
    let err = collect(child.stderr.take());
    let Some(code) = ended(&mut child, deadline)? else { return Ok(None) };
    // A grandchild may keep the pipes open: what it would add is of no interest.
    let rest = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(200));
    let text = |receiver: std::sync::mpsc::Receiver<Vec<u8>>| receiver.recv_timeout(rest).unwrap_or_default();
    Ok(Some(Ran { code, out: text(out), err: text(err) }))
}

fn ended(child: &mut Child, deadline: Instant) -> std::io::Result<Option<Option<i32>>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.code()));
        }
        if Instant::now() >= deadline {
            let _ = child.kill();
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(PAUSE);
    }
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> std::sync::mpsc::Receiver<Vec<u8>> {
    const MOST: u64 = 4 * 1024 * 1024;
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            // What was read before a fault counts.
            let _ = pipe.take(MOST).read_to_end(&mut bytes);
        }
        // Nobody listens any more after the deadline.
        let _ = sender.send(bytes);
    });
    receiver
}
