//! What every command shares: where the repository is, and how to open its graph.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use portolan::ask::AskError;
use portolan::config::Config;
use portolan::index::freshness::{self, Freshness, Look, Why};
use portolan::repo::{Repo, RepoError};
use portolan::store::{Graph, Layout, Options, Params, Rows, Store, StoreError, guard};

use super::output::{age, clean, count};
use super::progress::Bar;
use super::{Output, remark};

/// Whether the answer is yes; the exit code follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
}

/// How long a command waits for the graph.
const WAIT: Duration = Duration::from_secs(10);

/// Options that every command takes.
#[derive(clap::Args)]
pub(crate) struct Global {
    /// The repository, or any folder in it [default: the current folder's]
    #[arg(short = 'C', long, value_name = "PATH", global = true)]
    pub root: Option<PathBuf>,
    /// Nothing but JSON on stdout
    #[arg(long, global = true)]
    pub json: bool,
    /// Answer from the graph as it is, without looking whether files changed since
    #[arg(long, global = true)]
    pub no_index: bool,
}

/// The surroundings of a command.
pub(crate) struct Context {
    global: Global,
}

impl Context {
    pub fn new(global: Global) -> Self {
        Context { global }
    }

    /// With `--json`.
    pub fn json(&self) -> bool {
        self.global.json
    }

    /// stdout, locked.
    pub fn out(&self) -> Output {
        Output::stdout(self.global.json)
    }

    /// The folder given by `--root`, or the current one.
    pub fn start(&self) -> anyhow::Result<PathBuf> {
        match &self.global.root {
            Some(root) => Ok(root.clone()),
            None => std::env::current_dir().context("the current folder is gone; go into a repository"),
        }
    }

    /// The repository. Reading it never needs `--force`: a graph that is there was made on purpose.
    pub fn repo(&self) -> anyhow::Result<Repo> {
        Ok(Repo::open(&self.start()?, true)?)
    }

    /// Its store.
    pub fn store(&self, options: Options) -> anyhow::Result<Store> {
        let repo = self.repo()?;
        let layout = Layout::open(repo.root(), repo.folder_is_tracked()?)?;
        Ok(Store::with_options(layout, options))
    }

    /// Asks the graph a question, after [`Context::freshen`].
    pub fn ask<T>(&self, question: impl FnOnce(&Graph) -> Result<T, AskError>) -> anyhow::Result<T> {
        self.freshen()?;
        self.ask_as_is(question)
    }

    /// Asks the graph as it is.
    pub fn ask_as_is<T>(&self, question: impl FnOnce(&Graph) -> Result<T, AskError>) -> anyhow::Result<T> {
        Ok(self.store(Options::default())?.read(WAIT, question)?)
    }

    /// Before a question: what changed is indexed, or the user is told how old the answer is.
    pub fn freshen(&self) -> anyhow::Result<()> {
        if self.global.no_index {
            return Ok(());
        }
        let repo = match Repo::open(&self.start()?, false) {
            Ok(repo) => repo,
            // A graph of all that was made on purpose; it is not walked through at each question.
            Err(RepoError::TooWide { .. }) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        if !repo.has_git() && !repo.folder().is_dir() && !repo.root().join(portolan::repo::CONFIG_FILE).is_file() {
            // Any folder at all is indexed only when that is asked for.
            return Ok(());
        }
        repo.check_folder()?;
        let config = match Config::load(&repo) {
            Ok(config) => config,
            Err(error) if Layout::at(repo.root()).graph().exists() => {
                remark(&format!("not looked whether files changed since: {}", clean(&error.to_string())));
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        let program = std::env::current_exe().ok();
        let bar = Bar::new();
        let fresh = freshness::ensure(&repo, &config, program.as_deref(), &bar)?;
        drop(bar);
        if let Freshness::Behind { look, at, why, background } = fresh {
            remark(&behind(look, at, &why, background));
        }
        Ok(())
    }

    /// How long to wait for the graph.
    pub fn wait(&self) -> Duration {
        WAIT
    }

    /// Runs a statement of the user's; at most `limit` rows, and whether there were more.
    pub fn adhoc(
        &self,
        text: &str,
        params: Params<'_>,
        write: bool,
        timeout: Duration,
        limit: usize,
    ) -> anyhow::Result<(Rows, bool)> {
        if !write {
            guard::reads_only(text)?;
        }
        if !write {
            self.freshen()?;
        }
        let store = self.store(Options { timeout, ..Options::default() })?;
        let work = |graph: &Graph| {
            let mut rows = Rows::default();
            let mut more = false;
            rows.columns = graph.each(text, params, |row| {
                more = rows.rows.len() == limit;
                if !more {
                    rows.rows.push(row);
                }
                Ok::<(), StoreError>(())
            })?;
            Ok::<_, StoreError>((rows, more))
        };
        // The engine's binding panics on values that Rust's types cannot hold (a date in the year 20000).
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let run = std::panic::AssertUnwindSafe(|| if write { store.write(WAIT, work) } else { store.read(WAIT, work) });
        let done = std::panic::catch_unwind(run);
        std::panic::set_hook(hook);
        match done {
            Ok(answer) => Ok(answer?),
            Err(_) => bail!("the answer holds a value that cannot be shown; cast it to STRING in the query"),
        }
    }

    /// A path as the graph writes it, from a path relative to the current folder, the root, or absolute.
    pub fn graph_path(&self, given: &Path) -> anyhow::Result<String> {
        let repo = self.repo()?;
        let start = std::path::absolute(self.start()?)?;
        // The folder that the user stands in comes first, the root after it.
        let absolute = [start.as_path(), repo.root()].map(|base| base.join(given));
        let found = absolute.iter().find(|p| p.symlink_metadata().is_ok()).and_then(|p| repo.relative(p));
        // A file that is gone may still be in the graph.
        Ok(found.unwrap_or_else(|| portolan::repo::path::from_path(given)))
    }
}

/// One line on how old an answer is, and why.
fn behind(look: Option<Look>, at: i64, why: &Why, background: bool) -> String {
    let changed = match look {
        None | Some(Look::NotIndexed) => "what changed since is not known".to_owned(),
        Some(Look::OtherVersion { .. }) => "another version of portolan made it".to_owned(),
        Some(Look::CutShort { .. }) => "an index run after it was cut short".to_owned(),
        Some(Look::Since(since)) => {
            let many = |n: usize| if n > freshness::FEW_COMMITS { "many commits".into() } else { count(n, "commit") };
            match (since.files, since.commits) {
                (files, 0) => format!("{} changed since", count(files, "file")),
                (0, commits) => format!("{} came or went since", many(commits)),
                (files, commits) => {
                    format!("{} changed and {} came or went since", count(files, "file"), many(commits))
                }
            }
        }
    };
    let why = match why {
        Why::Much if background => "it is being brought up to date in the background".to_owned(),
        Why::Much => "run `portolan index`".to_owned(),
        Why::Busy => "another process is at work on it".to_owned(),
        Why::ReadOnly => "this place cannot be written".to_owned(),
        Why::Failed(error) => clean(error),
    };
    format!("the graph is {} old, {changed}; {why}", age(at))
}
