//! `impact` and `tests`.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use portolan::ask;
use portolan::impact::ask::{Asked, Impact, Sought};
use portolan::impact::changes::{Changes, Source};
use portolan::impact::runner::{self, Command};
use portolan::impact::{Affected, Compared, affected};
use portolan::render::impact::{ImpactPage, MAX_TOKENS, impact_text, tests_text};
use portolan::render::tokens::{lower_bound, upper_bound};
use serde_json::json;

use super::{Answer, Context};

/// Tests that `tests` names unless told otherwise.
const TESTS: usize = 15;
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
    /// Every test that is likely affected; `--all` adds those that are reached only through several conditions
    #[arg(long)]
    all_affected: bool,
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

    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let changes = self.changes(context)?;
        let names = self.names(context)?;
        let repo = context.repo()?;
        let asked = changes.as_ref().map_or(Asked::Names(&names), Asked::Change);
        let found = context.ask(|graph| Impact::look(graph, &repo, &asked, self.all))?;
        if let Some(answer) = refused(context, &found.sought)? {
            return Ok(answer);
        }
        let found = found.finish(&repo, &upper_bound);
        let Impact { sought, radius, tests, commands, reading, .. } = &found;
        let mut out = context.out();
        if out.is_json() {
            out.json(&json!({
                "asked": sought.asked, "changed_files": sought.files, "seeds": sought.seeds, "not_followed": sought.left_out,
                "levels": radius.levels, "total": radius.total, "files": counts(&radius.files),
                "entry_points": radius.entry_points, "broken": radius.broken, "importers": radius.importers,
                "tests": { "files": counts(&radius.tests), "hits": if self.all { &tests.hits[..] } else { found.first_tests() },
                           "total": tests.hits.len(), "suite": tests.suite, "untested": tests.untested,
                           "commands": commands },
                "not_parsed": sought.targets.unparsed, "read": reading,
            }))?;
        } else if sought.seeds.is_empty() && sought.files.is_empty() && sought.targets.unparsed.is_empty() {
            out.line(&format!("nothing changed: {}", sought.asked))?;
        } else {
            for file in &sought.targets.unparsed {
                out.line(&format!("{file} holds no definitions that Portolan knows; `portolan cochange {file}` says what changes with it"))?;
            }
            if !sought.seeds.is_empty() || !sought.files.is_empty() {
                let one_file = changes.as_ref().filter(|_| !self.all).and_then(one_file);
                let page = ImpactPage {
                    asked: &sought.asked,
                    files: &sought.files,
                    seeds: &sought.seeds,
                    left_out: sought.left_out,
                    radius,
                    tests,
                    commands,
                    reading,
                    most_tokens: if self.all { usize::MAX / 4 } else { MAX_TOKENS },
                    one_file: one_file.as_ref().map(|(file, tokens)| (file.as_str(), *tokens)),
                };
                out.lines(&impact_text(&page))?;
            }
        }
        out.finish()?;
        Ok(Answer::Yes)
    }
}

/// The only changed file and its tokens, at least.
fn one_file(changes: &Changes) -> Option<(String, usize)> {
    let [one] = &changes.files[..] else { return None };
    one.new.text().or(one.old.text()).map(|text| (one.path.clone(), lower_bound(text)))
}

impl Tests {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let changes = self.args.changes(context)?;
        let names = self.args.names(context)?;
        let repo = context.repo()?;
        let asked = changes.as_ref().map_or(Asked::Names(&names), Asked::Change);
        let (sought, mut tests) = context.ask(|graph| {
            let sought = Sought::look(graph, &asked)?;
            let tests = affected(graph, &repo, &sought.seeds)?;
            Ok((sought, tests))
        })?;
        if let Some(answer) = refused(context, &sought)? {
            return Ok(answer);
        }
        changed_tests(&sought.files, &mut tests);
        if self.all_affected && !self.args.all {
            tests.hits.sort_by_key(|hit| !hit.likely);
        }
        let likely = tests.hits.iter().filter(|h| h.likely).count();
        let shown = match () {
            () if self.args.all => tests.hits.len(),
            () if self.all_affected => likely,
            () => tests.hits.len().min(TESTS),
        };
        let all = self.all_affected || self.args.all;
        let commands: Vec<Command> = runner::commands(&repo, &tests.hits[..shown]);
        let mut out = context.out();
        if out.is_json() {
            out.json(&json!({
                "asked": sought.asked, "tests": &tests.hits[..shown], "total": tests.hits.len(), "likely": likely,
                "suite": tests.suite, "untested": tests.untested, "commands": commands,
            }))?;
        } else {
            let most = if all { usize::MAX / 4 } else { MAX_TOKENS };
            out.lines(&tests_text(&sought.asked, &tests, &commands, shown, most))?;
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
            Some(hit) => first.push(Hit { likely: true, ..hit }),
            None if is_case => first.push(Hit {
                id: symbol.id.clone(),
                file: symbol.file.clone(),
                qualname: symbol.qualname.clone(),
                start_line: symbol.start_line.into(),
                direct: true,
                hops: 0,
                score: 1.0,
                likely: true,
                through: vec![symbol.id.clone()],
            }),
            None => {}
        }
    }
    first.append(&mut tests.hits);
    tests.hits = first;
}

/// Names that stand for several things or for nothing.
fn refused(context: &Context, sought: &Sought) -> anyhow::Result<Option<Answer>> {
    let mut out = context.out();
    let nothing = sought.seeds.is_empty() && sought.files.is_empty();
    if let Some((name, candidates)) = sought.targets.many.first() {
        out.candidates(name, candidates, super::output::Bound::default())?;
    } else if let Some(name) = sought.targets.unknown.first().filter(|_| nothing) {
        let near = context.ask_as_is(|graph| ask::similar(graph, name))?;
        super::calls::not_found(&mut out, name, 0, &near)?;
    } else {
        return Ok(None);
    }
    out.finish()?;
    Ok(Some(Answer::No))
}

fn counts(list: &[(String, usize)]) -> serde_json::Value {
    list.iter().map(|(file, n)| json!({ "file": file, "symbols": n })).collect()
}
