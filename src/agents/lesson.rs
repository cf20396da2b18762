//! What was learned, and about which place.

use std::time::Duration;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::clock::Moment;
use super::drain::DRAIN;
use super::error::AgentsError;
use super::owner::Owner;
use super::record::{Kind, Record};
use crate::ask::{self, Named};
use crate::render::line::one_line;
use crate::store::statements::named;
use crate::store::value::{RowExt, int, text};
use crate::store::{Graph, Result, Store};

const LESSON: &str = include_str!("../../queries/agents/lesson.cypher");

/// A lesson is one line of at most so many characters.
pub const LONGEST: usize = 240;

/// A lesson.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lesson {
    /// Its id.
    pub id: String,
    /// One line.
    pub text: String,
    /// When it was last confirmed, seconds since the epoch.
    pub at: i64,
    /// How often it was learned again.
    pub confirmed: i64,
    /// The file or symbol that it is about; empty for the whole repository.
    pub about: String,
    /// `hand` or `rule`.
    pub origin: String,
    /// Its symbol is not in the code now: it is kept, and not shown to agents.
    pub gone: bool,
}

fn id_of(words: &str, about: &str) -> String {
    format!("{:016x}", xxh3_64(format!("{words}\u{0}{about}").as_bytes()))
}

/// What a lesson is about.
enum About {
    Nothing,
    File(String),
    Symbol(String),
}

/// Writes a lesson that a rule found, within the drain's transaction.
pub(super) fn write_record(graph: &Graph, session: &str, record: &Record) -> Result<()> {
    let about = record.paths.first().map_or(About::Nothing, |path| About::File(path.clone()));
    write(graph, &record.detail, &about, "rule", record.at.wall, Some(session)).map(drop)
}

fn write(graph: &Graph, words: &str, about: &About, origin: &str, at: i64, session: Option<&str>) -> Result<Lesson> {
    let words = one_line(words, LONGEST);
    let target = match about {
        About::Nothing => "",
        About::File(path) | About::Symbol(path) => path,
    };
    let id = id_of(&words, target);
    let params = vec![
        ("id", text(&*id)),
        ("text", text(&*words)),
        ("target", text(target)),
        ("origin", text(origin)),
        ("confirmed", int(1)),
        ("at", int(at)),
    ];
    graph.run(named(DRAIN, "lesson"), params)?;
    match about {
        About::Nothing => {}
        About::File(path) => {
            graph.run(named(DRAIN, "about file"), vec![("id", text(&*id)), ("path", text(&**path))])?;
        }
        About::Symbol(symbol) => {
            graph.run(named(DRAIN, "about symbol"), vec![("id", text(&*id)), ("symbol", text(&**symbol))])?;
        }
    }
    if let Some(session) = session {
        graph.run(named(DRAIN, "learned"), vec![("session", text(session)), ("id", text(&*id))])?;
    }
    let (about, origin) = (target.to_owned(), origin.to_owned());
    Ok(Lesson { id, text: words, at, confirmed: 1, about, origin, gone: false })
}

/// Writes a lesson down. `about`: a file's path or a symbol's name.
///
/// # Errors
/// The name stands for nothing, or for several symbols; and what the store says.
pub fn learn(
    store: &Store,
    owner: &Owner,
    words: &str,
    about: Option<&str>,
    wait: Duration,
) -> Result<Lesson, AgentsError> {
    let words = one_line(words, LONGEST);
    if words.is_empty() {
        return Err(AgentsError::About("the lesson is empty: say it in one line".into()));
    }
    store.write(wait, |graph| {
        let about = about.map_or(Ok(About::Nothing), |about| target(graph, about))?;
        let now = Moment::now();
        let mut drained = None;
        let lesson = graph.transaction(|graph| {
            drained = Some(super::drain::drain_into(graph, store.layout())?);
            write(graph, &words, &about, "hand", now.wall, Some(&owner.key())).map_err(AgentsError::from)
        })?;
        if let Some(drained) = drained {
            drained.committed(store.layout());
        }
        Ok(lesson)
    })
}

