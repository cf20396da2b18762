//! Methods by bare name: what is left when a receiver's type is unknown.

use rustc_hash::FxHashMap;

use super::names::Gid;
use super::project::{Project, pair};
use super::types::SymId;
use crate::facts::SymbolKind;
use crate::lang::ModuleSystem;
use crate::rows::{FileNo, How};

/// At most this many candidates are named.
const AMBIGUOUS_CAP: usize = 3;

/// Methods by module system and name.
#[derive(Default)]
pub(crate) struct ByName {
    map: FxHashMap<u64, Vec<SymId>>,
}

impl ByName {
    /// (module system and name, methods), in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &[SymId])> {
        self.map.iter().map(|(k, v)| (*k, v.as_slice()))
    }
}

impl<'a> Project<'a> {
    pub(crate) fn build_by_name(&mut self) {
        let mut map: FxHashMap<u64, Vec<SymId>> = FxHashMap::default();
        for (class, gid, group) in &self.classes.group_list {
            if self.sym(*class).kind == SymbolKind::Namespace {
                continue;
            }
            let is_method = |s: &&SymId| matches!(self.sym(**s).kind, SymbolKind::Method | SymbolKind::Function);
            if let Some(&s) = group.syms.iter().rev().find(is_method) {
                map.entry(pair(self.system(self.file_of(*class)) as u32, *gid)).or_default().push(s);
            }
        }
        for list in map.values_mut() {
            list.sort_unstable();
        }
        self.by_name = ByName { map };
    }

    /// All methods of a name in a language.
    pub(crate) fn methods_named(&self, system: ModuleSystem, gid: Gid) -> &[SymId] {
        self.by_name.map.get(&pair(system as u32, gid)).map_or(&[], Vec::as_slice)
    }

    /// The same, none for names that the language's library has, or that are one common word.
    pub(crate) fn methods_of_telling_name(&self, system: ModuleSystem, gid: Gid) -> &[SymId] {
        let tables = [&self.builtins, &self.builtin_methods, &self.library_methods];
        let common = tables.iter().any(|t| t.get(&system).is_some_and(|b| b.contains(&gid)));
        let name = self.names.str(gid);
        if common || name.starts_with("__") || !is_telling(name) { &[] } else { self.methods_named(system, gid) }
    }

