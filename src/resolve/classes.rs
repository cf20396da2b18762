//! Classes: bases, method resolution order, members.

use rustc_hash::FxHashMap;

use super::names::Gid;
use super::project::{Def, Project, pair};
use super::types::SymId;
use crate::facts::*;
use crate::lang::ModuleSystem;
use crate::rows::FileNo;

/// A class, interface, trait, struct, or whatever has members.
#[derive(Debug, Default)]
pub(crate) struct Class {
    /// Project classes among the bases, in order, with the expression's place for INHERITS.
    pub bases: Vec<SymId>,
    /// Other declarations that are one with it (TypeScript: interfaces of one name, a class and a namespace).
    pub merged: Vec<SymId>,
    /// The order in which members are looked up, itself first.
    pub mro: Vec<SymId>,
    /// Has a base outside of the project (other than the root classes), itself or inherited.
    pub external: bool,
    /// Has a base that could not be tied to anything, itself or inherited.
    pub unknown: bool,
}

/// The members of one name of one class.
#[derive(Debug, Default)]
pub(crate) struct Group {
    /// Methods, properties, nested classes, constants.
    pub syms: Vec<SymId>,
    /// Assignments and declarations: (file, index into `Facts::attrs`).
    pub attrs: Vec<(FileNo, u32)>,
}

/// All classes of the project.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    built: bool,
    index: Vec<u32>,
    pub list: Vec<(SymId, Class)>,
    groups: FxHashMap<u64, u32>,
    pub group_list: Vec<(SymId, Gid, Group)>,
    /// The class of each symbol that is a member, or stands inside of one.
    pub enclosing: Vec<Option<SymId>>,
    /// The class that holds each symbol as a member.
    pub holder: Vec<Option<SymId>>,
    pub overrides: FxHashMap<u64, Vec<SymId>>,
}

impl Classes {
    pub(crate) fn is_built(&self) -> bool {
        self.built
    }

    pub(crate) fn get(&self, s: SymId) -> Option<&Class> {
        let &i = self.index.get(s.0 as usize)?;
        self.list.get(i as usize).map(|(_, c)| c)
    }

    /// A class's place in the list.
    pub(crate) fn place(&self, s: SymId) -> Option<usize> {
        let &i = self.index.get(s.0 as usize)?;
        ((i as usize) < self.list.len()).then_some(i as usize)
    }

    pub(crate) fn own(&self, class: SymId, gid: Gid) -> Option<u32> {
        self.groups.get(&pair(class.0, gid)).copied()
    }

    /// Has a class members of its own?
    pub(crate) fn has_members(&self, class: SymId) -> bool {
        let first = self.group_list.partition_point(|(c, _, _)| *c < class);
        self.group_list.get(first).is_some_and(|(c, _, _)| *c == class)
    }

    pub(crate) fn group(&self, i: u32) -> &Group {
        &self.group_list[i as usize].2
    }

    fn add(&mut self, s: SymId) {
        if self.index[s.0 as usize] == u32::MAX {
            self.index[s.0 as usize] = self.list.len() as u32;
            self.list.push((s, Class::default()));
        }
    }
}

impl<'a> Project<'a> {
    pub(crate) fn build_classes(&mut self) {
        let n = self.sym_file.len();
        let mut c = Classes { index: vec![u32::MAX; n], ..Default::default() };
        c.holder = self.holders();
        for s in (0..n as u32).map(SymId) {
            let kind = self.sym(s).kind;
            if kind.is_type() || kind == SymbolKind::Namespace {
                c.add(s);
            }
            if let Some(h) = c.holder[s.0 as usize] {
                c.add(h);
            }
        }
        for f in self.file_nos() {
            for a in &self.facts(f).attrs {
                c.add(self.sym_id(f, a.class));
            }
        }
        let merged = self.merged();
        for s in merged.iter().flatten() {
            c.add(*s);
        }
        c.list.sort_by_key(|(s, _)| *s);
        for (i, (s, _)) in c.list.iter().enumerate() {
            c.index[s.0 as usize] = i as u32;
        }
        for group in &merged {
            for s in group {
                let i = c.index[s.0 as usize] as usize;
                c.list[i].1.merged = group.iter().copied().filter(|t| t != s).collect();
            }
        }
        c.enclosing = self.enclosing(&c);
        self.collect_bases(&mut c);
        self.linearize(&mut c);
        self.collect_members(&mut c);
        c.built = true;
        self.classes = c;
        self.collect_overrides();
    }

