//! Indexes that compilers made (SCIP), tied to the work tree.

use std::path::Path;

use super::{IndexError, Run};
use crate::cache::FactsCache;
use crate::config::Config;
use crate::facts::Facts;
use crate::progress::Progress;
use crate::repo::Repo;
use crate::scip::{self, ScipData, SourceText};
use crate::store::{Layout, Store};

use super::sources::{Source, Sources};

/// Takes indexes in the SCIP format: from the next run on, and as long as a file is as it is now, its edges come from
/// there. Returns sentences for the user.
///
/// # Errors
/// [`IndexError::Scip`] when an index cannot be used, else as for [`super::index`].
pub fn take_scip(
    repo: &Repo,
    config: &Config,
    indexes: &[&Path],
    progress: &dyn Progress,
) -> Result<Vec<String>, IndexError> {
    repo.check_folder()?;
    let layout = Layout::create(repo.root(), false)?;
    Layout::private_dir(&layout.cache())?;
    let mut cache = FactsCache::open(&repo.cache_file("facts"));
    let sources = Sources::collect(repo, config, &mut cache, progress)?;
    let facts = sources.facts(&cache)?;
    let files: Vec<SourceText<'_>> = parsed(&sources.files, &facts).collect();
    let mut data = ScipData::load(&layout.cache());
    let mut notes = Vec::new();
    for index in indexes {
        progress.stage("Reading the SCIP index", 0);
        let taken = scip::read(index, repo.root(), &files, |path| {
            let bytes = std::fs::read(repo.absolute(path)).ok()?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        })?;
        notes.push(sentence(index, &taken));
        data.merge(taken.data);
    }
    data.save(&layout.cache()).map_err(IndexError::write(&layout.cache().join("scip")))?;
    let keys: Vec<_> = sources.files.iter().map(|f| f.key).collect();
    cache.flush(&keys).map_err(IndexError::write(&repo.cache_file("facts")))?;
    Ok(notes)
}

/// Forgets what indexes said; true if there was anything.
///
/// # Errors
/// The cache folder cannot be written.
pub fn forget_scip(repo: &Repo) -> Result<bool, IndexError> {
    let store = Store::new(Layout::create(repo.root(), false)?);
    let folder = store.layout().cache();
    Layout::private_dir(&folder)?;
    let there = !ScipData::print(&folder).is_empty();
    if there {
        ScipData::default().save(&folder).map_err(IndexError::write(&folder.join("scip")))?;
    }
    Ok(there)
}

fn parsed<'a>(files: &'a [Source], facts: &'a [Facts]) -> impl Iterator<Item = SourceText<'a>> {
    let parsed = files.iter().zip(facts).filter(|(f, _)| f.language.is_some());
    parsed.map(|(f, facts)| SourceText { path: &f.path, hash: f.hash.0, facts })
}

fn sentence(index: &Path, taken: &scip::Taken) -> String {
    let documents = taken.data.files.len();
    let mut text = format!("{}: {documents} documents taken", index.display());
    if taken.unknown > 0 {
        text.push_str(&format!(", {} not among the indexed files", taken.unknown));
    }
    if let Some(first) = taken.stale.first() {
        let stale = taken.stale.len();
        text.push_str(&format!(
            ", {stale} left out because the file has changed since ({first}{})",
            if stale > 1 { ", ..." } else { "" }
        ));
    }
    text
}

impl Run<'_> {
    /// What is kept of indexes.
    pub(super) fn scip(&self) -> ScipData {
        let folder = self.store.layout().cache();
        if ScipData::print(&folder).is_empty() { ScipData::default() } else { ScipData::load(&folder) }
    }
}
