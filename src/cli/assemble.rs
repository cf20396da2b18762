//! `context`: code for a model within a budget of tokens.

use std::path::Path;

use anyhow::{Context as _, bail};
use portolan::ask;
use portolan::context::{Assembled, Role, assemble};
use portolan::impact::seeds::{Seed, Targets, targets};
use portolan::locate::{Limits, Task};
use portolan::store::Options;
use portolan::terms::query_words;
use serde_json::json;

use super::{Answer, Context};

/// Places of a question that become part of its context.
const PLACES: usize = 4;
/// Definitions of a file or class that are taken with their bodies.
const SEEDS: usize = 12;

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A symbol, a file, `file:10-20`, or a question in words
    #[arg(required = true)]
    target: Vec<String>,
    /// Most tokens (o200k) of the text
    #[arg(long, value_name = "N", default_value_t = 4000)]
    budget: usize,
}

impl Args {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let repo = context.repo()?;
        let counter = tiktoken_rs::o200k_base().context("loading the tokenizer")?;
        let count = |text: &str| counter.encode_ordinary(text).len();
        let question = self.target.join(" ");
        let names: Vec<(String, String)> = self
            .target
            .iter()
            .map(|t| {
                let (file, lines) = t
                    .rsplit_once(':')
                    .filter(|(_, l)| l.starts_with(|c: char| c.is_ascii_digit()))
                    .map_or((t.as_str(), String::new()), |(f, l)| (f, format!(":{l}")));
                Ok((t.clone(), format!("{}{lines}", context.graph_path(Path::new(file))?)))
            })
            .collect::<anyhow::Result<_>>()?;
        // One word with white space, or words that are no names, are a question.
        let asks = self.target.len() == 1 && question.trim().contains(char::is_whitespace);
        let mut found = if asks { Targets::default() } else { context.ask(|graph| targets(graph, &names))? };
        let mut words = Vec::new();
        if asks || (found.seeds.is_empty() && found.many.is_empty() && self.target.len() > 2) {
            words = query_words(&question);
            if asks {
                context.freshen()?;
            }
            let answer = ask::locate(
                &repo,
                &context.store(Options::default())?,
                context.wait(),
                &Task::read(None, &question),
                Limits::MAP,
            )?;
            let places: Vec<(String, String)> = answer
                .places
                .iter()
                .take(PLACES)
                .map(|p| {
                    let at = if p.start_line > 0 {
                        format!("{}:{}-{}", p.file, p.start_line, p.end_line)
                    } else {
                        p.file.clone()
                    };
                    let name = if p.qualname.is_empty() { at.clone() } else { format!("{}::{}", p.file, p.qualname) };
                    (name.clone(), if p.qualname.is_empty() { at } else { name })
                })
                .collect();
            found = context.ask_as_is(|graph| targets(graph, &places))?;
            found.unknown.clear();
            found.many.clear();
        }
        let mut out = context.out();
        if let Some((name, candidates)) = found.many.first() {
            out.candidates(name, candidates, super::output::Bound::default())?;
            out.finish()?;
            return Ok(Answer::No);
        }
        let seeds = outermost(found.seeds);
        if seeds.is_empty() {
            super::calls::not_found(&mut out, &question, 0, &[])?;
            out.finish()?;
            return Ok(Answer::No);
        }
        let left_out = seeds.len().saturating_sub(SEEDS);
        let seeds = &seeds[..seeds.len().min(SEEDS)];
        // What was cut is told within the budget.
        const TAIL: usize = 60;
        let room = self.budget.saturating_sub(TAIL);
        let done = context.ask_as_is(|graph| assemble(graph, &repo, seeds, &words, room, &count))?;
        if done.parts.is_empty() {
            bail!("nothing fits into {} tokens; give a larger --budget", self.budget);
        }
        let tail = tail(&done, left_out, done.tokens, self.budget);
        if out.is_json() {
            out.json(&json!({ "text": done.text, "tokens": done.tokens, "budget": self.budget, "parts": done.parts,
                              "cut": done.cut.iter().map(|(role, n)| json!({ "role": role, "parts": n })).collect::<Vec<_>>(),
                              "shortened": done.shortened, "definitions_left_out": left_out }))?;
        } else {
            out.lines(&done.text)?;
            if count(&format!("{}{tail}\n", done.text)) <= self.budget {
                out.line(&tail)?;
            }
        }
        out.finish()?;
        Ok(Answer::Yes)
    }
}

/// A definition inside of another one that is there too is told with it.
fn outermost(seeds: Vec<Seed>) -> Vec<Seed> {
    let module = |s: &Seed| s.kind == "module";
    let inside = |s: &Seed, o: &Seed| {
        !module(o)
            && s.id != o.id
            && s.file == o.file
            && o.start_line <= s.start_line
            && s.end_line <= o.end_line
            && (o.start_line, o.end_line) != (s.start_line, s.end_line)
    };
    let keep: Vec<Seed> = seeds.iter().filter(|s| !seeds.iter().any(|o| inside(s, o))).cloned().collect();
    let only_module = keep.iter().all(module);
    keep.into_iter().filter(|s| only_module || !module(s)).collect()
}

fn tail(done: &Assembled, left_out: usize, tokens: usize, budget: usize) -> String {
    let words = |role: &Role| match role {
        Role::Body => "bodies",
        Role::CalledBy => "callers",
        Role::Calls => "callees",
        Role::Tests => "tests",
        Role::Lessons => "lessons",
    };
    let mut cut: Vec<String> = done.cut.iter().map(|(role, n)| format!("{n} {}", words(role))).collect();
    if left_out > 0 {
        cut.push(format!("{left_out} more definitions"));
    }
    let cut = if cut.is_empty() { "nothing".to_owned() } else { cut.join(", ") };
    let short = if done.shortened.is_empty() { String::new() } else { format!("; {} shortened", done.shortened.len()) };
    format!("({tokens} of {budget} tokens; left out: {cut}{short})")
}
