//! From a call to a question, and from its answer to text. No logic of its own.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::agents;
use super::caller::Caller;
use super::tools::{Common, Context, Cypher, Find, History, Impact, Orient, Symbol};
use super::wire::{Answer, Ask};
use crate::ask::{self, AskError, Named};
use crate::cells;
use crate::context::ask::context;
use crate::impact::ask::{Asked, impact};
use crate::impact::changes::{Changes, Source};
use crate::impact::{reading, runner};
use crate::index::freshness::{self, Freshness};
use crate::locate::{Limits, Task};
use crate::progress::Progress;
use crate::render::budget::{BUDGET, BUDGETS, Page};
use crate::render::review::{Dress, review_text};
use crate::render::tokens::upper_bound;
use crate::render::{graph_state, pages};
use crate::repo::Repo;
use crate::review::review;
use crate::store::{Graph, Layout, Options, Store, guard};

/// How long a question waits for the graph: clients wait for a minute.
const WAIT: Duration = Duration::from_secs(20);
/// How long a statement of the user's may run, and how many rows it gives.
const STATEMENT: Duration = Duration::from_secs(10);
const ROWS: usize = 1000;
/// Results of each kind that a search hands to the page, which cuts them.
const FOUND: usize = 200;
/// Tests whose command line a judged change gives.
const FIRST: usize = 8;
/// Tokens of the lines below a text that is assembled to a budget.
const FOOT: usize = 120;
/// What `orient` ranks.
const PLACES: Limits = Limits { places: 12, per_file: 3, tests: 6 };

/// Answers.
pub(super) fn answer(ask: &Ask, progress: &dyn Progress, program: Option<&Path>) -> Answer {
    match ask {
        Ask::Tool { name, arguments, roots, caller } => {
            let budget = parse::<Common>(name, arguments).ok().and_then(|common| common.budget);
            let budget = budget.map_or(BUDGET, |budget| budget as usize) / roots.len().max(1);
            let each = |root: &PathBuf| -> Result<String, String> {
                let desk = Desk::open(root, progress, program)?;
                let mut page = desk.tool(name, arguments, budget, caller)?;
                page.foot.push(graph_state(desk.fresh.as_ref()));
                Ok(page.text(budget))
            };
            together(roots, each)
        }
        Ask::Lessons { roots } => together(roots, |root| {
            let desk = Desk::open(root, progress, program)?;
            Ok(agents::lessons(&desk)?.text(*BUDGETS.end()))
        }),
    }
}

/// One answer of those of several repositories.
fn together(roots: &[PathBuf], each: impl Fn(&PathBuf) -> Result<String, String>) -> Answer {
    let answers: Vec<Result<String, String>> = roots.iter().map(each).collect();
    let is_error = answers.iter().all(Result::is_err);
    let texts = answers.into_iter().map(|answer| answer.unwrap_or_else(|error| format!("{error}\n")));
    let text = match roots {
        [_] => texts.collect(),
        _ => roots.iter().zip(texts).map(|(root, text)| format!("## {}\n{text}", root.display())).collect(),
    };
    Answer { text, is_error, last: false }
}

fn parse<T: DeserializeOwned>(tool: &str, arguments: &Json) -> Result<T, String> {
    T::deserialize(arguments).map_err(|error| format!("arguments of {tool}: {error}"))
}

/// A repository that is asked.
pub(super) struct Desk {
    pub repo: Repo,
    pub store: Store,
    fresh: Option<Freshness>,
}

impl Desk {
    /// Indexes first what is to be indexed first.
    fn open(root: &Path, progress: &dyn Progress, program: Option<&Path>) -> Result<Desk, String> {
        let said = |error: &dyn std::error::Error| error.to_string();
        let fresh = freshness::before_question(root, program, progress).map_err(|e| said(&e))?;
        let repo = Repo::open(root, true).map_err(|e| said(&e))?;
        let tracked = repo.folder_is_tracked().map_err(|e| said(&e))?;
        let layout = Layout::open(repo.root(), tracked).map_err(|e| said(&e))?;
        Ok(Desk { repo, store: Store::new(layout), fresh })
    }

    fn read<T>(&self, question: impl FnOnce(&Graph) -> Result<T, AskError>) -> Result<T, String> {
        self.store.read(WAIT, question).map_err(|error| error.to_string())
    }

    fn tool(&self, name: &str, arguments: &Json, budget: usize, caller: &Caller) -> Result<Page, String> {
        match name {
            "impact" => self.impact(&parse(name, arguments)?, budget),
            "context" => self.context(&parse(name, arguments)?, budget),
            "claims" => agents::claims(self, &parse(name, arguments)?, caller),
            "learn" => agents::learn(self, &parse(name, arguments)?, caller),
            "orient" => self.orient(&parse(name, arguments)?),
            "find" => self.find(&parse(name, arguments)?),
            "symbol" => self.symbol(&parse(name, arguments)?),
            "history" => self.history(&parse(name, arguments)?),
            "cypher" => self.cypher(&parse(name, arguments)?),
            other => Err(format!("there is no tool {other}")),
        }
    }

    fn orient(&self, asked: &Orient) -> Result<Page, String> {
        let task = Task::read(None, &asked.task);
        let found = ask::locate(&self.repo, &self.store, WAIT, &task, PLACES).map_err(|error| error.to_string())?;
        Ok(pages::places(&found))
    }

