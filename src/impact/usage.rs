//! Who uses a definition, for the question which tests run it: the graph's edges, and what runs without being named.
//!
//! - A method that overrides another runs where that other one is called, when the object is of its class.
//! - A method that the language calls by itself (`__enter__`, `toString`, `drop`) runs where objects of its class are used, also
//!   those that a constant holds; a module's `__getattr__` where the module is.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::doubt::is_conditional;
use super::radius::{file_of, name_of};
use crate::ask::{self, AskError};
use crate::repo::{Repo, path};
use crate::store::Graph;
use crate::store::value::{RowExt, texts};

const STEP: &str = include_str!("../../queries/impact/test_step.cypher");
const CLASSES: &str = include_str!("../../queries/impact/classes.cypher");
const IMPORTERS: &str = include_str!("../../queries/impact/importers.cypher");
const IMPORTS: &str = include_str!("../../queries/impact/imports.cypher");

/// Definitions of one name in one file that are looked for: overloads, getter and setter.
const ORDINALS: usize = 5;

/// Files at whose top level objects of one class are made that are looked into.
const HOLDERS: usize = 20;

/// One use.
#[derive(Clone, Debug)]
pub(super) struct Use {
    /// The definition that uses.
    pub id: String,
    pub inherits: bool,
    pub mentions: bool,
    pub how: String,
    pub access: String,
    pub lines: Vec<i64>,
}

impl Use {
    /// Holds whatever objects there are: no override, no guess.
    pub fn is_sure(&self) -> bool {
        !matches!(self.how.as_str(), "override" | "unique name" | "ambiguous name")
    }

    fn implied(id: String, how: &str) -> Use {
        Use { id, inherits: false, mentions: false, how: how.to_owned(), access: String::new(), lines: Vec::new() }
    }
}

/// Uses, read once each.
pub(super) struct Usage<'g> {
    graph: &'g Graph,
    repo: &'g Repo,
    direct: FxHashMap<String, Vec<Use>>,
    /// Sites that call a method's name on something unknown.
    unplaced: FxHashMap<String, Vec<String>>,
    bases: FxHashMap<String, Vec<String>>,
    derived: FxHashMap<String, Vec<String>>,
    live: Option<FxHashSet<String>>,
    texts: RefCell<FxHashMap<String, Vec<String>>>,
}

