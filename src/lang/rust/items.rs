//! Rust's modules, `use` trees, attributes and inner documentation.

use tree_sitter::Node;

use super::{Kind, expr, kind};
use crate::extract::{Extractor, MAX_EXPR_DEPTH, NewSymbol, SymbolDraft};
use crate::facts::*;
use crate::lang::scratch::Attribute;
use crate::lang::syntax::{block_text, children, field, first_child, name_of, signature};

pub(super) fn is_pub(node: Node<'_>) -> bool {
    children(node).into_iter().take(2).any(|c| kind(c) == Kind::Visibility)
}

fn import(cx: &mut Extractor<'_>, line: u32, module: &str, what: ImportWhat, reexport: bool) {
    let module = cx.name_owned(module);
    let scope = cx.current();
    cx.import(ImportFact { scope, line, module, level: 0, what, reexport, type_only: false });
}

/// `mod x;` is a file; `mod x { ... }` a namespace in this one.
pub(super) fn module(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name_node) = field(node, "name") else { return };
    cx.scratch.take(name_node);
    let name = cx.text(name_node);
    let outer = super::define::Outer::take(cx, node);
    if let Some(body) = field(node, "body") {
        let flags = SymbolFlags {
            exported: is_pub(node),
            is_test: outer.is_test,
            ..SymbolFlags::default()
        };
        let fact = SymbolDraft {
            kind: Some(SymbolKind::Namespace),
            signature: signature(cx, node.start_byte(), body.start_byte()),
            doc: outer.doc.clone(),
            flags,
            decorators: outer.decorators.clone(),
            ..SymbolDraft::default()
        };
        outer.define(cx, node, NewSymbol { name, owner_prefix: None, fact }, true);
        return;
    }
    let path = outer.path.clone();
    let name_id = cx.name(name);
    let line = cx.line(node);
    let reexport = is_pub(node);
    import(cx, line, path.as_deref().unwrap_or(name), ImportWhat::ChildModule { name: name_id }, reexport);
}

pub(super) fn extern_crate(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name) = field(node, "name") else { return };
    let module = cx.text(name);
    let alias = field(node, "alias").map(|a| name_of(cx, a));
    let line = cx.line(node);
    import(cx, line, module, ImportWhat::Module { alias }, is_pub(node));
}

pub(super) fn use_declaration(cx: &mut Extractor<'_>, node: Node<'_>) {
    if let Some(argument) = field(node, "argument") {
        let reexport = is_pub(node);
        use_tree(cx, argument, "", reexport, 0);
    }
}

/// A path's text without white space and raw marks.
fn path_text(cx: &Extractor<'_>, node: Node<'_>) -> String {
    cx.text(node).split_whitespace().collect::<String>().trim_start_matches("::").to_owned()
}

fn join(prefix: &str, rest: &str) -> String {
    match (prefix.is_empty(), rest.is_empty()) {
        (true, _) => rest.to_owned(),
        (false, true) => prefix.to_owned(),
        (false, false) => format!("{prefix}::{rest}"),
    }
}

fn use_tree(cx: &mut Extractor<'_>, node: Node<'_>, prefix: &str, reexport: bool, depth: u32) {
    if depth > MAX_EXPR_DEPTH {
        return;
    }
    match kind(node) {
        Kind::UseList => {
            for child in children(node) {
                use_tree(cx, child, prefix, reexport, depth + 1);
            }
        }
        Kind::ScopedUseList => {
            let path = field(node, "path").map(|p| path_text(cx, p)).unwrap_or_default();
            let prefix = join(prefix, &path);
            if let Some(list) = field(node, "list") {
                use_tree(cx, list, &prefix, reexport, depth + 1);
            }
        }
        Kind::UseWildcard => {
            let path = first_child(node).map(|p| path_text(cx, p)).unwrap_or_default();
            let line = cx.line(node);
            import(cx, line, &join(prefix, &path), ImportWhat::Star, reexport);
        }
        Kind::UseAs => {
            let (Some(path), Some(alias)) = (field(node, "path"), field(node, "alias")) else { return };
            let (full, alias) = (join(prefix, &path_text(cx, path)), cx.text(alias));
            leaf(cx, cx.line(node), &full, Some(alias), reexport);
        }
        _ => {
            let full = join(prefix, &path_text(cx, node));
            leaf(cx, cx.line(node), &full, None, reexport);
        }
    }
}

