//! What every command shares: where the repository is, and how to open its graph.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use portolan::ask::{self, AskError};
use portolan::index::freshness::{self, Freshness};
use portolan::render;
use portolan::repo::Repo;
use portolan::store::{Graph, Layout, Options, Params, Rows, Store, guard};

use super::output::clean;
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

    /// The folder given by `--root`.
    pub fn root(&self) -> Option<&Path> {
        self.global.root.as_deref()
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

        let program = std::env::current_exe().ok();
        let bar = Bar::new();
        let fresh = freshness::before_question(&self.start()?, program.as_deref(), &bar)?;
        drop(bar);
        if let Some(Freshness::Behind { look, at, why, background }) = fresh {
            remark(&clean(&render::behind(look, at, &why, background)));
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
            self.freshen()?;
        }
        let store = self.store(Options { timeout, ..Options::default() })?;
        Ok(ask::adhoc(&store, WAIT, text, params, write, limit)?)
    }

    /// A path as the graph writes it, from a path relative to the current folder, the root, or absolute.
    pub fn graph_path(&self, given: &Path) -> anyhow::Result<String> {
        let repo = self.repo()?;
        Ok(repo.resolve(&std::path::absolute(self.start()?)?, given))
    }
}
