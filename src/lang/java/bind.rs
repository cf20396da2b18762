//! Java's local variables.

use tree_sitter::Node;

use super::{Kind, expr, kind, open_block, pass};
use crate::extract::Extractor;
use crate::facts::*;
use crate::lang::scratch::{bind_local, bind_range};
use crate::lang::syntax::{children, field, fields, first_child, name_of};

/// A declared type; `None` for `var`. `int[] x` and `int x[]` are the same.
pub(super) fn declared(cx: &mut Extractor<'_>, ty: Option<Node<'_>>, dimensions: bool) -> Option<ExprId> {
    let ty = ty?;
    if kind(ty) == Kind::TypeIdentifier && cx.text(ty) == "var" {
        return None;
    }
    let ty = expr::type_of(cx, ty, 0);
    if !dimensions {
        return Some(ty);
    }
    let list = cx.expr(Expr::Literal(LiteralKind::List));
    Some(cx.expr(Expr::Generic(list, [ty].into())))
}

pub(super) fn local(cx: &mut Extractor<'_>, node: Node<'_>) {
    let ty = field(node, "type");
    for declarator in fields(node, "declarator") {
        let Some(name) = field(declarator, "name") else { continue };
        cx.scratch.take(name);
        let name = name_of(cx, name);
        let ty = declared(cx, ty, field(declarator, "dimensions").is_some());
        let value = field(declarator, "value").map_or(cx.unknown(), |v| expr::value(cx, v, 0));
        bind_local(cx, node, name, BindKind::Assign, value, ty);
    }
}

pub(super) fn enhanced_for(cx: &mut Extractor<'_>, node: Node<'_>) {
    open_block(cx, node);
    let (Some(name), Some(over)) = (field(node, "name"), field(node, "value")) else { return };
    cx.scratch.take(name);
    let name = name_of(cx, name);
    let ty = declared(cx, field(node, "type"), field(node, "dimensions").is_some());
    let over = expr::value(cx, over, 0);
    let element = cx.expr(Expr::Element(over));
    bind_range(cx, name, cx.line(node), cx.end_line(node), BindKind::For, element, ty);
}

pub(super) fn resource(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name) = field(node, "name") else { return };
    cx.scratch.take(name);
    let name = name_of(cx, name);
    let ty = declared(cx, field(node, "type"), false);
    let value = field(node, "value").map_or(cx.unknown(), |v| expr::value(cx, v, 0));
    // A resource is what its expression gives; closing it changes nothing of that.
    bind_local(cx, node, name, BindKind::Assign, value, ty);
}

pub(super) fn catch(cx: &mut Extractor<'_>, node: Node<'_>) {
    open_block(cx, node);
    let Some(parameter) = first_child(node) else { return };
    let Some(name) = field(parameter, "name") else { return };
    cx.scratch.take(name);
    let name = name_of(cx, name);
    let ty = children(parameter).into_iter().find(|c| kind(*c) == Kind::CatchType);
    let ty = ty.map(|t| expr::type_of(cx, t, 0));
    let unknown = cx.unknown();
    bind_range(cx, name, cx.line(node), cx.end_line(node), BindKind::Except, unknown, ty);
}

/// `x instanceof T` tells x's type for the statement; `x instanceof T t` names it for the rest of the block.
pub(super) fn instance_of(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(ty) = field(node, "right") else { return };
    let ty = expr::type_of(cx, ty, 0);
    let unknown = cx.unknown();
    if let Some(left) = field(node, "left").filter(|l| kind(*l) == Kind::Identifier) {
        let name = name_of(cx, left);
        if crate::lang::scratch::is_local(cx, name) {
            bind_local(cx, node, name, BindKind::Narrow, unknown, Some(ty));
        }
    }
    if let Some(name) = field(node, "name") {
        cx.scratch.take(name);
        let name = name_of(cx, name);
        let scope = cx.current();
        let (line, end_line) = (cx.line(node), cx.facts().symbol(scope).end_line);
        bind_range(cx, name, line, end_line, BindKind::Narrow, unknown, Some(ty));
    }
}

/// `case T t ->`, and the components of a record pattern.
pub(super) fn type_pattern(cx: &mut Extractor<'_>, node: Node<'_>) {
    let parts = children(node);
    let [ty, name] = parts[..] else { return };
    if kind(name) != Kind::Identifier {
        return;
    }
    cx.scratch.take(name);
    let ty = declared(cx, Some(ty), false);
    let name = name_of(cx, name);
    let unknown = cx.unknown();
    bind_local(cx, node, name, BindKind::Narrow, unknown, ty);
}

pub(super) fn lambda(cx: &mut Extractor<'_>, node: Node<'_>) {
    open_block(cx, node);
    cx.scratch.open_lambda(node);
    let Some(parameters) = field(node, "parameters") else { return };
    let (line, end_line) = (cx.line(node), cx.end_line(node));
    let names = if kind(parameters) == Kind::Identifier { vec![parameters] } else { children(parameters) };
    let unknown = cx.unknown();
    for parameter in names {
        let (name, ty) = match kind(parameter) {
            Kind::Identifier => (Some(parameter), None),
            _ => (field(parameter, "name"), field(parameter, "type")),
        };
        let Some(name) = name else { continue };
        cx.scratch.take(name);
        let name = name_of(cx, name);
        let ty = declared(cx, ty, false);
        bind_range(cx, name, line, end_line, BindKind::Assign, unknown, ty);
    }
    if let Some(body) = field(node, "body") {
        pass(cx, body);
    }
}
