//! What compilers said: indexes in the SCIP format (<https://github.com/sourcegraph/scip>), as scip-python,
//! scip-typescript, rust-analyzer, scip-java and scip-go write them.
//!
//! An index is read once, tied to our own symbols, and kept file by file with the content hash that it was made for: an
//! answer holds as long as its file is unchanged.

mod read;

use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

pub(crate) use read::last_name;
pub use read::{ScipError, SourceText, Taken, read};

use crate::cache::{read_sealed, write_sealed};

const MAGIC: &[u8; 8] = b"PTLSCIP1";
const PRINT_MAGIC: &[u8; 8] = b"PTLSCPR1";

/// Where a mention leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Its line, 1-based.
    pub line: u32,
    /// The name written there.
    pub name: Box<str>,
    /// Ids of the symbols that it may mean; none: something outside of the project.
    pub targets: Vec<u32>,
}

/// What an index says of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScipFile {
    /// Repository path.
    pub path: String,
    /// Hash of the content that it holds for.
    pub hash: [u8; 32],
    /// Mentions, sorted by line and name, each pair once.
    pub sites: Vec<Site>,
}

impl ScipFile {
    /// What stands at a line under a name.
    pub fn site(&self, line: u32, name: &str) -> Option<&Site> {
        let at = self.sites.binary_search_by(|s| (s.line, &*s.name).cmp(&(line, name))).ok()?;
        self.sites.get(at)
    }
}

/// All indexes that were taken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScipData {
    /// Ids of the symbols that are named: `path::Qual.name`.
    pub targets: Vec<String>,
    /// Files, sorted by path.
    pub files: Vec<ScipFile>,
}

impl ScipData {
    /// What is kept; nothing when there is none or it is damaged.
    pub fn load(folder: &Path) -> ScipData {
        read_sealed(&folder.join("scip"), MAGIC, "").unwrap_or_default()
    }

    /// Keeps it; returns what [`ScipData::print`] says from now on.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn save(&self, folder: &Path) -> std::io::Result<String> {
        let print = if self.files.is_empty() {
            String::new()
        } else {
            let bytes = postcard::to_stdvec(self).map_err(std::io::Error::other)?;
            format!("{:016x}", xxh3_64(&bytes))
        };
        write_sealed(&folder.join("scip"), MAGIC, "", self)?;
        write_sealed(&folder.join("scip-print"), PRINT_MAGIC, "", &print)?;
        Ok(print)
    }

    /// A digest of what is kept, empty when there is nothing; read without reading it all.
    pub fn print(folder: &Path) -> String {
        read_sealed(&folder.join("scip-print"), PRINT_MAGIC, "").unwrap_or_default()
    }

    /// What is said of a file with this content.
    pub fn file(&self, path: &str, hash: &[u8; 32]) -> Option<&ScipFile> {
        let at = self.files.binary_search_by(|f| f.path.as_str().cmp(path)).ok()?;
        self.files.get(at).filter(|f| f.hash == *hash)
    }

    /// Takes over what another index says; of a file that both have, the newer one counts.
    pub fn merge(&mut self, other: ScipData) {
        let own = std::mem::take(self);
        let mut numbers = rustc_hash::FxHashMap::default();
        let mut files = std::collections::BTreeMap::new();
        for data in [own, other] {
            for mut file in data.files {
                for target in file.sites.iter_mut().flat_map(|s| &mut s.targets) {
                    let id = &data.targets[*target as usize];
                    let next = self.targets.len() as u32;
                    *target = *numbers.entry(id.clone()).or_insert(next);
                    if *target == next {
                        self.targets.push(id.clone());
                    }
                }
                files.insert(file.path.clone(), file);
            }
        }
        self.files = files.into_values().collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(path: &str, line: u32, target: &str) -> ScipData {
        let site = Site { line, name: "f".into(), targets: vec![0] };
        let file = ScipFile { path: path.into(), hash: [1; 32], sites: vec![site] };
        ScipData { targets: vec![target.into()], files: vec![file] }
    }

    #[test]
    fn of_two_indexes_the_newer_one_counts_for_a_file_that_both_have() {
        let mut all = data("b.py", 1, "x.py::old");
        all.merge(data("a.py", 3, "x.py::f"));
        all.merge(data("b.py", 2, "x.py::f"));
        assert_eq!(all.files.iter().map(|f| f.path.as_str()).collect::<Vec<_>>(), ["a.py", "b.py"]);
        let site = all.file("b.py", &[1; 32]).and_then(|f| f.site(2, "f")).unwrap();
        assert_eq!(all.targets[site.targets[0] as usize], "x.py::f");
        assert!(all.file("b.py", &[2; 32]).is_none(), "other content");
        assert!(all.files[1].site(1, "f").is_none());
    }

    #[test]
    fn what_is_kept_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(ScipData::print(folder.path()), "");
        let all = data("a.py", 3, "x.py::f");
        let print = all.save(folder.path()).unwrap();
        assert_eq!((ScipData::load(folder.path()), ScipData::print(folder.path())), (all, print));
        assert_eq!(ScipData::default().save(folder.path()).unwrap(), "");
    }
}
