//! Tests of the library's parts on real files.

mod library {
    mod config;
    mod fixture;
    mod history;
    mod repo;
    mod scan;
    mod store_graph;
    mod store_load;
}
