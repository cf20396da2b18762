//! What agents do, for people: claims, sessions, lessons.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use portolan::agents::clock::span;
use portolan::agents::session::{self, Session, Usage};
use portolan::agents::{self, Ask, Claim as Taken, Moment, Outcome, Owner, process, transcript};
use portolan::store::{Options, Store, StoreError};
use serde_json::json;

use super::output::{Bound, age, count, moment};
use super::{Answer, Context};

/// How long a command waits for the graph unless told otherwise, in seconds.
pub(super) const WAIT: u64 = 10;
/// Between two looks of `claims --watch`.
const WATCH: Duration = Duration::from_secs(2);

/// Whose a command is.
#[derive(clap::Args)]
pub(crate) struct Who {
    /// In whose name [default: the agent's session that runs this, or the user]
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
}

impl Who {
    /// The owner; the process that must live for its claims to hold.
    pub fn owner(&self) -> (Owner, String) {
        let process = process::agent();
        if let Some(name) = &self.name {
            return (Owner::new("cli", name, None), process);
        }
        let env = |name: &str| std::env::var(name).ok().filter(|v| !v.is_empty());
        if let Some(session) = env("CLAUDE_CODE_SESSION_ID") {
            return (Owner::new("claude-code", &session, None), process);
        }
        let user = env("USER").or_else(|| env("LOGNAME")).unwrap_or_else(|| "user".into());
        let terminal = process.split('_').next().unwrap_or("");
        (Owner::new("cli", format!("{user} {terminal}").trim(), None), process)
    }
}

/// Arguments of `claim`.
#[derive(clap::Args)]
pub(crate) struct Claim {
    /// Files, folders (with a final /) and patterns ('src/**/*.py'); all are granted, or none
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    who: Who,
    /// Wait at most so many seconds for the graph's turn
    #[arg(long, value_name = "SECONDS", default_value_t = WAIT)]
    wait: u64,
    /// Hold it for so long, whatever happens: 90s, 30m, 2h, 1d [default: until 10 minutes after the last sign of life]
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    hold: Option<Duration>,
}

/// Arguments of `release`.
#[derive(clap::Args)]
pub(crate) struct Release {
    /// What to give back [default: all that is held]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    who: Who,
    /// Also what others hold
    #[arg(long)]
    force: bool,
}

/// Arguments of `claims`.
#[derive(clap::Args)]
pub(crate) struct Claims {
    /// Show changes as they happen, until interrupted
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    bound: Bound,
}

/// Arguments of `sessions`.
#[derive(clap::Args)]
pub(crate) struct Sessions {
    #[command(flatten)]
    bound: Bound,
}

/// Arguments of `session`.
#[derive(clap::Args)]
pub(crate) struct OneSession {
    /// Its id, or the beginning of it
    id: String,
    #[command(flatten)]
    bound: Bound,
}

/// Arguments of `usage`.
#[derive(clap::Args)]
pub(crate) struct UsageArgs {
    /// Read Claude Code's transcripts (*.jsonl) below this folder instead of the graph
    #[arg(long, value_name = "DIR")]
    transcripts: Option<PathBuf>,
    #[command(flatten)]
    bound: Bound,
}

fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
    let unit = match &text[digits.len()..] {
        "s" | "" => 1,
        "m" | "min" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => return Err("wants a time such as 90s, 30m, 2h, 1d".into()),
    };
    match digits.parse::<u64>() {
        Ok(n) if n > 0 && n.saturating_mul(unit) <= 90 * 86_400 => Ok(Duration::from_secs(n * unit)),
        _ => Err("wants a time such as 90s, 30m, 2h, 1d, at most 90d".into()),
    }
}

pub(super) fn store(context: &Context) -> anyhow::Result<Store> {
    context.store(Options::default())
}

/// A store whose folder is made when it is not there.
pub(super) fn store_to_write(context: &Context) -> anyhow::Result<Store> {
    let repo = context.repo()?;
    repo.check_folder()?;
    Ok(Store::new(portolan::store::Layout::create(repo.root(), false)?))
}

fn wanted(context: &Context, paths: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    Ok(agents::wanted(&context.repo()?, &std::path::absolute(context.start()?)?, paths)?)
}

