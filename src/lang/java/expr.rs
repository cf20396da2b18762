//! Java's expressions and types.

use tree_sitter::Node;

use super::{Kind, kind};
use crate::extract::{Extractor, MAX_EXPR_DEPTH};
use crate::facts::*;
use crate::lang::syntax::{children, field, fields, first_child, first_children, name_of};

/// A value as far as resolving needs it.
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
        Kind::Identifier | Kind::ScopedIdentifier => return path(cx, node, depth),
        Kind::This => Expr::SelfRef,
        Kind::Super => Expr::Super,
        Kind::FieldAccess => {
            let Some(name) = field(node, "field") else { return unknown };
            if kind(name) == Kind::This {
                // `Outer.this` is an instance of the enclosing class.
                let outer = inner(cx, field(node, "object"));
                Expr::New(outer)
            } else {
                let base = inner(cx, field(node, "object"));
                let name = name_of(cx, name);
                Expr::Attr(base, name)
            }
        }
        Kind::Call => {
            let target = callee(cx, node, depth + 1);
            // Unknown ones too: how many there are tells overloads apart.
            let args = field(node, "arguments").map(|a| first_children(a, MOST_ARGUMENTS)).unwrap_or_default();
            Expr::Call(target, args.into_iter().map(|arg| value(cx, arg, depth + 1)).collect())
        }
        Kind::New => match field(node, "type") {
            Some(ty) => {
                let ty = type_of(cx, ty, depth + 1);
                Expr::New(ty)
            }
            None => return unknown,
        },
        Kind::NewArray => match field(node, "type") {
            Some(ty) => {
                let mut array = type_of(cx, ty, depth + 1);
                let list = cx.expr(Expr::Literal(LiteralKind::List));
                for dimensions in fields(node, "dimensions") {
                    for _ in 0..cx.text(dimensions).matches('[').count().clamp(1, 4) {
                        array = cx.expr(Expr::Generic(list, [array].into()));
                    }
                }
                Expr::New(array)
            }
            None => return unknown,
        },
        Kind::ArrayInitializer => {
            let parts: Vec<ExprId> =
                first_children(node, 8).into_iter().map(|c| value(cx, c, depth + 1)).collect();
            Expr::Container(LiteralKind::List, parts.into())
        }
        Kind::ArrayAccess => {
            let base = inner(cx, field(node, "array"));
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
        Kind::Parenthesized => return inner(cx, first_child(node)),
        Kind::Assignment => return inner(cx, field(node, "right")),
        Kind::Ternary => {
            let parts: Vec<Node<'_>> =
                ["consequence", "alternative"].iter().filter_map(|f| field(node, f)).collect();
            return union(cx, &parts, depth);
        }
        Kind::Binary => binary(cx, node, depth),
        Kind::Unary if field(node, "operator").is_some_and(|o| cx.text(o) == "!") => Expr::Literal(LiteralKind::Bool),
        Kind::Unary => return inner(cx, field(node, "operand")),
        Kind::Update => return inner(cx, first_child(node)),
        Kind::Instanceof => Expr::Literal(LiteralKind::Bool),
        Kind::Lambda => Expr::Literal(LiteralKind::Function),
        Kind::ClassLiteral => match first_child(node) {
            Some(ty) => {
                let ty = type_of(cx, ty, depth + 1);
                Expr::TypeOf(ty)
            }
            None => return unknown,
        },
        Kind::StringLiteral => Expr::Literal(LiteralKind::Str),
        Kind::NumberLiteral => Expr::Literal(number(cx, node)),
        Kind::BoolLiteral => Expr::Literal(LiteralKind::Bool),
        Kind::Null => Expr::Literal(LiteralKind::None),
        Kind::MethodReference => match method_reference(cx, node, depth) {
            Some(id) => return id,
            None => return unknown,
        },
        Kind::TypeIdentifier | Kind::GenericType | Kind::ScopedType | Kind::ArrayType => {
            return type_of(cx, node, depth);
        }
        _ => return unknown,
    };
    let id = cx.expr(expr);
    cx.scratch.keep_lowered(node, id, depth);
    id
}

