//! Rust's definitions.

use tree_sitter::Node;

use super::{Kind, expr, items::is_pub, kind};
use crate::extract::{Extractor, NewSymbol, SymbolDraft};
use crate::facts::*;
use crate::lang::scratch::{ImplBlock, add_value};
use crate::lang::syntax::{DocStyle, children, doc_above, field, first_child, name_of, signature};

const DOC: DocStyle = DocStyle { line: "///", block: "/**", directives: &[] };

/// What stands before an item: attributes and documentation.
#[derive(Debug, Default, Clone)]
pub(super) struct Outer {
    pub(super) decorators: Vec<ExprId>,
    pub(super) doc: String,
    pub(super) is_test: bool,
    pub(super) entry_point: bool,
    /// `#[cfg(...)]`.
    conditional: bool,
    /// `#[path = "..."]`.
    pub(super) path: Option<String>,
    start_line: u32,
    /// Attributes with text in them (messages, routes, help): words for search.
    texts: Vec<std::ops::Range<usize>>,
}

impl Outer {
    /// Takes the attributes that stand right before `node`.
    pub(super) fn take(cx: &mut Extractor<'_>, node: Node<'_>) -> Outer {
        let mut outer = Outer { start_line: cx.line(node), ..Outer::default() };
        let mut attributes = std::mem::take(&mut cx.scratch.attributes);
        let source = cx.source();
        let mut start = node.start_byte();
        let mut docs = vec![doc_before(source, start)];
        while let Some(attribute) = attributes.pop() {
            if attribute.end > start || !only_comments(&source[attribute.end..start]) {
                break;
            }
            start = attribute.start;
            outer.start_line = attribute.line;
            outer.is_test |= attribute.is_test;
            outer.entry_point |= attribute.entry_point;
            outer.decorators.push(attribute.expr);
            docs.push(doc_before(source, start));
            let text = &source[attribute.start..attribute.end];
            if text.contains('"') {
                outer.texts.push(attribute.start..attribute.end);
            }
            outer.conditional |= text.starts_with("#[cfg(");
            if let Some(value) = text.strip_prefix("#[path") {
                outer.path = value.split('"').nth(1).map(str::to_owned);
            }
        }
        outer.decorators.reverse();
        docs.retain(|d| !d.is_empty());
        docs.reverse();
        outer.doc = docs.join("\n");
        outer
    }

    /// Defines an item whose first line is that of its first attribute.
    pub(super) fn define(self, cx: &mut Extractor<'_>, node: Node<'_>, new: NewSymbol<'_>, scope: bool) -> SymbolIdx {
        let parent = cx.current();
        let end_line = cx.end_line(node);
        let symbol = cx.define_at(parent, self.start_line, end_line, new);
        for range in self.texts {
            let text = &cx.source()[range];
            for literal in text.split('"').skip(1).step_by(2) {
                cx.words(symbol, crate::terms::Field::Literal, literal);
            }
        }
        if scope {
            cx.reenter(node, symbol);
        }
        symbol
    }
}

fn doc_before(source: &str, start: usize) -> String {
    let line_start = source[..start].rfind('\n').map_or(0, |i| i + 1);
    if source[line_start..start].trim().is_empty() { doc_above(source, start, DOC) } else { String::new() }
}

fn only_comments(text: &str) -> bool {
    text.lines().map(str::trim).all(|l| l.is_empty() || l.starts_with("//"))
}

fn draft(cx: &mut Extractor<'_>, node: Node<'_>, kind: SymbolKind, end: usize, outer: &Outer) -> SymbolDraft {
    SymbolDraft {
        kind: Some(kind),
        signature: signature(cx, node.start_byte(), end),
        doc: outer.doc.clone(),
        flags: SymbolFlags {
            exported: is_pub(node),
            is_test: outer.is_test,
            conditional: outer.conditional,
            ..SymbolFlags::default()
        },
        decorators: outer.decorators.clone(),
        type_params: type_params(cx, node),
        ..SymbolDraft::default()
    }
}

