//! Lessons: `learn`, `lessons`, `forget`.

use std::path::Path;
use std::time::Duration;

use portolan::agents::journal::Journal;
use portolan::agents::record::{Kind, Record};
use portolan::agents::{Moment, lesson};
use serde_json::json;

use super::agents::{WAIT, Who, store, store_to_write};
use super::output::{Bound, age};
use super::{Answer, Context};

/// Arguments of `learn`.
#[derive(clap::Args)]
pub(crate) struct Learn {
    /// One line
    text: String,
    /// The file or symbol that it is about
    #[arg(long, value_name = "FILE|SYMBOL")]
    about: Option<String>,
    #[command(flatten)]
    who: Who,
}

/// Arguments of `lessons`.
#[derive(clap::Args)]
pub(crate) struct Lessons {
    #[command(flatten)]
    bound: Bound,
}

/// Arguments of `forget`.
#[derive(clap::Args)]
pub(crate) struct Forget {
    /// A lesson's id, the beginning of it, or its words
    lesson: String,
}

impl Learn {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let store = store_to_write(context)?;
        let about = self.about.as_deref().map(|about| match context.graph_path(Path::new(about)) {
            Ok(path) if context.repo().is_ok_and(|repo| repo.absolute(&path).is_file()) => path,
            _ => about.to_owned(),
        });
        let (owner, process) = self.who.owner();
        let mut record = Record::new(&owner, Kind::Other, Moment::now(), &format!("{}", std::process::id()));
        record.process = process;
        Journal::of(store.layout()).append(&record, Duration::from_secs(1))?;
        let lesson = lesson::learn(&store, &owner, &self.text, about.as_deref(), Duration::from_secs(WAIT))?;
        let mut out = context.out();
        if out.is_json() {
            out.json(&lesson)?;
        } else {
            out.line(&format!("{}  {}", lesson.id, lesson.text))?;
        }
        out.finish()?;
        Ok(Answer::Yes)
    }
}

fn print_lessons(
    context: &Context,
    key: &str,
    lessons: &[lesson::Lesson],
    bound: Option<Bound>,
) -> anyhow::Result<Answer> {
    let shown = bound.map_or(lessons, |bound| bound.cut(lessons));
    let mut out = context.out();
    if out.is_json() {
        out.json(&json!({ key: shown, "total": lessons.len() }))?;
    } else if lessons.is_empty() {
        out.line("no lesson")?;
    } else {
        for one in shown {
            let about = if one.about.is_empty() { String::new() } else { format!("  (about {})", one.about) };
            let gone = if one.gone { ", its symbol is gone" } else { "" };
            let times = if one.confirmed > 1 { format!(", {} times", one.confirmed) } else { String::new() };
            out.line(&format!(
                "{}  {}{about}  {} ago{times}{gone}",
                &one.id[..8.min(one.id.len())],
                one.text,
                age(one.at)
            ))?;
        }
        out.rest(shown.len(), lessons.len())?;
    }
    out.finish()?;
    Ok(if lessons.is_empty() { Answer::No } else { Answer::Yes })
}

impl Lessons {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let all = lesson::lessons(&store(context)?, Duration::from_secs(WAIT))?;
        print_lessons(context, "lessons", &all, Some(self.bound))
    }
}

impl Forget {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let gone = lesson::forget(&store(context)?, &self.lesson, Duration::from_secs(WAIT))?;
        print_lessons(context, "forgotten", &gone, None)
    }
}
