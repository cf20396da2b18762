//! `index`.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use portolan::config::Config;
use portolan::index::background::Background;
use portolan::index::{self, Options, Outcome, Report};
use portolan::repo::Repo;
use portolan::store::memory::Memory;
use portolan::store::{Layout, Store};
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
    /// Take what a compiler says: an index in the SCIP format (scip-python, scip-typescript, rust-analyzer, scip-java,
    /// scip-go). Its edges replace inferred ones as long as a file is unchanged; may be given more than once
    #[arg(long, value_name = "FILE")]
    scip: Vec<PathBuf>,
    /// Forget what SCIP indexes said
    #[arg(long, conflicts_with = "scip")]
    no_scip: bool,
    /// Index the home folder or / all the same
    #[arg(long)]
    force: bool,
    /// As the one indexer in the background: gives way to any other
    #[arg(long, hide = true)]
    background: bool,
    /// Only read what the graph holds, to see whether the engine survives it
    #[arg(long, hide = true)]
    probe: bool,
}

impl Args {
    /// Whether this process is to find out if the engine survives the graph.
    pub fn is_probe(&self) -> bool {
        self.probe
    }

    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let start = self.path.map_or_else(|| context.start(), Ok)?;
        let repo = Repo::open(&start, self.force)?;
        if self.probe {
            let store = Store::new(Layout::open(repo.root(), repo.folder_is_tracked()?)?);
            store.read(context.wait(), Memory::export)?;
            return Ok(Answer::Yes);
        }
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
        if self.rebuild {
            set_aside_what_kills_the_engine(&repo, context)?;
        }
        let bar = Bar::new();
        if !self.scip.is_empty() {
            let indexes: Vec<&Path> = self.scip.iter().map(PathBuf::as_path).collect();
            index::take_scip(&repo, &config, &indexes, &bar)?.iter().for_each(|note| remark(note));
        } else if self.no_scip && index::forget_scip(&repo)? {
            remark("what SCIP indexes said is forgotten");
        }
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

/// A graph on which the engine crashes, as a child process finds out, makes way before this process would open it.
fn set_aside_what_kills_the_engine(repo: &Repo, context: &Context) -> anyhow::Result<()> {
    repo.check_folder()?;
    let store = Store::new(Layout::at(repo.root()));
    if !store.layout().graph().is_file() {
        return Ok(());
    }
    let mut probe = Command::new(std::env::current_exe().context("cannot find the program itself")?);
    probe.arg("--root").arg(repo.root()).args(["index", "--probe", "--force"]);
    let status = probe.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if status.context("cannot start a process to try the graph")?.signal().is_some() {
        store.set_aside(context.wait())?;
        remark("the engine crashes on the graph: it is set aside, and agents' memory restored from memory.jsonl");
    }
    Ok(())
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
