//! Expressions in value position.

use tree_sitter::Node;

use super::kinds::{K, child, inside_parens, kind, named};
use super::types;
use crate::extract::{Extractor, MAX_EXPR_DEPTH};
use crate::facts::{Expr, ExprId, LiteralKind, Name, SymbolIdx, SymbolKind};

/// Elements of a container and arguments of a call that are kept.
const MAX_ELEMENTS: usize = 8;
const MAX_ARGS: usize = 4;

/// Lowers an expression.
pub(super) fn lower(node: Node<'_>, cx: &mut Extractor<'_>) -> ExprId {
    lower_at(node, cx, 0)
}

fn lower_at(node: Node<'_>, cx: &mut Extractor<'_>, depth: u32) -> ExprId {
    if depth > MAX_EXPR_DEPTH {
        return cx.unknown();
    }
    let node = inside_parens(node);
    let what = kind(node);
    if what == K::Identifier {
        return identifier(node, cx);
    }
    if matches!(what, K::String | K::Concatenated) {
        let literal = string_kind(node, cx);
        return cx.expr(Expr::Literal(literal));
    }
    if let Some(literal) = literal(what) {
        return cx.expr(Expr::Literal(literal));
    }
    if let Some(known) = cx.lowered(node) {
        return known;
    }
    let expr = compound(node, what, cx, depth);
    let id = cx.expr(expr);
    cx.set_lowered(node, id);
    id
}

fn literal(what: K) -> Option<LiteralKind> {
    Some(match what {
        K::String | K::Concatenated => LiteralKind::Str,
        K::Integer | K::Float => LiteralKind::Number,
        K::True | K::False | K::Comparison | K::Not => LiteralKind::Bool,
        K::None => LiteralKind::None,
        K::Lambda => LiteralKind::Function,
        _ => return None,
    })
}

fn identifier(node: Node<'_>, cx: &mut Extractor<'_>) -> ExprId {
    let text = cx.text(node);
    let name = cx.name(text);
    let expr = receiver(name, cx).unwrap_or(Expr::Name(name));
    cx.expr(expr)
}

/// What a name is when it is the first parameter of the method around, whatever it is called. In a function
/// inside the method it still is; in a class inside it is no longer that class's receiver.
pub(super) fn receiver(name: Name, cx: &Extractor<'_>) -> Option<Expr> {
    for scope in cx.enclosing() {
        let s = cx.facts().symbol(scope);
        if !s.kind.is_callable() {
            return None;
        }
        let Some(at) = s.params.iter().position(|p| p.name == name) else { continue };
        let method = s.parent.is_some_and(|p| cx.facts().symbol(p).kind.is_type());
        // A decorator kept in a class takes the function it decorates, not an instance.
        let decorator = matches!(cx.str(name), "func" | "fn" | "f" | "function" | "method" | "meth" | "wrapped");
        if at > 0 || decorator || !method || s.flags.is_static || s.params[0].variadic {
            return None;
        }
        let of_class = s.flags.is_classmethod || cx.str(s.name) == "__new__";
        return Some(if of_class { Expr::SelfType } else { Expr::SelfRef });
    }
    None
}

/// Whether a name is a parameter or an already bound variable of the functions around.
pub(super) fn is_local(name: Name, cx: &Extractor<'_>) -> bool {
    for scope in cx.enclosing() {
        let s = cx.facts().symbol(scope);
        if !s.kind.is_callable() {
            return false;
        }
        if cx.noted(super::BOUND, scope, name) || s.params.iter().any(|p| p.name == name) {
            return true;
        }
    }
    false
}