fn type_params(cx: &mut Extractor<'_>, node: Node<'_>) -> Vec<(Name, Option<ExprId>)> {
    let mut out: Vec<(Name, Option<ExprId>)> = Vec::new();
    for param in field(node, "type_parameters").map(children).unwrap_or_default() {
        if let Some(name) = field(param, "name").filter(|_| matches!(kind(param), Kind::TypeParameter | Kind::ConstParameter)) {
            cx.scratch.take(name);
            let bound = field(param, "bounds").and_then(|b| expr::bound(cx, b));
            out.push((name_of(cx, name), bound));
        }
    }
    if out.is_empty() {
        return out;
    }
    let Some(clause) = children(node).into_iter().find(|c| c.kind() == "where_clause") else { return out };
    for predicate in children(clause) {
        let (Some(left), Some(bounds)) = (field(predicate, "left"), field(predicate, "bounds")) else { continue };
        let name = name_of(cx, left);
        if let Some(param) = out.iter_mut().find(|p| p.0 == name && p.1.is_none()) {
            param.1 = expr::bound(cx, bounds);
        }
    }
    out
}

fn open(cx: &mut Extractor<'_>, symbol: SymbolIdx) {
    let s = cx.facts().symbol(symbol);
    let names: Vec<Name> = s.params.iter().map(|p| p.name).chain(s.type_params.iter().map(|p| p.0)).collect();
    for name in names {
        cx.scratch.local(symbol, name);
    }
}

/// The impl block whose methods stand directly in the current scope.
fn current_impl(cx: &mut Extractor<'_>, node: Node<'_>) -> Option<ImplBlock> {
    let scope = cx.current();
    cx.scratch.impl_block(node).filter(|b| b.scope == scope).cloned()
}

fn in_test_module(cx: &Extractor<'_>) -> bool {
    cx.enclosing().any(|s| cx.facts().symbol(s).flags.is_test)
}

pub(super) fn function(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name_node) = field(node, "name") else { return };
    cx.scratch.take(name_node);
    let name = cx.text(name_node);
    let outer = Outer::take(cx, node);
    let body = field(node, "body");
    let end = body.map_or(node.end_byte(), |b| b.start_byte());
    let block = current_impl(cx, node);
    let holder = cx.current();
    let in_trait = block.is_none() && cx.facts().symbol(holder).kind == SymbolKind::Trait;
    let what = if block.is_some() || in_trait { SymbolKind::Method } else { SymbolKind::Function };
    let mut draft = draft(cx, node, what, end, &outer);
    let mut has_self = false;
    for param in field(node, "parameters").map(children).unwrap_or_default() {
        match kind(param) {
            Kind::SelfParameter => {
                has_self = true;
                let name = cx.name("self");
                draft.params.push(ParamFact { name, ty: None, default: None, variadic: false });
            }
            Kind::Parameter => {
                let ty = field(param, "type").map(|t| expr::type_of(cx, t, 0));
                let pattern = field(param, "pattern").map(super::bind::simple_pattern);
                has_self |= pattern.is_some_and(|p| kind(p) == Kind::SelfValue);
                let name = match pattern.filter(|p| matches!(kind(*p), Kind::Identifier | Kind::SelfValue)) {
                    Some(pattern) => {
                        cx.scratch.take(pattern);
                        name_of(cx, pattern)
                    }
                    None => cx.name("_"),
                };
                draft.params.push(ParamFact { name, ty, default: None, variadic: false });
            }
            _ => {}
        }
    }
    draft.returns = field(node, "return_type").map(|t| expr::type_of(cx, t, 0));
    let modifiers = children(node).into_iter().find(|c| c.kind() == "function_modifiers");
    draft.flags.is_async = modifiers.is_some_and(|m| cx.text(m).contains("async"));
    draft.flags.is_static = what == SymbolKind::Method && !has_self;
    draft.flags.is_abstract = body.is_none();
    draft.flags.is_test |= in_test_module(cx);
    draft.flags.entry_point = outer.entry_point || (name == "main" && holder == SymbolIdx::MODULE && block.is_none());
    draft.flags.exported |= in_trait && cx.facts().symbol(holder).flags.exported;
    let mut prefix = None;
    if let Some(block) = block {
        draft.owner = Some(block.owner);
        draft.type_params.splice(0..0, block.type_params);
        draft.flags.exported |= block.of_trait;
        draft.flags.of_trait = block.of_trait;
        prefix = Some(block.prefix);
    }
    let symbol = outer.define(cx, node, NewSymbol { name, owner_prefix: prefix.as_deref(), fact: draft }, true);
    open(cx, symbol);
    super::bind::pattern_parameters(cx, node);
    if let Some(last) = body.and_then(expr::tail) {
        let value = expr::value(cx, last, 0);
        if !matches!(cx.facts().expr(value), Expr::Literal(LiteralKind::None)) {
            add_value(cx, symbol, value);
        }
    }
}

