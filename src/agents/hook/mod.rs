//! What a hook does with an event: journal first, then what the event asks for. Fails open: whatever goes wrong, the
//! agent goes on, and the log says why.

mod edit;
mod give;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::clock::Moment;
use super::engine::{self, apart};
use super::journal::Journal;
use super::owner::Owner;
use super::record::{Kind, Record};
use super::state::{self, State};
use super::{lesson, log, place, process, redact};
use crate::hooks::{Event, EventKind, Reply, ToolKind, ToolUse};
use crate::index::background;
use crate::render::tokens::upper_bound;
use crate::repo::{FOLDER, Repo};
use crate::store::{Layout, Options, Store};

/// A claim is decided within this time, or left open. The engine gets somewhat less, so that it ends by itself.
const CLAIM: Duration = Duration::from_millis(3800);
/// The map for a prompt.
const PROMPT: Duration = Duration::from_millis(1400);
/// A line of news after an edit.
const NEWS: Duration = Duration::from_millis(150);
/// The journal at the end of a turn.
const DRAIN: Duration = Duration::from_millis(900);
/// What the engine's process needs beside its own waiting.
const MARGIN: Duration = Duration::from_millis(120);
/// A record.
const RECORD: Duration = Duration::from_millis(100);
/// Factor of these times, for tests on a machine that does much else.
const TEST_PATIENCE: &str = "PORTOLAN_TEST_PATIENCE";

/// A deadline as it holds now.
fn patient(wait: Duration) -> Duration {
    let factor = std::env::var(TEST_PATIENCE).ok().and_then(|f| f.parse::<u32>().ok());
    factor.map_or(wait, |factor| wait * factor.clamp(1, 100))
}

/// Claimed files that are looked at for unseen edits.
const WATCHED: usize = 16;

/// Searching from the shell.
const SEARCHERS: [&str; 9] = ["grep", "rg", "ag", "ack", "find", "fd", "fdfind", "egrep", "fgrep"];

/// The answer to an event. `speaks`: what is added on this event reaches the model. `program`: this program, which is
/// started to index in the background.
pub fn answer(event: &Event, speaks: bool, program: Option<&Path>) -> Reply {
    if super::is_off() {
        return Reply::Nothing;
    }
    let Some(repo) = repository(event) else { return Reply::Nothing };
    let Some(layout) = folder(&repo) else { return Reply::Nothing };
    if super::is_paused(&layout) {
        return Reply::Nothing;
    }
    let process = process::agent();
    let session = match event.owner.session.as_str() {
        // Some hosts tell none: whoever called is one.
        "" if process.is_empty() => "unknown".to_owned(),
        "" => process.split('_').take(2).collect::<Vec<_>>().join("-"),
        session => session.to_owned(),
    };
    let owner = Owner::new(&event.owner.host, &session, event.owner.agent.as_deref());
    let hook = Hook { repo, layout, owner, process, event, speaks, program, unique: String::new() };
    hook.answer()
}

/// The repository that an event is about.
fn repository(event: &Event) -> Option<Repo> {
    let tool = match &event.kind {
        EventKind::BeforeTool(tool) | EventKind::AfterTool { tool, .. } => Some(tool),
        _ => None,
    };
    let here = if event.cwd.as_os_str().is_empty() { std::env::current_dir().ok() } else { Some(event.cwd.clone()) };
    let home = here.as_deref().and_then(|cwd| indexable(Repo::of_file(&cwd.join("."), false).ok()?));
    let first = tool.and_then(|tool| tool.paths.first());
    if let Some(path) = first.filter(|p| p.is_absolute()) {
        let path = place::real(path);
        if home.as_ref().is_none_or(|home| !path.starts_with(home.root())) {
            return indexable(Repo::of_file(&path, false).ok()?).or(home);
        }
    }
    home
}

/// Only what is a repository by git, or was made one by hand.
fn indexable(repo: Repo) -> Option<Repo> {
    let made = repo.has_git() || repo.folder().is_dir() || repo.root().join(crate::repo::CONFIG_FILE).is_file();
    made.then_some(repo)
}

