//! The journal: nothing lost, nothing twice, whatever dies when.

use std::fs;
use std::time::{Duration, Instant};

use portolan::agents::journal::Journal;
use portolan::agents::record::{Kind, Record};
use portolan::agents::{Moment, Owner, drain_now};
use portolan::store::{Layout, Store};

use super::place::Place;

fn record(owner: &Owner, call: &str) -> Record {
    let mut record = Record::new(owner, Kind::Read, Moment::now(), call);
    record.paths = vec!["src/cart.py".into()];
    record
}

#[test]
fn many_writers_and_drainers_that_are_killed_lose_and_double_nothing() {
    let place = Place::new();
    let layout = Layout::at(place.root());
    let (writers, each) = (4, 100);
    std::thread::scope(|scope| {
        let writing: Vec<_> = (0..writers)
            .map(|w| {
                let layout = layout.clone();
                scope.spawn(move || {
                    let owner = Owner::new("test", &format!("w{w}"), None);
                    for n in 0..each {
                        let journal = Journal::of(&layout);
                        journal.append(&record(&owner, &n.to_string()), Duration::from_secs(5)).unwrap();
                    }
                })
            })
            .collect();
        let mut round: u32 = 0;
        while writing.iter().any(|w| !w.is_finished()) || round < 12 {
            let mut drainer = place.command(&["--no-index", "sessions"]).spawn().unwrap();
            let begun = Instant::now();
            // At another moment of its work each time.
            while begun.elapsed() < Duration::from_millis(u64::from(round % 12) * 8)
                && drainer.try_wait().unwrap().is_none()
            {
                std::thread::yield_now();
            }
            drainer.kill().unwrap();
            drainer.wait().unwrap();
            round += 1;
        }
    });
    assert_eq!(place.count("(e:Event {kind: 'read'})"), writers * each);
    let rows = place.cypher("MATCH (:Session)-[r:READ]->(:File) RETURN sum(r.count) AS n, count(*) AS rows");
    assert!(rows.to_string().contains(&(writers * each).to_string()), "{rows}");
    assert!(Journal::of(&layout).is_empty());
}

#[test]
fn a_torn_line_spoils_no_other() {
    let place = Place::new();
    let layout = Layout::at(place.root());
    let journal = Journal::of(&layout);
    let owner = Owner::new("test", "w", None);
    let wait = Duration::from_secs(5);
    journal.append(&record(&owner, "1"), wait).unwrap();
    let open = place.path(".portolan/journal/open");
    let torn = format!("{}\n{{\"id\":\"torn", fs::read_to_string(&open).unwrap());
    fs::write(&open, torn).unwrap();
    journal.append(&record(&owner, "2"), wait).unwrap();
    assert_eq!(drain_now(&Store::new(layout.clone()), wait).unwrap(), 2);
    assert!(fs::read_to_string(place.path(".portolan/journal/torn")).unwrap().contains("torn"));
    assert!(place.log().contains("torn"));
}

#[test]
fn events_of_more_than_thirty_days_ago_become_counts() {
    let place = Place::new();
    let agent = place.agent("old");
    let month = 31 * 86_400;
    agent.at(-month, 0).read("src/cart.py", "1");
    agent.at(-month, 0).read("src/cart.py", "2");
    assert_eq!(place.count("(e:Event)"), 0, "folded at once");
    let usage = place.run(&["usage", "--json"]).json();
    assert_eq!(usage["earlier_sessions"], 1, "{usage}");
    assert_eq!((usage["usage"]["reads"].as_i64(), usage["usage"]["rereads"].as_i64()), (Some(2), Some(1)), "{usage}");
}

#[test]
fn an_appender_that_is_stopped_holds_up_nobody() {
    use fs2::FileExt;
    let place = Place::new();
    let layout = Layout::at(place.root());
    let journal = Journal::of(&layout);
    let owner = Owner::new("test", "w", None);
    journal.append(&record(&owner, "1"), Duration::from_secs(5)).unwrap();
    // As one that was stopped while it writes, and one that was stopped while it seals.
    for exclusive in [false, true] {
        let file = fs::OpenOptions::new().append(true).open(place.path(".portolan/journal/open")).unwrap();
        if exclusive { FileExt::lock_exclusive(&file) } else { FileExt::lock_shared(&file) }.unwrap();
        let begun = Instant::now();
        journal.append(&record(&owner, &format!("2{exclusive}")), Duration::from_millis(100)).unwrap();
        drain_now(&Store::new(layout.clone()), Duration::from_secs(10)).unwrap();
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
    assert_eq!(place.count("(e:Event {kind: 'read'})"), 3);
}
