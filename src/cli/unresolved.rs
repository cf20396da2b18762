//! `unresolved NAME`.

use portolan::ask;
use serde_json::json;

use super::output::{Bound, lines};
use super::{Answer, Context};

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The name as it is called; what stands before the last dot is taken off
    name: String,
    #[command(flatten)]
    bound: Bound,
}

impl Args {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let found = context.ask(|graph| ask::unresolved(graph, &self.name))?;
        let shown = self.bound.cut(&found);
        let sites: i64 = found.iter().map(|u| u.sites).sum();
        let mut out = context.out();
        if out.is_json() {
            out.json(&json!({ "name": self.name, "unresolved": shown, "total": found.len(), "sites": sites }))?;
        } else if found.is_empty() {
            out.line(&format!("no call of {} is known that could not be tied to a definition", self.name))?;
        } else {
            for one in shown {
                let times = if one.sites > 1 { format!("  {} times", one.sites) } else { String::new() };
                let file = one.caller.rsplit_once("::").map_or(one.caller.as_str(), |(file, _)| file);
                out.line(&format!("{}  {}  {}{times}", one.caller, one.called, lines(file, &one.lines)))?;
            }
            out.rest(shown.len(), found.len())?;
        }
        out.finish()?;
        Ok(if found.is_empty() { Answer::No } else { Answer::Yes })
    }
}
