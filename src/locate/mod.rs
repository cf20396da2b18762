//! From the words of a task to the places that will have to change.
//!
//! [`Task::read`] reads the text; each signal is a module that turns it into [`Hit`]s on files and symbols;
//! `fuse` adds them up with the weights of [`weights`] and orders the places. The search index gives the
//! words, [`GraphView`] the graph. No model, no network, no database code.

pub mod chat;
mod collect;
mod confidence;
mod frames;
mod fuse;
pub mod graph_view;
mod literals;
mod mentions;
mod past;
mod prior;
mod settings;
mod stop_words;
pub mod task;
mod text;
pub mod trace;
mod walk;
pub mod weights;
mod witness;

use serde::Serialize;

use crate::search::Index;
pub use task::Task;
pub use weights::Weights;
use weights::bounds;

/// A kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    /// The words of the text, by BM25F.
    Text,
    /// A symbol that the text names.
    Mention,
    /// A file that the text names.
    Path,
    /// A stack frame.
    Frame,
    /// A quoted message that stands in a string literal.
    Literal,
    /// Called, through thin symbols, by a symbol that the text names.
    Calls,
    /// Past commits about the same words.
    Commits,
    /// Changed together with the best files in the past.
    CoChange,
    /// Tested by tests that speak of the same.
    Witness,
}

/// Number of signals.
pub const SIGNALS: usize = 9;

/// What evidence points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// A file of the index.
    File(u32),
    /// A unit of the index.
    Unit(u32),
}

/// One piece of evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// For what.
    pub target: Target,
    /// Of which kind.
    pub signal: Signal,
    /// Between 0 and 1.
    pub strength: f32,
    /// What it is, for people: the name, the message, the commit.
    pub note: String,
}

/// One kind of evidence on a place, as `--explain` shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// Which kind.
    pub signal: Signal,
    /// What it adds to the place's score.
    pub points: f32,
    /// What it is; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A place that may have to change.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// Path from the root.
    pub file: String,
    /// Qualified name (`#2` for what repeats); empty for a stretch of lines or a whole file.
    pub qualname: String,
    /// The symbol's kind (`function`, `class`, ...), `lines`, or `file`.
    pub kind: &'static str,
    /// First line, 1-based; 0 for a whole file.
    pub start_line: u32,
    /// Last line, inclusive; 0 for a whole file.
    pub end_line: u32,
    /// Comparable within one answer only.
    pub score: f32,
    /// Why, strongest first.
    pub why: Vec<Evidence>,
}

impl Place {
    /// The symbol's id in the graph, if the place is a symbol.
    pub fn symbol_id(&self) -> Option<String> {
        (!self.qualname.is_empty()).then(|| format!("{}::{}", self.file, self.qualname))
    }
}

/// How far the first places can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// A guess.
    Low,
    /// One of them is likely.
    Medium,
    /// The right file is very likely among the first three.
    High,
}

impl Confidence {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Confidence::Low => "low",
            Confidence::Medium => "medium",
            Confidence::High => "high",
        }
    }
}

/// What was found for a task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// How far it can be trusted.
    pub confidence: Confidence,
    /// What the confidence was read from: its thresholds are in `weights`.
    pub certainty: f32,
    /// Places, best first.
    pub places: Vec<Place>,
    /// Test files that cover the first places, best first.
    pub tests: Vec<String>,
    /// The prompt is not about code: nothing should be said at all.
    pub silent: bool,
}

/// How many places are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most places.
    pub places: usize,
    /// Most places of one file among those that the map shows.
    pub per_file: usize,
    /// Most test files.
    pub tests: usize,
}

impl Limits {
    /// What the map shows.
    pub const MAP: Limits = Limits { places: 6, per_file: 3, tests: 3 };
    /// The whole ranking.
    pub const ALL: Limits = Limits { places: 100, per_file: 3, tests: 10 };
}

/// The graph as ranking needs it. All answers are in a deterministic order.
pub trait GraphView {
    /// Why the graph could not be asked.
    type Error;

    /// What each of `ids` calls, without guesses: (id, ln(1 + its distinct callers)), in the order of `ids`.
    fn calls(&self, ids: &[String]) -> Result<Vec<Vec<(String, f64)>>, Self::Error>;

    /// What the class `id` inherits from directly.
    fn bases(&self, id: &str) -> Result<Vec<String>, Self::Error>;