/// `.portolan`, made where there is none yet.
fn folder(repo: &Repo) -> Option<Layout> {
    if repo.root().join(FOLDER).join("gate").exists() {
        return Layout::open(repo.root(), false).ok();
    }
    repo.check_folder().ok()?;
    Layout::create(repo.root(), false).ok()
}

struct Hook<'a> {
    repo: Repo,
    layout: Layout,
    owner: Owner,
    process: String,
    event: &'a Event,
    speaks: bool,
    program: Option<&'a Path>,
    /// The call's id, or what tells doubles apart.
    unique: String,
}

impl Hook<'_> {
    fn answer(mut self) -> Reply {
        let mut held = state::hold(&self.layout, &self.owner, RECORD);
        let news = {
            let mut fallback = State::default();
            let state = held.as_mut().map_or(&mut fallback, |held| &mut held.state);
            self.unique = unique(self.event, state, &Moment::now());
            self.unseen(state);
            match &self.event.kind {
                EventKind::AfterTool { tool, failed } => self.after_tool(state, tool, *failed),
                _ => None,
            }
        };
        if let Some(held) = held.take() {
            held.save();
        }
        // What opens the graph takes long: the session's other hooks don't wait for it.
        match &self.event.kind {
            EventKind::BeforeTool(tool) => {
                self.journal(&self.record_of(before(tool.kind), tool));
                if tool.kind == ToolKind::Edit { self.claim(tool) } else { Reply::Nothing }
            }
            EventKind::AfterTool { .. } => news.map_or(Reply::Nothing, |path| self.news(&path)),
            EventKind::SessionStart { source } => self.start(*source),
            EventKind::Prompt { text } => self.prompt(text),
            EventKind::BeforeCompaction => self.only(Kind::Compacting),
            EventKind::SubagentStart => self.only(Kind::AgentStart),
            EventKind::SubagentStop => self.only(Kind::AgentStop),
            EventKind::TurnEnd => self.stop(),
            EventKind::SessionEnd => {
                self.journal(&self.record(Kind::End));
                state::forget(&self.layout, &self.owner, RECORD);
                Reply::Nothing
            }
            EventKind::Other => Reply::Nothing,
        }
    }

    fn store(&self) -> Store {
        Store::with_options(self.layout.clone(), Options::default())
    }

    fn log(&self, text: &str) {
        log::line(&self.layout, &format!("{} {}: {text}", self.owner.shown(), self.event.name));
    }

    fn record(&self, kind: Kind) -> Record {
        let at = Moment::now();
        let mut record = Record::new(&self.owner, kind, at, &self.unique);
        record.process.clone_from(&self.process);
        record
    }

    fn record_of(&self, kind: Kind, tool: &ToolUse) -> Record {
        let mut record = self.record(kind);
        record.call = self.event.call_id.clone().unwrap_or_else(|| tool.name.clone());
        record.paths = self.paths(tool).into_iter().map(|(path, _)| path).collect();
        if let Some(command) = &tool.command {
            record.detail = redact::command(command);
        }
        record.search = tool.kind == ToolKind::Search || tool.command.as_deref().is_some_and(searches);
        record
    }

    fn journal(&self, record: &Record) {
        if let Err(error) = Journal::of(&self.layout).append(record, RECORD) {
            self.log(&format!("not recorded ({}): {error}", record.kind.as_str()));
        }
    }

    fn only(&self, kind: Kind) -> Reply {
        self.journal(&self.record(kind));
        Reply::Nothing
    }

    /// Files of this repository that a tool names, with their real paths.
    fn paths(&self, tool: &ToolUse) -> Vec<(String, PathBuf)> {
        let mut found: Vec<(String, PathBuf)> = Vec::new();
        for path in tool.paths.iter().filter(|p| p.is_absolute()) {
            let real = place::real(path);
            if let Some(within) = place::within(&self.repo, &real)
                && found.iter().all(|(known, _)| *known != within)
            {
                found.push((within, real));
            }
        }
        found
    }

    /// Changes of claimed files that no event told of.
    fn unseen(&self, state: &mut State) {
        let agent = self.owner.agent();
        state.lapse(&Moment::now());
        // When a turn has ended, so have its calls: some hosts tell of no end of an edit from the shell.
        let over = matches!(self.event.kind, EventKind::TurnEnd | EventKind::SessionEnd | EventKind::SubagentStop);
        for (path, claimed) in state.claimed.iter_mut().take(WATCHED) {
            if (claimed.open && !over) || claimed.agent != agent {
                continue;
            }
            let hash = place::hash(&self.repo.absolute(path));
            if hash == claimed.hash {
                continue;
            }
            let at = Moment::now();
            let unique = format!("{path}\u{0}{hash}\u{0}{}", at.tick);
            let mut record = Record::new(&self.owner, Kind::UnseenEdit, at, &unique);
            record.paths = vec![path.clone()];
            record.hashes = vec![hash.clone()];
            self.journal(&record);
            claimed.hash = hash;
        }
    }

    /// Records what ran; returns the file about which there may be news.
    fn after_tool(&self, state: &mut State, tool: &ToolUse, failed: bool) -> Option<String> {
        let failed = failed || tool.exit_ok == Some(false);
        let kind = after(tool.kind);
        let paths = self.paths(tool);
        let mut record = self.record_of(kind, tool);
        record.failed = failed;
        if matches!(tool.kind, ToolKind::Read | ToolKind::Edit) && !failed {
            record.hashes = paths.iter().map(|(_, real)| place::hash(real)).collect();
        }
        self.journal(&record);
        match tool.kind {
            ToolKind::Edit => {
                for (n, (path, _)) in paths.iter().enumerate() {
                    if let Some(claimed) = state.claimed.get_mut(path) {
                        claimed.open = false;
                        if let Some(hash) = record.hashes.get(n) {
                            claimed.hash.clone_from(hash);
                        }
                    }
                }
                if failed {
                    return None;
                }
                // A variant that passes now may owe it to the edit.
                state.failed.clear();
                state.edited.extend(paths.iter().map(|(path, _)| path.clone()));
                let fresh = paths.into_iter().map(|(path, _)| path).find(|path| !state.news.contains(path));
                if let Some(path) = fresh.filter(|_| self.speaks) {
                    state.news.insert(path.clone());
                    return Some(path);
                }
            }
            ToolKind::Shell => {
                if let Some(words) = super::learn::command_ended(&mut state.failed, &record.detail, failed) {
                    self.journal(&lesson::record(&self.owner, Moment::now(), &words));
                }
            }
            _ => {}
        }
        None
    }

    /// Text for the agent, counted.
    fn tell(&self, text: String) -> Reply {
        let mut record = self.record(Kind::Context);
        record.tokens = i64::try_from(upper_bound(&text)).unwrap_or(i64::MAX);
        self.journal(&record);
        Reply::Context(text)
    }

    /// The end of a turn: claims become notes, or go.
    fn stop(&self) -> Reply {
        let agent = self.owner.agent();
        let mut mine = Vec::new();
        let mut edited = false;
        if let Some(mut held) = state::hold(&self.layout, &self.owner, RECORD) {
            edited = !held.state.edited.is_empty();
            mine = held.state.claimed.iter().filter(|(_, c)| c.agent == agent).map(|(path, _)| path.clone()).collect();
            held.state.claimed.retain(|_, c| c.agent != agent);
            held.save();
        }
        let mut record = self.record(Kind::Stop);
        if !mine.is_empty() {
            let git = self.repo.git().ok().flatten();
            record.paths = mine.into_iter().filter(|path| place::is_changed(git.as_ref(), path)).collect();
        }
        self.journal(&record);
        if self.layout.graph().exists() {
            let store = self.store();
            let drained = apart(&self.layout, patient(DRAIN), || {
                super::drain_now(&store, patient(DRAIN) - MARGIN).map_err(|error| error.to_string())
            });
            match drained {
                Ok(Ok(_)) => {}
                Ok(Err(why)) => self.log(&format!("the journal waits: {why}")),
                Err(error) => self.log(&format!("the journal waits: {error}")),
            }
        }
        if edited {
            self.wake_indexer();
        }
        Reply::Nothing
    }

    /// Whether there is no graph yet; one is being made then.
    fn wake_indexer_if_none(&self) -> bool {
        let none = !self.repo.cache_file("manifest").exists() || !self.layout.graph().exists();
        if none {
            self.wake_indexer();
        }
        none
    }

    fn wake_indexer(&self) {
        if let Some(program) = self.program
            && background::start(program, &self.repo) == background::Started::No
        {
            self.log("no indexer could be started in the background");
        }
    }
}

