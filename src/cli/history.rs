//! `cochange`, `owners`, `hotspots`.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use portolan::ask::{self, AskError};
use portolan::impact::changes::{Changes, Source};
use portolan::impact::forgotten;
use serde::Serialize;
use serde_json::json;

use super::output::{Bound, count, day};
use super::{Answer, Context};

/// Arguments of `owners`.
#[derive(clap::Args)]
pub(crate) struct OfFile {
    /// The file
    file: PathBuf,
    #[command(flatten)]
    bound: Bound,
}

/// Arguments of `cochange`.
#[derive(clap::Args)]
pub(crate) struct Cochange {
    /// The files; without any, those that changed since the last commit
    files: Vec<PathBuf>,
    #[command(flatten)]
    bound: Bound,
}

/// Arguments of `hotspots`.
#[derive(clap::Args)]
pub(crate) struct Hotspots {
    /// Only commits from this day on: 2025-01-31
    #[arg(long, value_name = "DAY")]
    since: Option<String>,
    #[command(flatten)]
    bound: Bound,
}

impl OfFile {
    pub fn owners(self, context: &Context) -> anyhow::Result<Answer> {
        let file = context.graph_path(&self.file)?;
        let Some(found) = known(context, context.ask(|graph| ask::owners(graph, &file)))? else {
            return Ok(Answer::No);
        };
        print(context, self.bound, "owners", &format!("no commit of the indexed history touched {file}"), &found, |o| {
            let share = o.share * 100.0;
            let commits = commits(o.commits);
            format!("{commits}  {share:>3.0} %  last {}  {} <{}>", day(o.last_at), o.name, o.email)
        })
    }
}

impl Cochange {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let mut files = self.files.iter().map(|f| context.graph_path(f)).collect::<anyhow::Result<Vec<_>>>()?;
        if files.is_empty() {
            let changes = Changes::read(&context.repo()?, &Source::WorkTree)?;
            files = changes.files.into_iter().map(|f| f.path).collect();
            if files.is_empty() {
                bail!("nothing changed since the last commit; name files");
            }
        }
        let asked = context.ask(|graph| {
            for file in self.files.iter().zip(&files).map(|(_, file)| file) {
                ask::must_have_file(graph, file)?;
            }
            let found = forgotten(graph, &files, &[])?;
            let mut people = Vec::new();
            for file in files.iter().take(OWNERS_OF) {
                match ask::owners(graph, file) {
                    Ok(owners) => people.push((file.clone(), owners)),
                    Err(AskError::NoFile { .. }) => {}
                    Err(error) => return Err(error),
                }
            }
            Ok((found, people))
        });
        let named = files.join(", ");
        let Some((found, people)) = known(context, asked)? else { return Ok(Answer::No) };
        let shown = self.bound.cut(&found);
        let mut out = context.out();
        if out.is_json() {
            let owners: Vec<_> =
                people.iter().map(|(file, owners)| json!({ "file": file, "owners": owners })).collect();
            out.json(&json!({ "cochange": shown, "total": found.len(), "owners": owners }))?;
        } else if found.is_empty() {
            out.line(&format!("nothing changed together with {named}"))?;
        } else {
            for c in shown {
                let with = if files.len() > 1 { format!("  with {}", c.with) } else { String::new() };
                let past = match c.together {
                    0 => "never together".to_owned(),
                    n => format!("{n:>4} of {}  weight {:.2}", count(c.commits, "commit"), c.weight),
                };
                out.line(&format!("{:>3.0} %  {past}  {}{with}  [{}]", c.score * 100.0, c.path, c.why.join(", ")))?;
            }
            out.rest(shown.len(), found.len())?;
            for (file, owners) in &people {
                if let Some(line) = owners_line(owners) {
                    out.line(&format!("{file}: {line}"))?;
                }
            }
        }
        out.finish()?;
        Ok(if found.is_empty() { Answer::No } else { Answer::Yes })
    }
}

/// Files whose owners are named.
const OWNERS_OF: usize = 5;

/// Who changed a file most, and who last.
fn owners_line(owners: &[ask::Owner]) -> Option<String> {
    let most: Vec<String> = owners.iter().take(3).map(|o| format!("{} {:.0} %", o.name, o.share * 100.0)).collect();
    let last = owners.iter().max_by_key(|o| o.last_at)?;
    Some(format!("mostly {}; last {} on {}", most.join(", "), last.name, day(last.last_at)))
}

impl Hotspots {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let since = self.since.as_deref().map_or(Ok(0), seconds)?;
        let found = context.ask(|graph| ask::hotspots(graph, since))?;
        print(context, self.bound, "hotspots", "no commits", &found, |h| {
            format!("{}  {:>6} lines  last {}  {}", commits(h.commits), h.lines, day(h.last_at), h.path)
        })
    }
}

/// The answer, or `None` after saying that the graph has no such file.
fn known<T>(context: &Context, found: anyhow::Result<T>) -> anyhow::Result<Option<T>> {
    let error = match found {
        Ok(found) => return Ok(Some(found)),
        Err(error) => error,
    };
    let Some(AskError::NoFile { path: file }) = error.downcast_ref::<AskError>() else {
        return Err(error);
    };
    let on_disk = context.repo()?.root().join(file);
    let mut out = context.out();
    if out.is_json() {
        out.json(&json!({ "not_found": file, "is_folder": on_disk.is_dir() }))?;
    } else if on_disk.is_dir() {
        out.line(&format!("{file} is a folder; name a file"))?;
    } else if on_disk.is_file() {
        out.line(&format!("{file} is not in the graph: git ignores it, or it was left out"))?;
    } else {
        out.line(&format!("no file of the graph is called {file}"))?;
    }
    out.finish()?;
    Ok(None)
}

/// Midnight UTC of a day.
fn seconds(text: &str) -> anyhow::Result<i64> {
    let date = chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d");
    let date = date.with_context(|| format!("--since {text}: wants a day such as 2025-01-31"))?;
    Ok(date.and_time(chrono::NaiveTime::MIN).and_utc().timestamp())
}

/// In a column.
fn commits(n: i64) -> String {
    format!("{n:>4} {:<7}", if n == 1 { "commit" } else { "commits" })
}

fn print<T: Serialize>(
    context: &Context,
    bound: Bound,
    key: &str,
    nothing: &str,
    found: &[T],
    line: impl Fn(&T) -> String,
) -> anyhow::Result<Answer> {
    let shown = bound.cut(found);
    let mut out = context.out();
    if out.is_json() {
        out.json(&json!({ key: shown, "total": found.len() }))?;
    } else if found.is_empty() {
        out.line(nothing)?;
    } else {
        for one in shown {
            out.line(&line(one))?;
        }
        out.rest(shown.len(), found.len())?;
    }
    out.finish()?;
    Ok(if found.is_empty() { Answer::No } else { Answer::Yes })
}