    /// Declarations of one name in one scope that TypeScript takes for one
    /// (<https://www.typescriptlang.org/docs/handbook/declaration-merging.html>).
    fn merged(&self) -> Vec<Vec<SymId>> {
        let mut by_name: FxHashMap<(SymId, u32), Vec<SymId>> = FxHashMap::default();
        for f in self.file_nos().filter(|f| self.system(*f) == ModuleSystem::EcmaScript) {
            for (i, s) in self.facts(f).symbols.iter().enumerate() {
                let declares = matches!(
                    s.kind,
                    SymbolKind::Interface | SymbolKind::Class | SymbolKind::Namespace | SymbolKind::Enum
                ) || s.kind == SymbolKind::Function && !s.flags.is_abstract;
                if let (true, Some(parent), None) = (declares, s.parent, s.owner) {
                    let key = (self.sym_id(f, parent), s.name.0);
                    by_name.entry(key).or_default().push(self.sym_id(f, SymbolIdx(i as u32)));
                }
            }
        }
        let merges = |s: &SymId| matches!(self.sym(*s).kind, SymbolKind::Interface | SymbolKind::Namespace);
        let mut groups: Vec<Vec<SymId>> =
            by_name.into_values().filter(|group| group.len() > 1 && group.iter().any(merges)).collect();
        groups.sort_unstable();
        groups
    }

    /// The class that each symbol is a member of.
    fn holders(&self) -> Vec<Option<SymId>> {
        let mut out = vec![None; self.sym_file.len()];
        for f in self.file_nos() {
            let facts = self.facts(f);
            for (i, s) in facts.symbols.iter().enumerate() {
                let scope = s.parent.unwrap_or(SymbolIdx::MODULE);
                let holder = match s.owner {
                    Some(owner) => match self.static_class(f, scope, owner) {
                        Some(Def::Sym(h)) => Some(h),
                        _ => None,
                    },
                    None => s
                        .parent
                        .filter(|p| s.kind == SymbolKind::Field || self.holds_members(f, *p))
                        .map(|p| self.sym_id(f, p)),
                };
                out[self.sym_id(f, SymbolIdx(i as u32)).0 as usize] =
                    holder.filter(|h| *h != self.sym_id(f, SymbolIdx(i as u32)));
            }
        }
        out
    }

    /// Is what stands inside of a symbol a member of it? JavaScript's object literals are classes of one instance.
    fn holds_members(&self, file: FileNo, s: SymbolIdx) -> bool {
        let fact = self.facts(file).symbol(s);
        match fact.kind {
            SymbolKind::Namespace => true,
            SymbolKind::Constant | SymbolKind::Variable => self.system(file) == ModuleSystem::EcmaScript,
            kind => kind.is_type(),
        }
    }

    /// The innermost class around each symbol (the class itself for code in its body).
    fn enclosing(&self, c: &Classes) -> Vec<Option<SymId>> {
        let mut out: Vec<Option<SymId>> = vec![None; self.sym_file.len()];
        for f in self.file_nos() {
            for (i, s) in self.facts(f).symbols.iter().enumerate() {
                let id = self.sym_id(f, SymbolIdx(i as u32));
                let outer = || s.parent.and_then(|p| out[self.sym_id(f, p).0 as usize]);
                let holder = c.holder[id.0 as usize].filter(|h| self.sym(*h).kind != SymbolKind::Namespace);
                // A function with members of its prototype constructs.
                let constructs = s.kind == SymbolKind::Function
                    && holder.is_none()
                    && c.place(id).is_some()
                    && self.system(f) == ModuleSystem::EcmaScript;
                out[id.0 as usize] = if s.kind.is_type() || constructs { Some(id) } else { holder.or_else(outer) };
            }
        }
        out
    }

    fn collect_bases(&self, c: &mut Classes) {
        for i in 0..c.list.len() {
            let s = c.list[i].0;
            let (fact, file) = (self.sym(s), self.file_of(s));
            // JavaScript's constructor functions inherit too.
            let constructs = fact.kind == SymbolKind::Function && self.system(file) == ModuleSystem::EcmaScript;
            if !constructs && (!fact.kind.is_type() || fact.kind == SymbolKind::TypeAlias) {
                continue;
            }
            let scope = fact.parent.unwrap_or(SymbolIdx::MODULE);
            for &base in &fact.bases {
                self.add_base(&mut c.list[i].1, s, file, scope, base);
            }
        }
        for file in self.file_nos() {
            for imp in &self.facts(file).impls {
                if let Some(Def::Sym(owner)) = self.static_class(file, imp.scope, imp.owner) {
                    let i = c.index[owner.0 as usize];
                    if let Some((_, class)) = c.list.get_mut(i as usize) {
                        self.add_base(class, owner, file, imp.scope, imp.base);
                    }
                }
            }
        }
    }

    fn add_base(&self, class: &mut Class, own: SymId, file: FileNo, scope: SymbolIdx, base: ExprId) {
        match self.static_class(file, scope, base) {
            Some(Def::Sym(b)) if b != own && self.sym(b).kind != SymbolKind::Namespace => {
                if !class.bases.contains(&b) {
                    class.bases.push(b);
                }
            }
            Some(Def::External) => {
                let root = match self.facts(file).expr(base) {
                    Expr::Name(n) | Expr::Attr(_, n) => is_root_class(self.facts(file).name(*n)),
                    Expr::Generic(..) => false,
                    _ => false,
                };
                class.external |= !root;
            }
            _ => match self.facts(file).expr(base) {
                // A class made by a call of something from outside (`namedtuple(...)`).
                Expr::Call(callee, _)
                    if matches!(self.static_def(file, scope, *callee, &mut Vec::new()), Some(Def::External)) =>
                {
                    class.external = true;
                }
                _ => class.unknown = true,
            },
        }
    }

