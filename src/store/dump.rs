//! The whole graph as sorted text, the same for the same graph: what equality tests compare.

use std::io::Write;

use kuzu::Value;
use serde_json::{Number, Value as Json};

use super::memory::Memory;
use super::statements::named;
use super::{Graph, Result, StoreError};

const DUMP: &str = include_str!("../../queries/store/dump.cypher");

const TABLES: [&str; 14] = [
    "File",
    "Symbol",
    "DEFINES",
    "CONTAINS",
    "CALLS",
    "REFERENCES",
    "INHERITS",
    "IMPORTS",
    "TESTS",
    "Commit",
    "Person",
    "AUTHORED",
    "TOUCHED",
    "CO_CHANGES",
];

/// Writes a row a line: the table's name, a tab, and the row as a JSON array; tables in the order of the schema, rows
/// sorted as text. Agents' memory follows; locks, Meta and rows that are not in the tree are left out.
pub fn dump(graph: &Graph, out: &mut dyn Write) -> Result<()> {
    let failed = |e| StoreError::io("write the dump of", graph.path(), e);
    for table in TABLES {
        let mut lines = Vec::new();
        graph.each(named(DUMP, table), vec![], |row| {
            lines.push(Json::Array(row.iter().map(json).collect()).to_string());
            Ok::<_, StoreError>(())
        })?;
        lines.sort_unstable();
        for line in lines {
            writeln!(out, "{table}\t{line}").map_err(failed)?;
        }
    }
    for line in Memory::export(graph)?.lines() {
        writeln!(out, "{line}").map_err(failed)?;
    }
    Ok(())
}

/// A value of the engine as JSON: numbers, strings, booleans, lists and structs as such, NULL as null, all else as the
/// text that the engine prints.
pub fn json(value: &Value) -> Json {
    match value {
        Value::Null(_) => Json::Null,
        Value::Bool(v) => Json::Bool(*v),
        Value::Int64(v) => Json::from(*v),
        Value::Int32(v) => Json::from(*v),
        Value::Int16(v) => Json::from(*v),
        Value::Int8(v) => Json::from(*v),
        Value::UInt64(v) => Json::from(*v),
        Value::UInt32(v) => Json::from(*v),
        Value::UInt16(v) => Json::from(*v),
        Value::UInt8(v) => Json::from(*v),
        Value::Int128(v) => i64::try_from(*v).map_or_else(|_| Json::String(v.to_string()), Json::from),
        Value::Double(v) => Number::from_f64(*v).map_or(Json::Null, Json::Number),
        Value::Float(v) => Number::from_f64((*v).into()).map_or(Json::Null, Json::Number),
        Value::String(v) => Json::String(v.clone()),
        Value::List(_, items) | Value::Array(_, items) => Json::Array(items.iter().map(json).collect()),
        Value::Struct(fields) => Json::Object(fields.iter().map(|(k, v)| (k.clone(), json(v))).collect()),
        Value::Map(_, entries) => {
            Json::Array(entries.iter().map(|(k, v)| Json::Array(vec![json(k), json(v)])).collect())
        }
        Value::Node(node) => {
            let mut object = serde_json::Map::new();
            object.insert("_label".into(), Json::String(node.get_label_name().clone()));
            object.extend(node.get_properties().iter().map(|(k, v)| (k.clone(), json(v))));
            Json::Object(object)
        }
        Value::Rel(rel) => {
            let mut object = serde_json::Map::new();
            object.insert("_label".into(), Json::String(rel.get_label_name().clone()));
            object.extend(rel.get_properties().iter().map(|(k, v)| (k.clone(), json(v))));
            Json::Object(object)
        }
        other => Json::String(other.to_string()),
    }
}
