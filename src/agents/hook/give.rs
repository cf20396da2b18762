//! What an agent is given: the map for a prompt, what it did so far, news after an edit.

use serde::{Deserialize, Serialize};

use super::{Hook, MARGIN, NEWS, PROMPT, RECORD, patient};
use crate::agents::clock::Moment;
use crate::agents::engine::{Apart, apart};
use crate::agents::record::Kind;
use crate::agents::{drain, lesson, news, session, state};
use crate::hooks::{Reply, Source};
use crate::locate::graph_view::StoredGraph;
use crate::locate::{Limits, Task};
use crate::render;
use crate::search::Index;
use crate::store::StoreError;

/// What the engine's process says of a prompt.
#[derive(Serialize, Deserialize)]
enum Mapped {
    Map { text: String, places: Vec<String> },
    Nothing,
    Failed(String),
}

impl Hook<'_> {
    pub(super) fn news(&self, path: &str) -> Reply {
        if !self.layout.graph().exists() {
            return Reply::Nothing;
        }
        let touched = state::hold(&self.layout, &self.owner, RECORD).map(|held| held.state.edited.clone());
        let touched = touched.unwrap_or_default();
        let store = self.store();
        let found = apart(&self.layout, patient(NEWS), || {
            store
                .read(patient(NEWS) - std::time::Duration::from_millis(50), |graph| {
                    news::of_edit(graph, path, &touched)
                })
                .unwrap_or(None)
        });
        match found {
            Ok(Some(line)) => self.tell(line),
            Ok(None) => Reply::Nothing,
            // News is a courtesy: being late with it is nothing to speak of.
            Err(error) => {
                self.log(&format!("no news: {error}"));
                Reply::Nothing
            }
        }
    }

    pub(super) fn start(&self, source: Source) -> Reply {
        let kind = match source {
            Source::Startup | Source::Clear | Source::Fork => Kind::Start,
            Source::Resume => Kind::Resume,
            Source::Compact => Kind::Compacted,
        };
        self.journal(&self.record(kind));
        if matches!(source, Source::Clear | Source::Compact) {
            // What was given before is not in the context any more.
            if let Some(mut held) = state::hold(&self.layout, &self.owner, RECORD) {
                held.state.places.clear();
                held.state.news.clear();
                held.save();
            }
        }
        if source != Source::Compact {
            self.wake_indexer();
            return Reply::Nothing;
        }
        if !self.speaks || !self.layout.graph().exists() {
            return Reply::Nothing;
        }
        let store = self.store();
        let summary = apart(&self.layout, patient(PROMPT), || {
            store
                .write(patient(PROMPT) - MARGIN, |graph| {
                    drain::drain(graph, &self.layout, &Moment::now())?;
                    session::so_far(graph, &self.owner)
                })
                .map_err(|error| error.to_string())
        });
        match summary {
            Ok(Ok(Some(line))) => self.tell(line),
            Ok(Ok(None)) => Reply::Nothing,
            Ok(Err(why)) => {
                self.log(&format!("no summary: {why}"));
                Reply::Nothing
            }
            Err(error) => self.silent("no summary", &error),
        }
    }

    /// The log says why; the agent hears of it only when the graph is left alone from now on.
    fn silent(&self, what: &str, error: &Apart) -> Reply {
        self.log(&format!("{what}: {error}"));
        if *error == Apart::Skipped && self.speaks {
            return self.told_once("gives no maps and checks no claims here");
        }
        Reply::Nothing
    }

    pub(super) fn prompt(&self, text: &str) -> Reply {
        self.journal(&self.record(Kind::Prompt));
        if !self.speaks || text.trim().is_empty() {
            return Reply::Nothing;
        }
        if self.wake_indexer_if_none() {
            return Reply::Nothing;
        }
        let given = state::hold(&self.layout, &self.owner, RECORD).map(|held| held.state.places.clone());
        let given = given.unwrap_or_default();
        let mapped = apart(&self.layout, patient(PROMPT), || self.map(text));
        match mapped {
            Ok(Mapped::Map { text, places }) => {
                if places.iter().all(|place| given.contains(place)) {
                    return Reply::Nothing;
                }
                if let Some(mut held) = state::hold(&self.layout, &self.owner, RECORD) {
                    held.state.places.extend(places);
                    held.save();
                }
                self.tell(text)
            }
            Ok(Mapped::Nothing) => Reply::Nothing,
            Ok(Mapped::Failed(why)) => {
                self.log(&format!("no map: {why}"));
                Reply::Nothing
            }
            Err(error) => self.silent("no map", &error),
        }
    }

    /// In the engine's process.
    fn map(&self, text: &str) -> Mapped {
        let task = Task::read(None, text);
        if task.is_chat {
            return Mapped::Nothing;
        }
        if let Err(error) = self.repo.check_folder() {
            return Mapped::Failed(error.to_string());
        }
        let found = self.store().read(patient(PROMPT) - MARGIN, |graph| {
            let index = Index::open(&self.repo.cache_file("search")).map_err(|e| news::store_error(e.into()))?;
            let answer = crate::locate::locate(
                &index,
                &StoredGraph { graph, symbols: index.unit_count() as usize },
                &task,
                Limits::MAP,
            )?;
            let shown = answer.places.iter().take(render::MAX_PLACES);
            let about: Vec<(&str, Option<String>)> = shown.map(|place| (&*place.file, place.symbol_id())).collect();
            let lesson = lesson::for_places(graph, about.iter().map(|(f, id)| (*f, id.as_deref())))?;
            Ok::<_, StoreError>((answer, lesson))
        });
        match found {
            Ok((answer, _)) if answer.silent || answer.places.is_empty() => Mapped::Nothing,
            Ok((answer, lesson)) => {
                let places = answer.places.iter().take(render::MAX_PLACES);
                let places = places.map(|p| format!("{}::{}", p.file, p.qualname)).collect();
                let mut text = render::map_text(&answer);
                if let Some(lesson) = lesson {
                    text.push_str(&format!("Lesson: {lesson}\n"));
                }
                Mapped::Map { text: text.trim_end().to_owned(), places }
            }
            Err(error) => Mapped::Failed(error.to_string()),
        }
    }
}
