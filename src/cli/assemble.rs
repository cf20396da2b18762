//! `context`: code for a model within a budget of tokens.

use std::path::Path;

use anyhow::{Context as _, bail};
use portolan::context::ask::{self, Context as Found};
use portolan::store::Options;
use serde_json::json;

use super::{Answer, Context};

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
        context.freshen()?;
        let store = context.store(Options::default())?;
        let found = ask::context(&repo, &store, context.wait(), &names, self.budget, &count)?;
        let mut out = context.out();
        let (done, left_out, tail) = match found {
            Found::Text { assembled, left_out, tail } => (assembled, left_out, tail),
            Found::Many(name, candidates) => {
                out.candidates(&name, &candidates, super::output::Bound::default())?;
                out.finish()?;
                return Ok(Answer::No);
            }
            Found::None => {
                super::calls::not_found(&mut out, &question, 0, &[])?;
                out.finish()?;
                return Ok(Answer::No);
            }
        };
        if done.parts.is_empty() {
            bail!("nothing fits into {} tokens; give a larger --budget", self.budget);
        }
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
