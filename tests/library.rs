//! Tests of the library's parts on real files.

mod library {
    mod extract_python;
    mod resolve_incremental;
    mod resolve_project;
    mod store_graph;
}
