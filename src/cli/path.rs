//! `path A B`.

use portolan::ask;
use serde_json::json;

use super::args::{Found, with_symbol};
use super::calls::{not_found, words};
use super::output::{Bound, lines};
use super::{Answer, Context};

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where the chain starts: a name as for `callers`
    from: String,
    /// Where it ends
    to: String,
    #[command(flatten)]
    bound: Bound,
}

impl Args {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let (from, to) = context.ask(|graph| {
            let from = with_symbol(graph, &self.from, Ok)?;
            let to = with_symbol(graph, &self.to, |to| match &from {
                Found::One(from) => ask::path(graph, from, &to),
                _ => Ok(None),
            })?;
            Ok((from, to))
        })?;
        let mut out = context.out();
        let answer = match (from, to) {
            (Found::Many(candidates), _) => {
                out.candidates(&self.from, &candidates, self.bound)?;
                Answer::No
            }
            (Found::None(near), _) => {
                not_found(&mut out, &self.from, 0, &near)?;
                Answer::No
            }
            (_, Found::Many(candidates)) => {
                out.candidates(&self.to, &candidates, self.bound)?;
                Answer::No
            }
            (_, Found::None(near)) => {
                not_found(&mut out, &self.to, 0, &near)?;
                Answer::No
            }
            (Found::One(_), Found::One(None)) => {
                if out.is_json() {
                    out.json(&json!({ "path": null }))?;
                } else {
                    out.line(&format!("no chain of at most 12 known calls leads from {} to {}", self.from, self.to))?;
                }
                Answer::No
            }
            (Found::One(_), Found::One(Some(chain))) => {
                if out.is_json() {
                    out.json(&json!({ "path": chain.steps, "confidence": chain.confidence }))?;
                } else {
                    for (i, step) in chain.steps.iter().enumerate() {
                        let indent = "  ".repeat(i);
                        let site = step.certainty.map_or_else(String::new, |c| {
                            format!(
                                "  calls the next at {}  [{}: {}]",
                                lines(&step.file, &step.lines),
                                step.how,
                                words(c)
                            )
                        });
                        out.line(&format!("{indent}{}{site}", step.id))?;
                    }
                }
                Answer::Yes
            }
        };
        out.finish()?;
        Ok(answer)
    }
}
