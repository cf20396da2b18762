//! Text as it is kept: names, signatures, documentation.

use std::borrow::Cow;

/// Names and qualified names longer than this, in bytes, are shortened.
pub const MAX_NAME: usize = 500;

/// A name of a symbol as it stands; of one that is longer than any that people write the beginning and a digest of all.
/// Definitions nested thousands deep would else have names whose length is the square of the file's.
pub(super) fn shortened(name: &str) -> Cow<'_, str> {
    if name.len() <= MAX_NAME {
        return Cow::Borrowed(name);
    }
    let digest = xxhash_rust::xxh3::xxh3_64(name.as_bytes());
    Cow::Owned(format!("{}~{digest:016x}", clip(name, MAX_NAME - 17)))
}

/// Folds all runs of white space to one space.
pub fn fold_space(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// At most `max` bytes of `text`, cut at a character boundary.
pub fn clip(text: &str, max: usize) -> &str {
    if text.len() <= max {
        return text;
    }
    let mut end = max;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