impl Claim {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let store = store_to_write(context)?;
        let paths = wanted(context, &self.paths)?;
        let (owner, process) = self.who.owner();
        let ask = Ask { owner: &owner, paths: &paths, hold: self.hold, process: &process };
        let outcome = agents::claim_by_hand(&store, &ask, Duration::from_secs(self.wait))?;
        let mut out = context.out();
        let answer = match &outcome {
            Outcome::Granted { notes, .. } => {
                if out.is_json() {
                    out.json(&json!({ "granted": true, "paths": paths, "owner": owner, "notes": notes }))?;
                } else {
                    out.line(&format!("granted to {}: {}", owner.shown(), paths.join(", ")))?;
                    for note in notes {
                        out.line(note)?;
                    }
                }
                Answer::Yes
            }
            Outcome::Taken { asked, by, message } => {
                if out.is_json() {
                    out.json(&json!({ "granted": false, "asked": asked, "holder": by, "message": message }))?;
                } else {
                    out.line(message)?;
                }
                Answer::No
            }
        };
        out.finish()?;
        Ok(answer)
    }
}

impl Release {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let store = store(context)?;
        let paths = wanted(context, &self.paths)?;
        let (owner, _) = self.who.owner();
        if !store.layout().graph().exists() {
            return Err(StoreError::NoGraph { path: store.layout().graph() }.into());
        }
        let wait = Duration::from_secs(WAIT);
        let gone = agents::release_by_hand(&store, &owner, &paths, self.force, wait)?;
        let mut out = context.out();
        if out.is_json() {
            out.json(&json!({ "released": gone }))?;
        } else if gone.is_empty() {
            out.line(&format!("{} holds nothing of that (--force takes it from others)", owner.shown()))?;
        } else {
            for claim in &gone {
                out.line(&format!("released {} (of {})", claim.path, claim.owner.shown()))?;
            }
        }
        out.finish()?;
        Ok(if gone.is_empty() { Answer::No } else { Answer::Yes })
    }
}

impl Claims {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let store = store(context)?;
        let mut before: Option<Vec<Taken>> = None;
        loop {
            let claims = agents::claims(&store, Duration::from_secs(WAIT))?;
            if before.as_ref() != Some(&claims) {
                let mut out = context.out();
                let shown = self.bound.cut(&claims);
                if out.is_json() {
                    out.json(&json!({ "claims": shown, "total": claims.len() }))?;
                } else if claims.is_empty() {
                    out.line("nobody has claimed anything")?;
                } else {
                    if before.is_some() {
                        out.line("")?;
                    }
                    let now = Moment::now().wall;
                    for claim in shown {
                        let note = if claim.note { ", uncommitted changes only" } else { "" };
                        let since = span(now - claim.since);
                        out.line(&format!("{}  {} (since {since}{note})", claim.path, claim.owner.shown()))?;
                    }
                    out.rest(shown.len(), claims.len())?;
                }
                out.finish()?;
                if !self.watch {
                    return Ok(if claims.is_empty() { Answer::No } else { Answer::Yes });
                }
                before = Some(claims);
            }
            std::thread::sleep(WATCH);
        }
    }
}

/// `12 calls, 5 before the first edit, 25 % searches, 10 % re-reads, 2 edits, 1 blocked, 180 tokens given`.
#[allow(clippy::cast_possible_truncation)] // per cent
fn numbers(usage: &Usage) -> String {
    let percent = |share: f64| (share * 100.0).round() as i64;
    let mut parts = vec![
        count(usage.calls, "call"),
        format!("{} before the first edit", usage.before_edit),
        format!("{} % searches", percent(usage.search_share())),
        format!("{} % re-reads", percent(usage.reread_share())),
        count(usage.edits, "edit"),
    ];
    if usage.blocked > 0 {
        parts.push(format!("{} blocked", usage.blocked));
    }
    if usage.injected > 0 {
        parts.push(format!("{} given", count(usage.injected, "token")));
    }
    parts.join(", ")
}

fn headline(session: &Session) -> String {
    let state = if session.ended > 0 {
        "ended"
    } else if session.alive {
        "alive"
    } else {
        "silent"
    };
    format!("{}  {state}, last seen {} ago: {}", session.id, age(session.last_at), numbers(&session.usage))
}

impl Sessions {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let sessions = session::sessions(&store(context)?, Duration::from_secs(WAIT))?;
        let shown = self.bound.cut(&sessions);
        let mut out = context.out();
        if out.is_json() {
            out.json(&json!({ "sessions": shown, "total": sessions.len() }))?;
        } else if sessions.is_empty() {
            out.line("no session of an agent yet")?;
        } else {
            for session in shown {
                out.line(&headline(session))?;
            }
            out.rest(shown.len(), sessions.len())?;
        }
        out.finish()?;
        Ok(if sessions.is_empty() { Answer::No } else { Answer::Yes })
    }
}

