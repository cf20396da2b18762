//! Changes written into the graph as it is: one transaction, only rows that differ.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::manifest::Manifest;
use super::past;
use super::pending::{self, INTERFACE_MAGIC, Parts, Pending};
use super::state::{Code, parsed, rank};
use super::{IndexError, Outcome, Run, Try, Wanted, new_generation};
use crate::agents;
use crate::cache::{FactsCache, read_sealed};
use crate::facts::Facts;
use crate::history::{self, HistoryRows};
use crate::resolve::{Interface, Project};
use crate::rows::{FileEdges, FileNo};
use crate::store::change;
use crate::store::diff::Changes;
use crate::store::index_lock::{self, IndexLock};
use crate::store::memory::Memory;
use crate::store::owner::boot_clock_ms;
use crate::store::read_files::read_file_states;
use crate::store::rows::{EdgeKind, FileState};
use crate::store::{Graph, StoreError, schema};

/// With more files than this to look at again, and more than a quarter of all, a new file is quicker.
const FEW_FILES: usize = 60;
/// With more row changes than this, and than one for so many symbols, a new file is quicker.
const FEW_ROWS: usize = 1500;
const SYMBOLS_A_ROW: usize = 12;

/// What phase 2 gave for the files that were looked at again.
struct Resolved {
    /// Indices into the run's files.
    dirty: Vec<usize>,
    /// Their rows, in the same order.
    states: Vec<FileState>,
    interface: Interface,
}

/// How the transaction ended.
enum Written {
    Done,
    Busy(String),
    /// The graph is of another generation than the changes were made for.
    Stale,
    /// Too much to write row by row.
    TooMuch,
}

impl Run<'_> {
    /// Updates the graph from the state that `manifest` describes; builds anew where that is quicker.
    pub(super) fn update(
        &self,
        cache: &mut FactsCache,
        wanted: Wanted,
        manifest: Manifest,
        lock: &mut Option<IndexLock>,
    ) -> Result<Try, IndexError> {
        let (changed, gone) = wanted.changes(&manifest);
        let interface_path = self.repo.cache_file("interface");
        let old_interface: Option<Interface> = read_sealed(&interface_path, INTERFACE_MAGIC, &manifest.generation);
        let old_history = wanted.old_history(&manifest);
        let (Some(old_interface), Some(old_history)) = (old_interface, old_history) else {
            return self.build(cache, wanted, lock);
        };
        let total = wanted.sources.files.len();
        let many = |n: usize| n > FEW_FILES && n > total / 4;
        if many(changed.len() + gone.len()) {
            return self.build(cache, wanted, lock);
        }
        self.save_caches(cache, &wanted)?;
        let facts = wanted.sources.facts(cache)?;
        let Some(resolved) = self.resolve_dirty(&wanted, &facts, &changed, &old_interface, many) else {
            drop((facts, old_interface));
            return self.build(cache, wanted, lock);
        };
        let generation = new_generation();
        self.progress.stage("Working out the history", 0);
        let history_rows = history::derive(&wanted.history, &wanted.paths());
        self.progress.stage("Writing the search index", 0);
        let pending = Pending::write(
            &self.store.layout().cache(),
            &Parts {
                manifest: &wanted.manifest(generation.clone()),
                interface: &resolved.interface,
                files: &wanted.sources.files,
                facts: &facts,
                cache,
                history: &wanted.history,
                commits: &wanted.commits,
                rows: &history_rows,
            },
        )?;
        self.progress.stage("Writing changes", 0);
        let work = Write {
            run: self,
            wanted: &wanted,
            gone: &gone,
            resolved: &resolved,
            old_history: &old_history,
            history: &history_rows,
            from: &manifest.generation,
            to: &generation,
            few_rows: FEW_ROWS.max(facts.iter().map(|f| f.symbols.len()).sum::<usize>() / SYMBOLS_A_ROW),
        };
        let written = self.store.write(self.options.gate_wait, |graph| work.write(graph, lock, pending))?;
        match written {
            Written::Done => {
                let changed = changed.len() + gone.len();
                Ok(Try::Done(wanted.report(Outcome::Updated, changed, resolved.dirty.len())))
            }
            Written::Busy(owner) => Ok(Try::Busy(owner)),
            Written::Stale => Ok(Try::Again),
            Written::TooMuch => {
                drop((facts, resolved));
                self.build(cache, wanted, lock)
            }
        }
    }

    /// Phases 1 and 2; `None` when so many files are concerned that building anew is quicker.
    fn resolve_dirty(
        &self,
        wanted: &Wanted,
        facts: &[Facts],
        changed: &[usize],
        old: &Interface,
        many: impl Fn(usize) -> bool,
    ) -> Option<Resolved> {
        self.progress.stage("Resolving", 0);
        let files = &wanted.sources.files;
        let config = self.project_config(&wanted.sources);
        let project = Project::build(wanted.source_files(facts), &config, &wanted.scip.targets);
        let interface = project.interface();
        let names = Interface::changed_names(old, &interface);
        let changed: FxHashSet<usize> = changed.iter().copied().collect();
        let dirty: Vec<usize> = (0..files.len())
            .filter(|i| {
                changed.contains(i)
                    || (!names.is_empty() && facts[*i].names.iter().any(|n| names.contains(&Interface::name_hash(n))))
            })
            .collect();
        if many(dirty.len()) {
            return None;
        }
        let parsed = parsed(files);
        let code = Code::new(files, facts, &parsed);
        let states = dirty
            .par_iter()
            .map(|&i| match parsed.binary_search(&i) {
                Ok(no) => {
                    let no = FileNo(no as u32);
                    let edges: FileEdges = project.resolve_file(no);
                    // Ranks are those in the graph until the transaction has written the edges.
                    code.file_state(no, &edges, |_| 0.0)
                }
                Err(_) => Code::plain_state(&files[i], &facts[i]),
            })
            .collect();
        Some(Resolved { dirty, states, interface })
    }
}

