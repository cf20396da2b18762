//! Values of the engine as JSON and as text: the one place that knows all of its types.
//!
//! | Kuzu | JSON |
//! |---|---|
//! | BOOL, STRING, integers up to 64 bits, DOUBLE, FLOAT | as they are; NaN and infinities as strings |
//! | INT128 beyond 64 bits, DECIMAL | a string with all digits |
//! | DATE, TIMESTAMP (any), INTERVAL, UUID, BLOB | a string: ISO 8601, `P3DT2H`, hexadecimal |
//! | LIST, ARRAY, STRUCT, MAP, UNION | array, array, object, object (array of pairs unless keys are strings), the value |
//! | NODE, REL, RECURSIVE_REL | object with `_id`, `_label` (`_src`, `_dst`), then the properties; `{_nodes, _rels}` |
//! | NULL | null |

use std::fmt::Write as _;

use kuzu::{LogicalType, NodeVal, RelVal, Value};
use serde_json::{Map, Value as Json, json};

/// A value as JSON.
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Null(_) => Json::Null,
        Value::Bool(v) => json!(v),
        Value::Int64(v) => json!(v),
        Value::Int32(v) => json!(v),
        Value::Int16(v) => json!(v),
        Value::Int8(v) => json!(v),
        Value::UInt64(v) => json!(v),
        Value::UInt32(v) => json!(v),
        Value::UInt16(v) => json!(v),
        Value::UInt8(v) => json!(v),
        Value::Int128(v) => i64::try_from(*v).map_or_else(|_| json!(v.to_string()), |v| json!(v)),
        Value::Double(v) => float(*v),
        // Through text, so that 0.1 stays 0.1.
        Value::Float(v) => v.to_string().parse().map_or_else(|_| json!(v.to_string()), float),
        Value::String(v) => json!(v),
        Value::List(_, items) | Value::Array(_, items) => items.iter().map(to_json).collect(),
        Value::Struct(fields) => object(fields),
        Value::Map(_, pairs) if pairs.iter().all(|(k, _)| matches!(k, Value::String(_))) => {
            Json::Object(pairs.iter().map(|(k, v)| (to_text(k), to_json(v))).collect())
        }
        Value::Map(_, pairs) => pairs.iter().map(|(k, v)| json!([to_json(k), to_json(v)])).collect(),
        Value::Union { value, .. } => to_json(value),
        Value::Node(node) => json_node(node),
        Value::Rel(rel) => json_rel(rel),
        Value::RecursiveRel { nodes, rels } => json!({
            "_nodes": nodes.iter().map(json_node).collect::<Vec<_>>(),
            "_rels": rels.iter().map(json_rel).collect::<Vec<_>>(),
        }),
        Value::Date(_)
        | Value::Interval(_)
        | Value::Timestamp(_)
        | Value::TimestampTz(_)
        | Value::TimestampNs(_)
        | Value::TimestampMs(_)
        | Value::TimestampSec(_)
        | Value::InternalID(_)
        | Value::Blob(_)
        | Value::UUID(_)
        | Value::Decimal(_) => json!(to_text(value)),
    }
}

/// A value as text on one line, as a table shows it: strings bare at the top, everything nested as JSON.
pub fn to_text(value: &Value) -> String {
    match value {
        Value::Null(_) => String::new(),
        Value::String(v) => v.clone(),
        Value::Date(v) => v.to_string(),
        Value::Timestamp(v) | Value::TimestampNs(v) | Value::TimestampMs(v) | Value::TimestampSec(v) => {
            stamp(v.date(), (v.hour(), v.minute(), v.second()), v.nanosecond(), "")
        }
        Value::TimestampTz(v) => stamp(v.date(), (v.hour(), v.minute(), v.second()), v.nanosecond(), "Z"),
        Value::Interval(v) => interval(v.whole_seconds(), v.subsec_microseconds()),
        Value::InternalID(v) => v.to_string(),
        Value::Blob(bytes) => bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            // Writing into a String cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        }),
        Value::UUID(v) => v.to_string(),
        Value::Decimal(v) => v.to_string(),
        Value::Int128(v) => v.to_string(),
        Value::Float(v) => v.to_string(),
        other => match to_json(other) {
            Json::String(text) => text,
            json => json.to_string(),
        },
    }
}

