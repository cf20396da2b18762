//! `status`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use portolan::ask::{self, AskError};
use portolan::config::Config;
use portolan::index::Manifest;
use portolan::index::freshness::{self, Look};
use portolan::repo::Repo;
use portolan::store::owner::{Owner, boot_clock_ms};
use portolan::store::survey::{Survey, survey};
use portolan::store::{Graph, Options, StoreError, index_lock};
use serde_json::{Value as Json, json};

use super::output::{Bound, age, count, moment};
use super::{Answer, Context, Output};

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    bound: Bound,
}

/// How long a program that does not queue for the graph is waited for, before it is named.
const FOREIGN: Duration = Duration::from_millis(700);

/// What the graph itself says.
struct Inside {
    counts: Json,
    /// The process that indexes.
    indexer: Option<u32>,
}

/// Everything that is shown.
struct Found {
    look: Look,
    /// Or why the graph does not open.
    inside: Result<Inside, StoreError>,
    survey: Survey,
    /// Hooks do nothing here.
    paused: bool,
    /// Hooks leave the graph alone: the engine crashed on it.
    crashed: bool,
}

impl Args {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let repo = context.repo()?;
        let look = freshness::look(&repo, &Config::load(&repo)?)?;
        let store = context.store(Options::default())?;
        let survey = survey(store.layout())?;
        let look_inside = |graph: &Graph| {
            let lock = index_lock::state(graph)?;
            let taken = !lock.is_free(boot_clock_ms());
            let counts = serde_json::to_value(ask::counts(graph)?).unwrap_or_default();
            Ok::<_, AskError>(Inside {
                counts,
                indexer: taken.then(|| Owner::parse(&lock.owner).map_or(0, |o| o.pid())),
            })
        };
        let inside = match store.read(FOREIGN, look_inside) {
            // Our own kind lets go soon.
            Err(AskError::Store(StoreError::GateBusy { .. })) => store.read(context.wait(), look_inside),
            inside => inside,
        };
        let inside = match inside {
            Ok(inside) => Ok(inside),
            Err(AskError::Store(error)) => Err(error),
            Err(error) => return Err(error.into()),
        };
        let paused = portolan::agents::is_paused(store.layout());
        let crashed = portolan::agents::engine::is_skipped(store.layout());
        let found = Found { look, inside, survey, paused, crashed };
        let manifest = Manifest::read(&repo.cache_file("manifest")).filter(|_| look != Look::NotIndexed);
        let mut out = context.out();
        if out.is_json() {
            out.json(&self.object(&repo, manifest.as_ref(), &found))?;
        } else {
            self.print(&mut out, &repo, manifest.as_ref(), &found)?;
        }
        out.finish()?;
        Ok(if manifest.is_some() && found.inside.is_ok() { Answer::Yes } else { Answer::No })
    }

    fn object(&self, repo: &Repo, manifest: Option<&Manifest>, found: &Found) -> Json {
        let survey = &found.survey;
        let (changed, commits) = match found.look {
            Look::Since(since) => (Some(since.files), Some(since.commits)),
            _ => (None, None),
        };
        let mut object = json!({
            "root": repo.root(),
            "indexed_at": manifest.map(|m| m.at),
            "up_to_date": usable(found) && up_to_date(found.look),
            "changed_files": changed,
            "changed_commits": commits,
            "indexing": found.inside.as_ref().ok().and_then(|i| i.indexer),
            "error": error(found).map(|e| e.to_string()),
            "graph_bytes": survey.graph,
            "wal_bytes": survey.wal,
            "cache_bytes": survey.cache,
            "journal_bytes": survey.journal,
            "hooks_paused": found.paused,
            "hooks_skip_graph": found.crashed,
            "leftover_builds": survey.leftovers.iter().map(|l| name(&l.path)).collect::<Vec<_>>(),
            "set_aside": survey.aside.iter().map(|p| name(p)).collect::<Vec<_>>(),
        });
        if let (Some(manifest), Some(object)) = (manifest, object.as_object_mut()) {
            let skipped: Vec<_> = self.bound.cut(&manifest.skipped).iter().map(skipped).collect();
            let more = json!({
                "head": manifest.head,
                "files": manifest.files.len(),
                "languages": languages(manifest),
                "counts": found.inside.as_ref().map_or(&Json::Null, |i| &i.counts),
                "skipped": skipped,
                "skipped_total": manifest.skipped.len(),
            });
            object.extend(more.as_object().cloned().unwrap_or_default());
        }
        object
    }

    fn print(&self, out: &mut Output, repo: &Repo, manifest: Option<&Manifest>, found: &Found) -> std::io::Result<()> {
        let Some(manifest) = manifest else {
            let root = repo.root().display();
            out.line(&format!("{root}: not indexed yet; run `portolan index`"))?;
            return trouble(out, found);
        };
        out.heading(&repo.root().display().to_string())?;
        let head = manifest.head.as_deref().map_or("no commits", |h| h.get(..10).unwrap_or(h));
        out.line(&format!("indexed {} ({} ago) at {head}", moment(manifest.at), age(manifest.at)))?;
        out.line(&match found.look {
            _ if !usable(found) => "the graph cannot be used:".to_owned(),
            Look::Since(since) if since.is_nothing() => "up to date".to_owned(),
            Look::Since(since) => {
                let commits = match since.commits {
                    0 => String::new(),
                    n if n > freshness::FEW_COMMITS => ", many commits came or went".into(),
                    n => format!(", {} came or went", count(n, "commit")),
                };
                format!(
                    "behind: {} changed since{commits} (the next question or `portolan index` sees to it)",
                    count(since.files, "file")
                )
            }
            _ => "made by another version of portolan; `portolan index` makes it anew".to_owned(),
        })?;
        let of = |l: &(&str, usize)| if l.0.is_empty() { format!("other {}", l.1) } else { format!("{} {}", l.0, l.1) };
        let mut languages: Vec<_> = languages(manifest).into_iter().collect();
        languages.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let languages: Vec<_> = languages.iter().map(of).collect();
        out.line(&format!("{}: {}", count(manifest.files.len(), "file"), languages.join(", ")))?;
        if let Ok(inside) = &found.inside {
            let counts: Vec<_> = inside
                .counts
                .as_object()
                .into_iter()
                .flatten()
                .map(|(what, n)| count(n, what.trim_end_matches('s')))
                .collect();
            out.line(&counts.join(", "))?;
            if let Some(pid) = inside.indexer {
                out.line(&format!("process {pid} is indexing"))?;
            }
        }
        let survey = &found.survey;
        let mut sizes = vec![format!("graph {}", mb(survey.graph))];
        for (what, size) in [("log", survey.wal), ("caches", survey.cache), ("journal", survey.journal)] {
            if size > 0 {
                sizes.push(format!("{what} {}", mb(size)));
            }
        }
        out.line(&sizes.join(", "))?;
        trouble(out, found)?;
        let shown = self.bound.cut(&manifest.skipped);
        if !shown.is_empty() {
            out.line(&format!("left out {}:", manifest.skipped.len()))?;
            for (path, why) in shown {
                out.line(&format!("  {path}: {why}"))?;
            }
            out.rest(shown.len(), manifest.skipped.len())?;
        }
        Ok(())
    }
}

