//! Small projects written in the test, and what resolving them gives, as text.

use std::collections::{BTreeMap, BTreeSet};

use portolan::extract::extract;
use portolan::facts::{Facts, SymbolIdx};
use portolan::lang::{self, LanguageSupport};
use portolan::resolve::{Interface, Project, ProjectConfig, SourceFile};
use portolan::rows::{FileEdges, FileNo};

/// Path to content, build files included.
pub type Files = BTreeMap<String, String>;

/// A project's edges by file.
pub struct Resolved {
    pub facts: BTreeMap<String, Facts>,
    pub edges: BTreeMap<String, BTreeSet<String>>,
    pub interface: Interface,
}

/// Reads a project from one string: `--- path` starts a file.
pub fn files(text: &str) -> Files {
    let mut out = Files::new();
    let mut path = None;
    for line in text.lines() {
        if let Some(p) = line.trim_start().strip_prefix("--- ") {
            path = Some(p.trim().to_owned());
            out.insert(p.trim().to_owned(), String::new());
        } else if let Some(p) = &path {
            let content = out.get_mut(p).expect("inserted above");
            content.push_str(line);
            content.push('\n');
        }
    }
    out
}

fn language(path: &str) -> Option<(&'static dyn LanguageSupport, &str)> {
    let ext = path.rsplit_once('.')?.1;
    Some((lang::by_extension(ext)?, ext))
}

pub fn resolve(files: &Files) -> Resolved {
    let config = ProjectConfig::load(
        files.iter().filter(|(p, _)| ProjectConfig::is_config_file(p)).map(|(p, t)| (p.as_str(), t.as_bytes())),
    );
    let facts: BTreeMap<String, Facts> = files
        .iter()
        .filter_map(|(p, t)| {
            let (l, ext) = language(p)?;
            Some((p.clone(), extract(l, ext, t).facts))
        })
        .collect();
    let sources = facts
        .iter()
        .map(|(p, f)| {
            let l = language(p).expect("filtered above").0;
            SourceFile { path: p, language: l, facts: f, is_test: l.is_test_file(p), scip: None }
        })
        .collect();
    let project = Project::build(sources, &config, &[]);
    let paths: Vec<&String> = facts.keys().collect();
    let id = |file: FileNo, s: SymbolIdx| {
        let path = paths[file.0 as usize];
        facts[path].symbol_id(path, s)
    };
    let mut edges = BTreeMap::new();
    for (i, path) in paths.iter().enumerate() {
        let no = FileNo(i as u32);
        let e: FileEdges = project.resolve_file(no);
        let from = |s: SymbolIdx| id(no, s);
        let mut out = BTreeSet::new();
        for (kind, list) in [("CALLS", &e.calls), ("INHERITS", &e.inherits), ("TESTS", &e.tests)] {
            for c in list {
                let lines: Vec<String> = c.lines.iter().map(u32::to_string).collect();
                let to = id(c.to.file, c.to.symbol);
                out.insert(
                    format!("{kind} {} -> {to} [{}] {}", from(c.from), c.how.as_str(), lines.join(","))
                        .trim_end()
                        .to_owned(),
                );
            }
        }
        for r in &e.references {
            let to = id(r.to.file, r.to.symbol);
            out.insert(format!("REFERENCES {} -> {to} {:?} [{}]", from(r.from), r.access, r.how.as_str()));
        }
        for (h, s) in &e.contains {
            out.insert(format!("CONTAINS {} -> {}", id(h.file, h.symbol), from(*s)));
        }
        for f in &e.imports {
            out.insert(format!("IMPORTS {path} -> {}", paths[f.0 as usize]));
        }
        for (s, name, lines) in &e.unresolved {
            out.insert(format!("UNRESOLVED {} {name} {}", from(*s), lines.len()));
        }
        edges.insert((*path).clone(), out);
    }
    let interface = project.interface();
    Resolved { edges, interface, facts }
}

/// All edges of the kinds named, without their lines.
pub fn edges_of(files: &Files, kinds: &[&str]) -> Vec<String> {
    let mut out: Vec<String> = resolve(files)
        .edges
        .into_values()
        .flatten()
        .filter(|e| kinds.iter().any(|k| e.starts_with(&format!("{k} "))))
        .map(|e| match (e.rsplit_once("] "), kinds) {
            (Some((head, _)), _) => format!("{head}]"),
            _ => e,
        })
        .collect();
    out.sort();
    out.dedup();
    out
}

/// Asserts that a project has exactly these edges of these kinds (lines left out, order of no account).
#[track_caller]
pub fn assert_edges(project: &str, kinds: &[&str], expected: &str) {
    let got = edges_of(&files(project), kinds);
    let mut want: Vec<String> = expected
        .lines()
        .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|l| !l.is_empty())
        .collect();
    want.sort();
    let missing: Vec<_> = want.iter().filter(|e| !got.contains(e)).collect();
    let extra: Vec<_> = got.iter().filter(|e| !want.contains(e)).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing: {missing:#?}\nnot expected: {extra:#?}");
}

#[test]
fn a_call_through_an_import() {
    assert_edges(
        "--- shop.py\nfrom money import total\n\ndef bill():\n    return total([])\n\
         --- money.py\ndef total(items):\n    return sum(items)\n",
        &["CALLS", "IMPORTS"],
        "CALLS shop.py::bill -> money.py::total [import]\n\
         IMPORTS shop.py -> money.py",
    );
}
