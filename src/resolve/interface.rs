//! What phase 2 of a file can see of all others, folded to one hash for each name.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::linking::Trail;
use super::modules::{Target, parent};
use super::names::Gid;
use super::project::{Def, Project};
use super::types::{ModId, SymId, Ty};
use crate::facts::*;
use crate::lang::ModuleSystem;
use crate::rows::FileNo;

/// The answers of phase 1, by name: what any lookup of that name gives, over all containers that have it.
///
/// A file whose facts are unchanged and whose strings hold no name of [`Interface::changed_names`] resolves to
/// the same edges as before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interface {
    /// (hash of the name, hash of all its answers), sorted.
    entries: Vec<(u64, u64)>,
}

impl Interface {
    /// Hash of a string of a file's string table, as [`Interface::changed_names`] gives it.
    pub fn name_hash(name: &str) -> u64 {
        xxh3_64(name.as_bytes())
    }

    /// Hashes of the names for which any answer differs.
    pub fn changed_names(old: &Interface, new: &Interface) -> FxHashSet<u64> {
        let mut out = FxHashSet::default();
        let (mut a, mut b) = (old.entries.iter().peekable(), new.entries.iter().peekable());
        loop {
            let (x, y) = (a.peek().copied(), b.peek().copied());
            match (x, y) {
                (None, None) => return out,
                (Some(x), Some(y)) if x.0 == y.0 => {
                    if x.1 != y.1 {
                        out.insert(x.0);
                    }
                    a.next();
                    b.next();
                }
                (Some(x), y) if y.is_none_or(|y| x.0 < y.0) => {
                    out.insert(x.0);
                    a.next();
                }
                (_, Some(y)) => {
                    out.insert(y.0);
                    b.next();
                }
                (Some(_), None) => unreachable!("covered by the guard above"),
            }
        }
    }
}

/// Phase 2 can go from one answer to the next without naming anything (`f()()`, `for x in y`) at most about this often.
const LEVELS: usize = 4;

fn mix(a: u64, b: u64) -> u64 {
    xxh3_64_with_seed(&a.to_le_bytes(), b)
}

fn fold(parts: impl IntoIterator<Item = u64>) -> u64 {
    parts.into_iter().fold(0x9e37_79b9, mix)
}

struct Hashes<'p, 'a> {
    p: &'p Project<'a>,
    file: Vec<u64>,
    imports: Vec<u64>,
    /// What never depends on types, by symbol.
    fixed: Vec<u64>,
    /// With what it returns, by symbol; of the level before while a level is computed.
    syms: Vec<u64>,
    /// Shapes of classes, by place in the list of classes.
    classes: Vec<u64>,
    modules: Vec<u64>,
    /// What else picks between definitions of one name, by symbol: alternatives in its scope, types of parameters.
    picks: Vec<u64>,
}

impl<'p, 'a> Hashes<'p, 'a> {
    fn new(p: &'p Project<'a>) -> Self {
        let file: Vec<u64> = p.files.iter().map(|f| xxh3_64(f.path.as_bytes())).collect();
        let imports: Vec<u64> =
            p.file_imports.iter().map(|list| fold(list.iter().map(|f| file[f.0 as usize]))).collect();
        let ids: Vec<u64> = (0..p.sym_file.len() as u32)
            .map(|s| {
                let fact = p.sym(SymId(s));
                let qual = p.facts(p.file_of(SymId(s))).name(fact.qualname);
                mix(xxh3_64_with_seed(qual.as_bytes(), file[p.sym_file[s as usize] as usize]), u64::from(fact.ordinal))
            })
            .collect();
        let mut h =
            Hashes { p, file, imports, fixed: vec![], syms: vec![], classes: vec![], modules: vec![], picks: vec![] };
        h.fixed = (0..p.sym_file.len() as u32).map(|s| h.fixed_of(SymId(s), &ids)).collect();
        h.syms = h.fixed.clone();
        h.picks = (0..p.sym_file.len() as u32).map(|s| h.picks_of(SymId(s))).collect();
        h.classes = vec![0; p.classes.list.len()];
        h.modules = (0..p.files.len()).map(|f| h.module_fixed(f)).collect();
        for _ in 0..LEVELS {
            let classes = (0..p.classes.list.len()).map(|i| h.class_level(i)).collect();
            let syms = (0..p.sym_file.len() as u32).map(|s| h.sym_level(SymId(s))).collect();
            let modules = (0..p.files.len()).map(|f| h.module_level(f)).collect();
            (h.classes, h.syms, h.modules) = (classes, syms, modules);
        }
        h
    }

