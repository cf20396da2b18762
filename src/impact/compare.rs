//! Which definitions a change touches, and what it does to each: both sides are parsed, so that a comment or a line
//! break is told from a body, a body from a signature, and a rename from a removal.

use std::collections::HashMap;

use rayon::prelude::*;
use serde::Serialize;

use super::changes::{Changes, FileChange, Status};
use super::print::Print;
use crate::extract::extract;
use crate::facts::{Expr, ExprId, Facts, SymbolFact, SymbolIdx, SymbolKind};
use crate::scan::language_of;

/// What was done to a definition; ordered from what reaches furthest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It is gone.
    Removed,
    /// It has another name, or stands in another file.
    Renamed,
    /// Parameters, types, bases, decorators.
    Signature,
    /// A constant's value or a parameter's default.
    Value,
    /// What it does.
    Body,
    /// It is new.
    Added,
}

impl ChangeKind {
    /// In words.
    pub fn as_str(self) -> &'static str {
        match self {
            ChangeKind::Removed => "removed",
            ChangeKind::Renamed => "renamed",
            ChangeKind::Signature => "signature",
            ChangeKind::Value => "value",
            ChangeKind::Body => "body",
            ChangeKind::Added => "added",
        }
    }
}

/// One changed definition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SymbolChange {
    /// Its id now; of a removed one the id that it had.
    pub id: String,
    /// Its file.
    pub file: String,
    /// Dotted name within the file.
    pub qualname: String,
    /// `function`, `class`, ...
    pub kind: &'static str,
    /// What was done to it.
    pub change: ChangeKind,
    /// First line, after the change where it is still there.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Lines of its own that were added or taken away.
    pub changed_lines: u32,
    /// The id that it had, where that was another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// A test, or code in a file of tests.
    pub is_test: bool,
}

/// One changed file after the comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// Its path now.
    pub path: String,
    /// Its path before, where that was another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// What happened to it.
    pub status: Status,
    /// A file that is parsed, so that its definitions are known.
    pub parsed: bool,
    /// Binary at either side.
    pub binary: bool,
    /// Holds tests.
    pub is_test: bool,
    /// Lines added.
    pub added: u32,
    /// Lines taken away.
    pub removed: u32,
    /// Changed definitions in the order of the text.
    pub symbols: Vec<SymbolChange>,
    /// Import statements differ.
    pub imports_changed: bool,
    /// Parsed, changed, and yet only comments, docs, layout or nothing.
    pub cosmetic: bool,
    /// Stretches of the new text that differ (first and last line, 1-based); of a deleted file none.
    pub lines: Vec<(u32, u32)>,
}

/// Compares both sides of every file.
pub fn compare(changes: &Changes) -> Vec<Compared> {
    let mut files: Vec<Compared> = changes.files.par_iter().map(one).collect();
    find_moves(changes, &mut files);
    files
}

struct Parsed {
    facts: Facts,
    print: Print,
}

fn parse(path: &str, text: Option<&str>) -> Option<Parsed> {
    let text = text?;
    let language = language_of(path, text)?;
    let extension = crate::scan::extension(path).unwrap_or_default();
    let facts = extract(language, &extension, text).facts;
    let print = Print::of(language, &extension, text, &facts);
    Some(Parsed { facts, print })
}

