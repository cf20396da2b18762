//! Other processes for tests: this test binary again, running one test that plays a part.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

const PART: &str = "PORTOLAN_TEST_PART";

/// What the child's test finds: the part to play and a folder.
pub fn part() -> Option<(String, std::path::PathBuf)> {
    let value = std::env::var(PART).ok()?;
    let (part, folder) = value.split_once(' ')?;
    Some((part.to_owned(), folder.into()))
}

/// Tells the parent something, from the child.
pub fn say(word: &str) {
    // Not println: the harness captures it.
    let mut out = std::io::stdout().lock();
    writeln!(out, "\nSAID {word}").unwrap();
    out.flush().unwrap();
}

/// Waits for the parent to close our input, from the child.
pub fn until_told() {
    let mut line = String::new();
    while std::io::stdin().read_line(&mut line).unwrap() > 0 {}
}

pub struct Other {
    child: Child,
    input: Option<ChildStdin>,
    said: mpsc::Receiver<String>,
}

impl Other {
    /// Starts `test` (its full name) with a part to play in `folder`.
    pub fn start(test: &str, part: &str, folder: &Path) -> Other {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture", "--test-threads=1"])
            .env(PART, format!("{part} {}", folder.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (send, said) = mpsc::channel();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if let Some(word) = line.strip_prefix("SAID ") {
                    let _ = send.send(word.to_owned());
                }
            }
        });
        let input = child.stdin.take();
        Other { child, input, said }
    }

    /// The next word that it says.
    pub fn hear(&self) -> String {
        self.said.recv_timeout(Duration::from_secs(60)).expect("the other process said nothing")
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Tells it to go on, and waits for its end; true when its test passed.
    pub fn finish(mut self) -> bool {
        drop(self.input.take());
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            assert!(Instant::now() < deadline, "the other process does not end");
            std::thread::yield_now();
        }
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
