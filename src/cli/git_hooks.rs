//! `hooks git`: Portolan's lines in git's own hooks.

use clap::{Subcommand, ValueEnum};
use portolan::git_hooks::{self, Done};
use serde_json::json;

use super::{Answer, Context};

/// Arguments of `hooks`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    whose: Whose,
}

#[derive(Subcommand)]
enum Whose {
    /// git's pre-push (a review) and post-commit (an index in the background)
    Git(Git),
}

#[derive(clap::Args)]
struct Git {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Put Portolan's lines at the top of the hooks; what stands there stays
    Install {
        /// Stop a push whose risk is that high
        #[arg(long, value_enum, value_name = "GRADE")]
        fail_on: Option<Limit>,
    },
    /// Take them out again
    Remove,
}

#[derive(Clone, Copy, ValueEnum)]
enum Limit {
    High,
    Medium,
}

impl Args {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let repo = context.repo()?;
        let Whose::Git(git) = self.whose;
        let done = match git.what {
            What::Install { fail_on } => {
                let grade = fail_on.map(|l| if matches!(l, Limit::High) { "high" } else { "medium" });
                git_hooks::install(&repo, grade)?
            }
            What::Remove => git_hooks::remove(&repo)?,
        };
        let mut out = context.out();
        let rows: Vec<(&str, &std::path::Path)> = done
            .iter()
            .map(|done| match done {
                Done::Made(path) => ("made", path.as_path()),
                Done::Added(path) => ("added to", path.as_path()),
                Done::Removed(path) => ("taken out of", path.as_path()),
                Done::Nothing(path) => ("nothing to do in", path.as_path()),
            })
            .collect();
        if out.is_json() {
            let list: Vec<_> =
                rows.iter().map(|(what, path)| json!({ "done": what, "path": path.display().to_string() })).collect();
            out.json(&json!({ "hooks": list }))?;
        } else {
            for (what, path) in rows {
                out.line(&format!("{what} {}", path.display()))?;
            }
        }
        out.finish()?;
        Ok(Answer::Yes)
    }
}
