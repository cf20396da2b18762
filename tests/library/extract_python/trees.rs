//! Cost and robustness on real repositories.

use portolan::extract::extract;
use portolan::facts::Facts;
use portolan::lang;

/// Extracts every Python file under the folders in `PORTOLAN_TREES` (colon-separated) and prints where the time goes:
/// `PORTOLAN_TREES=... cargo test --release --test library python_trees -- --ignored --nocapture`.
#[test]
#[ignore = "needs real repositories in PORTOLAN_TREES"]
fn python_trees() {
    use std::time::Duration;
    /// CPU time of this thread: the machine may be busy.
    struct Cpu(Duration);
    impl Cpu {
        fn now() -> Cpu {
            let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
            // SAFETY: writes one timespec.
            unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut t) };
            Cpu(Duration::new(t.tv_sec as u64, t.tv_nsec as u32))
        }
        fn elapsed(&self) -> Duration {
            Cpu::now().0 - self.0
        }
    }
    let lang = lang::by_name("python").unwrap();
    for root in std::env::var("PORTOLAN_TREES").expect("PORTOLAN_TREES").split(':') {
        let sources: Vec<String> = ignore::Walk::new(root)
            .filter_map(Result::ok)
            .filter(|e| e.path().extension().is_some_and(|x| x == "py" || x == "pyi"))
            .filter_map(|e| std::fs::read(e.path()).ok())
            .map(|b| String::from_utf8_lossy(&b).into_owned())
            .collect();
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&lang.grammar("py")).unwrap();
        let start = Cpu::now();
        for source in &sources {
            std::hint::black_box(parser.parse(source, None));
        }
        let parse = start.elapsed();
        let start = Cpu::now();
        let extracted: Vec<_> = sources.iter().map(|s| extract(lang, "py", s)).collect();
        let all = start.elapsed();
        let count = |f: &dyn Fn(&Facts) -> usize| extracted.iter().map(|e| f(&e.facts)).sum::<usize>();
        let encoded: usize = extracted.iter().map(|e| postcard::to_stdvec(&e.facts).unwrap().len()).sum();
        let start = Cpu::now();
        let bytes: Vec<_> = extracted.iter().map(|e| postcard::to_stdvec(&e.facts).unwrap()).collect();
        let encode = start.elapsed();
        let start = Cpu::now();
        for b in &bytes {
            std::hint::black_box(postcard::from_bytes::<Facts>(b).unwrap());
        }
        let decode = start.elapsed();
        let start = Cpu::now();
        let mut entries = 0usize;
        for e in &extracted {
            let r = e.terms.reader();
            entries += r.words().map(str::len).sum::<usize>() / 1_000_000;
            entries +=
                r.units().map(|u| u.entries.map(|e| e.counts[0] as usize / 70_000 + 1).sum::<usize>()).sum::<usize>();
        }
        let read = start.elapsed();
        println!(
            "{root}: {} files, parse {parse:?}, walk and terms {:?}; facts {encoded} B (encode {encode:?}, decode {decode:?}), terms {} B (read {read:?}, {entries} entries)",
            sources.len(),
            all.saturating_sub(parse),
            extracted.iter().map(|e| e.terms.as_bytes().len()).sum::<usize>(),
        );
        println!(
            "  symbols {} exprs {} names {} calls {} refs {} binds {} attrs {} imports {} errors {}",
            count(&|f| f.symbols.len()),
            count(&|f| f.exprs.len()),
            count(&|f| f.names.len()),
            count(&|f| f.calls.len()),
            count(&|f| f.refs.len()),
            count(&|f| f.binds.len()),
            count(&|f| f.attrs.len()),
            count(&|f| f.imports.len()),
            count(&|f| f.syntax_errors as usize),
        );
        assert!(all < Duration::from_secs(600));
    }
}
