//! Portolan turns a repository into an embedded Kuzu property graph for coding agents.
//!
//! Data flows one way: `scan -> extract -> resolve -> store -> ask -> render`.

#![deny(missing_docs)]

pub mod cache;
pub mod config;
pub mod extract;
pub mod facts;
pub mod lang;
pub mod resolve;
pub mod repo;
pub mod rows;
pub mod scan;
pub mod store;
pub mod terms;
