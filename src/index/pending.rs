//! The caches that describe one generation of the graph. They are written under other names before the
//! graph changes, and put in place right after it did: a run killed in between leaves caches and graph of
//! different generations, which the next run sees.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cache::write_sealed;
use crate::facts::Facts;
use crate::history::{CommitHash, History, HistoryRows};
use crate::resolve::Interface;
use crate::search::{self, CommitDoc, FileDoc};
use crate::terms::EncodedTerms;

use super::manifest::Manifest;
use super::sources::Source;
use super::{FactsCache, IndexError};

/// Magic word of the interface cache.
pub const INTERFACE_MAGIC: &[u8; 8] = b"PTLIFAC1";

const NAMES: [&str; 3] = ["interface", "search", "manifest"];

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
    pub history: &'a History,
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

    /// Puts them in place. Failing is no error: the next run sees that they do not fit.
    pub fn put_in_place(self) {
        for name in NAMES {
            if let Err(error) = fs::rename(self.path(name), self.folder.join(name)) {
                tracing::warn!(name, %error, "cache not put in place");
            }
        }
        self.clear_others();
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
