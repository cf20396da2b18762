//! One table of all names of the project, so that phase 1 and 2 compare integers.

use rustc_hash::FxHashMap;

/// A name in the project's table.
pub(crate) type Gid = u32;

/// The project's names.
#[derive(Default)]
pub(crate) struct Names<'a> {
    map: FxHashMap<&'a str, Gid>,
    strs: Vec<&'a str>,
}

impl<'a> Names<'a> {
    pub(crate) fn intern(&mut self, s: &'a str) -> Gid {
        let strs = &mut self.strs;
        *self.map.entry(s).or_insert_with(|| {
            strs.push(s);
            strs.len() as Gid - 1
        })
    }

    /// The name, if any file has it.
    pub(crate) fn get(&self, s: &str) -> Option<Gid> {
        self.map.get(s).copied()
    }

    pub(crate) fn str(&self, gid: Gid) -> &'a str {
        self.strs[gid as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.strs.len()
    }
}
