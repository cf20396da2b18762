//! `install` and `uninstall`.

use std::io::{IsTerminal, Write as _};
use std::path::{Path, PathBuf};

use anyhow::bail;
use portolan::install::plan::{Owner, Plan};
use portolan::install::record::Record;
use portolan::install::{Machine, PLATFORMS, Place, Platform, Role, Scope, apply, by_id, plan, purge};
use portolan::repo::Repo;
use portolan::store::{Layout, Store};
use serde_json::{Value as Json, json};

use super::output::count;
use super::{Answer, Context, Output};

/// Whose settings, and how.
#[derive(clap::Args)]
struct Where {
    /// Only for this agent, such as claude-code (may be repeated) [default: those found on this machine]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    platform: Vec<String>,
    /// The settings of this repository, which a team shares
    #[arg(long)]
    project: bool,
    /// Your own settings, for all repositories [default]
    #[arg(long, conflicts_with = "project")]
    user: bool,
    /// Show the changes and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

/// Arguments of `install`.
#[derive(clap::Args)]
pub(crate) struct Install {
    #[command(flatten)]
    place: Where,
    /// Without hooks
    #[arg(long)]
    no_hooks: bool,
    /// Without the short rules that tell agents without hooks where to ask
    #[arg(long)]
    no_rules: bool,
}

/// Arguments of `uninstall`.
#[derive(clap::Args)]
pub(crate) struct Uninstall {
    #[command(flatten)]
    place: Where,
    /// Remove this repository's graph as well, with what agents left in it
    #[arg(long)]
    purge: bool,
}

const ALL: &[Role] = &[Role::Mcp, Role::Hooks, Role::Rules];

/// How often a file that changed under our hands is read again.
const RETRIES: usize = 5;

impl Where {
    fn scope(&self) -> Scope {
        if self.project { Scope::Project } else { Scope::User }
    }

    /// The repository of the project scope.
    fn root(&self, context: &Context) -> anyhow::Result<Option<PathBuf>> {
        if !self.project {
            return Ok(None);
        }
        Ok(Some(Repo::open(&context.start()?, false)?.root().to_owned()))
    }

    fn named(&self) -> anyhow::Result<Vec<&'static dyn Platform>> {
        let find = |id: &String| {
            by_id(id).ok_or_else(|| {
                let known: Vec<_> = PLATFORMS.iter().map(|p| p.id()).collect();
                anyhow::anyhow!("--platform {id}: there is no such agent; there are {}", known.join(", "))
            })
        };
        self.platform.iter().map(find).collect()
    }

    /// Asks before anything is written; false: the user said no.
    fn agreed(&self, context: &Context) -> anyhow::Result<bool> {
        if self.yes {
            return Ok(true);
        }
        if context.json() || !std::io::stdin().is_terminal() {
            bail!("nothing was written: add -y to go on without a question, or --dry-run to see the changes");
        }
        let mut err = std::io::stderr();
        write!(err, "Go on? [y/N] ")?;
        err.flush()?;
        let mut answer = String::new();
        std::io::stdin().read_line(&mut answer)?;
        Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
    }
}

impl Install {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let machine = Machine::this()?;
        let root = self.place.root(context)?;
        let place = Place { machine: &machine, project: root.as_deref() };
        let mut platforms = self.place.named()?;
        let mut found = Vec::new();
        if platforms.is_empty() {
            for platform in PLATFORMS {
                if let Some(sign) = platform.found(&machine) {
                    found.push((*platform, sign));
                    platforms.push(*platform);
                }
            }
            if platforms.is_empty() {
                bail!(
                    "no coding agent was found on this machine; name one with --platform (`portolan install --help`)"
                );
            }
        }
        let mut roles = vec![Role::Mcp];
        roles.extend((!self.no_hooks).then_some(Role::Hooks));
        roles.extend((!self.no_rules).then_some(Role::Rules));
        let mut plan = plan::install(place, &platforms, &roles);
        let nothing: Vec<_> = platforms.iter().copied().filter(|p| p.parts(place).is_empty()).collect();
        let by_name = "shared settings call `portolan` by name, and it is not on your PATH";
        let unnamed = root.is_some() && machine.which("portolan").is_none() && !plan.changes.is_empty();
        let notes: Vec<(&str, &str)> = platforms
            .iter()
            .filter(|p| plan.changes.iter().any(|c| c.owners.iter().any(|(id, _)| *id == p.id())))
            .flat_map(|p| p.notes(self.place.scope()).into_iter().map(|note| (p.id(), note)))
            .chain(unnamed.then_some(("all", by_name)))
            .collect();
        let mut out = context.out();
        if !out.is_json() {
            for (platform, sign) in &found {
                out.line(&format!("found {} ({})", platform.title(), sign.display()))?;
            }
            for platform in nothing {
                out.line(&format!("{} has no settings of a repository; leave --project out", platform.title()))?;
            }
            show(&mut out, &plan, self.place.dry_run)?;
        }
        // A second agent may share entries that are there already.
        let recorded = plan.record != Record::load(&machine);
        let mut done = apply::Done::default();
        if !self.place.dry_run && (recorded || !plan.changes.is_empty()) {
            drop(out);
            if !plan.changes.is_empty() && !self.place.agreed(context)? {
                return Ok(Answer::No);
            }
            done = apply::install(place, &mut plan)?;
            // Some settings are rewritten by their agent while it runs.
            for _ in 0..RETRIES {
                if !done.is_overtaken() {
                    break;
                }
                let mut again = plan::install(place, &platforms, &roles);
                let more = apply::install(place, &mut again)?;
                done.failed = more.failed;
                done.written.extend(more.written);
            }
            out = context.out();
        }
        if out.is_json() {
            let mut object = report(&plan, &done, self.place.scope(), self.place.dry_run);
            object["notes"] = notes.iter().map(|(id, note)| json!({"platform": id, "note": note})).collect();
            out.json(&object)?;
        } else {
            said(&mut out, &plan, &done, self.place.dry_run)?;
            for (id, note) in notes {
                out.line(&format!("{id}: {note}"))?;
            }
        }
        out.finish()?;
        Ok(ended(&plan, &done))
    }
}

