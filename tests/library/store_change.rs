//! Minimal changes: after any series the graph equals a fresh load, and little is written.

use std::collections::BTreeMap;
use std::time::Duration;

use portolan::facts::Access;
use portolan::rows::How;
use portolan::store::change::apply;
use portolan::store::diff::{Changes, Moved};
use portolan::store::dump::dump;
use portolan::store::load::Bulk;
use portolan::store::read_files::read_file_states;
use portolan::store::rows::{
    CoChangeRow, CommitRow, EdgeKey, EdgeKind, EdgeRow, FileRow, FileState, PersonRow, SymbolRow, TouchedRow,
};
use portolan::store::value::RowExt;
use portolan::store::{Graph, Layout, Result, Store, StoreError};

fn soon() -> Duration {
    Duration::from_secs(60)
}

fn store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let layout = Layout::create(dir.path(), false).unwrap();
    (dir, Store::new(layout))
}

fn text_of(graph: &Graph) -> Result<String> {
    let mut out = Vec::new();
    dump(graph, &mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

/// xorshift64*: the same series for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

type Project = BTreeMap<String, FileState>;

/// A file's layout: names of its symbols in order with their first lines.
type Sketch = BTreeMap<String, Vec<(String, u32)>>;

/// Rows that follow from the sketch, edges to random symbols included.
fn project(sketch: &Sketch, random: &mut Random, salt: &str) -> Project {
    let ids: Vec<String> =
        sketch.iter().flat_map(|(path, names)| names.iter().map(move |(n, _)| format!("{path}::{n}"))).collect();
    let paths: Vec<&String> = sketch.keys().collect();
    let mut project = Project::new();
    for (path, names) in sketch {
        let mut state = FileState::default();
        let end = names.last().map_or(1, |(_, line)| line + 4);
        state.file = FileRow { path: path.clone(), hash: format!("{salt}{end}"), lines: end, ..FileRow::default() };
        for (name, line) in names {
            let id = format!("{path}::{name}");
            state.symbols.push(SymbolRow {
                id: id.clone(),
                name: name.clone(),
                qualname: name.clone(),
                kind: "function".into(),
                start_line: *line,
                end_line: line + 2,
                call_names: random.below(3) as u32 / 2,
                unresolved: (0..random.below(2)).map(|i| format!("u{i}")).collect(),
                ..SymbolRow::default()
            });
            for _ in 0..random.below(4) {
                let to = ids[random.below(ids.len())].clone();
                let kinds =
                    [EdgeKind::Calls, EdgeKind::Calls, EdgeKind::References, EdgeKind::Inherits, EdgeKind::Tests];
                let kind = kinds[random.below(5)];
                let access = (kind == EdgeKind::References).then(|| [Access::Read, Access::Value][random.below(2)]);
                let how = Some([How::Import, How::Type][random.below(2)]);
                let lined = access.is_some() || kind == EdgeKind::Calls;
                let lines = if lined { (0..=random.below(2) as u32).map(|i| line + i).collect() } else { vec![] };
                state.edges.push(EdgeRow { key: EdgeKey { kind, from: id.clone(), to, how, access }, lines });
            }
            if random.below(3) == 0 {
                let holder = ids[random.below(ids.len())].clone();
                let key = EdgeKey { kind: EdgeKind::Contains, from: holder, to: id, how: None, access: None };
                state.edges.push(EdgeRow { key, lines: vec![] });
            }
        }
        for _ in 0..random.below(3) {
            state.imports.push(paths[random.below(paths.len())].clone());
        }
        state.normalise();
        state.edges.dedup_by(|a, b| a.key == b.key);
        project.insert(path.clone(), state);
    }
    project
}

fn edit(sketch: &mut Sketch, random: &mut Random, step: usize) {
    match random.below(6) {
        0 => {
            let lines = (0..10 + random.below(10)).map(|i| (format!("n{step}_{i}"), 1 + 5 * i as u32)).collect();
            sketch.insert(format!("new{step}.py"), lines);
        }
        1 if sketch.len() > 3 => {
            let path = sketch.keys().nth(random.below(sketch.len())).unwrap().clone();
            sketch.remove(&path);
        }
        _ => {
            let at = random.below(sketch.len());
            let (_, names) = sketch.iter_mut().nth(at).unwrap();
            let (from, by) = (random.below(names.len() + 1), 1 + random.below(9) as u32);
            if random.below(2) == 0 {
                names[from..].iter_mut().for_each(|(_, line)| *line += by);
                let line = names.get(from.wrapping_sub(1)).map_or(1, |(_, l)| l + 1);
                names.insert(from, (format!("f{step}"), line));
            } else if names.len() > 2 && from < names.len() {
                let (_, line) = names.remove(from);
                if names.get(from).is_some_and(|(_, next)| *next > line + by) {
                    names[from..].iter_mut().for_each(|(_, l)| *l -= by);
                }
            }
        }
    }
}

fn load(store: &Store, project: &Project) -> String {
    let mut bulk = Bulk::new(store.layout().dir()).unwrap();
    project.values().for_each(|state| bulk.file(state).unwrap());
    store
        .write(soon(), |g| {
            bulk.finish(g)?;
            text_of(g)
        })
        .unwrap()
}

/// Writes the difference between what the graph holds and `new`, for all files.
fn update(store: &Store, old: &Project, new: &Project) -> Changes {
    store
        .write(soon(), |g| {
            let paths: Vec<String> = old.keys().cloned().collect();
            let held = read_file_states(g, &paths)?;
            assert_eq!(held, old.values().cloned().collect::<Vec<_>>(), "what is read is what was written");
            let mut changes = Changes::default();
            for state in new.values() {
                changes.file(old.get(&state.file.path), state);
            }
            old.values().filter(|s| !new.contains_key(&s.file.path)).for_each(|s| changes.file_gone(s));
            g.transaction(|g| apply(g, &changes))?;
            Ok::<_, StoreError>(changes)
        })
        .unwrap()
}

#[test]
fn any_series_of_edits_ends_in_the_graph_of_a_fresh_load() {
    for seed in 1..=2 {
        let mut random = Random(seed * 7919);
        let mut sketch: Sketch = (0..4)
            .map(|f| {
                let names = (0..12).map(|i| (format!("s{i}"), 1 + 6 * i)).collect();
                (format!("dir/f{f}.py"), names)
            })
            .collect();
        let (_dir, store) = store();
        let mut old = project(&sketch, &mut random, "a");
        load(&store, &old);
        for step in 0..9 {
            edit(&mut sketch, &mut random, step);
            // Half of the time edges stay as they are as far as they can.
            let edges = if step % 2 == 0 { seed } else { seed + step as u64 };
            let new = project(&sketch, &mut Random(edges * 31), "b");
            update(&store, &old, &new);
            let (_fresh_dir, fresh) = self::store();
            let wanted = load(&fresh, &new);
            let found = store.read(soon(), text_of).unwrap();
            assert_eq!(found, wanted, "seed {seed} step {step}");
            old = new;
        }
    }
}

#[test]
fn lines_that_shift_take_a_few_statements() {
    let names: Vec<(String, u32)> = (0..300).map(|i| (format!("s{i}"), 10 + 6 * i)).collect();
    let mut sketch = Sketch::from([("a.py".to_owned(), names)]);
    let (_dir, store) = store();
    let old = project(&sketch, &mut Random(5), "");
    load(&store, &old);
    for names in sketch.values_mut() {
        names.iter_mut().for_each(|(_, line)| *line += 7);
    }
    let new = project(&sketch, &mut Random(5), "");
    let changes = update(&store, &old, &new);
    assert_eq!(changes.len(), 5, "{changes:?}");
    assert_eq!(changes.shifts.iter().filter(|s| s.what == Moved::Start).count(), 1);
    let nothing = update(&store, &new, &new);
    assert!(nothing.is_empty(), "{nothing:?}");
}

#[test]
fn what_agents_remember_survives_a_deletion_and_comes_back_with_the_code() {
    let names: Vec<(String, u32)> = (0..4).map(|i| (format!("s{i}"), 10 + 6 * i)).collect();
    let sketch = Sketch::from([("a.py".to_owned(), names.clone()), ("b.py".to_owned(), names)]);
    let (_dir, store) = store();
    let old = project(&sketch, &mut Random(9), "");
    load(&store, &old);
    store
        .write(soon(), |g| {
            g.run("CREATE (:Lesson {id: 'l', text: 't', at: 1, confirmed: 0, target: 'a.py::s1'})", vec![])?;
            g.run("MATCH (l:Lesson), (s:Symbol {id: 'a.py::s1'}) CREATE (l)-[:ABOUT]->(s)", vec![])?;
            g.run("CREATE (:Session {id: 's'})", vec![])?;
            g.run("MATCH (s:Session), (f:File {path: 'a.py'}) CREATE (s)-[:READ {count: 3, first_at: 1, last_at: 2}]->(f)", vec![])
        })
        .unwrap();
    let before = store.read(soon(), text_of).unwrap();
    let mut without = project(&Sketch::from([("b.py".to_owned(), sketch["b.py"].clone())]), &mut Random(9), "");
    without.values_mut().for_each(|state| state.edges.clear());
    update(&store, &old, &without);
    store
        .read(soon(), |g| {
            let left = g.run("MATCH (s:Symbol) WHERE s.file = 'a.py' RETURN s.id, s.present", vec![])?;
            assert_eq!(left.len(), 1);
            assert_eq!((left.rows[0].str(0)?, left.rows[0].bool(1)?), ("a.py::s1", false));
            let edges = g.run("MATCH (s:Symbol {id: 'a.py::s1'})-[e]-() RETURN label(e)", vec![])?;
            assert_eq!(edges.len(), 1);
            assert_eq!(edges.rows[0].str(0)?, "ABOUT");
            let file = g.run("MATCH (f:File {path: 'a.py'}) RETURN f.present", vec![])?;
            assert!(!file.rows[0].bool(0)?);
            Ok::<_, StoreError>(())
        })
        .unwrap();
    update(&store, &without, &old);
    assert_eq!(store.read(soon(), text_of).unwrap(), before);
}

#[test]
fn history_changes_end_in_the_graph_of_a_fresh_load_and_leave_no_orphans() {
    let sketch = Sketch::from([("a.py".to_owned(), vec![("f".to_owned(), 1)]), ("b.py".to_owned(), vec![])]);
    let code = project(&sketch, &mut Random(3), "");
    let commit = |hash: &str| CommitRow { hash: hash.into(), at: 1, ..CommitRow::default() };
    let touched = |commit: &str, path: &str| TouchedRow { commit: commit.into(), path: path.into(), change: "M" };
    let pair = |a: &str, b: &str, count, weight| CoChangeRow { a: a.into(), b: b.into(), count, weight };
    let fill = |store: &Store, hashes: &[&str], files: &[TouchedRow], pairs: &[CoChangeRow]| {
        let mut bulk = Bulk::new(store.layout().dir()).unwrap();
        code.values().for_each(|s| bulk.file(s).unwrap());
        bulk.person(&PersonRow { id: "p".into(), name: "P".into(), email: "p@x".into() }).unwrap();
        for hash in hashes {
            bulk.commit(&commit(hash)).unwrap();
            bulk.authored("p", hash).unwrap();
        }
        files.iter().for_each(|row| bulk.touched(row).unwrap());
        pairs.iter().for_each(|row| bulk.co_change(row).unwrap());
        store.write(soon(), |g| bulk.finish(g)).unwrap();
    };
    let (_dir, store) = store();
    fill(
        &store,
        &["c1", "c2"],
        &[touched("c1", "old.py"), touched("c2", "a.py")],
        &[pair("a.py", "b.py", 1, 0.5), pair("a.py", "old.py", 2, 0.25)],
    );
    let mut changes = Changes::default();
    let history = &mut changes.history;
    history.commits_gone = vec!["c1".into()];
    history.co_changes_gone = vec![("a.py".into(), "old.py".into())];
    history.commits_new = vec![commit("c3")];
    history.authored_new = vec![("p".into(), "c3".into())];
    history.touched_new = vec![touched("c3", "b.py"), touched("c3", "gone.py")];
    history.co_changes_new = vec![pair("b.py", "gone.py", 1, 1.5)];
    history.co_changes = vec![pair("a.py", "b.py", 4, 2.0)];
    store.write(soon(), |g| g.transaction(|g| apply(g, &changes))).unwrap();

    let (_fresh_dir, fresh) = self::store();
    fill(
        &fresh,
        &["c2", "c3"],
        &[touched("c2", "a.py"), touched("c3", "b.py"), touched("c3", "gone.py")],
        &[pair("a.py", "b.py", 4, 2.0), pair("b.py", "gone.py", 1, 1.5)],
    );
    let all = |g: &Graph| {
        let rows = g.run("MATCH (f:File) RETURN f.path, f.present ORDER BY f.path", vec![])?;
        Ok::<_, StoreError>((text_of(g)?, rows))
    };
    assert_eq!(store.read(soon(), all).unwrap(), fresh.read(soon(), all).unwrap());
}

#[test]
fn many_new_rows_come_by_copy_also_over_absent_ones() {
    let (_dir, store) = store();
    let few = Sketch::from([("a.py".to_owned(), vec![("s0".to_owned(), 1), ("s1".to_owned(), 9)])]);
    let many = Sketch::from([("a.py".to_owned(), (0..900).map(|i| (format!("s{i}"), 1 + 8 * i)).collect())]);
    let (old, new) = (project(&few, &mut Random(2), ""), project(&many, &mut Random(2), ""));
    load(&store, &old);
    store
        .write(soon(), |g| {
            g.run("CREATE (:Lesson {id: 'l', text: 't', at: 1, confirmed: 0, target: 'x'})", vec![])?;
            g.run("CREATE (:Symbol {id: 'a.py::s500', present: false})", vec![])?;
            g.run("MATCH (l:Lesson), (s:Symbol {id: 'a.py::s500'}) CREATE (l)-[:ABOUT]->(s)", vec![])
        })
        .unwrap();
    update(&store, &old, &new);
    let (_fresh_dir, fresh) = self::store();
    let wanted = load(&fresh, &new);
    let found = store.read(soon(), text_of).unwrap();
    let code: String = found
        .lines()
        .filter(|l| !l.starts_with("ABOUT") && !l.starts_with("Lesson"))
        .fold(String::new(), |all, l| all + l + "\n");
    assert_eq!(code, wanted);
}

/// The engine's log is replayed by the next process that opens the graph, and a relationship that was deleted by itself
/// and then once more with its node takes another one along there. So the graph is read after a replay.
#[test]
fn remembered_symbols_go_after_those_that_are_forgotten() {
    let names: Vec<(String, u32)> = (0..12).map(|i| (format!("s{i}"), 10 + 6 * i)).collect();
    let sketch = Sketch::from([("a.py".to_owned(), names.clone()), ("b.py".to_owned(), names)]);
    for seed in 1..=4 {
        let (_dir, store) = store();
        let mut old = project(&sketch, &mut Random(seed * 77), "");
        // Each remembered symbol and each forgotten one call each other, and others that stay.
        let call = |from: &str, to: &str| EdgeRow {
            key: EdgeKey {
                kind: EdgeKind::Calls,
                from: from.into(),
                to: to.into(),
                how: Some(How::Lexical),
                access: None,
            },
            lines: vec![3],
        };
        for i in 0..12 {
            let (own, next) = (format!("a.py::s{i}"), format!("a.py::s{}", (i + 1) % 12));
            let other = format!("b.py::s{i}");
            old.get_mut("a.py").unwrap().edges.extend([call(&own, &next), call(&next, &own), call(&own, &other)]);
            old.get_mut("b.py").unwrap().edges.push(call(&other, &own));
        }
        old.values_mut().for_each(|state| {
            state.normalise();
            state.edges.dedup_by(|a, b| a.key == b.key);
        });
        load(&store, &old);
        store
            .write(soon(), |g| {
                g.run("CREATE (:Lesson {id: 'l', text: 't', at: 1, confirmed: 0, target: 'a.py'})", vec![])?;
                let remembered = "MATCH (l:Lesson), (s:Symbol) WHERE s.id IN ['a.py::s1', 'a.py::s4', 'a.py::s7'] ";
                g.run(&format!("{remembered} CREATE (l)-[:ABOUT]->(s)"), vec![])?;
                g.checkpoint()
            })
            .unwrap();
        let mut new = old.clone();
        new.remove("a.py");
        for state in new.values_mut() {
            state.edges.retain(|e| !e.key.from.starts_with("a.py") && !e.key.to.starts_with("a.py"));
            state.imports.retain(|path| path != "a.py");
        }
        update(&store, &old, &new);
        assert!(store.layout().dir().join("graph.kuzu.wal").metadata().is_ok_and(|m| m.len() > 0), "nothing to replay");
        let (_fresh_dir, fresh) = self::store();
        let wanted = load(&fresh, &new);
        let found = store.read(soon(), text_of).unwrap();
        let code: Vec<_> = found.lines().filter(|l| !l.starts_with("ABOUT") && !l.starts_with("Lesson")).collect();
        assert_eq!(code, wanted.lines().collect::<Vec<_>>(), "seed {seed}");
        assert_eq!(found.lines().filter(|l| l.starts_with("ABOUT_SYMBOL")).count(), 3, "{found}");
    }
}
