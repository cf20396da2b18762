//! Go's expressions and types.

use tree_sitter::Node;

use super::{Kind, kind};
use crate::extract::{Extractor, MAX_EXPR_DEPTH};
use crate::facts::*;
use crate::lang::syntax::{children, field, first_child, first_children, name_of};

/// A value as far as resolving needs it.
pub(super) fn value(cx: &mut Extractor<'_>, node: Node<'_>, depth: u32) -> ExprId {
    if depth > MAX_EXPR_DEPTH {
        return cx.unknown();
    }
    if let Some(known) = cx.scratch.lowered(node) {
        return known;
    }
    let expr = match kind(node) {
        Kind::Identifier => identifier(cx, node),
        Kind::Selector => {
            let (Some(operand), Some(name)) = (field(node, "operand"), field(node, "field")) else {
                return cx.unknown();
            };
            let base = value(cx, operand, depth + 1);
            let name = name_of(cx, name);
            Expr::Attr(base, name)
        }
        Kind::Call => return call(cx, node, depth),
        Kind::Composite => return composite(cx, node, depth),
        Kind::Index => match field(node, "operand") {
            Some(operand) => {
                let base = value(cx, operand, depth + 1);
                Expr::Index(base)
            }
            None => return cx.unknown(),
        },
        Kind::TypeInstantiation => match field(node, "type") {
            Some(ty) => return type_of(cx, ty, depth + 1),
            None => return cx.unknown(),
        },
        Kind::Slice => match field(node, "operand") {
            Some(operand) => return value(cx, operand, depth + 1),
            None => return cx.unknown(),
        },
        Kind::Parenthesized => match first_child(node) {
            Some(inner) => return value(cx, inner, depth + 1),
            None => return cx.unknown(),
        },
        Kind::Unary => return unary(cx, node, depth),
        Kind::Binary => binary(cx, node),
        Kind::TypeConversion if field(node, "type").is_some_and(|t| kind(t) == Kind::GenericType) => {
            // A generic function's call or a conversion: what the name stands for decides.
            let name = field(node, "type").and_then(|t| field(t, "type"));
            let callee = name.map_or(cx.unknown(), |n| type_of(cx, n, depth + 1));
            let arg = field(node, "operand").map_or(cx.unknown(), |o| value(cx, o, depth + 1));
            Expr::Call(callee, [arg].into())
        }
        Kind::TypeAssertion | Kind::TypeConversion => match field(node, "type") {
            Some(ty) => instance(cx, ty, depth),
            None => return cx.unknown(),
        },
        Kind::FuncLiteral => Expr::Literal(LiteralKind::Function),
        Kind::StringLiteral => Expr::Literal(LiteralKind::Str),
        Kind::NumberLiteral => Expr::Literal(LiteralKind::Number),
        Kind::BoolLiteral => Expr::Literal(LiteralKind::Bool),
        Kind::Nil => Expr::Literal(LiteralKind::None),
        // An argument may be a type (`new(T)`, `make([]T)`).
        Kind::TypeIdentifier
        | Kind::QualifiedType
        | Kind::PointerType
        | Kind::GenericType
        | Kind::SliceType
        | Kind::ArrayType
        | Kind::MapType
        | Kind::ChannelType => return type_of(cx, node, depth),
        _ => return cx.unknown(),
    };
    let id = cx.expr(expr);
    cx.scratch.keep_lowered(node, id, depth);
    id
}

fn identifier(cx: &mut Extractor<'_>, node: Node<'_>) -> Expr {
    let name = name_of(cx, node);
    let holder = cx.current();
    let symbol = cx.facts().symbol(holder);
    if symbol.owner.is_some() && symbol.params.first().is_some_and(|p| p.name == name) {
        return Expr::SelfRef;
    }
    Expr::Name(name)
}

fn instance(cx: &mut Extractor<'_>, ty: Node<'_>, depth: u32) -> Expr {
    let id = type_of(cx, ty, depth + 1);
    match cx.facts().expr(id) {
        Expr::Literal(literal) => Expr::Literal(*literal),
        _ => Expr::New(id),
    }
}

