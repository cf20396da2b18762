//! Words to numbers, without an allocation a word: open addressing over one arena.

use xxhash_rust::xxh3::xxh3_64;

const EMPTY: u32 = u32::MAX;

/// Distinct words in order of first use.
#[derive(Debug)]
pub struct Interner {
    slots: Vec<(u32, u32)>,
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

impl Interner {
    /// An empty one.
    pub fn new() -> Self {
        Interner { slots: vec![(0, EMPTY); 1 << 16], ends: Vec::new(), bytes: Vec::new() }
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of a word.
    pub fn get(&self, id: u32) -> &[u8] {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] as usize };
        &self.bytes[start..self.ends[id] as usize]
    }

    /// The number of a word, new if it was not seen before.
    pub fn id(&mut self, word: &str) -> u32 {
        let hash = xxh3_64(word.as_bytes());
        let tag = (hash >> 32) as u32;
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let (slot_tag, id) = self.slots[at];
            if id == EMPTY {
                break;
            }
            if slot_tag == tag && self.get(id) == word.as_bytes() {
                return id;
            }
            at = (at + 1) & mask;
        }
        let id = self.ends.len() as u32;
        self.bytes.extend_from_slice(word.as_bytes());
        self.ends.push(self.bytes.len() as u32);
        self.slots[at] = (tag, id);
        if self.ends.len() * 2 > self.slots.len() {
            self.grow();
        }
        id
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 4 - 1;
        let mut slots = vec![(0, EMPTY); mask + 1];
        for id in 0..self.ends.len() as u32 {
            let hash = xxh3_64(self.get(id));
            let mut at = hash as usize & mask;
            while slots[at].1 != EMPTY {
                at = (at + 1) & mask;
            }
            slots[at] = ((hash >> 32) as u32, id);
        }
        self.slots = slots;
    }

    /// All numbers in the order of their words' bytes.
    pub fn sorted(&self) -> Vec<u32> {
        // The first eight bytes as a number decide most comparisons without touching the arena.
        let mut keys: Vec<(u64, u32)> = (0..self.len() as u32)
            .map(|id| {
                let word = self.get(id);
                let mut prefix = [0u8; 8];
                let n = word.len().min(8);
                prefix[..n].copy_from_slice(&word[..n]);
                (u64::from_be_bytes(prefix), id)
            })
            .collect();
        keys.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| self.get(a.1).cmp(self.get(b.1))));
        keys.into_iter().map(|(_, id)| id).collect()
    }
}
