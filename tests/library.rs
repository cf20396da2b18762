//! Tests of the library's parts on real files.

mod library {
    mod extract_python;
    mod store_graph;
}
