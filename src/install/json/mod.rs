//! JSON settings: entries are put in and taken out as text at places that the syntax tree gives, so that comments,
//! order, indentation, line ends and everything else stay byte for byte.

mod splice;
mod sync;
#[cfg(test)]
mod tests;

use std::ops::Range;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value as Json;

use super::edit::{Made, Trouble};

/// An entry that a platform's settings get.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A named entry of an object: an MCP server.
    Property {
        /// The keys from the root to the object.
        at: Vec<String>,
        /// Its name.
        key: String,
        /// What it says.
        value: Json,
    },
    /// One more element of an array: a hook.
    Element {
        /// The keys from the root to the array.
        at: Vec<String>,
        /// What it says.
        value: Json,
    },
    /// Something at the root that the platform wants to see, such as `"version": 1`; what is there stays.
    Default {
        /// Its name.
        key: String,
        /// What it says.
        value: Json,
    },
}

/// The text of a JSON file.
#[derive(Clone, Debug)]
pub struct Doc {
    text: String,
    bom: bool,
    strict: bool,
}

/// One step from a value to one inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

/// A value's place in the text.
#[derive(Clone, Debug)]
struct Span {
    range: Range<usize>,
    /// The members' ranges, for an object or array.
    members: Vec<Range<usize>>,
}

impl Doc {
    /// Reads a file's bytes. `strict`: the platform knows neither comments nor trailing commas.
    ///
    /// # Errors
    /// [`Trouble::Syntax`] with the place.
    pub fn parse(bytes: &[u8], strict: bool) -> Result<Doc, Trouble> {
        let text = std::str::from_utf8(bytes).map_err(|e| Trouble::Syntax(format!("not UTF-8: {e}")))?;
        let (bom, text) = text.strip_prefix('\u{feff}').map_or((false, text), |rest| (true, rest));
        let doc = Doc { text: text.to_owned(), bom, strict };
        match doc.check() {
            Err(Trouble::Syntax(why)) if strict => {
                let loose = Doc { strict: false, ..doc };
                Err(Trouble::Syntax(match loose.check() {
                    Ok(()) => format!("{why} (this file must be plain JSON: no comments, no trailing commas)"),
                    Err(_) => why,
                }))
            }
            Err(trouble) => Err(trouble),
            Ok(()) => Ok(doc),
        }
    }

    /// The file's bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let bom: &[u8] = if self.bom { b"\xef\xbb\xbf" } else { b"" };
        [bom, self.text.as_bytes()].concat()
    }

    /// The whole as a value; `None` when there is none.
    pub fn value(&self) -> Option<Json> {
        self.with_root(|root| root.map(to_json)).ok().flatten()
    }

    /// Puts the entries in, or brings those that are there up to date.
    ///
    /// # Errors
    /// [`Trouble::Shape`] when something else stands where an entry belongs.
    pub fn install(&mut self, entries: &[Entry], made: &mut Made) -> Result<(), Trouble> {
        sync::install(self, entries, made)?;
        self.check()
    }

    /// Takes out all that is ours where `entries` stand. `made`: what was made for them, if that is known. Whether
    /// anything was found.
    ///
    /// # Errors
    /// [`Trouble`] when the text would not be JSON afterwards: nothing is to be written then.
    pub fn remove(&mut self, entries: &[Entry], made: Option<&Made>) -> Result<bool, Trouble> {
        let found = sync::remove(self, entries, made)?;
        self.check()?;
        Ok(found)
    }

    /// Whether nothing is left of it.
    pub fn is_empty(&self) -> bool {
        match self.with_root(|root| root.is_none_or(|v| v.as_object().is_some_and(|o| o.properties.is_empty()))) {
            Ok(true) => self.text.trim_matches(|c: char| c.is_whitespace() || c == '{' || c == '}').is_empty(),
            _ => false,
        }
    }

    fn check(&self) -> Result<(), Trouble> {
        self.with_root(|_| ())
    }

    fn with_root<T>(&self, look: impl FnOnce(Option<&Value<'_>>) -> T) -> Result<T, Trouble> {
        let options = ParseOptions {
            allow_comments: !self.strict,
            allow_trailing_commas: !self.strict,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let parsed = parse_to_ast(&self.text, &CollectOptions::default(), &options)
            .map_err(|e| Trouble::Syntax(e.to_string()))?;
        Ok(look(parsed.value.as_ref()))
    }

    /// The value at a path, if there is one.
    fn json_at(&self, path: &[Step]) -> Option<Json> {
        self.with_root(|root| root.and_then(|root| find(root, path)).map(to_json)).ok().flatten()
    }

    fn span_at(&self, path: &[Step]) -> Option<Span> {
        self.with_root(|root| root.and_then(|root| find(root, path)).map(span)).ok().flatten()
    }
}

fn span(value: &Value<'_>) -> Span {
    let bytes = |r: jsonc_parser::common::Range| r.start..r.end;
    Span {
        range: bytes(value.range()),
        members: match value {
            Value::Object(object) => object.properties.iter().map(|p| bytes(p.range)).collect(),
            Value::Array(array) => array.elements.iter().map(|e| bytes(e.range())).collect(),
            _ => Vec::new(),
        },
    }
}

/// Readers take the last of two equal keys.
fn property(object: &Object<'_>, key: &str) -> Option<usize> {
    object.properties.iter().rposition(|p| p.name.as_str() == key)
}

fn find<'a, 'b>(value: &'b Value<'a>, path: &[Step]) -> Option<&'b Value<'a>> {
    path.iter().try_fold(value, |value, step| match (value, step) {
        (Value::Object(object), Step::Key(key)) => Some(&object.properties[property(object, key)?].value),
        (Value::Array(array), Step::Index(i)) => array.elements.get(*i),
        _ => None,
    })
}

fn to_json(value: &Value<'_>) -> Json {
    value.clone().into()
}

/// `/hooks/Stop`.
fn pointer(path: &[String]) -> String {
    path.iter().map(|key| format!("/{}", key.replace('~', "~0").replace('/', "~1"))).collect()
}

fn keys_of(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|key| key.replace("~1", "/").replace("~0", "~")).collect()
}

fn steps(keys: &[String]) -> Vec<Step> {
    keys.iter().cloned().map(Step::Key).collect()
}
