//! The queries of the ranking on a real graph: their answers, and where their plans start.

use std::time::Duration;

use portolan::locate::GraphView;
use portolan::locate::graph_view::StoredGraph;
use portolan::store::value::{RowExt, int, text};
use portolan::store::{Graph, Layout, Store, StoreError};

const QUERIES: [(&str, &str); 5] = [
    ("localize_calls", include_str!("../../queries/localize_calls.cypher")),
    ("localize_tests", include_str!("../../queries/localize_tests.cypher")),
    ("localize_rank", include_str!("../../queries/localize_rank.cypher")),
    ("locate/calls", include_str!("../../queries/locate/calls.cypher")),
    ("locate/bases", include_str!("../../queries/locate/bases.cypher")),
];

fn symbol(g: &Graph, id: &str, call_names: i64, callers: f64, present: bool) -> Result<(), StoreError> {
    let cypher = "CREATE (:Symbol {id: $id, qualname: $id, file: $file, start_line: 1, end_line: 2, call_names: $n, \
                  rank: $rank, present: $present})";
    let file = id.split("::").next().unwrap_or("");
    let params = vec![
        ("id", text(id)),
        ("file", text(file)),
        ("n", int(call_names)),
        ("rank", kuzu::Value::Double((1.0 + callers).ln())),
        ("present", kuzu::Value::Bool(present)),
    ];
    g.run(cypher, params).map(drop)
}

fn edge(g: &Graph, cypher: &str, a: &str, b: &str, confidence: f64) -> Result<(), StoreError> {
    g.run(cypher, vec![("a", text(a)), ("b", text(b)), ("c", kuzu::Value::Double(confidence))]).map(drop)
}

fn with_graph(check: impl FnOnce(&Graph) -> Result<(), StoreError>) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(Layout::create(dir.path(), false).unwrap());
    let calls = "MATCH (a:Symbol {id: $a}), (b:Symbol {id: $b}) CREATE (a)-[:CALLS {confidence: $c}]->(b)";
    let tests = "MATCH (a:Symbol {id: $a}), (b:Symbol {id: $b}) CREATE (a)-[:TESTS {confidence: $c}]->(b)";
    let inherits = "MATCH (a:Symbol {id: $a}), (b:Symbol {id: $b}) CREATE (a)-[:INHERITS {confidence: $c}]->(b)";
    let wait = Duration::from_secs(20);
    store
        .write(wait, |g| {
            g.transaction(|g| {
                symbol(g, "a.py::api", 9, 2.0, true)?;
                symbol(g, "a.py::thin", 2, 3.0, true)?;
                symbol(g, "a.py::fat", 30, 1.0, true)?;
                symbol(g, "b.py::work", 40, 1.0, true)?;
                symbol(g, "b.py::below_fat", 0, 1.0, true)?;
                symbol(g, "b.py::tool", 0, 400.0, true)?;
                symbol(g, "b.py::gone", 0, 1.0, false)?;
                symbol(g, "b.py::guess", 0, 1.0, true)?;
                symbol(g, "t/test_b.py::test_work", 3, 0.0, true)?;
                symbol(g, "t/test_a.py::test_api", 3, 0.0, true)?;
                symbol(g, "a.py::Dog", 0, 0.0, true)?;
                symbol(g, "a.py::Animal", 0, 0.0, true)?;
                symbol(g, "a.py::Stranger", 0, 0.0, true)?;
                edge(g, inherits, "a.py::Dog", "a.py::Animal", 1.0)?;
                edge(g, inherits, "a.py::Dog", "a.py::Stranger", 0.3)?;
                edge(g, calls, "a.py::api", "a.py::thin", 1.0)?;
                edge(g, calls, "a.py::api", "a.py::fat", 1.0)?;
                edge(g, calls, "a.py::fat", "b.py::below_fat", 1.0)?;
                edge(g, calls, "a.py::thin", "b.py::work", 0.9)?;
                edge(g, calls, "a.py::thin", "a.py::api", 1.0)?;
                edge(g, calls, "a.py::thin", "b.py::tool", 1.0)?;
                edge(g, calls, "a.py::thin", "b.py::gone", 1.0)?;
                edge(g, calls, "a.py::thin", "b.py::guess", 0.3)?;
                edge(g, tests, "t/test_b.py::test_work", "b.py::work", 1.0)?;
                edge(g, tests, "t/test_a.py::test_api", "b.py::work", 0.7)
            })
        })
        .unwrap();
    store.read(wait, check).unwrap();
}