fn target(graph: &Graph, about: &str) -> Result<About, AgentsError> {
    let path = about.trim_start_matches("./");
    if ask::has_file(graph, path)? {
        return Ok(About::File(path.to_owned()));
    }
    match ask::named(graph, about)? {
        Named::One(symbols) => match symbols.into_iter().next() {
            Some(symbol) => Ok(About::Symbol(symbol.id)),
            None => Ok(About::Nothing),
        },
        Named::Many(several) => {
            let some: Vec<&str> = several.iter().take(5).map(|s| &*s.id).collect();
            Err(AgentsError::About(format!(
                "{about} stands for {} symbols: say which ({})",
                several.len(),
                some.join(", ")
            )))
        }
        Named::None => Err(AgentsError::About(format!("{about} is neither a file nor a symbol of the graph"))),
    }
}

/// All lessons, the newest first.
///
/// # Errors
/// What the store says.
pub fn lessons(store: &Store, wait: Duration) -> Result<Vec<Lesson>, AgentsError> {
    super::drain_now(store, wait)?;
    Ok(store.read(wait, |graph| {
        let rows = graph.run(named(LESSON, "all"), vec![])?;
        let lessons = rows.rows.iter().map(|row| {
            Ok(Lesson {
                id: row.str(0)?.to_owned(),
                text: row.str(1)?.to_owned(),
                at: row.int(2)?,
                confirmed: row.int(3)?,
                about: row.str(4)?.to_owned(),
                origin: row.str(5)?.to_owned(),
                gone: row.bool(6)?,
            })
        });
        lessons.collect::<Result<Vec<_>>>()
    })?)
}

/// Removes a lesson by its id, by the beginning of its id, or by its words; returns what is gone.
///
/// # Errors
/// What the store says.
pub fn forget(store: &Store, which: &str, wait: Duration) -> Result<Vec<Lesson>, AgentsError> {
    let which = which.trim();
    let all = lessons(store, wait)?;
    let fits = |l: &&Lesson| {
        !which.is_empty() && (l.id == which || l.text == which || (which.len() >= 4 && l.id.starts_with(which)))
    };
    let gone: Vec<Lesson> = all.iter().filter(fits).cloned().collect();
    if !gone.is_empty() {
        store.write(wait, |graph| {
            graph.transaction(|graph| {
                gone.iter().try_for_each(|l| graph.run(named(LESSON, "forget"), vec![("id", text(&*l.id))]).map(drop))
            })
        })?;
    }
    Ok(gone)
}

/// The lesson to show with places: of the first place that has one, the newest and most confirmed.
///
/// # Errors
/// What the store says.
pub fn for_places<'a>(
    graph: &Graph,
    places: impl Iterator<Item = (&'a str, Option<&'a str>)>,
) -> Result<Option<String>> {
    let mut best: Option<(i64, i64, String)> = None;
    for (file, symbol) in places {
        let mut found = graph.run(named(LESSON, "of file"), vec![("path", text(file))])?.rows;
        if let Some(id) = symbol {
            found.extend(graph.run(named(LESSON, "of symbol"), vec![("id", text(id))])?.rows);
        }
        for row in found {
            let one = (row.int(1)?, row.int(2)?, row.str(0)?.to_owned());
            if best.as_ref().is_none_or(|b| (b.0, b.1) < (one.0, one.1)) {
                best = Some(one);
            }
        }
    }
    Ok(best.map(|(_, _, words)| one_line(&words, LONGEST)))
}

/// A record of a lesson that a rule found.
pub fn record(owner: &Owner, at: Moment, words: &str) -> Record {
    let unique = format!("{words}\u{0}{}", at.tick);
    let mut record = Record::new(owner, Kind::Lesson, at, &unique);
    record.detail = one_line(words, LONGEST);
    record
}
