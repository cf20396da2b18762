//! Graph files that are not what they were.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::ran::{add_lesson, lessons, nothing_panics, portolan, with_a_lesson};

/// Breaks an indexed repository; every command says so, nothing is deleted, and a rebuild gets past it with the lesson kept.
fn broken(word: &str, hurt: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    let graph = root.join(".portolan/graph.kuzu");
    hurt(&graph);
    let before = fs::read(&graph).unwrap();
    for args in [&["index"][..], &["map", "number"], &["callers", "f3_0"], &["cypher", "RETURN 1"], &["export", "dump"]]
    {
        portolan(&root, args).says(&[word, "graph.kuzu", "portolan index --rebuild"]);
    }
    let status = portolan(&root, &["status"]);
    assert_ne!(status.code, Some(0), "{status:?}");
    assert!(format!("{}{}", status.out, status.err).contains("portolan index --rebuild"), "{status:?}");
    nothing_panics(&root);
    assert_eq!(fs::read(&graph).unwrap(), before, "a damaged graph is not touched");

    portolan(&root, &["index", "--rebuild"]).ok();
    assert_eq!(lessons(&root), ["kept"]);
    assert_eq!(fs::read(root.join(".portolan/graph.kuzu.aside-1")).unwrap(), before);
    assert_eq!(portolan(&root, &["callers", "f3_0"]).code, Some(0));
    assert!(portolan(&root, &["index"]).ok().starts_with("up to date"));
}

fn flip(path: &Path, from: usize, len: usize) {
    let file = OpenOptions::new().read(true).write(true).open(path).unwrap();
    let mut bytes = vec![0; len];
    file.read_exact_at(&mut bytes, from as u64).unwrap();
    bytes.iter_mut().for_each(|b| *b ^= 0xff);
    file.write_all_at(&bytes, from as u64).unwrap();
}

fn len(path: &Path) -> usize {
    usize::try_from(path.metadata().unwrap().len()).unwrap()
}

#[test]
fn flipped_bytes_at_the_head() {
    broken("damaged", |graph| flip(graph, 0, 4));
}

/// The engine reads these without a check and dies of it.
#[test]
fn flipped_bytes_in_the_middle() {
    broken("damaged", |graph| flip(graph, len(graph) / 2, len(graph) / 2 - 4096));
}

#[test]
fn flipped_bytes_at_the_tail() {
    broken("damaged", |graph| flip(graph, len(graph) - 8192, 8192));
}

#[test]
fn cut_in_half() {
    broken("damaged", |graph| {
        OpenOptions::new().write(true).open(graph).unwrap().set_len(len(graph) as u64 / 2).unwrap()
    });
}

#[test]
fn cut_to_nothing() {
    broken("the file is empty", |graph| fs::write(graph, "").unwrap());
}

#[test]
fn a_text_file() {
    broken("damaged", |graph| fs::write(graph, "Dear graph,\n").unwrap());
}

#[test]
fn a_log_of_zeroes() {
    broken("graph.kuzu.wal", |graph| {
        let wal = graph.with_file_name("graph.kuzu.wal");
        let file = OpenOptions::new().write(true).open(&wal).unwrap();
        file.write_all_at(&vec![0; len(&wal)], 0).unwrap();
    });
}

#[test]
fn one_flipped_byte_of_the_log() {
    broken("graph.kuzu.wal", |graph| {
        let wal = graph.with_file_name("graph.kuzu.wal");
        flip(&wal, len(&wal) / 2, 1);
    });
}

#[test]
fn a_log_that_lost_its_end() {
    broken("graph.kuzu.wal", |graph| {
        let wal = graph.with_file_name("graph.kuzu.wal");
        OpenOptions::new().write(true).open(&wal).unwrap().set_len(len(&wal) as u64 - 20).unwrap();
    });
}

