//! Portolan turns a repository into an embedded Kuzu property graph for coding agents.
//!
//! Data flows one way: `scan -> extract -> resolve -> store -> ask -> render`.

#![deny(missing_docs)]

pub mod extract;
pub mod facts;
pub mod lang;
pub mod locate;
pub mod rows;
pub mod search;
pub mod terms;
