//! Rust's expressions and types.

use tree_sitter::Node;

use super::{Kind, kind};
use crate::extract::{Extractor, MAX_EXPR_DEPTH};
use crate::facts::*;
use crate::lang::syntax::{children, field, first_child, first_children, name_of};

/// A value as far as resolving needs it. References and dereferences are transparent.
pub(super) fn value(cx: &mut Extractor<'_>, node: Node<'_>, depth: u32) -> ExprId {
    if depth > MAX_EXPR_DEPTH {
        return cx.unknown();
    }
    if let Some(known) = cx.scratch.lowered(node) {
        return known;
    }
    let unknown = cx.unknown();
    let inner = |cx: &mut Extractor<'_>, child: Option<Node<'_>>| child.map_or(unknown, |c| value(cx, c, depth + 1));
    let expr = match kind(node) {
        Kind::Identifier | Kind::TypeIdentifier | Kind::ShorthandField => match cx.text(node) {
            "Self" => Expr::SelfType,
            text => Expr::Name(cx.name(text)),
        },
        Kind::SelfValue => Expr::SelfRef,
        Kind::Scoped => return path(cx, node, depth),
        Kind::GenericFunction => return inner(cx, field(node, "function")),
        Kind::FieldExpr => {
            let (Some(base), Some(name)) = (field(node, "value"), field(node, "field")) else { return unknown };
            let base = value(cx, base, depth + 1);
            let name = name_of(cx, name);
            Expr::Attr(base, name)
        }
        Kind::Call => {
            let Some(function) = field(node, "function") else { return unknown };
            let target = value(cx, function, depth + 1);
            let mut args = Vec::new();
            for arg in field(node, "arguments").map(|a| first_children(a, 4)).unwrap_or_default() {
                args.push(value(cx, arg, depth + 1));
            }
            while args.last() == Some(&unknown) {
                args.pop();
            }
            Expr::Call(target, args.into())
        }
        Kind::Await => {
            let base = inner(cx, first_child(node));
            Expr::Await(base)
        }
        Kind::Transparent => return inner(cx, first_child(node)),
        Kind::Reference => return inner(cx, field(node, "value")),
        Kind::Unary => match cx.text(node).as_bytes().first() {
            Some(b'*') => return inner(cx, first_child(node)),
            Some(b'!') => Expr::Literal(LiteralKind::Bool),
            _ => Expr::Literal(LiteralKind::Number),
        },
        Kind::Binary => binary(cx, node),
        Kind::StructExpr => match field(node, "name") {
            Some(name) => {
                let ty = type_of(cx, name, depth + 1);
                Expr::New(ty)
            }
            None => return unknown,
        },
        Kind::IndexExpr => {
            let base = inner(cx, first_child(node));
            Expr::Index(base)
        }
        Kind::Cast => match field(node, "type") {
            Some(ty) => {
                let ty = type_of(cx, ty, depth + 1);
                match cx.facts().expr(ty) {
                    Expr::Literal(literal) => Expr::Literal(*literal),
                    _ => Expr::New(ty),
                }
            }
            None => return unknown,
        },
        Kind::MacroCall => macro_value(cx, node),
        Kind::BlockExpr => match tail(node) {
            Some(last) => return value(cx, last, depth + 1),
            None => return unknown,
        },
        Kind::If => {
            let otherwise = field(node, "alternative").and_then(first_child);
            let parts: Vec<Node<'_>> = field(node, "consequence").into_iter().chain(otherwise).collect();
            return union(cx, &parts, depth);
        }
        Kind::Match => {
            let arms = field(node, "body").map(|b| first_children(b, 8)).unwrap_or_default();
            let parts: Vec<Node<'_>> = arms.into_iter().filter_map(|a| field(a, "value")).collect();
            return union(cx, &parts, depth);
        }
        Kind::Closure => Expr::Literal(LiteralKind::Function),
        Kind::StringLiteral => Expr::Literal(LiteralKind::Str),
        Kind::NumberLiteral => Expr::Literal(LiteralKind::Number),
        Kind::BoolLiteral => Expr::Literal(LiteralKind::Bool),
        Kind::Unit => Expr::Literal(LiteralKind::None),
        Kind::Tuple | Kind::Array => {
            let parts: Vec<ExprId> =
                first_children(node, 8).into_iter().map(|c| value(cx, c, depth + 1)).collect();
            let literal = if kind(node) == Kind::Tuple { LiteralKind::Tuple } else { LiteralKind::List };
            Expr::Container(literal, parts.into())
        }
        _ => return unknown,
    };
    let id = cx.expr(expr);
    cx.scratch.keep_lowered(node, id, depth);
    id
}

