//! The first load: every value comes back as it went in.

use std::time::Duration;

use portolan::facts::Access;
use portolan::rows::How;
use portolan::store::load::Bulk;
use portolan::store::rows::{
    CoChangeRow, CommitRow, EdgeKey, EdgeKind, EdgeRow, FileRow, FileState, PersonRow, SymbolRow, TouchedRow,
};
use portolan::store::value::RowExt;
use portolan::store::{Layout, Store, StoreError};

const NASTY: [&str; 16] = [
    "",
    "a\nb",
    "a\r\nb",
    "\"quoted\", and comma",
    "nul\0byte",
    "\\N \\n \\",
    "[1,2]",
    "NULL",
    "ünï ☃ \u{2028}",
    "'single'",
    "  padded  ",
    "// comment; DROP TABLE File;",
    "{file} {parallel}",
    "//null//",
    "{null}",
    "\r",
];

fn state(path: &str, symbols: usize) -> FileState {
    let file = FileRow {
        path: path.into(),
        language: "python".into(),
        hash: "00ff".into(),
        lines: 7,
        is_test: true,
        generated: false,
        skipped: String::new(),
    };
    let symbols = (0..symbols)
        .map(|i| SymbolRow {
            id: format!("{path}::s{i}"),
            name: format!("s{i}"),
            qualname: format!("s{i}"),
            kind: "function".into(),
            start_line: i as u32 + 1,
            end_line: i as u32 + 1,
            signature: NASTY[i % NASTY.len()].into(),
            doc: NASTY[(i + 3) % NASTY.len()].into(),
            rank: 0.1 + i as f64 / 3.0,
            unresolved: NASTY[..i % NASTY.len()].iter().skip(2).map(|s| s.replace('\n', " ")).collect(),
            ..SymbolRow::default()
        })
        .collect();
    FileState { file, symbols, ..FileState::default() }
}

#[test]
fn values_come_back_as_they_went_in() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(Layout::create(dir.path(), false).unwrap());
    let mut a = state("odd [*] \"path\"\n.py", NASTY.len());
    let b = state("b.py", 3);
    let edge = |kind, how, access, lines: &[u32]| EdgeRow {
        key: EdgeKey { kind, from: a.symbols[0].id.clone(), to: b.symbols[1].id.clone(), how, access },
        lines: lines.to_vec(),
    };
    let edges = vec![
        edge(EdgeKind::Contains, None, None, &[]),
        edge(EdgeKind::Calls, Some(How::Type), None, &[3, 3, 9]),
        edge(EdgeKind::References, Some(How::UniqueName), Some(Access::Write), &[1]),
        edge(EdgeKind::Inherits, Some(How::Import), None, &[]),
        edge(EdgeKind::Tests, Some(How::Lexical), None, &[]),
    ];
    a.edges = edges;
    a.imports = vec!["b.py".into()];

    let mut bulk = Bulk::new(store.layout().dir()).unwrap();
    bulk.file(&a).unwrap();
    bulk.file(&b).unwrap();
    let commit =
        CommitRow { hash: "c1".into(), at: 5, subject: NASTY[3].into(), body: NASTY[1].into(), is_merge: true };
    bulk.commit(&commit).unwrap();
    bulk.person(&PersonRow { id: "p".into(), name: NASTY[8].into(), email: String::new() }).unwrap();
    bulk.authored("p", "c1").unwrap();
    bulk.touched(&TouchedRow { commit: "c1".into(), path: "gone.py".into(), change: "D" }).unwrap();
    bulk.co_change(&CoChangeRow { a: "b.py".into(), b: "gone.py".into(), count: 2, weight: 0.1 + 0.2 }).unwrap();

    store
        .write(Duration::from_secs(20), |g| {
            bulk.finish(g)?;
            let rows = g.run(
                "MATCH (s:Symbol) WHERE s.file <> 'b.py' RETURN s.signature, s.doc, s.rank, s.unresolved ORDER BY s.start_line",
                vec![],
            )?;
            assert_eq!(rows.len(), a.symbols.len());
            for (row, wanted) in rows.rows.iter().zip(&a.symbols) {
                assert_eq!(row.str(0)?, wanted.signature);
                assert_eq!(row.str(1)?, wanted.doc);
                assert_eq!(row.float(2)?, wanted.rank);
                assert_eq!(row.strs(3)?, wanted.unresolved);
            }
            let nulls = g.run("MATCH (s:Symbol) WHERE s.signature IS NULL OR s.unresolved IS NULL RETURN count(*)", vec![])?;
            assert_eq!(nulls.rows[0].int(0)?, 0);
            let calls = g.run("MATCH (a:Symbol)-[e:CALLS]->(b:Symbol) RETURN a.id, b.id, e.lines, e.how, e.confidence", vec![])?;
            assert_eq!(calls.len(), 1);
            assert_eq!(calls.rows[0].str(0)?, a.symbols[0].id);
            assert_eq!(calls.rows[0].ints(2)?, [3, 3, 9]);
            assert_eq!(calls.rows[0].str(3)?, "type");
            assert_eq!(calls.rows[0].float(4)?, 0.9);
            let refs = g.run("MATCH ()-[e:REFERENCES]->() RETURN e.access, e.how", vec![])?;
            assert_eq!((refs.rows[0].str(0)?, refs.rows[0].str(1)?), ("write", "unique name"));
            let history = g.run(
                "MATCH (p:Person)-[:AUTHORED]->(c:Commit)-[t:TOUCHED]->(f:File)<-[x:CO_CHANGES]-(:File) \
                 RETURN p.name, c.subject, c.body, t.change, f.path, f.present, x.weight, f.language IS NULL",
                vec![],
            )?;
            let row = &history.rows[0];
            assert_eq!((row.str(0)?, row.str(1)?, row.str(2)?), (NASTY[8], NASTY[3], NASTY[1]));
            assert_eq!((row.str(3)?, row.str(4)?, row.bool(5)?), ("D", "gone.py", false));
            assert_eq!(row.float(6)?, 0.1 + 0.2);
            assert!(!row.bool(7)?);
            Ok::<_, StoreError>(())
        })
        .unwrap();
}
