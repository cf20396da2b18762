//! Junie CLI: a session's start alone, and its output is not read.

use super::super::host::{Events, Host, Moment};

pub(super) struct Junie;

impl Host for Junie {
    fn name(&self) -> &'static str {
        "junie"
    }

    fn events(&self) -> Events {
        &[("SessionStart", Moment::SessionStart)]
    }

    fn context_events(&self) -> &'static [&'static str] {
        &[]
    }
}