fn compound(node: Node<'_>, what: K, cx: &mut Extractor<'_>, depth: u32) -> Expr {
    let below = depth + 1;
    match what {
        K::Attribute => {
            let (Some(object), Some(attribute)) = (child(node, |f| f.object), child(node, |f| f.attribute)) else {
                return Expr::Unknown;
            };
            let object = lower_at(object, cx, below);
            let text = cx.text(attribute);
            if text == "__class__" && *cx.facts().expr(object) == Expr::SelfRef {
                return Expr::SelfType;
            }
            Expr::Attr(object, cx.name(text))
        }
        K::Call => call(node, cx, below),
        K::Await => match node.named_child(0) {
            Some(inner) => Expr::Await(lower_at(inner, cx, below)),
            None => Expr::Unknown,
        },
        K::Subscript => match child(node, |f| f.value) {
            Some(value) => Expr::Index(lower_at(value, cx, below)),
            None => Expr::Unknown,
        },
        K::Named => match child(node, |f| f.value) {
            Some(value) => Expr::Union(Box::new([lower_at(value, cx, below)])),
            None => Expr::Unknown,
        },
        K::Conditional => {
            let parts: Vec<Node<'_>> = named(node).collect();
            match parts[..] {
                [yes, _, no] => union([yes, no], cx, below),
                _ => Expr::Unknown,
            }
        }
        K::Boolean => boolean(node, cx, below),
        K::Binary => binary(node, cx),
        K::List => container(LiteralKind::List, named(node), cx, below),
        K::Set => container(LiteralKind::Set, named(node), cx, below),
        K::Tuple | K::ExpressionList => container(LiteralKind::Tuple, named(node), cx, below),
        K::Dictionary => {
            let values = named(node).filter_map(|pair| child(pair, |f| f.value));
            container(LiteralKind::Map, values, cx, below)
        }
        K::ListComp => container(LiteralKind::List, child(node, |f| f.body), cx, below),
        K::SetComp => container(LiteralKind::Set, child(node, |f| f.body), cx, below),
        K::Generator => container(LiteralKind::Generator, child(node, |f| f.body), cx, below),
        K::DictComp => {
            let value = child(node, |f| f.body).and_then(|pair| child(pair, |f| f.value));
            container(LiteralKind::Map, value, cx, below)
        }
        _ => Expr::Unknown,
    }
}

fn container<'t>(
    of: LiteralKind,
    elements: impl IntoIterator<Item = Node<'t>>,
    cx: &mut Extractor<'_>,
    depth: u32,
) -> Expr {
    let elements: Box<[ExprId]> = elements.into_iter().take(MAX_ELEMENTS).map(|e| lower_at(e, cx, depth)).collect();
    if elements.is_empty() { Expr::Literal(of) } else { Expr::Container(of, elements) }
}

fn union<'t>(parts: impl IntoIterator<Item = Node<'t>>, cx: &mut Extractor<'_>, depth: u32) -> Expr {
    Expr::Union(parts.into_iter().take(MAX_ELEMENTS).map(|part| lower_at(part, cx, depth)).collect())
}

/// `a or b or c` is one of them; `a and b` is b whenever it is used. Long chains lean left and are walked, not recursed.
fn boolean(node: Node<'_>, cx: &mut Extractor<'_>, depth: u32) -> Expr {
    let is_or = |n: Node<'_>| child(n, |f| f.operator).is_some_and(|op| op.end_byte() - op.start_byte() == 2);
    if !is_or(node) {
        return match child(node, |f| f.right) {
            Some(right) => Expr::Union(Box::new([lower_at(right, cx, depth)])),
            None => Expr::Unknown,
        };
    }
    let mut parts = Vec::new();
    let mut at = node;
    while kind(at) == K::Boolean && is_or(at) && parts.len() < MAX_ELEMENTS {
        parts.extend(child(at, |f| f.right));
        match child(at, |f| f.left) {
            Some(left) => at = inside_parens(left),
            None => break,
        }
    }
    parts.push(at);
    parts.reverse();
    union(parts, cx, depth)
}

/// The type of `"..." % x` and `1 + x` is that of the leftmost literal; of other operands nothing is said.
fn binary(node: Node<'_>, cx: &Extractor<'_>) -> Expr {
    let mut at = node;
    while kind(at) == K::Binary {
        match child(at, |f| f.left) {
            Some(left) => at = inside_parens(left),
            None => return Expr::Unknown,
        }
    }
    match kind(at) {
        K::String | K::Concatenated => Expr::Literal(string_kind(at, cx)),
        K::Integer | K::Float => Expr::Literal(LiteralKind::Number),
        K::List => Expr::Literal(LiteralKind::List),
        K::Tuple => Expr::Literal(LiteralKind::Tuple),
        _ => Expr::Unknown,
    }
}

