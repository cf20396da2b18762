//! The command line: arguments to the library, answers to exit codes.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
