//! The first graph of a linked worktree: a copy of the main work tree's, of which the ordinary run then indexes only
//! the differences. Whatever goes wrong here, the ordinary run builds the graph from nothing.

use std::fs;
use std::path::Path;

use super::built::BUILT;
use super::{IndexError, Manifest, Run, versions};
use crate::repo::Repo;
use crate::store::{Layout, Store, schema, snapshot};

/// Caches that hold for any state of the graph, each entry by its content.
const ALWAYS: [&str; 4] = ["facts", "commits", "scip", "scip-print"];
/// Those that belong to one generation of it. The manifest, which makes the next run trust them, comes last.
const OF_GENERATION: [&str; 3] = ["interface", "search", BUILT];

impl Run<'_> {
    /// Begins with the main work tree's graph, if this is a linked worktree without one; a sentence for the user then.
    pub(super) fn seed(&self) -> Option<String> {
        let layout = self.store.layout();
        if self.options.rebuild || fs::symlink_metadata(layout.graph()).is_ok() {
            return None;
        }
        let main = self.repo.main_worktree()?;
        match self.seed_from(&main) {
            Ok(true) => Some(format!("began with the graph of {}", main.display())),
            Ok(false) => None,
            Err(error) => {
                tracing::debug!(%error, main = %main.display(), "not begun with the main work tree's graph");
                None
            }
        }
    }

    fn seed_from(&self, main: &Path) -> Result<bool, IndexError> {
        let main = Repo::open(main, true)?;
        main.check_folder()?;
        let from = Store::with_options(Layout::open(main.root(), false)?, self.store.options());
        if fs::symlink_metadata(from.layout().graph()).is_err() {
            return Ok(false);
        }
        self.copy_caches(&main, &ALWAYS)?;
        let manifest = Manifest::read(&main.cache_file("manifest")).filter(|m| m.versions == versions(self.repo));
        let Some(manifest) = manifest else { return Ok(false) };
        self.copy_caches(&main, &OF_GENERATION)?;
        let layout = self.store.layout();
        if !snapshot::seed(&from, layout, &self.owner.to_string(), self.options.gate_wait)? {
            return Ok(false);
        }
        let generation = self.store.read(self.options.gate_wait, |graph| schema::meta(graph, "generation"))?;
        if generation.as_ref() != Some(&manifest.generation) {
            // It was indexed meanwhile: without a manifest the copy is not trusted.
            return Ok(false);
        }
        let path = self.repo.cache_file("manifest");
        manifest.write(&path).map_err(IndexError::write(&path))?;
        Ok(true)
    }

    /// Copies those that are there; each appears whole or not at all.
    fn copy_caches(&self, main: &Repo, names: &[&str]) -> Result<(), IndexError> {
        for name in names {
            let (from, to) = (main.cache_file(name), self.repo.cache_file(name));
            let part = self.repo.cache_file(&format!("{name}.new-seed"));
            let copied = match fs::copy(&from, &part) {
                Ok(_) => fs::rename(&part, &to),
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
                Err(e) => Err(e),
            };
            copied.map_err(IndexError::write(&to))?;
        }
        Ok(())
    }
}
