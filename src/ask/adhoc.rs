//! A statement of the user's own.

use std::time::Duration;

use super::AskError;
use crate::store::{Graph, Params, Rows, Store, StoreError, guard};

/// Runs a statement; at most `limit` rows, and whether there were more. `wait`: how long to wait for the graph; how
/// long the statement may run is among the store's options.
///
/// # Errors
/// Without `write`, a statement that does more than read ([`StoreError::Forbidden`]); what
/// the store says.
pub fn adhoc(
    store: &Store,
    wait: Duration,
    text: &str,
    params: Params<'_>,
    write: bool,
    limit: usize,
) -> Result<(Rows, bool), AskError> {
    if !write {
        guard::reads_only(text)?;
    }
    let work = |graph: &Graph| {
        let mut rows = Rows::default();
        let mut more = false;
        rows.columns = graph.each(text, params, |row| {
            more = rows.rows.len() == limit;
            if !more {
                rows.rows.push(row);
            }
            Ok::<(), StoreError>(())
        })?;
        Ok::<_, StoreError>((rows, more))
    };
    // The engine's binding panics on values that Rust's types cannot hold (a date in the year 20000).
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let run = std::panic::AssertUnwindSafe(|| if write { store.write(wait, work) } else { store.read(wait, work) });
    let done = std::panic::catch_unwind(run);
    std::panic::set_hook(hook);
    let unshown = "the answer holds a value that cannot be shown; cast it to STRING in the query";
    Ok(done.map_err(|_| AskError::Statement { reason: unshown.into() })??)
}
