//! `symbol NAME`.

use std::io;

use portolan::ask::{self, Card, Relative};

use super::args::{Found, with_symbol};
use super::calls::{not_found, through};
use super::output::{Bound, count, lines};
use super::{Answer, Context, Output};

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// `Class.method`, a bare name, `path::Qual.name`, or `path:line`
    name: String,
    #[command(flatten)]
    bound: Bound,
}

/// Relatives of each kind that a card lists in text.
const RELATIVES: usize = 5;

impl Args {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let found = context.ask(|graph| with_symbol(graph, &self.name, |symbols| ask::card(graph, &symbols)))?;
        let mut out = context.out();
        let answer = match found {
            Found::One(cards) => {
                if out.is_json() {
                    out.json(&cards)?;
                } else {
                    for card in &cards {
                        print(&mut out, card)?;
                    }
                }
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
}

fn print(out: &mut Output, card: &Card) -> io::Result<()> {
    let s = &card.symbol;
    out.heading(&s.id)?;
    let flags = [(card.is_test, "test"), (card.exported, "exported"), (card.entry_point, "entry point")];
    let flags: String = flags.iter().filter(|(is, _)| *is).map(|(_, word)| format!(", {word}")).collect();
    out.line(&format!("  {}{flags}  {}:{}-{}", s.kind, s.file, s.start_line, s.end_line))?;
    if !s.signature.is_empty() {
        out.line(&format!("  {}", s.signature))?;
    }
    if let Some(first) = card.doc.lines().find(|l| !l.trim().is_empty()) {
        out.line(&format!("  {}", first.trim()))?;
    }
    relatives(out, "inherits from", &card.bases)?;
    relatives(out, "inherited by", &card.derived)?;
    for (what, calls) in [("called by", &card.callers), ("calls", &card.callees)] {
        if calls.total() == 0 && calls.unresolved_sites == 0 {
            continue;
        }
        let unknown = match calls.unresolved_sites {
            0 => String::new(),
            n => format!(", and {} that could not be placed", count(n, "site")),
        };
        out.line(&format!("  {what} {}{unknown}", calls.total()))?;
        for edge in calls.edges.iter().take(RELATIVES) {
            out.line(&format!("    {}  {}  [{}]", edge.id, lines(&edge.site_file, &edge.lines), edge.how))?;
        }
        for constructor in &calls.constructors {
            out.line(&format!("    {}", through(constructor)))?;
            for edge in constructor.edges.iter().take(RELATIVES) {
                out.line(&format!("      {}  {}  [{}]", edge.id, lines(&edge.site_file, &edge.lines), edge.how))?;
            }
        }
    }
    relatives(out, "tested by", &card.tests)
}

fn relatives(out: &mut Output, what: &str, list: &[Relative]) -> io::Result<()> {
    if list.is_empty() {
        return Ok(());
    }
    out.line(&format!("  {what} {}", list.len()))?;
    for other in list.iter().take(RELATIVES) {
        out.line(&format!("    {}  {}:{}", other.id, other.file, other.start_line))?;
    }
    Ok(())
}
