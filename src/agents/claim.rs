//! Who edits what: claims on files, and by hand on areas.

use std::collections::BTreeSet;
use std::time::Duration;

use kuzu::Value;
use serde::Serialize;

use super::area::{Area, is_pattern};
use super::clock::{Moment, span};
use super::drain::{drain, drain_into};
use super::error::AgentsError;
use super::journal::Journal;
use super::owner::{Owner, from_key};
use super::process;
use super::record::{Kind, Record};
use crate::render::line::one_line;
use crate::store::statements::{named, single};
use crate::store::value::{RowExt, int, text, texts};
use crate::store::{Graph, Layout, Store};

const CLAIM: &str = include_str!("../../queries/claim.cypher");
const RELEASE: &str = include_str!("../../queries/release.cypher");
const OWN: &str = include_str!("../../queries/agents/claim.cypher");

const PATH: usize = 160;
/// More events are not left waiting by a claim: agents without an end of turn would heap them up.
const WAITING: usize = 100;
/// A note on uncommitted changes is told no longer than this, in seconds.
const NOTE: i64 = 24 * 3600;

/// A wish to edit.
#[derive(Clone, Debug)]
pub struct Ask<'a> {
    /// Who.
    pub owner: &'a Owner,
    /// Files as paths of the repository, and areas (`src/`, `*.md`). All are granted, or none.
    pub paths: &'a [String],
    /// Holds for so long whatever happens, instead of as long as the session is alive.
    pub hold: Option<Duration>,
    /// The process that must live, as [`process::agent`] writes it; empty for none.
    pub process: &'a str,
}

/// A claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// The file's path, or the area's pattern.
    pub path: String,
    /// It is an area.
    pub area: bool,
    /// Who has it.
    #[serde(flatten)]
    pub owner: Owner,
    /// Since when, seconds since the epoch.
    pub since: i64,
    /// It keeps nobody away: the file has changes that are not committed.
    pub note: bool,
    /// It still holds.
    pub live: bool,
    #[serde(skip)]
    process: String,
}

impl Claim {
    /// The sentence for whoever asked for `asked` and may not have it.
    pub fn refusal(&self, asked: &str, now: &Moment) -> String {
        let asked = one_line(asked, PATH);
        let within = if self.area && self.path != asked {
            format!(" (in {})", one_line(&self.path, PATH))
        } else {
            String::new()
        };
        format!(
            "[portolan] {asked} is being edited by {}{within} (since {}). Work on something else or wait; do not edit this {}.",
            self.owner.shown(),
            span(now.wall - self.since),
            if is_pattern(&asked) { "area" } else { "file" },
        )
    }

    /// The sentence about uncommitted changes.
    pub fn remark(&self, now: &Moment) -> String {
        format!(
            "[portolan] {} has uncommitted changes by {} (since {}); look at them before you edit it.",
            one_line(&self.path, PATH),
            self.owner.shown(),
            span(now.wall - self.since),
        )
    }
}

/// What came of an [`Ask`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All is the asker's.
    Granted {
        /// Sentences for the asker, one line each.
        notes: Vec<String>,
        /// When, within the transaction.
        at: Moment,
    },
    /// Nothing is.
    Taken {
        /// What was asked for and is taken.
        asked: String,
        /// By whom.
        by: Claim,
        /// The sentence for the asker.
        message: String,
    },
}

/// Takes all paths of an ask, or none. What waits in the journal counts: it is drained first where it can change the
/// answer, or has grown long.
///
/// # Errors
/// What the store says: the graph could not be asked, so it is not known who has the paths.
pub fn claim(store: &Store, ask: &Ask<'_>, wait: Duration) -> Result<Outcome, AgentsError> {
    let areas: Vec<Area> =
        ask.paths.iter().filter(|p| is_pattern(p)).map(|p| Area::new(p)).collect::<Result<_, _>>()?;
    store.write(wait, |graph| {
        let now = Moment::now();
        let mut drained = None;
        let outcome = graph.transaction(|graph| {
            if let Some(waiting) = waiting(store.layout(), ask) {
                let all = read(graph, &now)?;
                // Whoever else has something there may have been active since, or gone.
                if !all.iter().any(|claim| !is_own(claim, ask) && is_met(claim, ask, &areas)) {
                    return take(graph, ask, &all, &[], &waiting, &now, Vec::new());
                }
            }
            drained = Some(drain_into(graph, store.layout())?);
            claim_in(graph, ask, &areas, &now)
        })?;
        if let Some(drained) = drained {
            drained.committed(store.layout());
        }
        Ok(outcome)
    })
}

