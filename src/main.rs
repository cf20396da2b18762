//! The command line: arguments to the library, answers to exit codes.

mod cli;

fn main() -> std::process::ExitCode {
    // A file at the limit of its size is an error to report, like a full disk, and not the end of the process.
    // SAFETY: sets a disposition that needs no handler, before any other thread exists.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    keep_memory();
    cli::main()
}

/// A process of ours is short: what it frees it soon needs again, so nothing is given back to the system in between.
/// Saves a twentieth of an index run, most of it page faults.
fn keep_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: called before any other thread exists.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 30);
        libc::mallopt(libc::M_TRIM_THRESHOLD, libc::c_int::MAX);
    }
}
