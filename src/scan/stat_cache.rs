//! Content hashes by path and metadata, so that an unchanged file is not read again.
//!
//! A file is taken as unchanged when size, mtime, ctime and inode are those recorded, and both times are
//! over two seconds older than the recording: a later write within the clock's granularity would
//! otherwise go unseen (git's "racily clean" entries).
//!
//! The file: `magic, version, fingerprint, count, checksum`, then `count` fixed-size entries sorted by path, then
//! the paths. All little-endian. The fingerprint covers whatever else the traits depend on. Anything that does
//! not fit is an empty cache.

use std::path::Path;

use super::{ContentHash, FileStat, Scan, Traits, classify::CLASSIFY_VERSION};
use crate::atomic;
use crate::lang::LANGUAGES;
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8; 8] = b"PTLNSTAT";
const VERSION: u32 = 1;
const HEADER: usize = 8 + 4 + 8 + 4 + 8;
const ENTRY: usize = 4 + 4 + 8 * 5 + 32 + 2;
/// How much older than the recording a file's times must be, in nanoseconds.
const RACY: i64 = 2_000_000_000;

/// What is kept of one file.
#[derive(Clone, Copy)]
pub struct Record {
    /// Metadata of the bytes that were hashed.
    pub stat: FileStat,
    /// When the read began, nanoseconds since the Unix epoch.
    pub recorded: i64,
    /// Hash of the bytes.
    pub hash: ContentHash,
    /// What they say of the file.
    pub traits: Traits,
}

/// The cache as it was loaded; see the module.
#[derive(Default)]
pub struct StatCache {
    bytes: Vec<u8>,
    count: usize,
}

impl StatCache {
    /// Reads a cache; one that is missing or damaged is empty.
    pub fn load(file: &Path) -> StatCache {
        let bytes = std::fs::read(file).unwrap_or_default();
        match valid(&bytes) {
            Some(count) => StatCache { bytes, count },
            None => StatCache::default(),
        }
    }

    /// Number of files.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether it knows nothing.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// What was last recorded for a path, whether or not the file has changed since.
    pub fn get(&self, path: &str) -> Option<Record> {
        self.find(path).map(|at| self.record(at))
    }

    /// The entry that still holds for a file with this metadata.
    pub(crate) fn fresh(&self, path: &str, stat: &FileStat) -> Option<(u32, Record)> {
        let at = self.find(path)?;
        let record = self.record(at);
        let limit = record.recorded.saturating_sub(RACY);
        let holds = record.stat == *stat && stat.mtime < limit && stat.ctime < limit;
        holds.then_some((u32::try_from(at).ok()?, record))
    }

    /// Writes the cache after a scan: what the scan found to hold, and `read` for the files that were read
    /// since, each path once. Writes nothing if that is what was loaded. The file is replaced in one step.
    ///
    /// Returns whether it was written.
    ///
    /// # Errors
    /// The folder does not exist, or the file cannot be written.
    pub fn save(&self, file: &Path, scan: &Scan, read: &[(String, Record)]) -> std::io::Result<bool> {
        if read.is_empty() && scan.fresh.len() == self.count {
            return Ok(false);
        }
        let mut entries: Vec<(&str, Record)> =
            scan.fresh.iter().map(|at| (self.path(*at as usize), self.record(*at as usize))).collect();
        entries.extend(read.iter().map(|(path, record)| (path.as_str(), *record)));
        entries.sort_unstable_by(|a, b| a.0.cmp(b.0));
        entries.dedup_by(|a, b| a.0 == b.0);
        atomic::write(file, &serialise(&entries))?;
        Ok(true)
    }

    fn find(&self, path: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = (low + high) / 2;
            match self.path(middle).cmp(path) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn entry(&self, at: usize) -> &[u8] {
        &self.bytes[HEADER + at * ENTRY..][..ENTRY]
    }

    fn path(&self, at: usize) -> &str {
        let entry = self.entry(at);
        let blob = &self.bytes[HEADER + self.count * ENTRY..];
        let (offset, length) = (u32_at(entry, 0) as usize, u32_at(entry, 4) as usize);
        blob.get(offset..offset + length).and_then(|b| std::str::from_utf8(b).ok()).unwrap_or("")
    }

    fn record(&self, at: usize) -> Record {
        let entry = self.entry(at);
        let mut hash = [0; 32];
        hash.copy_from_slice(&entry[48..80]);
        let (flags, language) = (entry[80], entry[81]);
        Record {
            stat: FileStat {
                size: u64_at(entry, 8),
                mtime: u64_at(entry, 16) as i64,
                ctime: u64_at(entry, 24) as i64,
                inode: u64_at(entry, 32),
            },
            recorded: u64_at(entry, 40) as i64,
            hash: ContentHash(hash),
            traits: Traits {
                binary: flags & 1 != 0,
                minified: flags & 2 != 0,
                generated: flags & 4 != 0,
                lossy: flags & 8 != 0,
                language: language.checked_sub(1).and_then(|at| LANGUAGES.get(at as usize).copied()),
            },
        }
    }
}

/// The number of entries of a cache that is whole.
fn valid(bytes: &[u8]) -> Option<usize> {
    let header = bytes.get(..HEADER)?;
    let body = &bytes[HEADER..];
    let count = u32_at(header, 20) as usize;
    let whole = header.starts_with(MAGIC)
        && u32_at(header, 8) == VERSION
        && u64_at(header, 12) == fingerprint()
        && u64_at(header, 24) == xxh3_64(body)
        && count.checked_mul(ENTRY)? <= body.len();
    whole.then_some(count)
}

/// Of what the traits depend on besides the bytes.
fn fingerprint() -> u64 {
    let mut text = format!("{CLASSIFY_VERSION}");
    for language in LANGUAGES {
        text.push_str(language.name());
        for word in language.extensions().iter().chain(language.interpreters()) {
            text.push(',');
            text.push_str(word);
        }
        text.push(';');
    }
    xxh3_64(text.as_bytes())
}

fn serialise(entries: &[(&str, Record)]) -> Vec<u8> {
    let paths: usize = entries.iter().map(|(path, _)| path.len()).sum();
    let mut body = Vec::with_capacity(entries.len() * ENTRY + paths);
    let mut offset = 0u32;
    for (path, record) in entries {
        body.extend_from_slice(&offset.to_le_bytes());
        body.extend_from_slice(&(path.len() as u32).to_le_bytes());
        body.extend_from_slice(&record.stat.size.to_le_bytes());
        body.extend_from_slice(&record.stat.mtime.to_le_bytes());
        body.extend_from_slice(&record.stat.ctime.to_le_bytes());
        body.extend_from_slice(&record.stat.inode.to_le_bytes());
        body.extend_from_slice(&record.recorded.to_le_bytes());
        body.extend_from_slice(&record.hash.0);
        let traits = &record.traits;
        let flags = [traits.binary, traits.minified, traits.generated, traits.lossy];
        body.push(flags.iter().enumerate().map(|(bit, on)| u8::from(*on) << bit).sum());
        let language = traits.language.and_then(|l| LANGUAGES.iter().position(|o| o.name() == l.name()));
        body.push(language.map_or(0, |at| at as u8 + 1));
        offset += path.len() as u32;
    }
    for (path, _) in entries {
        body.extend_from_slice(path.as_bytes());
    }
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&fingerprint().to_le_bytes());
    bytes.extend_from_slice(&(entries.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&xxh3_64(&body).to_le_bytes());
    bytes.extend_from_slice(&body);
    bytes
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes)
}