/// A struct, union or enum.
pub(super) fn nominal(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name_node) = field(node, "name") else { return };
    cx.scratch.take(name_node);
    let name = cx.text(name_node);
    let outer = Outer::take(cx, node);
    let what = if kind(node) == Kind::Enum { SymbolKind::Enum } else { SymbolKind::Struct };
    let body = field(node, "body");
    let end = body.map_or(node.end_byte(), |b| b.start_byte());
    let draft = draft(cx, node, what, end, &outer);
    let symbol = outer.define(cx, node, NewSymbol { name, owner_prefix: None, fact: draft }, true);
    open(cx, symbol);
    if let Some(body) = body.filter(|_| what == SymbolKind::Struct) {
        struct_fields(cx, symbol, body);
    }
}

fn struct_fields(cx: &mut Extractor<'_>, class: SymbolIdx, body: Node<'_>) {
    let mut index = 0u32;
    for child in children(body) {
        let (name, ty) = match kind(child) {
            Kind::Field => {
                let Some(name) = field(child, "name") else { continue };
                (name_of(cx, name), field(child, "type"))
            }
            Kind::Attribute | Kind::Visibility => continue,
            // A tuple struct's fields are named by number.
            _ => {
                let name = cx.name_owned(&index.to_string());
                index += 1;
                (name, Some(child))
            }
        };
        let ty = ty.map(|t| expr::type_of(cx, t, 0));
        let line = cx.line(child);
        cx.attr(AttrFact { class, name, scope: class, line, value: None, ty });
    }
}

pub(super) fn variant(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name_node) = field(node, "name") else { return };
    cx.scratch.take(name_node);
    let name = cx.text(name_node);
    let outer = Outer::take(cx, node);
    let holder = cx.current();
    let mut draft = draft(cx, node, SymbolKind::EnumMember, node.end_byte(), &outer);
    draft.flags.exported = cx.facts().symbol(holder).flags.exported;
    let symbol = outer.define(cx, node, NewSymbol { name, owner_prefix: None, fact: draft }, false);
    if let Some(body) = field(node, "body") {
        struct_fields(cx, symbol, body);
    }
}

pub(super) fn trait_item(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name_node) = field(node, "name") else { return };
    cx.scratch.take(name_node);
    let name = cx.text(name_node);
    let outer = Outer::take(cx, node);
    let end = field(node, "body").map_or(node.end_byte(), |b| b.start_byte());
    let mut draft = draft(cx, node, SymbolKind::Trait, end, &outer);
    draft.bases = field(node, "bounds").map(|b| expr::bound_list(cx, b)).unwrap_or_default();
    let symbol = outer.define(cx, node, NewSymbol { name, owner_prefix: None, fact: draft }, true);
    open(cx, symbol);
}

