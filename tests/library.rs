//! Tests of the library's parts on real files.

#[path = "library/extract_ecmascript.rs"]
mod extract_ecmascript;
