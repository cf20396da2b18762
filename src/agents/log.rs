//! `.portolan/log`: what hooks did and why they stayed silent. One line each; rotates.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;

use crate::render::line::one_line;
use crate::store::Layout;
use crate::store::layout::with_suffix;

/// A log longer than this becomes `log.1`, in bytes.
const LONGEST: u64 = 256 * 1024;
const LINE: usize = 600;

/// Writes one line; failing is no error, there is nobody to tell.
pub fn line(layout: &Layout, text: &str) {
    let path = layout.log();
    let open = || {
        let mut options = OpenOptions::new();
        options.append(true).create(true).mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC).open(&path)
    };
    let Ok(mut file) = open() else { return };
    if file.metadata().is_ok_and(|m| m.len() > LONGEST) {
        let _ = std::fs::rename(&path, with_suffix(&path, ".1"));
        match open() {
            Ok(new) => file = new,
            Err(_) => return,
        }
    }
    let at = chrono::Utc::now().format("%Y-%m-%dT%H:%M:%S%.3fZ");
    let _ = file.write_all(format!("{at} {} {}\n", std::process::id(), one_line(text, LINE)).as_bytes());
}