    fn find(&self, asked: &Find) -> Result<Page, String> {
        let found = ask::find(&self.repo, &asked.text, FOUND).map_err(|error| error.to_string())?;
        Ok(pages::found(&asked.text, &found))
    }

    fn symbol(&self, asked: &Symbol) -> Result<Page, String> {
        let name = asked.name.as_str();
        let page = self.read(|graph| {
            Ok(match ask::named(graph, name)? {
                Named::One(symbols) => Ok(pages::cards(&ask::card(graph, &symbols)?)),
                Named::Many(candidates) => Ok(pages::choices(name, &candidates)),
                Named::None => Err(ask::unresolved(graph, name)?.iter().map(|u| u.sites).sum()),
            })
        })?;
        match page {
            Ok(page) => Ok(page),
            Err(sites) => {
                let bare = name.rsplit(['.', ':']).next().unwrap_or(name);
                let near = ask::find(&self.repo, bare, 10).map_err(|error| error.to_string())?;
                let near: Vec<String> = near.symbols.into_iter().map(|s| s.id).collect();
                Ok(pages::unknown(name, sites, &near))
            }
        }
    }

    /// Names, each as written and as a path of the graph; of `file:10-20` the file's part is a path.
    fn names(&self, asked: &str) -> Vec<(String, String)> {
        let one = |name: &str| {
            let lines = |lines: &str| lines.starts_with(|c: char| c.is_ascii_digit());
            let (file, rest) = match name.rsplit_once(':').filter(|(_, rest)| lines(rest)) {
                Some((file, _)) => (file, &name[file.len()..]),
                None => (name, ""),
            };
            (name.to_owned(), format!("{}{rest}", self.repo.resolve(self.repo.root(), Path::new(file))))
        };
        vec![one(asked.trim())]
    }

    fn impact(&self, asked: &Impact, budget: usize) -> Result<Page, String> {
        let target = asked.target.as_deref().filter(|target| !target.trim().is_empty());
        if let Some(target) = target {
            let names = self.names(target);
            let found = impact(&self.repo, &self.store, WAIT, &Asked::Names(&names), &upper_bound);
            return Ok(pages::impact(&found.map_err(|error| error.to_string())?, budget));
        }
        let source = asked.base.as_deref().map(str::trim).filter(|base| !base.is_empty());
        let source = source.map_or(Source::WorkTree, |base| Source::Base(base.to_owned()));
        let changes = Changes::read(&self.repo, &source).map_err(|error| error.to_string())?;
        let found = self.read(|graph| review(graph, &self.repo, &changes, chrono::Utc::now().timestamp()))?;
        let commands = runner::commands(&self.repo, &found.tests.hits[..found.tests.hits.len().min(FIRST)]);
        let read = reading(&self.repo, &found.files, &found.radius, found.repository_files, &upper_bound);
        Ok(Page { body: review_text(&found, &commands, &read, Dress::Text), ..Page::default() })
    }

    fn context(&self, asked: &Context, budget: usize) -> Result<Page, String> {
        let names = self.names(&asked.target);
        // The line on how old the graph is stands below it.
        let room = budget.saturating_sub(FOOT);
        let found = context(&self.repo, &self.store, WAIT, &names, room, &|text| {
            text.lines().map(|line| upper_bound(line) + 1).sum()
        });
        Ok(pages::context(&asked.target, &found.map_err(|error| error.to_string())?))
    }

    fn history(&self, asked: &History) -> Result<Page, String> {
        let Some(given) = asked.file.as_deref().map(str::trim).filter(|given| !given.is_empty()) else {
            return self.read(|graph| Ok(pages::hotspots(&ask::hotspots(graph, 0)?)));
        };
        let path = self.repo.resolve(self.repo.root(), Path::new(given));
        self.read(|graph| {
            let file = match ask::has_file(graph, &path)? {
                true => path,
                false => match ask::named(graph, given)? {
                    Named::One(symbols) => symbols.first().map_or(path, |symbol| symbol.file.clone()),
                    Named::Many(candidates) => return Ok(pages::choices(given, &candidates)),
                    Named::None => return Err(AskError::NoFile { path }),
                },
            };
            let together = ask::cochange(graph, &file)?;
            let owners = ask::owners(graph, &file)?;
            Ok(pages::file_history(&file, &together, &owners, &ask::commits(graph, &file)?))
        })
    }

    fn cypher(&self, asked: &Cypher) -> Result<Page, String> {
        let given = asked.params.as_ref();
        // The engine takes a parameter that it was not given for NULL.
        if let Some(missing) =
            guard::parameters(&asked.query).iter().find(|p| given.is_none_or(|g| !g.contains_key(*p)))
        {
            return Err(format!("parameter {missing} is missing: give it in `params`"));
        }
        let params = given.into_iter().flatten().map(|(key, json)| {
            let value = cells::from_json(json).map_err(|error| format!("parameter {key}: {error}"))?;
            Ok((key.as_str(), value))
        });
        let params = params.collect::<Result<_, String>>()?;
        let store =
            Store::with_options(self.store.layout().clone(), Options { timeout: STATEMENT, ..Options::default() });
        let (rows, more) = ask::adhoc(&store, WAIT, &asked.query, params, false, ROWS).map_err(|error| {
            // The tool has no such switch.
            error.to_string().replace("; if you mean it, run it with --write", "; this tool only reads")
        })?;
        Ok(pages::rows(&rows, more))
    }
}
