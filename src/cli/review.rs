//! `review`: a change judged, for a terminal, a comment, or code scanning.

use clap::ValueEnum;
use portolan::impact::changes::{Changes, default_base};
use portolan::impact::{reading, runner};
use portolan::render::review::{Dress, review_text};
use portolan::render::sarif;
use portolan::render::tokens::upper_bound;
use portolan::review::{Grade, review};
use serde_json::json;

use super::impact::Change;
use super::{Answer, Context};

/// Tests whose command line a page gives.
const FIRST: usize = 10;

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    change: Change,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// End with exit code 1 when the risk is that high
    #[arg(long, value_enum, value_name = "GRADE")]
    fail_on: Option<Limit>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Markdown,
    Json,
    Sarif,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Limit {
    High,
    Medium,
}

impl Args {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let repo = context.repo()?;
        let source = match self.change.source()? {
            Some(source) => source,
            None => default_base(&repo)?,
        };
        let changes = Changes::read(&repo, &source)?;
        let now = chrono::Utc::now().timestamp();
        let found = context.ask(|graph| review(graph, &repo, &changes, now))?;
        let first = &found.tests.hits[..found.tests.hits.len().min(FIRST)];
        let commands = runner::commands(&repo, first);
        let read = reading(&repo, &found.files, &found.radius, found.repository_files, &upper_bound);
        let mut out = context.out();
        match self.format {
            _ if out.is_json() || self.format == Format::Json => {
                let mut object = json!(found);
                object["commands"] = json!(commands);
                object["read"] = json!(read);
                out.json(&object)?;
            }
            Format::Sarif => out.json(&sarif(&found))?,
            format => {
                let dress = if format == Format::Markdown { Dress::Markdown } else { Dress::Text };
                out.lines(&review_text(&found, &commands, &read, dress))?;
            }
        }
        out.finish()?;
        let limit = self.fail_on.map(|limit| if limit == Limit::High { Grade::High } else { Grade::Medium });
        Ok(if limit.is_some_and(|limit| !found.risks.is_empty() && found.grade >= limit) {
            Answer::No
        } else {
            Answer::Yes
        })
    }
}
