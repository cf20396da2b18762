//! Before a question is answered: is the graph that of the work tree, and if not, what to do about it.
//!
//! Looking costs a walk over file metadata and one small file (the [`Manifest`]); the graph is not opened. Few
//! changes are indexed first. For many, or while somebody else indexes, the question is answered from the graph
//! as it is, and one process in the background brings it up to date.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rayon::prelude::*;

use super::background::{self, Started};
use super::{IndexError, IndexedFile, Manifest, Options, Report, built, index, pending, versions};
use crate::config::Config;
use crate::progress::Progress;
use crate::repo::{CONFIG_FILE, Repo, RepoError};
use crate::scan::{self, Reading, StatCache, read_content};
use crate::store::{Layout, Store, schema};

/// Up to so many changed files are indexed before a question is answered.
pub const FEW_FILES: usize = 20;
/// Up to so many commits that came or went likewise.
pub const FEW_COMMITS: usize = 50;
/// How long a question waits for a writer's turn before it is answered from the graph as it is.
const GATE_WAIT: Duration = Duration::from_secs(1);

/// How the work tree differs from the graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Since {
    /// When the graph was made, seconds since the Unix epoch.
    pub at: i64,
    /// Files that are new, changed or gone, and one for changes among those that are left out.
    pub files: usize,
    /// Commits that came or went; counted up to one more than [`FEW_COMMITS`].
    pub commits: usize,
}

impl Since {
    /// Whether the graph is up to date.
    pub fn is_nothing(&self) -> bool {
        self.files == 0 && self.commits == 0
    }

    fn is_little(&self) -> bool {
        self.files <= FEW_FILES && self.commits <= FEW_COMMITS
    }
}

/// What a look at the work tree found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Nothing was indexed yet, or the caches that say what was are gone.
    NotIndexed,
    /// Another version of Portolan made the graph, and this one would make another.
    OtherVersion {
        /// When, seconds since the Unix epoch.
        at: i64,
    },
    /// An index run was killed before graph and caches fitted together again.
    CutShort {
        /// When the run before it ended, seconds since the Unix epoch.
        at: i64,
    },
    /// There is a graph.
    Since(Since),
}

impl Look {
    /// When the graph was made as far as this tells, seconds since the Unix epoch.
    fn at(self) -> Option<i64> {
        match self {
            Look::NotIndexed => None,
            Look::OtherVersion { at } | Look::CutShort { at } => Some(at),
            Look::Since(since) => Some(since.at),
        }
    }

    /// Whether indexing takes no longer than an asker would wait.
    fn is_little(self) -> bool {
        !matches!(self, Look::Since(since) if !since.is_little())
    }
}

/// Compares the work tree with what was indexed. Writes nothing but the stat cache.
///
/// # Errors
/// The work tree cannot be listed.
pub fn look(repo: &Repo, config: &Config) -> Result<Look, IndexError> {
    let Some(manifest) = Manifest::read(&repo.cache_file("manifest")) else { return Ok(Look::NotIndexed) };
    if !graph_of(repo).exists() {
        return Ok(Look::NotIndexed);
    }
    if pending::is_unsettled(&Layout::at(repo.root()).cache()) {
        return Ok(Look::CutShort { at: manifest.at });
    }
    if manifest.versions != versions(repo) {
        return Ok(Look::OtherVersion { at: manifest.at });
    }
    let files = changed_files(repo, config, &manifest)?;
    Ok(Look::Since(Since { at: manifest.at, files, commits: changed_commits(repo, manifest.head.as_deref()) }))
}

fn graph_of(repo: &Repo) -> PathBuf {
    Layout::at(repo.root()).graph()
}

