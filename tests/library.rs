//! Tests of the library's parts on real files.

mod library {
    mod store_graph;
    mod store_load;
}
