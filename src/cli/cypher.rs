//! `cypher QUERY`.

use std::io::Read as _;
use std::time::Duration;

use anyhow::{Context as _, bail};
use portolan::store::{Params, guard};

use super::args::{KeyValue, bind};
use super::{Answer, Context, remark, table};

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// One Cypher statement, or - to read it from stdin
    query: String,
    /// A parameter: $name in the statement. The value is read as JSON where it is JSON, else as a string
    #[arg(long, short = 'p', value_name = "NAME=VALUE")]
    param: Vec<KeyValue>,
    /// Let the statement write
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    bounds: Bounds,
}

/// What keeps a statement from running for ever or printing without end.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Bounds {
    /// Stop it after so many seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: Duration,
    /// Print at most this many rows
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000)]
    limit: usize,
}

impl Args {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let mut text = self.query;
        if text == "-" {
            text.clear();
            std::io::stdin().read_to_string(&mut text).context("cannot read the statement from stdin")?;
        }
        if text.trim().is_empty() {
            bail!("the statement is empty");
        }
        let params: Vec<_> = self.param.iter().map(|p| (p.key.clone(), p.guess())).collect();
        run(context, &text, bind(&params)?, self.write, self.bounds)
    }
}

/// Runs a statement and prints its rows.
pub(crate) fn run(
    context: &Context,
    text: &str,
    params: Params<'_>,
    write: bool,
    bounds: Bounds,
) -> anyhow::Result<Answer> {
    // The engine takes a parameter that it was not given for NULL.
    if let Some(missing) = guard::parameters(text).iter().find(|name| params.iter().all(|(key, _)| key != name)) {
        bail!("parameter {missing} is missing (--param {missing}=...)");
    }
    let (rows, more) = context.adhoc(text, params, write, bounds.timeout, bounds.limit)?;
    let mut out = context.out();
    if out.is_json() {
        out.json(&table::objects(&rows))?;
    } else if !rows.columns.is_empty() {
        out.block(&table::table(&rows))?;
    }
    out.finish()?;
    if more {
        remark(&format!("showing the first {} rows; --limit N shows more", bounds.limit));
    }
    Ok(if rows.rows.is_empty() && !write { Answer::No } else { Answer::Yes })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "wants a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(limit) if limit >= Duration::from_millis(1) => Ok(limit),
        _ => Err("wants a number of seconds above zero".into()),
    }
}
