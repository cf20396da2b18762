//! Quoted messages against string literals: the unit whose literals hold most of a message's rare words.

use std::collections::BTreeMap;

use super::stop_words::stop_word;
use super::task::Task;
use super::{Hit, Signal, Target};
use crate::search::Index;
use crate::terms::{Field, query_words};

const LEAST_COVER: f32 = 0.6;
const MOST_UNITS: usize = 6;
const MOST_WORDS: usize = 16;
/// What a word that no literal has takes from the cover.
const UNKNOWN: f32 = 2.0;

/// Hits of all quoted messages. Values that were put into the message are words that no literal has, so a part
/// of them may be missing.
pub fn hits(index: &Index, task: &Task, hits: &mut Vec<Hit>) {
    let units = f64::from(index.unit_count().max(1));
    for message in &task.quoted {
        let mut words = query_words(message);
        words.retain(|w| !stop_word(w));
        words.sort();
        words.dedup();
        words.truncate(MOST_WORDS);
        if words.len() < 2 {
            continue;
        }
        let mut found: BTreeMap<u32, f32> = BTreeMap::new();
        let mut whole = 0.0;
        for word in &words {
            let Some(postings) = index.lookup(word) else {
                whole += UNKNOWN;
                continue;
            };
            let value = (units / f64::from(postings.unit_count.max(1))).ln().max(0.1) as f32;
            let mut in_literals = false;
            for posting in postings.units() {
                if posting.counts[Field::Literal as usize] > 0 {
                    in_literals = true;
                    *found.entry(posting.unit).or_default() += value;
                }
            }
            // What no literal has was put into the message, however rare it is in the code.
            whole += if in_literals { value } else { value.min(UNKNOWN) };
        }
        let mut ranked: Vec<(u32, f32)> = found
            .into_iter()
            .map(|(unit, value)| (unit, value / whole))
            .filter(|&(unit, cover)| cover >= LEAST_COVER && !in_test(index, unit))
            .collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let Some(&(_, best)) = ranked.first() else { continue };
        ranked.retain(|r| r.1 >= best * 0.9);
        if ranked.len() > MOST_UNITS {
            continue;
        }
        let share = 1.0 / (ranked.len() as f32).sqrt();
        for (unit, cover) in ranked {
            hits.push(Hit {
                target: Target::Unit(unit),
                signal: Signal::Literal,
                strength: cover * share * (whole / 12.0).min(1.0),
                note: message.clone(),
            });
        }
    }
}

fn in_test(index: &Index, unit: u32) -> bool {
    index.unit(unit).and_then(|u| index.file(u.file)).is_none_or(|f| f.is_test)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::tests::library;

    fn found(text: &str) -> Vec<String> {
        let index = library();
        let mut hits = Vec::new();
        super::hits(&index, &Task::read(None, text), &mut hits);
        hits.iter()
            .map(|h| match h.target {
                Target::Unit(u) => index.unit(u).unwrap().qualname.to_owned(),
                Target::File(_) => String::new(),
            })
            .collect()
    }

    #[test]
    fn values_put_into_a_message_may_differ() {
        assert_eq!(found("It says \"'mint' is no valid flavour, pick a listed one\""), ["Choice.convert"]);
        // A value that is a word of the code elsewhere was put in all the same.
        assert_eq!(found("It says \"'heap' is no valid flavour, pick a listed one\""), ["Choice.convert"]);
        assert!(found("It says \"something else is no good\"").is_empty());
    }
}
