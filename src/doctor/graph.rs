//! One repository's graph: age, health, who is at work on it, what waits.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use super::run::run;
use super::{Finding, Level};
use crate::agents::engine;
use crate::repo::Repo;
use crate::store::{Gate, GateMode, Layout, StoreError};

/// `status` may have to wait for somebody and to replay a log.
const WAIT: Duration = Duration::from_secs(30);
/// Events beyond this slow the one down who takes them into the graph.
const MANY_EVENTS: usize = 20_000;
/// A log beyond this is replayed by every opener.
const LARGE_LOG: u64 = 4 * 1024 * 1024;

/// All there is to say. The graph is opened by `program status`, in a process of its own: a damaged file may take it
/// down.
pub fn check(repo: &Repo, layout: &Layout, program: &Path) -> Vec<Finding> {
    if !layout.dir().exists() {
        let says = format!("{} is not indexed", repo.root().display());
        return vec![Finding::new(Level::Note, "graph", says).fix("portolan index")];
    }
    let mut findings = vec![gate(layout)];
    findings.extend(status(repo, program));
    findings.push(journal(layout));
    findings.extend(crashes(layout));
    findings
}

/// The repository's folder, or what is wrong with it.
///
/// # Errors
/// The finding.
pub fn layout(repo: &Repo) -> Result<Layout, Box<Finding>> {
    let error = |text: String| Box::new(Finding::new(Level::Error, "graph", text));
    let tracked = repo.folder_is_tracked().map_err(|e| error(e.to_string()))?;
    Layout::open(repo.root(), tracked).map_err(|e| error(e.to_string()))
}

/// Forgets crashes, so that hooks open the graph again. Whether there were any.
///
/// # Errors
/// The marker cannot be removed.
pub fn clear_crashes(layout: &Layout) -> Result<bool, StoreError> {
    engine::clear(layout).map_err(|(marker, error)| StoreError::io("remove", marker, error))
}

fn crashes(layout: &Layout) -> Option<Finding> {
    let count = Some(engine::crashes(layout)).filter(|count| *count > 0)?;
    let says = format!("the engine crashed {count} times in a row");
    Some(if engine::is_skipped(layout) {
        Finding::new(Level::Error, "graph", format!("{says}: hooks do not open the graph any more"))
            .fix("portolan index --rebuild && portolan doctor --repair")
    } else {
        Finding::new(Level::Note, "graph", says)
    })
}

fn gate(layout: &Layout) -> Finding {
    match Gate::enter(layout, GateMode::Exclusive, Instant::now()) {
        Ok(_) => Finding::new(Level::Ok, "gate", "nobody holds the graph"),
        Err(StoreError::GateBusy { holder, .. }) => {
            Finding::new(Level::Note, "gate", format!("{holder} is at work on the graph"))
        }
        Err(error) => Finding::new(Level::Error, "gate", error.to_string()),
    }
}

fn journal(layout: &Layout) -> Finding {
    let segments = fs::read_dir(layout.journal()).into_iter().flatten().flatten();
    let events: usize = segments
        .filter_map(|segment| fs::read(segment.path()).ok())
        .map(|bytes| bytes.split(|b| *b == b'\n').filter(|line| !line.is_empty()).count())
        .sum();
    let says = format!("{events} events wait to be taken into the graph");
    match events {
        0 => Finding::new(Level::Ok, "journal", "no events wait"),
        n if n > MANY_EVENTS => Finding::new(Level::Warning, "journal", says).fix("portolan index"),
        _ => Finding::new(Level::Ok, "journal", says),
    }
}

fn status(repo: &Repo, program: &Path) -> Vec<Finding> {
    let mut command = Command::new(program);
    command.args(["status", "--json", "-n", "0", "-C"]).arg(repo.root());
    let ran = match run(command, b"", WAIT) {
        Ok(Some(ran)) => ran,
        Ok(None) => {
            let says = format!("it did not open within {} s", WAIT.as_secs());
            return vec![Finding::new(Level::Error, "graph", says).fix("portolan index --rebuild")];
        }
        Err(error) => return vec![Finding::new(Level::Error, "graph", format!("cannot start portolan: {error}"))],
    };
    let Ok(told) = serde_json::from_slice::<Json>(&ran.out) else {
        let says = format!("`portolan status` failed: {}", String::from_utf8_lossy(&ran.err).trim());
        return vec![Finding::new(Level::Error, "graph", says).fix("portolan index --rebuild")];
    };
    if let Some(message) = told["error"]["message"].as_str() {
        return vec![Finding::new(Level::Error, "graph", message).fix("portolan index --rebuild")];
    }
    let number = |name: &str| told[name].as_u64().unwrap_or(0);
    let mut findings = vec![health(&told)];
    if let Some(pid) = told["indexing"].as_u64() {
        findings.push(Finding::new(Level::Note, "index lock", format!("process {pid} is indexing")));
    } else {
        findings.push(Finding::new(Level::Ok, "index lock", "nobody is indexing"));
    }
    if number("wal_bytes") > LARGE_LOG {
        let says = format!("its log has {} MB, which each opener replays", number("wal_bytes") / 1_000_000);
        findings.push(Finding::new(Level::Warning, "graph", says).fix("portolan index"));
    }
    let names = |name: &str| -> Vec<String> {
        told[name].as_array().into_iter().flatten().filter_map(|n| n.as_str().map(str::to_owned)).collect()
    };
    let leftovers = names("leftover_builds");
    if !leftovers.is_empty() {
        let says = format!("builds of dead indexers: {}", leftovers.join(", "));
        findings.push(Finding::new(Level::Note, "graph", says).fix("portolan index"));
    }
    let aside = names("set_aside");
    if !aside.is_empty() {
        let says = format!("damaged files were set aside: {}", aside.join(", "));
        findings.push(Finding::new(Level::Note, "graph", says).fix("remove them when nothing is missing"));
    }
    findings
}

fn health(told: &Json) -> Finding {
    if let Some(error) = told["error"].as_str() {
        // Somebody who works on it is no fault of the graph.
        let busy = error.contains("busy") || error.contains("held") || error.contains("holds");
        let finding = Finding::new(if busy { Level::Warning } else { Level::Error }, "graph", error);
        return if busy { finding } else { finding.fix("portolan index --rebuild") };
    }
    let Some(at) = told["indexed_at"].as_i64() else {
        return Finding::new(Level::Note, "graph", "not indexed").fix("portolan index");
    };
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let minutes = now.saturating_sub(at.unsigned_abs()) / 60;
    let age = match minutes {
        0..120 => format!("{minutes} minutes"),
        120..2880 => format!("{} hours", minutes / 60),
        _ => format!("{} days", minutes / 1440),
    };
    if told["up_to_date"] == true {
        return Finding::new(Level::Ok, "graph", format!("opens, made {age} ago, up to date"));
    }
    match (told["changed_files"].as_u64(), told["changed_commits"].as_u64()) {
        (Some(files), Some(commits)) => {
            let says = format!("opens, made {age} ago; {files} files and {commits} commits changed since");
            Finding::new(Level::Note, "graph", says).fix("portolan index")
        }
        _ => Finding::new(Level::Warning, "graph", "another version of portolan made it").fix("portolan index"),
    }
}