impl Uninstall {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let machine = Machine::this()?;
        let root = self.place.root(context)?;
        let place = Place { machine: &machine, project: root.as_deref() };
        let mut platforms = self.place.named()?;
        if platforms.is_empty() {
            platforms = PLATFORMS.to_vec();
        }
        let mut plan = plan::remove(place, &platforms, ALL);
        let purge = self.purge.then(|| Purge::look(context)).transpose()?.flatten();
        let elsewhere = elsewhere(&machine, root.as_deref());
        let mut out = context.out();
        if !out.is_json() {
            show(&mut out, &plan, self.place.dry_run)?;
            if let Some(purge) = &purge {
                out.line(&purge.sentence())?;
            } else if self.purge {
                out.line("there is no graph to remove here")?;
            }
        }
        let recorded = plan.record != Record::load(&machine);
        let mut done = apply::Done::default();
        if !self.place.dry_run && (recorded || !plan.changes.is_empty() || purge.is_some()) {
            drop(out);
            if (!plan.changes.is_empty() || purge.is_some()) && !self.place.agreed(context)? {
                return Ok(Answer::No);
            }
            done = apply::remove(&machine, &mut plan)?;
            for _ in 0..RETRIES {
                if !done.is_overtaken() {
                    break;
                }
                let mut again = plan::remove(place, &platforms, ALL);
                let more = apply::remove(&machine, &mut again)?;
                done.failed = more.failed;
                done.written.extend(more.written);
            }
            if let Some(purge) = &purge {
                purge::purge(&purge.layout)?;
            }
            out = context.out();
        }
        if out.is_json() {
            let mut object = report(&plan, &done, self.place.scope(), self.place.dry_run);
            object["purge"] = purge.map_or(Json::Null, |p| p.object());
            object["also_installed_in"] = json!(elsewhere);
            out.json(&object)?;
        } else {
            said(&mut out, &plan, &done, self.place.dry_run)?;
            if purge.is_some() && !self.place.dry_run {
                out.line("removed the graph")?;
            }
            for project in elsewhere {
                let project = project.display();
                out.line(&format!("still installed in {project}: `portolan -C {project} uninstall --project`"))?;
            }
        }
        out.finish()?;
        Ok(ended(&plan, &done))
    }
}

/// A graph that is to go.
struct Purge {
    layout: Layout,
    holds: purge::Holds,
}

impl Purge {
    fn look(context: &Context) -> anyhow::Result<Option<Purge>> {
        let repo = context.repo()?;
        let layout = Layout::open(repo.root(), repo.folder_is_tracked()?)?;
        if !layout.dir().exists() {
            return Ok(None);
        }
        let holds = purge::holds(&Store::new(layout.clone()));
        Ok(Some(Purge { layout, holds }))
    }

