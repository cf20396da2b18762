//! `impact` and `tests`.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use portolan::ask::{self, AskError, Brief};
use portolan::impact::changes::{Changes, Source};
use portolan::impact::runner::{self, Command};
use portolan::impact::seeds::{Seed, Targets, of_changes, targets};
use portolan::impact::{Affected, Compared, affected, compare, radius, reading};
use portolan::render::impact::{ImpactPage, MAX_TOKENS, impact_text, tests_text};
use portolan::render::tokens::upper_bound;
use portolan::store::Graph;
use serde_json::json;

use super::{Answer, Context};

/// Tests that `tests` names unless told otherwise.
const TESTS: usize = 15;
/// Tests whose command line a page of `impact` gives.
const FIRST: usize = 8;
/// A longer patch is no patch of one change, bytes.
const LONGEST_PATCH: u64 = 64 << 20;

/// Which change is meant, if any.
#[derive(clap::Args, Clone)]
pub(crate) struct Change {
    /// The work tree against the last commit, new files included
    #[arg(long)]
    pub diff: bool,
    /// What is staged against the last commit
    #[arg(long, conflicts_with = "diff")]
    pub staged: bool,
    /// The work tree against the merge base with this revision
    #[arg(long, value_name = "REV", conflicts_with_all = ["diff", "staged"])]
    pub base: Option<String>,
    /// A unified diff: a file, or `-` for stdin
    #[arg(long, value_name = "FILE", conflicts_with_all = ["diff", "staged", "base"])]
    pub patch: Option<PathBuf>,
}

impl Change {
    /// What to compare; `None` when nothing was said.
    pub fn source(&self) -> anyhow::Result<Option<Source>> {
        Ok(match self {
            Change { diff: true, .. } => Some(Source::WorkTree),
            Change { staged: true, .. } => Some(Source::Staged),
            Change { base: Some(rev), .. } => Some(Source::Base(rev.clone())),
            Change { patch: Some(file), .. } => Some(Source::Patch(read_patch(file)?)),
            _ => None,
        })
    }
}

fn read_patch(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        std::io::stdin().take(LONGEST_PATCH).read_to_end(&mut bytes).context("reading the patch from stdin")?;
    } else {
        let open = std::fs::File::open(file).with_context(|| format!("opening the patch {}", file.display()))?;
        open.take(LONGEST_PATCH).read_to_end(&mut bytes).with_context(|| format!("reading {}", file.display()))?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Arguments of both.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Symbols (`Class.method`, a bare name, `path::Qual.name`), files, `file:10-20`; `-` for a patch on stdin
    targets: Vec<String>,
    #[command(flatten)]
    change: Change,
    /// Name everything, cut nothing
    #[arg(long)]
    all: bool,
}

/// Arguments of `tests`.
#[derive(clap::Args)]
pub(crate) struct Tests {
    #[command(flatten)]
    args: Args,
    /// Every test that may be affected: a safe superset
    #[arg(long)]
    all_affected: bool,
}

/// What was asked, looked up.
struct Asked {
    text: String,
    files: Vec<Compared>,
    seeds: Vec<Seed>,
    left_out: usize,
    targets: Targets,
    one_file: Option<(String, usize)>,
}

impl Asked {
    fn ambiguous(&self) -> Option<&(String, Vec<Brief>)> {
        self.targets.many.first()
    }

    /// Nothing that was named is known.
    fn is_unknown(&self) -> bool {
        self.seeds.is_empty() && self.files.is_empty() && !self.targets.unknown.is_empty()
    }
}

impl Args {
    /// The change, read before the graph is opened.
    fn changes(&self, context: &Context) -> anyhow::Result<Option<Changes>> {
        let source = match (self.change.source()?, &self.targets[..]) {
            (Some(_), [_, ..]) => bail!("name targets or a change, not both"),
            (Some(source), []) => source,
            (None, [dash]) if dash == "-" => Source::Patch(read_patch(Path::new("-"))?),
            (None, []) => {
                bail!("wants a target (a symbol, a file, file:10-20) or --diff, --staged, --base REV, --patch FILE")
            }
            (None, _) => return Ok(None),
        };
        Ok(Some(Changes::read(&context.repo()?, &source)?))
    }

