//! `query NAME`.

use anyhow::{Context as _, bail};
use portolan::ask;
use portolan::queries::{self, Query, Start};
use portolan::store::guard;
use serde_json::{Value as Json, json};

use super::args::{KeyValue, bind};
use super::cypher::{self, Bounds};
use super::{Answer, Context, remark};

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Name of the query; without it they are listed
    name: Option<String>,
    /// A parameter that the query's header names; `limit` is 20 unless said
    #[arg(long, short = 'p', value_name = "NAME=VALUE")]
    param: Vec<KeyValue>,
    /// Print its text and don't run it
    #[arg(long)]
    show: bool,
    #[command(flatten)]
    bounds: Bounds,
}

impl Args {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let Some(name) = &self.name else { return list(context) };
        let name = name.strip_suffix(".cypher").unwrap_or(name);
        let Some(query) = queries::get(name)? else {
            bail!("no query is called {name}; there are {}", queries::names().collect::<Vec<_>>().join(", "));
        };
        if self.show {
            let mut out = context.out();
            if out.is_json() {
                out.json(&json!({ "name": name, "text": query.text }))?
            } else {
                out.block(query.text.trim_end())?
            }
            out.finish()?;
            return Ok(Answer::Yes);
        }
        if guard::reads_only(query.text).is_err() {
            bail!(
                "query {name} writes, and is for programs that index; to run it all the same: \
                 portolan query {name} --show | portolan cypher --write - --param ..."
            );
        }
        let params = values(&query, &self.param)?;
        let answer = cypher::run(context, query.text, bind(&params)?, false, self.bounds)?;
        if answer == Answer::No {
            unknown_keys(context, &query, &params)?;
        }
        Ok(answer)
    }
}

/// The parameters that the header names, with the values given.
fn values(query: &Query, given: &[KeyValue]) -> anyhow::Result<Vec<(String, Json)>> {
    let wants = || query.params.iter().map(|p| format!("${} {}", p.name, p.kind)).collect::<Vec<_>>().join(", ");
    if let Some(unknown) = given.iter().find(|g| query.params.iter().all(|p| p.name != g.key)) {
        bail!("query {} has no parameter ${}; it takes {}", query.name, unknown.key, wants());
    }
    query
        .params
        .iter()
        .map(|param| {
            let value = match given.iter().rfind(|g| g.key == param.name) {
                Some(given) => given.of_kind(&param.kind)?,
                None if param.name == "limit" => param.example.clone(),
                None => Err(anyhow::anyhow!("{}", param.about)).with_context(|| {
                    format!("query {} needs --param {}=... (it takes {})", query.name, param.name, wants())
                })?,
            };
            Ok((param.name.clone(), value))
        })
        .collect()
}

/// Says which of the keys that a query without an answer starts from are not in the graph.
fn unknown_keys(context: &Context, query: &Query, params: &[(String, Json)]) -> anyhow::Result<()> {
    let is_key =
        |name: &str| query.starts.iter().any(|s| matches!(s, Start::Key(k) if k.strip_prefix('$') == Some(name)));
    for (name, value) in params.iter().filter(|(name, _)| is_key(name)) {
        let Some(value) = value.as_str() else { continue };
        if name == "path" {
            if !context.ask_as_is(|graph| ask::has_file(graph, value))? {
                remark(&format!("no file of the graph has the path {value}"));
            }
        } else if !context.ask_as_is(|graph| ask::has_symbol(graph, value))? {
            remark(&format!("no symbol has the id {value} (`portolan symbol NAME` finds it)"));
        }
    }
    Ok(())
}

fn list(context: &Context) -> anyhow::Result<Answer> {
    let all = queries::names().filter_map(|name| queries::get(name).transpose()).collect::<Result<Vec<_>, _>>()?;
    let mut out = context.out();
    if out.is_json() {
        let field = |name: &str, kind: &str, about: &str| json!({ "name": name, "type": kind, "about": about });
        let all: Vec<Json> = all
            .iter()
            .map(|q| {
                json!({
                    "name": q.name,
                    "summary": q.summary,
                    "version": q.version,
                    "schema": q.schema,
                    "params": q.params.iter().map(|p| field(&p.name, &p.kind, &p.about)).collect::<Vec<_>>(),
                    "columns": q.columns.iter().map(|c| field(&c.name, &c.kind, &c.about)).collect::<Vec<_>>(),
                })
            })
            .collect();
        out.json(&all)?;
    } else {
        for query in &all {
            let params: String = query.params.iter().map(|p| format!(" ${}", p.name)).collect();
            out.line(&format!("{}{params}", query.name))?;
            out.line(&format!("    {}", query.summary))?;
        }
    }
    out.finish()?;
    Ok(Answer::Yes)
}
