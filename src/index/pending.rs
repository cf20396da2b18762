//! The caches that describe one generation of the graph. They are written under other names before the
//! graph changes, and put in place right after it did, under the same exclusive gate. In between a marker tells
//! that graph and caches may be of different generations: whoever finds one that a killed run left looks which
//! generation the graph is of, and puts its caches in place.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::atomic;
use crate::cache::write_sealed;
use crate::facts::Facts;
use crate::history::{CommitCache, CommitHash, History, HistoryRows};
use crate::resolve::Interface;
use crate::search::{self, CommitDoc, FileDoc};
use crate::store::StoreError;
use crate::terms::EncodedTerms;

use super::manifest::Manifest;
use super::sources::Source;
use super::{FactsCache, IndexError};

/// Magic word of the interface cache.
pub const INTERFACE_MAGIC: &[u8; 8] = b"PTLIFAC1";

/// The manifest, which makes others trust the rest, comes last.
const NAMES: [&str; 4] = ["commits", "interface", "search", "manifest"];

/// The marker; it holds the generation that the graph is about to be of.
const UNSETTLED: &str = "unsettled";

/// Caches written but not yet in place.
pub struct Pending {
    folder: PathBuf,
    generation: String,
}

/// What the caches of a generation are made of.
pub struct Parts<'a> {
    /// The manifest; names the generation.
    pub manifest: &'a Manifest,
    /// What phase 1 of resolving answered.
    pub interface: &'a Interface,
    /// All files.
    pub files: &'a [Source],
    /// Their facts.
    pub facts: &'a [Facts],
    /// Their terms.
    pub cache: &'a FactsCache,
    /// Commits, for their messages.
    pub history: &'a Arc<History>,
    /// The cache that the commits came from.
    pub commits: &'a CommitCache,
    /// Which files commits touched.
    pub rows: &'a HistoryRows,
}

impl Pending {
    /// Writes the caches beside those in use.
    ///
    /// # Errors
    /// The cache folder cannot be written.
    pub fn write(folder: &Path, parts: &Parts<'_>) -> Result<Pending, IndexError> {
        let pending = Pending { folder: folder.to_owned(), generation: parts.manifest.generation.clone() };
        let interface = pending.path("interface");
        write_sealed(&interface, INTERFACE_MAGIC, &pending.generation, parts.interface)
            .map_err(IndexError::write(&interface))?;
        let commits = pending.path("commits");
        parts.commits.save(&commits, parts.history).map_err(IndexError::write(&commits))?;
        pending.write_search(parts)?;
        let manifest = pending.path("manifest");
        parts.manifest.write(&manifest).map_err(IndexError::write(&manifest))?;
        Ok(pending)
    }

    /// Those that a run of this generation left behind.
    pub fn left_behind(folder: &Path, generation: &str) -> Pending {
        Pending { folder: folder.to_owned(), generation: generation.to_owned() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.new-{}", self.generation))
    }

    fn write_search(&self, parts: &Parts<'_>) -> Result<(), IndexError> {
        let mut docs = Vec::with_capacity(parts.files.len());
        for (source, facts) in parts.files.iter().zip(parts.facts) {
            let terms = parts.cache.terms(source.key).and_then(EncodedTerms::new);
            docs.push(FileDoc {
                path: &source.path,
                language: source.file_type,
                is_test: source.is_test,
                generated: source.generated,
                facts: source.language.map(|_| facts),
                terms: terms.ok_or_else(|| IndexError::cache(&source.path))?,
            });
        }
        let touched = touched_by_commit(parts);
        let commits: Vec<CommitDoc<'_>> = parts
            .history
            .commits
            .iter()
            .map(|c| CommitDoc {
                at: c.at,
                short_hash: short(c.hash),
                subject: &c.subject,
                body: &c.body,
                files: touched.get(&c.hash.to_string()[..]).map_or(&[], Vec::as_slice),
            })
            .collect();
        let generation = u64::from_str_radix(&self.generation, 16).unwrap_or(0);
        search::build(&self.path("search"), generation, &docs, &commits)?;
        Ok(())
    }

    /// Says that the graph is about to become theirs; right before it does, under the exclusive gate.
    ///
    /// # Errors
    /// The cache folder cannot be written.
    pub fn announce(&self) -> Result<(), StoreError> {
        let path = self.folder.join(UNSETTLED);
        // The graph's own writes are durable, so this has to be.
        atomic::write_durably(&path, self.generation.as_bytes()).map_err(|e| StoreError::io("write", path, e))
    }

    /// Puts them in place; right after the graph became theirs, under the same gate. Failing is no error: the next run
    /// sees that they do not fit.
    pub fn put_in_place(&self) {
        for name in NAMES {
            match fs::rename(self.path(name), self.folder.join(name)) {
                Ok(()) => {}
                // Commits that did not change are not written anew; and a killed run may have come some of the way.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => tracing::warn!(name, %error, "cache not put in place"),
            }
        }
        self.clear_others();
        atomic::clear_dead(&self.folder);
        settled(&self.folder);
    }

    /// Removes what killed runs left of other generations.
    fn clear_others(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let ours = |n: &str| NAMES.iter().any(|c| n.strip_prefix(c).is_some_and(|rest| rest.starts_with(".new-")));
            if name.to_str().is_some_and(ours) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Whether the graph in use may be of another generation than the caches in use.
pub fn is_unsettled(folder: &Path) -> bool {
    folder.join(UNSETTLED).exists()
}

/// Finishes what a killed run began: puts the caches of the graph's `generation` in place if those were announced.
/// Under the exclusive gate.
pub fn settle(folder: &Path, generation: Option<&str>) {
    let announced = fs::read_to_string(folder.join(UNSETTLED)).unwrap_or_default();
    match generation {
        Some(generation) if generation == announced => Pending::left_behind(folder, generation).put_in_place(),
        // The graph did not change after all.
        _ => settled(folder),
    }
}

fn settled(folder: &Path) {
    if let Err(error) = fs::remove_file(folder.join(UNSETTLED))
        && error.kind() != std::io::ErrorKind::NotFound
    {
        tracing::warn!(%error, "the marker of an index run stays");
    }
}

fn short(hash: CommitHash) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hash.0[..8]);
    u64::from_be_bytes(bytes)
}

fn touched_by_commit<'a>(parts: &'a Parts<'_>) -> rustc_hash::FxHashMap<&'a str, Vec<u32>> {
    let mut by_commit: rustc_hash::FxHashMap<&str, Vec<u32>> = rustc_hash::FxHashMap::default();
    for row in &parts.rows.touched {
        if let Ok(no) = parts.files.binary_search_by(|f| f.path.as_str().cmp(&row.path)) {
            by_commit.entry(&row.commit).or_default().push(no as u32);
        }
    }
    by_commit
}
