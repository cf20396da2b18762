//! Repository-relative paths as text.
//!
//! A path is a `String` with forward slashes, relative to the root. File names are bytes, so
//! what is not UTF-8 is escaped, reversibly: a byte `0xNN` that is not part of valid UTF-8
//! becomes `\xnn` (lower-case hex), and a backslash that already stands before `x` and two
//! lower-case hex digits becomes `\x5c`. Every other path stands as it is, newlines included.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The text of a relative path's bytes.
pub fn encode(bytes: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(bytes)
        && memchr::memchr(b'\\', bytes).is_none()
    {
        return text.to_owned();
    }
    let mut out = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid();
        for (at, c) in valid.char_indices() {
            if c == '\\' && escaped_byte(&valid.as_bytes()[at..]).is_some() {
                out.push_str("\\x5c");
            } else {
                out.push(c);
            }
        }
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02x}"));
        }
    }
    out
}

/// The bytes of a path that [`encode`] wrote.
pub fn decode(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if let Some(byte) = escaped_byte(&bytes[at..]) {
            out.push(byte);
            at += 4;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    out
}

/// The text of a relative path.
pub fn from_path(path: &Path) -> String {
    encode(path.as_os_str().as_bytes())
}

/// The relative path of a text.
pub fn to_path(text: &str) -> PathBuf {
    if memchr::memchr(b'\\', text.as_bytes()).is_none() {
        return PathBuf::from(text);
    }
    PathBuf::from(std::ffi::OsString::from_vec(decode(text)))
}

/// `\xnn` at the start of `bytes`, lower-case hex.
fn escaped_byte(bytes: &[u8]) -> Option<u8> {
    let [b'\\', b'x', high, low, ..] = bytes else { return None };
    let digit = |c: &u8| match c {
        b'0'..=b'9' => Some(c - b'0'),
        b'a'..=b'f' => Some(c - b'a' + 10),
        _ => None,
    };
    Some(digit(high)? * 16 + digit(low)?)
}

/// The bytes of a path as the operating system's string.
pub(crate) fn os(bytes: &[u8]) -> &OsStr {
    OsStr::from_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_come_back() {
        let cases: &[&[u8]] = &[
            b"src/a.py",
            b"a\\b",
            b"a\\xff",
            b"\xff",
            b"a\\\xff",
            b"\\x\xff",
            b"\\xa\xff",
            b"\\\\x41",
            b"new\nline",
            b"\xc3\xa9\xc3",
            b"\\x5c\\x5c",
        ];
        for case in cases {
            assert_eq!(decode(&encode(case)), *case, "{}", encode(case));
        }
        assert_eq!(encode(b"caf\xe9.py"), "caf\\xe9.py");
        assert_eq!(encode(b"a\\b"), "a\\b");
        assert_eq!(encode(b"a\\xff"), "a\\x5cxff");
        // Every two-byte name, and every pair behind an escape's beginning.
        for a in 1..=255u8 {
            for b in [b'\\', b'x', b'f', 0xff, 0xc3, b'/'] {
                for case in [vec![a, b], vec![b'\\', b'x', a, b], vec![b'\\', a, b'x', b'0', b'0']] {
                    assert_eq!(decode(&encode(&case)), case);
                }
            }
        }
    }
}
