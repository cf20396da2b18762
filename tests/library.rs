//! Tests of the library's parts on real files.

mod library {
    mod child;
    mod store_change;
    mod store_gate;
    mod store_graph;
    mod store_guard;
    mod store_load;
    mod store_lock;
    mod store_snapshot;
    mod store_swap;
}
