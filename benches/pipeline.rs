//! Criterion benches of the pipeline's stages, over source text made by rule: `cargo bench`.
//!
//! `PORTOLAN_BENCH_REPO=PATH` adds each stage over the source files of a real repository.

mod pipeline {
    pub mod generate;
}

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use portolan::ask;
use portolan::config::Config;
use portolan::extract::extract;
use portolan::facts::{Facts, SymbolIdx};
use portolan::index::{self, index};
use portolan::lang;
use portolan::locate::{Limits, NoGraph, Task, locate};
use portolan::progress::Quiet;
use portolan::repo::Repo;
use portolan::resolve::{Project, ProjectConfig, SourceFile, call_names};
use portolan::rows::{FileEdges, FileNo, SymbolRef};
use portolan::search::Index;
use portolan::store::load::Bulk;
use portolan::store::rows::{EdgeKey, EdgeKind, EdgeRow, FileRow, FileState, SymbolRow};
use portolan::store::swap::{self, quiet};
use portolan::store::{Layout, Options, Store};

use pipeline::generate::{EXTENSIONS, project};

/// What somebody might ask of the generated project.
const TASK: &str = "merge_header_6 gives nothing for an empty basket\n\n\
    Calling it with strict set raises ValueError: no window for fetch_window_12, although the record has items.";

/// Path and text of each file, in path order.
type Tree = Vec<(String, String)>;

/// A name for the reports, and its files.
fn trees() -> Vec<(String, Tree)> {
    let mut all = Vec::new();
    for extension in EXTENSIONS {
        let mut files = project(extension, 64);
        if extension == "go" {
            files.push(("go.mod".into(), "module example.org/shop\n\ngo 1.22\n".into()));
        }
        files.sort();
        all.push((extension.to_owned(), files));
    }
    if let Some(root) = std::env::var_os("PORTOLAN_BENCH_REPO") {
        let root = Path::new(&root);
        let mut files: Tree = ignore::Walk::new(root)
            .flatten()
            .filter(|e| e.file_type().is_some_and(|t| t.is_file()))
            .filter_map(|e| {
                let path = e.path().strip_prefix(root).ok()?.to_str()?.to_owned();
                let wanted = language(&path).is_some() || ProjectConfig::is_config_file(&path);
                let text = wanted.then(|| std::fs::read_to_string(e.path()).ok())??;
                (text.len() < 1 << 20).then_some((path, text))
            })
            .collect();
        files.sort();
        assert!(!files.is_empty(), "no source files in PORTOLAN_BENCH_REPO={}", root.display());
        let name = root.file_name().map_or("repository".into(), |n| n.to_string_lossy().into_owned());
        all.push((name, files));
    }
    all
}

fn language(path: &str) -> Option<(&'static dyn lang::LanguageSupport, &str)> {
    let extension = path.rsplit_once('.')?.1;
    Some((lang::by_extension(extension)?, extension))
}

fn facts(tree: &Tree) -> Vec<(&str, &'static dyn lang::LanguageSupport, Facts)> {
    tree.iter()
        .filter_map(|(path, text)| {
            let (language, extension) = language(path)?;
            Some((path.as_str(), language, extract(language, extension, text).facts))
        })
        .collect()
}

