//! The tools: names, descriptions and arguments. Each costs tokens in every session of every agent, so the list is short
//! and its size is tested.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use rmcp::schemars::generate::SchemaSettings;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::Value as Json;

/// What it is and when to call it, within the first 512 characters: some clients show no more.
pub const INSTRUCTIONS: &str = "\
Portolan knows this repository as a graph: symbols, who calls what, tests, git history, what other agents are doing. \
Ask it before you grep or read whole files: `orient` with the task at the start, `find` for a name or text, `symbol` for \
callers and callees, `impact` before and after a change, `history` for what changes together. Local, milliseconds, \
sees edits at once. \
Edges say how sure they are: exact, inferred type, possible (override), guess; verify guesses.\n\
Names: `Class.method`, `path::Qual.name` or `path:line`. Answers are cut to `budget` tokens (1500) and say what was \
cut. With several repositories open all are asked unless `root` names one's folder.";

/// Arguments of every tool.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct Common {
    pub budget: Option<u32>,
    #[allow(dead_code)] // read by the server, which chooses the repositories
    pub root: Option<String>,
}

/// What to do about claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
#[serde(rename_all = "lowercase")]
pub(super) enum Action {
    List,
    Claim,
    Release,
}

/// Arguments of a tool and those of every tool, which the server and the answer read on their own.
macro_rules! arguments {
    ($($(#[$meta:meta])* $name:ident { $($fields:tt)* })*) => { $(
        $(#[$meta])*
        #[derive(Debug, Deserialize, JsonSchema)]
        #[schemars(crate = "schemars")]
        pub(super) struct $name { $($fields)* #[serde(flatten)] #[allow(dead_code)] pub common: Common }
    )* };
}

arguments! {
    Orient {
        /// The task in its own words, with error text or stack trace
        pub task: String,
    }
    Find {
        pub text: String,
    }
    Symbol {
        pub name: String,
    }
    Impact {
        /// Symbol, file or `file:10-20`; without it and `base`, the uncommitted changes
        pub target: Option<String>,
        /// Branch or commit: the changes since it
        pub base: Option<String>,
    }
    Context {
        /// Symbol, file, `file:10-20`, or a question
        pub target: String,
    }
    Claims {
        pub action: Action,
        /// Files, folders ending in /, patterns
        pub paths: Option<Vec<String>>,
        pub session: Option<String>,
    }
    Learn {
        /// One line; without it, lists lessons
        pub text: Option<String>,
        /// File or symbol
        pub about: Option<String>,
        pub session: Option<String>,
    }
    History {
        /// Path or symbol; without it, the repository's hotspots
        pub file: Option<String>,
    }
    Cypher {
        pub query: String,
        pub params: Option<JsonObject>,
    }
}

/// The tools; `cypher`: with the one that runs statements.
pub fn tools(cypher: bool) -> Vec<Tool> {
    let mut tools = vec![
        tool::<Orient>(
            "orient",
            "Where a task will have to change the code: likely places with line ranges, and tests.",
        ),
        tool::<Find>(
            "find",
            "Symbols whose name, and lines whose text, hold this. Faster than grep; names the enclosing symbol.",
        ),
        tool::<Symbol>("symbol", "Definition, signature, callers, callees, tests and bases of a symbol, by certainty."),
        tool::<Impact>(
            "impact",
            "What depends on a symbol or file, tests to run; of a change also its risk and what to read.",
        ),
        tool::<Context>(
            "context",
            "Code to read for a symbol, file or question: bodies, and what is around them as signatures.",
        ),
        tool::<History>("history", "What changes together with a file, its owners, past fixes and commits."),
        writes::<Claims>("claims", "Who edits which files; claim files before a long edit, release them after."),
        writes::<Learn>("learn", "Notes one line for the sessions to come: a trap, a convention, a command."),
    ];
    if cypher {
        tools.push(tool::<Cypher>(
            "cypher",
            "Read-only Cypher on the graph; resource portolan://schema has its tables.",
        ));
    }
    tools
}

/// A tool that writes down what the agent says, and takes nothing away.
fn writes<T: JsonSchema>(name: &'static str, description: &'static str) -> Tool {
    let annotations = ToolAnnotations::new().read_only(false).destructive(false).open_world(false);
    Tool::new(name, description, schema::<T>()).annotate(annotations)
}

fn tool<T: JsonSchema>(name: &'static str, description: &'static str) -> Tool {
    Tool::new(name, description, schema::<T>()).annotate(ToolAnnotations::new().read_only(true))
}

/// The schema of a type without what a model has no use for.
fn schema<T: JsonSchema>() -> Arc<JsonObject> {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut object = schema.as_object().cloned().unwrap_or_default();
    object.remove("description");
    object.values_mut().for_each(strip);
    strip_object(&mut object);
    Arc::new(object)
}

fn strip(value: &mut Json) {
    match value {
        Json::Object(object) => {
            strip_object(object);
            object.values_mut().for_each(strip);
        }
        Json::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

fn strip_object(object: &mut JsonObject) {
    // Where these stand for a property of that name they are objects.
    for key in ["title", "format", "minimum", "default"] {
        if object.get(key).is_some_and(|value| !value.is_object()) {
            object.remove(key);
        }
    }
    // An optional argument is left out, not null.
    if let Some(Json::Array(kinds)) = object.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            let kind = kind.clone();
            object.insert("type".into(), kind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> usize {
        tiktoken_rs::o200k_base().unwrap().encode_ordinary(text).len()
    }

    #[test]
    fn all_definitions_and_instructions_are_under_1500_tokens() {
        for cypher in [false, true] {
            let tools = tools(cypher);
            let list = serde_json::to_string(&tools).unwrap();
            let all = tokens(&list) + tokens(INSTRUCTIONS);
            assert!(all < 1500, "{all}: {list}");
            assert!(tools.len() <= 8 + usize::from(cypher));
        }
    }

    #[test]
    fn names_are_plain_and_schemas_say_only_what_is_needed() {
        for tool in tools(true) {
            assert!(
                tool.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'),
                "{}",
                tool.name
            );
            let schema = Json::Object(tool.input_schema.as_ref().clone());
            assert_eq!(schema["type"], "object", "{schema}");
            assert_eq!(schema["properties"]["budget"], serde_json::json!({"type": "integer"}), "{schema}");
            let text = schema.to_string();
            for noise in ["$schema", "\"title\"", "\"format\"", "null"] {
                assert!(!text.contains(noise), "{text}");
            }
        }
    }

    #[test]
    fn the_first_512_characters_say_what_it_is_and_when_to_call_it() {
        let head: String = INSTRUCTIONS.chars().take(512).collect();
        for said in ["graph", "before you grep", "`orient`", "`find`", "`symbol`"] {
            assert!(head.contains(said), "{head}");
        }
    }
}
