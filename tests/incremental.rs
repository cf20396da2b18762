//! The graph after any series of edits equals the graph of a fresh index.
//!
//! A small project in several languages is edited at random (functions added, renamed, removed,
//! bases changed, files moved, removed and brought back, commits by several people, amends, other branches, `.mailmap`, settings); after each
//! edit `portolan index` runs on it, and the dump is compared with that of a fresh index of a
//! copy of the tree.

#[path = "incremental/project.rs"]
mod project;

use std::path::Path;
use std::process::Command;

use project::{Project, Random};

fn portolan(root: &Path, args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_portolan")).current_dir(root).args(args).output().unwrap();
    assert!(
        output.status.success(),
        "portolan {args:?} in {root:?}: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

fn copy_without_graph(from: &Path, to: &Path) {
    let status = Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(status.success());
    let _ = std::fs::remove_dir_all(to.join(".portolan"));
}

fn compare(project: &Project, step: &str) {
    portolan(project.root(), &["index"]);
    let incremental = portolan(project.root(), &["export", "dump"]);
    let copy = tempfile::tempdir().unwrap();
    let fresh_root = copy.path().join("fresh");
    copy_without_graph(project.root(), &fresh_root);
    portolan(&fresh_root, &["index"]);
    let fresh = portolan(&fresh_root, &["export", "dump"]);
    if incremental != fresh {
        let inc: std::collections::BTreeSet<_> = incremental.lines().collect();
        let fre: std::collections::BTreeSet<_> = fresh.lines().collect();
        let extra: Vec<_> = inc.difference(&fre).take(10).collect();
        let lacking: Vec<_> = fre.difference(&inc).take(10).collect();
        panic!("after {step}: the incremental graph has {extra:#?}, and lacks {lacking:#?}");
    }
    assert!(fresh.lines().count() > 20, "the dump is not empty: {fresh}");
}

fn series(seed: u64, steps: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(seed);
    let mut project = Project::create(&folder.path().join("project"), &mut random);
    compare(&project, "the first commit");
    let mut done = Vec::new();
    for _ in 0..steps {
        let edits = 1 + random.below(3);
        for _ in 0..edits {
            done.push(project.edit(&mut random));
        }
        compare(&project, &format!("seed {seed}, edits {done:#?}"));
    }
}

#[test]
fn random_edits_seed_1() {
    series(1, 14);
}

#[test]
fn random_edits_seed_2() {
    series(2, 14);
}

#[test]
fn random_edits_seed_3() {
    series(3, 14);
}

/// More seeds, for a long run by hand: `PORTOLAN_SEEDS=100..200 cargo test --release --test incremental -- --ignored`.
#[test]
#[ignore = "long; run by hand with PORTOLAN_SEEDS=FROM..TO"]
fn random_edits_many_seeds() {
    let range = std::env::var("PORTOLAN_SEEDS").unwrap_or_else(|_| "100..120".into());
    let (from, to) = range.split_once("..").expect("FROM..TO");
    for seed in from.parse().unwrap()..to.parse().unwrap() {
        series(seed, 30);
    }
}
