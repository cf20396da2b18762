//! Which entries are put in, brought up to date or taken out.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json};

use super::super::edit::{Made, Trouble};
use super::super::ours;
use super::{Doc, Entry, Step, keys_of, pointer, steps};

pub(super) fn install(doc: &mut Doc, entries: &[Entry], made: &mut Made) -> Result<(), Trouble> {
    if doc.value().is_none() {
        if !doc.text.trim().is_empty() {
            return Err(Trouble::Shape("it holds comments only".into()));
        }
        made.blank = Some(doc.begin());
    }
    if !doc.value().is_some_and(|v| v.is_object()) {
        return Err(Trouble::Shape("its root is not an object".into()));
    }
    for entry in entries {
        match entry {
            Entry::Default { key, value } => {
                if doc.json_at(&[Step::Key(key.clone())]).is_none() {
                    insert(doc, &[], Some(key), value, made);
                    made.defaults.insert(key.clone());
                }
            }
            Entry::Property { at, key, value } => {
                if !container(doc, at, Some(key), value, made)? {
                    let path = steps(at);
                    let there = doc.json_at(&path).unwrap_or_default();
                    match named(&there, key)? {
                        Some(name) => merge(doc, &join(&path, Step::Key(name)), value),
                        None => insert(doc, at, Some(key), value, made),
                    }
                }
            }
            Entry::Element { at, value } => {
                if !container(doc, at, None, value, made)? {
                    let path = steps(at);
                    match place(doc, &path, value) {
                        Some(i) => merge(doc, &join(&path, Step::Index(i)), value),
                        None => insert(doc, at, None, value, made),
                    }
                }
            }
        }
    }
    strays(doc, entries);
    Ok(())
}

/// Under which name our entry stands: somebody may have renamed it.
fn named(object: &Json, key: &str) -> Result<Option<String>, Trouble> {
    let Some(object) = object.as_object() else { return Ok(None) };
    if let Some(value) = object.get(key) {
        if ours::has_foreign(value)
            || ours::commands(value).is_empty() && value.as_object().is_none_or(|v| !v.is_empty())
        {
            return Err(Trouble::Shape(format!(
                "an entry named {key:?} of something else is there already; rename it"
            )));
        }
        return Ok(Some(key.to_owned()));
    }
    Ok(object.iter().find(|(_, value)| ours::wholly(value)).map(|(name, _)| name.clone()))
}

/// The element of an array that stands for the same event as `value`.
fn place(doc: &Doc, path: &[Step], value: &Json) -> Option<usize> {
    let event = ours::event(value);
    let array = doc.json_at(path)?;
    array.as_array()?.iter().position(|have| ours::event(have) == event && event.is_some())
}

