//! Ad-hoc statements: what only reads runs, all else is refused before the engine sees it.

use std::fs;
use std::time::Duration;

use portolan::store::guard::reads_only;
use portolan::store::{Layout, Store, StoreError};

/// Statements by what they do; `{out}` is a path in an empty folder.
const REFUSED: [&str; 44] = [
    "CREATE (:Agent {name: 'x'})",
    "MATCH (a:Agent) CREATE (:Agent {name: a.name + 'x'})",
    "CREATE NODE TABLE T(k INT64 PRIMARY KEY)",
    "CREATE REL TABLE T(FROM File TO File)",
    "CREATE SEQUENCE s",
    "CREATE MACRO m(x) AS x + 1",
    "CREATE TYPE t AS INT64",
    "MERGE (:Agent {name: 'x'})",
    "MATCH (a:Agent) MERGE (:Agent {name: 'x'})",
    "MATCH (a:Agent) SET a.name = 'x'",
    "MATCH (a:Agent) WHERE 1=1SET a.name = 'x'",
    "MATCH (a:Agent) DELETE a",
    "MATCH (a:Agent) DETACH DELETE a",
    "MATCH (a:Agent) WITH a SET a.name = 'x' RETURN a",
    "MATCH (a:Agent) RETURN 1 UNION MATCH (a:Agent) SET a.name = 'x' RETURN 1",
    "DROP TABLE Agent",
    "ALTER TABLE Agent ADD x INT64",
    "COMMENT ON TABLE Agent IS 'x'",
    "COPY Agent FROM '{out}/in.csv'",
    "COPY (MATCH (a:Agent) RETURN a.name) TO '{out}/out.csv'",
    "EXPORT DATABASE '{out}/export'",
    "IMPORT DATABASE '{out}/export'",
    "LOAD FROM '{out}/in.csv' RETURN *",
    "MATCH (a:Agent) LOAD FROM '{out}/in.csv' RETURN *",
    "LOAD WITH HEADERS (a STRING) FROM '{out}/in.csv' RETURN *",
    "ATTACH '{out}/other.kuzu' AS other (DBTYPE kuzu)",
    "DETACH other",
    "USE other",
    "INSTALL json",
    "UNINSTALL json",
    "UPDATE json",
    "LOAD EXTENSION json",
    "LOAD json",
    "CALL threads=1",
    "CALL force_checkpoint_on_close=false",
    "CALL clear_warnings()",
    "CALL project_graph('g', ['File'], ['IMPORTS'])",
    "CALL drop_projected_graph('g')",
    "CALL create_fts_index('File', 'x', ['path']) RETURN *",
    "BEGIN TRANSACTION",
    "COMMIT",
    "ROLLBACK",
    "CHECKPOINT",
    "RETURN 1; CREATE (:Agent {name: 'x'})",
];

/// Statements that another lexer than ours might read in another way.
const TRICKS: [&str; 12] = [
    "/***/ RETURN ' /* */ CREATE (:Agent {name: \"x\"}) //'",
    "RETURN 'a\\q' CREATE (:Agent {name: 'x'}) //'",
    "RETURN 1 // \rCREATE (:Agent {name: 'x'})",
    "RETURN 'open",
    "RETURN `open",
    "RETURN 1 /* open",
    "RETURN 1 AS \u{b2}CREATE",
    "CALL `clear_warnings`()",
    "EXPLAIN PROFILE MATCH (a:Agent) SET a.name = 'x'",
    "RETURN 1. CREATE (:Agent {name: 'x'})",
    "",
    " ; ",
];

