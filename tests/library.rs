//! Tests of the library's parts on real files.

mod library {
    mod child;
    mod config;
    mod extract_python;
    mod fixture;
    mod history;
    mod localize_queries;
    mod repo;
    mod scan;
    mod store_change;
    mod store_gate;
    mod store_graph;
    mod store_load;
    mod store_lock;
    mod store_swap;
}
#[path = "library/extract_ecmascript.rs"]
mod extract_ecmascript;