/// What waits in the journal and may go on waiting, as far as the asker's own claims and the files that it asks for go.
fn waiting(layout: &Layout, ask: &Ask<'_>) -> Option<Vec<Record>> {
    // An area's claim needs the session's row.
    if ask.paths.iter().any(|path| is_pattern(path)) {
        return None;
    }
    let records = Journal::of(layout).peek()?;
    let session = ask.owner.key();
    let matters = |record: &Record| match record.kind {
        // They end claims, or are about rows that this transaction would write.
        Kind::Stop | Kind::End | Kind::AgentStop | Kind::Lesson => true,
        Kind::Edit | Kind::UnseenEdit => {
            record.owner.key() != session && record.paths.iter().any(|path| ask.paths.contains(path))
        }
        _ => false,
    };
    (records.len() <= WAITING && !records.iter().any(matters)).then_some(records)
}

/// The asker has it already, or its parent.
fn is_own(claim: &Claim, ask: &Ask<'_>) -> bool {
    claim.owner.key() == ask.owner.key() && (claim.owner.agent.is_none() || claim.owner.agent() == ask.owner.agent())
}

fn is_met(claim: &Claim, ask: &Ask<'_>, areas: &[Area]) -> bool {
    ask.paths.iter().any(|path| overlap(path, areas, claim))
}

fn claim_in(graph: &Graph, ask: &Ask<'_>, areas: &[Area], now: &Moment) -> Result<Outcome, AgentsError> {
    let session = ask.owner.key();
    let all = read(graph, now)?;
    let mut notes = Vec::new();
    let mut dead = BTreeSet::new();
    for claim in &all {
        if is_own(claim, ask) {
            continue;
        }
        if !claim.live {
            if process::is_dead(&claim.process) {
                dead.insert(claim.process.clone());
            }
            continue;
        }
        let Some(asked) = ask.paths.iter().find(|path| overlap(path, areas, claim)) else { continue };
        if claim.note {
            if claim.owner.key() != session && now.wall - claim.since < NOTE {
                notes.push(claim.remark(now));
            }
            continue;
        }
        let message = claim.refusal(asked, now);
        return Ok(Outcome::Taken { asked: asked.clone(), by: claim.clone(), message });
    }
    // The statement has none of this: claims that no longer hold go when somebody else takes the place.
    for claim in all.iter().filter(|c| !c.live && !c.note && c.owner.key() != session).take(8) {
        if is_met(claim, ask, areas) {
            let params = vec![("session", text(claim.owner.key())), ("path", text(&*claim.path))];
            graph.run(named(OWN, "forget claim"), params)?;
        }
    }
    let dead: Vec<String> = dead.into_iter().collect();
    take(graph, ask, &all, &dead, &[], now, notes)
}

/// Writes the claims, which nobody else has by `all`, read in this transaction. `dead`: processes that hold nothing.
/// `waiting`: what is in the journal still.
fn take(
    graph: &Graph,
    ask: &Ask<'_>,
    all: &[Claim],
    dead: &[String],
    waiting: &[Record],
    now: &Moment,
    mut notes: Vec<String>,
) -> Result<Outcome, AgentsError> {
    let session = ask.owner.key();
    let agent = ask.owner.agent();
    let (until, expires) = match ask.hold {
        Some(hold) => {
            let ms = i64::try_from(hold.as_millis()).unwrap_or(i64::MAX / 4);
            (now.tick.saturating_add(ms), now.wall.saturating_add(ms / 1000))
        }
        None => (0, 0),
    };
    // Never an empty list: the engine could not tell of what.
    let dead: Vec<&str> = if dead.is_empty() { vec!["-"] } else { dead.iter().map(String::as_str).collect() };
    for path in ask.paths {
        let mut params = vec![
            ("session", text(&*session)),
            ("agent", text(&*agent)),
            ("boot", text(&*now.boot)),
            ("now", int(now.wall)),
            ("until", int(until)),
            ("expires", int(expires)),
            ("process", text(if ask.hold.is_some() { "" } else { ask.process })),
        ];
        if is_pattern(path) {
            params.push(("pattern", text(&**path)));
            graph.run(named(OWN, "claim area"), params)?;
            continue;
        }
        params.push(("path", text(&**path)));
        let again = all.iter().any(|claim| !claim.area && claim.path == *path && claim.owner.key() == session);
        let short = named(OWN, if again { "claim again" } else { "claim anew" });
        let mut got = graph.run(short, params.clone())?;
        if got.is_empty() {
            let more = [("host", text(&*ask.owner.host)), ("tick", int(now.tick)), ("dead", texts(&dead))];
            params.extend(more);
            got = graph.run(single(CLAIM), params)?;
        }
        if got.is_empty() {
            // Read and taken under the same gate, the two can only differ by a fault: nobody gets it.
            let message = format!("{path} is taken, and it cannot be told by whom");
            return Err(AgentsError::About(message));
        }
        // What waits is newer than what the graph says of others.
        let touched = |r: &Record| {
            let kind = matches!(r.kind, Kind::Read | Kind::Edit | Kind::UnseenEdit);
            kind && !r.failed && r.owner.key() == session && r.paths.contains(path)
        };
        if waiting.iter().any(touched) {
            continue;
        }
        if let Some(note) = edited_since_read(graph, &session, path, now)? {
            notes.push(note);
        }
    }
    notes.truncate(2);
    Ok(Outcome::Granted { notes, at: now.clone() })
}