fn string_kind(node: Node<'_>, cx: &Extractor<'_>) -> LiteralKind {
    let prefix = cx.text(node).bytes().take_while(|b| b.is_ascii_alphabetic());
    if prefix.into_iter().any(|b| b | 0x20 == b'b') { LiteralKind::Bytes } else { LiteralKind::Str }
}

fn call(node: Node<'_>, cx: &mut Extractor<'_>, depth: u32) -> Expr {
    let Some(function) = child(node, |f| f.function) else { return Expr::Unknown };
    let arguments = child(node, |f| f.arguments);
    match callee_name(function, cx) {
        "super" if kind(function) == K::Identifier => return Expr::Super,
        "type" if kind(function) == K::Identifier => {
            if let Some(only) = only_argument(arguments) {
                let of = lower_at(only, cx, depth);
                return match cx.facts().expr(of) {
                    Expr::SelfRef => Expr::SelfType,
                    _ => Expr::TypeOf(of),
                };
            }
        }
        "import_module" | "__import__" => {
            if let Some(module) = arguments.and_then(|a| a.named_child(0)).and_then(|a| string_text(a, cx))
                && !module.starts_with('.')
            {
                return Expr::Module(cx.name(module));
            }
        }
        _ => {}
    }
    let callee = lower_at(function, cx, depth);
    let mut args = Vec::new();
    for argument in arguments.filter(|a| kind(*a) != K::Generator).into_iter().flat_map(named).take(MAX_ARGS) {
        let argument = inside_parens(argument);
        match kind(argument) {
            K::Keyword | K::ListSplat | K::DictSplat => break,
            K::Identifier | K::Attribute | K::Call => args.push(lower_at(argument, cx, depth)),
            k => args.push(match literal(k) {
                Some(l) => cx.expr(Expr::Literal(l)),
                None => cx.unknown(),
            }),
        }
    }
    let unknown = cx.unknown();
    while args.last() == Some(&unknown) {
        args.pop();
    }
    Expr::Call(callee, args.into())
}

fn only_argument(arguments: Option<Node<'_>>) -> Option<Node<'_>> {
    let mut all = arguments.into_iter().flat_map(named);
    let first = all.next()?;
    (all.next().is_none() && !matches!(kind(first), K::Keyword | K::ListSplat | K::DictSplat)).then_some(first)
}

/// The last name of a callee: `b` of `a.b`, `f` of `f`; empty for anything else.
pub(super) fn callee_name<'s>(function: Node<'_>, cx: &Extractor<'s>) -> &'s str {
    match kind(function) {
        K::Identifier => cx.text(function),
        K::Attribute => child(function, |f| f.attribute).map_or("", |a| cx.text(a)),
        _ => "",
    }
}

/// The text of a plain string literal (not an f-string, not empty).
pub(super) fn string_text<'s>(node: Node<'_>, cx: &Extractor<'s>) -> Option<&'s str> {
    if kind(node) != K::String {
        return None;
    }
    let mut parts = named(node).filter(|n| n.end_byte() > n.start_byte()).skip(1);
    let content = parts.next().filter(|n| kind(*n) == K::StringContent)?;
    let end = parts.next()?;
    (end.start_byte() == content.end_byte() && parts.next().is_none()).then(|| cx.text(content))
}

/// `cast(T, v)` is a T: gives T as a type.
pub(super) fn cast_type(node: Node<'_>, cx: &mut Extractor<'_>) -> Option<ExprId> {
    let node = inside_parens(node);
    let function = child(node, |f| f.function).filter(|_| kind(node) == K::Call)?;
    if callee_name(function, cx) != "cast" {
        return None;
    }
    let mut arguments = child(node, |f| f.arguments).into_iter().flat_map(named);
    let first = arguments.next()?;
    (arguments.next().is_some() && arguments.next().is_none()).then(|| types::lower(first, cx, &mut Vec::new()))
}

/// The nearest class around.
pub(super) fn enclosing_class(cx: &Extractor<'_>) -> Option<SymbolIdx> {
    cx.enclosing_kind(SymbolKind::is_type)
}
