//! A Session row: how long its claims hold, and what it did so far.

use std::collections::BTreeMap;

use super::drain::DRAIN;
use super::record::{Kind, Record};
use crate::store::statements::named;
use crate::store::value::{RowExt, int, text};
use crate::store::{Graph, Result};

/// Claims hold so long past their session's newest event, in milliseconds.
pub const SILENT_MS: i64 = 10 * 60_000;
/// And so long past the beginning of a call that has not ended.
pub const CALL_MS: i64 = 60 * 60_000;
/// More calls at once are not remembered.
const CALLS: usize = 32;

/// What the row holds, in Rust.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    host: String,
    name: String,
    started: i64,
    last_at: i64,
    ended: i64,
    boot: String,
    newest: i64,
    alive: i64,
    waiting: BTreeMap<String, i64>,
    process: String,
    calls: i64,
    before_edit: i64,
    searches: i64,
    reads: i64,
    rereads: i64,
    edits: i64,
    failed: i64,
    blocked: i64,
    unknown: i64,
    injected: i64,
    is_new: bool,
}

impl Tally {
    /// Reads the row of that id; empty when there is none.
    pub(super) fn read(graph: &Graph, id: &str) -> Result<Tally> {
        let rows = graph.run(named(DRAIN, "session"), vec![("id", text(id))])?;
        let (host, name) = id.split_once(':').unwrap_or(("", id));
        let base = Tally { host: host.to_owned(), name: name.to_owned(), ..Tally::default() };
        let Some(row) = rows.rows.first() else { return Ok(Tally { is_new: true, ..base }) };
        Ok(Tally {
            started: row.int(0)?,
            last_at: row.int(1)?,
            ended: row.int(2)?,
            boot: row.str(3)?.to_owned(),
            alive: row.int(4)?,
            waiting: serde_json::from_str(row.str(5)?).unwrap_or_default(),
            process: row.str(6)?.to_owned(),
            calls: row.int(7)?,
            before_edit: row.int(8)?,
            searches: row.int(9)?,
            reads: row.int(10)?,
            rereads: row.int(11)?,
            edits: row.int(12)?,
            failed: row.int(13)?,
            blocked: row.int(14)?,
            unknown: row.int(15)?,
            injected: row.int(16)?,
            // A claim alone makes a row without a name.
            is_new: row.str(17)?.is_empty(),
            ..base
        })
    }

    /// Counts an event. `again`: files of a read that were as before.
    pub(super) fn take(&mut self, record: &Record, again: i64) {
        if self.started == 0 {
            self.started = record.at.wall;
        }
        self.last_at = self.last_at.max(record.at.wall);
        if self.boot != record.at.boot {
            self.boot.clone_from(&record.at.boot);
            self.waiting.clear();
            self.newest = 0;
        }
        if !record.process.is_empty() {
            self.process.clone_from(&record.process);
        }
        self.newest = self.newest.max(record.at.tick);
        self.ended = if record.kind == Kind::End { record.at.wall } else { 0 };
        match record.kind {
            kind if kind.is_before() && self.waiting.len() < CALLS => {
                self.waiting.insert(record.call.clone(), record.at.tick);
            }
            kind if kind.is_after() => {
                self.waiting.remove(&record.call);
                self.call(record, again);
            }
            Kind::UnseenEdit => self.edits += 1,
            Kind::Denied => {
                self.waiting.remove(&record.call);
                self.blocked += 1;
            }
            Kind::Unknown => self.unknown += 1,
            Kind::Context => self.injected += record.tokens,
            // A new turn: what was running is not.
            Kind::Stop | Kind::End | Kind::Prompt | Kind::Start | Kind::Resume if record.owner.agent.is_none() => {
                self.waiting.clear();
            }
            _ => {}
        }
        self.injected += if record.kind == Kind::Context { 0 } else { record.tokens };
        let waiting = self.waiting.values().map(|tick| tick + CALL_MS).max().unwrap_or(0);
        self.alive = if record.kind == Kind::End { 0 } else { (self.newest + SILENT_MS).max(waiting) };
    }

    fn call(&mut self, record: &Record, again: i64) {
        self.calls += 1;
        if record.failed {
            self.failed += 1;
        }
        if record.search {
            self.searches += 1;
        }
        match record.kind {
            Kind::Edit if !record.failed => self.edits += 1,
            Kind::Read if !record.failed => {
                self.reads += 1;
                self.rereads += i64::from(again > 0);
            }
            _ => {}
        }
        if self.edits == 0 {
            self.before_edit += 1;
        }
    }

    /// Writes the row.
    pub(super) fn write(&mut self, graph: &Graph, id: &str) -> Result<()> {
        let waiting = if self.waiting.is_empty() {
            String::new()
        } else {
            serde_json::to_string(&self.waiting).unwrap_or_default()
        };
        let params = vec![
            ("id", text(id)),
            ("host", text(&*self.host)),
            ("name", text(&*self.name)),
            ("started", int(self.started)),
            ("last_at", int(self.last_at)),
            ("ended", int(self.ended)),
            ("boot", text(&*self.boot)),
            ("alive", int(self.alive)),
            ("waiting", text(waiting)),
            ("process", text(&*self.process)),
            ("calls", int(self.calls)),
            ("before_edit", int(self.before_edit)),
            ("searches", int(self.searches)),
            ("reads", int(self.reads)),
            ("rereads", int(self.rereads)),
            ("edits", int(self.edits)),
            ("failed", int(self.failed)),
            ("blocked", int(self.blocked)),
            ("unknown", int(self.unknown)),
            ("injected", int(self.injected)),
        ];
        graph.run(named(DRAIN, "set session"), params)?;
        if std::mem::take(&mut self.is_new) {
            graph.run(named(DRAIN, "ran"), vec![("host", text(&*self.host)), ("id", text(id))])?;
        }
        Ok(())
    }
}