fn one(file: &FileChange) -> Compared {
    let old_path = file.was.as_deref().unwrap_or(&file.path);
    let (old, new) = (parse(old_path, file.old.text()), parse(&file.path, file.new.text()));
    let (stretches, old_lines) = differing(file.old.text().unwrap_or(""), file.new.text().unwrap_or(""));
    let count = |lines: &[(u32, u32)]| lines.iter().map(|(a, b)| b - a + 1).sum();
    let is_test = crate::scan::holds_tests(&file.path);
    let mut out = Compared {
        path: file.path.clone(),
        was: file.was.clone(),
        status: file.status,
        parsed: old.is_some() || new.is_some(),
        binary: file.old == super::Side::Binary || file.new == super::Side::Binary,
        is_test,
        added: count(&stretches),
        removed: count(&old_lines),
        symbols: Vec::new(),
        imports_changed: false,
        cosmetic: false,
        lines: stretches,
    };
    if !out.parsed {
        return out;
    }
    let empty = Facts::default();
    let (old_facts, new_facts) = (old.as_ref().map_or(&empty, |p| &p.facts), new.as_ref().map_or(&empty, |p| &p.facts));
    let olds = by_key(old_facts);
    let news = by_key(new_facts);
    let mut unmatched = Vec::new();
    for (at, symbol) in new_facts.symbols.iter().enumerate() {
        let found = olds.get(&key(new_facts, symbol)).copied();
        let (Some(found), Some(old), Some(new)) = (found, &old, &new) else {
            unmatched.push(at);
            continue;
        };
        let before = &old.facts.symbols[found];
        let change = changed((&old.facts, before), (&new.facts, symbol), || {
            old.print.own(SymbolIdx(found as u32)) != new.print.own(SymbolIdx(at as u32))
        });
        if let Some(change) = change {
            out.symbols.push(change_of(&file.path, new_facts, symbol, change, is_test));
        }
    }
    let mut gone: Vec<usize> = (0..old_facts.symbols.len())
        .filter(|at| !news.contains_key(&key(old_facts, &old_facts.symbols[*at])))
        .collect();
    for at in unmatched {
        let symbol = &new_facts.symbols[at];
        let twin = match (&old, &new) {
            (Some(old), Some(new)) => twin(old, &gone, new, symbol),
            _ => None,
        };
        // Whoever is new as a whole is told once, not with each member.
        let parent_is_new = symbol.parent.filter(|p| *p != SymbolIdx::MODULE).is_some_and(|p| {
            let parent = new_facts.symbol(p);
            !olds.contains_key(&key(new_facts, parent)) && parent.kind.is_callable()
        });
        if let Some(twin) = twin {
            gone.retain(|g| *g != twin);
            let mut change = change_of(&file.path, new_facts, symbol, ChangeKind::Renamed, is_test);
            change.was = Some(id_of(old_path, old_facts, &old_facts.symbols[twin]));
            out.symbols.push(change);
        } else if !parent_is_new && symbol.kind != SymbolKind::Module {
            out.symbols.push(change_of(&file.path, new_facts, symbol, ChangeKind::Added, is_test));
        }
    }
    for at in gone {
        let symbol = &old_facts.symbols[at];
        if symbol.kind != SymbolKind::Module && !inside_function(old_facts, symbol) {
            out.symbols.push(change_of(old_path, old_facts, symbol, ChangeKind::Removed, is_test));
        }
    }
    if let (Some(old), Some(new)) = (&old, &new) {
        out.imports_changed = old.print.imports != new.print.imports;
    }
    for change in &mut out.symbols {
        let lines = if change.change == ChangeKind::Removed { &old_lines } else { &out.lines };
        change.changed_lines = overlap(lines, (change.start_line, change.end_line));
    }
    out.symbols.sort_by_key(|s| (s.change == ChangeKind::Removed, s.start_line));
    out.cosmetic = out.symbols.is_empty() && !out.imports_changed && file.status != Status::Deleted;
    out
}

fn change_of(path: &str, facts: &Facts, symbol: &SymbolFact, change: ChangeKind, is_test: bool) -> SymbolChange {
    SymbolChange {
        id: id_of(path, facts, symbol),
        file: path.to_owned(),
        qualname: facts.name(symbol.qualname).to_owned(),
        kind: symbol.kind.as_str(),
        change,
        start_line: symbol.start_line,
        end_line: symbol.end_line,
        changed_lines: 0,
        was: None,
        is_test: is_test || symbol.flags.is_test,
    }
}

fn id_of(path: &str, facts: &Facts, symbol: &SymbolFact) -> String {
    let name = facts.name(symbol.qualname);
    if symbol.ordinal > 1 { format!("{path}::{name}#{}", symbol.ordinal) } else { format!("{path}::{name}") }
}

fn key<'f>(facts: &'f Facts, symbol: &SymbolFact) -> (&'f str, u32) {
    (facts.name(symbol.qualname), symbol.ordinal)
}

