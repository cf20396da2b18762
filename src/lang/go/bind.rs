//! Go's variables: what they are bound to, and writes to what is no variable of the function.

use tree_sitter::Node;

use super::{Kind, expr, kind, open_block};
use crate::extract::Extractor;
use crate::facts::*;
use crate::lang::scratch::{bind_local, bind_range, is_local};
use crate::lang::syntax::{children, field, fields, first_child, name_of};

pub(super) fn write(cx: &mut Extractor<'_>, target: Node<'_>) {
    let mut target = target;
    for _ in 0..16 {
        let next = match kind(target) {
            Kind::Parenthesized => first_child(target),
            Kind::Unary | Kind::Index => field(target, "operand"),
            _ => None,
        };
        match next {
            Some(next) => target = next,
            None => break,
        }
    }
    match kind(target) {
        Kind::Identifier => {
            let text = cx.text(target);
            cx.scratch.take(target);
            let name = cx.name(text);
            if text == "_" || is_local(cx, name) {
                return;
            }
        }
        Kind::Selector => cx.scratch.take(target),
        _ => return,
    }
    let line = cx.line(target);
    let expr = expr::value(cx, target, 0);
    cx.reference(expr, line, Access::Write);
}

pub(super) fn assign(cx: &mut Extractor<'_>, node: Node<'_>, declares: bool) {
    let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) else { return };
    let (targets, values) = (children(left), children(right));
    let matched = targets.len() == values.len();
    for (i, target) in targets.into_iter().enumerate() {
        // `x, err := f()`: the first name gets the call's first result, of the others nothing is known.
        let source = if matched || i == 0 { values.get(i).copied() } else { None };
        if kind(target) == Kind::Identifier {
            let text = cx.text(target);
            if text == "_" {
                cx.scratch.take(target);
                continue;
            }
            let name = cx.name(text);
            if declares || is_local(cx, name) {
                cx.scratch.take(target);
                let value = source.map_or(cx.unknown(), |v| expr::value(cx, v, 0));
                bind_local(cx, node, name, BindKind::Assign, value, None);
                continue;
            }
        }
        write(cx, target);
    }
}

fn bind_targets(cx: &mut Extractor<'_>, node: Node<'_>, values: &[ExprId], bind: BindKind) {
    let Some(left) = field(node, "left") else { return };
    for (i, target) in children(left).into_iter().enumerate() {
        if kind(target) != Kind::Identifier {
            write(cx, target);
            continue;
        }
        cx.scratch.take(target);
        let name = name_of(cx, target);
        if cx.str(name) != "_" {
            let value = values.get(i).copied().unwrap_or(cx.unknown());
            bind_local(cx, node, name, bind, value, None);
        }
    }
}

pub(super) fn range(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(right) = field(node, "right") else { return };
    let over = expr::value(cx, right, 0);
    let element = cx.expr(Expr::Element(over));
    let unknown = cx.unknown();
    bind_targets(cx, node, &[unknown, element], BindKind::For);
}

pub(super) fn receive(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(right) = field(node, "right") else { return };
    let value = expr::value(cx, right, 0);
    bind_targets(cx, node, &[value], BindKind::Assign);
}

pub(super) fn type_switch(cx: &mut Extractor<'_>, node: Node<'_>) {
    open_block(cx, node);
    let alias = field(node, "alias").and_then(first_child);
    let subject = match alias {
        Some(alias) => {
            cx.scratch.take(alias);
            name_of(cx, alias)
        }
        None => match field(node, "value") {
            Some(value) if kind(value) == Kind::Identifier => name_of(cx, value),
            _ => return,
        },
    };
    if alias.is_some() {
        let value = field(node, "value").map_or(cx.unknown(), |v| expr::value(cx, v, 0));
        let (line, end_line) = (cx.line(node), cx.end_line(node));
        bind_range(cx, subject, line, end_line, BindKind::Assign, value, None);
    }
    for case in children(node) {
        if kind(case) != Kind::TypeCase {
            continue;
        }
        if let [ty] = fields(case, "type")[..] {
            let ty = expr::type_of(cx, ty, 0);
            let (line, end_line) = (cx.line(case), cx.end_line(case));
            let unknown = cx.unknown();
            bind_range(cx, subject, line, end_line, BindKind::Narrow, unknown, Some(ty));
        }
    }
}
