//! A project of 10 to 20 small files a language, made for the test: all its edges are listed by hand in
//! `tests/data/edges/`, and compared. Also: two runs give the same edges, in the same order.

use super::resolve_project::{edges_of, files, resolve};

const KINDS: &[&str] = &["CALLS", "INHERITS", "IMPORTS", "REFERENCES", "TESTS", "UNRESOLVED"];

fn check(project: &str, listed: &str) {
    let project = files(project);
    let got = edges_of(&project, KINDS);
    let want: Vec<String> =
        listed.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')).map(str::to_owned).collect();
    let missing: Vec<_> = want.iter().filter(|e| !got.contains(e)).collect();
    let extra: Vec<_> = got.iter().filter(|e| !want.contains(e)).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing: {missing:#?}\nnot listed: {extra:#?}");
    assert!(want.len() > 40, "a list that was cut short");
    let (one, two) = (resolve(&project), resolve(&project));
    assert_eq!(one.edges, two.edges);
    assert_eq!(one.interface, two.interface);
}

#[test]
fn python() {
    check(include_str!("../data/edges/python.txt"), include_str!("../data/edges/python.edges"));
}

#[test]
fn typescript() {
    check(include_str!("../data/edges/typescript.txt"), include_str!("../data/edges/typescript.edges"));
}

#[test]
fn javascript() {
    check(include_str!("../data/edges/javascript.txt"), include_str!("../data/edges/javascript.edges"));
}

#[test]
fn go() {
    check(include_str!("../data/edges/go.txt"), include_str!("../data/edges/go.edges"));
}

#[test]
fn java() {
    check(include_str!("../data/edges/java.txt"), include_str!("../data/edges/java.edges"));
}

#[test]
fn rust() {
    check(include_str!("../data/edges/rust.txt"), include_str!("../data/edges/rust.edges"));
}
