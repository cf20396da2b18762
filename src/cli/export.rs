//! `export`.

use std::io::{self, Write as _};

use portolan::ask;

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
                    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
                    for site in &sites {
                        writeln!(out, "{}", site.to_tsv())?;
                    }
                    out.flush()?;
                }
            }
        }
        Ok(Answer::Yes)
    }
}