/// A log whose seal is gone as well: the engine's own judgement.
#[test]
fn a_foreign_log_without_a_seal() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    fs::remove_file(root.join(".portolan/graph.seal")).unwrap();
    flip(&root.join(".portolan/graph.kuzu.wal"), 0, 64);
    portolan(&root, &["callers", "f3_0"]).says(&["damaged", "portolan index --rebuild"]);
    nothing_panics(&root);
    portolan(&root, &["index", "--rebuild"]).ok();
    assert_eq!(lessons(&root), ["kept"]);
}

/// What a killed writer leaves at the end of the log is no damage.
#[test]
fn a_torn_end_behind_what_was_committed() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    add_lesson(&root, "second");
    let wal = root.join(".portolan/graph.kuzu.wal");
    let mut bytes = fs::read(&wal).unwrap();
    bytes.extend_from_within(bytes.len() - 30..bytes.len() - 3);
    let file = OpenOptions::new().write(true).open(&wal).unwrap();
    file.write_all_at(&bytes, 0).unwrap();
    assert_eq!(lessons(&root), ["kept", "second"]);
    add_lesson(&root, "third");
    assert_eq!(lessons(&root), ["kept", "second", "third"]);
}

#[test]
fn a_log_beside_a_missing_graph() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    fs::remove_file(root.join(".portolan/graph.kuzu")).unwrap();
    let log = fs::read(root.join(".portolan/graph.kuzu.wal")).unwrap();
    portolan(&root, &["index"]).ok();
    assert_eq!(fs::read(root.join(".portolan/graph.kuzu.wal.aside-1")).unwrap(), log);
    assert_eq!(lessons(&root), ["kept"], "memory.jsonl is read into the new graph");
}

#[test]
fn a_folder_in_the_graphs_place() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    let graph = root.join(".portolan/graph.kuzu");
    fs::remove_file(&graph).unwrap();
    fs::create_dir(&graph).unwrap();
    for args in [&["index"][..], &["index", "--rebuild"], &["callers", "f3_0"]] {
        portolan(&root, args).says(&["graph.kuzu", "not a regular file", "move it away"]);
    }
    nothing_panics(&root);
    fs::remove_dir(&graph).unwrap();
    portolan(&root, &["index"]).ok();
    assert_eq!(lessons(&root), ["kept"]);
}

#[test]
fn a_damaged_copy_of_agents_memory() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    fs::write(root.join(".portolan/memory.jsonl"), "{\"table\":\"Lesson\",\"id\":\n").unwrap();
    fs::write(root.join(".portolan/graph.kuzu"), "no graph").unwrap();
    portolan(&root, &["index", "--rebuild"]).says(&["memory.jsonl", "line 1", "move the file away"]);
    assert!(root.join(".portolan/graph.kuzu").exists() || root.join(".portolan/graph.kuzu.aside-1").exists());
    fs::remove_file(root.join(".portolan/memory.jsonl")).unwrap();
    portolan(&root, &["index", "--rebuild"]).ok();
}

#[test]
fn damaged_caches() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    let whole = super::ran::dump(&root);
    let cache = root.join(".portolan/cache");
    let names: Vec<_> = fs::read_dir(&cache).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(names.len() >= 6, "{names:?}");
    for name in &names {
        let path = cache.join(name);
        let good = fs::read(&path).unwrap();
        let mut flipped = good.clone();
        let middle = good.len() / 2;
        flipped[middle] ^= 0xff;
        let noise: Vec<u8> =
            good.iter().enumerate().map(|(i, b)| if i < 8 { *b } else { b.wrapping_mul(31) ^ 0x5a }).collect();
        for bad in [&good[..good.len() / 2], b"", &good[..9.min(good.len())], &flipped, &noise] {
            fs::write(&path, bad).unwrap();
            let map = portolan(&root, &["map", "number"]);
            assert!(map.code == Some(0) || map.err.contains("portolan index"), "{name:?}: {map:?}");
            portolan(&root, &["status"]);
            portolan(&root, &["index"]).ok();
            assert_eq!(super::ran::dump(&root), whole, "{name:?}");
            portolan(&root, &["map", "number"]).ok();
        }
    }
    assert_eq!(lessons(&root), ["kept"]);
}
