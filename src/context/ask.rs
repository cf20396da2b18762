//! The whole question: from names, or from a question in words, to a text.

use std::time::Duration;

use super::{Assembled, Role, assemble};
use crate::ask::{self, AskError, Brief};
use crate::impact::seeds::{Seed, Targets, targets};
use crate::locate::{Limits, Task};
use crate::repo::Repo;
use crate::store::Store;
use crate::terms::query_words;

/// Places of a question that become part of its context.
const PLACES: usize = 4;
/// Definitions of a file or class that are taken with their bodies.
const SEEDS: usize = 12;
/// Tokens in which it is told what was cut.
const TAIL: usize = 60;

/// What came of it.
#[derive(Clone, Debug)]
pub enum Context {
    /// The text with what was left out.
    Text {
        /// As assembled.
        assembled: Assembled,
        /// Definitions that were named and left out.
        left_out: usize,
        /// One line on what was cut.
        tail: String,
    },
    /// A name stands for several definitions.
    Many(String, Vec<Brief>),
    /// Nothing of that name, or no place fits the question.
    None,
}

/// Asks. `names`: each as written and as a path of the graph; one with white space in it is a question. `count`: see
/// [`assemble`]; `wait`: how long to wait for the graph.
///
/// # Errors
/// What the store and the search index say.
pub fn context(
    repo: &Repo,
    store: &Store,
    wait: Duration,
    names: &[(String, String)],
    budget: usize,
    count: &dyn Fn(&str) -> usize,
) -> Result<Context, AskError> {
    let question = names.iter().map(|n| n.0.as_str()).collect::<Vec<_>>().join(" ");
    let asks = names.len() == 1 && question.trim().contains(char::is_whitespace);
    let mut found = if asks { Targets::default() } else { store.read(wait, |graph| targets(graph, names))? };
    let mut words = Vec::new();
    if asks || (found.seeds.is_empty() && found.many.is_empty() && names.len() > 2) {
        words = query_words(&question);
        let answer = ask::locate(repo, store, wait, &Task::read(None, &question), Limits::MAP)?;
        let place = |p: &crate::locate::Place| match (p.symbol_id(), p.start_line) {
            (Some(id), _) => id,
            (None, 0) => p.file.clone(),
            (None, _) => format!("{}:{}-{}", p.file, p.start_line, p.end_line),
        };
        let places = answer.places.iter().take(PLACES).map(place);
        let places: Vec<(String, String)> = places.map(|place| (place.clone(), place)).collect();
        found = store.read(wait, |graph| targets(graph, &places))?;
        found.unknown.clear();
        found.many.clear();
    }
    if let Some((name, candidates)) = found.many.into_iter().next() {
        return Ok(Context::Many(name, candidates));
    }
    let seeds = outermost(found.seeds);
    if seeds.is_empty() {
        return Ok(Context::None);
    }
    let left_out = seeds.len().saturating_sub(SEEDS);
    let seeds = &seeds[..seeds.len().min(SEEDS)];
    let room = budget.saturating_sub(TAIL);
    let assembled = store.read(wait, |graph| assemble(graph, repo, seeds, &words, room, count))?;
    let tail = tail(&assembled, left_out, budget);
    Ok(Context::Text { assembled, left_out, tail })
}

/// A definition inside of another one that is there too is told with it.
fn outermost(seeds: Vec<Seed>) -> Vec<Seed> {
    let module = |s: &Seed| s.kind == "module";
    let inside = |s: &Seed, o: &Seed| {
        !module(o)
            && s.id != o.id
            && s.file == o.file
            && o.start_line <= s.start_line
            && s.end_line <= o.end_line
            && (o.start_line, o.end_line) != (s.start_line, s.end_line)
    };
    let keep: Vec<Seed> = seeds.iter().filter(|s| !seeds.iter().any(|o| inside(s, o))).cloned().collect();
    let only_module = keep.iter().all(module);
    keep.into_iter().filter(|s| only_module || !module(s)).collect()
}

fn tail(done: &Assembled, left_out: usize, budget: usize) -> String {
    let words = |role: &Role| match role {
        Role::Body => "bodies",
        Role::CalledBy => "callers",
        Role::Calls => "callees",
        Role::Tests => "tests",
        Role::Lessons => "lessons",
    };
    let mut cut: Vec<String> = done.cut.iter().map(|(role, n)| format!("{n} {}", words(role))).collect();
    if left_out > 0 {
        cut.push(format!("{left_out} more definitions"));
    }
    let cut = if cut.is_empty() { "nothing".to_owned() } else { cut.join(", ") };
    let short = if done.shortened.is_empty() { String::new() } else { format!("; {} shortened", done.shortened.len()) };
    format!("({} of {budget} tokens; left out: {cut}{short})", done.tokens)
}
