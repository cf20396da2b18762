//! Facts and search terms of files, keyed by content: an edit of one file parses one file.
//!
//! One append-only file. An entry is `key (16) | checksum (8) | two lengths (4 each) | facts |
//! terms`. A torn entry ends the readable part; the next writer then
//! writes the file anew. When more than half is no longer used, the file is written anew.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use crate::atomic::Draft;
use crate::facts::{FACTS_VERSION, Facts};

const MAGIC: &[u8; 8] = b"PTLFACT1";
const ENTRY_HEADER: usize = 16 + 8 + 8;

/// Content, language and grammar of a file, and the version of the extractor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FactsKey([u8; 16]);

impl FactsKey {
    /// `content_hash` is the hash of the bytes; `language` is empty for files in no known language.
    pub fn new(content_hash: &[u8], language: &str, extension: &str) -> FactsKey {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&FACTS_VERSION.to_le_bytes());
        for part in [content_hash, language.as_bytes(), extension.as_bytes()] {
            hasher.update(&(part.len() as u32).to_le_bytes());
            hasher.update(part);
        }
        let mut key = [0; 16];
        key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        FactsKey(key)
    }
}

/// One file's cached extraction, serialised.
#[derive(Clone, Debug, PartialEq)]
pub struct CachedFile {
    facts: Vec<u8>,
    terms: Vec<u8>,
}

impl CachedFile {
    /// Serialises what extraction gave; `terms` are encoded already.
    pub fn new(facts: &Facts, terms: Vec<u8>) -> CachedFile {
        CachedFile { facts: postcard::to_stdvec(facts).expect("facts serialise to memory"), terms }
    }
}

struct Entry {
    offset: usize,
    lengths: [usize; 2],
}

/// The cache file: a memory map of what was there when it was opened, and what was added since.
pub struct FactsCache {
    path: PathBuf,
    map: Option<Mmap>,
    readable: usize,
    entries: FxHashMap<FactsKey, Entry>,
    added: FxHashMap<FactsKey, CachedFile>,
}

impl FactsCache {
    /// Opens the cache; a missing or foreign file is an empty cache.
    pub fn open(path: &Path) -> FactsCache {
        let mut cache = FactsCache {
            path: path.to_owned(),
            map: None,
            readable: 0,
            entries: FxHashMap::default(),
            added: FxHashMap::default(),
        };
        let Ok(file) = File::open(path) else { return cache };
        // SAFETY: the file is only ever appended to or replaced by rename, never cut; entries are checked by
        // checksum before use.
        let Ok(map) = (unsafe { Mmap::map(&file) }) else { return cache };
        if map.get(..8) != Some(MAGIC) {
            return cache;
        }
        let mut at = 8;
        while let Some(header) = map.get(at..at + ENTRY_HEADER) {
            let length = |i: usize| {
                let from = 24 + 4 * i;
                u32::from_le_bytes(header[from..from + 4].try_into().expect("four bytes")) as usize
            };
            let lengths = [length(0), length(1)];
            let end = at + ENTRY_HEADER + lengths.iter().sum::<usize>();
            if end > map.len() {
                break;
            }
            let key = FactsKey(header[..16].try_into().expect("sixteen bytes"));
            cache.entries.insert(key, Entry { offset: at, lengths });
            at = end;
        }
        cache.readable = at;
        cache.map = Some(map);
        cache
    }

    fn parts(&self, key: FactsKey) -> Option<[&[u8]; 2]> {
        if let Some(file) = self.added.get(&key) {
            return Some([&file.facts, &file.terms]);
        }
        let entry = self.entries.get(&key)?;
        let map = self.map.as_ref()?;
        // Another process may have appended to the file as well since it was opened.
        if map[entry.offset..entry.offset + 16] != key.0 {
            return None;
        }
        let mut at = entry.offset + ENTRY_HEADER;
        Some(entry.lengths.map(|length| {
            let part = &map[at..at + length];
            at += length;
            part
        }))
    }

    /// Whether the cache holds an undamaged entry.
    pub fn contains(&self, key: FactsKey) -> bool {
        if self.added.contains_key(&key) {
            return true;
        }
        let (Some(entry), Some(map)) = (self.entries.get(&key), self.map.as_ref()) else { return false };
        let data = &map[entry.offset + 24..entry.offset + ENTRY_HEADER + entry.lengths.iter().sum::<usize>()];
        xxh3_64(data).to_le_bytes() == map[entry.offset + 16..entry.offset + 24]
    }

    /// A file's facts.
    pub fn facts(&self, key: FactsKey) -> Option<Facts> {
        postcard::from_bytes(self.parts(key)?[0]).ok()
    }

    /// A file's search terms, encoded.
    pub fn terms(&self, key: FactsKey) -> Option<&[u8]> {
        Some(self.parts(key)?[1])
    }

    /// Adds an entry; it is on disk after [`FactsCache::flush`].
    pub fn add(&mut self, key: FactsKey, file: CachedFile) {
        self.added.insert(key, file);
    }

    /// Writes what was added. `live` are all keys in use: when most of the file is not, it is rewritten.
    pub fn flush(&mut self, live: &[FactsKey]) -> io::Result<()> {
        let size = |e: &Entry| ENTRY_HEADER + e.lengths.iter().sum::<usize>();
        let live_bytes: usize = live.iter().filter_map(|k| self.entries.get(k)).map(size).sum();
        let compact = !self.is_as_opened() || self.readable > 2 * live_bytes + (1 << 20);
        if self.added.is_empty() && self.map.is_some() && self.readable <= 2 * live_bytes + (1 << 20) {
            return Ok(());
        }
        if compact {
            self.rewrite(live)?;
        } else if !self.added.is_empty() {
            self.append()?;
        } else {
            return Ok(());
        }
        *self = FactsCache::open(&self.path);
        Ok(())
    }