/// What is not as it should be, and what to do about it.
fn trouble(out: &mut Output, found: &Found) -> std::io::Result<()> {
    if let Some(error) = error(found) {
        for line in error.to_string().lines() {
            out.line(line)?;
        }
    }
    if found.crashed {
        out.line(
            "hooks leave the graph alone since the engine crashed on it three times; `portolan index --rebuild` mends \
             that and keeps agents' memory",
        )?;
    }
    if found.paused {
        out.line("hooks are paused; `portolan resume` ends that")?;
    }
    for left in &found.survey.leftovers {
        let state = if left.complete { "complete" } else { "unfinished" };
        out.line(&format!("{} build of a dead indexer: {} (`portolan index` sees to it)", state, name(&left.path)))?;
    }
    for path in &found.survey.aside {
        out.line(&format!("set aside: {} (remove it when nothing is missing)", name(path)))?;
    }
    Ok(())
}

/// Why the graph does not open, unless there simply is none.
fn error(found: &Found) -> Option<&StoreError> {
    found.inside.as_ref().err().filter(|e| !matches!(e, StoreError::NoGraph { .. }))
}

/// Not damaged, nor of another version; it may be held by somebody.
fn usable(found: &Found) -> bool {
    matches!(found.inside, Ok(_) | Err(StoreError::Held { .. } | StoreError::GateBusy { .. }))
}

fn up_to_date(look: Look) -> bool {
    matches!(look, Look::Since(since) if since.is_nothing())
}

fn languages(manifest: &Manifest) -> BTreeMap<&str, usize> {
    let mut languages: BTreeMap<&str, usize> = BTreeMap::new();
    for file in &manifest.files {
        *languages.entry(file.language.as_str()).or_default() += 1;
    }
    languages
}

fn skipped((path, why): &(String, String)) -> Json {
    json!({ "path": path, "reason": why })
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[allow(clippy::cast_precision_loss)] // a size for people
fn mb(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
