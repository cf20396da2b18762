//! The command line: arguments to the library, answers to exit codes.

mod cli;

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    // A file at the limit of its size is an error to report, like a full disk, and not the end of the process.
    // SAFETY: sets a disposition that needs no handler, before any other thread exists.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    cli::main()
}
