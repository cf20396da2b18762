//! Facts as lines of text, so that a test states what it expects the way one reads it.

use portolan::extract::extract;
use portolan::facts::*;
use portolan::lang::by_name;

/// Extracts a source in a language.
pub fn facts_of(language: &str, source: &str) -> Facts {
    let lang = by_name(language).expect("a known language");
    extract(lang, lang.extensions()[0], source).facts
}

/// An expression in a compact notation.
pub fn expr_text(f: &Facts, id: ExprId) -> String {
    let list = |items: &[ExprId]| items.iter().map(|i| expr_text(f, *i)).collect::<Vec<_>>().join(", ");
    match f.expr(id) {
        Expr::Unknown => "?".into(),
        Expr::Name(n) => f.name(*n).into(),
        Expr::Attr(base, n) => format!("{}.{}", expr_text(f, *base), f.name(*n)),
        Expr::Call(callee, args) => format!("{}({})", expr_text(f, *callee), list(args)),
        Expr::New(ty) => format!("new {}", expr_text(f, *ty)),
        Expr::Index(base) => format!("{}[]", expr_text(f, *base)),
        Expr::Element(base) => format!("each {}", expr_text(f, *base)),
        Expr::Item(base, i) => format!("part {i} of {}", expr_text(f, *base)),
        Expr::Entered(base) => format!("enter {}", expr_text(f, *base)),
        Expr::Await(base) => format!("await {}", expr_text(f, *base)),
        Expr::SelfRef => "self!".into(),
        Expr::SelfType => "Self!".into(),
        Expr::Super => "super!".into(),
        Expr::Literal(kind) => format!("{kind:?}"),
        Expr::Container(kind, items) => format!("{kind:?}{{{}}}", list(items)),
        Expr::Generic(base, args) => format!("{}<{}>", expr_text(f, *base), list(args)),
        Expr::Union(items) => items.iter().map(|i| expr_text(f, *i)).collect::<Vec<_>>().join(" | "),
        Expr::Function(idx) => format!("fn {}", f.name(f.symbol(*idx).qualname)),
        Expr::TypeOf(base) => format!("typeof {}", expr_text(f, *base)),
        Expr::Module(n) => format!("module {}", f.name(*n)),
    }
}

fn id(f: &Facts, idx: SymbolIdx) -> String {
    f.symbol_id("", idx).trim_start_matches("::").to_owned()
}

fn flags_text(flags: SymbolFlags) -> String {
    let words = [
        (flags.exported, "exported"),
        (flags.is_static, "static"),
        (flags.is_abstract, "abstract"),
        (flags.is_async, "async"),
        (flags.is_test, "test"),
        // Every test is one.
        (flags.entry_point && !flags.is_test, "entry"),
        (flags.is_constructor, "constructor"),
    ];
    words.iter().filter(|w| w.0).map(|w| format!(" {}", w.1)).collect()
}

/// One line a symbol: `10-12 method T.m(a: X, b)[T: Bound] -> R : Base owner=O @dec exported`.
pub fn symbols(f: &Facts) -> Vec<String> {
    f.symbols
        .iter()
        .enumerate()
        .skip(1)
        // Fields are what the attributes say.
        .filter(|(_, s)| s.kind != SymbolKind::Field)
        .map(|(i, s)| {
            let mut out = format!("{}-{} {} {}", s.start_line, s.end_line, s.kind.as_str(), id(f, SymbolIdx(i as u32)));
            let typed = |name: Name, ty: Option<ExprId>| match ty {
                Some(ty) => format!("{}: {}", f.name(name), expr_text(f, ty)),
                None => f.name(name).to_owned(),
            };
            if s.kind.is_callable() || !s.params.is_empty() {
                let params: Vec<String> = s
                    .params
                    .iter()
                    .map(|p| format!("{}{}", if p.variadic { "*" } else { "" }, typed(p.name, p.ty)))
                    .collect();
                out += &format!("({})", params.join(", "));
            }
            if !s.type_params.is_empty() {
                let params: Vec<String> = s.type_params.iter().map(|p| typed(p.0, p.1)).collect();
                out += &format!("[{}]", params.join(", "));
            }
            for (word, ty) in [(" -> ", s.returns), (" is ", s.ty), (" owner=", s.owner)] {
                if let Some(ty) = ty {
                    out += &format!("{word}{}", expr_text(f, ty));
                }
            }
            for base in &s.bases {
                out += &format!(" <{}", expr_text(f, *base));
            }
            for decorator in &s.decorators {
                out += &format!(" @{}", expr_text(f, *decorator));
            }
            out + &flags_text(s.flags)
        })
        .collect()
}

