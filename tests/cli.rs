//! Tests of the real program, run as a user runs it.

mod cli {
    mod cypher;
    mod edges;
    mod freshness;
    mod index;
    mod questions;
    mod shop;
    mod usage;
    mod wheel;
    mod worktree;
}
