//! Many at once.

use std::process::Child;

use super::place::{Place, Ran, wait};

/// Starts all before any is waited for.
fn at_once(start: impl Fn(usize) -> Child, n: usize) -> Vec<Ran> {
    let children: Vec<Child> = (0..n).map(start).collect();
    children.into_iter().map(wait).collect()
}

#[test]
fn of_many_that_claim_one_file_by_hand_one_gets_it() {
    let place = Place::new();
    for round in 0..3 {
        let file = format!("src/f{round}.py");
        let ran = at_once(
            |n| {
                let name = format!("n{n}");
                place.command(&["claim", &file, "--as", &name, "--wait", "60"]).spawn().unwrap()
            },
            64,
        );
        let count = |code| ran.iter().filter(|r| r.code == Some(code)).count();
        assert_eq!((count(0), count(1)), (1, 63), "{ran:?}");
    }
    assert_eq!(place.count("()-[c:CLAIMS]->(:File)"), 3);
}

#[test]
fn of_eight_agents_that_edit_one_file_one_may() {
    let place = Place::new();
    for round in 0..3 {
        let file = format!("src/f{round}.py");
        let start = |n: usize| {
            use std::io::Write as _;
            let agent = place.agent(&format!("agent-{n}"));
            let payload = agent.payload(
                "PreToolUse",
                serde_json::json!({ "tool_name": "Write", "tool_use_id": format!("{round}"),
                    "tool_input": { "file_path": place.path(&file), "content": "x" } }),
            );
            let mut child = agent.start("PreToolUse").spawn().unwrap();
            child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
            child
        };
        let ran = at_once(start, 8);
        let free = ran.iter().filter(|r| r.denied().is_empty()).count();
        assert_eq!(free, 1, "{ran:?}\n{}", place.log());
    }
}

#[test]
fn a_stopped_holder_of_the_gate_holds_up_no_agent() {
    use std::os::unix::fs::OpenOptionsExt as _;
    let place = Place::new();
    // Held for good, as by a process that was stopped.
    let gate = std::fs::OpenOptions::new().write(true).mode(0o600).open(place.path(".portolan/gate")).unwrap();
    fs2::FileExt::lock_exclusive(&gate).unwrap();
    let agent = place.agent("one");
    let begun = std::time::Instant::now();
    let ran = agent.impatient().before_edit("src/cart.py", "1");
    assert!(begun.elapsed() < std::time::Duration::from_secs(10), "the host's own limit");
    assert_eq!(ran.denied(), "");
    assert_eq!(ran.told().lines().count(), 1, "{ran:?}");
    assert_eq!(agent.impatient().before_edit("src/tax.py", "2").out, "", "said once a session");
    assert!(place.log().contains("unknown src/cart.py"), "{}", place.log());
    drop(gate);
    assert_eq!(agent.before_edit("src/cart.py", "3").out, "");
    assert_eq!(place.count("(e:Event {kind: 'unknown'})"), 2, "the journal catches up");
}