/// What a method call calls.
pub(super) fn callee(cx: &mut Extractor<'_>, node: Node<'_>, depth: u32) -> ExprId {
    let Some(name) = field(node, "name") else { return cx.unknown() };
    let name = name_of(cx, name);
    match field(node, "object") {
        // `Outer.super.m()` and `Interface.super.m()` call what the named type inherits or declares.
        Some(object) => {
            let base = value(cx, object, depth + 1);
            cx.expr(Expr::Attr(base, name))
        }
        None => cx.expr(Expr::Name(name)),
    }
}

/// `A::b` as the attribute that it names; `A::new` as the class.
pub(super) fn method_reference(cx: &mut Extractor<'_>, node: Node<'_>, depth: u32) -> Option<ExprId> {
    let mut cursor = node.walk();
    let parts: Vec<Node<'_>> = node.children(&mut cursor).filter(|c| !c.is_extra()).collect();
    let (first, last) = (*parts.first()?, *parts.last()?);
    let base = value(cx, first, depth + 1);
    if last.kind() == "new" {
        return Some(base);
    }
    let name = name_of(cx, last);
    let id = cx.expr(Expr::Attr(base, name));
    cx.scratch.keep_lowered(node, id, depth);
    Some(id)
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

fn binary(cx: &mut Extractor<'_>, node: Node<'_>, depth: u32) -> Expr {
    let operator = field(node, "operator").map_or("", |o| cx.text(o));
    if matches!(operator, "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||") {
        return Expr::Literal(LiteralKind::Bool);
    }
    let arithmetic = !matches!(operator, "&" | "|" | "^");
    let adds = operator == "+";
    // A chain leans to the left: whichever literal stands near its end tells strings from numbers.
    let mut left = Some(node);
    for _ in 0..16 {
        let Some(part) = left.filter(|n| kind(*n) == Kind::Binary) else { break };
        if adds && field(part, "right").map(kind) == Some(Kind::StringLiteral) {
            return Expr::Literal(LiteralKind::Str);
        }
        left = field(part, "left");
    }
    if adds && left.map(kind) == Some(Kind::StringLiteral) {
        return Expr::Literal(LiteralKind::Str);
    }
    let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) else { return Expr::Unknown };
    let mut parts = vec![value(cx, left, depth + 1), value(cx, right, depth + 1)];
    if parts.contains(&cx.unknown()) {
        return Expr::Unknown;
    }
    // Numbers become `int` at least.
    if arithmetic {
        parts.push(cx.expr(Expr::Literal(LiteralKind::Int)));
    }
    parts.dedup();
    match parts[..] {
        [only] => cx.facts().expr(only).clone(),
        _ => Expr::Union(parts.into()),
    }
}

/// Of which primitive type a number or character is written.
fn number(cx: &Extractor<'_>, node: Node<'_>) -> LiteralKind {
    let last = cx.text(node).chars().last().unwrap_or(' ').to_ascii_lowercase();
    match (node.kind(), last) {
        ("character_literal", _) => LiteralKind::Char,
        ("decimal_floating_point_literal" | "hex_floating_point_literal", 'f') => LiteralKind::Float,
        ("decimal_floating_point_literal" | "hex_floating_point_literal", _) => LiteralKind::Double,
        (_, 'l') => LiteralKind::Long,
        _ => LiteralKind::Int,
    }
}

