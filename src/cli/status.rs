//! `status`.

use std::collections::BTreeMap;

use portolan::index::Manifest;
use serde_json::json;

use super::output::{Bound, moment};
use super::{Answer, Context};

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    bound: Bound,
}

impl Args {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        let repo = context.repo()?;
        let Some(manifest) = Manifest::read(&repo.cache_file("manifest")) else {
            let mut out = context.out();
            if out.is_json() {
                out.json(&json!({ "root": repo.root(), "indexed_at": null }))?;
            } else {
                out.line(&format!("{}: not indexed yet; run `portolan index`", repo.root().display()))?;
            }
            out.finish()?;
            return Ok(Answer::No);
        };
        let counts = context.ask(portolan::ask::counts)?;
        let mut languages: BTreeMap<&str, usize> = BTreeMap::new();
        for file in &manifest.files {
            *languages.entry(file.language.as_str()).or_default() += 1;
        }
        let size = std::fs::metadata(repo.folder().join("graph.kuzu")).map_or(0, |m| m.len());
        let shown = self.bound.cut(&manifest.skipped);
        let mut out = context.out();
        if out.is_json() {
            let skipped: Vec<_> = shown.iter().map(|(path, why)| json!({ "path": path, "reason": why })).collect();
            out.json(&json!({
                "root": repo.root(),
                "indexed_at": manifest.at,
                "head": manifest.head,
                "files": manifest.files.len(),
                "languages": languages,
                "counts": counts,
                "graph_bytes": size,
                "skipped": skipped,
                "skipped_total": manifest.skipped.len(),
            }))?;
        } else {
            out.heading(&repo.root().display().to_string())?;
            let head = manifest.head.as_deref().map_or("no commits", |h| h.get(..10).unwrap_or(h));
            out.line(&format!("indexed {} at {head}", moment(manifest.at)))?;
            let of =
                |l: &(&str, usize)| if l.0.is_empty() { format!("other {}", l.1) } else { format!("{} {}", l.0, l.1) };
            let mut languages: Vec<_> = languages.into_iter().collect();
            languages.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
            let languages: Vec<_> = languages.iter().map(of).collect();
            out.line(&format!("{} files: {}", manifest.files.len(), languages.join(", ")))?;
            let counts: Vec<_> = counts.iter().map(|(what, n)| format!("{n} {what}")).collect();
            out.line(&counts.join(", "))?;
            #[allow(clippy::cast_precision_loss)] // a size for people
            out.line(&format!("graph {:.1} MB", size as f64 / 1e6))?;
            if !manifest.skipped.is_empty() {
                out.line(&format!("left out {}:", manifest.skipped.len()))?;
                for (path, why) in shown {
                    out.line(&format!("  {path}: {why}"))?;
                }
                out.rest(shown.len(), manifest.skipped.len())?;
            }
        }
        out.finish()?;
        Ok(Answer::Yes)
    }
}