/// What a call calls: type arguments and parentheses dropped.
pub(super) fn callee(cx: &mut Extractor<'_>, node: Node<'_>, depth: u32) -> ExprId {
    let mut target = node;
    for _ in 0..MAX_EXPR_DEPTH {
        target = match kind(target) {
            Kind::Parenthesized => match first_child(target) {
                Some(inner) => inner,
                None => break,
            },
            Kind::Unary if cx.text(target).starts_with('*') => match field(target, "operand") {
                Some(inner) => inner,
                None => break,
            },
            Kind::Index => match field(target, "operand") {
                // `f[T](x)` with one type argument reads like an index; a package's or file's function has a plain name.
                Some(inner) if is_function_name(cx, inner) => inner,
                _ => break,
            },
            _ => break,
        };
    }
    value(cx, target, depth)
}

fn is_function_name(cx: &mut Extractor<'_>, node: Node<'_>) -> bool {
    match kind(node) {
        Kind::Identifier => {
            let name = name_of(cx, node);
            !crate::lang::scratch::is_local(cx, name)
        }
        Kind::Selector => match field(node, "operand") {
            Some(operand) if kind(operand) == Kind::Identifier => {
                let text = cx.text(operand);
                super::is_import(cx, text)
            }
            _ => false,
        },
        _ => false,
    }
}

fn call(cx: &mut Extractor<'_>, node: Node<'_>, depth: u32) -> ExprId {
    let Some(function) = field(node, "function") else { return cx.unknown() };
    let arguments = field(node, "arguments");
    if kind(function) == Kind::Identifier
        && matches!(cx.text(function), "new" | "make")
        && let Some(ty) = arguments.and_then(first_child)
    {
        let expr = instance(cx, ty, depth);
        let id = cx.expr(expr);
        cx.scratch.keep_lowered(node, id, depth);
        return id;
    }
    let target = callee(cx, function, depth + 1);
    let mut args = Vec::new();
    for arg in arguments.map(|a| first_children(a, 4)).unwrap_or_default() {
        args.push(value(cx, arg, depth + 1));
    }
    while args.last() == Some(&cx.unknown()) {
        args.pop();
    }
    let id = cx.expr(Expr::Call(target, args.into()));
    cx.scratch.keep_lowered(node, id, depth);
    id
}

fn composite(cx: &mut Extractor<'_>, node: Node<'_>, depth: u32) -> ExprId {
    let Some(ty) = field(node, "type") else { return cx.unknown() };
    let expr = match kind(ty) {
        Kind::ImplicitArrayType => {
            let element = field(ty, "element").map(|e| type_of(cx, e, depth + 1)).unwrap_or(cx.unknown());
            let list = cx.expr(Expr::Literal(LiteralKind::List));
            let generic = cx.expr(Expr::Generic(list, [element].into()));
            Expr::New(generic)
        }
        _ => instance(cx, ty, depth),
    };
    let id = cx.expr(expr);
    cx.scratch.keep_lowered(node, id, depth);
    id
}

fn unary(cx: &mut Extractor<'_>, node: Node<'_>, depth: u32) -> ExprId {
    let Some(operand) = field(node, "operand") else { return cx.unknown() };
    match cx.text(node).as_bytes().first() {
        Some(b'&' | b'*') => value(cx, operand, depth + 1),
        Some(b'<') => {
            let base = value(cx, operand, depth + 1);
            cx.expr(Expr::Element(base))
        }
        Some(b'!') => cx.expr(Expr::Literal(LiteralKind::Bool)),
        _ => cx.expr(Expr::Literal(LiteralKind::Number)),
    }
}

fn binary(cx: &mut Extractor<'_>, node: Node<'_>) -> Expr {
    let operator = field(node, "operator").map_or("", |o| cx.text(o));
    if matches!(operator, "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||") {
        return Expr::Literal(LiteralKind::Bool);
    }
    for side in ["right", "left"] {
        match field(node, side).map(kind) {
            Some(Kind::StringLiteral) => return Expr::Literal(LiteralKind::Str),
            Some(Kind::NumberLiteral) => return Expr::Literal(LiteralKind::Number),
            _ => {}
        }
    }
    Expr::Unknown
}