fn overlap(asked: &str, areas: &[Area], claim: &Claim) -> bool {
    if claim.path == asked {
        return true;
    }
    let theirs = claim.area.then(|| Area::new(&claim.path).ok()).flatten();
    match (is_pattern(asked), theirs) {
        (false, Some(theirs)) => theirs.holds(asked),
        (false, None) => false,
        (true, theirs) => areas.iter().filter(|a| a.is(asked)).any(|ours| match &theirs {
            Some(theirs) => ours.meets(theirs),
            None => ours.holds(&claim.path),
        }),
    }
}

fn edited_since_read(graph: &Graph, session: &str, path: &str, now: &Moment) -> Result<Option<String>, AgentsError> {
    let params = vec![("session", text(session)), ("path", text(path))];
    // Mostly nobody did, which a short statement tells sooner.
    if graph.run(named(OWN, "edited by others"), params.clone())?.is_empty() {
        return Ok(None);
    }
    let rows = graph.run(named(OWN, "edited since read"), params)?;
    let Some(row) = rows.rows.first() else { return Ok(None) };
    Ok(Some(format!(
        "[portolan] {} was edited by {} {} ago, after you read it; read it again before you edit it.",
        one_line(path, PATH),
        from_key(row.str(0)?, "").shown(),
        span(now.wall - row.int(1)?),
    )))
}

/// All claims of a graph, live or not.
fn read(graph: &Graph, now: &Moment) -> Result<Vec<Claim>, AgentsError> {
    let rows = graph.run(named(OWN, "claims"), vec![])?;
    let mut all = rows.rows.iter().map(|row| one(row, now)).collect::<Result<Vec<Claim>, _>>()?;
    all.sort_by_cached_key(|claim| (claim.path.clone(), claim.owner.key()));
    Ok(all)
}

fn one(row: &[Value], now: &Moment) -> Result<Claim, AgentsError> {
    let (since, boot, until, expires) = (row.int(4)?, row.str(6)?, row.int(7)?, row.int(8)?);
    let process = row.str(9)?.to_owned();
    let holds = if boot == now.boot {
        until >= now.tick || (until == 0 && row.str(10)? == now.boot && row.int(11)? >= now.tick)
    } else {
        since <= now.wall && expires >= now.wall
    };
    let note = row.bool(5)?;
    let pattern = row.str(1)?;
    Ok(Claim {
        path: if pattern.is_empty() { row.str(0)? } else { pattern }.to_owned(),
        area: !pattern.is_empty(),
        owner: from_key(row.str(2)?, row.str(3)?),
        since,
        note,
        // A note is about the file, which the end of its session does not change.
        live: if note { now.wall - since < NOTE } else { holds && !process::is_dead(&process) },
        process,
    })
}

/// All claims that hold, and the notes; the journal is drained first where that can be done.
///
/// # Errors
/// What the store says.
pub fn claims(store: &Store, wait: Duration) -> Result<Vec<Claim>, AgentsError> {
    let now = Moment::now();
    if !Journal::of(store.layout()).is_empty() {
        store.write(wait, |graph| drain(graph, store.layout(), &now))?;
    }
    let all = store.read(wait, |graph| read(graph, &now))?;
    Ok(all.into_iter().filter(|c| c.live).collect())
}

/// Gives an owner's claims back: those to `paths`, or all without any. Returns what was given back. With `force`,
/// whoever has them.
///
/// # Errors
/// What the store says.
pub fn release(
    store: &Store,
    owner: &Owner,
    paths: &[String],
    force: bool,
    wait: Duration,
) -> Result<Vec<Claim>, AgentsError> {
    store.write(wait, |graph| {
        let now = Moment::now();
        let mut drained = None;
        let gone = graph.transaction(|graph| {
            drained = Some(drain_into(graph, store.layout())?);
            let mine = |claim: &Claim| force || claim.owner.key() == owner.key();
            let wanted = |claim: &Claim| paths.is_empty() || paths.contains(&claim.path);
            let all = read(graph, &now)?;
            let gone: Vec<Claim> = all.into_iter().filter(|c| mine(c) && wanted(c)).collect();
            for claim in &gone {
                let params = vec![("session", text(claim.owner.key())), ("path", text(&*claim.path))];
                graph.run(single(RELEASE), params)?;
            }
            Ok::<_, AgentsError>(gone)
        })?;
        if let Some(drained) = drained {
            drained.committed(store.layout());
        }
        Ok(gone)
    })
}
