//! An indexer that is at work for long gives signs of life.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use portolan::config::Config;
use portolan::index::{Options, Outcome, index};
use portolan::progress::Progress;
use portolan::store::index_lock::state;
use portolan::store::{Layout, Store};

use super::fixture::Fixture;

const LIMIT: Duration = Duration::from_secs(60);

/// Holds the parser up until the lock has been renewed twice; and the writing of the search index, which comes later.
struct Slow {
    store: Store,
    seen: Mutex<Vec<i64>>,
}

impl Slow {
    fn until_renewed(&self, times: usize) {
        let end = Instant::now() + LIMIT;
        let mut signs = Vec::new();
        while signs.len() <= times {
            assert!(Instant::now() < end, "no sign of life in {LIMIT:?}: {signs:?}");
            let found = self.store.read(LIMIT, state).expect("the lock");
            assert_ne!(found.owner, "", "the lock is held");
            if signs.last() != Some(&found.at) {
                signs.push(found.at);
            }
        }
        self.seen.lock().unwrap().extend(signs);
    }
}

impl Progress for Slow {
    fn stage(&self, name: &str, _total: u64) {
        if name == "Writing the search index" {
            self.until_renewed(1);
        }
    }

    fn done(&self, _steps: u64) {
        let mut seen = self.seen.lock().unwrap();
        if seen.is_empty() {
            seen.push(0);
            drop(seen);
            self.until_renewed(2);
        }
    }

    fn note(&self, _text: &str) {}
}

#[test]
fn the_lock_is_renewed_while_files_are_parsed_and_while_the_graph_is_built() {
    let fixture = Fixture::git();
    fixture.write("a.py", "def f(): pass\n").commit("first");
    let repo = fixture.repo();
    let slow = Slow { store: Store::new(Layout::create(repo.root(), false).unwrap()), seen: Mutex::default() };
    let options = Options { heartbeat: Duration::from_millis(20), ..Options::default() };
    let report = index(&repo, &Config::default(), options, &slow).unwrap();
    assert_eq!(report.outcome, Outcome::Built);
    assert_eq!(slow.seen.lock().unwrap().len(), 1 + 3 + 2);
    assert_eq!(slow.store.read(LIMIT, state).unwrap().owner, "", "and given back");
}