const ALLOWED: [&str; 18] = [
    "MATCH (a:Agent) RETURN a.name",
    "match (a:Agent) return a.name;",
    "MATCH (c:Commit) RETURN count(*) ;\n // done",
    "OPTIONAL MATCH (a:Agent) RETURN a",
    "UNWIND [1, 2] AS x RETURN x",
    "WITH 1 AS x RETURN x",
    "RETURN 'CREATE (:Agent)' AS text",
    "RETURN \"it's; DELETE\" AS text",
    "RETURN 1 AS `set`",
    "/* CREATE */ RETURN 1 // DELETE",
    "MATCH (commit:Commit) WHERE commit.subject = 'x' RETURN commit.hash",
    "WITH {set: 1} AS m RETURN m",
    "EXPLAIN MATCH (a:Agent) RETURN a",
    "PROFILE MATCH (a:Agent) RETURN a",
    "CALL show_tables() RETURN name",
    "CALL table_info('File') RETURN *",
    "MATCH (f:File)-[e:CO_CHANGES]-(g:File) WHERE EXISTS { MATCH (f)<-[:READ]-(:Session) } RETURN g.path",
    "MATCH (f:File) RETURN 'a\\'b\\u0041' + f.path",
];

/// Spaces become comments and line breaks.
fn disguised(statement: &str) -> String {
    let mut quoted = None;
    statement
        .chars()
        .map(|c| match (quoted, c) {
            (None, '\'' | '"' | '`') => {
                quoted = Some(c);
                c.to_string()
            }
            (Some(q), c) if q == c => {
                quoted = None;
                c.to_string()
            }
            (None, ' ') => " /* ' */\n\t".to_owned(),
            (_, c) => c.to_string(),
        })
        .collect()
}

fn refused(statement: &str) -> bool {
    matches!(reads_only(statement), Err(StoreError::Forbidden { .. }))
}

#[test]
fn what_writes_or_reaches_out_is_refused_in_any_disguise() {
    for statement in REFUSED {
        for form in
            [statement.to_owned(), statement.to_lowercase(), disguised(statement), format!("  // x\n{statement}")]
        {
            assert!(refused(&form), "{form}");
            assert!(refused(&format!("EXPLAIN {form}")), "EXPLAIN {form}");
            assert!(refused(&format!("profile {form}")), "profile {form}");
        }
    }
    for statement in TRICKS {
        assert!(refused(statement), "{statement}");
    }
}

#[test]
fn what_only_reads_runs_and_the_engine_agrees() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(Layout::create(dir.path(), false).unwrap());
    store.write(Duration::from_secs(20), |_| Ok::<_, StoreError>(())).unwrap();
    store
        .read(Duration::from_secs(20), |g| {
            for statement in ALLOWED {
                // `set` as a key of a map is one of the few names that must be quoted.
                if statement.contains("{set:") {
                    assert!(refused(statement));
                    continue;
                }
                reads_only(statement)?;
                g.run(statement, vec![])?;
                if statement.contains(['\\', '/']) {
                    continue;
                }
                reads_only(&disguised(statement))?;
                g.run(&disguised(statement), vec![])?;
            }
            Ok::<_, StoreError>(())
        })
        .unwrap();
}

/// The engine runs, or would run, most of what the guard refuses, also on a graph opened read-only.
#[test]
fn nothing_of_a_refused_statement_reaches_the_disk() {
    let dir = tempfile::tempdir().unwrap();
    let out = tempfile::tempdir().unwrap();
    let store = Store::new(Layout::create(dir.path(), false).unwrap());
    store.write(Duration::from_secs(20), |g| g.run("CREATE (:Agent {name: 'a'})", vec![]).map(drop)).unwrap();
    let copy_to = format!("COPY (MATCH (a:Agent) RETURN a.name) TO '{}/out.csv'", out.path().display());
    let before = fs::read(store.layout().graph()).unwrap();
    let ran = |statement: &str| {
        store.read(Duration::from_secs(20), |g| {
            reads_only(statement)?;
            g.run(statement, vec![])
        })
    };
    for statement in REFUSED {
        let statement = statement.replace("{out}", &out.path().display().to_string());
        assert!(ran(&statement).is_err(), "{statement}");
    }
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0);
    assert_eq!(fs::read(store.layout().graph()).unwrap(), before);
    // Why the guard is there.
    store.read(Duration::from_secs(20), |g| g.run(&copy_to, vec![])).unwrap();
    assert!(out.path().join("out.csv").exists());
}
