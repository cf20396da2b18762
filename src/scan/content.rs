//! Reading a file: hash, text and what they say of it come from one read.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::time::SystemTime;

use super::{ContentHash, FileStat, Record, Scanned, SkipReason, Skipped, Traits, classify};
use crate::config::Config;
use crate::lang::LanguageSupport;
use crate::repo::Repo;

/// A file's text.
pub struct Content {
    /// Decoded; U+FFFD for what is not UTF-8.
    pub text: String,
    /// Whether the text is not the bytes exactly.
    pub lossy: bool,
    /// Of the bytes.
    pub hash: ContentHash,
    /// Says of itself that a program wrote it.
    pub generated: bool,
    /// How to parse it; narrowed by `portolan.toml`.
    pub language: Option<&'static dyn LanguageSupport>,
    /// A word for its type, as [`Scanned::file_type`].
    pub file_type: &'static str,
    /// Whether it holds tests.
    pub is_test: bool,
    /// What the [`StatCache`](super::StatCache) should keep of it.
    pub record: Record,
}

/// What reading a file gave.
pub enum Reading {
    /// Its text.
    Text(Content),
    /// It is not to be indexed after all; if its content says so, that is worth keeping in the
    /// [`StatCache`](super::StatCache).
    Skipped(Skipped, Option<Record>),
}

/// Reads a file of a scan.
pub fn read_content(repo: &Repo, config: &Config, file: &Scanned) -> Reading {
    let skipped = |reason, size, record| Reading::Skipped(Skipped { path: file.path.clone(), reason, size }, record);
    let (bytes, stat, recorded) = match read_stable(repo, config, file) {
        Ok(read) => read,
        Err((reason, size)) => return skipped(reason, size, None),
    };
    let hash = ContentHash::of(&bytes);
    let traits = classify::traits(&file.path, &bytes);
    let record = Record { stat, recorded, hash, traits };
    if let Some(reason) = skip_reason(&traits) {
        return skipped(reason, stat.size, Some(record));
    }
    let language = parsed_as(config, traits.language);
    Reading::Text(Content {
        text: match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(e) => String::from_utf8_lossy(e.as_bytes()).into_owned(),
        },
        lossy: traits.lossy,
        hash,
        generated: traits.generated,
        language,
        file_type: super::walk::type_word(&file.path, traits.language),
        is_test: super::walk::is_test(&file.path, traits.language),
        record,
    })
}

/// Whether content like this is left out.
pub(crate) fn skip_reason(traits: &Traits) -> Option<SkipReason> {
    if traits.binary {
        Some(SkipReason::Binary)
    } else if traits.minified {
        Some(SkipReason::Minified)
    } else {
        None
    }
}

/// The language, unless `portolan.toml` names others.
pub(crate) fn parsed_as(
    config: &Config,
    language: Option<&'static dyn LanguageSupport>,
) -> Option<&'static dyn LanguageSupport> {
    language.filter(|l| config.parses(l.name()))
}

type Stable = (Vec<u8>, FileStat, i64);

/// The bytes with the metadata that belongs to them: read again (a few times) if they change meanwhile.
fn read_stable(repo: &Repo, config: &Config, file: &Scanned) -> Result<Stable, (SkipReason, u64)> {
    let unreadable = |e: std::io::Error| (SkipReason::Unreadable(e.kind().to_string()), file.stat.size);
    let path = repo.absolute(&file.path);
    let mut tries = 0;
    loop {
        tries += 1;
        // What was a file at the scan may be a link or a pipe by now: neither followed nor waited for.
        let mut handle = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC)
            .open(&path)
            .map_err(unreadable)?;
        let recorded = now();
        let meta = handle.metadata().map_err(unreadable)?;
        if !meta.is_file() {
            return Err((SkipReason::Special("not a regular file"), 0));
        }
        let stat = FileStat::of(&meta);
        let bytes = read_up_to(&mut handle, &stat, config.max_file_size).map_err(unreadable)?;
        if bytes.len() as u64 > config.max_file_size {
            return Err((SkipReason::TooLarge(config.max_file_size), stat.size));
        }
        let after = FileStat::of(&handle.metadata().map_err(unreadable)?);
        if after == stat && bytes.len() as u64 == stat.size {
            return Ok((bytes, stat, recorded));
        }
        if tries == 3 {
            // Somebody keeps writing. Take what is there; as recorded it never passes for unchanged.
            return Ok((bytes, stat, i64::MIN));
        }
    }
}

/// At most one byte more than the limit: a file may grow while it is read.
fn read_up_to(handle: &mut File, stat: &FileStat, limit: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(stat.size.min(limit)).unwrap_or(0) + 1);
    handle.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Nanoseconds since the Unix epoch.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
