//! Resolves a folder without a graph and prints its call edges, as `portolan export calls --tsv` does.
//! With `--stats`, times and counts go to standard error.

use std::path::Path;
use std::time::Instant;

use portolan::extract::extract;
use portolan::lang;
use portolan::resolve::{Project, ProjectConfig, SourceFile};
use portolan::rows::FileNo;
use rayon::prelude::*;

fn cpu_ms() -> f64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut t) };
    t.tv_sec as f64 * 1e3 + t.tv_nsec as f64 / 1e6
}

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let root = args.next().expect("usage: calls FOLDER [--stats] [--unresolved] [--kinds]");
    let flags: Vec<String> = args.collect();
    let has = |f: &str| flags.iter().any(|x| x == f);
    let mut paths: Vec<String> = ignore::WalkBuilder::new(&root)
        .build()
        .filter_map(Result::ok)
        .filter(|e| e.file_type().is_some_and(|t| t.is_file()))
        .filter_map(|e| e.path().strip_prefix(&root).ok()?.to_str().map(str::to_owned))
        .collect();
    paths.sort();
    let configs: Vec<(String, Vec<u8>)> = paths
        .iter()
        .filter(|p| ProjectConfig::is_config_file(p))
        .map(|p| (p.clone(), std::fs::read(Path::new(&root).join(p)).unwrap_or_default()))
        .collect();
    let config = ProjectConfig::load(configs.iter().map(|(p, b)| (p.as_str(), b.as_slice())));
    let files: Vec<_> = paths
        .par_iter()
        .filter_map(|p| {
            let ext = Path::new(p).extension()?.to_str()?.to_lowercase();
            let language = lang::by_extension(&ext)?;
            let text = String::from_utf8_lossy(&std::fs::read(Path::new(&root).join(p)).ok()?).into_owned();
            (text.len() < 1 << 20).then(|| (p.clone(), language, extract(language, &ext, &text).facts))
        })
        .collect();
    let t = (cpu_ms(), Instant::now());
    let sources = files
        .iter()
        .map(|(p, l, f)| SourceFile { path: p, language: *l, facts: f, is_test: l.is_test_file(p) })
        .collect();
    let project = Project::build(sources, &config);
    let t1 = (cpu_ms(), t.1.elapsed());
    let interface = project.interface();
    let t2 = cpu_ms();
    let edges: Vec<_> = (0..files.len() as u32).into_par_iter().map(|f| project.resolve_file(FileNo(f))).collect();
    let t3 = cpu_ms();
    if has("--stats") {
        let count = |f: fn(&portolan::rows::FileEdges) -> usize| edges.iter().map(f).sum::<usize>();
        eprintln!(
            "{} files, {} symbols; CPU ms: phase 1 {:.0}, interface {:.0} ({} bytes), phase 2 {:.0}; calls {} inherits {} references {} tests {} imports {} contains {} unresolved {}",
            files.len(),
            files.iter().map(|f| f.2.symbols.len()).sum::<usize>(),
            t1.0 - t.0,
            t2 - t1.0,
            postcard::to_stdvec(&interface)?.len(),
            t3 - t2,
            count(|e| e.calls.len()),
            count(|e| e.inherits.len()),
            count(|e| e.references.len()),
            count(|e| e.tests.len()),
            count(|e| e.imports.len()),
            count(|e| e.contains.len()),
            count(|e| e.unresolved.len()),
        );
    }
    let qual = |f: usize, s: portolan::facts::SymbolIdx| {
        let facts = &files[f].2;
        facts.name(facts.symbol(s).qualname).to_owned()
    };
    let mut out = String::new();
    for (f, e) in edges.iter().enumerate() {
        let path = &files[f].0;
        if has("--unresolved") {
            for (s, n, c) in &e.unresolved {
                out.push_str(&format!("{path}\t{}\t{n}\t{c}\n", qual(f, *s)));
            }
            continue;
        }
        if has("--tests") || has("--inherits") {
            for c in if has("--tests") { &e.tests } else { &e.inherits } {
                let to = c.to.file.0 as usize;
                out.push_str(&format!(
                    "{path}\t{}\t{}\t{}\t{}\n",
                    qual(f, c.from),
                    files[to].0,
                    qual(to, c.to.symbol),
                    c.how.as_str()
                ));
            }
            continue;
        }
        for c in &e.calls {
            let to = c.to.file.0 as usize;
            for line in &c.lines {
                out.push_str(&format!(
                    "{path}\t{}\t{}\t{}\t{line}\t{}\t{}\n",
                    qual(f, c.from),
                    files[to].0,
                    qual(to, c.to.symbol),
                    c.how.as_str(),
                    c.how.confidence()
                ));
            }
        }
    }
    print!("{out}");
    Ok(())
}
