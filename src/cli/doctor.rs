//! `doctor`.

use std::path::PathBuf;

use portolan::doctor::{Finding, Level, agents, graph, locks};
use portolan::install::{Machine, write};
use portolan::repo::Repo;
use serde_json::json;

use super::{Answer, Context};

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Forget crashes of the engine, so that hooks open the graph again, and remove what cut-off writes left
    #[arg(long)]
    repair: bool,
    /// Try the locks in this folder: the second process of the locks' test
    #[arg(long, hide = true, value_name = "FOLDER")]
    try_locks: Option<PathBuf>,
}

impl Args {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let mut out = context.out();
        if let Some(folder) = &self.try_locks {
            out.line(&locks::second_process(folder)?)?;
            out.finish()?;
            return Ok(Answer::Yes);
        }
        let machine = Machine::this()?;
        let program = std::env::current_exe()?;
        // Outside of any repository there is still the user's installation to look at.
        let repo = Repo::open(&context.start()?, false).ok();
        let mut findings = Vec::new();
        let mut repaired = Vec::new();
        let project = repo.as_ref().map(Repo::root);
        if let Some(repo) = &repo {
            match graph::layout(repo) {
                Ok(layout) => {
                    if self.repair && graph::clear_crashes(&layout)? {
                        repaired.push("crashes of the engine are forgotten".to_owned());
                    }
                    findings.extend(graph::check(repo, &layout, &program));
                    if layout.dir().exists() {
                        findings.push(locks::check(&layout, &program, &["doctor", "--try-locks"]));
                    }
                }
                Err(finding) => findings.push(*finding),
            }
        }
        let drafts = agents::dead_drafts(&machine, project);
        if self.repair {
            for draft in &drafts {
                if let Some(folder) = draft.parent() {
                    write::clear_dead(folder);
                }
                repaired.push(format!("removed {}", draft.display()));
            }
        } else if !drafts.is_empty() {
            findings.push(agents::left_over(&drafts));
        }
        findings.extend(agents::check(&machine, project));
        let worst = findings.iter().map(|f| f.level).max().unwrap_or(Level::Ok);
        if out.is_json() {
            out.json(&json!({"healthy": worst < Level::Warning, "findings": findings, "repaired": repaired}))?;
        } else {
            for line in &repaired {
                out.line(&format!("repaired: {line}"))?;
            }
            for finding in &findings {
                out.line(&line(finding))?;
            }
        }
        out.finish()?;
        Ok(if worst < Level::Warning { Answer::Yes } else { Answer::No })
    }
}

fn line(finding: &Finding) -> String {
    let mark = match finding.level {
        Level::Ok => "ok     ",
        Level::Note => "note   ",
        Level::Warning => "warning",
        Level::Error => "error  ",
    };
    let fix = finding.fix.as_ref().map_or(String::new(), |fix| format!(" -> {fix}"));
    format!("{mark}  {}: {}{fix}", finding.about, finding.says)
}