fn changed_files(repo: &Repo, config: &Config, manifest: &Manifest) -> Result<usize, IndexError> {
    let stat_file = repo.cache_file("stat");
    let stat_cache = StatCache::load(&stat_file);
    let mut scan = scan::scan(repo, config, &stat_cache)?;
    let mut files = Vec::with_capacity(scan.files.len());
    let mut skipped: Vec<_> = std::mem::take(&mut scan.skipped);
    let (known, unread): (Vec<_>, Vec<_>) = scan.files.iter().partition(|f| f.known.is_some());
    files.extend(
        known
            .into_iter()
            .filter_map(|f| Some((&*f.path, f.known?.hash.0, f.file_type, f.is_test, f.language.is_some()))),
    );
    let read: Vec<_> = unread.into_par_iter().map(|file| (file, read_content(repo, config, file))).collect();
    let mut records = Vec::new();
    for (file, reading) in read {
        match reading {
            Reading::Text(content) => {
                let parsed = content.language.is_some();
                files.push((&*file.path, content.hash.0, content.file_type, content.is_test, parsed));
                records.push((file.path.clone(), content.record));
            }
            Reading::Skipped(skip, record) => {
                records.extend(record.map(|r| (skip.path.clone(), r)));
                skipped.push(skip);
            }
        }
    }
    if !records.is_empty() {
        // Only spares the next look the reading.
        let _ = stat_cache.save(&stat_file, &scan, &records);
    }
    files.sort_unstable();
    skipped.sort_unstable();
    let same = |(path, hash, file_type, is_test, parsed): &(&str, [u8; 32], &str, bool, bool), old: &IndexedFile| {
        *path == old.path
            && *hash == old.hash
            && *file_type == old.language
            && *is_test == old.is_test
            && *parsed == old.parsed
    };
    let mut old = manifest.files.iter().peekable();
    let mut changed = 0;
    for file in &files {
        while old.next_if(|old| *old.path < *file.0).is_some() {
            changed += 1;
        }
        match old.next_if(|old| old.path == file.0) {
            Some(old) if same(file, old) => {}
            _ => changed += 1,
        }
    }
    changed += old.count();
    let left_out_alike = skipped.len() == manifest.skipped.len()
        && skipped.iter().zip(&manifest.skipped).all(|(s, m)| s.path == m.0 && s.reason.to_string() == m.1);
    Ok(changed + usize::from(!left_out_alike))
}

/// Commits between the HEAD that was indexed and this one, both ways. What git cannot tell counts as many.
fn changed_commits(repo: &Repo, indexed: Option<&str>) -> usize {
    let between = |git: &git2::Repository| -> Result<usize, git2::Error> {
        let head = match git.head() {
            Ok(head) => Some(head.peel_to_commit()?.id()),
            Err(e) if matches!(e.code(), git2::ErrorCode::UnbornBranch | git2::ErrorCode::NotFound) => None,
            Err(e) => return Err(e),
        };
        let old = indexed.map(git2::Oid::from_str).transpose()?;
        if head == old {
            return Ok(0);
        }
        let count = |from: Option<git2::Oid>, without: Option<git2::Oid>| -> Result<usize, git2::Error> {
            let Some(from) = from else { return Ok(0) };
            let mut walk = git.revwalk()?;
            walk.push(from)?;
            if let Some(without) = without {
                walk.hide(without)?;
            }
            Ok(walk.take(FEW_COMMITS + 1).count())
        };
        // At least one: a rewound branch may reach nothing new.
        Ok((count(head, old)? + count(old, head)?).max(1))
    };
    match repo.git() {
        Ok(Some(git)) => between(&git).unwrap_or(FEW_COMMITS + 1),
        _ => 0,
    }
}

/// Why a question is answered from a graph that is behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Too much changed to make the asker wait.
    Much,
    /// Somebody indexes, or holds the graph.
    Busy,
    /// The repository cannot be written.
    ReadOnly,
    /// Indexing failed; the error's words.
    Failed(String),
}

/// What was done before a question.
#[derive(Clone, Debug)]
pub enum Freshness {
    /// Nothing had changed.
    UpToDate {
        /// When the graph was made, seconds since the Unix epoch.
        at: i64,
    },
    /// What had changed was indexed.
    Indexed(Report),
    /// The graph may be behind.
    Behind {
        /// What a look at the work tree found; `None` when it could not be looked at.
        look: Option<Look>,
        /// When it was made, seconds since the Unix epoch.
        at: i64,
        /// Why it was not brought up to date.
        why: Why,
        /// Whether it is being brought up to date now.
        background: bool,
    },
}