    fn fixed_of(&self, s: SymId, ids: &[u64]) -> u64 {
        let fact = self.p.sym(s);
        let f = &fact.flags;
        let flags = [
            f.is_static,
            f.is_classmethod,
            f.is_abstract,
            f.is_async,
            f.exported,
            f.is_test,
            f.is_constructor,
            f.is_generator,
            f.is_fixture,
            self.p.classes.get(s).is_some(),
            self.p.files[self.p.file_of(s).0 as usize].is_test,
            fact.params.last().is_some_and(|p| p.variadic),
            f.conditional,
            f.of_trait,
            self.p.is_made(s),
        ];
        let bits = flags.iter().fold(fact.kind as u64, |acc, &b| acc << 1 | u64::from(b));
        let counts = (fact.params.len() as u64) << 32 | fact.type_params.len() as u64;
        let holder = self.p.classes.holder[s.0 as usize].map_or(1, |h| ids[h.0 as usize]);
        let enclosing = self.p.classes.enclosing[s.0 as usize].map_or(1, |h| ids[h.0 as usize]);
        fold([ids[s.0 as usize], bits, counts, holder, enclosing])
    }

    fn picks_of(&self, s: SymId) -> u64 {
        let fact = self.p.sym(s);
        if !fact.kind.is_callable() {
            return 0;
        }
        let alternatives = self.p.alternatives(s);
        let mut h =
            if alternatives.is_empty() { 0 } else { fold(alternatives.iter().map(|t| self.fixed[t.0 as usize])) };
        let file = self.p.file_of(s);
        if self.p.system(file) == ModuleSystem::Java {
            let written = |ty| self.p.java_written(file, self.p.idx_of(s), ty);
            for ty in fact.params.iter().filter_map(|p| p.ty).chain(fact.returns) {
                h = mix(h, written(ty).fingerprint(|c| self.java_class(c)));
            }
        }
        h
    }

    /// A class and what it derives from, as overloads see it.
    fn java_class(&self, s: SymId) -> u64 {
        let mro = self.p.classes.get(s).map_or(&[][..], |c| &c.mro);
        let bases = mro.iter().flat_map(|&c| {
            let (fact, file) = (self.p.sym(c), self.p.file_of(c));
            let scope = fact.parent.unwrap_or(SymbolIdx::MODULE);
            fact.bases
                .iter()
                .map(move |&b| self.p.java_written(file, scope, b).fingerprint(|b| self.fixed[b.0 as usize]))
        });
        fold(mro.iter().map(|c| self.fixed[c.0 as usize]).chain([self.fixed[s.0 as usize]]).chain(bases))
    }

    fn sym_level(&self, s: SymId) -> u64 {
        let slots = &self.p.slots;
        let value = slots.peek(slots.value(s));
        let object = slots.object(s).map_or(&Ty::Unknown, |i| slots.peek(i));
        let reach = self.p.helpers.reach.get(&s);
        let siblings = self.p.classes.holder[s.0 as usize].and_then(|h| self.p.classes.own(h, self.p.sym_gid(s)));
        let mut h = self.fixed[s.0 as usize];
        if !value.is_unknown() {
            h = mix(h, self.ty(value));
        }
        if !object.is_unknown() {
            h = mix(h, self.ty(object) ^ 1);
        }
        for &(t, how) in reach.into_iter().flatten() {
            h = mix(h, self.fixed[t.0 as usize] ^ how as u64);
        }
        if self.picks[s.0 as usize] != 0 {
            h = mix(h, self.picks[s.0 as usize] ^ 3);
        }
        if let Some(group) = siblings {
            for &t in &self.p.classes.group(group).syms {
                h = mix(h, self.fixed[t.0 as usize] ^ self.picks[t.0 as usize] ^ 2);
            }
        }
        if self.p.classes.get(s).is_some() {
            h = mix(h, self.class(s));
        }
        if let Some(e) = self.p.classes.enclosing[s.0 as usize] {
            h = mix(h, self.class(e));
        }
        if !matches!(self.p.sym(s).kind, SymbolKind::TypeAlias | SymbolKind::Constant | SymbolKind::Variable) {
            return h;
        }
        mix(h, self.alias(Def::Sym(s)))
    }

