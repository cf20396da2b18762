//! Tests of the library's parts on real files.

#[path = "library/config.rs"]
mod config;
#[path = "library/fixture.rs"]
mod fixture;
#[path = "library/history.rs"]
mod history;
#[path = "library/repo.rs"]
mod repo;
#[path = "library/scan.rs"]
mod scan;
