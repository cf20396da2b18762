//! What is installed for which agent, and whether it works.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::run::run;
use super::{Finding, Level};
use crate::install::ours::{self, PROGRAM};
use crate::install::{Machine, PLATFORMS, Part, Place, Platform, Role, Scope, plan, write};

/// Hosts wait longer, but nobody likes to.
const WAIT: Duration = Duration::from_secs(10);

/// What a hook is told: a session that nobody has, in a folder that is no repository.
const SESSION: &str = "portolan-doctor";

/// Looks at every agent, in the user's settings and in the repository's.
pub fn check(machine: &Machine, project: Option<&Path>) -> Vec<Finding> {
    let mut findings = programs(machine);
    let mut asked = BTreeSet::new();
    for platform in PLATFORMS {
        let mut installed = false;
        for project in [None, project].into_iter().take(1 + usize::from(project.is_some())) {
            let place = Place { machine, project };
            let there: Vec<(Part, Vec<u8>)> = platform
                .parts(place)
                .into_iter()
                .filter_map(|part| {
                    let bytes = write::read(&part.file).ok()??;
                    part.form.is_in(&bytes).then_some((part, bytes))
                })
                .collect();
            if !there.is_empty() {
                installed = true;
                look(*platform, place, &there, &mut asked, &mut findings);
            }
        }
        if !installed && let Some(sign) = platform.found(machine) {
            let says = format!("{} is on this machine ({}), without Portolan", platform.title(), sign.display());
            let fix = format!("portolan install --platform {}", platform.id());
            findings.push(Finding::new(Level::Note, platform.id(), says).fix(fix));
        }
    }
    findings
}

/// Files of writes that were cut off, beside the settings.
pub fn dead_drafts(machine: &Machine, project: Option<&Path>) -> Vec<PathBuf> {
    let mut folders = BTreeSet::new();
    for project in [None, project] {
        let parts = PLATFORMS.iter().flat_map(|p| p.parts(Place { machine, project }));
        folders.extend(parts.filter_map(|part| write::target(&part.file).parent().map(Path::to_owned)));
    }
    folders.iter().flat_map(|folder| write::dead_drafts(folder)).collect()
}

/// What to say of them.
pub fn left_over(drafts: &[PathBuf]) -> Finding {
    let names: Vec<String> = drafts.iter().map(|d| d.display().to_string()).collect();
    let says = format!("a write was cut off and left {}; the settings themselves are whole", names.join(", "));
    Finding::new(Level::Note, PROGRAM, says).fix("portolan doctor --repair")
}

/// Other versions of this program on the path.
fn programs(machine: &Machine) -> Vec<Finding> {
    let own = env!("CARGO_PKG_VERSION");
    let path = machine.program().display();
    let mut findings = vec![Finding::new(Level::Ok, PROGRAM, format!("version {own} at {path}"))];
    let real = machine.program().canonicalize().ok();
    for other in machine.all(PROGRAM) {
        if other.canonicalize().ok() == real {
            continue;
        }
        match version(&other) {
            Some(version) if version == own => {}
            version => {
                let version = version.map_or("another program".to_owned(), |v| format!("version {v}"));
                let says = format!("{} is {version}; this is {own}", other.display());
                findings.push(Finding::new(Level::Warning, PROGRAM, says).fix(format!("remove {}", other.display())));
            }
        }
    }
    if machine.which(PROGRAM).is_none() {
        let says = "not on the PATH; settings that a team shares call it by name";
        findings.push(Finding::new(Level::Note, PROGRAM, says).fix(format!("add {} to PATH", folder(machine))));
    }
    findings
}

fn folder(machine: &Machine) -> String {
    machine.program().parent().map(|f| f.display().to_string()).unwrap_or_default()
}

fn version(program: &Path) -> Option<String> {
    let mut command = Command::new(program);
    command.arg("--version");
    let ran = run(command, b"", WAIT).ok()??;
    String::from_utf8_lossy(&ran.out).trim().strip_prefix("portolan ").map(str::to_owned)
}