impl OneSession {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let found = session::session(&store(context)?, &self.id, Duration::from_secs(WAIT))?;
        let mut out = context.out();
        match found.as_slice() {
            [one] if out.is_json() => out.json(one)?,
            [one] => {
                out.heading(&headline(&one.session))?;
                out.line(&format!("began {}", moment(one.session.started)))?;
                for (what, files) in [("edited", &one.edited), ("read", &one.read)] {
                    let shown = self.bound.cut(files);
                    for file in shown {
                        let again = if file.again > 0 { format!(", {} unchanged", file.again) } else { String::new() };
                        out.line(&format!("  {what} {}  {}x{again}", file.path, file.count))?;
                    }
                    out.rest(shown.len(), files.len())?;
                }
            }
            several if out.is_json() => {
                let ids: Vec<&str> = several.iter().map(|d| &*d.session.id).collect();
                out.json(&json!({ "candidates": ids }))?;
            }
            [] => out.line(&format!("no session is called {} (`portolan sessions` lists them)", self.id))?,
            several => {
                out.line(&format!("{} stands for {} sessions; say which:", self.id, several.len()))?;
                for one in several {
                    out.line(&format!("  {}", one.session.id))?;
                }
            }
        }
        out.finish()?;
        Ok(if found.len() == 1 { Answer::Yes } else { Answer::No })
    }
}

impl UsageArgs {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        match &self.transcripts {
            Some(folder) => self.of_transcripts(context, folder),
            None => self.of_graph(context),
        }
    }

    fn of_transcripts(&self, context: &Context, folder: &Path) -> anyhow::Result<Answer> {
        let all = transcript::transcripts(folder).with_context(|| format!("--transcripts {}", folder.display()))?;
        let mut sum = Usage::default();
        all.iter().for_each(|t| sum.add(&t.usage));
        let shown = self.bound.cut(&all);
        let mut out = context.out();
        if out.is_json() {
            out.json(&json!({ "transcripts": shown, "total": all.len(), "usage": sum,
                "search_share": sum.search_share(), "reread_share": sum.reread_share() }))?;
        } else if all.is_empty() {
            out.line("no transcript with a tool call there")?;
        } else {
            for one in shown {
                out.line(&format!("{}  {}", one.session, numbers(&one.usage)))?;
            }
            out.rest(shown.len(), all.len())?;
            out.heading(&format!("{}: {}", count(all.len(), "session"), numbers(&sum)))?;
        }
        out.finish()?;
        Ok(if all.is_empty() { Answer::No } else { Answer::Yes })
    }

    fn of_graph(&self, context: &Context) -> anyhow::Result<Answer> {
        let store = store(context)?;
        let wait = Duration::from_secs(WAIT);
        let sessions = session::sessions(&store, wait)?;
        let folded = session::folded(&store, wait)?;
        let mut sum = Usage::default();
        sessions.iter().for_each(|s| sum.add(&s.usage));
        let earlier: i64 = folded.iter().map(|f| f.1).sum();
        folded.iter().for_each(|f| sum.add(&f.2));
        let shown = self.bound.cut(&sessions);
        let mut out = context.out();
        let all = i64::try_from(sessions.len()).unwrap_or(0) + earlier;
        if out.is_json() {
            out.json(&json!({ "sessions": shown, "total": sessions.len(), "earlier_sessions": earlier, "usage": sum,
                "search_share": sum.search_share(), "reread_share": sum.reread_share() }))?;
        } else if all == 0 {
            out.line("no session of an agent yet")?;
        } else {
            for one in shown {
                out.line(&format!("{}  {}", one.id, numbers(&one.usage)))?;
            }
            out.rest(shown.len(), sessions.len())?;
            out.heading(&format!("{}: {}", count(all, "session"), numbers(&sum)))?;
        }
        out.finish()?;
        Ok(if all == 0 { Answer::No } else { Answer::Yes })
    }
}

/// `pause` and `resume`.
pub(crate) fn pause(context: &Context, on: bool) -> anyhow::Result<Answer> {
    let store = store_to_write(context)?;
    let changed = if on {
        let was = agents::is_paused(store.layout());
        agents::pause(store.layout())?;
        !was
    } else {
        agents::resume(store.layout())?
    };
    let mut out = context.out();
    if out.is_json() {
        out.json(&json!({ "paused": on, "changed": changed }))?;
    } else {
        out.line(match (on, changed) {
            (true, _) => "paused: hooks do nothing here until `portolan resume`",
            (false, true) => "resumed",
            (false, false) => "not paused",
        })?;
    }
    out.finish()?;
    Ok(Answer::Yes)
}
