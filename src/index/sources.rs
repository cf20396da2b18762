//! From the work tree to facts: what there is, what changed, and what each file says. Only files
//! whose facts the cache lacks are read and parsed, in parallel.

use std::path::Path;

use rayon::prelude::*;

use crate::cache::{CachedFile, FactsCache, FactsKey};
use crate::config::Config;
use crate::extract::extract;
use crate::facts::Facts;
use crate::lang::LanguageSupport;
use crate::progress::Progress;
use crate::repo::Repo;
use crate::scan::{
    self, Content, ContentHash, Reading, Record, Scan, Scanned, Skipped, StatCache, is_source_path, read_content,
};
use crate::terms::{code_terms, plain_terms};

use super::{IndexError, IndexedFile};

/// A file that belongs into the graph.
#[derive(Clone)]
pub struct Source {
    /// Repository path.
    pub path: String,
    /// How it is parsed, if it is.
    pub language: Option<&'static dyn LanguageSupport>,
    /// Language or type word.
    pub file_type: &'static str,
    /// Whether it holds tests.
    pub is_test: bool,
    /// Whether a program wrote it.
    pub generated: bool,
    /// Hash of its bytes.
    pub hash: ContentHash,
    /// Where its facts are cached.
    pub key: FactsKey,
}

/// The work tree as one index run sees it.
pub struct Sources {
    /// Files to index, sorted by path.
    pub files: Vec<Source>,
    /// What is left out, sorted by path.
    pub skipped: Vec<Skipped>,
    /// Sentences for the user.
    pub notes: Vec<String>,
    scan: Scan,
    /// What the scan's indices refer to.
    stats: StatCache,
    records: Vec<(String, Record)>,
}

impl Sources {
    /// Scans the work tree; reads what may have changed; parses what the cache does not know, into the cache.
    ///
    /// # Errors
    /// The root cannot be listed.
    pub fn collect(
        repo: &Repo,
        config: &Config,
        cache: &mut FactsCache,
        progress: &dyn Progress,
    ) -> Result<Sources, IndexError> {
        progress.stage("Scanning", 0);
        let stat_cache = StatCache::load(&repo.cache_file("stat"));
        let mut scan = scan::scan(repo, config, &stat_cache)?;
        let mut skipped = std::mem::take(&mut scan.skipped);
        let mut files = Vec::with_capacity(scan.files.len());
        let mut unread = Vec::new();
        for file in &scan.files {
            match file.known {
                Some(known) => {
                    let source = Source::of_known(file, known.hash, known.generated);
                    if cache.contains(source.key) {
                        files.push(source);
                    } else {
                        unread.push(file);
                    }
                }
                None => unread.push(file),
            }
        }
        let mut records = Vec::with_capacity(unread.len());
        if !unread.is_empty() {
            progress.stage("Parsing", unread.len() as u64);
        }
        let known = &*cache;
        let read: Vec<Read> = unread
            .into_par_iter()
            .map(|file| {
                let read = Read::file(repo, config, known, file);
                progress.done(1);
                read
            })
            .collect();
        for one in read {
            match one {
                Read::Indexed { source, record, cached } => {
                    records.push((source.path.clone(), record));
                    if let Some(cached) = cached {
                        cache.add(source.key, cached);
                    }
                    files.push(source);
                }
                Read::Skipped(skip, record) => {
                    records.extend(record.map(|r| (skip.path.clone(), r)));
                    skipped.push(skip);
                }
            }
        }
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        skipped.sort_unstable();
        let notes = std::mem::take(&mut scan.notes);
        Ok(Sources { files, skipped, notes, scan, stats: stat_cache, records })
    }

    /// Writes the stat cache, so that the next scan reads nothing that did not change.
    ///
    /// # Errors
    /// The cache folder cannot be written.
    pub fn save_stats(&self, repo: &Repo) -> std::io::Result<()> {
        self.stats.save(&repo.cache_file("stat"), &self.scan, &self.records).map(drop)
    }

    /// The facts of all files in the order of [`Sources::files`].
    ///
    /// # Errors
    /// [`IndexError::Cache`]: an entry that was there is damaged; the cache should be thrown away.
    pub fn facts(&self, cache: &FactsCache) -> Result<Vec<Facts>, IndexError> {
        self.files.par_iter().map(|f| cache.facts(f.key).ok_or_else(|| IndexError::cache(&f.path))).collect()
    }
}

impl Source {
    /// Whether it is indexed as the manifest says; paths are compared by the caller.
    pub fn is(&self, old: &IndexedFile) -> bool {
        old.hash == self.hash.0
            && old.language == self.file_type
            && old.is_test == self.is_test
            && old.parsed == self.language.is_some()
    }

    fn of_known(file: &Scanned, hash: ContentHash, generated: bool) -> Source {
        Source {
            path: file.path.clone(),
            language: file.language,
            file_type: file.file_type,
            is_test: file.is_test,
            generated,
            hash,
            key: key_of(&file.path, hash, file.language),
        }
    }

    fn of_content(path: &str, content: &Content) -> Source {
        Source {
            path: path.to_owned(),
            language: content.language,
            file_type: content.file_type,
            is_test: content.is_test,
            generated: content.generated,
            hash: content.hash,
            key: key_of(path, content.hash, content.language),
        }
    }
}

fn extension_of(path: &str) -> String {
    Path::new(path).extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase()
}

fn key_of(path: &str, hash: ContentHash, language: Option<&'static dyn LanguageSupport>) -> FactsKey {
    match language {
        Some(language) => FactsKey::new(&hash.0, language.name(), &extension_of(path)),
        None => FactsKey::new(&hash.0, "", if is_source_path(path) { "code" } else { "" }),
    }
}

enum Read {
    Indexed { source: Source, record: Record, cached: Option<CachedFile> },
    Skipped(Skipped, Option<Record>),
}

impl Read {
    fn file(repo: &Repo, config: &Config, cache: &FactsCache, file: &Scanned) -> Read {
        let content = match read_content(repo, config, file) {
            Reading::Text(content) => content,
            Reading::Skipped(skip, record) => return Read::Skipped(skip, record),
        };
        let source = Source::of_content(&file.path, &content);
        let cached = (!cache.contains(source.key)).then(|| match content.language {
            Some(language) => {
                let extracted = extract(language, &extension_of(&file.path), &content.text);
                CachedFile::new(&extracted.facts, extracted.terms.encode())
            }
            None => CachedFile::new(
                &Facts { lines: content.text.lines().count() as u32, ..Facts::default() },
                if is_source_path(&file.path) { code_terms(&content.text) } else { plain_terms(&content.text) }
                    .encode(),
            ),
        });
        Read::Indexed { source, record: content.record, cached }
    }
}
