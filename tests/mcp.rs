//! Tests of `portolan mcp`: the real program over its stdin and stdout.

mod mcp {
    mod client;
    mod find;
    #[cfg(target_os = "linux")] // who waits for what is read in /proc
    mod processes;
    mod protocol;
    mod roots;
    mod tools;
}