    /// Where a plain alias ends.
    fn alias(&self, def: Def) -> u64 {
        match self.p.through_aliases(def, super::lookup::ALIAS_DEPTH) {
            Def::Sym(s) => mix(self.fixed[s.0 as usize], self.class(s)),
            Def::Module(m) => self.module(m),
            Def::Var(_) => 3,
            Def::External => 4,
            Def::Missing => 5,
        }
    }

    fn class(&self, s: SymId) -> u64 {
        self.p.classes.place(s).map_or(6, |i| self.classes[i])
    }

    fn class_level(&self, i: usize) -> u64 {
        let (s, class) = &self.p.classes.list[i];
        let ids = |list: &[SymId]| fold(list.iter().map(|c| self.fixed[c.0 as usize]));
        let mut h = fold([
            self.fixed[s.0 as usize],
            ids(&class.mro),
            ids(&class.bases),
            u64::from(self.p.classes.has_members(*s)) << 2 | u64::from(class.external) << 1 | u64::from(class.unknown),
        ]);
        if let Some(g) = self.p.constructor(*s) {
            h = mix(h, ids(&self.p.classes.group(g).syms));
        }
        // Members that syntax reaches without writing their name.
        if self.p.system(self.p.file_of(*s)) == ModuleSystem::Python {
            let w = &self.p.well_known;
            for gid in [w.call, w.enter, w.aenter, w.iter, w.aiter, w.next, w.getitem] {
                if let Some((_, g)) = self.p.find_member(*s, gid) {
                    h = mix(h, self.group(g));
                }
            }
        }
        h
    }

    fn group(&self, g: u32) -> u64 {
        let group = self.p.classes.group(g);
        let syms = fold(group.syms.iter().map(|s| self.syms[s.0 as usize]));
        let mut held = mix(syms, self.ty(self.p.slots.peek(self.p.slots.field(g))));
        for &(file, i) in &group.attrs {
            let attr = &self.p.facts(file).attrs[i as usize];
            if self.p.system(file) == ModuleSystem::Java
                && let Some(ty) = attr.ty
            {
                held = mix(held, self.p.java_written(file, attr.class, ty).fingerprint(|c| self.java_class(c)));
            }
        }
        mix(held, u64::from(self.p.is_written_once(g)))
    }

    fn module_fixed(&self, f: usize) -> u64 {
        let stars = fold(self.p.stars[f].iter().map(|m| self.module_id(*m)));
        fold([self.file[f], stars, u64::from(self.p.external_star[f])])
    }

    fn module_level(&self, f: usize) -> u64 {
        let fixed = self.module_fixed(f);
        if self.p.system(FileNo(f as u32)) != ModuleSystem::EcmaScript {
            return fixed;
        }
        mix(fixed, self.p.module_default(ModId(f as u32)).map_or(7, |d| self.def(d)))
    }

    fn module_id(&self, m: ModId) -> u64 {
        match self.p.tree.as_file(m) {
            Some(f) => self.file[f.0 as usize],
            None if m.0 >= self.p.tree.first_group() => self.group_id(m),
            None => xxh3_64_with_seed(self.p.tree.path(m).as_bytes(), 8),
        }
    }

    /// A name-space group is known by its folder, package name and module system.
    fn group_id(&self, m: ModId) -> u64 {
        let files = &self.p.group_files[(m.0 - self.p.tree.first_group()) as usize];
        let Some(&first) = files.first() else { return 9 };
        let facts = self.p.facts(first);
        let package = facts.package.map_or("", |n| facts.name(n));
        let dir = if self.p.system(first) == ModuleSystem::Go { parent(self.p.tree.file_path(first)) } else { "" };
        mix(xxh3_64(package.as_bytes()), xxh3_64(dir.as_bytes()))
    }