    fn sentence(&self) -> String {
        let (sessions, lessons) = (self.holds.count("Session"), self.holds.count("Lesson"));
        let memory = if sessions + lessons == 0 {
            "agents left no memory in it".to_owned()
        } else {
            let about = [("READ", "file read"), ("EDITED", "file edited")].map(|(table, what)| {
                count(self.holds.count(table), what).replace("file read", "read").replace("file edited", "edit")
            });
            format!(
                "agents' memory in it: {}, {}, {}",
                count(sessions, "session"),
                count(lessons, "lesson"),
                about.join(", ")
            )
        };
        let unread = self.holds.unread.as_ref().map_or(String::new(), |why| format!(" (from the second copy: {why})"));
        format!("remove {}; {memory}{unread}", self.layout.dir().display())
    }

    fn object(&self) -> Json {
        json!({"folder": self.layout.dir(), "memory": self.holds.rows, "unread": self.holds.unread})
    }
}

/// Repositories whose own settings still hold entries of ours.
fn elsewhere(machine: &Machine, root: Option<&Path>) -> Vec<PathBuf> {
    let mut projects: Vec<PathBuf> =
        Record::load(machine).files.into_values().filter_map(|file| file.project).collect();
    projects.sort();
    projects.dedup();
    projects.retain(|project| Some(project.as_path()) != root && project.is_dir());
    projects
}

/// No, when a file had to be left as it was.
fn ended(plan: &Plan, done: &apply::Done) -> Answer {
    if plan.refused.is_empty() && done.failed.is_empty() { Answer::Yes } else { Answer::No }
}

fn verb(change: &plan::Change) -> &'static str {
    match (&change.before, &change.after) {
        (None, _) => "create",
        (_, None) => "delete",
        _ => "change",
    }
}

/// `Claude Code (server, hooks)`.
fn whose(owners: &[Owner]) -> String {
    let mut ids: Vec<&str> = owners.iter().map(|(id, _)| *id).collect();
    ids.dedup();
    let of = |id: &str| {
        let mut what: Vec<&str> =
            owners.iter().filter(|(owner, _)| *owner == id).map(|(_, role)| word(*role)).collect();
        what.dedup();
        format!("{} {}", by_id(id).map_or(id, |p| p.title()), what.join(" and "))
    };
    ids.into_iter().map(of).collect::<Vec<_>>().join(", ")
}

fn word(role: Role) -> &'static str {
    match role {
        Role::Mcp => "server",
        Role::Hooks => "hooks",
        Role::Rules => "rules",
    }
}

fn show(out: &mut Output, plan: &Plan, diff: bool) -> std::io::Result<()> {
    for change in &plan.changes {
        out.line(&format!("{} {} ({})", verb(change), change.file.display(), whose(&change.owners)))?;
        if diff {
            for line in change.diff().lines() {
                // Tabs are part of the diff; other control characters would reach the terminal as commands.
                let clean: String = line.chars().map(|c| if c.is_control() && c != '\t' { ' ' } else { c }).collect();
                out.lines(&format!("{}\n", clean.trim_end_matches(' ')))?;
            }
        }
    }
    for (file, owners) in &plan.current {
        out.line(&format!("keep {} ({})", file.display(), whose(owners)))?;
    }
    for refusal in &plan.refused {
        out.line(&format!("leave {} ({}): {}", refusal.file.display(), whose(&refusal.owners), refusal.why))?;
    }
    Ok(())
}

fn said(out: &mut Output, plan: &Plan, done: &apply::Done, dry_run: bool) -> std::io::Result<()> {
    for (file, error) in &done.failed {
        out.line(&format!("failed {}: {error}", file.display()))?;
    }
    let (all, written) = (plan.changes.len(), done.written.len());
    out.line(&match (dry_run, all) {
        (_, 0) => "nothing to change".to_owned(),
        (true, n) => format!("{} would change; nothing was written", count(n, "file")),
        (false, _) => format!("{} written", count(written, "file")),
    })
}

fn report(plan: &Plan, done: &apply::Done, scope: Scope, dry_run: bool) -> Json {
    let owners =
        |owners: &[Owner]| -> Json { owners.iter().map(|(id, role)| json!({"platform": id, "what": role})).collect() };
    let changes: Vec<Json> = plan
        .changes
        .iter()
        .map(|c| {
            let failed = done.failed.iter().find(|(file, _)| *file == c.file).map(|(_, error)| error.to_string());
            json!({
                "file": c.file, "action": verb(c), "for": owners(&c.owners), "diff": c.diff(),
                "done": done.written.contains(&c.file), "error": failed,
            })
        })
        .collect();
    let current: Vec<Json> = plan.current.iter().map(|(f, o)| json!({"file": f, "for": owners(o)})).collect();
    let refused: Vec<Json> =
        plan.refused.iter().map(|r| json!({"file": r.file, "for": owners(&r.owners), "reason": r.why})).collect();
    json!({"scope": scope, "dry_run": dry_run, "changes": changes, "current": current, "refused": refused})
}
