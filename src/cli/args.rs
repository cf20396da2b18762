//! Arguments that several commands take.

use anyhow::{Context as _, bail};
use portolan::ask::{Brief, Named, named, named_value, similar};
use portolan::store::Graph;
use serde_json::Value as Json;

/// `k=v`.
#[derive(Clone, Debug)]
pub(crate) struct KeyValue {
    pub key: String,
    pub value: String,
}

impl std::str::FromStr for KeyValue {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (key, value) = text.split_once('=').ok_or_else(|| "wants name=value".to_owned())?;
        let key = key.strip_prefix('$').unwrap_or(key);
        if key.is_empty() || !key.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return Err(format!("{key:?} is not a parameter's name"));
        }
        Ok(KeyValue { key: key.to_owned(), value: value.to_owned() })
    }
}

impl KeyValue {
    /// The value read as JSON where it is JSON (`20`, `true`, `[1,2]`, `"20"`), else as a string.
    pub fn guess(&self) -> Json {
        serde_json::from_str(&self.value).unwrap_or_else(|_| Json::String(self.value.clone()))
    }

    /// The value as a type that is known: a STRING is taken as it stands.
    pub fn of_kind(&self, kind: &str) -> anyhow::Result<Json> {
        let fits = |json: &Json| match kind {
            "INT64" => json.is_i64(),
            "DOUBLE" => json.is_number(),
            "BOOL" => json.is_boolean(),
            _ => json.is_array(),
        };
        if kind == "STRING" {
            return Ok(Json::String(self.value.clone()));
        }
        match serde_json::from_str::<Json>(&self.value) {
            Ok(json) if kind == "DOUBLE" && fits(&json) => Ok(Json::from(json.as_f64())),
            Ok(json) if fits(&json) => Ok(json),
            _ => bail!("--param {}={}: wants {kind}", self.key, self.value),
        }
    }
}

/// As parameters for the engine.
pub(crate) fn bind(params: &[(String, Json)]) -> anyhow::Result<portolan::store::Params<'_>> {
    params
        .iter()
        .map(|(key, json)| {
            let value = portolan::cells::from_json(json).map_err(anyhow::Error::msg);
            Ok((key.as_str(), value.with_context(|| format!("--param {key}"))?))
        })
        .collect()
}

/// A name looked up, or why there is no single answer.
pub(crate) enum Found<T> {
    One(T),
    Many(Vec<Brief>),
    /// Nothing of that name; what may have been meant.
    None(Vec<Brief>),
}

/// Looks a name up and goes on with the definition it stands for.
pub(crate) fn with_symbol<T>(
    graph: &Graph,
    name: &str,
    go_on: impl FnOnce(Vec<Brief>) -> Result<T, portolan::ask::AskError>,
) -> Result<Found<T>, portolan::ask::AskError> {
    found(graph, name, named(graph, name)?, go_on)
}

/// The same for what holds a value: of several definitions of a name, variables, fields and constants are meant.
pub(crate) fn with_value<T>(
    graph: &Graph,
    name: &str,
    go_on: impl FnOnce(Vec<Brief>) -> Result<T, portolan::ask::AskError>,
) -> Result<Found<T>, portolan::ask::AskError> {
    found(graph, name, named_value(graph, name)?, go_on)
}

fn found<T>(
    graph: &Graph,
    name: &str,
    named: Named,
    go_on: impl FnOnce(Vec<Brief>) -> Result<T, portolan::ask::AskError>,
) -> Result<Found<T>, portolan::ask::AskError> {
    Ok(match named {
        Named::One(symbols) => Found::One(go_on(symbols)?),
        Named::Many(candidates) => Found::Many(candidates),
        Named::None => Found::None(similar(graph, name)?),
    })
}