    fn module(&self, m: ModId) -> u64 {
        match self.p.tree.as_file(m) {
            Some(f) => self.modules[f.0 as usize],
            None => self.module_id(m),
        }
    }

    fn def(&self, def: Def) -> u64 {
        match def {
            Def::Sym(s) => self.syms[s.0 as usize],
            Def::Module(m) => self.module(m),
            Def::Var(v) => {
                let var = self.p.vars[v as usize];
                let name = xxh3_64(self.p.facts(var.file).name(var.name).as_bytes());
                let ty = self.ty(self.p.slots.peek(self.p.slots.var(v)));
                fold([10, self.file[var.file.0 as usize], name, ty, self.alias(def)])
            }
            Def::External => 11,
            Def::Missing => 12,
        }
    }

    fn ty(&self, ty: &Ty) -> u64 {
        match ty {
            Ty::Unknown => 20,
            Ty::None => 21,
            Ty::External => 22,
            Ty::This(c) => mix(23, self.class(*c)),
            Ty::ThisClass(c) => mix(24, self.class(*c)),
            Ty::Instance(c, exact) => mix(25 + u64::from(*exact), self.class(*c)),
            Ty::Applied(c, args) => mix(fold(args.iter().map(|a| self.ty(a))), self.class(*c)),
            Ty::Param(c, i) => mix(27 + (u64::from(*i) << 8), self.fixed[c.0 as usize]),
            Ty::Class(c) => mix(28, self.class(*c)),
            Ty::Module(m) => mix(29, self.module(*m)),
            Ty::Func(s) => mix(30, self.syms[s.0 as usize]),
            Ty::Super(c) => mix(31, self.class(*c)),
            Ty::Returns(t) => mix(32, self.ty(t)),
            Ty::Many(shape, t) => mix(33 + *shape as u64, self.ty(t)),
            Ty::Tuple(parts) => mix(fold(parts.iter().map(|t| self.ty(t))), 38),
            Ty::Union(parts) => fold(parts.iter().map(|t| self.ty(t))),
        }
    }
}

impl<'a> Project<'a> {
    /// The answers of phase 1 to be compared with those of the last time.
    pub fn interface(&self) -> Interface {
        let h = Hashes::new(self);
        let mut acc: Vec<u64> = vec![0; self.names.len()];
        let mut add = |gid: Gid, container: u64, answer: u64| {
            let a = &mut acc[gid as usize];
            *a = a.wrapping_add(mix(container, answer) | 1);
        };
        for (&key, entry) in &self.module_names {
            let (module, gid) = (ModId((key >> 32) as u32), key as u32);
            let offered = self.star_offers(module, gid) as u64;
            add(gid, h.module_id(module) ^ offered, h.def(self.pick(entry, &mut Trail::new())));
        }
        for &key in self.exports.keys() {
            let (file, gid) = (FileNo((key >> 32) as u32), key as u32);
            let def = self.export(file, gid, &mut Trail::new()).unwrap_or(Def::Missing);
            add(gid, h.file[file.0 as usize] ^ 40, h.def(def));
        }
        for file in self.file_nos() {
            self.add_file(file, &h, &mut add);
        }
        for (i, (class, gid, _)) in self.classes.group_list.iter().enumerate() {
            add(*gid, h.fixed[class.0 as usize], h.group(i as u32));
        }
        for (&key, list) in &self.classes.overrides {
            let class = h.fixed[(key >> 32) as usize];
            add(key as u32, class ^ 41, fold(list.iter().map(|s| h.fixed[s.0 as usize])));
        }
        for (key, list) in self.by_name.iter() {
            let each = list.iter().map(|s| {
                let holder = self.classes.holder[s.0 as usize].map_or(0, |c| h.class(c));
                mix(h.fixed[s.0 as usize], holder)
            });
            add(key as u32, 42 + (key >> 32), fold(each));
        }
        for (name, root) in self.systems.rust.crates() {
            if let Some(gid) = self.names.get(name) {
                add(gid, 60, h.module(root));
            }
        }
        for (&gid, one) in &self.macros {
            add(gid, 61, one.map_or(62, |s| h.fixed[s.0 as usize]));
        }
        for (&gid, list) in &self.fixtures {
            add(gid, 43, fold(list.iter().map(|s| h.syms[s.0 as usize])));
        }
        let mut entries: Vec<(u64, u64)> = acc
            .iter()
            .enumerate()
            .filter(|(_, a)| **a != 0)
            .map(|(gid, a)| (Interface::name_hash(self.names.str(gid as Gid)), *a))
            .collect();
        entries.sort_unstable();
        Interface { entries }
    }

