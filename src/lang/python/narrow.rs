//! Where a name is known to be of a class: `isinstance`, `issubclass`, class patterns.

use tree_sitter::Node;

use super::bind::scope_end;
use super::kinds::{K, child, inside_parens, kind, named};
use super::lower::{callee_name, lower};
use super::types::{self, Mentions};
use crate::extract::Extractor;
use crate::facts::*;

/// Conjuncts of one condition that are looked at.
const MAX_CONJUNCTS: usize = 16;

/// `if isinstance(x, C):` narrows x in its body; `if not isinstance(x, C): return` narrows it from there on.
pub(super) fn condition(node: Node<'_>, cx: &mut Extractor<'_>) {
    let (Some(test), Some(body)) = (child(node, |f| f.condition), child(node, |f| f.consequence)) else { return };
    let test = inside_parens(test);
    if kind(test) == K::Not {
        let leaves = || {
            let last = body.named_child((body.named_child_count() as u32).checked_sub(1)?)?;
            matches!(kind(last), K::Return | K::Raise | K::Continue | K::Break).then_some(())
        };
        if kind(node) == K::If && leaves().is_some()
            && let Some(inner) = test.named_child(0)
        {
            narrow(inner, (cx.end_line(body) + 1, scope_end(cx)), cx);
        }
        return;
    }
    narrow(test, (cx.line(body), cx.end_line(body)), cx);
}

/// `isinstance(x, C) and x.y`: x is a C on the lines of the whole.
pub(super) fn narrow_left(node: Node<'_>, left: Node<'_>, cx: &mut Extractor<'_>) {
    if child(node, |f| f.operator).is_some_and(|op| op.end_byte() - op.start_byte() == 3) {
        let lines = (cx.line(node), cx.end_line(node));
        narrow_one(left, lines, cx);
    }
}

/// Narrows the names of all `isinstance` conjuncts of a condition on some lines.
pub(super) fn narrow(test: Node<'_>, lines: (u32, u32), cx: &mut Extractor<'_>) {
    let mut at = inside_parens(test);
    for _ in 0..MAX_CONJUNCTS {
        if kind(at) != K::Boolean {
            break;
        }
        if child(at, |f| f.operator).is_none_or(|op| op.end_byte() - op.start_byte() != 3) {
            return;
        }
        if let Some(right) = child(at, |f| f.right) {
            narrow_one(inside_parens(right), lines, cx);
        }
        match child(at, |f| f.left) {
            Some(left) => at = inside_parens(left),
            None => return,
        }
    }
    narrow_one(at, lines, cx);
}

fn narrow_one(test: Node<'_>, lines: (u32, u32), cx: &mut Extractor<'_>) {
    if kind(test) != K::Call || lines.0 > lines.1 {
        return;
    }
    let Some(function) = child(test, |f| f.function) else { return };
    if !matches!(callee_name(function, cx), "isinstance" | "issubclass") || kind(function) != K::Identifier {
        return;
    }
    let mut args = child(test, |f| f.arguments).into_iter().flat_map(named);
    let (Some(subject), Some(class)) = (args.next(), args.next()) else { return };
    if kind(subject) != K::Identifier {
        return;
    }
    let subclass = callee_name(function, cx) == "issubclass";
    let mut ty = lower_classes(class, cx);
    if subclass {
        ty = cx.expr(Expr::TypeOf(ty));
    }
    narrow_to(subject, ty, lines, cx);
}

fn lower_classes(node: Node<'_>, cx: &mut Extractor<'_>) -> ExprId {
    let node = inside_parens(node);
    if kind(node) != K::Tuple {
        return lower(node, cx);
    }
    let parts: Box<[ExprId]> = named(node).take(8).map(|n| lower(n, cx)).collect();
    cx.expr(Expr::Union(parts))
}

fn narrow_to(subject: Node<'_>, ty: ExprId, (line, end_line): (u32, u32), cx: &mut Extractor<'_>) {
    let scope = cx.current();
    let name = cx.name(cx.text(subject));
    let value = cx.unknown();
    cx.bind(BindFact { scope, name, line, end_line, kind: BindKind::Narrow, value, ty: Some(ty) });
}

/// `match x: case C(...)`: x is a C in that clause.
pub(super) fn match_statement(node: Node<'_>, cx: &mut Extractor<'_>) {
    let subject = child(node, |f| f.subject).filter(|s| kind(*s) == K::Identifier);
    for case in child(node, |f| f.body).into_iter().flat_map(named).filter(|c| kind(*c) == K::Case) {
        let pattern = named(case).next().filter(|p| kind(*p) == K::CasePattern).and_then(|p| p.named_child(0));
        // `case C(...) as y`
        let captured = pattern.filter(|p| kind(*p) == K::AsPattern);
        let capture = captured.and_then(|p| named(p).find(|n| kind(*n) == K::Identifier));
        let pattern = match captured {
            Some(p) => p.named_child(0).filter(|c| kind(*c) == K::CasePattern).and_then(|c| c.named_child(0)),
            None => pattern,
        };
        let class = pattern.filter(|p| kind(*p) == K::ClassPattern).and_then(|p| p.named_child(0));
        let Some(class) = class else { continue };
        let mut mentions = Mentions::new();
        let ty = types::dotted(cx.text(class), cx.line(class), cx, &mut mentions);
        for (expr, line) in mentions {
            cx.reference(expr, line, Access::Type);
        }
        let lines = (cx.line(case), cx.end_line(case));
        if let Some(subject) = subject {
            narrow_to(subject, ty, lines, cx);
        }
        if let Some(capture) = capture {
            cx.mark_handled(capture);
            narrow_to(capture, ty, lines, cx);
        }
    }
}

