//! From the journal into the graph: Event rows, and what follows from them, in one transaction.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use kuzu::Value;

use super::clock::Moment;
use super::journal::{Batch, Journal};
use super::lesson;
use super::record::{Kind, Record};
use super::tally::Tally;
use crate::store::statements::named;
use crate::store::value::{Params, RowExt, int, structs, text, texts};
use crate::store::{Graph, Layout, Result, StoreError};

pub(super) const DRAIN: &str = include_str!("../../queries/agents/drain.cypher");

/// How long an appender that is stopped while it writes is waited for.
const SEAL_WAIT: Duration = Duration::from_millis(20);
/// From this many events on they are looked up and written together: one by one is quicker for a few.
const TOGETHER: usize = 40;
/// Sessions and events are kept so long, in seconds.
const KEPT: i64 = 30 * 86_400;

/// Events that were written into an open transaction, and are still in the journal.
#[derive(Debug, Default)]
#[must_use = "the segments go after the commit"]
pub struct Drained {
    batch: Batch,
    /// Events that are new in the graph.
    pub new: usize,
    /// Events that it had.
    pub known: usize,
}

impl Drained {
    /// After the commit: the journal's segments go.
    pub fn committed(mut self, layout: &Layout) {
        let batch = std::mem::take(&mut self.batch);
        if batch.torn() > 0 {
            super::log::line(layout, &format!("journal: {} bytes of torn lines kept in journal/torn", batch.torn()));
        }
        if let Err(error) = batch.remove() {
            // They are known by their ids when they are read again.
            super::log::line(layout, &format!("journal: {error}"));
        }
    }
}

/// Brings the journal into the graph. The caller holds the exclusive gate, and no transaction is open.
///
/// # Errors
/// What the journal and the engine say; nothing is lost or written twice then.
pub fn drain(graph: &Graph, layout: &Layout, now: &Moment) -> Result<usize> {
    let journal = Journal::of(layout);
    if journal.is_empty() {
        return Ok(0);
    }
    let drained = graph.transaction(|graph| {
        let drained = drain_into(graph, layout)?;
        // Not within a claim, which an agent waits for.
        fold(graph, now)?;
        Ok::<_, StoreError>(drained)
    })?;
    let new = drained.new;
    drained.committed(layout);
    Ok(new)
}

/// The same inside the caller's transaction, who calls [`Drained::committed`] after its commit.
///
/// # Errors
/// As [`drain`].
pub fn drain_into(graph: &Graph, layout: &Layout) -> Result<Drained> {
    let mut batch = Journal::of(layout).take(SEAL_WAIT)?;
    let mut seen = BTreeSet::new();
    let mut records = std::mem::take(&mut batch.records);
    let read = records.len();
    records.retain(|record| seen.insert(record.id.clone()));
    let known = known(graph, &records)?;
    records.retain(|record| !known.contains(&record.id));
    let drained = Drained { batch, new: records.len(), known: read - records.len() };
    if records.is_empty() {
        return Ok(drained);
    }
    write_events(graph, &records)?;
    let mut work = Work { graph, sessions: BTreeMap::new(), reads: BTreeMap::new(), edits: BTreeMap::new() };
    for record in &records {
        work.take(record)?;
    }
    work.finish()?;
    Ok(drained)
}

fn known(graph: &Graph, records: &[Record]) -> Result<BTreeSet<String>> {
    let mut known = BTreeSet::new();
    let mut note = |row: Vec<Value>| {
        known.insert(row.str(0)?.to_owned());
        Ok::<_, StoreError>(())
    };
    if records.len() < TOGETHER {
        for record in records {
            graph.each(named(DRAIN, "event known"), vec![("id", text(&*record.id))], &mut note)?;
        }
    } else {
        let ids: Vec<&str> = records.iter().map(|r| &*r.id).collect();
        graph.each(named(DRAIN, "events known"), vec![("ids", texts(&ids))], &mut note)?;
    }
    Ok(known)
}

/// An event of several files has a row for each; the first one's id is the event's.
fn rows_of(record: &Record) -> Vec<Params<'static>> {
    let paths: Vec<&str> =
        if record.paths.is_empty() { vec![""] } else { record.paths.iter().map(String::as_str).collect() };
    let rows = paths.iter().enumerate().map(|(n, path)| {
        let id = if n == 0 { record.id.clone() } else { format!("{}#{}", record.id, n + 1) };
        vec![
            ("id", text(id)),
            ("session", text(record.owner.key())),
            ("agent", text(record.owner.agent())),
            ("kind", text(record.kind.as_str())),
            ("at", int(record.at.wall)),
            ("tick", int(record.at.tick)),
            ("path", text(*path)),
            ("detail", text(&*record.detail)),
            ("call", text(&*record.call)),
            ("hash", text(record.hashes.get(n).map_or("", String::as_str))),
            ("failed", Value::Bool(record.failed)),
        ]
    });
    rows.collect()
}

fn write_events(graph: &Graph, records: &[Record]) -> Result<()> {
    let rows: Vec<Params<'static>> = records.iter().flat_map(rows_of).collect();
    if rows.len() < TOGETHER {
        return rows.into_iter().try_for_each(|row| graph.run(named(DRAIN, "event new"), row).map(drop));
    }
    for chunk in rows.chunks(500) {
        graph.run(named(DRAIN, "events new"), vec![("rows", structs(chunk))])?;
    }
    Ok(())
}

/// What a file was to a session within the batch.
#[derive(Default)]
struct Touch {
    count: i64,
    again: i64,
    first_at: i64,
    last_at: i64,
    tick: i64,
    hash: String,
}

struct Work<'a> {
    graph: &'a Graph,
    sessions: BTreeMap<String, Tally>,
    reads: BTreeMap<(String, String), Touch>,
    edits: BTreeMap<(String, String), Touch>,
}

