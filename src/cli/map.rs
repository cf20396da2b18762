//! `map` and `locate`: from a task to places.

use std::io::Read as _;

use anyhow::{Context as _, bail};
use portolan::ask;
use portolan::locate::{Answer as Found, Limits, Task};
use portolan::render;
use portolan::store::Options;
use serde_json::json;

use super::{Answer, Context, Output};

const NO_TASK: &str = "no task given: say what is to be done, portolan map \"TASK\", or pipe it in";

/// Arguments of `map`.
#[derive(clap::Args)]
pub(crate) struct Map {
    #[command(flatten)]
    task: Text,
    /// Exit with 1 when nothing fits
    #[arg(long)]
    check: bool,
}

/// Arguments of `locate`.
#[derive(clap::Args)]
pub(crate) struct Locate {
    #[command(flatten)]
    task: Text,
    /// Say for each place which signals put it there
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    bound: super::output::Bound,
}

#[derive(clap::Args)]
struct Text {
    /// The task in the words of who wants it done: a report, a stack trace, a line of chat; - or nothing reads stdin
    task: Option<String>,
    /// Its title, if it has one of its own
    #[arg(long, allow_hyphen_values = true)]
    title: Option<String>,
}

impl Text {
    fn find(&self, context: &Context, limits: Limits) -> anyhow::Result<Found> {
        let text = match self.task.as_deref() {
            Some("-") => from_stdin()?,
            Some(text) => text.to_owned(),
            None if std::io::IsTerminal::is_terminal(&std::io::stdin()) => bail!(NO_TASK),
            None => from_stdin()?,
        };
        if text.trim().is_empty() && self.title.as_deref().is_none_or(|title| title.trim().is_empty()) {
            bail!(NO_TASK);
        }
        context.freshen()?;
        let task = Task::read(self.title.as_deref(), &text);
        let (repo, store) = (context.repo()?, context.store(Options::default())?);
        Ok(ask::locate(&repo, &store, context.wait(), &task, limits)?)
    }
}

/// Whatever its bytes are: a log may hold anything.
fn from_stdin() -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read the task from stdin")?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl Map {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let found = self.task.find(context, Limits::MAP)?;
        let mut out = context.out();
        if out.is_json() {
            out.json(&render::map_json(&found))?;
        } else {
            out.lines(&render::map_text(&found))?;
        }
        out.finish()?;
        Ok(if self.check && found.places.is_empty() { Answer::No } else { Answer::Yes })
    }
}

impl Locate {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let found = self.task.find(context, Limits::ALL)?;
        let shown = self.bound.cut(&found.places);
        let mut out = context.out();
        if out.is_json() {
            out.json(&json!({
                "confidence": found.confidence,
                "silent": found.silent,
                "places": shown,
                "total": found.places.len(),
                "tests": found.tests,
            }))?;
        } else if found.places.is_empty() {
            out.line(render::NOTHING)?;
        } else {
            out.heading(&format!("confidence: {}", found.confidence.as_str()))?;
            for place in shown {
                let lines = if place.start_line > 0 {
                    format!(":{}-{}", place.start_line, place.end_line)
                } else {
                    String::new()
                };
                out.line(&format!("{:>6.2}  {}{lines} {}", place.score, place.file, place.qualname))?;
                if self.explain {
                    explain(&mut out, place)?;
                }
            }
            out.rest(shown.len(), found.places.len())?;
            if !found.tests.is_empty() {
                out.line(&format!("Tests: {}", found.tests.join(", ")))?;
            }
        }
        out.finish()?;
        Ok(if found.places.is_empty() { Answer::No } else { Answer::Yes })
    }
}

fn explain(out: &mut Output, place: &portolan::locate::Place) -> std::io::Result<()> {
    for why in &place.why {
        let signal = serde_json::to_value(why.signal).ok();
        let signal = signal.as_ref().and_then(serde_json::Value::as_str).unwrap_or("?");
        out.line(&format!("          {:>6.2}  {signal}  {}", why.points, why.note))?;
    }
    Ok(())
}
