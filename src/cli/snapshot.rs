//! `snapshot FILE`.

use std::path::PathBuf;

use portolan::store::{Options, snapshot};
use serde_json::json;

use super::{Answer, Context};

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where the copy goes; an earlier snapshot there is replaced
    file: PathBuf,
    /// Replace a file that is not a snapshot
    #[arg(long)]
    force: bool,
}

impl Args {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let file = std::path::absolute(&self.file)?;
        context.freshen()?;
        snapshot::snapshot(&context.store(Options::default())?, &file, self.force, context.wait())?;
        let bytes = file.metadata().map_or(0, |m| m.len());
        let mut out = context.out();
        if out.is_json() {
            out.json(&json!({ "file": file, "bytes": bytes }))?;
        } else {
            #[allow(clippy::cast_precision_loss)] // a size for people
            out.line(&format!("{}: {:.1} MB; open it with any Kuzu 0.11 client", file.display(), bytes as f64 / 1e6))?;
        }
        out.finish()?;
        Ok(Answer::Yes)
    }
}
