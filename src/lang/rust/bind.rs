//! Rust's patterns and the names that they bind.

use tree_sitter::Node;

use super::{Kind, expr, kind, open_block};
use crate::extract::{Extractor, MAX_EXPR_DEPTH};
use crate::facts::*;
use crate::lang::scratch::{bind_local, bind_range};
use crate::lang::syntax::{children, field, first_child, name_of};

/// A pattern without `mut`, `ref` and `&`.
pub(super) fn simple_pattern(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    for _ in 0..8 {
        if kind(node) != Kind::TransparentPattern {
            break;
        }
        match children(node).into_iter().find(|c| c.kind() != "mutable_specifier") {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// Where a pattern's names can be seen.
#[derive(Clone, Copy)]
struct Range {
    line: u32,
    end_line: u32,
    kind: BindKind,
}

/// Binds all names of a pattern that is matched against `value` (of type `ty`).
fn bind_pattern(
    cx: &mut Extractor<'_>,
    pattern: Node<'_>,
    value: ExprId,
    ty: Option<ExprId>,
    range: Range,
    depth: u32,
) {
    if depth > MAX_EXPR_DEPTH {
        return;
    }
    let unknown = cx.unknown();
    let pattern = simple_pattern(pattern);
    match kind(pattern) {
        Kind::Identifier | Kind::ShorthandField => {
            let text = cx.text(pattern);
            // A capital letter names a constant or a variant, not a variable.
            if text == "_" || text.starts_with(char::is_uppercase) {
                return;
            }
            cx.scratch.take(pattern);
            let name = cx.name(text);
            bind_range(cx, name, range.line, range.end_line, range.kind, value, ty);
        }
        Kind::TupleStructPattern => {
            let parts = children(pattern);
            let head = parts.first().map_or("", |h| cx.text(*h));
            let unwraps = matches!(head.rsplit("::").next(), Some("Some" | "Ok")) && parts.len() == 2;
            // What `Some` and `Ok` hold is what `?` would give.
            let inner = if unwraps && value != unknown { cx.expr(Expr::Await(value)) } else { unknown };
            for part in parts.into_iter().skip(1) {
                bind_pattern(cx, part, inner, None, range, depth + 1);
            }
        }
        Kind::StructPattern => {
            let Some(name) = field(pattern, "type") else { return };
            let ty = expr::type_of(cx, name, 0);
            let owner = cx.expr(Expr::New(ty));
            for part in children(pattern) {
                if kind(part) != Kind::FieldPattern {
                    continue;
                }
                let Some(field_name) = field(part, "name") else { continue };
                let name = name_of(cx, field_name);
                let read = cx.expr(Expr::Attr(owner, name));
                let target = field(part, "pattern").unwrap_or(field_name);
                bind_pattern(cx, target, read, None, range, depth + 1);
            }
        }
        Kind::TuplePattern => {
            let parts = children(pattern);
            let values: Vec<ExprId> = match cx.facts().expr(value) {
                Expr::Container(LiteralKind::Tuple, values) if values.len() == parts.len() => values.to_vec(),
                _ if pattern.kind() == "or_pattern" => vec![value; parts.len()],
                _ => vec![unknown; parts.len()],
            };
            let types: Vec<ExprId> = match ty.map(|t| cx.facts().expr(t)) {
                Some(Expr::Generic(_, types)) if types.len() == parts.len() => types.to_vec(),
                _ => Vec::new(),
            };
            for (i, part) in parts.into_iter().enumerate() {
                bind_pattern(cx, part, values[i], types.get(i).copied(), range, depth + 1);
            }
        }
        Kind::CapturedPattern => {
            for part in children(pattern) {
                bind_pattern(cx, part, value, ty, range, depth + 1);
            }
        }
        _ => {}
    }
}

pub(super) fn let_declaration(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(pattern) = field(node, "pattern") else { return };
    let ty = field(node, "type").map(|t| expr::type_of(cx, t, 0));
    let value = field(node, "value").map_or(cx.unknown(), |v| expr::value(cx, v, 0));
    if let Some(initial) = field(node, "value") {
        super::pass(cx, initial);
    }
    let simple = simple_pattern(pattern);
    if kind(simple) == Kind::Identifier {
        let text = cx.text(simple);
        cx.scratch.take(simple);
        if text != "_" {
            let name = cx.name(text);
            bind_local(cx, node, name, BindKind::Assign, value, ty);
        }
        return;
    }
    let scope = cx.current();
    let end_line = cx.scratch.block_end(node).unwrap_or(cx.facts().symbol(scope).end_line);
    let line = cx.end_line(node).min(end_line);
    bind_pattern(cx, pattern, value, ty, Range { line, end_line, kind: BindKind::Assign }, 0);
}

/// `if let`, `while let`: the names can be seen to the end of the statement.
pub(super) fn let_condition(cx: &mut Extractor<'_>, node: Node<'_>) {
    let (Some(pattern), Some(value)) = (field(node, "pattern"), field(node, "value")) else { return };
    let value = expr::value(cx, value, 0);
    let scope = cx.current();
    let end_line = cx.scratch.block_end(node).unwrap_or(cx.facts().symbol(scope).end_line);
    let line = cx.line(node);
    bind_pattern(cx, pattern, value, None, Range { line, end_line, kind: BindKind::Assign }, 0);
}

pub(super) fn match_expression(cx: &mut Extractor<'_>, node: Node<'_>) {
    let (Some(value), Some(body)) = (field(node, "value"), field(node, "body")) else { return };
    let value = expr::value(cx, value, 0);
    for arm in children(body) {
        let Some(pattern) = field(arm, "pattern").and_then(first_child) else { continue };
        let (line, end_line) = (cx.line(arm), cx.end_line(arm));
        bind_pattern(cx, pattern, value, None, Range { line, end_line, kind: BindKind::Assign }, 0);
    }
}

pub(super) fn for_loop(cx: &mut Extractor<'_>, node: Node<'_>) {
    open_block(cx, node);
    let (Some(pattern), Some(value)) = (field(node, "pattern"), field(node, "value")) else { return };
    let over = expr::value(cx, value, 0);
    let element = cx.expr(Expr::Element(over));
    let (line, end_line) = (cx.line(node), cx.end_line(node));
    bind_pattern(cx, pattern, element, None, Range { line, end_line, kind: BindKind::For }, 0);
}

pub(super) fn closure(cx: &mut Extractor<'_>, node: Node<'_>) {
    open_block(cx, node);
    cx.scratch.open_lambda(node);
    let (line, end_line) = (cx.line(node), cx.end_line(node));
    let range = Range { line, end_line, kind: BindKind::Assign };
    let unknown = cx.unknown();
    for param in field(node, "parameters").map(children).unwrap_or_default() {
        let (pattern, ty) = match kind(param) {
            Kind::Parameter => (field(param, "pattern").unwrap_or(param), field(param, "type")),
            _ => (param, None),
        };
        let ty = ty.map(|t| expr::type_of(cx, t, 0));
        bind_pattern(cx, pattern, unknown, ty, range, 0);
    }
}

/// Names in parameters that are patterns (`(a, b): (A, B)`), once the function's scope is open.
pub(super) fn pattern_parameters(cx: &mut Extractor<'_>, node: Node<'_>) {
    let (line, end_line) = (cx.line(node), cx.end_line(node));
    let unknown = cx.unknown();
    for param in field(node, "parameters").map(children).unwrap_or_default() {
        let Some(pattern) = field(param, "pattern") else { continue };
        let simple = simple_pattern(pattern);
        if matches!(kind(simple), Kind::Identifier | Kind::SelfValue) {
            continue;
        }
        let ty = field(param, "type").map(|t| expr::type_of(cx, t, 0));
        bind_pattern(cx, pattern, unknown, ty, Range { line, end_line, kind: BindKind::Assign }, 0);
    }
}
