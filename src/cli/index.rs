//! `index`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use portolan::config::Config;
use portolan::index::background::Background;
use portolan::index::{self, Options, Outcome, Report};
use portolan::repo::Repo;
use serde_json::json;

use super::progress::Bar;
use super::{Answer, Context, remark};

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The repository, or any folder in it [default: --root, or the current folder's]
    path: Option<PathBuf>,
    /// Build the graph anew; a damaged one is set aside, agents' memory is kept
    #[arg(long)]
    rebuild: bool,
    /// Index the home folder or / all the same
    #[arg(long)]
    force: bool,
    /// As the one indexer in the background: gives way to any other
    #[arg(long, hide = true)]
    background: bool,
}

impl Args {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let start = self.path.map_or_else(|| context.start(), Ok)?;
        let repo = Repo::open(&start, self.force)?;
        let config = Config::load(&repo)?;
        config.warnings.iter().for_each(|warning| remark(warning));
        let begun = Instant::now();
        let mut options = Options { rebuild: self.rebuild, ..Options::default() };
        let _only = if self.background {
            let Some(only) = Background::take(&repo) else { return Ok(Answer::No) };
            options.wait = Duration::ZERO;
            Some(only)
        } else {
            None
        };
        let bar = Bar::new();
        let report = index::index(&repo, &config, options, &bar)?;
        drop(bar);
        report.notes.iter().for_each(|note| remark(note));
        let mut out = context.out();
        if out.is_json() {
            out.json(&json!({
                "root": repo.root(),
                "outcome": word(report.outcome),
                "files": report.files,
                "changed": report.changed,
                "resolved": report.resolved,
                "skipped": report.skipped,
                "seconds": (begun.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
                "notes": report.notes,
            }))?;
        } else {
            out.line(&sentence(&report, begun.elapsed().as_secs_f64()))?;
        }
        out.finish()?;
        Ok(Answer::Yes)
    }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::UpToDate => "up_to_date",
        Outcome::Updated => "updated",
        Outcome::Built => "built",
        Outcome::Adopted => "adopted",
    }
}

fn sentence(report: &Report, seconds: f64) -> String {
    let skipped = match report.skipped {
        0 => String::new(),
        1 => ", 1 left out (portolan status says why)".into(),
        n => format!(", {n} left out (portolan status says why)"),
    };
    let files = |n: usize| if n == 1 { "1 file".into() } else { format!("{n} files") };
    match report.outcome {
        Outcome::UpToDate => format!("up to date: {}{skipped}, {seconds:.1} s", files(report.files)),
        Outcome::Updated => {
            let changed = files(report.changed);
            format!(
                "updated: {changed} changed, {} resolved again, of {}{skipped}, {seconds:.1} s",
                report.resolved, report.files
            )
        }
        Outcome::Built => format!("indexed {}{skipped}, {seconds:.1} s", files(report.files)),
        Outcome::Adopted => {
            format!("put in place what an earlier run built: {}{skipped}, {seconds:.1} s", files(report.files))
        }
    }
}