    fn names(&self, context: &Context) -> anyhow::Result<Vec<(String, String)>> {
        let path = |target: &String| {
            // Of `file:10-20` the file's part is a path.
            let (file, lines) = match target.rsplit_once(':') {
                Some((file, lines)) if lines.starts_with(|c: char| c.is_ascii_digit()) => (file, format!(":{lines}")),
                _ => (target.as_str(), String::new()),
            };
            Ok((target.clone(), format!("{}{lines}", context.graph_path(Path::new(file))?)))
        };
        self.targets.iter().map(path).collect()
    }

    fn asked(&self, graph: &Graph, changes: Option<&Changes>, names: &[(String, String)]) -> Result<Asked, AskError> {
        if let Some(changes) = changes {
            let files = compare(changes);
            let (seeds, left_out) = of_changes(graph, &files, changes.unapplied)?;
            let one_file = match &changes.files[..] {
                [one] => one.new.text().or(one.old.text()).map(|text| (one.path.clone(), tokens(text))),
                _ => None,
            };
            let text = format!("the change against {}", changes.against);
            return Ok(Asked { text, files, seeds, left_out, targets: Targets::default(), one_file });
        }
        let targets = targets(graph, names)?;
        let text = names.iter().map(|n| n.0.as_str()).collect::<Vec<_>>().join(" ");
        let seeds = targets.seeds.clone();
        Ok(Asked { text, files: Vec::new(), seeds, left_out: 0, targets, one_file: None })
    }

    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let changes = self.changes(context)?;
        let names = self.names(context)?;
        let repo = context.repo()?;
        let (asked, radius, tests, of) = context.ask(|graph| {
            let asked = self.asked(graph, changes.as_ref(), &names)?;
            let radius = radius(graph, &repo, &asked.seeds, self.all)?;
            let tests = affected(graph, &repo, &asked.seeds)?;
            let of = portolan::impact::radius::file_count(graph)?;
            Ok((asked, radius, tests, of))
        })?;
        if let Some(answer) = refused(context, &asked)? {
            return Ok(answer);
        }
        let first = &tests.hits[..tests.hits.len().min(FIRST)];
        let commands = runner::commands(&repo, first);
        let mut files = asked.files.clone();
        if files.is_empty() {
            files = named_files(&asked.seeds);
        }
        let read = reading(&repo, &files, &radius, of, &upper_bound);
        let mut out = context.out();
        if out.is_json() {
            out.json(&json!({
                "asked": asked.text, "changed_files": asked.files, "seeds": asked.seeds, "not_followed": asked.left_out,
                "levels": radius.levels, "total": radius.total, "files": counts(&radius.files),
                "entry_points": radius.entry_points, "broken": radius.broken, "importers": radius.importers,
                "tests": { "files": counts(&radius.tests), "hits": if self.all { &tests.hits[..] } else { first },
                           "total": tests.hits.len(), "suite": tests.suite, "untested": tests.untested,
                           "commands": commands },
                "not_parsed": asked.targets.unparsed, "read": read,
            }))?;
        } else if asked.seeds.is_empty() && asked.files.is_empty() && asked.targets.unparsed.is_empty() {
            out.line(&format!("nothing changed: {}", asked.text))?;
        } else {
            for file in &asked.targets.unparsed {
                out.line(&format!("{file} holds no definitions that Portolan knows; `portolan cochange {file}` says what changes with it"))?;
            }
            if !asked.seeds.is_empty() || !asked.files.is_empty() {
                let page = ImpactPage {
                    asked: &asked.text,
                    files: &asked.files,
                    seeds: &asked.seeds,
                    left_out: asked.left_out,
                    radius: &radius,
                    tests: &tests,
                    commands: &commands,
                    reading: &read,
                    most_tokens: if self.all { usize::MAX / 4 } else { MAX_TOKENS },
                    one_file: asked
                        .one_file
                        .as_ref()
                        .filter(|_| !self.all)
                        .map(|(file, tokens)| (file.as_str(), *tokens)),
                };
                out.lines(&impact_text(&page))?;
            }
        }
        out.finish()?;
        Ok(Answer::Yes)
    }
}

