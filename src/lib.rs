//! Portolan turns a repository into an embedded Kuzu property graph for coding agents.
//!
//! Data flows one way: `scan -> extract -> resolve -> store -> ask -> render`,
//! and [`mcp`] is a door for agents.

#![deny(missing_docs)]

pub mod agents;
pub mod ask;
mod atomic;
pub mod cache;
pub mod cells;
pub mod config;
pub mod context;
pub mod doctor;
pub mod extract;
pub mod facts;
pub mod git_hooks;
pub mod history;
pub mod hooks;
pub mod impact;
pub mod index;
pub mod install;
pub mod lang;
pub mod locate;
pub mod mcp;
pub mod owner;
pub mod progress;
pub mod queries;
pub mod render;
pub mod repo;
pub mod resolve;
pub mod review;
pub mod rows;
pub mod scan;
pub mod scip;
pub mod search;
pub mod settings;
pub mod store;
pub mod terms;
