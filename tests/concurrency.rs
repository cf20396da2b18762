//! Any number of processes at once: indexers beside each other and beside readers, and indexers
//! killed at any moment. Real processes of the real binary on one repository.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn command(root: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portolan"));
    command.current_dir(root).args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(root: &Path, args: &[&str]) -> Output {
    command(root, args).output().unwrap()
}

fn ok(root: &Path, args: &[&str]) -> String {
    let output = run(root, args);
    assert!(output.status.success(), "portolan {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A repository of `files` Python files that import and call each other, with a short history.
fn repository(root: &Path, files: usize) {
    fs::create_dir_all(root.join("pkg")).unwrap();
    fs::write(root.join("pkg/__init__.py"), "").unwrap();
    for i in 0..files {
        let next = (i + 1) % files;
        let mut text = format!(
            "from pkg.m{next} import f{next}_0\n\n\nclass C{i}:\n    def go(self):\n        return self.stop()\n\n    def stop(self):\n        return f{next}_0()\n\n"
        );
        for j in 0..20 {
            let callee = if j == 0 { format!("f{next}_0") } else { format!("f{i}_{}", j - 1) };
            text += &format!("\ndef f{i}_{j}():\n    \"\"\"Number {j} of file {i}.\"\"\"\n    return {callee}()\n");
        }
        fs::write(root.join(format!("pkg/m{i}.py")), text).unwrap();
    }
    for args in [&["init", "-q"][..], &["add", "-A"], &["commit", "-q", "-m", "all"]] {
        let status = Command::new("git")
            .current_dir(root)
            .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org"])
            .args(args)
            .status()
            .unwrap();
        assert!(status.success());
    }
}

fn wait(mut child: Child, limit: Duration) -> Output {
    let end = Instant::now() + limit;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > end {
            child.kill().unwrap();
            panic!("a process did not end within {limit:?}");
        }
        std::thread::yield_now();
    }
    child.wait_with_output().unwrap()
}

fn expected(files: usize) -> String {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("alone");
    repository(&root, files);
    ok(&root, &["index"]);
    without_commits(&ok(&root, &["export", "dump"]))
}

/// Commit hashes differ between repositories made at different times.
fn without_commits(dump: &str) -> String {
    let lines = dump.lines().filter(|l| !["Commit", "AUTHORED", "TOUCHED"].iter().any(|w| l.contains(w)));
    lines.map(|l| format!("{l}\n")).collect()
}

/// Many indexers on a repository without a graph, then many on one that changed, each time with readers in a loop.
fn indexers_at_once(n: usize) {
    let files = 60;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("shared");
    repository(&root, files);
    at_once(&root, n, |reader| {
        // Until the first indexer is done there is nothing to read, and the answer says so.
        reader.status.success() || String::from_utf8_lossy(&reader.stderr).contains("run `portolan index` first")
    });
    assert_eq!(without_commits(&ok(&root, &["export", "dump"])), expected(files));
    for i in (0..files).step_by(7) {
        let path = root.join(format!("pkg/m{i}.py"));
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("def new{i}():\n    return f{i}_0()\n\n\n{text}")).unwrap();
    }
    at_once(&root, n, |reader| reader.status.success());
    let fresh = folder.path().join("fresh");
    let status = Command::new("cp").arg("-a").arg(&root).arg(&fresh).status().unwrap();
    assert!(status.success());
    fs::remove_dir_all(fresh.join(".portolan")).unwrap();
    ok(&fresh, &["index"]);
    assert_eq!(ok(&root, &["export", "dump"]), ok(&fresh, &["export", "dump"]));
}

/// Runs `n` indexers, and two readers again and again until the last indexer ends. Each answer of a reader
/// must be `fine`, and the one after all indexers a map.
fn at_once(root: &Path, n: usize, fine: impl Fn(&Output) -> bool + Sync) {
    let read = || wait(command(root, &["map", "what does f3_0 return"]).spawn().unwrap(), Duration::from_secs(60));
    let indexing = AtomicBool::new(true);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    while indexing.load(Ordering::Relaxed) {
                        let output = read();
                        assert!(fine(&output), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
                    }
                })
            })
            .collect();
        let indexers: Vec<Child> = (0..n).map(|_| command(root, &["index"]).spawn().unwrap()).collect();
        let outputs: Vec<Output> = indexers.into_iter().map(|c| wait(c, Duration::from_secs(120))).collect();
        indexing.store(false, Ordering::Relaxed);
        for reader in readers {
            reader.join().unwrap();
        }
        for output in outputs {
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {stderr}", output.status);
            assert!(!stderr.contains("lock on file"), "{stderr}");
        }
    });
    let last = read();
    assert!(last.status.success(), "{}", String::from_utf8_lossy(&last.stderr));
}

#[test]
fn two_indexers_give_the_graph_of_one() {
    indexers_at_once(2);
}

#[test]
fn eight_indexers_give_the_graph_of_one() {
    indexers_at_once(8);
}

/// `kill -9` after a different stretch of the run each time; the delay comes from the run's own length.
#[test]
fn killed_indexers_leave_nothing_that_the_next_run_does_not_mend() {
    let files = 60;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("killed");
    repository(&root, files);
    let start = Instant::now();
    ok(&root, &["index"]);
    let whole = start.elapsed();
    fs::remove_dir_all(root.join(".portolan")).unwrap();
    let rounds = 50;
    for round in 0..rounds {
        if round % 5 == 0 {
            let _ = fs::remove_dir_all(root.join(".portolan"));
        } else {
            let path = root.join(format!("pkg/m{}.py", round % files));
            let text = fs::read_to_string(&path).unwrap();
            fs::write(&path, format!("\n{text}")).unwrap();
        }
        let mut child = command(&root, &["index"]).spawn().unwrap();
        let moment = start_of(round, rounds, whole);
        let begun = Instant::now();
        while begun.elapsed() < moment && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let _ = child.kill();
        child.wait().unwrap();
        ok(&root, &["index"]);
        ok(&root, &["status"]);
    }
    // The files were shifted: bring the same shifts into a fresh repository's tree and compare.
    let fresh = folder.path().join("fresh");
    let status = Command::new("cp").arg("-a").arg(&root).arg(&fresh).status().unwrap();
    assert!(status.success());
    fs::remove_dir_all(fresh.join(".portolan")).unwrap();
    ok(&fresh, &["index"]);
    assert_eq!(ok(&root, &["export", "dump"]), ok(&fresh, &["export", "dump"]));
    let left: Vec<_> = fs::read_dir(root.join(".portolan"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|n| n.contains("build"))
        .collect();
    assert_eq!(left, Vec::<String>::new(), "builds of killed indexers are cleared away");
}

fn start_of(round: usize, rounds: usize, whole: Duration) -> Duration {
    whole.mul_f64((round as f64 + 0.5) / rounds as f64)
}