impl Tests {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let changes = self.args.changes(context)?;
        let names = self.args.names(context)?;
        let repo = context.repo()?;
        let (asked, mut tests) = context.ask(|graph| {
            let asked = self.args.asked(graph, changes.as_ref(), &names)?;
            let tests = affected(graph, &repo, &asked.seeds)?;
            Ok((asked, tests))
        })?;
        if let Some(answer) = refused(context, &asked)? {
            return Ok(answer);
        }
        let all = self.all_affected || self.args.all;
        changed_tests(&asked.files, &mut tests);
        let shown = if all { tests.hits.len() } else { tests.hits.len().min(TESTS) };
        let commands: Vec<Command> = runner::commands(&repo, &tests.hits[..shown]);
        let mut out = context.out();
        if out.is_json() {
            out.json(&json!({
                "asked": asked.text, "tests": &tests.hits[..shown], "total": tests.hits.len(), "suite": tests.suite,
                "untested": tests.untested, "commands": commands,
            }))?;
        } else {
            let most = if all { usize::MAX / 4 } else { MAX_TOKENS };
            out.lines(&tests_text(&asked.text, &tests, &commands, shown, most))?;
        }
        out.finish()?;
        Ok(if tests.hits.is_empty() { Answer::No } else { Answer::Yes })
    }
}

/// Tests that a change touched are run first.
fn changed_tests(files: &[Compared], tests: &mut Affected) {
    use portolan::impact::{ChangeKind, Hit};
    let changed = files.iter().flat_map(|f| &f.symbols).filter(|s| s.is_test && s.change != ChangeKind::Removed);
    let mut first: Vec<Hit> = Vec::new();
    for symbol in changed.filter(|s| matches!(s.kind, "function" | "method")) {
        let known = tests.hits.iter().position(|h| h.id == symbol.id).map(|at| tests.hits.remove(at));
        let is_case = symbol.qualname.rsplit('.').next().is_some_and(|n| n.to_lowercase().starts_with("test"));
        match known {
            Some(hit) => first.push(hit),
            None if is_case => first.push(Hit {
                id: symbol.id.clone(),
                file: symbol.file.clone(),
                qualname: symbol.qualname.clone(),
                start_line: symbol.start_line.into(),
                direct: true,
                hops: 0,
                score: 1.0,
                through: vec![symbol.id.clone()],
            }),
            None => {}
        }
    }
    first.append(&mut tests.hits);
    tests.hits = first;
}

/// Names that stand for several things or for nothing.
fn refused(context: &Context, asked: &Asked) -> anyhow::Result<Option<Answer>> {
    let mut out = context.out();
    if let Some((name, candidates)) = asked.ambiguous() {
        out.candidates(name, candidates, super::output::Bound::default())?;
    } else if asked.is_unknown() {
        let name = &asked.targets.unknown[0];
        let near = context.ask_as_is(|graph| ask::similar(graph, name))?;
        super::calls::not_found(&mut out, name, 0, &near)?;
    } else {
        return Ok(None);
    }
    out.finish()?;
    Ok(Some(Answer::No))
}

/// What was named, as if all of it had changed: for `Read:`.
fn named_files(seeds: &[Seed]) -> Vec<Compared> {
    let mut files: std::collections::BTreeMap<&str, Vec<(u32, u32)>> = std::collections::BTreeMap::new();
    for seed in seeds.iter().filter(|s| s.kind != "module") {
        let lines = (seed.start_line.try_into().unwrap_or(0), seed.end_line.try_into().unwrap_or(0));
        files.entry(&seed.file).or_default().push(lines);
    }
    let one = |(path, lines): (&str, Vec<(u32, u32)>)| Compared {
        path: path.to_owned(),
        was: None,
        status: portolan::impact::Status::Modified,
        parsed: true,
        binary: false,
        is_test: false,
        added: 0,
        removed: 0,
        symbols: Vec::new(),
        imports_changed: false,
        cosmetic: false,
        lines,
    };
    files.into_iter().map(one).collect()
}

/// Of a text, at most.
fn tokens(text: &str) -> usize {
    text.lines().map(|line| upper_bound(line) + 1).sum()
}

fn counts(list: &[(String, usize)]) -> serde_json::Value {
    list.iter().map(|(file, n)| json!({ "file": file, "symbols": n })).collect()
}