/// Makes sure of the object or array at `at`; true when it was made, with the member in it.
fn container(doc: &mut Doc, at: &[String], key: Option<&str>, value: &Json, made: &mut Made) -> Result<bool, Trouble> {
    for depth in 1..=at.len() {
        let is_array = key.is_none() && depth == at.len();
        match doc.json_at(&steps(&at[..depth])) {
            Some(Json::Array(_)) if is_array => {}
            Some(Json::Object(_)) if !is_array => {}
            Some(_) => {
                let kind = if is_array { "an array" } else { "an object" };
                return Err(Trouble::Shape(format!("{:?} in it is not {kind}", at[..depth].join("."))));
            }
            None => {
                let inner = match key {
                    Some(key) => Json::Object(Map::from_iter([(key.to_owned(), value.clone())])),
                    None => Json::Array(vec![value.clone()]),
                };
                let nested = at[depth..]
                    .iter()
                    .rev()
                    .fold(inner, |inner, name| Json::Object(Map::from_iter([(name.clone(), inner)])));
                insert(doc, &at[..depth - 1], Some(&at[depth - 1]), &nested, made);
                made.containers.extend((depth..=at.len()).map(|d| pointer(&at[..d])));
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn insert(doc: &mut Doc, at: &[String], key: Option<&str>, value: &Json, made: &mut Made) {
    if let Some(tail) = doc.append(&steps(at), key, value) {
        let pointer = pointer(at);
        if !made.containers.contains(&pointer) {
            made.tails.entry(pointer).or_insert(tail);
        }
    }
}

/// Brings a value of ours up to date: what it must say is said, what somebody added stays.
fn merge(doc: &mut Doc, path: &[Step], want: &Json) {
    let Some(have) = doc.json_at(path) else { return };
    match (&have, want) {
        _ if have == *want => {}
        (Json::Object(old), Json::Object(new)) => {
            // In a group that somebody else's commands share, only our command is ours.
            let shared = ours::has_foreign(&have);
            for (key, value) in new {
                let inside = join(path, Step::Key(key.clone()));
                if old.contains_key(key) {
                    if !shared || ours::words(value).is_some() {
                        merge(doc, &inside, value);
                    }
                } else if !shared {
                    doc.append(path, Some(key), value);
                }
            }
        }
        (Json::Array(_), Json::Array(new)) if ours::wholly(want) => {
            for value in new {
                match place(doc, path, value) {
                    Some(i) => merge(doc, &join(path, Step::Index(i)), value),
                    None => {
                        doc.append(path, None, value);
                    }
                }
            }
        }
        _ => doc.replace(path, want),
    }
}

/// What an older version put where nothing of ours belongs any more, and doubles.
fn strays(doc: &mut Doc, entries: &[Entry]) {
    let mut parents = BTreeSet::new();
    for entry in entries {
        if let Entry::Element { at, .. } = entry
            && let Some((_, parent)) = at.split_last()
        {
            parents.insert(parent.to_vec());
        }
    }
    for parent in parents {
        let Some(Json::Object(object)) = doc.json_at(&steps(&parent)) else { continue };
        for (name, array) in object {
            let Json::Array(elements) = array else { continue };
            let at = [parent.as_slice(), std::slice::from_ref(&name)].concat();
            let wanted: BTreeSet<String> = entries
                .iter()
                .filter_map(|entry| match entry {
                    Entry::Element { at: place, value } if *place == at => ours::event(value),
                    _ => None,
                })
                .collect();
            let mut seen = BTreeSet::new();
            let stray: Vec<bool> = elements
                .iter()
                .map(|e| ours::event(e).is_some_and(|event| !wanted.contains(&event) || !seen.insert(event)))
                .collect();
            let mut left = elements.len();
            for i in (0..stray.len()).rev().filter(|&i| stray[i]) {
                left -= usize::from(take(doc, &steps(&at), i, &elements[i]));
            }
            if left == 0 && !elements.is_empty() && wanted.is_empty() {
                cut_key(doc, &parent, &name);
            }
        }
    }
}

/// Takes our part of a member out; whether that was all of it.
fn take(doc: &mut Doc, path: &[Step], index: usize, value: &Json) -> bool {
    if ours::wholly(value) {
        doc.cut(path, index);
        return true;
    }
    strip(doc, &join(path, Step::Index(index)), value);
    false
}

/// Takes our commands out of a value that somebody else's commands share.
fn strip(doc: &mut Doc, path: &[Step], value: &Json) {
    let Json::Object(group) = value else { return };
    for (key, inner) in group {
        let inside = join(path, Step::Key(key.clone()));
        match inner {
            Json::Array(members) => {
                for i in (0..members.len()).rev().filter(|&i| ours::words(&members[i]).is_some()) {
                    take(doc, &inside, i, &members[i]);
                }
            }
            Json::Object(_) if ours::has_foreign(inner) => strip(doc, &inside, inner),
            _ => {}
        }
    }
}

pub(super) fn remove(doc: &mut Doc, entries: &[Entry], made: Option<&Made>) -> Result<bool, Trouble> {
    let before = doc.text.clone();
    let mut emptied = BTreeSet::new();
    for entry in entries {
        match entry {
            Entry::Property { at, .. } => {
                let Some(Json::Object(object)) = doc.json_at(&steps(at)) else { continue };
                for (key, value) in object.iter().filter(|(_, value)| ours::words(value).is_some()) {
                    if ours::wholly(value) {
                        cut_key(doc, at, key);
                    } else {
                        strip(doc, &join(&steps(at), Step::Key(key.clone())), value);
                    }
                    emptied.insert(pointer(at));
                }
            }
            Entry::Element { at, .. } => {
                let Some((_, parent)) = at.split_last() else { continue };
                let Some(Json::Object(object)) = doc.json_at(&steps(parent)) else { continue };
                for (name, array) in &object {
                    let Json::Array(elements) = array else { continue };
                    let at = [parent, std::slice::from_ref(name)].concat();
                    for i in (0..elements.len()).rev().filter(|&i| ours::words(&elements[i]).is_some()) {
                        take(doc, &steps(&at), i, &elements[i]);
                        emptied.extend([pointer(&at), pointer(parent)]);
                    }
                }
            }
            Entry::Default { .. } => {}
        }
    }
    if doc.text == before {
        return Ok(false);
    }
    // Without a record, what is empty now is taken to have been made for us.
    let guess = Made { containers: emptied.into_iter().filter(|p| !p.is_empty()).collect(), ..Made::default() };
    let made = made.unwrap_or(&guess);
    let mut containers: Vec<Vec<String>> = made.containers.iter().map(|p| keys_of(p)).collect();
    containers.sort_by_key(|keys| std::cmp::Reverse(keys.len()));
    for keys in containers {
        let is_bare = |v: Json| v.as_object().is_some_and(Map::is_empty) || v.as_array().is_some_and(Vec::is_empty);
        let path = steps(&keys);
        let Some((name, parent)) = keys.split_last() else { continue };
        if doc.json_at(&path).is_some_and(is_bare) && !doc.holds_comments(&path) {
            cut_key(doc, parent, name);
        }
    }
    // Hooks that somebody added since need them as well.
    let needed = entries.iter().any(|entry| match entry {
        Entry::Element { at, .. } => {
            let parent = &at[..at.len().saturating_sub(1)];
            let place = pointer(parent);
            let theirs_since = made.containers.contains(&place) || made.tails.contains_key(&place);
            theirs_since && doc.json_at(&steps(parent)).is_some_and(|left| !ours::commands(&left).is_empty())
        }
        _ => false,
    });
    if !needed {
        for key in &made.defaults {
            cut_key(doc, &[], key);
        }
    }
    for (pointer, tail) in &made.tails {
        doc.set_tail(&steps(&keys_of(pointer)), tail);
    }
    if let Some(blank) = &made.blank
        && doc.is_empty()
    {
        doc.blank(blank);
    }
    Ok(true)
}

fn cut_key(doc: &mut Doc, at: &[String], key: &str) {
    let path = steps(at);
    let index = doc.index_of(&path, key);
    if let Some(index) = index {
        doc.cut(&path, index);
    }
}

impl Doc {
    fn index_of(&self, path: &[Step], key: &str) -> Option<usize> {
        self.with_root(|root| super::property(super::find(root?, path)?.as_object()?, key)).ok().flatten()
    }

    fn holds_comments(&self, path: &[Step]) -> bool {
        self.span_at(path).is_some_and(|span| !self.text[span.range.start + 1..span.range.end - 1].trim().is_empty())
    }
}

fn join(path: &[Step], step: Step) -> Vec<Step> {
    [path, &[step]].concat()
}
