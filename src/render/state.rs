//! How old an answer is, in words.

use super::phrase::{age, count};
use crate::index::freshness::{FEW_COMMITS, Freshness, Look, Why};

/// One line on how old the graph is that an answer comes from, and why it is no newer.
pub fn graph_state(fresh: Option<&Freshness>) -> String {
    match fresh {
        None => "graph: as it is, not compared with the files".into(),
        Some(Freshness::UpToDate { at }) => format!("graph: up to date (made {} ago)", age(*at)),
        Some(Freshness::Indexed(_)) => "graph: up to date (indexed just now)".into(),
        Some(Freshness::Behind { look, at, why, background }) => behind(*look, *at, why, *background),
    }
}

/// One line on a graph that is behind.
pub fn behind(look: Option<Look>, at: i64, why: &Why, background: bool) -> String {
    let changed = match look {
        None | Some(Look::NotIndexed) => "what changed since is not known".to_owned(),
        Some(Look::OtherVersion { .. }) => "another version of portolan made it".to_owned(),
        Some(Look::CutShort { .. }) => "an index run after it was cut short".to_owned(),
        Some(Look::Since(since)) => {
            let many = |n: usize| if n > FEW_COMMITS { "many commits".into() } else { count(n, "commit") };
            match (since.files, since.commits) {
                (files, 0) => format!("{} changed since", count(files, "file")),
                (0, commits) => format!("{} came or went since", many(commits)),
                (files, commits) => {
                    format!("{} changed and {} came or went since", count(files, "file"), many(commits))
                }
            }
        }
    };
    let why = match why {
        Why::Much if background => "it is being brought up to date in the background",
        Why::Much => "run `portolan index`",
        Why::Busy => "another process is at work on it",
        Why::ReadOnly => "this place cannot be written",
        Why::Failed(error) => error,
    };
    format!("the graph is {} old, {changed}; {why}", age(at))
}
