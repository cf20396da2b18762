//! Facts as short strings, for comparison.

use std::fmt::Write as _;

use portolan::extract::extract;
use portolan::facts::*;
use portolan::lang;

/// The facts of a Python source.
pub(super) fn facts(source: &str) -> Facts {
    extract(lang::by_name("python").unwrap(), "py", source).facts
}

/// An expression in a short notation.
pub(super) fn show(f: &Facts, id: ExprId) -> String {
    let list = |ids: &[ExprId]| ids.iter().map(|&i| show(f, i)).collect::<Vec<_>>().join(", ");
    match f.expr(id) {
        Expr::Unknown => "?".into(),
        Expr::Name(n) => f.name(*n).into(),
        Expr::Attr(of, n) => format!("{}.{}", show(f, *of), f.name(*n)),
        Expr::Call(of, args) => format!("{}({})", show(f, *of), list(args)),
        Expr::New(of) => format!("new {}", show(f, *of)),
        Expr::Index(of) => format!("{}[]", show(f, *of)),
        Expr::Element(of) => format!("each({})", show(f, *of)),
        Expr::Item(of, i) => format!("part {i} of {}", show(f, *of)),
        Expr::Entered(of) => format!("entered({})", show(f, *of)),
        Expr::Await(of) => format!("await {}", show(f, *of)),
        Expr::SelfRef => "SELF".into(),
        Expr::SelfType => "CLS".into(),
        Expr::Super => "SUPER".into(),
        Expr::Literal(kind) => format!("<{kind:?}>"),
        Expr::Container(kind, parts) => format!("{kind:?}<{}>", list(parts)),
        Expr::Generic(of, args) => format!("{}[{}]", show(f, *of), list(args)),
        Expr::Union(parts) => format!("({})", parts.iter().map(|&i| show(f, i)).collect::<Vec<_>>().join(" | ")),
        Expr::Function(s) => format!("fn {}", s.0),
        Expr::TypeOf(of) => format!("type({})", show(f, *of)),
        Expr::Module(n) => format!("module {}", f.name(*n)),
    }
}

pub(super) fn qual(f: &Facts, symbol: SymbolIdx) -> String {
    f.symbol_id("", symbol).trim_start_matches("::").to_owned()
}

/// `caller: callee @line/args` of each call.
pub(super) fn calls(f: &Facts) -> Vec<String> {
    f.calls.iter().map(|c| format!("{}: {} @{}/{}", qual(f, c.caller), show(f, c.callee), c.line, c.args)).collect()
}

/// `from access expr @line` of each mention.
pub(super) fn refs(f: &Facts) -> Vec<String> {
    f.refs
        .iter()
        .map(|r| format!("{} {:?} {} @{}", qual(f, r.from), r.access, show(f, r.expr), r.line).to_lowercase())
        .collect()
}

pub(super) fn binds(f: &Facts) -> Vec<String> {
    f.binds
        .iter()
        .map(|b| {
            let ty = b.ty.map_or(String::new(), |t| format!(": {}", show(f, t)));
            let value = show(f, b.value);
            format!("{} {:?} {}{ty} = {value} @{}-{}", qual(f, b.scope), b.kind, f.name(b.name), b.line, b.end_line)
        })
        .collect()
}

pub(super) fn attrs(f: &Facts) -> Vec<String> {
    f.attrs
        .iter()
        .map(|a| {
            let ty = a.ty.map_or(String::new(), |t| format!(": {}", show(f, t)));
            let value = a.value.map_or(String::new(), |v| format!(" = {}", show(f, v)));
            format!("{}.{}{ty}{value} in {} @{}", qual(f, a.class), f.name(a.name), qual(f, a.scope), a.line)
        })
        .collect()
}

pub(super) fn imports(f: &Facts) -> Vec<String> {
    f.imports
        .iter()
        .map(|i| {
            let mut out = format!("{} {}{}", qual(f, i.scope), ".".repeat(i.level.into()), f.name(i.module));
            match &i.what {
                ImportWhat::Module { alias } => {
                    let _ = write!(out, " as {}", alias.map_or("-", |a| f.name(a)));
                }
                ImportWhat::Item { item, alias } => {
                    let _ = write!(out, " : {} as {}", f.name(*item), f.name(*alias));
                }
                ImportWhat::Star => out.push_str(" : *"),
                other => {
                    let _ = write!(out, " {other:?}");
                }
            }
            if i.type_only {
                out.push_str(" (types)");
            }
            out
        })
        .collect()
}

/// `qual kind lines flags` of each symbol but the module.
pub(super) fn symbols(f: &Facts) -> Vec<String> {
    (1..f.symbols.len() as u32)
        // Fields are what the attributes say.
        .filter(|i| f.symbol(SymbolIdx(*i)).kind != SymbolKind::Field)
        .map(|i| {
            let s = f.symbol(SymbolIdx(i));
            let mut out = format!("{} {} {}-{}", qual(f, SymbolIdx(i)), s.kind.as_str(), s.start_line, s.end_line);
            let flags = [
                (s.flags.is_static, "static"),
                (s.flags.is_classmethod, "classmethod"),
                (s.flags.is_abstract, "abstract"),
                (s.flags.is_async, "async"),
                (!s.flags.exported, "hidden"),
                (s.flags.is_test, "test"),
                // Every test is one.
                (s.flags.entry_point && !s.flags.is_test, "entry"),
                (s.flags.is_constructor, "constructor"),
                (s.flags.is_generator, "generator"),
                (s.flags.is_fixture, "fixture"),
            ];
            for (_, flag) in flags.iter().filter(|(on, _)| *on) {
                let _ = write!(out, " {flag}");
            }
            out
        })
        .collect()
}

pub(super) fn symbol<'f>(f: &'f Facts, qualname: &str) -> &'f SymbolFact {
    f.symbols.iter().find(|s| f.name(s.qualname) == qualname).unwrap_or_else(|| panic!("no {qualname}"))
}

#[track_caller]
pub(super) fn same(found: Vec<String>, wanted: &[&str]) {
    assert_eq!(found, wanted, "\n{found:#?}");
}