/// A JSON value as a parameter. Lists must be of one type; an object becomes a STRUCT.
///
/// # Errors
/// A list of several types, as a sentence for the user.
pub fn from_json(json: &Json) -> Result<Value, String> {
    Ok(match json {
        Json::Null => Value::Null(LogicalType::Any),
        Json::Bool(v) => Value::Bool(*v),
        Json::Number(n) => match (n.as_i64(), n.as_u64()) {
            (Some(v), _) => Value::Int64(v),
            (None, Some(v)) => Value::UInt64(v),
            (None, None) => Value::Double(n.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(v) => Value::String(v.clone()),
        Json::Array(items) => {
            let mut items = items.iter().map(from_json).collect::<Result<Vec<_>, _>>()?;
            if items.iter().any(|v| matches!(v, Value::Double(_))) {
                for item in &mut items {
                    if let Value::Int64(v) = item {
                        #[allow(clippy::cast_precision_loss)] // what the user asked for with [1, 2.5]
                        let v = *v as f64;
                        *item = Value::Double(v);
                    }
                }
            }
            let kind = items.first().map_or(LogicalType::String, LogicalType::from);
            if let Some(other) = items.iter().map(LogicalType::from).find(|t| *t != kind) {
                return Err(format!("a list must be of one type, this one holds {kind:?} and {other:?}"));
            }
            Value::List(kind, items)
        }
        Json::Object(fields) => {
            Value::Struct(fields.iter().map(|(k, v)| Ok((k.clone(), from_json(v)?))).collect::<Result<_, String>>()?)
        }
    })
}

fn float(v: f64) -> Json {
    serde_json::Number::from_f64(v).map_or_else(|| json!(v.to_string()), Json::Number)
}

fn object(fields: &[(String, Value)]) -> Json {
    Json::Object(fields.iter().map(|(k, v)| (k.clone(), to_json(v))).collect())
}

fn json_node(node: &NodeVal) -> Json {
    let mut map = Map::new();
    map.insert("_id".into(), json!(node.get_node_id().to_string()));
    map.insert("_label".into(), json!(node.get_label_name()));
    map.extend(node.get_properties().iter().map(|(k, v)| (k.clone(), to_json(v))));
    Json::Object(map)
}

fn json_rel(rel: &RelVal) -> Json {
    let mut map = Map::new();
    map.insert("_src".into(), json!(rel.get_src_node().to_string()));
    map.insert("_dst".into(), json!(rel.get_dst_node().to_string()));
    map.insert("_label".into(), json!(rel.get_label_name()));
    let own = rel.get_properties().iter().filter(|(k, _)| k != "_id" && k != "_label");
    map.extend(own.map(|(k, v)| (k.clone(), to_json(v))));
    Json::Object(map)
}

/// ISO 8601, with as many digits of the second as are not zero.
fn stamp(date: impl std::fmt::Display, (hour, minute, second): (u8, u8, u8), nanos: u32, zone: &str) -> String {
    let mut text = format!("{date}T{hour:02}:{minute:02}:{second:02}");
    if nanos != 0 {
        let _ = write!(text, ".{}", format!("{nanos:09}").trim_end_matches('0'));
    }
    text + zone
}

/// An ISO 8601 duration: `P1DT2H3M4.5S`.
fn interval(seconds: i64, micros: i32) -> String {
    let (sign, total, micros) = match seconds < 0 || micros < 0 {
        true => ("-", seconds.unsigned_abs(), micros.unsigned_abs()),
        false => ("", seconds.unsigned_abs(), micros.unsigned_abs()),
    };
    let (days, hours, minutes, rest) = (total / 86_400, total / 3600 % 24, total / 60 % 60, total % 60);
    let mut text = format!("{sign}P");
    if days > 0 {
        let _ = write!(text, "{days}D");
    }
    if total % 86_400 > 0 || micros > 0 || total == 0 {
        text.push('T');
    }
    for (amount, unit) in [(hours, 'H'), (minutes, 'M')] {
        if amount > 0 {
            let _ = write!(text, "{amount}{unit}");
        }
    }
    if micros > 0 {
        let _ = write!(text, "{rest}.{}S", format!("{micros:06}").trim_end_matches('0'));
    } else if rest > 0 || total == 0 {
        let _ = write!(text, "{rest}S");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_iso_8601() {
        for (seconds, micros, text) in [
            (0, 0, "PT0S"),
            (86_400 * 3 + 7200, 0, "P3DT2H"),
            (61, 500_000, "PT1M1.5S"),
            (0, 1, "PT0.000001S"),
            (-90, 0, "-PT1M30S"),
            (86_400, 0, "P1D"),
        ] {
            assert_eq!(interval(seconds, micros), text);
        }
    }

    #[test]
    fn json_survives_the_way_in_and_out() {
        for text in
            [r#"{"a":[1,2],"b":"x","c":null}"#, "[1.0,2.5]", r#"["a","b"]"#, "true", "-3", "18446744073709551615"]
        {
            let json: Json = serde_json::from_str(text).unwrap();
            assert_eq!(to_json(&from_json(&json).unwrap()).to_string(), text);
        }
        assert_eq!(to_json(&from_json(&json!([1, 2.5])).unwrap()), json!([1.0, 2.5]));
        let error = from_json(&json!([1, "a"])).unwrap_err();
        assert!(error.contains("Int64") && error.contains("String"), "{error}");
    }

    #[test]
    fn what_json_cannot_hold_becomes_a_string() {
        assert_eq!(to_json(&Value::Double(f64::NAN)), json!("NaN"));
        assert_eq!(to_json(&Value::Int128(i128::MAX)), json!(i128::MAX.to_string()));
        assert_eq!(to_json(&Value::Float(0.1)), json!(0.1));
        assert_eq!(to_text(&Value::Blob(vec![0, 255])), "00ff");
        let map =
            Value::Map((LogicalType::Int64, LogicalType::String), vec![(Value::Int64(1), Value::String("a".into()))]);
        assert_eq!(to_json(&map), json!([[1, "a"]]));
    }
}