impl Wanted {
    /// The history rows that the graph holds; `None` when the cache does not remember them.
    fn old_history(&self, manifest: &Manifest) -> Option<HistoryRows> {
        let paths: Vec<&str> = manifest.files.iter().map(|f| f.path.as_str()).collect();
        let Some(print) = &manifest.history else { return Some(HistoryRows::default()) };
        let last = self.commits.last()?;
        (format!("{:016x}", last.fingerprint()) == *print).then(|| history::derive(last, &paths))
    }
}

/// Everything that the transaction needs.
struct Write<'a> {
    run: &'a Run<'a>,
    wanted: &'a Wanted,
    gone: &'a [&'a str],
    resolved: &'a Resolved,
    old_history: &'a HistoryRows,
    history: &'a HistoryRows,
    from: &'a str,
    to: &'a str,
    few_rows: usize,
}

impl Write<'_> {
    fn write(&self, graph: &Graph, lock: &mut Option<IndexLock>, pending: Pending) -> Result<Written, IndexError> {
        if lock.is_none() {
            match index_lock::take(graph, &self.run.owner, boot_clock_ms())? {
                Ok(taken) => *lock = Some(taken),
                Err(state) => return Ok(Written::Busy(state.owner)),
            }
        }
        let Some(held) = lock.as_ref() else { return Ok(Written::Stale) };
        if schema::meta(graph, "generation")?.as_deref() != Some(self.from) {
            return Ok(Written::Stale);
        }
        let changes = self.changes(graph)?;
        if changes.len() > self.few_rows {
            return Ok(Written::TooMuch);
        }
        pending.announce()?;
        let written = graph.transaction(|graph| {
            held.check(graph, boot_clock_ms())?;
            change::apply(graph, &changes)
        });
        if written.is_err() {
            pending::settle(&self.run.store.layout().cache(), None);
        }
        written?;
        pending.put_in_place();
        // While nobody can be about to adopt one.
        self.run.clear_leftovers();
        let layout = self.run.store.layout();
        agents::drain::drain(graph, layout, &agents::Moment::now())?;
        // The engine wrote to it from end to end.
        // A marker that stays is told by `status` and `doctor`.
        let _ = agents::engine::clear(layout);
        if let Some(lock) = lock.take() {
            lock.release(graph, boot_clock_ms())?;
        }
        // Behind all that writes, so that the second copy is younger than the graph's log.
        Memory::export_lasting(graph)?.save(layout)?;
        Ok(Written::Done)
    }

    fn changes(&self, graph: &Graph) -> Result<Changes, IndexError> {
        let mut changes = Changes::default();
        let mut callees = Vec::new();
        let files = &self.wanted.sources.files;
        let paths: Vec<String> = self.resolved.dirty.iter().map(|&i| files[i].path.clone()).collect();
        let mut old = read_file_states(graph, &paths)?.into_iter().peekable();
        for state in &self.resolved.states {
            let old = old.next_if(|old| old.file.path == state.file.path);
            let mut new = state.clone();
            if let Some(old) = &old {
                keep_ranks(old, &mut new);
            }
            changes.file(old.as_ref(), &new);
        }
        let gone: Vec<String> = self.gone.iter().map(|p| (*p).to_owned()).collect();
        for state in read_file_states(graph, &gone)? {
            changes.file_gone(&state);
            let calls = state.edges.into_iter().filter(|e| e.key.kind == EdgeKind::Calls);
            callees.extend(calls.map(|e| e.key.to));
        }
        changes.history = past::changes(&self.old_history.changes_to(self.history));
        changes.meta.push(("generation".into(), self.to.into()));
        changes.meta.push(("tree".into(), self.wanted.tree()));
        self.ranks(graph, &mut changes, callees)?;
        Ok(changes)
    }

    /// Adds the centrality of the symbols that gained or lost a caller. Reckoned from the graph as it is before the
    /// changes: within the transaction the engine does not count all of what it has just written.
    fn ranks(&self, graph: &Graph, changes: &mut Changes, mut callees: Vec<String>) -> Result<(), StoreError> {
        let calls = |kind| kind == EdgeKind::Calls;
        callees.extend(changes.edges_new.iter().filter(|e| calls(e.key.kind)).map(|e| e.key.to.clone()));
        callees.extend(changes.edges_gone.iter().filter(|e| calls(e.kind)).map(|e| e.to.clone()));
        callees.sort_unstable();
        callees.dedup();
        let gone: FxHashSet<&str> = changes.symbols_gone.iter().map(String::as_str).collect();
        callees.retain(|id| !gone.contains(id.as_str()));
        if callees.is_empty() {
            return Ok(());
        }
        let states = &self.resolved.states;
        let written: FxHashSet<&str> =
            states.iter().map(|s| s.file.path.as_str()).chain(self.gone.iter().copied()).collect();
        let mut callers: FxHashMap<&str, FxHashSet<&str>> =
            callees.iter().map(|id| (id.as_str(), FxHashSet::default())).collect();
        for edge in states.iter().flat_map(|s| &s.edges).filter(|e| calls(e.key.kind)) {
            if let Some(callers) = callers.get_mut(edge.key.to.as_str()) {
                callers.insert(&edge.key.from);
            }
        }
        for id in &callees {
            let others = change::read_callers(graph, id)?;
            let others = others.iter().filter(|(_, file)| !written.contains(file.as_str())).count();
            let own = callers.get(id.as_str()).map_or(0, FxHashSet::len);
            changes.ranks.push((id.clone(), rank((others + own) as u32)));
        }
        Ok(())
    }
}

/// Symbols keep the rank that the graph has for them; [`Write::ranks`] sees to those that gain or lose a caller.
fn keep_ranks(old: &FileState, new: &mut FileState) {
    for symbol in &mut new.symbols {
        if let Ok(at) = old.symbols.binary_search_by(|s| s.id.cmp(&symbol.id)) {
            symbol.rank = old.symbols[at].rank;
        }
    }
}