/// An impl block is no symbol: its methods belong to the type.
pub(super) fn impl_block(cx: &mut Extractor<'_>, node: Node<'_>) {
    cx.scratch.attributes.clear();
    let Some(ty) = field(node, "type") else { return };
    let scope = cx.current();
    let type_params = type_params(cx, node);
    let full = expr::type_of(cx, ty, 0);
    let owner = match cx.facts().expr(full) {
        Expr::Generic(base, _) => *base,
        _ => full,
    };
    let prefix = match cx.facts().expr(owner) {
        Expr::Name(name) | Expr::Attr(_, name) => cx.str(*name).to_owned(),
        _ => crate::extract::clip(&crate::extract::fold_space(cx.text(ty)), 60).trim_start_matches('&').to_owned(),
    };
    let line = cx.line(node);
    let base = field(node, "trait");
    if let Some(base) = base {
        let base = expr::type_of(cx, base, 0);
        cx.implement(ImplFact { scope, owner, base, line });
    }
    let end = node.end_byte();
    cx.scratch.impls.push(ImplBlock { end, owner, prefix, type_params, scope, of_trait: base.is_some() });
}

pub(super) fn type_item(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name_node) = field(node, "name") else { return };
    cx.scratch.take(name_node);
    let name = cx.text(name_node);
    let outer = Outer::take(cx, node);
    let block = current_impl(cx, node);
    let mut draft = draft(cx, node, SymbolKind::TypeAlias, node.end_byte(), &outer);
    draft.ty = field(node, "type").map(|t| expr::type_of(cx, t, 0));
    draft.flags.is_abstract = kind(node) == Kind::AssociatedType && draft.ty.is_none();
    draft.bases = field(node, "bounds").map(|b| expr::bound_list(cx, b)).unwrap_or_default();
    draft.owner = block.as_ref().map(|b| b.owner);
    let prefix = block.as_ref().map(|b| b.prefix.as_str());
    outer.define(cx, node, NewSymbol { name, owner_prefix: prefix, fact: draft }, false);
}

pub(super) fn constant(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name_node) = field(node, "name") else { return };
    cx.scratch.take(name_node);
    let name = cx.text(name_node);
    let outer = Outer::take(cx, node);
    let block = current_impl(cx, node);
    let mutable = children(node).into_iter().any(|c| c.kind() == "mutable_specifier");
    let what = if mutable { SymbolKind::Variable } else { SymbolKind::Constant };
    let mut draft = draft(cx, node, what, node.end_byte(), &outer);
    draft.ty = field(node, "type").map(|t| expr::type_of(cx, t, 0));
    if let Some(initial) = field(node, "value") {
        let value = expr::value(cx, initial, 0);
        if value != cx.unknown() {
            draft.values.push(value);
        }
    }
    draft.owner = block.as_ref().map(|b| b.owner);
    let (scope, ty) = (cx.current(), draft.ty);
    let value = draft.values.first().copied().unwrap_or(cx.unknown());
    let local = cx.facts().symbol(scope).kind.is_callable();
    let prefix = block.as_ref().map(|b| b.prefix.as_str());
    outer.define(cx, node, NewSymbol { name, owner_prefix: prefix, fact: draft }, false);
    if block.is_none() && !local {
        let (line, end_line) = (cx.line(node), cx.facts().symbol(scope).end_line);
        let name = cx.name(name);
        cx.bind(BindFact { scope, name, line, end_line, kind: BindKind::Assign, value, ty });
    }
}

pub(super) fn macro_rules(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name_node) = field(node, "name").or_else(|| first_child(node)) else { return };
    cx.scratch.take(name_node);
    let name = cx.text(name_node);
    let outer = Outer::take(cx, node);
    let mut draft = draft(cx, node, SymbolKind::Macro, name_node.end_byte(), &outer);
    let text = |e: &ExprId| matches!(cx.facts().expr(*e), Expr::Name(n) if cx.str(*n) == "macro_export");
    draft.flags.exported = draft.decorators.iter().any(text);
    outer.define(cx, node, NewSymbol { name, owner_prefix: None, fact: draft }, true);
}
