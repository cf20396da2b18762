//! A graph that cannot be used: no agent notices more than one line, and nothing is deleted.

use std::fs;

use super::place::Place;

const TASK: &str = "the discount of a shopping cart is summed up wrongly in total";

/// Lines that an agent hears over a turn, maps left out.
fn heard(place: &Place) -> Vec<String> {
    let agent = place.agent("one");
    let runs = [
        agent.prompt(TASK),
        agent.before_edit("src/cart.py", "1"),
        agent.after_edit("src/cart.py", "1"),
        agent.before_edit("src/tax.py", "2"),
        agent.before_edit("src/report.py", "3"),
        agent.prompt(TASK),
        agent.stop(),
    ];
    let told = runs.iter().map(super::place::Ran::told).filter(|told| !told.contains("Likely places"));
    told.flat_map(|told| told.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn a_damaged_log_of_the_graph_costs_an_agent_one_line() {
    let place = Place::new();
    place.run(&["learn", "kept", "--as", "ann"]).ok();
    place.run(&["index", "--rebuild"]).ok();
    place.run(&["claim", "src/x.py", "--as", "ann"]).ok();
    let wal = place.path(".portolan/graph.kuzu.wal");
    let mut bytes = fs::read(&wal).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x40;
    fs::write(&wal, &bytes).unwrap();
    let heard = heard(&place);
    assert!(heard.len() <= 1, "{heard:?}");
    assert_eq!(fs::read(&wal).unwrap(), bytes, "nothing is deleted or mended unasked");
    assert!(place.run(&["status"]).out.contains("--rebuild"));
    place.run(&["index", "--rebuild"]).ok();
    assert_eq!(place.run(&["lessons", "--json"]).json()["lessons"][0]["text"], "kept");
    assert_eq!(place.agent("one").before_edit("src/cart.py", "9").out, "");
}

#[test]
fn a_truncated_graph_costs_an_agent_one_line() {
    let place = Place::new();
    place.run(&["learn", "kept", "--as", "ann"]).ok();
    place.run(&["index", "--rebuild"]).ok();
    let graph = place.path(".portolan/graph.kuzu");
    let bytes = fs::read(&graph).unwrap();
    fs::write(&graph, &bytes[..bytes.len() / 3]).unwrap();
    let heard = heard(&place);
    assert!(heard.len() <= 1, "{heard:?}");
    assert!(graph.exists());
    place.run(&["index", "--rebuild"]).ok();
    assert_eq!(place.run(&["lessons", "--json"]).json()["lessons"][0]["text"], "kept");
}

#[test]
fn a_stray_log_beside_a_missing_graph_is_set_aside() {
    let place = Place::new();
    place.run(&["claim", "src/x.py", "--as", "ann"]).ok();
    fs::remove_file(place.path(".portolan/graph.kuzu")).unwrap();
    assert!(place.path(".portolan/graph.kuzu.wal").exists());
    let heard = heard(&place);
    // A new graph is made, so the line of news after the edit may be among them.
    assert!(heard.iter().filter(|line| !line.contains("src/cart.py: tested by")).count() <= 1, "{heard:?}");
    place.run(&["index"]).ok();
    let aside = fs::read_dir(place.path(".portolan"))
        .unwrap()
        .filter(|e| e.as_ref().unwrap().file_name().to_str().unwrap().contains("wal.aside-"));
    assert_eq!(aside.count(), 1);
}

#[test]
fn after_three_crashes_in_a_row_the_graph_is_left_alone_and_that_is_said_once() {
    let place = Place::new();
    fs::write(place.path(".portolan/crashed"), "xxx").unwrap();
    let heard = heard(&place);
    assert_eq!(heard.len(), 1, "{heard:?}");
    assert!(heard[0].contains("portolan status"), "{heard:?}");
    assert!(place.run(&["status"]).out.contains("index --rebuild"), "{:?}", place.run(&["status"]));
    place.run(&["index", "--rebuild"]).ok();
    assert!(!place.path(".portolan/crashed").exists());
    assert!(!place.agent("two").prompt(TASK).told().is_empty());
}

/// With every amount of room that is left: an agent hears at most one line, and the graph is whole afterwards.
#[test]
fn a_full_disk_costs_an_agent_one_line() {
    let allowed =
        std::process::Command::new("unshare").args(["-rm", "true"]).stderr(std::process::Stdio::null()).status();
    if !allowed.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: no user and mount namespaces here (unshare -rm)");
        return;
    }
    let place = Place::new();
    let agent = place.agent("one");
    let call = |event: &str, tool: &str, id: &str| {
        let input = serde_json::json!({ "file_path": "/DISK/src/cart.py" });
        let more = serde_json::json!({ "tool_name": tool, "tool_use_id": id, "tool_input": input });
        let mut payload = agent.payload(event, more);
        payload["cwd"] = serde_json::json!("/DISK");
        payload.to_string()
    };
    let hook = "timeout 60 $P hook --host claude-code";
    let script = format!(
        "d=$(pwd)/disk; mkdir -p $d; mount -t tmpfs -o size=64m tmpfs $d; cp -a $(ls -A | grep -v disk) $d; cd $d
         say() {{ sed \"s#/DISK#$d#g\"; }}
         head -c 200m /dev/zero > filler 2>/dev/null || true
         for room in 0 4 64 6000; do
           truncate -s -${{room}}K filler
           echo '{read}' | say | {hook} post-tool-use
           echo '{edit}' | say | {hook} pre-tool-use
         done
         rm filler; $P --no-index claims --json; $P index; $P --no-index cypher 'MATCH (f:File) RETURN count(*)' >/dev/null",
        read = call("PostToolUse", "Read", "r"),
        edit = call("PreToolUse", "Edit", "e"),
    );
    let output = std::process::Command::new("unshare")
        .args(["-rm", "bash", "-eu", "-c", &script.replace("\\\"", "\"")])
        .current_dir(place.root())
        .env("P", super::place::PROGRAM)
        .output()
        .unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && !text.contains("panicked"), "{text}");
    assert!(text.matches("additionalContext").count() <= 4, "{text}");
    assert!(text.contains("src/cart.py"), "with room the claim is granted: {text}");
}
