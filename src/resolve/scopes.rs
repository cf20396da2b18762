//! Which names each scope of a file binds.

use rustc_hash::FxHashMap;

use super::names::Gid;
use crate::facts::*;

/// What binds a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum What {
    /// A parameter of the scope's function.
    Param(u8),
    /// `Facts::imports[i]`.
    Import(u32),
    /// `Facts::binds[i]`.
    Bind(u32),
    /// A definition.
    Symbol(SymbolIdx),
    /// `global`, `nonlocal`.
    Outer,
}

/// One binding of a name in a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub scope: SymbolIdx,
    pub name: Name,
    pub line: u32,
    pub what: What,
    pub end_line: u32,
}

/// All bindings of a file, sorted by scope, name, line.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    entries: Vec<Entry>,
    ranges: FxHashMap<u64, (u32, u32)>,
}

fn key(scope: SymbolIdx, name: Name) -> u64 {
    (u64::from(scope.0) << 32) | u64::from(name.0)
}

impl Scopes {
    /// `import_name` says which name an import binds, if it binds one.
    /// `titles`: tests are named by their titles, which bind nothing (JavaScript).
    pub(crate) fn build(facts: &Facts, titles: bool, mut import_name: impl FnMut(&ImportFact) -> Option<Name>) -> Self {
        let mut entries = Vec::with_capacity(facts.symbols.len() + facts.binds.len() + facts.imports.len());
        let outer: Vec<(SymbolIdx, Name)> =
            facts.binds.iter().filter(|b| b.kind == BindKind::Outer).map(|b| (b.scope, b.name)).collect();
        for (i, s) in facts.symbols.iter().enumerate() {
            let idx = SymbolIdx(i as u32);
            // A field is no name of its class's body, and Java's constructor is written with its class's name, which
            // means the class.
            let constructs = |parent| s.flags.is_constructor && facts.symbol(parent).name == s.name;
            if let Some(parent) = s.parent
                && s.owner.is_none()
                && s.kind != SymbolKind::Field
                && !constructs(parent)
                && !(titles && s.flags.is_test)
            {
                entries.push(Entry {
                    scope: parent,
                    name: s.name,
                    line: s.start_line,
                    end_line: u32::MAX,
                    what: What::Symbol(idx),
                });
            }
            for (p, param) in s.params.iter().enumerate().take(255) {
                entries.push(Entry {
                    scope: idx,
                    name: param.name,
                    line: s.start_line,
                    end_line: u32::MAX,
                    what: What::Param(p as u8),
                });
            }
        }
        for (i, b) in facts.binds.iter().enumerate() {
            let what = if b.kind == BindKind::Outer { What::Outer } else { What::Bind(i as u32) };
            let mut scope = b.scope;
            if what != What::Outer && !outer.is_empty() && outer.contains(&(b.scope, b.name)) {
                scope = outer_scope(facts, b, &entries);
            }
            entries.push(Entry { scope, name: b.name, line: b.line, end_line: b.end_line, what });
        }
        for (i, import) in facts.imports.iter().enumerate() {
            if let Some(name) = import_name(import) {
                entries.push(Entry {
                    scope: import.scope,
                    name,
                    line: import.line,
                    end_line: u32::MAX,
                    what: What::Import(i as u32),
                });
            }
        }
        entries.sort_unstable();
        let mut ranges = FxHashMap::default();
        let mut start = 0;
        while start < entries.len() {
            let (scope, name) = (entries[start].scope, entries[start].name);
            let mut end = start + 1;
            while end < entries.len() && entries[end].scope == scope && entries[end].name == name {
                end += 1;
            }
            ranges.insert(key(scope, name), (start as u32, end as u32));
            start = end;
        }
        Scopes { entries, ranges }
    }

    /// All bindings of a name in a scope, by line.
    pub(crate) fn of(&self, scope: SymbolIdx, name: Name) -> &[Entry] {
        match self.ranges.get(&key(scope, name)) {
            Some(&(s, e)) => &self.entries[s as usize..e as usize],
            None => &[],
        }
    }

    /// All bindings of the module scope, grouped by name.
    pub(crate) fn module_level(&self) -> impl Iterator<Item = &[Entry]> {
        let end = self.entries.partition_point(|e| e.scope == SymbolIdx::MODULE);
        self.entries[..end].chunk_by(|a, b| a.name == b.name)
    }
}

/// The scope that a `global` or `nonlocal` name lives in: the nearest enclosing function that binds it, else the module.
fn outer_scope(facts: &Facts, bind: &BindFact, entries: &[Entry]) -> SymbolIdx {
    let mut scope = facts.symbol(bind.scope).parent;
    while let Some(s) = scope {
        if s != SymbolIdx::MODULE
            && facts.symbol(s).kind.is_callable()
            && (entries.iter().any(|e| e.scope == s && e.name == bind.name && matches!(e.what, What::Param(_)))
                || facts.binds.iter().any(|b| b.scope == s && b.name == bind.name && b.kind != BindKind::Outer))
        {
            return s;
        }
        scope = facts.symbol(s).parent;
    }
    SymbolIdx::MODULE
}

/// The position of a use, for picking the binding that it sees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    /// Line of the use; `u32::MAX` for the end of the function.
    pub line: u32,
    /// The bind whose value is being evaluated: it and what follows it cannot be seen, if anything else can.
    pub before: Option<u32>,
}

impl At {
    pub(crate) fn line(line: u32) -> At {
        At { line, before: None }
    }

    pub(crate) const END: At = At { line: u32::MAX, before: None };
}

/// The binding that a use in the same scope sees.
pub(crate) fn visible<'e>(facts: &Facts, entries: &'e [Entry], at: At) -> Option<&'e Entry> {
    let bind = |e: &Entry| match e.what {
        What::Bind(i) => Some(&facts.binds[i as usize]),
        _ => None,
    };
    let seen = |e: &&Entry| {
        let narrow = bind(e).is_some_and(|b| b.kind == BindKind::Narrow);
        if at.line == u32::MAX {
            return !narrow;
        }
        e.end_line >= at.line && !(narrow && e.line > at.line)
    };
    if let Some(before) = at.before {
        let own = entries.iter().position(|e| e.what == What::Bind(before)).unwrap_or(entries.len());
        return entries[..own].iter().rev().find(seen);
    }
    let same_line = |e: &&Entry| {
        e.line == at.line
            && bind(e)
                .is_some_and(|b| matches!(b.kind, BindKind::For | BindKind::With | BindKind::Except | BindKind::Narrow))
    };
    entries
        .iter()
        .rev()
        .filter(seen)
        .find(same_line)
        .or_else(|| entries.iter().rev().filter(seen).find(|e| e.line < at.line || matches!(e.what, What::Param(_))))
        .or_else(|| entries.iter().rev().filter(seen).find(|e| e.line <= at.line))
        .or_else(|| entries.iter().find(seen))
}

/// The names of a file in the project's table, and back.
#[derive(Debug, Default)]
pub(crate) struct FileNames {
    pub gids: Vec<Gid>,
}

impl FileNames {
    pub(crate) fn gid(&self, name: Name) -> Gid {
        self.gids[name.0 as usize]
    }

    /// The file's own index of a name of the project's table.
    pub(crate) fn local(&self, gid: Gid) -> Option<Name> {
        self.gids.iter().position(|&g| g == gid).map(|i| Name(i as u32))
    }
}
