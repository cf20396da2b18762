//! `callers` and `callees`.

use std::io;

use portolan::ask::{self, Brief, Calls, Certainty, Constructor, Direction};
use serde_json::json;

use super::args::{Found, with_symbol};
use super::output::{Bound, count, lines};
use super::{Answer, Context, Output};

/// Arguments of both.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// `Class.method`, a bare name, `path::Qual.name`, or `path:line`
    name: String,
    #[command(flatten)]
    bound: Bound,
}

impl Args {
    pub fn run(self, context: &Context, direction: Direction) -> anyhow::Result<Answer> {
        let found = context.ask(|graph| {
            let found = with_symbol(graph, &self.name, |symbols| {
                let calls = ask::calls(graph, &symbols, direction)?;
                Ok((symbols, calls))
            })?;
            // A name without a definition here may still be called.
            let called = match found {
                Found::None(_) => ask::unresolved(graph, &self.name)?,
                _ => Vec::new(),
            };
            Ok((found, called))
        })?;
        let mut out = context.out();
        let answer = match found {
            (Found::One((symbols, calls)), _) => {
                self.print(&mut out, &symbols, &calls, direction)?;
                Answer::Yes
            }
            (Found::Many(candidates), _) => {
                out.candidates(&self.name, &candidates, self.bound)?;
                Answer::No
            }
            (Found::None(near), called) => {
                not_found(&mut out, &self.name, called.iter().map(|u| u.sites).sum(), &near)?;
                Answer::No
            }
        };
        out.finish()?;
        Ok(answer)
    }

    fn print(&self, out: &mut Output, symbols: &[Brief], calls: &Calls, direction: Direction) -> io::Result<()> {
        let key = match direction {
            Direction::Callers => "callers",
            Direction::Callees => "callees",
        };
        let shown = self.bound.cut(&calls.edges);
        if out.is_json() {
            let mut object = json!({
                "symbol": symbols[0],
                key: shown,
                "total": calls.total(),
                "unresolved_sites": calls.unresolved_sites,
                "unresolved": self.bound.cut(&calls.unresolved),
            });
            if direction == Direction::Callers {
                let one = |c: &Constructor| json!({ "id": c.id, "callers": self.bound.cut(&c.edges), "total": c.edges.len() });
                object["constructors"] = calls.constructors.iter().map(one).collect();
            }
            return out.json(&object);
        }
        let symbol = &symbols[0];
        out.heading(&format!("{key} of {} {}:{}", symbol.id, symbol.file, symbol.start_line))?;
        let mut class = None;
        for edge in shown {
            if class != Some(edge.certainty) {
                class = Some(edge.certainty);
                let all = calls.edges.iter().filter(|e| e.certainty == edge.certainty).count();
                out.line(&format!("{} ({all}):", words(edge.certainty)))?;
            }
            out.line(&format!("  {}  {}  [{}]", edge.id, lines(&edge.site_file, &edge.lines), edge.how))?;
        }
        let mut printed = shown.len();
        for constructor in &calls.constructors {
            out.line(&through(constructor))?;
            for edge in self.bound.cut(&constructor.edges) {
                printed += 1;
                let at = lines(&edge.site_file, &edge.lines);
                out.line(&format!("  {}  {at}  [{}: {}]", edge.id, edge.how, words(edge.certainty)))?;
            }
        }
        out.rest(printed, calls.total())?;
        let bare = symbol.qualname.rsplit('.').next().unwrap_or(&symbol.qualname);
        let sites = calls.unresolved_sites;
        match direction {
            Direction::Callers if sites > 0 => {
                if calls.total() == 0 {
                    out.line("no caller is known, which is no proof that there is none:")?;
                }
                out.line(&format!("{} `{bare}` on something unknown (portolan unresolved {bare})", sites_call(sites)))
            }
            Direction::Callers if calls.total() == 0 => out.line("no caller is known"),
            Direction::Callees => {
                if calls.edges.is_empty() && sites == 0 {
                    return out.line("it calls nothing of this repository");
                }
                if sites > 0 {
                    let names: Vec<&str> = calls.unresolved.iter().take(8).map(|u| u.called.as_str()).collect();
                    let more = if calls.unresolved.len() > names.len() { ", ..." } else { "" };
                    out.line(&format!(
                        "could not be tied to a definition: {} ({}{more})",
                        count(sites, "site"),
                        names.join(", ")
                    ))?;
                }
                Ok(())
            }
            Direction::Callers => Ok(()),
        }
    }
}

/// `through its constructor Choice.__init__ (30):`
pub(crate) fn through(constructor: &Constructor) -> String {
    format!("through its constructor {} ({}):", constructor.qualname, constructor.edges.len())
}

/// The class of an edge in words.
pub(crate) fn words(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Exact => "exact",
        Certainty::Inferred => "by the receiver's inferred class",
        Certainty::Possible => "possible, through an override",
        Certainty::Guess => "guesses by name",
    }
}

fn sites_call(sites: i64) -> String {
    if sites == 1 { "1 site calls".into() } else { format!("{sites} sites call") }
}

/// Says that nothing has that name.
pub(crate) fn not_found(out: &mut Output, name: &str, sites: i64, near: &[Brief]) -> io::Result<()> {
    if out.is_json() {
        return out.json(&json!({ "not_found": name, "unresolved_sites": sites, "similar": near }));
    }
    out.line(&format!("nothing here is called {name}"))?;
    if sites > 0 {
        out.line(&format!("{} that name, and could not be tied to a definition", sites_call(sites)))?;
    }
    if !near.is_empty() {
        out.line("perhaps one of these was meant:")?;
        for symbol in near {
            out.line(&format!("  {}  {} {}:{}", symbol.id, symbol.kind, symbol.file, symbol.start_line))?;
        }
    }
    Ok(())
}
