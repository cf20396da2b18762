//! `cypher`, `query`, and what all commands have in common.

use std::io::Read as _;
use std::process::{Command, Stdio};

use serde_json::json;

use super::shop::{Shop, run};

#[test]
fn every_type_has_a_json_form() {
    let shop = Shop::new();
    let query = "RETURN true AS bool, 1 AS int, CAST(170141183460469231731687303715884105727 AS INT128) AS huge, 0.5 AS double, \
                 'a' AS text, NULL AS nothing, date('2024-02-29') AS date, timestamp('2024-02-29 01:02:03.5') AS stamp, \
                 interval('3 days 2 hours') AS span, CAST(1.25 AS DECIMAL(10, 2)) AS price, blob('\\\\x00\\\\xFF') AS bytes, \
                 uuid('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11') AS uuid, [[1], [2, 3]] AS lists, {a: 1, b: {c: 'x'}} AS struct, \
                 map(['k'], [1]) AS strings, map([1], ['v']) AS pairs";
    let ran = shop.run(&["cypher", query, "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(
        ran.json(),
        json!([{
            "bool": true, "int": 1, "huge": "170141183460469231731687303715884105727", "double": 0.5, "text": "a",
            "nothing": null, "date": "2024-02-29", "stamp": "2024-02-29T01:02:03.5", "span": "P3DT2H", "price": "1.25",
            "bytes": "00ff", "uuid": "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "lists": [[1], [2, 3]],
            "struct": {"a": 1, "b": {"c": "x"}}, "strings": {"k": 1}, "pairs": [[1, "v"]],
        }])
    );
}

#[test]
fn nodes_and_relationships_are_objects_and_a_repeated_column_is_kept() {
    let shop = Shop::new();
    let query = "MATCH (a:Symbol {id: $id})-[c:CALLS]->(b) RETURN a, c, b.name AS x, b.id AS x2, a.name";
    let ran = shop.run(&["cypher", query, "--param", "id=src/shop/cart.py::Cart.total", "--json"]);
    let row = &ran.json()[0];
    assert_eq!(row["a"]["_label"], "Symbol");
    assert_eq!(row["a"]["qualname"], "Cart.total");
    assert_eq!(row["c"]["_label"], "CALLS");
    assert_eq!(row["c"]["lines"], json!([22, 23]));
    assert_eq!(row["c"]["_src"], row["a"]["_id"]);
    let query =
        "MATCH (a:Symbol {id: 'src/shop/cli.py::main'})-[e:CALLS* SHORTEST 1..3]->(b:Symbol {name: 'rate'}) RETURN e";
    let path = shop.run(&["cypher", query, "--json"]).json();
    assert_eq!(path[0]["e"]["_nodes"][0]["name"], "total");
    assert_eq!(path[0]["e"]["_rels"].as_array().unwrap().len(), 2);
}

#[test]
fn a_table_is_plain_when_piped() {
    let shop = Shop::new();
    let ran = shop.run(&["cypher", "MATCH (f:File) RETURN f.path AS path, f.lines AS lines ORDER BY path LIMIT 2"]);
    assert_eq!(
        ran.out,
        "| path             | lines |\n|------------------|-------|\n| src/shop/cart.py |    40 |\n| src/shop/cli.py  |    12 |\n"
    );
    assert_eq!(ran.err, "");
}

#[test]
fn rows_are_capped_and_that_is_said() {
    let shop = Shop::new();
    let ran = shop.run(&["cypher", "UNWIND range(1, 50) AS x RETURN x", "--limit", "3", "--json"]);
    assert_eq!(ran.json(), json!([{"x": 1}, {"x": 2}, {"x": 3}]));
    assert!(ran.err.contains("showing the first 3 rows"), "{ran:?}");
}

#[test]
fn parameters_have_types() {
    let shop = Shop::new();
    let query = "RETURN $a AS a, $b AS b, $c AS c, $d AS d, $e AS e";
    let args =
        ["cypher", query, "-p", "a=1", "-p", "b=\"1\"", "-p", "c=[1,2]", "-p", "d=x=y", "-p", "e=true", "--json"];
    assert_eq!(shop.run(&args).json(), json!([{"a": 1, "b": "1", "c": [1, 2], "d": "x=y", "e": true}]));
    let ran = shop.run(&["cypher", "RETURN $a", "-p", "a=[1,\"x\"]"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("--param a: a list must be of one type"), "{ran:?}");
}

#[test]
fn a_malformed_statement_shows_the_engines_message_with_the_position() {
    let shop = Shop::new();
    let ran = shop.run(&["cypher", "MATCH (f:File) RETRUN f"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
    assert!(ran.err.contains("line: 1, offset: 15"), "{ran:?}");
    let ran = shop.run(&["cypher", "MATCH (f:File) RETRUN f", "--json"]);
    assert_eq!(ran.code, 2);
    assert!(ran.json()["error"]["message"].as_str().unwrap().contains("line: 1"), "{ran:?}");
}

#[test]
fn a_shipped_query_runs_with_the_parameters_of_its_header() {
    let shop = Shop::new();
    let ran = shop.run(&["query", "callers", "--param", "id=src/shop/cart.py::Cart.total", "--json"]);
    assert_eq!(ran.json().as_array().unwrap().len(), 4, "{ran:?}");
    let missing = shop.run(&["query", "callers"]);
    assert_eq!(missing.code, 2, "{missing:?}");
    assert!(missing.err.contains("needs --param id="), "{missing:?}");
    let wrong = shop.run(&["query", "callers", "--param", "id=x", "--param", "limit=many"]);
    assert!(wrong.err.contains("--param limit=many: wants INT64"), "{wrong:?}");
    let unknown = shop.run(&["query", "callers", "--param", "nmae=x"]);
    assert!(unknown.err.contains("has no parameter $nmae"), "{unknown:?}");
    let nothing = shop.run(&["query", "nothing"]);
    assert!(nothing.err.contains("callees, callers"), "{nothing:?}");
    let list = shop.run(&["query", "--json"]).json();
    assert!(list.as_array().unwrap().iter().any(|q| q["name"] == "hotspots" && q["params"][0]["name"] == "since"));
    let shown = shop.run(&["query", "path", "--show"]);
    assert!(shown.out.starts_with("// path: "), "{shown:?}");
}

#[test]
fn a_parameter_that_was_not_given_is_named() {
    let shop = Shop::new();
    let ran = shop.run(&["cypher", "MATCH (s:Symbol {id: $id}) RETURN s.name, $Other", "-p", "Other=1", "--json"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert_eq!(ran.json()["error"]["message"], "parameter id is missing (--param id=...)");
    let quoted = shop.run(&["cypher", "RETURN '$id' AS `$x` // $y\n /* $z */", "--json"]);
    assert_eq!((quoted.code, &quoted.json()[0]["$x"]), (0, &json!("$id")), "{quoted:?}");
}

#[test]
fn a_query_that_starts_from_nothing_says_so() {
    let shop = Shop::new();
    for (args, said) in [
        (["callers", "id=foo"], "no symbol has the id foo"),
        (["outline", "path=src/shop/old.py"], "no file of the graph has the path src/shop/old.py"),
    ] {
        let ran = shop.run(&["query", args[0], "-p", args[1]]);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.err.contains(said), "{ran:?}");
    }
    let uncalled = shop.run(&["query", "callers", "-p", "id=src/shop/tax.py::total"]);
    assert_eq!((uncalled.code, uncalled.err.as_str()), (1, ""), "{uncalled:?}");
}

#[test]
fn a_query_that_writes_tells_how_to_run_it_all_the_same() {
    let shop = Shop::new();
    let ran = shop.run(&["query", "index_lock"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("portolan query index_lock --show | portolan cypher --write -"), "{ran:?}");
    let text = shop.run(&["query", "index_lock", "--show"]).out;
    let args =
        ["--no-index", "cypher", "--write", "-", "-p", "me=\"m\"", "-p", "now=5", "-p", "stale=1", "-p", "dead=\"\""];
    let written = run(shop.path(), &args, &text);
    assert_eq!(written.code, 0, "{written:?}");
}

#[test]
fn without_a_graph_the_next_step_is_named() {
    let folder = tempfile::TempDir::new().unwrap();
    let ran = run(folder.path(), &["callers", "x", "--json"], "");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.json()["error"]["message"].as_str().unwrap().contains("run `portolan index` first"), "{ran:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a question makes no files");
    let missing = run(folder.path(), &["-C", "no/such/folder", "callers", "x"], "");
    assert_eq!(missing.code, 2, "{missing:?}");
    assert!(missing.err.contains("no/such/folder: no such file or folder"), "{missing:?}");
}

#[test]
fn wrong_usage_is_exit_code_2_also_as_json() {
    let shop = Shop::new();
    let ran = shop.run(&["callers"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    let ran = shop.run(&["callers", "--json"]);
    assert!(ran.json()["error"]["message"].as_str().unwrap().contains("required"), "{ran:?}");
    assert_eq!(shop.run(&["--version"]).code, 0);
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let shop = Shop::new();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("portolan"))
        .current_dir(shop.path())
        .args([
            "--no-index",
            "cypher",
            "UNWIND range(1, 200000) AS x RETURN x, 'some text to fill the pipe'",
            "--limit",
            "200000",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 100];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}

#[test]
fn what_writes_or_reaches_out_needs_to_be_allowed() {
    let shop = Shop::new();
    let target = shop.path().join("out.csv");
    let copy = format!("COPY (MATCH (f:File) RETURN f.path) TO '{}'", target.display());
    for statement in ["MATCH (f:File) SET f.lines = 0", copy.as_str()] {
        let ran = shop.run(&["cypher", statement]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
        assert!(ran.err.contains("refused"), "{ran:?}");
    }
    assert!(!target.exists());
    assert_eq!(shop.run(&["cypher", "--write", "MATCH (f:File) SET f.lines = 0"]).code, 0);
    let lines = shop.run(&["cypher", "MATCH (f:File) RETURN sum(f.lines) AS n", "--json"]).json();
    assert_eq!(lines, json!([{"n": 0}]));
}

#[test]
fn a_statement_that_would_run_for_ever_is_stopped() {
    let shop = Shop::new();
    let product =
        "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b UNWIND range(1, 100) AS c RETURN sum(a * b + c)";
    let ran = shop.run(&["cypher", product, "--timeout", "0.5"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("ran longer than 0.5 s"), "{ran:?}");
}

#[test]
fn a_value_that_rust_cannot_hold_is_an_error_and_no_panic() {
    let shop = Shop::new();
    let ran = shop.run(&["cypher", "RETURN date('20000-01-01') AS d"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("cast it to STRING") && !ran.err.contains("panicked"), "{ran:?}");
    let cast = shop.run(&["cypher", "RETURN CAST(date('20000-01-01') AS STRING) AS d", "--json"]).json();
    assert_eq!(cast, json!([{"d": "20000-01-01"}]));
}
