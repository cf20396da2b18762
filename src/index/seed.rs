//! The first graph of a linked worktree: a copy of the main work tree's, of which the ordinary run then indexes only
//! the differences. Whatever goes wrong here, the ordinary run builds the graph from nothing.

use std::cell::RefCell;
use std::fs::{self, File};
use std::path::Path;

use super::built::BUILT;
use super::{IndexError, Manifest, Run, pending, versions};
use crate::atomic::Draft;
use crate::repo::Repo;
use crate::store::snapshot::{self, Beside};
use crate::store::{Layout, Store, StoreError};

/// Caches that hold for any state of the graph, each entry by its content.
const ALWAYS: [&str; 4] = ["facts", "commits", "scip", "scip-print"];
/// Those that belong to one generation of it. The manifest, which makes the next run trust them, comes last.
const OF_GENERATION: [&str; 4] = ["interface", "search", BUILT, "manifest"];

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
        let drafts = RefCell::new(Vec::new());
        let generation = RefCell::new(None);
        // Graph and caches of the main work tree change under its exclusive gate, so what is copied now fits together.
        let mut copy = || {
            drafts.borrow_mut().extend(self.copy_caches(&main, &ALWAYS)?);
            if pending::is_unsettled(&from.layout().cache()) {
                return Ok(false);
            }
            let manifest = Manifest::read(&main.cache_file("manifest")).filter(|m| m.versions == versions(self.repo));
            let Some(manifest) = manifest else { return Ok(false) };
            drafts.borrow_mut().extend(self.copy_caches(&main, &OF_GENERATION)?);
            *generation.borrow_mut() = Some(manifest.generation);
            Ok(true)
        };
        let mut put = |of_graph: Option<&str>| {
            let fits = generation.borrow().as_deref() == of_graph;
            for (name, draft) in drafts.take() {
                if fits || ALWAYS.contains(&name) {
                    draft.put().map_err(|e| StoreError::io("put in place", self.repo.cache_file(name), e))?;
                }
            }
            Ok(())
        };
        let layout = self.store.layout();
        let owner = self.owner.to_string();
        let beside = Beside { copy: &mut copy, put: &mut put };
        Ok(snapshot::seed(&from, layout, &owner, self.options.gate_wait, beside)?)
    }

    /// Copies of those that are there, not yet in their places.
    fn copy_caches(&self, main: &Repo, names: &[&'static str]) -> Result<Vec<(&'static str, Draft)>, StoreError> {
        let mut drafts = Vec::new();
        for name in names {
            let (from, to) = (main.cache_file(name), self.repo.cache_file(name));
            let copied = match File::open(&from) {
                Ok(mut file) => Draft::of(&to).and_then(|mut draft| {
                    std::io::copy(&mut file, &mut draft)?;
                    Ok(Some(draft))
                }),
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
                Err(e) => Err(e),
            };
            drafts.extend(
                copied.map(|draft| draft.map(|draft| (*name, draft))).map_err(|e| StoreError::io("copy", &from, e))?,
            );
        }
        Ok(drafts)
    }
}