/// One line a call: `caller 7: callee/args`, `new` before constructions.
pub fn calls(f: &Facts) -> Vec<String> {
    f.calls
        .iter()
        .map(|c| {
            let new = if c.construct { "new " } else { "" };
            format!("{} {}: {new}{}/{}", id(f, c.caller), c.line, expr_text(f, c.callee), c.args)
        })
        .collect()
}

/// One line a binding: `scope 3-9 For x = value : type`.
pub fn binds(f: &Facts) -> Vec<String> {
    f.binds
        .iter()
        .map(|b| {
            let ty = b.ty.map(|t| format!(" : {}", expr_text(f, t))).unwrap_or_default();
            let value = expr_text(f, b.value);
            format!("{} {}-{} {:?} {} = {value}{ty}", id(f, b.scope), b.line, b.end_line, b.kind, f.name(b.name))
        })
        .collect()
}

/// One line an attribute: `Class.name = value : type in scope`.
pub fn attrs(f: &Facts) -> Vec<String> {
    f.attrs
        .iter()
        .map(|a| {
            let value = a.value.map(|v| format!(" = {}", expr_text(f, v))).unwrap_or_default();
            let ty = a.ty.map(|t| format!(" : {}", expr_text(f, t))).unwrap_or_default();
            let scope = if a.scope == a.class { String::new() } else { format!(" in {}", id(f, a.scope)) };
            format!("{} {}.{}{value}{ty}{scope}", a.line, id(f, a.class), f.name(a.name))
        })
        .collect()
}

/// One line a mention: `from 4 Read x.y`.
pub fn refs(f: &Facts) -> Vec<String> {
    f.refs.iter().map(|r| format!("{} {} {:?} {}", id(f, r.from), r.line, r.access, expr_text(f, r.expr))).collect()
}

/// One line an import: `2 module take Item as Alias`.
pub fn imports(f: &Facts) -> Vec<String> {
    f.imports
        .iter()
        .map(|i| {
            let what = match i.what {
                ImportWhat::Module { alias: None } => "module".into(),
                ImportWhat::Module { alias: Some(a) } => format!("module as {}", f.name(a)),
                ImportWhat::Item { item, alias } if item == alias => format!("item {}", f.name(item)),
                ImportWhat::Item { item, alias } => format!("item {} as {}", f.name(item), f.name(alias)),
                ImportWhat::Star => "star".into(),
                ImportWhat::Default { alias } => format!("default as {}", f.name(alias)),
                ImportWhat::Effect => "effect".into(),
                ImportWhat::ChildModule { name } => format!("child {}", f.name(name)),
            };
            let reexport = if i.reexport { " reexport" } else { "" };
            format!("{} {} {what}{reexport}", i.line, f.name(i.module))
        })
        .collect()
}

/// Everything of a file, for a look at it.
#[allow(dead_code)]
pub fn everything(f: &Facts) -> String {
    let impls: Vec<String> =
        f.impls.iter().map(|i| format!("{} {} < {}", i.line, expr_text(f, i.owner), expr_text(f, i.base))).collect();
    let mut out = format!("package {:?} errors {}\n", f.package.map(|p| f.name(p)), f.syntax_errors);
    for (title, lines) in [
        ("imports", imports(f)),
        ("symbols", symbols(f)),
        ("impls", impls),
        ("calls", calls(f)),
        ("binds", binds(f)),
        ("attrs", attrs(f)),
        ("refs", refs(f)),
    ] {
        out += &format!("== {title}\n{}\n", lines.join("\n"));
    }
    out
}