    /// Whether the file is still the one that was opened, and nothing stands behind what could be read of it. What a
    /// killed writer left half-written is not cut off in place: others may have it mapped.
    fn is_as_opened(&self) -> bool {
        let (Some(map), Ok(meta)) = (&self.map, fs::metadata(&self.path)) else { return false };
        map.len() == self.readable && meta.len() == self.readable as u64
    }

    fn append(&self) -> io::Result<()> {
        let file = OpenOptions::new().append(true).open(&self.path)?;
        // One write: entries of two processes do not mix.
        let mut entries = Vec::new();
        self.write_added(&mut entries)?;
        (&file).write_all(&entries)
    }

    fn write_added(&self, out: &mut impl Write) -> io::Result<()> {
        let mut keys: Vec<_> = self.added.keys().copied().collect();
        keys.sort_unstable();
        for key in keys {
            let file = &self.added[&key];
            write_entry(out, key, [&file.facts, &file.terms])?;
        }
        Ok(())
    }

    fn rewrite(&self, live: &[FactsKey]) -> io::Result<()> {
        fs::create_dir_all(self.path.parent().unwrap_or(Path::new(".")))?;
        let mut out = Draft::of(&self.path)?;
        out.write_all(MAGIC)?;
        let mut keys: Vec<_> = live.iter().copied().filter(|k| !self.added.contains_key(k)).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            if self.contains(key)
                && let Some(parts) = self.parts(key)
            {
                write_entry(&mut out, key, parts)?;
            }
        }
        self.write_added(&mut out)?;
        out.put()
    }
}

fn write_entry(out: &mut impl Write, key: FactsKey, parts: [&[u8]; 2]) -> io::Result<()> {
    let mut data = Vec::with_capacity(8 + parts.iter().map(|p| p.len()).sum::<usize>());
    for part in parts {
        data.extend_from_slice(&(part.len() as u32).to_le_bytes());
    }
    for part in parts {
        data.extend_from_slice(part);
    }
    out.write_all(&key.0)?;
    out.write_all(&xxh3_64(&data).to_le_bytes())?;
    out.write_all(&data)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(word: &str) -> (FactsKey, CachedFile) {
        let facts = Facts { names: vec![word.into()], lines: 3, ..Facts::default() };
        (FactsKey::new(word.as_bytes(), "python", "py"), CachedFile::new(&facts, word.as_bytes().to_vec()))
    }

    #[test]
    fn survives_reopening_appending_and_a_torn_tail() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("facts");
        let (a, file_a) = sample("a");
        let (b, file_b) = sample("b");
        let mut cache = FactsCache::open(&path);
        cache.add(a, file_a);
        cache.flush(&[a]).unwrap();
        cache.add(b, file_b);
        cache.flush(&[a, b]).unwrap();
        let whole = fs::read(&path).unwrap();

        let cache = FactsCache::open(&path);
        assert!(cache.contains(a) && cache.contains(b));
        assert_eq!(&*cache.facts(b).unwrap().names[0], "b");
        assert_eq!(cache.terms(a), Some(&b"a"[..]));

        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        let mut cache = FactsCache::open(&path);
        assert!(cache.contains(a) && !cache.contains(b));
        let (b, file_b) = sample("b");
        cache.add(b, file_b);
        cache.flush(&[a, b]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn a_damaged_entry_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("facts");
        let (a, file_a) = sample("a");
        let mut cache = FactsCache::open(&path);
        cache.add(a, file_a);
        cache.flush(&[a]).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert!(!FactsCache::open(&path).contains(a));
    }

    #[test]
    fn is_rewritten_when_most_of_it_is_dead() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("facts");
        let mut cache = FactsCache::open(&path);
        let big = FactsKey::new(b"big", "python", "py");
        cache.add(big, CachedFile::new(&Facts::default(), vec![0; 3 << 20]));
        cache.flush(&[big]).unwrap();
        let (a, file_a) = sample("a");
        cache.add(a, file_a);
        cache.flush(&[a]).unwrap();
        assert!(fs::metadata(&path).unwrap().len() < 1000);
        assert!(FactsCache::open(&path).contains(a));
    }

    #[test]
    fn writers_beside_each_other_tear_no_entry() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("facts");
        let words: Vec<String> = (0..40).map(|i| format!("word{i}").repeat(400)).collect();
        let keys: Vec<FactsKey> = words.iter().map(|word| sample(word).0).collect();
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let (path, words, keys) = (&path, &words, &keys);
                scope.spawn(move || {
                    for round in 0..words.len() {
                        // Each opens, adds one of its own, and writes, as a process does.
                        let mut cache = FactsCache::open(path);
                        let (key, file) = sample(&words[(round + 10 * writer) % words.len()]);
                        cache.add(key, file);
                        cache.flush(keys).unwrap();
                        for (key, word) in keys.iter().zip(words) {
                            if cache.contains(*key) {
                                assert_eq!(cache.terms(*key), Some(word.as_bytes()));
                                assert_eq!(&*cache.facts(*key).unwrap().names[0], word.as_str());
                            }
                        }
                    }
                });
            }
        });
        // What one process wrote over another's is made again; then all of it is there.
        let mut cache = FactsCache::open(&path);
        for word in &words {
            let (key, file) = sample(word);
            if !cache.contains(key) {
                cache.add(key, file);
            }
        }
        cache.flush(&keys).unwrap();
        let cache = FactsCache::open(&path);
        assert!(keys.iter().all(|key| cache.contains(*key)));
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names, ["facts"]);
    }
}