    /// Files that a file imports, and those that these import.
    fn near(&self, file: FileNo) -> Vec<FileNo> {
        let direct = &self.file_imports[file.0 as usize];
        let mut out = vec![file];
        out.extend(direct);
        out.extend(direct.iter().flat_map(|f| &self.file_imports[f.0 as usize]));
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Whether all objects of the language may have a member of this name, whatever their class says.
    pub(crate) fn is_builtin_method(&self, system: ModuleSystem, gid: Gid) -> bool {
        self.names.str(gid).starts_with("__") || self.builtin_methods.get(&system).is_some_and(|b| b.contains(&gid))
    }

    /// Candidates for `.name()` on something unknown, which is called `receiver` where it is written. Empty when nothing
    /// but the name speaks for them, and the name says too little.
    pub(crate) fn by_bare_name(&self, file: FileNo, gid: Gid, receiver: Option<&str>) -> Vec<(SymId, How)> {
        let system = self.system(file);
        let all = self.methods_named(system, gid);
        let name = self.names.str(gid);
        let private = name.starts_with('_');
        if all.is_empty() || name.starts_with("__") || name.len() < 3 {
            return Vec::new();
        }
        if [&self.builtins, &self.builtin_methods].iter().any(|t| t.get(&system).is_some_and(|b| b.contains(&gid))) {
            return Vec::new();
        }
        let from_test = self.files[file.0 as usize].is_test;
        let usable = |s: &SymId| {
            let f = self.file_of(*s);
            let (flags, other) = (self.sym(*s).flags, &self.files[f.0 as usize]);
            !flags.is_constructor
                && !flags.is_test
                && (from_test || !other.is_test)
                && (!private || f == file || self.file_imports[file.0 as usize].contains(&f))
        };
        let usable: Vec<SymId> = all.iter().copied().filter(usable).collect();
        let in_library = self.library_methods.get(&system).is_some_and(|l| l.contains(&gid));
        let named = |s: &SymId| receiver.is_some_and(|r| self.sounds_like(r, *s, in_library));
        let fitting: Vec<SymId> = usable.iter().copied().filter(named).collect();
        let candidates = match fitting.is_empty() {
            false => fitting,
            // Nothing speaks for the class but that its file is near, and for the name but that nobody else has it.
            true if in_library => return Vec::new(),
            true => {
                let near = self.near(file);
                let close = |s: &SymId| near.binary_search(&self.file_of(*s)).is_ok();
                let one_family = usable.len() == 1 || self.common_root(&usable).is_some();
                if !one_family || !usable.iter().any(close) || !is_telling(name) {
                    return Vec::new();
                }
                usable
            }
        };
        if let [one] = candidates[..] {
            return vec![(one, How::UniqueName)];
        }
        // One method and its overrides are one method.
        if let Some(root) = self.common_root(&candidates) {
            return vec![(root, How::UniqueName)];
        }
        if candidates.len() > AMBIGUOUS_CAP {
            return Vec::new();
        }
        candidates.into_iter().map(|s| (s, How::AmbiguousName)).collect()
    }

    /// Is a receiver called after a method's class, or after one of its bases: `graph` and `self._parser` for `Graph` and
    /// `OptionParser`, `ctx` for `Context`? Of a method that the language's library has as well, by the class's whole name.
    fn sounds_like(&self, receiver: &str, method: SymId, whole: bool) -> bool {
        let Some(class) = self.classes.holder[method.0 as usize] else { return false };
        let mro = self.classes.get(class).map_or(std::slice::from_ref(&class), |c| &c.mro);
        mro.iter().map(|c| self.names.str(self.sym_gid(*c))).any(|class| match whole {
            true => folded(receiver) == folded(class),
            false => names_alike(receiver, class),
        })
    }

    /// The candidate whose class all other candidates' classes descend from.
    fn common_root(&self, candidates: &[SymId]) -> Option<SymId> {
        if candidates.len() < 2 || candidates.len() > 64 {
            return None;
        }
        let class = |s: &SymId| self.classes.holder[s.0 as usize];
        candidates.iter().copied().find(|root| {
            let Some(base) = class(root) else { return false };
            candidates.iter().all(|c| class(c).and_then(|k| self.classes.get(k)).is_some_and(|k| k.mro.contains(&base)))
        })
    }
}

/// Names of one word are everybody's.
fn is_telling(name: &str) -> bool {
    let words = name.trim_matches('_').split('_').filter(|w| !w.is_empty()).count();
    words > 1 || name.chars().skip(1).any(char::is_uppercase) || name.len() >= 12
}

fn folded(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

/// Whether a variable's name is a class's, a word of it, or an abbreviation of it.
fn names_alike(variable: &str, class: &str) -> bool {
    let (variable_folded, class_folded) = (folded(variable), folded(class));
    if variable_folded.len() < 3 || class_folded.len() < 3 {
        return false;
    }
    if class_folded.contains(&variable_folded) || variable_folded.contains(&class_folded) {
        return true;
    }
    let last_word = variable.rsplit('_').next().unwrap_or(variable);
    if last_word.len() > 3 && class_folded.contains(&last_word.to_lowercase()) {
        return true;
    }
    // `ctx` for Context: the class's letters in order, from the first.
    let mut letters = class_folded.chars();
    variable_folded.len() <= 4
        && class_folded.starts_with(&variable_folded[..1])
        && variable_folded.chars().all(|c| letters.any(|l| l == c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_called_after_its_class() {
        for (variable, class) in [
            ("graph", "DiGraph"),
            ("_parser", "OptionParser"),
            ("ctx", "Context"),
            ("option_parser", "Parser"),
            ("cmd", "Command"),
        ] {
            assert!(names_alike(variable, class), "{variable} {class}");
        }
        for (variable, class) in [("x", "Xray"), ("file", "Graph"), ("response", "Request"), ("res", "Store")] {
            assert!(!names_alike(variable, class), "{variable} {class}");
        }
    }

    #[test]
    fn names_of_one_word_say_little() {
        assert!(is_telling("add_edges_from") && is_telling("addEdge") && is_telling("normalization"));
        assert!(!is_telling("process") && !is_telling("_run"));
    }
}
