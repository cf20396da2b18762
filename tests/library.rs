//! Tests of the library's parts on real files.

mod library {
    mod localize_queries;
    mod store_graph;
}
