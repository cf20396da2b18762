//! What the editors of the several file formats share.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::block;
use super::json::{Doc, Entry};
use super::{ours, toml};

/// Why a file is left alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// It cannot be parsed.
    #[error("it does not parse: {0}; mend it, then install again")]
    Syntax(String),
    /// It parses, but an entry has no place in it.
    #[error("{0}")]
    Shape(String),
    /// A file of somebody else's stands where one of ours belongs.
    #[error("a file that is not Portolan's stands there already; move it away or join both by hand")]
    Foreign,
}

/// What was made for our entries beside the entries: so much is to be undone with them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Made {
    /// Objects and arrays, as JSON pointers.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub containers: BTreeSet<String>,
    /// The white space inside objects and arrays that were empty.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tails: BTreeMap<String, String>,
    /// Values that the platform wants to see.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub defaults: BTreeSet<String>,
    /// The white space that a JSON file consisted of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blank: Option<String>,
    /// A line's end that was missing at the end of the file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub final_newline: bool,
}

/// What a file gets.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Entries of a JSON file.
    Json {
        /// Neither comments nor trailing commas.
        strict: bool,
        /// The entries.
        entries: Vec<Entry>,
    },
    /// Tables of a TOML file.
    Toml(Vec<toml::Table>),
    /// A file of our own in a folder that the platform scans.
    Own {
        /// All of it.
        text: String,
        /// The platform runs it.
        executable: bool,
    },
    /// A block between our markers in a markdown file.
    Block(String),
}

/// What is left of a file without our entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// Something of ours was in it.
    pub found: bool,
    /// Nothing of anybody's is in it now.
    pub is_empty: bool,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What marks a file as ours, in lower case.
const OWN_MARKS: [&str; 2] = ["written by portolan", "written by `portolan install`"];

impl Form {
    /// The file's bytes with our entries in; `before`: what there is.
    ///
    /// # Errors
    /// [`Trouble`]: the file stays as it is.
    pub fn install(&self, before: Option<&[u8]>, made: &mut Made) -> Result<Vec<u8>, Trouble> {
        match self {
            Form::Json { strict, entries } => {
                let mut doc = Doc::parse(before.unwrap_or_default(), *strict)?;
                doc.install(entries, made)?;
                if before.is_none() {
                    // The whole file is ours.
                    made.blank = None;
                }
                Ok(doc.bytes())
            }
            Form::Toml(tables) => toml::install(before.unwrap_or_default(), tables, made),
            Form::Own { text, .. } => match before {
                Some(bytes) if bytes != text.as_bytes() && !is_own(bytes) => Err(Trouble::Foreign),
                _ => Ok(text.clone().into_bytes()),
            },
            Form::Block(text) => Ok(block::install(before.unwrap_or_default(), text, made)),
        }
    }

    /// The file's bytes without our entries, the same when nothing of ours is in it. `made`: what was made for them, if
    /// that is known.
    ///
    /// # Errors
    /// [`Trouble`]: the file stays as it is.
    pub fn remove(&self, before: &[u8], made: Option<&Made>) -> Result<Left, Trouble> {
        let left = |bytes: Vec<u8>, is_empty: bool| Left { found: bytes != before, is_empty, bytes };
        Ok(match self {
            Form::Json { strict, entries } => {
                // A comment that somebody set into a strict file does not keep us from leaving.
                let mut doc = Doc::parse(before, *strict).or_else(|_| Doc::parse(before, false))?;
                doc.remove(entries, made)?;
                left(doc.bytes(), doc.is_empty())
            }
            Form::Toml(tables) => {
                let after = toml::remove(before, tables, made)?;
                let is_empty = after.trim_ascii().is_empty();
                left(after, is_empty)
            }
            Form::Own { .. } if is_own(before) => Left { found: true, is_empty: true, bytes: Vec::new() },
            Form::Own { .. } => left(before.to_vec(), false),
            Form::Block(_) => {
                let after = block::remove(before, made);
                let is_empty = after.trim_ascii().is_empty();
                left(after, is_empty)
            }
        })
    }

    /// The commands in the file's entries.
    pub fn commands(&self, bytes: &[u8]) -> Vec<ours::Command> {
        match self {
            Form::Json { .. } => {
                let value = Doc::parse(bytes, false).ok().and_then(|doc| doc.value());
                value.map(|value| ours::commands(&value)).unwrap_or_default()
            }
            Form::Toml(_) => toml::commands(bytes),
            Form::Own { .. } => {
                let text = String::from_utf8_lossy(bytes);
                let lines = text.lines().map(|line| line.strip_prefix("exec ").unwrap_or(line));
                lines.map(|line| ours::of_line(line, &[])).filter(|c| *c != ours::Command::Foreign).collect()
            }
            Form::Block(_) => Vec::new(),
        }
    }

    /// Whether something of ours is in the file.
    pub fn is_in(&self, bytes: &[u8]) -> bool {
        self.remove(bytes, None).is_ok_and(|left| left.found)
    }
}

fn is_own(bytes: &[u8]) -> bool {
    // In the first lines, behind a comment sign of any kind or front matter.
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]).to_lowercase();
    OWN_MARKS.iter().any(|mark| head.contains(mark))
}
