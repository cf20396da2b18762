//! A graph of the schema before this one: what agents left in it is carried over.

use std::time::Instant;

use portolan::store::{Graph, Layout, Mode, Options};

use super::place::Place;

const SCHEMA_1: &str = include_str!("../data/schema_1.cypher");

const LEFT: [&str; 7] = [
    "CREATE (:Meta {k: 'schema', v: '1'})",
    "CREATE (:File {path: 'src/tax.py', language: 'python', hash: '', lines: 1, is_test: false, generated: false, skipped: '', present: true})",
    "CREATE (:Session {id: 'codex:old', host: 'codex', started: NOW, last_at: NOW, ended: 0})",
    "CREATE (:Lesson {id: 'l', text: 'kept', at: NOW, confirmed: 2, target: 'src/tax.py'})",
    "MATCH (s:Session), (f:File) CREATE (s)-[:READ {count: 4, first_at: NOW, last_at: NOW}]->(f)",
    "MATCH (l:Lesson), (f:File) CREATE (l)-[:ABOUT]->(f)",
    "CREATE (:Event {id: 'e', session: 'codex:old', kind: 'read', at: NOW, path: 'src/tax.py', detail: ''})",
];

#[test]
fn what_agents_left_in_a_graph_of_schema_1_survives() {
    let place = Place::bare();
    let layout = Layout::create(place.root(), false).unwrap();
    // Not so long ago that it is folded into counts.
    let now = portolan::agents::Moment::now().wall.to_string();
    {
        let graph = Graph::open(&layout.graph(), Mode::Create, Options::default(), Instant::now()).unwrap();
        let bare: String =
            SCHEMA_1.lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        for statement in bare.split(';').map(str::trim).filter(|s| !s.is_empty()).chain(LEFT) {
            graph.run_once(&statement.replace("NOW", &now)).unwrap();
        }
        graph.checkpoint().unwrap();
    }
    // A hook does not mend it, and does not stand in the way.
    assert_eq!(place.agent("one").before_edit("src/cart.py", "1").denied(), "");
    place.run(&["index"]).ok();
    let rows =
        place.cypher("MATCH (s:Session {id: 'codex:old'})-[r:READ]->(f:File) RETURN r.count AS n, f.path AS path");
    assert_eq!(rows.to_string(), r#"[{"n":4,"path":"src/tax.py"}]"#);
    let rows = place.cypher("MATCH (l:Lesson)-[:ABOUT]->(f:File) RETURN l.text AS text, l.confirmed AS n");
    assert_eq!(rows.to_string(), r#"[{"text":"kept","n":2}]"#);
    assert_eq!(place.count("(e:Event {id: 'e'})"), 1);
    assert_eq!(place.agent("two").before_edit("src/cart.py", "2").denied(), "");
    assert_eq!(place.agent("three").before_edit("src/cart.py", "3").denied().lines().count(), 1);
}
