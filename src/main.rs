//! The command line: arguments to the library, answers to exit codes.

fn main() {}