/// Phase 1 and phase 2 of resolving, on one thread.
fn resolve(files: &[(&str, &'static dyn lang::LanguageSupport, Facts)], config: &ProjectConfig) -> Vec<FileEdges> {
    let sources = files
        .iter()
        .map(|(path, language, facts)| {
            let is_test = language.is_test_file(path);
            SourceFile { path, language: *language, facts, is_test, scip: None }
        })
        .collect();
    let project = Project::build(sources, config, &[]);
    (0..files.len() as u32).map(|no| project.resolve_file(FileNo(no))).collect()
}

fn config_of(tree: &Tree) -> ProjectConfig {
    let files = tree.iter().filter(|(path, _)| ProjectConfig::is_config_file(path));
    ProjectConfig::load(files.map(|(path, text)| (path.as_str(), text.as_bytes())))
}

/// The graph's rows of each file: its symbols, calls and imports.
fn rows(files: &[(&str, &'static dyn lang::LanguageSupport, Facts)], edges: &[FileEdges]) -> Vec<FileState> {
    let id = |symbol: SymbolRef| {
        let (path, _, facts) = &files[symbol.file.0 as usize];
        facts.symbol_id(path, symbol.symbol)
    };
    let state = |no: usize| {
        let (path, language, facts) = &files[no];
        let file = FileNo(no as u32);
        let called = call_names(facts);
        let symbol = |i: usize| {
            let fact = &facts.symbols[i];
            SymbolRow {
                id: id(SymbolRef { file, symbol: SymbolIdx(i as u32) }),
                name: facts.name(fact.name).to_owned(),
                qualname: facts.name(fact.qualname).to_owned(),
                kind: fact.kind.as_str().to_owned(),
                start_line: fact.start_line,
                end_line: fact.end_line,
                signature: fact.signature.to_string(),
                doc: fact.doc.to_string(),
                call_names: called[i],
                ..SymbolRow::default()
            }
        };
        let calls = edges[no].calls.iter().map(|e| EdgeRow {
            key: EdgeKey {
                kind: EdgeKind::Calls,
                from: id(SymbolRef { file, symbol: e.from }),
                to: id(e.to),
                how: Some(e.how),
                access: None,
            },
            lines: e.lines.clone(),
        });
        FileState {
            file: FileRow {
                path: (*path).to_owned(),
                language: language.name().to_owned(),
                lines: facts.lines,
                ..FileRow::default()
            },
            symbols: (0..facts.symbols.len()).map(symbol).collect(),
            edges: calls.collect(),
            imports: edges[no].imports.iter().map(|f| files[f.0 as usize].0.to_owned()).collect(),
        }
    };
    (0..files.len()).map(state).collect()
}

/// Text to facts and words, on one thread.
fn parse(c: &mut Criterion) {
    let mut group = c.benchmark_group("parse");
    for (name, tree) in trees() {
        group.throughput(Throughput::Bytes(tree.iter().map(|(_, text)| text.len() as u64).sum()));
        group.bench_function(&name, |b| {
            b.iter(|| {
                for (path, text) in &tree {
                    if let Some((language, extension)) = language(path) {
                        black_box(extract(language, extension, text));
                    }
                }
            });
        });
    }
}

/// Facts of all files to edges, both phases, on one thread.
fn resolving(c: &mut Criterion) {
    let mut group = c.benchmark_group("resolve");
    for (name, tree) in trees() {
        let (files, config) = (facts(&tree), config_of(&tree));
        let edges = resolve(&files, &config);
        assert!(edges.iter().any(|e| !e.calls.is_empty() && !e.imports.is_empty()), "{name}: nothing to resolve");
        group.throughput(Throughput::Elements(edges.iter().map(|e| e.calls.len() as u64).sum()));
        group.bench_function(&name, |b| b.iter(|| resolve(&files, &config)));
    }
}

/// Rows into a new graph file: CSV, COPY, checkpoint.
fn load(c: &mut Criterion) {
    let mut group = c.benchmark_group("load");
    group.measurement_time(Duration::from_secs(6));
    for (name, tree) in trees() {
        let files = facts(&tree);
        let states = rows(&files, &resolve(&files, &config_of(&tree)));
        group.throughput(Throughput::Elements(states.iter().map(|s| (s.symbols.len() + s.edges.len()) as u64).sum()));
        group.bench_function(&name, |b| {
            b.iter_batched(
                || {
                    let dir = tempfile::tempdir().expect("a temporary folder");
                    (Layout::create(dir.path(), false).expect("a folder for the graph"), dir)
                },
                |(layout, dir)| {
                    let mut bulk = Bulk::new(layout.dir()).expect("temporary files");
                    for state in &states {
                        bulk.file(state).expect("rows written");
                    }
                    swap::build(&layout, "bench", Options::default(), |graph| bulk.finish(graph), &quiet)
                        .expect("a graph");
                    dir
                },
                BatchSize::PerIteration,
            );
        });
    }
}

/// A task to its places: `words` over the search index alone, `graph` as `portolan map` does it, the graph opened
/// and closed each time.
fn map(c: &mut Criterion) {
    let mut group = c.benchmark_group("map");
    let task = Task::read(None, TASK);
    for (name, tree) in trees() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        for (path, text) in &tree {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let repo = Repo::open(dir.path(), false).expect("a repository");
        index(&repo, &Config::default(), index::Options::default(), &Quiet).expect("an index");
        let words = Index::open(&repo.cache_file("search")).expect("a search index");
        group.bench_function(format!("words/{name}"), |b| {
            b.iter(|| locate(&words, &NoGraph, &task, Limits::MAP));
        });
        let store = Store::new(Layout::open(repo.root(), false).expect("the graph's folder"));
        let wait = Duration::from_secs(10);
        group.bench_function(format!("graph/{name}"), |b| {
            b.iter(|| ask::locate(&repo, &store, wait, &task, Limits::MAP).expect("an answer"));
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
    targets = parse, resolving, load, map
}
criterion_main!(benches);
