//! File systems without room, and those that cannot be written.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use super::ran::{PROGRAM, Ran, add_lesson, dump, lessons, portolan, repository, skipped, with_a_lesson, write};

/// Runs a shell script as root of a namespace of its own, where it may mount; `None` where that is refused.
fn with_mounts(folder: &Path, script: &str) -> Option<String> {
    let allowed = Command::new("unshare").args(["-rm", "true"]).stderr(Stdio::null()).status();
    if !allowed.is_ok_and(|s| s.success()) {
        return None;
    }
    let output = Command::new("unshare")
        .args(["-rm", "bash", "-eu", "-c", script])
        .current_dir(folder)
        .env("PORTOLAN", PROGRAM)
        .output()
        .unwrap();
    let text = format!("{}{}", String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{text}");
    assert!(!text.contains("panicked"), "{text}");
    Some(text)
}

const NO_MOUNTS: &str = "no user and mount namespaces here (unshare -rm)";

/// A first index on a small disk: an error with path and next step, then room, then a graph.
#[test]
fn a_disk_that_is_too_small_for_the_first_graph() {
    let folder = tempfile::tempdir().unwrap();
    repository(&folder.path().join("work"), 20);
    fs::create_dir(folder.path().join("disk")).unwrap();
    for megabytes in [2, 6, 12, 18, 22, 26] {
        let script = format!(
            "mount -t tmpfs -o size={megabytes}m tmpfs disk; cp -a work/. disk; cd disk
             code=0; $PORTOLAN index || code=$?; echo code $code
             code=0; $PORTOLAN callers f3_0 >/dev/null || code=$?; echo asked $code
             mount -o remount,size=200m .; $PORTOLAN index; $PORTOLAN callers f3_0; $PORTOLAN export dump | wc -l"
        );
        let Some(text) = with_mounts(folder.path(), &script) else { return skipped(NO_MOUNTS) };
        let small = text.contains("code 2");
        assert!(small || (megabytes > 18 && text.contains("code 0")), "{megabytes} MB: {text}");
        if small {
            assert!(text.contains("the disk is full; free some space") && text.contains("/disk/.portolan"), "{text}");
        }
        assert!(text.contains("callers of pkg/m3.py::f3_0"), "{text}");
    }
}

/// Updates and rebuilds with every amount of room that is left: none ends by a signal, none loses anything.
#[test]
fn a_disk_that_fills_up_later() {
    let folder = tempfile::tempdir().unwrap();
    repository(&folder.path().join("work"), 20);
    fs::create_dir(folder.path().join("disk")).unwrap();
    let script = "mount -t tmpfs -o size=60m tmpfs disk; cp -a work/. disk; cd disk
        $PORTOLAN index; $PORTOLAN cypher --write \"CREATE (:Lesson {id: 'kept', text: 't', at: 1, confirmed: 0, target: ''})\"
        for left in 0 8 64 200 600 1500 3500 4200 5000 8000 14000 17000 19000 34000; do
            rm -f fill; for i in 1 2 3; do echo \"def more_${left}_$i(): return f3_0()\" >> pkg/m$i.py; done
            $PORTOLAN export dump > ../before
            dd if=/dev/zero of=fill bs=1k status=none 2>/dev/null || true
            size=$(stat -c %s fill); truncate -s $((size - left * 1024)) fill
            # What the sparse end gives back must be taken by nobody else.
            code=0; $PORTOLAN index ${1:-} >../said 2>&1 || code=$?
            echo \"left $left code $code: $(cat ../said)\"
            [ $code = 0 ] || [ $code = 2 ]
            if [ $code = 2 ]; then grep -q -e 'free some space' -e 'No space left.*free space' ../said; $PORTOLAN export dump | cmp - ../before; fi
            $PORTOLAN cypher 'MATCH (l:Lesson) RETURN l.id' | grep -q kept
            $PORTOLAN callers f3_0 >/dev/null
            code=0; $PORTOLAN snapshot ../disk/copy.kuzu >../said 2>&1 || code=$?
            [ $code = 0 ] || { [ $code = 2 ] && grep -q -e 'free some space' -e 'No space left.*free space' ../said; }
            rm -f copy.kuzu
        done
        rm fill; $PORTOLAN index; $PORTOLAN callers f3_0 --all | grep -q more_34000_3
        $PORTOLAN cypher 'MATCH (l:Lesson) RETURN l.id' | grep -q kept; ls -A .portolan .portolan/cache";
    for rebuild in ["set --", "set -- --rebuild"] {
        let Some(text) = with_mounts(folder.path(), &format!("{rebuild}\n{script}")) else { return skipped(NO_MOUNTS) };
        assert!(text.contains("left 0 code 2") && text.contains("left 34000 code 0"), "{text}");
        let (_, left) = text.rsplit_once(".portolan:").unwrap();
        // File names; remarks have spaces.
        let left: Vec<&str> = left.lines().filter(|l| !l.contains(' ')).collect();
        assert!(!left.iter().any(|name| name.contains("part-") || name.contains("new-")), "{left:?}");
    }
}

#[test]
fn a_read_only_file_system() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    repository(&folder.path().join("fresh"), 2);
    let before = dump(&root);
    let script = "mount --bind 'work tree' 'work tree'; mount -o remount,bind,ro 'work tree'
        mount --bind fresh fresh; mount -o remount,bind,ro fresh
        for folder in 'work tree' fresh; do cd \"$folder\"
            for command in index 'index --rebuild' 'callers f3_0' 'map number' status 'cypher --write CHECKPOINT'; do
                code=0; $PORTOLAN $command || code=$?; echo \"$folder: $command: code $code\"
            done
        cd ..; done";
    let Some(text) = with_mounts(folder.path(), script) else { return skipped(NO_MOUNTS) };
    assert!(text.contains("fresh: index: code 2") && text.contains("work tree: index --rebuild: code 2"), "{text}");
    assert!(text.contains("the file system is read-only"), "{text}");
    assert_eq!(dump(&root), before);
}

/// A limit on the length of files is a full disk at a certain length; the signal must not end the process.
#[test]
fn a_limit_on_the_size_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let root = with_a_lesson(folder.path());
    let limited = |kilobytes: u64, args: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.current_dir(&root).args(args);
        // SAFETY: setrlimit is async-signal-safe.
        unsafe {
            command.pre_exec(move || {
                let limit = libc::rlimit { rlim_cur: kilobytes * 1024, rlim_max: kilobytes * 1024 };
                match libc::setrlimit(libc::RLIMIT_FSIZE, &limit) {
                    0 => Ok(()),
                    _ => Err(std::io::Error::last_os_error()),
                }
            });
        }
        Ran::of(command.output().unwrap())
    };
    for (at, kilobytes) in [1, 4, 16, 64, 512, 4096, 6000, 9000, 12_000, 20_000, 60_000].into_iter().enumerate() {
        write(&root, format!("pkg/limited{at}.py"), "def limited():\n    return f3_0()\n");
        let before = dump(&root);
        for args in [&["index"][..], &["index", "--rebuild"]] {
            let ran = limited(kilobytes, args);
            if ran.code == Some(0) {
                continue;
            }
            ran.says(&["the disk is full", ".portolan", "free some space"]);
            assert_eq!(dump(&root), before, "{kilobytes} kB");
        }
        assert_eq!(lessons(&root), ["kept"], "{kilobytes} kB");
        portolan(&root, &["index"]).ok();
    }
    add_lesson(&root, "late");
    assert_eq!(lessons(&root), ["kept", "late"]);
}
