//! `export`.

use std::io::{self, Write as _};

use anyhow::bail;
use portolan::ask;
use portolan::store::dump::dump;

use super::{Answer, Context};

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Every call, a row a call site: caller_file, caller_qualname, callee_file, callee_qualname, line, how, confidence
    Calls {
        /// Tab-separated, the default; --json gives an array of objects instead
        #[arg(long, conflicts_with = "json")]
        tsv: bool,
    },
    /// The whole graph, sorted: a table's name, a tab, and a JSON array of the row's columns, a line a row
    Dump,
}

impl Args {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        match self.what {
            What::Calls { tsv: _ } => {
                // The graph is closed before the first byte is written: a slow reader must not hold it.
                let sites = context.ask(ask::export_calls)?;
                if context.json() {
                    let mut out = context.out();
                    out.json(&sites)?;
                    out.finish()?;
                } else {
                    lines(sites.iter().map(ask::CallSite::to_tsv))?;
                }
            }
            What::Dump => {
                if context.json() {
                    bail!("export dump has a format of its own, whose lines each hold a JSON array; leave --json out");
                }
                let mut dumped = Vec::new();
                context.ask(|graph| Ok(dump(graph, &mut dumped)?))?;
                let mut out = io::stdout().lock();
                out.write_all(&dumped)?;
                out.flush()?;
            }
        }
        Ok(Answer::Yes)
    }
}

fn lines(lines: impl Iterator<Item = String>) -> io::Result<()> {
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    for line in lines {
        writeln!(out, "{line}")?;
    }
    out.flush()
}