    /// C3 as Python has it (https://www.python.org/download/releases/2.3/mro/); where the bases allow no such order, depth first.
    fn linearize(&self, c: &mut Classes) {
        let mut state = vec![0u8; c.list.len()];
        for i in 0..c.list.len() {
            linearize_one(c, i, &mut state, 0);
        }
    }

    fn collect_members(&self, c: &mut Classes) {
        let mut all: Vec<(SymId, Gid, u8, u32, u32)> = Vec::new();
        for s in (0..self.sym_file.len() as u32).map(SymId) {
            if let Some(h) = c.holder[s.0 as usize] {
                all.push((h, self.sym_gid(s), 0, s.0, 0));
            }
        }
        for f in self.file_nos() {
            for (i, a) in self.facts(f).attrs.iter().enumerate() {
                all.push((self.sym_id(f, a.class), self.gid(f, a.name), 1, f.0, i as u32));
            }
        }
        all.sort_unstable();
        for chunk in all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let mut group = Group::default();
            for m in chunk {
                if m.2 == 0 { group.syms.push(SymId(m.3)) } else { group.attrs.push((FileNo(m.3), m.4)) }
            }
            c.groups.insert(pair(chunk[0].0.0, chunk[0].1), c.group_list.len() as u32);
            c.group_list.push((chunk[0].0, chunk[0].1, group));
        }
    }

    /// The nearest definition of a member: (class, group).
    pub(crate) fn find_member(&self, class: SymId, gid: Gid) -> Option<(SymId, u32)> {
        self.find_member_in(&self.classes.get(class)?.mro, gid)
    }

    pub(crate) fn find_member_in(&self, mro: &[SymId], gid: Gid) -> Option<(SymId, u32)> {
        mro.iter().find_map(|&m| self.classes.own(m, gid).map(|g| (m, g)))
    }

    /// Is a member one of an object literal, and given a value there only?
    pub(crate) fn is_written_once(&self, group: u32) -> bool {
        let (object, _, group) = &self.classes.group_list[group as usize];
        let literal = matches!(self.sym(*object).kind, SymbolKind::Constant | SymbolKind::Variable);
        literal && group.attrs.len() == 1
    }

    /// Where `C(...)` goes: the constructor found through the bases, if the project has one.
    pub(crate) fn constructor(&self, class: SymId) -> Option<u32> {
        let w = &self.well_known;
        match self.system(self.file_of(class)) {
            ModuleSystem::Python => [w.init, w.new].iter().find_map(|&g| self.find_member(class, g)).map(|(_, g)| g),
            ModuleSystem::EcmaScript => self.find_member(class, w.constructor).map(|(_, g)| g),
            ModuleSystem::Java => self.classes.own(class, self.sym_gid(class)),
            _ => None,
        }
    }
}

/// Bases that bring no members worth waiting for.
fn is_root_class(name: &str) -> bool {
    matches!(name, "object" | "Object" | "ABC" | "Protocol" | "Generic" | "ABCMeta" | "Serializable" | "Cloneable")
}

fn linearize_one(c: &mut Classes, i: usize, state: &mut [u8], depth: u32) {
    if state[i] != 0 {
        return;
    }
    state[i] = 1;
    let own = c.list[i].0;
    let declared = c.list[i].1.bases.clone();
    let merged = c.list[i].1.merged.clone();
    let mut bases = declared.clone();
    for other in &merged {
        let j = c.index[other.0 as usize] as usize;
        bases.extend(c.list[j].1.bases.iter().filter(|b| !declared.contains(b)));
    }
    bases.retain(|b| *b != own && !merged.contains(b));
    let mut sequences: Vec<Vec<SymId>> = Vec::new();
    bases.retain(|b| {
        let j = c.index[b.0 as usize] as usize;
        if j >= c.list.len() {
            return false;
        }
        if depth < 100 {
            linearize_one(c, j, state, depth + 1);
        }
        // A base that is still open stands in a cycle.
        if state[j] == 2 {
            sequences.push(c.list[j].1.mro.clone());
        }
        let (external, unknown) = (c.list[j].1.external, c.list[j].1.unknown);
        c.list[i].1.external |= external;
        c.list[i].1.unknown |= unknown;
        true
    });
    sequences.push(bases.clone());
    let mut mro = vec![own];
    mro.extend(&merged);
    loop {
        sequences.retain(|s| !s.is_empty());
        if sequences.is_empty() {
            break;
        }
        let good = sequences.iter().map(|s| s[0]).find(|h| !sequences.iter().any(|s| s[1..].contains(h)));
        let head = good.unwrap_or(sequences[0][0]);
        if !mro.contains(&head) {
            mro.push(head);
        }
        for s in &mut sequences {
            s.retain(|x| *x != head);
        }
    }
    c.list[i].1.mro = mro;
    c.list[i].1.bases = declared.into_iter().filter(|b| c.index[b.0 as usize] != u32::MAX).collect();
    state[i] = 2;
}
