//! Any number of processes at once: indexers beside each other and beside readers, and indexers
//! killed at any moment. Real processes of the real binary on one repository.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// For one process. Far beyond what any takes: eight of them on a busy machine take turns.
const LIMIT: Duration = Duration::from_secs(300);

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
    at_once(&root, n);
    assert_eq!(without_commits(&ok(&root, &["export", "dump"])), expected(files));
    for i in (0..files).step_by(7) {
        let path = root.join(format!("pkg/m{i}.py"));
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("def new{i}():\n    return f{i}_0()\n\n\n{text}")).unwrap();
    }
    at_once(&root, n);
    assert_eq!(ok(&root, &["export", "dump"]), fresh_dump(&root));
    nothing_is_left(&root);
}

/// The graph of a fresh index of a copy of the tree.
fn fresh_dump(root: &Path) -> String {
    let copy = tempfile::tempdir().unwrap();
    let fresh = copy.path().join("fresh");
    let status = Command::new("cp").arg("-a").arg(root).arg(&fresh).status().unwrap();
    assert!(status.success());
    let _ = fs::remove_dir_all(fresh.join(".portolan"));
    ok(&fresh, &["index"]);
    ok(&fresh, &["export", "dump"])
}

/// No build, no half-written file, no announcement, and no process.
fn nothing_is_left(root: &Path) {
    let mut left: Vec<String> = Vec::new();
    for folder in [root.join(".portolan"), root.join(".portolan/cache")] {
        let names = fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        left.extend(names.filter(|n| {
            ["part-", "build-", ".new", "aside", ".tmp"].iter().any(|w| n.contains(w)) || n == "unsettled"
        }));
    }
    assert_eq!(left, Vec::<String>::new(), "a killed indexer's files are cleared away");
    // Where there is no procfs nothing is seen.
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let working_here: Vec<_> = processes
        .filter(|process| fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(root)))
        .map(|process| fs::read_to_string(process.path().join("cmdline")).unwrap_or_default())
        .collect();
    assert_eq!(working_here, Vec::<String>::new(), "no process stays");
}

/// Runs `n` indexers, and two readers again and again until the last indexer ends. Each reader gets an answer, also
/// before the first graph is there: it makes one itself, or waits for it.
fn at_once(root: &Path, n: usize) {
    let read = || wait(command(root, &["map", "what does f3_0 return"]).spawn().unwrap(), LIMIT);
    let indexing = AtomicBool::new(true);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    while indexing.load(Ordering::Relaxed) {
                        let output = read();
                        assert!(
                            output.status.success(),
                            "{}: {}",
                            output.status,
                            String::from_utf8_lossy(&output.stderr)
                        );
                    }
                })
            })
            .collect();
        let indexers: Vec<Child> = (0..n).map(|_| command(root, &["index"]).spawn().unwrap()).collect();
        let outputs: Vec<Output> = indexers.into_iter().map(|c| wait(c, LIMIT)).collect();
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

fn length_of(root: &Path, prepare: impl Fn(usize)) -> Duration {
    let mut lengths: Vec<Duration> = (0..3)
        .map(|at| {
            prepare(at);
            let start = Instant::now();
            ok(root, &["index"]);
            start.elapsed()
        })
        .collect();
    lengths.sort();
    lengths[1]
}

/// `kill -9` after a different stretch of the run each time, for full builds and for updates; a stretch is a share of that
/// kind's own measured length. After each the graph has to become that of a fresh index: by the next run, or, with the
/// tree put back to what was indexed before, by the next question alone.
#[test]
fn killed_indexers_leave_nothing_that_the_next_run_does_not_mend() {
    let files = 60;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap().join("killed");
    repository(&root, files);
    let forget = || drop(fs::remove_dir_all(root.join(".portolan")));
    let edit = |at: usize| {
        let path = root.join(format!("pkg/m{}.py", at % files));
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("def extra_{at}():\n    return f{}_1()\n\n\n{text}", at % files)).unwrap();
        (path, text)
    };
    let build = length_of(&root, |_| forget());
    let update = length_of(&root, |at| drop(edit(at)));
    let mut killed = 0;
    let rounds = 50;
    for round in 0..rounds {
        // One in five from nothing.
        let (kind, whole) = if round % 5 == 0 { (0, build) } else { (1, update) };
        if kind == 0 {
            forget();
        }
        let (path, before) = edit(round);
        let mut child = command(&root, &["index"]).spawn().unwrap();
        let moment = whole.mul_f64((round as f64 + 0.5) / rounds as f64);
        let begun = Instant::now();
        while begun.elapsed() < moment && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        killed += usize::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
        if round % 2 == 0 {
            fs::write(&path, before).unwrap();
        } else {
            ok(&root, &["index"]);
        }
        let found = ok(&root, &["export", "dump"]);
        assert!(found == fresh_dump(&root), "round {round}, killed after {moment:?} of {whole:?}");
        ok(&root, &["status"]);
        // What a run that found nothing to do left is cleared by one that writes.
        edit(round);
        ok(&root, &["index"]);
        nothing_is_left(&root);
    }
    assert!(killed > rounds / 4, "only {killed} of {rounds} were killed before they ended");
}