/// The expression that a block ends with.
pub(super) fn tail(block: Node<'_>) -> Option<Node<'_>> {
    let block = if kind(block) == Kind::BlockExpr && block.kind() != "block" { first_child(block)? } else { block };
    let mut index = block.named_child_count();
    while index > 0 {
        index -= 1;
        let last = block.named_child(index as u32)?;
        if last.is_extra() {
            continue;
        }
        return match kind(last) {
            Kind::Statement => {
                // `match x {}` and `if` at the end of a block are written without semicolon and are values all the same.
                let inner = first_child(last)?;
                let closed = last.end_byte() == inner.end_byte();
                closed.then_some(inner)
            }
            Kind::Let | Kind::Function | Kind::Use | Kind::Struct | Kind::Const | Kind::Label => None,
            _ => Some(last),
        };
    }
    None
}

fn union(cx: &mut Extractor<'_>, parts: &[Node<'_>], depth: u32) -> ExprId {
    let mut known: Vec<ExprId> = Vec::new();
    for part in parts {
        let part = value(cx, *part, depth + 1);
        if part != cx.unknown() && !known.contains(&part) {
            known.push(part);
        }
    }
    match known[..] {
        [] => cx.unknown(),
        [only] => only,
        _ => cx.expr(Expr::Union(known.into())),
    }
}

fn binary(cx: &mut Extractor<'_>, node: Node<'_>) -> Expr {
    let operator = field(node, "operator").map_or("", |o| cx.text(o));
    if matches!(operator, "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||") {
        return Expr::Literal(LiteralKind::Bool);
    }
    match field(node, "right").map(kind) {
        Some(Kind::NumberLiteral) => Expr::Literal(LiteralKind::Number),
        _ => Expr::Unknown,
    }
}

fn macro_value(cx: &mut Extractor<'_>, node: Node<'_>) -> Expr {
    let Some(name) = field(node, "macro") else { return Expr::Unknown };
    match cx.text(name) {
        "format" | "concat" | "stringify" | "include_str" | "env" => Expr::Literal(LiteralKind::Str),
        "vec" => Expr::Container(LiteralKind::List, [].into()),
        "matches" | "cfg" => Expr::Literal(LiteralKind::Bool),
        _ => Expr::Unknown,
    }
}

/// `a::b::c` in value or type position, type arguments dropped.
pub(super) fn path(cx: &mut Extractor<'_>, node: Node<'_>, depth: u32) -> ExprId {
    if depth > MAX_EXPR_DEPTH {
        return cx.unknown();
    }
    if let Some(known) = cx.scratch.lowered(node) {
        return known;
    }
    let expr = match kind(node) {
        Kind::Scoped | Kind::ScopedType => {
            let Some(name) = field(node, "name") else { return cx.unknown() };
            let name = name_of(cx, name);
            match field(node, "path") {
                Some(base) => {
                    let base = path(cx, base, depth + 1);
                    Expr::Attr(base, name)
                }
                // `::name` starts at the crates.
                None => Expr::Name(name),
            }
        }
        Kind::GenericType => match field(node, "type") {
            Some(ty) => return path(cx, ty, depth + 1),
            None => return cx.unknown(),
        },
        Kind::Bracketed => match first_child(node) {
            Some(inner) => return type_of(cx, inner, depth + 1),
            None => return cx.unknown(),
        },
        // A segment `self`, `super` or `crate` is a module.
        Kind::SelfValue | Kind::SuperPath | Kind::CratePath => Expr::Name(name_of(cx, node)),
        Kind::Identifier | Kind::TypeIdentifier | Kind::Metavariable | Kind::Primitive => match cx.text(node) {
            "Self" => Expr::SelfType,
            text => Expr::Name(cx.name(text)),
        },
        _ => return type_of(cx, node, depth + 1),
    };
    let id = cx.expr(expr);
    // `self` means another thing in a value.
    if kind(node) != Kind::SelfValue {
        cx.scratch.keep_lowered(node, id, depth);
    }
    id
}