fn by_key(facts: &Facts) -> HashMap<(&str, u32), usize> {
    facts.symbols.iter().enumerate().map(|(at, s)| (key(facts, s), at)).collect()
}

/// What a function holds is part of its body.
fn inside_function(facts: &Facts, symbol: &SymbolFact) -> bool {
    symbol.parent.is_some_and(|p| facts.symbol(p).kind.is_callable())
}

/// What was done to a definition that both sides have.
fn changed(
    (old_facts, old): (&Facts, &SymbolFact),
    (new_facts, new): (&Facts, &SymbolFact),
    differs: impl FnOnce() -> bool,
) -> Option<ChangeKind> {
    if !differs() {
        return None;
    }
    if head(old_facts, old) != head(new_facts, new) {
        return Some(ChangeKind::Signature);
    }
    Some(match new.kind {
        SymbolKind::Constant | SymbolKind::Variable | SymbolKind::EnumMember => ChangeKind::Value,
        SymbolKind::TypeAlias | SymbolKind::Interface | SymbolKind::Trait | SymbolKind::Struct => ChangeKind::Signature,
        _ if old.signature != new.signature && new.params.iter().any(|p| p.default.is_some()) => ChangeKind::Value,
        // Languages whose declarations are more than names and types of parameters.
        _ if old.signature != new.signature && new.kind.is_callable() => ChangeKind::Signature,
        _ => ChangeKind::Body,
    })
}

/// All that a caller relies on, but for defaults.
fn head(facts: &Facts, symbol: &SymbolFact) -> String {
    let mut out =
        format!("{:?} {:?} ", symbol.kind, (symbol.flags.is_async, symbol.flags.is_static, symbol.flags.exported));
    for param in &symbol.params {
        out.push_str(facts.name(param.name));
        out.push(if param.variadic { '*' } else { ' ' });
        out.push(if param.default.is_some() { '=' } else { ' ' });
        param.ty.iter().for_each(|ty| write_expr(facts, *ty, 8, &mut out));
        out.push(',');
    }
    for list in [&symbol.bases, &symbol.decorators] {
        out.push('|');
        list.iter().for_each(|e| write_expr(facts, *e, 8, &mut out));
    }
    symbol.returns.iter().chain(&symbol.ty).for_each(|e| write_expr(facts, *e, 8, &mut out));
    out
}

fn write_expr(facts: &Facts, expr: ExprId, depth: u8, out: &mut String) {
    let mut list = |name: &str, of: &[ExprId]| {
        out.push_str(name);
        out.push('(');
        if depth > 0 {
            of.iter().for_each(|e| {
                write_expr(facts, *e, depth - 1, out);
                out.push(' ');
            });
        }
        out.push(')');
    };
    match facts.expr(expr) {
        Expr::Name(name) | Expr::Module(name) => out.push_str(facts.name(*name)),
        Expr::Attr(base, name) => {
            list("", &[*base]);
            out.push('.');
            out.push_str(facts.name(*name));
        }
        Expr::Call(f, args) => {
            list("call", &[*f]);
            let args = args.to_vec();
            let mut inner = String::new();
            args.iter().for_each(|a| write_expr(facts, *a, depth.saturating_sub(1), &mut inner));
            out.push_str(&inner);
        }
        Expr::Generic(base, args) => {
            let mut all = vec![*base];
            all.extend(args.iter());
            list("generic", &all);
        }
        Expr::Union(parts) | Expr::Container(_, parts) => list("of", parts),
        Expr::New(e) | Expr::Index(e) | Expr::Element(e) | Expr::Entered(e) | Expr::Await(e) | Expr::TypeOf(e) => {
            list("in", &[*e]);
        }
        Expr::Item(e, at) => list(&format!("item{at}"), &[*e]),
        Expr::Literal(kind) => out.push_str(&format!("{kind:?}")),
        other => out.push_str(match other {
            Expr::SelfRef => "self",
            Expr::SelfType => "Self",
            Expr::Super => "super",
            _ => "?",
        }),
    }
}

