//! What can be read without a call: the schema, the named queries, what agents have learned.

use rmcp::model::{Resource, ResourceTemplate};

use crate::queries;
use crate::store::schema;

const SCHEMA: &str = "portolan://schema";
const QUERIES: &str = "portolan://queries";
/// Read by a worker: they are in the graph.
pub(super) const LESSONS: &str = "portolan://lessons";
const MIME: &str = "text/plain";

/// What there is.
pub(super) fn list() -> Vec<Resource> {
    [
        (SCHEMA, "schema", "Tables of the graph, as Cypher DDL"),
        (QUERIES, "queries", "Named Cypher queries: what each answers, its parameters"),
        (LESSONS, "lessons", "What agents and people noted about this repository"),
    ]
    .map(|(uri, name, about)| Resource::new(uri, name).with_description(about).with_mime_type(MIME))
    .into()
}

/// What there is by name.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let query = ResourceTemplate::new(format!("{QUERIES}/{{name}}"), "query");
    vec![query.with_description("The text of a named query").with_mime_type(MIME)]
}

/// The text at an address; `None` when nothing is there.
pub(super) fn read(uri: &str) -> Option<String> {
    match uri {
        SCHEMA => Some(schema::text()),
        QUERIES => Some(queries::names().filter_map(|name| queries::get(name).ok()?).map(|q| line(&q)).collect()),
        _ => {
            let name = uri.strip_prefix(QUERIES)?.strip_prefix('/')?;
            Some(queries::get(name).ok()??.text.to_owned())
        }
    }
}

fn line(query: &queries::Query) -> String {
    let params: Vec<String> = query.params.iter().map(|p| format!("${} {}", p.name, p.kind)).collect();
    format!("{} ({}): {}\n", query.name, params.join(", "), query.summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_listed_can_be_read() {
        for resource in list().into_iter().filter(|resource| resource.uri != LESSONS) {
            assert!(read(&resource.uri).is_some_and(|text| !text.is_empty()), "{}", resource.uri);
        }
        assert!(read("portolan://schema").unwrap().contains("CREATE NODE TABLE Symbol"));
        assert!(read("portolan://queries/callers").unwrap().contains("MATCH"));
        assert_eq!(read("portolan://queries/../schema"), None);
    }
}
