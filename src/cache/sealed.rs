//! Small cache files that are read and written whole: a magic word, a tag that says which
//! state of the graph they belong to, a checksum, and a postcard body.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Serialize, de::DeserializeOwned};
use xxhash_rust::xxh3::xxh3_64;

use crate::atomic;

/// Reads a file that [`write_sealed`] wrote with the same `magic` and `tag`. `None` when it is
/// missing, of another tag, or damaged: the caller then does without.
pub fn read_sealed<T: DeserializeOwned>(path: &Path, magic: &[u8; 8], tag: &str) -> Option<T> {
    let bytes = fs::read(path).ok()?;
    let rest = bytes.strip_prefix(magic)?;
    let (sum, rest) = rest.split_at_checked(8)?;
    if xxh3_64(rest).to_le_bytes() != sum {
        return None;
    }
    let (stored_tag, body): (String, &[u8]) = postcard::take_from_bytes(rest).ok()?;
    if stored_tag != tag {
        return None;
    }
    postcard::from_bytes(body).ok()
}

/// Writes a value; the file is replaced in one step.
pub fn write_sealed<T: Serialize>(path: &Path, magic: &[u8; 8], tag: &str, value: &T) -> io::Result<()> {
    let mut bytes = [&magic[..], &[0; 8]].concat();
    let body = bytes.len();
    bytes = postcard::to_extend(tag, bytes).map_err(io::Error::other)?;
    bytes = postcard::to_extend(value, bytes).map_err(io::Error::other)?;
    let sum = xxh3_64(&bytes[body..]);
    bytes[magic.len()..body].copy_from_slice(&sum.to_le_bytes());
    atomic::write(path, &bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAGIC: &[u8; 8] = b"PTLTEST1";

    #[test]
    fn gives_back_what_was_written_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        write_sealed(&path, MAGIC, "g1", &vec![1u32, 2, 3]).unwrap();
        assert_eq!(read_sealed::<Vec<u32>>(&path, MAGIC, "g1"), Some(vec![1, 2, 3]));
        assert_eq!(read_sealed::<Vec<u32>>(&path, MAGIC, "g2"), None);
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert_eq!(read_sealed::<Vec<u32>>(&path, MAGIC, "g1"), None);
        fs::write(&path, &bytes[..5]).unwrap();
        assert_eq!(read_sealed::<Vec<u32>>(&path, MAGIC, "g1"), None);
    }
}