/// Shorter definitions are too alike to say that one became another.
const TWIN_LEAVES: usize = 12;

/// The definition that this one was before it got its name.
fn twin(old: &Parsed, gone: &[usize], new: &Parsed, symbol: &SymbolFact) -> Option<usize> {
    let (print, leaves) = new.print.nameless((symbol.start_line, symbol.end_line), new.facts.name(symbol.name));
    let like = |at: &&usize| {
        let before = &old.facts.symbols[**at];
        before.kind == symbol.kind
            && old.print.nameless((before.start_line, before.end_line), old.facts.name(before.name)).0 == print
    };
    let mut twins = gone.iter().filter(like);
    let first = twins.next().copied();
    (leaves >= TWIN_LEAVES && twins.next().is_none()).then_some(first).flatten()
}

/// A definition that left one file and is in another under the same name moved.
fn find_moves(changes: &Changes, files: &mut [Compared]) {
    let mut added: HashMap<(String, &'static str), Vec<(usize, usize)>> = HashMap::new();
    for (f, file) in files.iter().enumerate() {
        for (s, symbol) in file.symbols.iter().enumerate().filter(|(_, s)| s.change == ChangeKind::Added) {
            added.entry((symbol.qualname.clone(), symbol.kind)).or_default().push((f, s));
        }
    }
    if added.is_empty() {
        return;
    }
    let text_of = |file: usize, new: bool, lines: (u32, u32)| -> String {
        let side = if new { &changes.files[file].new } else { &changes.files[file].old };
        let lines = side.text().unwrap_or("").lines().skip(lines.0 as usize - 1).take((lines.1 - lines.0 + 1) as usize);
        lines.flat_map(str::split_whitespace).collect()
    };
    let mut moved = Vec::new();
    for (f, file) in files.iter().enumerate() {
        for (s, symbol) in file.symbols.iter().enumerate().filter(|(_, s)| s.change == ChangeKind::Removed) {
            let Some(places) = added.get(&(symbol.qualname.clone(), symbol.kind)) else { continue };
            let [(to, at)] = places[..] else { continue };
            let there = &files[to].symbols[at];
            if to != f
                && text_of(f, false, (symbol.start_line, symbol.end_line))
                    == text_of(to, true, (there.start_line, there.end_line))
            {
                moved.push(((f, s), (to, at)));
            }
        }
    }
    let mut gone: Vec<(usize, usize)> = Vec::new();
    for ((f, s), (to, at)) in moved {
        let id = files[f].symbols[s].id.clone();
        let there = &mut files[to].symbols[at];
        there.change = ChangeKind::Renamed;
        there.was = Some(id);
        gone.push((f, s));
    }
    gone.sort_unstable_by(|a, b| b.cmp(a));
    for (f, s) in gone {
        files[f].symbols.remove(s);
    }
}

/// First and last line of each.
type Stretches = Vec<(u32, u32)>;

/// Stretches of the new and of the old text that the other one has not.
fn differing(old: &str, new: &str) -> (Stretches, Stretches) {
    let mut options = git2::DiffOptions::new();
    options.context_lines(0);
    let Ok(patch) = git2::Patch::from_buffers(old.as_bytes(), None, new.as_bytes(), None, Some(&mut options)) else {
        return (Vec::new(), Vec::new());
    };
    let (mut news, mut olds) = (Vec::new(), Vec::new());
    for hunk in 0..patch.num_hunks() {
        let Ok((hunk, _)) = patch.hunk(hunk) else { continue };
        if hunk.new_lines() > 0 {
            news.push((hunk.new_start(), hunk.new_start() + hunk.new_lines() - 1));
        }
        if hunk.old_lines() > 0 {
            olds.push((hunk.old_start(), hunk.old_start() + hunk.old_lines() - 1));
        }
    }
    (news, olds)
}

fn overlap(lines: &[(u32, u32)], with: (u32, u32)) -> u32 {
    let common = |(a, b): &(u32, u32)| (with.1.min(*b) + 1).saturating_sub(with.0.max(*a));
    lines.iter().map(common).sum()
}
