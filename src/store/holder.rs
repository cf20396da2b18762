//! Which process has a file open or locked: for messages only, best effort.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Names the processes (other than this one) that hold `path`, such as `process 4312 (kuzu)`.
pub fn of(path: &Path) -> String {
    let Ok(meta) = fs::metadata(path) else { return "another program".into() };
    let mut pids = lockers(meta.dev(), meta.ino());
    if pids.is_empty() {
        pids = openers(meta.dev(), meta.ino());
    }
    pids.retain(|&pid| pid != std::process::id());
    pids.sort_unstable();
    pids.dedup();
    if pids.is_empty() {
        return "another program".into();
    }
    let named: Vec<String> = pids.iter().take(4).map(|&pid| format!("process {pid}{}", command(pid))).collect();
    named.join(", ")
}

/// From `/proc/locks`: `1: POSIX  ADVISORY  WRITE 31812 fe:00:10019589 0 EOF`.
fn lockers(dev: u64, ino: u64) -> Vec<u32> {
    let Ok(text) = fs::read_to_string("/proc/locks") else { return Vec::new() };
    let wanted = format!("{:02x}:{:02x}:{ino}", libc::major(dev as libc::dev_t), libc::minor(dev as libc::dev_t));
    text.lines()
        .filter_map(|line| {
            let mut fields = line.split_ascii_whitespace().skip_while(|f| *f != "POSIX" && *f != "OFDLCK");
            let pid = fields.nth(3)?;
            (fields.next()? == wanted).then(|| pid.parse().ok())?
        })
        .collect()
}

/// From `/proc/*/fd`, of the processes that we may look at.
fn openers(dev: u64, ino: u64) -> Vec<u32> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    processes
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(|pid| {
            fs::read_dir(format!("/proc/{pid}/fd")).is_ok_and(|fds| {
                fds.flatten().any(|fd| fs::metadata(fd.path()).is_ok_and(|m| m.ino() == ino && m.dev() == dev))
            })
        })
        .collect()
}

fn command(pid: u32) -> String {
    let Ok(raw) = fs::read(format!("/proc/{pid}/cmdline")) else { return String::new() };
    let text = String::from_utf8_lossy(&raw);
    let words: Vec<&str> = text.split('\0').filter(|w| !w.is_empty()).take(3).collect();
    let line: String = words.join(" ").chars().filter(|c| !c.is_control()).take(80).collect();
    if line.is_empty() { String::new() } else { format!(" ({line})") }
}
