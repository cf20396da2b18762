//! `mcp`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use portolan::mcp;
use portolan::settings::Settings;

use super::{Answer, Context, remark};

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Answer the server's questions, from stdin
    #[arg(long, hide = true)]
    worker: bool,
    /// Seconds that a call waits for indexing before it is answered with how far that is
    #[arg(long, value_name = "SECONDS", default_value_t = 45, hide = true)]
    patience: u64,
}

impl Args {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let program = std::env::current_exe();
        if self.worker {
            mcp::work(program.ok().as_deref()).context("the server is gone")?;
            return Ok(Answer::Yes);
        }
        let settings = Settings::load().unwrap_or_else(|error| {
            // A mistake in it must not cost the agent its tools.
            remark(&format!("portolan: {error}"));
            Settings::default()
        });
        let own = PathBuf::from("/proc/self/exe");
        // Also when the file was replaced by a newer version: server and worker are of one kind.
        let program = if own.exists() { own } else { program.context("cannot find the program itself")? };
        let roots = mcp::roots(context.root(), std::env::var_os("PORTOLAN_ROOT"));
        let patience = Duration::from_secs(self.patience);
        mcp::serve(mcp::Options { roots, cypher: settings.mcp.cypher, program, patience })?;
        Ok(Answer::Yes)
    }
}