/// The call's id, or what is the same for an event that is told twice.
fn unique(event: &Event, state: &mut State, now: &Moment) -> String {
    match &event.call_id {
        Some(id) => id.clone(),
        None if event.timed => format!("{:016x}", event.payload_hash),
        None => format!("{:016x}-{}", event.payload_hash, state.first_told(event.payload_hash, now)),
    }
}

fn before(kind: ToolKind) -> Kind {
    match kind {
        ToolKind::Read => Kind::BeforeRead,
        ToolKind::Edit => Kind::BeforeEdit,
        ToolKind::Shell => Kind::BeforeShell,
        ToolKind::Search => Kind::BeforeSearch,
        ToolKind::Other => Kind::BeforeTool,
    }
}

fn after(kind: ToolKind) -> Kind {
    match kind {
        ToolKind::Read => Kind::Read,
        ToolKind::Edit => Kind::Edit,
        ToolKind::Shell => Kind::Shell,
        ToolKind::Search => Kind::Search,
        ToolKind::Other => Kind::Tool,
    }
}

/// Whether a command is a search: the first one of it that does anything.
pub(super) fn searches(command: &str) -> bool {
    let commands = command.split(['\n', ';']).flat_map(|part| part.split("&&")).map(str::trim);
    let first = commands.into_iter().find(|c| !c.is_empty() && !c.starts_with("cd ") && !c.starts_with("export "));
    let mut words = first.unwrap_or("").split_ascii_whitespace().map(|w| w.rsplit('/').next().unwrap_or(w));
    let program = words.by_ref().find(|w| !w.contains('=') && !matches!(*w, "sudo" | "time" | "command"));
    match program {
        Some("git") => words.next() == Some("grep"),
        Some(program) => SEARCHERS.contains(&program),
        None => false,
    }
}

/// Input that is never closed is taken as it is after this time.
const INPUT: Duration = Duration::from_millis(1000);
/// More input is cut off, and then says nothing, in bytes.
const MOST: usize = 32 << 20;

/// The event's JSON from stdin. A host that does not close it costs no wait when the document is complete.
pub fn read_input() -> Vec<u8> {
    let mut bytes = Vec::new();
    engine::read(&std::io::stdin(), Instant::now() + patient(INPUT), |chunk| {
        bytes.extend_from_slice(chunk);
        let ended = chunk.iter().rev().find(|b| !b.is_ascii_whitespace()) == Some(&b'}');
        let whole = ended && serde_json::from_slice::<serde::de::IgnoredAny>(&bytes).is_ok();
        !whole && bytes.len() < MOST
    });
    bytes
}

/// Writes to the log of the current folder's repository, if it has a graph's folder.
pub fn log_here(text: &str) {
    let here = std::env::current_dir().ok().and_then(|cwd| Repo::open(&cwd, false).ok());
    if let Some(layout) = here.filter(|repo| repo.folder().is_dir()).and_then(|r| Layout::open(r.root(), false).ok()) {
        log::line(&layout, text);
    }
}
