//! A hook's input as lenient JSON: every field optional, two spellings, wrong types are absent fields.

use std::borrow::Cow;

use serde_json::Value;

use super::event::Error;

/// The JSON object on standard input. Bytes that are not UTF-8 and halves of surrogate pairs, which hosts written in
/// JavaScript do send in cut texts, become replacement characters.
pub(super) fn parse(stdin: &[u8]) -> Result<Value, Error> {
    let bytes = stdin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(stdin);
    let value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(error) => match serde_json::from_str(&repaired(bytes)) {
            Ok(value) => value,
            Err(_) => return Err(error.into()),
        },
    };
    if value.is_object() { Ok(value) } else { Err(Error::NotAnObject) }
}

/// Valid UTF-8, and each `\uD800` to `\uDFFF` that is no half of a pair as `\uFFFD`.
fn repaired(bytes: &[u8]) -> String {
    let text: Cow<'_, str> = String::from_utf8_lossy(bytes);
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let (taken, lone) = match surrogate(escape) {
            Some(0xd800..=0xdbff) if matches!(escape.get(6..).and_then(surrogate), Some(0xdc00..=0xdfff)) => {
                (12, false)
            }
            Some(0xd800..=0xdfff) => (6, true),
            // The escaped character with its backslash, so that `\\u` is not read as an escape.
            _ => (1 + escape[1..].chars().next().map_or(0, char::len_utf8), false),
        };
        out.push_str(if lone { "\\ufffd" } else { &escape[..taken] });
        rest = &escape[taken..];
    }
    out.push_str(rest);
    out
}

/// The code unit of `\uXXXX` at the start of `text`.
fn surrogate(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

/// The first of these fields that is there and not null.
pub(super) fn field<'v>(value: &'v Value, keys: &[&str]) -> Option<&'v Value> {
    keys.iter().filter_map(|key| value.get(key)).find(|field| !field.is_null())
}

/// The first of these fields that is a string with something in it.
pub(super) fn text<'v>(value: &'v Value, keys: &[&str]) -> Option<&'v str> {
    keys.iter().filter_map(|key| value.get(key)?.as_str()).find(|text| !text.is_empty())
}

/// The first of these fields that can be an id: a string or a whole number.
pub(super) fn id(value: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().filter_map(|key| value.get(key)).find_map(|field| match field {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
        _ => None,
    })
}

/// The first string of the first of these fields that is a list.
pub(super) fn first_of<'v>(value: &'v Value, keys: &[&str]) -> Option<&'v str> {
    let list = keys.iter().find_map(|key| value.get(key)?.as_array())?;
    list.iter().filter_map(Value::as_str).find(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn cut_texts_are_read() {
        let whole = parse(br#"{"a":"\ud83d\ude00","b":"\\ud83d"}"#).unwrap();
        assert_eq!(whole["a"], "\u{1f600}");
        assert_eq!(whole["b"], "\\ud83d");
        let cut = parse(br#"{"a":"x\ud83d","b":"\ude00\\ud83d","c":"\ud83d\ud83d\ude00"}"#).unwrap();
        assert_eq!(cut["a"], "x\u{fffd}");
        assert_eq!(cut["b"], "\u{fffd}\\ud83d");
        assert_eq!(cut["c"], "\u{fffd}\u{1f600}");
        assert_eq!(parse(b"\xef\xbb\xbf{\"a\":\"\xff\"}").unwrap()["a"], "\u{fffd}");
    }

    #[test]
    fn what_is_no_object_is_an_error() {
        for bad in [&b""[..], b"[]", b"null", b"\"x\"", b"{", b"{}{}", b"{} x", b"\\", b"{\"a\":\"\\u", b"\xff"] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
        let deep = "{\"a\":".repeat(100_000);
        assert!(parse(deep.as_bytes()).is_err());
    }
}
