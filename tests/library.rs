//! Tests of the library's parts on real files.

mod library {
    mod child;
    mod extract_python;
    mod store_change;
    mod store_gate;
    mod config;
    mod fixture;
    mod history;
    mod repo;
    mod scan;
    mod store_graph;
    mod store_load;
    mod store_lock;
    mod store_swap;
}
#[path = "library/extract_ecmascript.rs"]
mod extract_ecmascript;