fn look(
    platform: &'static dyn Platform,
    place: Place<'_>,
    there: &[(Part, Vec<u8>)],
    asked: &mut BTreeSet<Vec<String>>,
    findings: &mut Vec<Finding>,
) {
    let id = platform.id();
    let project = if place.scope() == Scope::Project { " --project" } else { "" };
    let install = format!("portolan install --platform {id}{project}");
    let roles: BTreeSet<Role> = there.iter().map(|(part, _)| part.role).collect();
    let plan = plan::install(place, &[platform], &roles.iter().copied().collect::<Vec<_>>());
    for refusal in &plan.refused {
        let says = format!("{}: {}", refusal.file.display(), refusal.why);
        findings.push(Finding::new(Level::Error, id, says));
    }
    if plan.changes.is_empty() {
        let what: Vec<&str> = roles.iter().map(|role| word(*role)).collect();
        let scope = if project.is_empty() { "the user's settings" } else { "this repository's settings" };
        let says = format!("{} in {scope}: {}", platform.title(), what.join(", "));
        findings.push(Finding::new(Level::Ok, id, says));
    } else {
        let files: Vec<String> = plan.changes.iter().map(|c| c.file.display().to_string()).collect();
        let says = format!("the entries in {} are not those of this version", files.join(", "));
        findings.push(Finding::new(Level::Warning, id, says).fix(install.clone()));
    }
    let commands: Vec<ours::Command> = there.iter().flat_map(|(part, bytes)| part.form.commands(bytes)).collect();
    let mut hook: Option<Vec<String>> = None;
    let mut missing = BTreeSet::new();
    for command in commands {
        let ours::Command::Ours { program, words } = command else { continue };
        let file = Path::new(&program);
        let found = if file.is_absolute() { file.exists() } else { place.machine.which(&program).is_some() };
        if !found {
            missing.insert(program);
        } else if words.iter().any(|w| w == "hook") {
            // The last is that of an end: nothing is waiting for its answer.
            hook = Some(std::iter::once(program).chain(words).collect());
        }
    }
    for program in missing {
        let says = format!("the entries call {program}, which is not there");
        findings.push(Finding::new(Level::Error, id, says).fix(install.clone()));
    }
    if let Some(words) = hook
        && asked.insert(words.clone())
    {
        findings.push(answers(id, &words, &install));
    }
    if let Some((says, fix)) = platform.untrusted(place) {
        findings.push(Finding::new(Level::Warning, id, says).fix(fix));
    }
}

fn word(role: Role) -> &'static str {
    match role {
        Role::Mcp => "server",
        Role::Hooks => "hooks",
        Role::Rules => "rules",
    }
}

/// Runs a hook as its host would.
fn answers(id: &str, words: &[String], install: &str) -> Finding {
    let line = words.join(" ");
    let fail = |why: String| Finding::new(Level::Error, id, format!("`{line}` {why}")).fix(install.to_owned());
    let Ok(folder) = tempfile::tempdir() else {
        return Finding::new(Level::Warning, id, "its hook was not run: no temporary folder can be made");
    };
    let payload = serde_json::json!({
        "session_id": SESSION, "sessionId": SESSION, "conversation_id": SESSION, "cwd": folder.path(),
    });
    let Some((program, arguments)) = words.split_first() else { return fail("is empty".into()) };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder.path());
    let started = std::time::Instant::now();
    match run(command, payload.to_string().as_bytes(), WAIT) {
        Err(error) => fail(format!("does not start: {error}")),
        Ok(None) => fail(format!("gave no answer within {} s", WAIT.as_secs())),
        Ok(Some(ran)) if ran.code != Some(0) => {
            let err = String::from_utf8_lossy(&ran.err).trim().lines().next().unwrap_or_default().to_owned();
            fail(format!("ended with {}: {err}", ran.code.map_or("a signal".into(), |c| format!("exit code {c}"))))
        }
        Ok(Some(ran)) => {
            let out = String::from_utf8_lossy(&ran.out).trim().to_owned();
            if !out.is_empty() && serde_json::from_str::<serde_json::Value>(&out).is_err() {
                return fail("printed something else than one JSON document".into());
            }
            let ms = started.elapsed().as_millis();
            Finding::new(Level::Ok, id, format!("its hook answers (in {ms} ms)"))
        }
    }
}
