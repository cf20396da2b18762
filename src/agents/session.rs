//! What sessions did: for `sessions`, `session`, `usage`, and after a compaction.

use std::time::Duration;

use serde::Serialize;

use super::clock::Moment;
use super::error::AgentsError;
use super::owner::{Owner, from_key};
use crate::render::line::one_line;
use crate::render::tokens::upper_bound;
use crate::store::statements::named;
use crate::store::value::{RowExt, text};
use crate::store::{Graph, Result, Store};

const SESSION: &str = include_str!("../../queries/agents/session.cypher");

/// A session and what it did so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Session {
    /// `host:session`.
    pub id: String,
    #[serde(flatten)]
    pub owner: Owner,
    /// Seconds since the epoch, like `last_at` and `ended` (0: not ended).
    pub started: i64,
    pub last_at: i64,
    pub ended: i64,
    /// Its claims hold.
    pub alive: bool,
    #[serde(flatten)]
    pub usage: Usage,
    /// Claims that could not be decided.
    pub unknown: i64,
    pub failed: i64,
}

/// Numbers about the work of one session or of many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Usage {
    pub calls: i64,
    /// Tool calls before the first edit.
    pub before_edit: i64,
    pub searches: i64,
    pub reads: i64,
    /// Reads of a file that the session had read and that had not changed.
    pub rereads: i64,
    pub edits: i64,
    /// Edits that were refused.
    pub blocked: i64,
    /// Tokens given to the agent by Portolan (an upper bound).
    pub injected: i64,
}

impl Usage {
    /// Sums up.
    pub fn add(&mut self, other: &Usage) {
        self.calls += other.calls;
        self.before_edit += other.before_edit;
        self.searches += other.searches;
        self.reads += other.reads;
        self.rereads += other.rereads;
        self.edits += other.edits;
        self.blocked += other.blocked;
        self.injected += other.injected;
    }

    /// Share of searches among the calls, 0 to 1.
    pub fn search_share(&self) -> f64 {
        share(self.searches, self.calls)
    }

    /// Share of re-reads among the reads, 0 to 1.
    pub fn reread_share(&self) -> f64 {
        share(self.rereads, self.reads)
    }
}

#[allow(clippy::cast_precision_loss)] // counts
fn share(part: i64, whole: i64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A file that a session read or edited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Touched {
    pub path: String,
    pub count: i64,
    /// How often it was as at the read before.
    pub again: i64,
    pub first_at: i64,
    pub last_at: i64,
}

/// A session with its files.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Detail {
    #[serde(flatten)]
    pub session: Session,
    pub edited: Vec<Touched>,
    pub read: Vec<Touched>,
}

fn all(graph: &Graph, now: &Moment) -> Result<Vec<Session>> {
    let rows = graph.run(named(SESSION, "all"), vec![])?;
    let one = |row: &Vec<kuzu::Value>| {
        let id = row.str(0)?.to_owned();
        Ok(Session {
            owner: from_key(&id, ""),
            id,
            started: row.int(1)?,
            last_at: row.int(2)?,
            ended: row.int(3)?,
            alive: row.int(3)? == 0 && row.str(4)? == now.boot && row.int(5)? >= now.tick,
            usage: Usage {
                calls: row.int(6)?,
                before_edit: row.int(7)?,
                searches: row.int(8)?,
                reads: row.int(9)?,
                rereads: row.int(10)?,
                edits: row.int(11)?,
                blocked: row.int(13)?,
                injected: row.int(15)?,
            },
            failed: row.int(12)?,
            unknown: row.int(14)?,
        })
    };
    rows.rows.iter().map(one).collect()
}

/// All sessions, the newest first.
///
/// # Errors
/// What the store says.
pub fn sessions(store: &Store, wait: Duration) -> std::result::Result<Vec<Session>, AgentsError> {
    super::drain_now(store, wait)?;
    Ok(store.read(wait, |graph| all(graph, &Moment::now()))?)
}

/// What sessions of more than 30 days ago did, by host: (host, sessions, usage).
///
/// # Errors
/// What the store says.
pub fn folded(store: &Store, wait: Duration) -> std::result::Result<Vec<(String, i64, Usage)>, AgentsError> {
    Ok(store.read(wait, |graph| {
        let rows = graph.run(named(SESSION, "folded"), vec![])?;
        let one = |row: &Vec<kuzu::Value>| {
            let usage = Usage {
                calls: row.int(2)?,
                before_edit: row.int(3)?,
                searches: row.int(4)?,
                reads: row.int(5)?,
                rereads: row.int(6)?,
                edits: row.int(7)?,
                blocked: row.int(8)?,
                injected: row.int(9)?,
            };
            Ok((row.str(0)?.to_owned(), row.int(1)?, usage))
        };
        rows.rows.iter().map(one).collect::<Result<Vec<_>>>()
    })?)
}

/// The sessions whose id, or the host's own id, begins so; with their files.
///
/// # Errors
/// What the store says.
pub fn session(store: &Store, which: &str, wait: Duration) -> std::result::Result<Vec<Detail>, AgentsError> {
    super::drain_now(store, wait)?;
    Ok(store.read(wait, |graph| {
        let all = all(graph, &Moment::now())?;
        let exact: Vec<_> = all.iter().filter(|s| s.id == which || s.owner.session == which).cloned().collect();
        let found = if exact.is_empty() {
            let begins =
                |s: &&Session| !which.is_empty() && (s.id.starts_with(which) || s.owner.session.starts_with(which));
            all.iter().filter(begins).cloned().collect()
        } else {
            exact
        };
        found
            .into_iter()
            .map(|session| {
                let edited = files(graph, "edited", &session.id)?;
                let read = files(graph, "read", &session.id)?;
                Ok(Detail { session, edited, read })
            })
            .collect::<Result<Vec<_>>>()
    })?)
}

fn files(graph: &Graph, which: &str, id: &str) -> Result<Vec<Touched>> {
    let rows = graph.run(named(SESSION, which), vec![("id", text(id))])?;
    let one = |row: &Vec<kuzu::Value>| {
        Ok(Touched {
            path: row.str(0)?.to_owned(),
            count: row.int(1)?,
            again: row.int(2)?,
            first_at: row.int(3)?,
            last_at: row.int(4)?,
        })
    };
    rows.rows.iter().map(one).collect()
}

/// After a compaction: what the session has edited and read so far, in at most 100 tokens; `None` when that is nothing.
///
/// # Errors
/// What the store says.
pub fn so_far(graph: &Graph, owner: &Owner) -> Result<Option<String>> {
    const MOST: usize = 100;
    let edited = files(graph, "edited", &owner.key())?;
    let read = files(graph, "read", &owner.key())?;
    let mut line = String::from("[portolan] So far in this session");
    let mut room = MOST.saturating_sub(upper_bound(&line) + 4);
    let mut any = false;
    for (what, files) in [(" edited: ", &edited), ("; read: ", &read)] {
        let known = |path: &str| what.starts_with(';') && edited.iter().any(|e| e.path == path);
        let mut first = true;
        for file in files.iter().filter(|f| !known(&f.path)) {
            let path = one_line(&file.path, 120);
            let piece = if first { format!("{what}{path}") } else { format!(", {path}") };
            let cost = upper_bound(&piece);
            if cost > room {
                break;
            }
            room -= cost;
            line.push_str(&piece);
            (first, any) = (false, true);
        }
    }
    Ok(any.then(|| format!("{}.", line.replace("session; read", "session read"))))
}