impl Work<'_> {
    fn take(&mut self, record: &Record) -> Result<()> {
        let key = record.owner.key();
        if !self.sessions.contains_key(&key) {
            let tally = Tally::read(self.graph, &key)?;
            self.sessions.insert(key.clone(), tally);
        }
        let again = if record.kind == Kind::Read && !record.failed { self.read(&key, record)? } else { 0 };
        if let Some(tally) = self.sessions.get_mut(&key) {
            tally.take(record, again);
        }
        match record.kind {
            Kind::Edit | Kind::UnseenEdit if !record.failed => self.edited(&key, record),
            Kind::End | Kind::Stop | Kind::AgentStop => self.let_go(&key, record)?,
            Kind::Lesson => {
                self.flush_session(&key)?;
                lesson::write_record(self.graph, &key, record)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Counts reads; how many found the file as before.
    fn read(&mut self, key: &str, record: &Record) -> Result<i64> {
        let mut again = 0;
        for (n, path) in record.paths.iter().enumerate() {
            let hash = record.hashes.get(n).map_or("", String::as_str);
            let place = (key.to_owned(), path.clone());
            let touch = match self.reads.entry(place) {
                std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::btree_map::Entry::Vacant(entry) => {
                    let params = vec![("session", text(key)), ("path", text(&**path))];
                    let rows = self.graph.run(named(DRAIN, "last read"), params)?;
                    let hash = rows.rows.first().map_or(Ok(String::new()), |row| row.str(0).map(str::to_owned))?;
                    entry.insert(Touch { hash, ..Touch::default() })
                }
            };
            if !hash.is_empty() && touch.hash == hash {
                touch.again += 1;
                again += 1;
            }
            note(touch, record, hash);
        }
        Ok(again)
    }

    fn edited(&mut self, key: &str, record: &Record) {
        for (n, path) in record.paths.iter().enumerate() {
            let hash = record.hashes.get(n).map_or("", String::as_str);
            note(self.edits.entry((key.to_owned(), path.clone())).or_default(), record, hash);
        }
    }

    fn let_go(&self, key: &str, record: &Record) -> Result<()> {
        let params = || vec![("session", text(key)), ("at", int(record.at.wall))];
        let with_agent = || {
            let mut params = params();
            params.push(("agent", text(record.owner.agent())));
            params
        };
        let run = |name, params| self.graph.run(named(DRAIN, name), params).map(drop);
        match record.kind {
            Kind::End => run("release all", params()),
            Kind::AgentStop if record.owner.agent.is_some() => run("release agent", with_agent()),
            Kind::Stop => {
                for name in ["turn into notes", "release unchanged"] {
                    let mut params = with_agent();
                    params.push(("changed", texts(&record.paths)));
                    run(name, params)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn flush_session(&mut self, key: &str) -> Result<()> {
        match self.sessions.get_mut(key) {
            Some(tally) => tally.write(self.graph, key),
            None => Ok(()),
        }
    }

    fn finish(mut self) -> Result<()> {
        for (key, tally) in &mut self.sessions {
            tally.write(self.graph, key)?;
        }
        for ((session, path), touch) in &self.reads {
            let mut params = touched(session, path, touch);
            params.push(("again", int(touch.again)));
            self.graph.run(named(DRAIN, "read"), params)?;
        }
        for ((session, path), touch) in &self.edits {
            self.graph.run(named(DRAIN, "edited"), touched(session, path, touch))?;
        }
        Ok(())
    }
}

fn note(touch: &mut Touch, record: &Record, hash: &str) {
    touch.count += 1;
    if touch.first_at == 0 {
        touch.first_at = record.at.wall;
    }
    touch.last_at = touch.last_at.max(record.at.wall);
    touch.tick = record.at.tick;
    hash.clone_into(&mut touch.hash);
}

fn touched(session: &str, path: &str, touch: &Touch) -> Params<'static> {
    vec![
        ("session", text(session)),
        ("path", text(path)),
        ("count", int(touch.count)),
        ("first_at", int(touch.first_at)),
        ("last_at", int(touch.last_at)),
        ("tick", int(touch.tick)),
        ("hash", text(&*touch.hash)),
    ]
}

/// At most once an hour: sessions and events of more than 30 days ago become counts.
fn fold(graph: &Graph, now: &Moment) -> Result<()> {
    const EVERY: i64 = 3600;
    let last = crate::store::schema::meta(graph, "folded")?.and_then(|at| at.parse::<i64>().ok()).unwrap_or(0);
    // A clock that was set back must not keep this from ever happening again.
    if (now.wall - last).abs() < EVERY {
        return Ok(());
    }
    fold_before(graph, now.wall - KEPT)?;
    crate::store::schema::set_meta(graph, "folded", &now.wall.to_string())
}

/// Folds sessions and events from before a moment (seconds since the epoch) into counts.
///
/// # Errors
/// What the engine says.
pub fn fold_before(graph: &Graph, before: i64) -> Result<()> {
    let old = graph.run(named(DRAIN, "old sessions"), vec![("before", int(before))])?;
    for row in &old.rows {
        let mut params = vec![("host", text(row.str(1)?))];
        let columns =
            ["calls", "before_edit", "searches", "reads", "rereads", "edits", "blocked", "injected"].iter().enumerate();
        for (n, column) in columns {
            params.push((column, int(row.int(n + 2)?)));
        }
        graph.run(named(DRAIN, "fold"), params)?;
        graph.run(named(DRAIN, "forget session"), vec![("id", text(row.str(0)?))])?;
    }
    graph.run(named(DRAIN, "forget events"), vec![("before", int(before))]).map(drop)
}
