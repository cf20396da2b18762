//! Tests of `portolan mcp`: the real program over its stdin and stdout.

mod mcp {
    mod client;
    mod find;
    mod processes;
    mod protocol;
    mod roots;
    mod tools;
}
