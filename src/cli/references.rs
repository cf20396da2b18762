//! `readers` and `writers`.

use std::io;

use portolan::ask::{self, Brief, Mention, Mentions, Way};
use serde_json::json;

use super::args::{Found, with_value};
use super::calls::{not_found, words};
use super::output::{Bound, lines};
use super::{Answer, Context, Output};

/// Arguments of both.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A variable, field or constant: `Class.field`, a bare name, `path::Qual.name`
    name: String,
    /// Also show ways that lead there from entry points and tests
    #[arg(long)]
    paths: bool,
    #[command(flatten)]
    bound: Bound,
}

/// Ways that are shown.
const WAYS: usize = 5;

impl Args {
    pub fn run(self, context: &Context, what: Mentions) -> anyhow::Result<Answer> {
        let found = context.ask(|graph| {
            with_value(graph, &self.name, |symbols| {
                let mentions = ask::mentions(graph, &symbols, what)?;
                let ways = if self.paths { ask::ways_to(graph, &mentions, WAYS)? } else { Vec::new() };
                Ok((symbols, mentions, ways))
            })
        })?;
        let mut out = context.out();
        let answer = match found {
            Found::One((symbols, mentions, ways)) => {
                self.print(&mut out, &symbols, &mentions, &ways, what)?;
                Answer::Yes
            }
            Found::Many(candidates) => {
                out.candidates(&self.name, &candidates, self.bound)?;
                Answer::No
            }
            Found::None(near) => {
                not_found(&mut out, &self.name, 0, &near)?;
                Answer::No
            }
        };
        out.finish()?;
        Ok(answer)
    }

    fn print(
        &self,
        out: &mut Output,
        symbols: &[Brief],
        mentions: &[Mention],
        ways: &[Way],
        what: Mentions,
    ) -> io::Result<()> {
        let key = match what {
            Mentions::Readers => "readers",
            Mentions::Writers => "writers",
        };
        let shown = self.bound.cut(mentions);
        if out.is_json() {
            return out.json(&json!({
                "symbol": symbols[0], key: shown, "total": mentions.len(), "paths": ways,
            }));
        }
        let symbol = &symbols[0];
        out.heading(&format!("{key} of {} {}:{}", symbol.id, symbol.file, symbol.start_line))?;
        let mut class = None;
        for mention in shown {
            if class != Some(mention.certainty) {
                class = Some(mention.certainty);
                let all = mentions.iter().filter(|m| m.certainty == mention.certainty).count();
                out.line(&format!("{} ({all}):", words(mention.certainty)))?;
            }
            let access = if mention.access == "value" { "  handed on" } else { "" };
            out.line(&format!(
                "  {}  {}  [{}]{access}",
                mention.id,
                lines(&mention.file, &mention.lines),
                mention.how
            ))?;
        }
        out.rest(shown.len(), mentions.len())?;
        if mentions.is_empty() {
            out.line(&format!("no {} of it is known", key.trim_end_matches('s')))?;
        }
        if self.paths && !ways.is_empty() {
            out.line("reached from:")?;
            for way in ways {
                out.line(&format!("  {}", way.steps.join(" -> ")))?;
            }
        } else if self.paths && !mentions.is_empty() {
            out.line("no entry point or test is known to lead there within 8 calls")?;
        }
        Ok(())
    }
}