/// A type; references, `dyn` and `impl` are transparent.
pub(super) fn type_of(cx: &mut Extractor<'_>, node: Node<'_>, depth: u32) -> ExprId {
    if depth > MAX_EXPR_DEPTH {
        return cx.unknown();
    }
    if let Some(known) = cx.scratch.lowered(node) {
        return known;
    }
    let unknown = cx.unknown();
    let inner = |cx: &mut Extractor<'_>, child: Option<Node<'_>>| child.map_or(unknown, |c| type_of(cx, c, depth + 1));
    let expr = match kind(node) {
        Kind::TypeIdentifier | Kind::Identifier => match cx.text(node) {
            "Self" => Expr::SelfType,
            "String" => Expr::Literal(LiteralKind::Str),
            text => Expr::Name(cx.name(text)),
        },
        Kind::Primitive => match cx.text(node) {
            "str" => Expr::Literal(LiteralKind::Str),
            "bool" => Expr::Literal(LiteralKind::Bool),
            _ => Expr::Literal(LiteralKind::Number),
        },
        Kind::Scoped | Kind::ScopedType => return path(cx, node, depth),
        Kind::ReferenceType | Kind::PointerType => return inner(cx, field(node, "type")),
        Kind::QualifiedType => return inner(cx, field(node, "type")),
        Kind::AbstractType | Kind::DynamicType => return inner(cx, field(node, "trait")),
        Kind::HigherRanked => return inner(cx, field(node, "type")),
        Kind::BoundedType | Kind::Bracketed | Kind::RemovedBound => {
            // `dyn Trait + Send + 'a`: the first is the one that matters.
            let first = children(node).into_iter().find(|c| kind(*c) != Kind::Lifetime);
            return inner(cx, first);
        }
        Kind::GenericType => {
            let Some(ty) = field(node, "type") else { return unknown };
            let base = path(cx, ty, depth + 1);
            let args = field(node, "type_arguments").map(|a| type_arguments(cx, a, depth)).unwrap_or_default();
            if args.is_empty() {
                return base;
            }
            Expr::Generic(base, args.into())
        }
        Kind::TupleType => {
            let parts: Vec<ExprId> =
                first_children(node, 8).into_iter().map(|c| type_of(cx, c, depth + 1)).collect();
            let base = cx.expr(Expr::Literal(LiteralKind::Tuple));
            Expr::Generic(base, parts.into())
        }
        Kind::ArrayType => {
            let element = inner(cx, field(node, "element"));
            let base = cx.expr(Expr::Literal(LiteralKind::List));
            Expr::Generic(base, [element].into())
        }
        Kind::FunctionType => {
            let result = inner(cx, field(node, "return_type"));
            let base = cx.expr(Expr::Literal(LiteralKind::Function));
            Expr::Generic(base, [result].into())
        }
        Kind::UnitType => Expr::Literal(LiteralKind::None),
        _ => return unknown,
    };
    let id = cx.expr(expr);
    cx.scratch.keep_lowered(node, id, depth);
    id
}

fn type_arguments(cx: &mut Extractor<'_>, node: Node<'_>, depth: u32) -> Vec<ExprId> {
    let mut out = Vec::new();
    for arg in first_children(node, 8) {
        match kind(arg) {
            Kind::Lifetime => {}
            // `Iterator<Item = T>`: what is iterated counts as an argument.
            Kind::TypeBinding => {
                if let Some(ty) = field(arg, "type") {
                    out.push(type_of(cx, ty, depth + 1));
                }
            }
            _ => out.push(type_of(cx, arg, depth + 1)),
        }
    }
    out
}

/// The first trait of `A + B + 'a`, as a bound.
pub(super) fn bound(cx: &mut Extractor<'_>, bounds: Node<'_>) -> Option<ExprId> {
    bound_list(cx, bounds).into_iter().next()
}

/// All traits of `A + B + 'a`.
pub(super) fn bound_list(cx: &mut Extractor<'_>, bounds: Node<'_>) -> Vec<ExprId> {
    let parts = children(bounds).into_iter().filter(|b| !matches!(kind(*b), Kind::Lifetime | Kind::RemovedBound));
    parts.map(|b| type_of(cx, b, 0)).collect()
}
