//! A seal on the write-ahead log: the engine keeps no checksums in it, and takes what it cannot read for the torn end
//! of a transaction that never committed. A damaged log thus ends in a crash, in wrong rows, or in committed rows
//! lost without a word. Whoever closes the graph after writing notes length and hash of the log; whoever
//! opens it compares. The log only grows until a checkpoint removes it, so what was noted must still be its beginning.

use std::fs::{self, File, Metadata};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::time::UNIX_EPOCH;

use xxhash_rust::xxh3::xxh3_64;

use super::layout::wal_of;
use super::{Layout, Result, StoreError};

/// The log as it was: which file, how long, what.
#[derive(PartialEq, Eq)]
struct Seal {
    inode: u64,
    born: u128,
    len: u64,
    hash: u64,
}

impl Seal {
    /// Of the first `len` bytes; `None` where the file system does not say when a file was made, since an inode's
    /// number alone is soon given to another file.
    fn of(file: &mut File, meta: &Metadata, len: u64) -> Option<Seal> {
        let born = meta.created().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        let mut bytes = Vec::with_capacity(usize::try_from(len).ok()?);
        file.take(len).read_to_end(&mut bytes).ok()?;
        Some(Seal { inode: meta.ino(), born, len: bytes.len() as u64, hash: xxh3_64(&bytes) })
    }

    fn parse(text: &str) -> Option<Seal> {
        let mut fields = text.split_ascii_whitespace();
        let seal = Seal {
            inode: fields.next()?.parse().ok()?,
            born: fields.next()?.parse().ok()?,
            len: fields.next()?.parse().ok()?,
            hash: fields.next()?.parse().ok()?,
        };
        fields.next().is_none().then_some(seal)
    }
}

/// Notes the log as it is. The caller holds the exclusive gate and has closed the graph. Failing is no error: an
/// older seal holds for the beginning of the log, or is of another log.
pub(crate) fn put(layout: &Layout) {
    let wal = wal_of(&layout.graph());
    let Ok(mut file) = File::open(&wal) else { return };
    let Ok(meta) = file.metadata() else { return };
    if meta.len() == 0 {
        return;
    }
    if let Some(seal) = Seal::of(&mut file, &meta, meta.len()) {
        let text = format!("{} {} {} {}\n", seal.inode, seal.born, seal.len, seal.hash);
        if let Err(error) = crate::atomic::write(&layout.seal(), text.as_bytes()) {
            tracing::warn!(%error, "the log of the graph is not sealed");
        }
    }
}

/// Compares the log with what was noted of it.
///
/// # Errors
/// [`StoreError::Damaged`].
pub(crate) fn check(layout: &Layout) -> Result<()> {
    let graph = layout.graph();
    let opened = File::open(wal_of(&graph)).and_then(|file| Ok((file.metadata()?, file)));
    let (meta, mut file) = match opened {
        Ok((meta, file)) if meta.len() > 0 => (meta, file),
        // A checkpoint empties the log and then removes it. The next writer may fill the same file anew.
        _ => {
            let _ = fs::remove_file(layout.seal());
            return Ok(());
        }
    };
    let Ok(text) = fs::read_to_string(layout.seal()) else { return Ok(()) };
    let Some(noted) = Seal::parse(&text).filter(|noted| noted.inode == meta.ino()) else { return Ok(()) };
    match Seal::of(&mut file, &meta, noted.len) {
        Some(found) if found.born == noted.born && found != noted => Err(StoreError::Damaged {
            path: graph,
            message: "its log (graph.kuzu.wal) is not what was written to it".into(),
        }),
        _ => Ok(()),
    }
}