impl<'g> Usage<'g> {
    pub fn new(graph: &'g Graph, repo: &'g Repo) -> Result<Usage<'g>, AskError> {
        let (mut bases, mut derived) =
            (FxHashMap::<String, Vec<String>>::default(), FxHashMap::<String, Vec<String>>::default());
        graph.each::<AskError>(CLASSES, Vec::new(), |row| {
            let own = bases.entry(row.str(0)?.to_owned()).or_default();
            let base = row.str(1)?;
            if !base.is_empty() {
                own.push(base.to_owned());
                derived.entry(base.to_owned()).or_default().push(row.str(0)?.to_owned());
            }
            Ok(())
        })?;
        let (direct, unplaced) = (FxHashMap::default(), FxHashMap::default());
        Ok(Usage { graph, repo, direct, unplaced, bases, derived, live: None, texts: RefCell::default() })
    }

    /// Takes calls of a method's name on something unknown for possible calls of it, and the files that import a module for users of
    /// its `__getattr__`. Only with the rule on who makes an object
    /// of its class do they say anything.
    ///
    /// # Errors
    /// What the store says.
    pub fn take_unplaced(&mut self, id: &str) -> Result<(), AskError> {
        if name_of(id) == "__getattr__" {
            // PEP 562: it runs when a name of the module is read that is not there.
            let files = self.importers(file_of(id))?;
            self.unplaced.insert(id.to_owned(), files.iter().map(|f| format!("{f}::<module>")).collect());
        }
        if self.class_of(id).is_some() && !is_constructor(bare(id)) {
            let sites = ask::unresolved(self.graph, bare(id))?;
            self.unplaced.insert(id.to_owned(), sites.into_iter().map(|site| site.caller).collect());
        }
        Ok(())
    }

    /// The class that a definition is a member of.
    pub fn class_of(&self, id: &str) -> Option<&str> {
        let (class, _) = id.rsplit_once('.')?;
        self.bases.get_key_value(class).map(|(class, _)| class.as_str())
    }

    /// A class and all below it.
    pub fn family(&self, class: &str) -> Vec<String> {
        closure(class, &self.derived)
    }

    /// Uses of each of these definitions, in their order.
    pub fn of(&mut self, ids: &[String]) -> Result<Vec<Vec<Use>>, AskError> {
        let dispatched = |id: &String| self.overridden(id).into_iter().map(|method| Use::implied(method, "override"));
        let implied: Vec<Vec<Use>> = ids.iter().map(|id| dispatched(id).collect()).collect();
        let mut implicit: Vec<Vec<String>> = ids.iter().map(|id| self.objects(id)).collect();
        for classes in implicit.iter_mut().filter(|classes| !classes.is_empty()) {
            let holders = self.holders(classes)?;
            classes.extend(holders);
        }
        let mut all: Vec<String> = ids.to_vec();
        all.extend(implicit.iter().flatten().cloned());
        self.load(&all)?;
        let mut out = Vec::with_capacity(ids.len());
        for ((id, mut uses), classes) in ids.iter().zip(implied).zip(implicit) {
            uses.extend(self.stored(id).iter().cloned());
            let unplaced = self.unplaced.get(id).into_iter().flatten();
            uses.extend(unplaced.map(|user| Use::implied(user.clone(), "ambiguous name")));
            for class in classes {
                let users = self.stored(&class).iter().filter(|u| !u.inherits);
                uses.extend(users.map(|u| Use::implied(u.id.clone(), "type")));
            }
            out.push(uses);
        }
        Ok(out)
    }

    /// Uses that the graph holds, mentions as a type left out; [`Usage::load`] first.
    pub fn stored(&self, id: &str) -> &[Use] {
        self.direct.get(id).map_or(&[], Vec::as_slice)
    }

    /// Reads the uses of these definitions from the graph.
    pub fn load(&mut self, ids: &[String]) -> Result<(), AskError> {
        let mut missing: Vec<&String> = ids.iter().filter(|id| !self.direct.contains_key(*id)).collect();
        missing.sort_unstable();
        missing.dedup();
        if missing.is_empty() {
            return Ok(());
        }
        for id in &missing {
            self.direct.insert((*id).clone(), Vec::new());
        }
        let direct = &mut self.direct;
        self.graph.each::<AskError>(STEP, vec![("ids", texts(&missing))], |row| {
            if row.str(4)? != "type"
                && let Some(list) = direct.get_mut(row.str(0)?)
            {
                list.push(Use {
                    id: row.str(1)?.to_owned(),
                    inherits: row.str(2)? == "INHERITS",
                    mentions: row.str(2)? == "REFERENCES",
                    how: row.str(3)?.to_owned(),
                    access: row.str(4)?.to_owned(),
                    lines: row.ints(5)?,
                });
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Methods of bases that this one overrides: who calls those may run this one. Ids that may or may not be there.
    pub fn overridden(&self, id: &str) -> Vec<String> {
        let Some(class) = self.class_of(id) else { return Vec::new() };
        let name = bare(id);
        if is_constructor(name) {
            return Vec::new();
        }
        let bases = closure(class, &self.bases);
        bases.iter().skip(1).flat_map(|base| with_ordinals(&format!("{base}.{name}"))).collect()
    }

    /// Of a method that the language calls by itself: the classes whose users run it, and their constructors.
    fn objects(&self, id: &str) -> Vec<String> {
        let Some(class) = self.class_of(id) else { return Vec::new() };
        if !is_implicit(bare(id)) {
            return Vec::new();
        }
        self.family(class).iter().flat_map(|class| makes(class)).collect()
    }

    /// Whether a mention of a class only looks what something is.
    pub fn only_checks(&self, user: &Use) -> bool {
        if !user.mentions || user.lines.is_empty() {
            return false;
        }
        let only_checks = |lines: &[String], n: i64| {
            let line = usize::try_from(n - 1).ok().and_then(|n| lines.get(n)).map_or("", |l| l.trim_start());
            ["isinstance(", "issubclass(", " instanceof "].iter().any(|check| line.contains(check))
                || ["except ", "catch ", "} catch"].iter().any(|check| line.starts_with(check))
        };
        self.with_text(file_of(&user.id), |lines| user.lines.iter().all(|n| only_checks(lines, *n)))
    }

    /// Steps of a use of `target` by `user` that are no matter of course: see [`super::doubt`].
    pub fn doubts(&self, target: &str, user: &str) -> usize {
        let file = file_of(user);
        let of = |u: &Use| {
            let conditional = |lines: &[String]| u.lines.iter().all(|n| is_conditional(lines, *n));
            usize::from(!u.is_sure()) + usize::from(!u.lines.is_empty() && self.with_text(file, conditional))
        };
        // A use that the graph does not hold is implied: an override, a method that the language calls.
        self.stored(target).iter().filter(|u| u.id == user).map(of).min().unwrap_or(1)
    }

    /// The lines of a file, read once.
    fn with_text<T>(&self, file: &str, ask: impl FnOnce(&[String]) -> T) -> T {
        let mut texts = self.texts.borrow_mut();
        let lines = texts.entry(file.to_owned()).or_insert_with(|| {
            let read = std::fs::read(self.repo.root().join(path::to_path(file))).unwrap_or_default();
            String::from_utf8_lossy(&read).lines().map(str::to_owned).collect()
        });
        ask(lines)
    }

    /// Constants that hold an object of a class, from the places that make one at the top level of a file: whoever mentions
    /// such a constant has the object.
    fn holders(&mut self, makers: &[String]) -> Result<Vec<String>, AskError> {
        self.load(makers)?;
        let mut out = Vec::new();
        for maker in makers {
            let at_top = |u: &&Use| u.id.ends_with("::<module>") && !u.inherits;
            let sites: Vec<(String, Vec<i64>)> = self
                .stored(maker)
                .iter()
                .filter(at_top)
                .map(|u| (file_of(&u.id).to_owned(), u.lines.clone()))
                .collect();
            for (file, lines) in sites.into_iter().take(HOLDERS) {
                let outline = ask::outline(self.graph, &file)?;
                let holds = |s: &&ask::Brief| {
                    matches!(s.kind.as_str(), "constant" | "variable") && lines.contains(&s.start_line)
                };
                out.extend(outline.iter().filter(holds).map(|s| s.id.clone()));
            }
        }
        Ok(out)
    }

    /// Files whose code at the top level imports a file.
    fn importers(&mut self, file: &str) -> Result<Vec<String>, AskError> {
        let rows = self.graph.run(IMPORTERS, vec![("paths", texts(&[file]))])?;
        rows.rows.iter().map(|row| Ok(row.str(1)?.to_owned())).collect()
    }

    /// Whether tests load a file: code at its top level runs then.
    pub fn is_live(&mut self, file: &str) -> Result<bool, AskError> {
        if self.live.is_none() {
            let mut imports: FxHashMap<String, Vec<String>> = FxHashMap::default();
            self.graph.each::<AskError>(IMPORTS, Vec::new(), |row| {
                imports.entry(row.str(0)?.to_owned()).or_default().push(row.str(1)?.to_owned());
                Ok(())
            })?;
            let mut live: FxHashSet<String> = imports.keys().filter(|f| crate::scan::holds_tests(f)).cloned().collect();
            let mut todo: Vec<String> = live.iter().cloned().collect();
            while let Some(file) = todo.pop() {
                for target in imports.get(&file).into_iter().flatten() {
                    if live.insert(target.clone()) {
                        todo.push(target.clone());
                    }
                }
            }
            self.live = Some(live);
        }
        Ok(self.live.as_ref().is_some_and(|live| live.contains(file)))
    }
}

/// A class and its constructors, as ids that may or may not be there.
pub(super) fn makes(class: &str) -> Vec<String> {
    let own = class.rsplit(['.', ':']).next().unwrap_or(class);
    let names = ["__init__", "__new__", "constructor", "new", own];
    let constructors = names.iter().flat_map(|name| with_ordinals(&format!("{class}.{name}")));
    std::iter::once(class.to_owned()).chain(constructors).collect()
}

/// An id and those of further definitions of its name, which may or may not be there.
pub(super) fn with_ordinals(id: &str) -> Vec<String> {
    std::iter::once(id.to_owned()).chain((2..=ORDINALS).map(|n| format!("{id}#{n}"))).collect()
}

/// Everything that a node leads to, itself first, in the order of distance.
fn closure(from: &str, next: &FxHashMap<String, Vec<String>>) -> Vec<String> {
    let mut out = vec![from.to_owned()];
    let mut seen: FxHashSet<String> = out.iter().cloned().collect();
    let mut at = 0;
    while at < out.len() {
        for node in next.get(&out[at]).into_iter().flatten() {
            if seen.insert(node.clone()) {
                out.push(node.clone());
            }
        }
        at += 1;
    }
    out
}

/// Bare name of a definition, without `#2`.
pub(super) fn bare(id: &str) -> &str {
    let name = name_of(id);
    let name = name.rsplit('.').next().unwrap_or(name);
    name.split('#').next().unwrap_or(name)
}

/// An id without `#2`.
pub(super) fn plain(id: &str) -> &str {
    match id.rsplit_once('#') {
        Some((plain, n)) if n.bytes().all(|b| b.is_ascii_digit()) => plain,
        _ => id,
    }
}

fn is_constructor(name: &str) -> bool {
    matches!(name, "__init__" | "__new__" | "constructor" | "__init_subclass__")
}

/// Methods that run without a call of their name.
fn is_implicit(name: &str) -> bool {
    let dunder = name.len() > 4 && name.starts_with("__") && name.ends_with("__");
    let by_language =
        ["toString", "equals", "hashCode", "compareTo", "close", "drop", "fmt", "String", "Error", "MarshalJSON"];
    (dunder && !is_constructor(name)) || by_language.contains(&name)
}