    fn add_file(&self, file: FileNo, h: &Hashes<'_, '_>, add: &mut impl FnMut(Gid, u64, u64)) {
        let (facts, id) = (self.facts(file), h.file[file.0 as usize]);
        let target = |t: Target| match t {
            Target::Module(m) => {
                let imports = self.tree.as_file(m).map_or(0, |f| h.imports[f.0 as usize]);
                mix(h.module(m), imports)
            }
            Target::External => 50,
            Target::Missing => 51,
        };
        for (i, import) in facts.imports.iter().enumerate() {
            add(self.gid(file, import.module), id ^ 52, target(self.targets[file.0 as usize][i]));
            let def = self.import_def(file, i as u32, &mut Trail::new());
            let near = match def {
                Def::Module(m) => target(Target::Module(m)),
                Def::Sym(s) => h.imports[self.file_of(s).0 as usize],
                _ => 0,
            };
            let name = match &import.what {
                ImportWhat::Item { item, .. } => *item,
                ImportWhat::Module { alias: Some(name) }
                | ImportWhat::Default { alias: name }
                | ImportWhat::ChildModule { name } => *name,
                _ => import.module,
            };
            add(self.gid(file, name), id ^ 53, mix(h.def(def), near));
        }
        for e in &facts.exprs {
            if let Expr::Module(name) = e {
                add(self.gid(file, *name), id ^ 54, target(self.module_expr(file, *name)));
            }
        }
        for (i, s) in facts.symbols.iter().enumerate() {
            let sym = self.sym_id(file, SymbolIdx(i as u32));
            add(self.gid(file, s.name), id ^ 55, h.syms[sym.0 as usize]);
            if let Some(p) = s.parent.filter(|p| *p != SymbolIdx::MODULE) {
                add(self.gid(file, s.name), h.fixed[self.sym_id(file, p).0 as usize] ^ 56, h.syms[sym.0 as usize]);
            }
        }
        if self.system(file) == ModuleSystem::Python {
            self.add_python_path(file, h, add);
        }
        // Paths through the tree of modules.
        for word in ["crate", "super", "self"] {
            if self.system(file) == ModuleSystem::Rust
                && let Some(gid) = self.names.get(word)
                && let Some(def) = self.path_word(file, SymbolIdx::MODULE, word)
            {
                add(gid, id ^ 57, h.def(def));
            }
        }
    }

    /// A module's own name in its folder, and those of the folders above.
    fn add_python_path(&self, file: FileNo, h: &Hashes<'_, '_>, add: &mut impl FnMut(Gid, u64, u64)) {
        let path = self.tree.file_path(file);
        let mut at =
            path.strip_suffix("/__init__.py").or_else(|| path.rsplit_once('.').map(|(stem, _)| stem)).unwrap_or(path);
        let mut answer = h.module(ModId(file.0));
        while !at.is_empty() {
            let (dir, name) = at.rsplit_once('/').unwrap_or(("", at));
            if let Some(gid) = self.names.get(name) {
                add(gid, xxh3_64_with_seed(dir.as_bytes(), 58), answer);
            }
            at = dir;
            // That a folder is there, however many files are in it.
            if at.is_empty() || !self.first_below(at, file) {
                break;
            }
            answer = 59;
        }
    }

    /// Is the file the first of the project below a folder?
    fn first_below(&self, dir: &str, file: FileNo) -> bool {
        let inside = |f: &super::SourceFile<'_>| f.path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'));
        self.system(file) == ModuleSystem::Python
            && self.files[..file.0 as usize]
                .iter()
                .rev()
                .take_while(|f| inside(f))
                .all(|f| f.language.semantics().modules != ModuleSystem::Python)
    }
}