/// [`ensure`] for the repository around a folder; `None` where a question does not index by itself: `/` and the home
/// folder (a graph of all that was made on purpose), and folders that neither git nor Portolan knows.
///
/// # Errors
/// As [`ensure`], and the folder is not usable as a repository.
pub fn before_question(
    folder: &Path,
    program: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Option<Freshness>, IndexError> {
    let repo = match Repo::open(folder, false) {
        Ok(repo) => repo,
        Err(RepoError::TooWide { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if !repo.has_git() && !repo.folder().is_dir() && !repo.root().join(CONFIG_FILE).is_file() {
        return Ok(None);
    }
    repo.check_folder()?;
    match Config::load(&repo) {
        Ok(config) => ensure(&repo, &config, program, progress).map(Some),
        Err(error) if graph_of(&repo).exists() => {
            let at = written_at(&repo).unwrap_or_default();
            let why = Why::Failed(error.to_string());
            Ok(Some(Freshness::Behind { look: None, at, why, background: false }))
        }
        Err(error) => Err(error.into()),
    }
}

/// Brings the graph up to date before a question where that is quick, and sees to it that it will be where it is not.
/// A repository without a graph is indexed whole. `program`: this program's file, which is started with `index`
/// for the background.
///
/// # Errors
/// There is no graph, and none can be made. With a graph nothing is an error: it answers as it is.
pub fn ensure(
    repo: &Repo,
    config: &Config,
    program: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Freshness, IndexError> {
    let behind = |look: Option<Look>, why, background| {
        let at = look.and_then(Look::at).or_else(|| written_at(repo)).unwrap_or_default();
        Ok(Freshness::Behind { look, at, why, background })
    };
    let look = match look(repo, config) {
        Ok(look) => look,
        Err(error) if holds_code(repo) => return behind(None, Why::Failed(error.to_string()), false),
        Err(error) => return Err(error),
    };
    if look == Look::NotIndexed && !holds_code(repo) {
        return index(repo, config, Options::default(), progress).map(Freshness::Indexed);
    }
    if let Look::Since(since) = look
        && since.is_nothing()
    {
        return Ok(Freshness::UpToDate { at: since.at });
    }
    if !writable(&repo.folder()) {
        return behind(Some(look), Why::ReadOnly, false);
    }
    if look.is_little() {
        let options = match look {
            // Nothing is known of the graph that is there, so it is worth more time.
            Look::NotIndexed => Options::default(),
            _ => Options { wait: Duration::ZERO, gate_wait: GATE_WAIT, compact: false, ..Options::default() },
        };
        match index(repo, config, options, progress) {
            Ok(report) => {
                if let Some(program) = program.filter(|_| built::is_bloated(repo)) {
                    background::start(program, repo);
                }
                return Ok(Freshness::Indexed(report));
            }
            Err(error) if error.is_busy() => return behind(Some(look), Why::Busy, false),
            Err(error) => {
                tracing::warn!(%error, "not indexed before the question");
                return behind(Some(look), Why::Failed(error.to_string()), false);
            }
        }
    }
    let started = program.map_or(Started::No, |program| background::start(program, repo));
    behind(Some(look), Why::Much, started != Started::No)
}

/// Whether there is a graph to answer from: the first indexer begins with an empty one, which holds its lock.
fn holds_code(repo: &Repo) -> bool {
    let store = Store::new(Layout::at(repo.root()));
    store.read(GATE_WAIT, |graph| schema::meta(graph, "generation")).is_ok_and(|generation| generation.is_some())
}

/// When the graph's file was last written, seconds since the Unix epoch.
fn written_at(repo: &Repo) -> Option<i64> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(graph_of(repo)).ok().map(|meta| meta.mtime())
}

/// Whether this process may write into the folder; root too is told no on a read-only file system.
fn writable(folder: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt;
    let Ok(path) = std::ffi::CString::new(folder.as_os_str().as_bytes()) else { return false };
    // SAFETY: the path is a string with its NUL, alive during the call.
    unsafe { libc::access(path.as_ptr(), libc::W_OK) == 0 }
}