/// A type; pointers are transparent, since Go selects through them.
pub(super) fn type_of(cx: &mut Extractor<'_>, node: Node<'_>, depth: u32) -> ExprId {
    if depth > MAX_EXPR_DEPTH {
        return cx.unknown();
    }
    if let Some(known) = cx.scratch.lowered(node) {
        return known;
    }
    let expr = match kind(node) {
        Kind::TypeIdentifier | Kind::Identifier => {
            let text = cx.text(node);
            match builtin_type(text) {
                Some(literal) => Expr::Literal(literal),
                None => Expr::Name(cx.name(text)),
            }
        }
        Kind::QualifiedType => {
            let (Some(package), Some(name)) = (field(node, "package"), field(node, "name")) else {
                return cx.unknown();
            };
            let package = name_of(cx, package);
            let base = cx.expr(Expr::Name(package));
            let name = name_of(cx, name);
            Expr::Attr(base, name)
        }
        Kind::PointerType | Kind::ParenthesizedType | Kind::NegatedType => match first_child(node) {
            Some(inner) => return type_of(cx, inner, depth + 1),
            None => return cx.unknown(),
        },
        Kind::TypeElem | Kind::TypeConstraint => {
            let parts = first_children(node, 8);
            if let [only] = parts[..] {
                return type_of(cx, only, depth + 1);
            }
            let parts: Vec<ExprId> = parts.into_iter().map(|p| type_of(cx, p, depth + 1)).collect();
            Expr::Union(parts.into())
        }
        Kind::GenericType => {
            let Some(ty) = field(node, "type") else { return cx.unknown() };
            let base = type_of(cx, ty, depth + 1);
            let args = field(node, "type_arguments").map(children).unwrap_or_default();
            let args: Vec<ExprId> = args.into_iter().map(|a| type_of(cx, a, depth + 1)).collect();
            Expr::Generic(base, args.into())
        }
        Kind::SliceType | Kind::ArrayType | Kind::ImplicitArrayType => {
            return container(cx, node, LiteralKind::List, &["element"], depth);
        }
        Kind::MapType => return container(cx, node, LiteralKind::Map, &["key", "value"], depth),
        Kind::ChannelType => return container(cx, node, LiteralKind::Generator, &["value"], depth),
        Kind::FunctionType => {
            let result = field(node, "result").map_or(cx.unknown(), |r| result_type(cx, r, depth + 1));
            let function = cx.expr(Expr::Literal(LiteralKind::Function));
            Expr::Generic(function, [result].into())
        }
        // Anonymous structs and interfaces have no symbol to point to.
        _ => return cx.unknown(),
    };
    let id = cx.expr(expr);
    cx.scratch.keep_lowered(node, id, depth);
    id
}

fn container(cx: &mut Extractor<'_>, node: Node<'_>, literal: LiteralKind, parts: &[&str], depth: u32) -> ExprId {
    let mut args = Vec::new();
    for part in parts {
        args.push(field(node, part).map_or(cx.unknown(), |t| type_of(cx, t, depth + 1)));
    }
    let base = cx.expr(Expr::Literal(literal));
    let id = cx.expr(Expr::Generic(base, args.into()));
    cx.scratch.keep_lowered(node, id, depth);
    id
}

/// The first of a function's results.
pub(super) fn result_type(cx: &mut Extractor<'_>, result: Node<'_>, depth: u32) -> ExprId {
    if kind(result) != Kind::ParameterList {
        return type_of(cx, result, depth);
    }
    match first_child(result).and_then(|p| field(p, "type")) {
        Some(ty) => type_of(cx, ty, depth),
        None => cx.unknown(),
    }
}

fn builtin_type(text: &str) -> Option<LiteralKind> {
    Some(match text {
        "string" => LiteralKind::Str,
        "bool" => LiteralKind::Bool,
        "int" | "int8" | "int16" | "int32" | "int64" | "uint" | "uint8" | "uint16" | "uint32" | "uint64"
        | "uintptr" | "byte" | "rune" | "float32" | "float64" | "complex64" | "complex128" => LiteralKind::Number,
        _ => return None,
    })
}
