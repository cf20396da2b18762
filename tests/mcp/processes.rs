//! Servers, workers and other processes: none stands in another's way, none is left behind.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use portolan::store::{Gate, GateMode, Layout};
use serde_json::json;

use super::client::{Client, LIMIT, Start, indexed, project, run, text, until, write};

/// Worker processes of a server.
fn workers(client: &Client) -> Vec<u32> {
    let pid = client.pid();
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    children.split_whitespace().map(|pid| pid.parse().unwrap()).collect()
}

/// Whether the process reads the graph's gate at this moment: it waits for it.
fn waits_at_the_gate(pid: u32) -> bool {
    let Ok(open) = fs::read_dir(format!("/proc/{pid}/fd")) else { return false };
    open.filter_map(|fd| fs::read_link(fd.ok()?.path()).ok()).any(|file| file.ends_with(".portolan/gate"))
}

fn is_there(pid: u32) -> bool {
    // A zombie has ended.
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

fn kill(pid: u32) {
    assert!(Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap().success());
}

/// A call that waits for the graph, which the test holds, and the worker that answers it.
fn waiting_call(client: &mut Client) -> (u64, u32) {
    let id = client.send_call("symbol", json!({"name": "pay"}));
    let worker = until("a worker at the gate", || workers(client).into_iter().find(|pid| waits_at_the_gate(*pid)));
    (id, worker)
}

#[test]
fn a_worker_killed_in_the_middle_costs_one_answer() {
    let folder = indexed();
    let mut client = Start::new(folder.path()).start();
    let layout = Layout::at(folder.path());
    let gate = Gate::enter(&layout, GateMode::Exclusive, Instant::now() + LIMIT).unwrap();
    let (id, worker) = waiting_call(&mut client);
    kill(worker);
    let reason = text(&client.answer(id), true);
    assert!(reason.contains("signal 9"), "{reason}");
    drop(gate);
    assert!(client.call("symbol", json!({"name": "pay"})).contains("shop/checkout.py"));
    // One that dies while it has nothing to do costs none.
    let idle = workers(&client);
    assert!(!idle.is_empty());
    idle.iter().for_each(|pid| kill(*pid));
    idle.iter().for_each(|pid| until("it has ended", || (!is_there(*pid)).then_some(())));
    assert!(client.call("symbol", json!({"name": "pay"})).contains("shop/checkout.py"));
}

#[test]
fn a_cancelled_call_frees_its_worker_and_gets_no_answer() {
    let folder = indexed();
    let mut client = Start::new(folder.path()).start();
    let layout = Layout::at(folder.path());
    let gate = Gate::enter(&layout, GateMode::Exclusive, Instant::now() + LIMIT).unwrap();
    let (id, worker) = waiting_call(&mut client);
    client.notify("notifications/cancelled", json!({"requestId": id, "reason": "not needed"}));
    until("the worker ends", || (!is_there(worker)).then_some(()));
    drop(gate);
    assert!(client.call("symbol", json!({"name": "pay"})).contains("shop/checkout.py"));
    assert!(client.wait_for(id, Duration::ZERO).is_none(), "an answer to what was cancelled");
}

#[test]
fn a_call_that_waits_keeps_no_other_from_its_answer() {
    let (folder, other) = (indexed(), indexed());
    let mut client = Start::new(folder.path()).start();
    let layout = Layout::at(folder.path());
    let gate = Gate::enter(&layout, GateMode::Exclusive, Instant::now() + LIMIT).unwrap();
    let (id, _) = waiting_call(&mut client);
    let text_of_other = client.call("symbol", json!({"name": "pay", "root": other.path()}));
    assert!(text_of_other.contains("shop/checkout.py"), "{text_of_other}");
    assert!(client.wait_for(id, Duration::ZERO).is_none());
    drop(gate);
    assert!(text(&client.answer(id), false).contains("shop/checkout.py"));
}

#[test]
fn everything_ends_when_stdin_closes() {
    let folder = indexed();
    let mut client = Start::new(folder.path()).start();
    client.call("symbol", json!({"name": "pay"}));
    let left = workers(&client);
    assert!(!left.is_empty());
    assert!(client.close().success());
    left.into_iter().for_each(|pid| until("a worker ends", || (!is_there(pid)).then_some(())));
    // Before the first message, too.
    assert!(Start::new(folder.path()).raw().close().success());
    // A question that was asked before is still answered.
    let mut child = Command::new(env!("CARGO_BIN_EXE_portolan"));
    child.arg("mcp").current_dir(folder.path());
    let info = json!({"name": "tests", "version": "1"});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info});
    let call = json!({"name": "symbol", "arguments": {"name": "pay"}});
    let input = format!(
        "{}\n{}\n",
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}),
    );
    let done = assert_cmd::Command::from_std(child).write_stdin(input).timeout(LIMIT).output().unwrap();
    assert!(String::from_utf8_lossy(&done.stdout).contains("shop/checkout.py"), "{done:?}");
}

#[test]
fn a_server_that_is_killed_leaves_no_worker() {
    let folder = indexed();
    let mut client = Start::new(folder.path()).start();
    client.call("symbol", json!({"name": "pay"}));
    let layout = Layout::at(folder.path());
    let gate = Gate::enter(&layout, GateMode::Exclusive, Instant::now() + LIMIT).unwrap();
    let (_, busy) = waiting_call(&mut client);
    let left = workers(&client);
    assert!(left.contains(&busy));
    kill(client.pid());
    left.into_iter().for_each(|pid| until("a worker ends", || (!is_there(pid)).then_some(())));
    drop(gate);
}

#[test]
fn two_servers_and_an_indexer_on_one_graph() {
    let folder = project();
    let root = folder.path().to_owned();
    let indexer = std::thread::spawn({
        let root = root.clone();
        move || {
            for i in 0..4 {
                write(&root, "shop/busy.py", &format!("def busy_{i}():\n    pass\n"));
                run(&root, if i % 2 == 0 { &["index"] } else { &["index", "--rebuild"] });
            }
        }
    });
    let servers: Vec<_> = (0..2)
        .map(|_| {
            let root = root.clone();
            std::thread::spawn(move || {
                let mut client = Start::new(&root).start();
                let mut answered = 0;
                for _ in 0..25 {
                    let asked = [
                        client.send_call("symbol", json!({"name": "price_of"})),
                        client.send_call("history", json!({"file": "shop/cart.py"})),
                        client.send_call("orient", json!({"task": "price_of fails for an item without a price"})),
                    ];
                    for id in asked {
                        let answer = client.answer(id)["result"]["content"][0]["text"].as_str().unwrap().to_owned();
                        // On a machine that is slow enough a rebuild outlasts a question's patience; then it says so.
                        let busy =
                            ["try again", "ask again", "run it again later"].iter().any(|say| answer.contains(say));
                        assert!(busy || answer.contains("shop/cart.py"), "{answer}");
                        answered += usize::from(!busy);
                    }
                }
                assert!(answered > 37, "{answered} of 75 answered");
                assert!(client.close().success());
            })
        })
        .collect();
    servers.into_iter().for_each(|server| server.join().unwrap());
    indexer.join().unwrap();
}