    /// Tests that exercise any of `ids`, in any order.
    fn tests_of(&self, ids: &[String]) -> Result<Vec<TestOf>, Self::Error>;

    /// How central a symbol is: ln(1 + its distinct callers); 0 for an unknown one.
    fn rank(&self, id: &str) -> Result<f64, Self::Error>;
}

/// A test that exercises a symbol.
#[derive(Clone, Debug, PartialEq)]
pub struct TestOf {
    /// The symbol.
    pub id: String,
    /// The test's file.
    pub file: String,
    /// The test's id.
    pub test: String,
    /// How sure that is, between 0 and 1.
    pub confidence: f64,
}

/// A view of no graph at all: words alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoGraph;

impl GraphView for NoGraph {
    type Error = std::convert::Infallible;

    fn calls(&self, ids: &[String]) -> Result<Vec<Vec<(String, f64)>>, Self::Error> {
        Ok(vec![Vec::new(); ids.len()])
    }

    fn bases(&self, _id: &str) -> Result<Vec<String>, Self::Error> {
        Ok(Vec::new())
    }

    fn tests_of(&self, _ids: &[String]) -> Result<Vec<TestOf>, Self::Error> {
        Ok(Vec::new())
    }

    fn rank(&self, _id: &str) -> Result<f64, Self::Error> {
        Ok(0.0)
    }
}

/// What every signal stands on.
#[derive(Clone, Copy)]
struct Ground<'a> {
    index: &'a Index,
    classes: &'a prior::Classes,
    weights: &'a Weights,
}

/// Ranks the places for a task. The same input gives the same answer.
///
/// # Errors
/// The graph cannot be asked.
pub fn locate<G: GraphView>(index: &Index, graph: &G, task: &Task, limits: Limits) -> Result<Answer, G::Error> {
    locate_by(&Weights::default(), index, graph, task, limits)
}

/// [`locate`] by other weights than the fitted ones.
///
/// # Errors
/// The graph cannot be asked.
pub fn locate_by<G: GraphView>(
    weights: &Weights,
    index: &Index,
    graph: &G,
    task: &Task,
    limits: Limits,
) -> Result<Answer, G::Error> {
    let nothing =
        |silent| Answer { confidence: Confidence::Low, certainty: 0.0, places: Vec::new(), tests: Vec::new(), silent };
    if task.is_chat {
        return Ok(nothing(true));
    }
    let classes = prior::Classes::of(&weights.class, index);
    let on = Ground { index, classes: &classes, weights };
    let words = text::look_up(index, &task.terms);
    let mut text = text::score(&weights.text, index, &words);
    let mut hits = Vec::new();
    mentions::symbols(on, task, &mut hits);
    mentions::paths(on, task, &mut hits);
    frames::hits(index, task, &mut hits);
    literals::hits(index, task, &mut hits);
    settings::hits(on, task, &mut hits);
    let past = past::Past::read(&weights.past, index);
    past::commits(&past, &words, &mut hits);
    witness::hits(on, &past, &text, &mut hits);
    text.normalise(index, &classes);
    walk::hits(on, graph, &text, &mut hits)?;
    let mut fused = fuse::Fused::new(on, &text, hits);
    let best = fused.best_files(bounds::CO_CHANGE_SEEDS);
    fused.add(past::co_changes(&past, &best));
    let mut places = fused.places(limits);
    let certainty = confidence::value(&weights.confidence, &fused, &places);
    rank_ties(weights, graph, &mut places)?;
    let tests = witness::tests_for(index, graph, &past, &classes, &text, &places, limits.tests)?;
    Ok(Answer { confidence: confidence::of(&weights.confidence, certainty), certainty, places, tests, silent: false })
}

/// Among the first places, a symbol that more of the code hangs on comes first when the evidence is the same.
fn rank_ties<G: GraphView>(weights: &Weights, graph: &G, places: &mut [Place]) -> Result<(), G::Error> {
    let shown = places.len().min(Limits::MAP.places);
    for place in &mut places[..shown] {
        if let Some(id) = place.symbol_id() {
            place.score += weights.fusion.centrality * graph.rank(&id)? as f32;
        }
    }
    // Only neighbours of the same file and nearly the same score change places.
    for i in 1..shown {
        let (a, b) = (&places[i - 1], &places[i]);
        if a.file == b.file && b.score > a.score {
            places.swap(i - 1, i);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