/// A dotted name.
pub(super) fn path(cx: &mut Extractor<'_>, node: Node<'_>, depth: u32) -> ExprId {
    if depth > MAX_EXPR_DEPTH {
        return cx.unknown();
    }
    if let Some(known) = cx.scratch.lowered(node) {
        return known;
    }
    let expr = match (kind(node), field(node, "scope"), field(node, "name")) {
        (Kind::ScopedIdentifier, Some(scope), Some(name)) => {
            let base = path(cx, scope, depth + 1);
            let name = name_of(cx, name);
            Expr::Attr(base, name)
        }
        _ => Expr::Name(name_of(cx, node)),
    };
    let id = cx.expr(expr);
    cx.scratch.keep_lowered(node, id, depth);
    id
}

/// A type.
pub(super) fn type_of(cx: &mut Extractor<'_>, node: Node<'_>, depth: u32) -> ExprId {
    if depth > MAX_EXPR_DEPTH {
        return cx.unknown();
    }
    if let Some(known) = cx.scratch.lowered(node) {
        return known;
    }
    let expr = match kind(node) {
        Kind::TypeIdentifier | Kind::Identifier => match cx.text(node) {
            "String" => Expr::Literal(LiteralKind::Str),
            text => Expr::Name(cx.name(text)),
        },
        Kind::NumberType => Expr::Literal(match cx.text(node) {
            "byte" => LiteralKind::Byte,
            "short" => LiteralKind::Short,
            "char" => LiteralKind::Char,
            "long" => LiteralKind::Long,
            "float" => LiteralKind::Float,
            "double" => LiteralKind::Double,
            _ => LiteralKind::Int,
        }),
        Kind::BoolType => Expr::Literal(LiteralKind::Bool),
        Kind::VoidType => Expr::Literal(LiteralKind::None),
        Kind::ScopedType => {
            let parts: Vec<Node<'_>> =
                children(node).into_iter().filter(|c| !matches!(kind(*c), Kind::Annotation)).collect();
            let [base, name] = parts[..] else { return cx.unknown() };
            let base = type_of(cx, base, depth + 1);
            let base = match cx.facts().expr(base) {
                Expr::Generic(head, _) => *head,
                _ => base,
            };
            let name = name_of(cx, name);
            Expr::Attr(base, name)
        }
        Kind::GenericType => {
            let parts = children(node);
            let Some(head) = parts.first() else { return cx.unknown() };
            let base = type_of(cx, *head, depth + 1);
            let args = parts.get(1).map(|a| first_children(*a, MOST_ARGUMENTS)).unwrap_or_default();
            let args: Vec<ExprId> = args.into_iter().map(|a| type_of(cx, a, depth + 1)).collect();
            if args.is_empty() {
                return base;
            }
            Expr::Generic(base, args.into())
        }
        Kind::ArrayType => {
            let mut element = field(node, "element").map_or(cx.unknown(), |e| type_of(cx, e, depth + 1));
            let list = cx.expr(Expr::Literal(LiteralKind::List));
            let dimensions = field(node, "dimensions").map_or(1, |d| cx.text(d).matches('[').count());
            for _ in 1..dimensions.min(4) {
                element = cx.expr(Expr::Generic(list, [element].into()));
            }
            Expr::Generic(list, [element].into())
        }
        Kind::Wildcard | Kind::AnnotatedType | Kind::CatchType | Kind::TypeBound => {
            let parts = children(node).into_iter().filter(|c| !matches!(kind(*c), Kind::Annotation | Kind::Super));
            let parts: Vec<Node<'_>> = parts.collect();
            match parts[..] {
                [] => return cx.unknown(),
                [only] => return type_of(cx, only, depth + 1),
                // `A & B` is bounded by its first; `A | B` is either.
                [first, ..] if kind(node) != Kind::CatchType => return type_of(cx, first, depth + 1),
                _ => {
                    let parts: Vec<ExprId> = parts.into_iter().map(|p| type_of(cx, p, depth + 1)).collect();
                    Expr::Union(parts.into())
                }
            }
        }
        _ => return cx.unknown(),
    };
    let id = cx.expr(expr);
    cx.scratch.keep_lowered(node, id, depth);
    id
}
