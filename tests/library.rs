//! Tests of the library's parts on real files.

mod library {
    mod child;
    mod config;
    mod edges_listed;
    mod extract_ecmascript;
    mod extract_go;
    mod extract_java;
    mod extract_python;
    mod extract_rust;
    mod facts_text;
    mod fixture;
    mod history;
    mod index_heartbeat;
    mod localize_queries;
    mod locate_places;
    mod repo;
    mod resolve_answers;
    mod resolve_ecmascript;
    mod resolve_go;
    mod resolve_incremental;
    mod resolve_java;
    mod resolve_project;
    mod resolve_python;
    mod resolve_reported;
    mod resolve_rust;
    mod resolve_told_apart;
    mod scan;
    mod store_change;
    mod store_gate;
    mod store_graph;
    mod store_guard;
    mod store_load;
    mod store_lock;
    mod store_snapshot;
    mod store_swap;
}