fn leaf(cx: &mut Extractor<'_>, line: u32, full: &str, alias: Option<&str>, reexport: bool) {
    // `a::b::{self}` takes `b` of `a`.
    let full = full.strip_suffix("::self").unwrap_or(full);
    match full.rsplit_once("::") {
        Some((module, item)) => {
            let alias = cx.name_owned(alias.unwrap_or(item));
            let item = cx.name_owned(item);
            import(cx, line, module, ImportWhat::Item { item, alias }, reexport);
        }
        None => {
            let alias = alias.map(|a| cx.name_owned(a));
            import(cx, line, full, ImportWhat::Module { alias }, reexport);
        }
    }
}

/// Keeps an attribute for the item that follows.
pub(super) fn attribute(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(inner) = first_child(node) else { return };
    let Some(path) = first_child(inner) else { return };
    let text = path_text(cx, path);
    let last = text.rsplit("::").next().unwrap_or(&text);
    let arguments = field(inner, "arguments").map_or("", |a| cx.text(a));
    let is_test = matches!(last, "test" | "rstest" | "test_case" | "quickcheck" | "proptest" | "bench" | "wasm_bindgen_test")
        || (last == "cfg" && arguments.contains("test") && !arguments.contains("not("));
    let entry_point = matches!(
        last,
        "main" | "no_mangle" | "get" | "post" | "put" | "delete" | "patch" | "head" | "route" | "wasm_bindgen"
            | "panic_handler" | "proc_macro" | "proc_macro_derive" | "proc_macro_attribute"
    );
    let name = expr::path(cx, path, 0);
    let args = if last == "derive" { derived(cx, arguments) } else { Vec::new() };
    let expr = if args.is_empty() { name } else { cx.expr(Expr::Call(name, args.into())) };
    let line = cx.line(node);
    let (start, end) = (node.start_byte(), node.end_byte());
    cx.scratch.attributes.push(Attribute { expr, start, end, line, is_test, entry_point });
}

fn derived(cx: &mut Extractor<'_>, arguments: &str) -> Vec<ExprId> {
    let mut out = Vec::new();
    for item in arguments.trim_matches(['(', ')']).split(',').map(str::trim).filter(|i| !i.is_empty()) {
        let mut expr = None;
        for part in item.split("::").map(str::trim).filter(|p| !p.is_empty()) {
            let name = cx.name_owned(part);
            expr = Some(match expr {
                None => cx.expr(Expr::Name(name)),
                Some(base) => cx.expr(Expr::Attr(base, name)),
            });
        }
        out.extend(expr);
    }
    out
}

/// `//!` and `/*! */` document what they stand in.
pub(super) fn inner_doc(cx: &mut Extractor<'_>, node: Node<'_>) {
    let text = cx.text(node);
    let doc = if let Some(line) = text.strip_prefix("//!") {
        line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()
    } else if text.starts_with("/*!") {
        block_text(&text.replacen("/*!", "/*", 1))
    } else {
        return;
    };
    let symbol = cx.current();
    let known = cx.facts().symbol(symbol).doc.to_string();
    if known.len() >= 1000 {
        return;
    }
    let whole = if known.is_empty() { doc.clone() } else { format!("{known}\n{doc}") };
    let clipped = crate::extract::clip(whole.trim_start(), 1000).to_owned();
    cx.words(symbol, crate::terms::Field::Doc, &doc);
    cx.symbol_mut(symbol).doc = clipped.into();
}