#[test]
fn the_walk_goes_through_thin_symbols_past_hubs() {
    with_graph(|g| {
        let view = StoredGraph { graph: g, symbols: 13 };
        let walked = |id: &str| -> Result<Vec<(String, i64)>, StoreError> {
            let rows = g.run(QUERIES[0].1, vec![("id", text(id))])?;
            rows.rows.iter().map(|row| Ok((row.str(0)?.to_owned(), row.int(5)?))).collect()
        };
        let expected = [("a.py::fat", 1), ("a.py::thin", 1), ("b.py::work", 2)];
        assert_eq!(walked("a.py::api")?, expected.map(|(id, hops)| (id.to_owned(), hops)));
        assert_eq!(walked("no::such")?, []);
        let mut tests = view.tests_of(&["b.py::work".to_owned(), "a.py::api".to_owned()])?;
        tests.sort_by(|a, b| a.test.cmp(&b.test));
        let tests: Vec<_> = tests.iter().map(|t| (t.id.as_str(), t.test.as_str(), t.confidence)).collect();
        let (a, b) = ("t/test_a.py::test_api", "t/test_b.py::test_work");
        assert_eq!(tests, [("b.py::work", a, 0.7), ("b.py::work", b, 1.0)]);
        assert!((view.rank("b.py::tool")? - 401f64.ln()).abs() < 1e-9);
        assert_eq!(view.rank("no::such")?, 0.0);
        Ok(())
    });
}

#[test]
fn one_step_leaves_out_guesses_and_what_is_gone() {
    with_graph(|g| {
        let names = |rows: &[(String, f64)]| rows.iter().map(|r| r.0.clone()).collect::<Vec<_>>();
        let asked = ["a.py::thin", "no::such", "a.py::fat"].map(str::to_owned);
        // In a large graph symbols are looked up one by one, in a small one all at once.
        for symbols in [13, 10_000_000] {
            let view = StoredGraph { graph: g, symbols };
            let called = view.calls(&asked)?;
            assert!(called[0].iter().any(|(id, rank)| id == "b.py::tool" && (rank - 401f64.ln()).abs() < 1e-9));
            assert_eq!(names(&called[0]), ["a.py::api", "b.py::tool", "b.py::work"]);
            assert_eq!((names(&called[1]), names(&called[2])), (vec![], vec!["b.py::below_fat".to_owned()]));
        }
        let view = StoredGraph { graph: g, symbols: 13 };
        assert_eq!(view.bases("a.py::Dog")?, ["a.py::Animal"]);
        assert_eq!(view.bases("no::such")?, [] as [&str; 0]);
        Ok(())
    });
}

#[test]
fn plans_start_from_the_bound_key() {
    with_graph(|g| {
        for (name, query) in QUERIES {
            let body: String = query.lines().filter(|l| !l.starts_with("//")).collect::<Vec<_>>().join("\n");
            let rows = g.run(&format!("EXPLAIN {body}"), vec![("id", text("a.py::api"))])?;
            let plan: String = rows.rows.iter().map(|r| r.str(0).map(str::to_owned)).collect::<Result<_, _>>()?;
            assert!(plan.contains("PRIMARY_KEY_SCAN_NODE_TABLE"), "{name}: {plan}");
            // A filter that stands on a plain scan means that a whole table is read first. The walk's own filter
            // on inner nodes (n) is the engine's way to mask them.
            let scans = plan.matches(" SCAN_NODE_TABLE[").count() - plan.matches(": SCAN_NODE_TABLE[").count();
            let masked = plan.matches("SEMI_MASKER").count();
            assert!(scans <= masked, "{name} scans a table: {plan}");
        }
        Ok(())
    });
}
