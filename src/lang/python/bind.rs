//! Statements that give names values: assignments, loops, `with`, `except`, results of functions.

use tree_sitter::Node;

use super::define::scope_kind;
use super::kinds::{K, child, inside_parens, kind, named};
use super::lower::{callee_name, cast_type, enclosing_class, is_local, lower, receiver};
use super::types::{self, Mentions};
use crate::extract::{Extractor, MAX_EXPR_DEPTH, NewSymbol, SymbolDraft};
use crate::facts::*;

/// What a target gets.
#[derive(Clone, Copy)]
struct Value<'t> {
    expr: ExprId,
    /// The expression as written, to take a tuple apart.
    node: Option<Node<'t>>,
    ty: Option<ExprId>,
    kind: BindKind,
    lines: (u32, u32),
}

/// Last line on which a name bound in the current scope can be seen.
pub(super) fn scope_end(cx: &Extractor<'_>) -> u32 {
    cx.facts().symbol(cx.current()).end_line
}

/// `a = b = v`, `x: T`, `x: T = v`. The inner part of a chain comes again as an assignment of its own.
pub(super) fn assignment(node: Node<'_>, cx: &mut Extractor<'_>) {
    let Some(left) = child(node, |f| f.left) else { return };
    let mut right = child(node, |f| f.right);
    for _ in 0..MAX_EXPR_DEPTH {
        let Some(inner) = right.filter(|r| kind(*r) == K::Assignment) else { break };
        right = child(inner, |f| f.right);
    }
    let mut mentions = Mentions::new();
    let annotation = child(node, |f| f.ty);
    let mut ty = annotation.map(|t| {
        cx.mark_handled(t);
        types::lower(t, cx, &mut mentions)
    });
    let line = cx.line(node);
    for (expr, line) in mentions.drain(..) {
        cx.reference(expr, line, Access::Type);
    }
    let expr = match right {
        Some(right) => {
            ty = ty.or_else(|| cast_type(right, cx));
            lower(right, cx)
        }
        None => cx.unknown(),
    };
    let scope = cx.current();
    if kind(left) == K::Identifier {
        let text = cx.text(left);
        cx.mark_handled(left);
        if scope == SymbolIdx::MODULE {
            if text == "__all__" {
                right.into_iter().for_each(|r| super::import::exports(r, cx));
            } else {
                module_variable(node, text, annotation, right, expr, ty, cx);
            }
        } else if scope_kind(cx) == SymbolKind::Enum && right.is_some() && !text.starts_with('_') {
            let fact = SymbolDraft {
                kind: Some(SymbolKind::EnumMember),
                signature: cx.text(node).to_owned(),
                values: vec![expr],
                flags: SymbolFlags { exported: true, ..SymbolFlags::default() },
                ..SymbolDraft::default()
            };
            let member = cx.define_leaf(node, NewSymbol { name: text, owner_prefix: None, fact });
            cx.words_belong(node, member);
        }
    }
    // What stands in the value itself sees the name as it was before.
    let line = if scope == SymbolIdx::MODULE { line } else { cx.end_line(node) };
    let value = Value { expr, node: right, ty, kind: BindKind::Assign, lines: (line, scope_end(cx)) };
    bind(left, value, right.is_some(), cx, 0);
    if let Some(right) = right {
        super::mention_value(right, cx);
    }
}

/// A variable or constant of the module: the first assignment of a name that nothing else defines.
fn module_variable(
    node: Node<'_>,
    text: &str,
    annotation: Option<Node<'_>>,
    right: Option<Node<'_>>,
    expr: ExprId,
    ty: Option<ExprId>,
    cx: &mut Extractor<'_>,
) {
    let name = cx.name_owned(text);
    if !cx.note(super::MODULE_NAME, SymbolIdx::MODULE, name) || text == "_" {
        // The first assignment defines it, a later one writes it.
        if cx.noted(super::MODULE_VARIABLE, SymbolIdx::MODULE, name) {
            let written = cx.expr(Expr::Name(name));
            cx.reference(written, cx.line(node), Access::Write);
        }
        return;
    }
    let annotated = annotation.map_or("", |a| cx.text(a));
    let last = annotated.split('[').next().and_then(|a| a.rsplit('.').next()).unwrap_or("").trim();
    let mut fact = SymbolDraft {
        kind: Some(if super::is_constant_name(text) || last == "Final" { SymbolKind::Constant } else { SymbolKind::Variable }),
        signature: cx.text(node).chars().take(240).collect(),
        ty,
        values: right.map(|_| expr).into_iter().collect(),
        flags: SymbolFlags { exported: !text.starts_with('_'), ..SymbolFlags::default() },
        ..SymbolDraft::default()
    };
    if let Some(right) = right.filter(|r| last == "TypeAlias" || is_type_expression(*r, cx)) {
        fact.kind = Some(SymbolKind::TypeAlias);
        fact.ty = Some(types::lower(right, cx, &mut Vec::new()));
        fact.values.clear();
    }
    let symbol = cx.define_leaf(node, NewSymbol { name: text, owner_prefix: None, fact });
    cx.note(super::MODULE_VARIABLE, SymbolIdx::MODULE, name);
    cx.words_belong(node, symbol);
}

/// `X = Union[A, B]` and the like.
fn is_type_expression(node: Node<'_>, cx: &Extractor<'_>) -> bool {
    const CONSTRUCTORS: &[&str] = &[
        "Union", "Optional", "Callable", "Literal", "List", "Dict", "Tuple", "Set", "Type", "Sequence", "Iterable",
        "Mapping", "Annotated",
    ];
    kind(node) == K::Subscript && child(node, |f| f.value).is_some_and(|v| CONSTRUCTORS.contains(&callee_name(v, cx)))
}

/// `type X[T] = ...`.
pub(super) fn type_alias(node: Node<'_>, cx: &mut Extractor<'_>) {
    let (Some(left), Some(right)) = (child(node, |f| f.left), child(node, |f| f.right)) else { return };
    cx.mark_handled(left);
    cx.mark_handled(right);
    let mut mentions = Mentions::new();
    let ty = types::lower(right, cx, &mut mentions);
    let text = cx.text(left);
    let (name, params) = text.split_once('[').unwrap_or((text, ""));
    let params = params.trim_end().trim_end_matches(']').split(',').filter_map(|p| {
        let name = p.split([':', '=']).next().unwrap_or("").trim().trim_start_matches('*');
        (!name.is_empty()).then_some(name)
    });
    let type_params = params.map(|p| (cx.name_owned(p), None)).collect();
    let name = name.trim();
    let fact = SymbolDraft {
        kind: Some(SymbolKind::TypeAlias),
        signature: cx.text(node).to_owned(),
        ty: Some(ty),
        type_params,
        flags: SymbolFlags { exported: !name.starts_with('_'), ..SymbolFlags::default() },
        ..SymbolDraft::default()
    };
    let symbol = cx.define_leaf(node, NewSymbol { name, owner_prefix: None, fact });
    cx.words_belong(node, symbol);
    for (expr, line) in mentions {
        cx.reference_from(symbol, expr, line, Access::Type);
    }
}

/// `x += v`: x is bound here if nowhere else; an attribute is written.
pub(super) fn augmented(node: Node<'_>, cx: &mut Extractor<'_>) {
    let (Some(left), Some(right)) = (child(node, |f| f.left), child(node, |f| f.right)) else { return };
    let line = cx.line(node);
    match kind(left) {
        K::Identifier => {
            let text = cx.text(left);
            if text == "__all__" {
                super::import::exports(right, cx);
            }
            cx.mark_handled(left);
            let name = cx.name(text);
            if cx.current() == SymbolIdx::MODULE && cx.noted(super::MODULE_VARIABLE, SymbolIdx::MODULE, name) {
                let written = cx.expr(Expr::Name(name));
                cx.reference(written, line, Access::Write);
            }
            if !cx.noted(super::BOUND, cx.current(), name) {
                let value = Value { expr: cx.unknown(), node: None, ty: None, kind: BindKind::Assign, lines: (line, scope_end(cx)) };
                bind(left, value, true, cx, 0);
            }
        }
        K::Attribute => {
            cx.mark_handled(left);
            let written = lower(left, cx);
            cx.reference(written, line, Access::Write);
        }
        _ => {}
    }
    super::mention_value(right, cx);
}

/// Binds a target, which may be a name, an attribute, or a pattern of them.
fn bind(target: Node<'_>, value: Value<'_>, has_value: bool, cx: &mut Extractor<'_>, depth: u32) {
    if depth > MAX_EXPR_DEPTH {
        return;
    }
    let target = inside_parens(target);
    match kind(target) {
        K::Identifier => bind_name(target, value, has_value, cx),
        K::Attribute => bind_attribute(target, value, has_value, cx),
        K::TuplePattern | K::ListPattern | K::PatternList | K::Tuple | K::List | K::ExpressionList => {
            let sources = value.node.map(inside_parens).filter(|n| matches!(kind(*n), K::Tuple | K::List | K::ExpressionList));
            let targets: Vec<Node<'_>> = named(target).collect();
            let sources: Vec<Node<'_>> = sources.into_iter().flat_map(named).collect();
            let starred = |n: &Node<'_>| matches!(kind(*n), K::ListSplat | K::ListSplatPattern);
            let has_star = targets.iter().any(starred);
            let parallel = sources.len() == targets.len() && !targets.iter().chain(&sources).any(starred);
            for (i, part) in targets.into_iter().enumerate() {
                let node = parallel.then(|| sources[i]);
                let expr = match node {
                    Some(node) => lower(node, cx),
                    None if !has_star && i < 16 && !matches!(cx.facts().expr(value.expr), Expr::Unknown) => {
                        cx.expr(Expr::Item(value.expr, i as u8))
                    }
                    None => cx.unknown(),
                };
                bind(part, Value { expr, node, ty: None, ..value }, has_value, cx, depth + 1);
            }
        }
        K::ListSplatPattern | K::ListSplat => {
            if let Some(inner) = target.named_child(0) {
                let expr = cx.expr(Expr::Literal(LiteralKind::List));
                bind(inner, Value { expr, node: None, ty: None, ..value }, has_value, cx, depth + 1);
            }
        }
        _ => {}
    }
}

fn bind_name(target: Node<'_>, value: Value<'_>, has_value: bool, cx: &mut Extractor<'_>) {
    let scope = cx.current();
    let name = cx.name(cx.text(target));
    cx.mark_handled(target);
    if cx.noted(super::OUTER, scope, name) {
        let expr = cx.expr(Expr::Name(name));
        cx.reference(expr, cx.line(target), Access::Write);
        return;
    }
    cx.note(super::BOUND, scope, name);
    let (line, end_line) = value.lines;
    if cx.facts().symbol(scope).kind.is_type() && value.kind == BindKind::Assign {
        let line = cx.line(target);
        let field = AttrFact { class: scope, name, scope, line, value: has_value.then_some(value.expr), ty: value.ty };
        cx.attr(field);
    }
    cx.bind(BindFact { scope, name, line, end_line, kind: value.kind, value: value.expr, ty: value.ty });
}

fn bind_attribute(target: Node<'_>, value: Value<'_>, has_value: bool, cx: &mut Extractor<'_>) {
    cx.mark_handled(target);
    let written = lower(target, cx);
    let Expr::Attr(object, name) = *cx.facts().expr(written) else { return };
    let line = cx.line(target);
    if has_value {
        cx.reference(written, line, Access::Write);
    }
    if matches!(cx.facts().expr(object), Expr::SelfRef | Expr::SelfType)
        && let Some(class) = enclosing_class(cx)
    {
        let scope = cx.current();
        cx.attr(AttrFact { class, name, scope, line, value: has_value.then_some(value.expr), ty: value.ty });
    }
}

/// `x := v`.
pub(super) fn walrus(node: Node<'_>, cx: &mut Extractor<'_>) {
    let (Some(name), Some(right)) = (child(node, |f| f.name), child(node, |f| f.value)) else { return };
    let expr = lower(right, cx);
    let lines = (cx.line(node), scope_end(cx));
    bind(name, Value { expr, node: Some(right), ty: None, kind: BindKind::Assign, lines }, true, cx, 0);
}

/// `for x in v:`.
pub(super) fn for_loop(node: Node<'_>, cx: &mut Extractor<'_>) {
    let (Some(left), Some(right)) = (child(node, |f| f.left), child(node, |f| f.right)) else { return };
    let lines = (cx.line(node), scope_end(cx));
    iterate(left, right, lines, cx);
}

/// Variables of a comprehension are seen on its lines only.
pub(super) fn comprehension(node: Node<'_>, cx: &mut Extractor<'_>) {
    let lines = (cx.line(node), cx.end_line(node));
    for clause in named(node).filter(|n| kind(*n) == K::ForIn) {
        if let (Some(left), Some(right)) = (child(clause, |f| f.left), child(clause, |f| f.right)) {
            iterate(left, right, lines, cx);
            let own = if kind(left) == K::Identifier { vec![left] } else { named(left).collect() };
            for name in own.into_iter().filter(|n| kind(*n) == K::Identifier) {
                let name = cx.name(cx.text(name));
                cx.hide(node, name);
            }
        }
    }
    if let Some(body) = child(node, |f| f.body) {
        super::mention_value(body, cx);
    }
}

/// Binds loop targets; takes `enumerate(v)`, `zip(v, w)` and `d.items()` apart.
fn iterate(left: Node<'_>, right: Node<'_>, lines: (u32, u32), cx: &mut Extractor<'_>) {
    super::mention_value(right, cx);
    let element = |of: Node<'_>, cx: &mut Extractor<'_>| {
        let of = lower(of, cx);
        cx.expr(Expr::Element(of))
    };
    let value = |expr| Value { expr, node: None, ty: None, kind: BindKind::For, lines };
    let targets: Vec<Node<'_>> = match kind(left) {
        K::TuplePattern | K::PatternList | K::ListPattern => named(left).collect(),
        _ => vec![],
    };
    let call = inside_parens(right);
    if let Some(function) = child(call, |f| f.function).filter(|_| kind(call) == K::Call && targets.len() >= 2) {
        let args: Vec<Node<'_>> =
            child(call, |f| f.arguments).into_iter().flat_map(named).filter(|a| kind(*a) != K::Keyword).collect();
        let unknown = cx.unknown();
        let parts: Option<Vec<ExprId>> = match (callee_name(function, cx), kind(function)) {
            ("enumerate", K::Identifier) if !args.is_empty() && targets.len() == 2 => {
                let number = cx.expr(Expr::Literal(LiteralKind::Number));
                Some(vec![number, element(args[0], cx)])
            }
            ("zip", K::Identifier) if args.len() == targets.len() => Some(args.iter().map(|&a| element(a, cx)).collect()),
            ("items" | "iteritems", K::Attribute) if args.is_empty() && targets.len() == 2 => {
                child(function, |f| f.object).map(|of| {
                    let of = lower(of, cx);
                    vec![unknown, cx.expr(Expr::Index(of))]
                })
            }
            _ => None,
        };
        if let Some(parts) = parts {
            for (target, expr) in targets.into_iter().zip(parts) {
                bind(target, value(expr), true, cx, 0);
            }
            return;
        }
    }
    let expr = element(right, cx);
    bind(left, value(expr), true, cx, 0);
}

/// `with v as x`.
pub(super) fn with_item(node: Node<'_>, cx: &mut Extractor<'_>) {
    let Some(value) = child(node, |f| f.value) else { return };
    let (Some(entered), Some(target)) = (value.named_child(0), alias(value)) else { return };
    let of = lower(entered, cx);
    let expr = cx.expr(Expr::Entered(of));
    let lines = (cx.line(node), scope_end(cx));
    bind(target, Value { expr, node: None, ty: None, kind: BindKind::With, lines }, true, cx, 0);
}

/// The target of `... as x`.
fn alias(node: Node<'_>) -> Option<Node<'_>> {
    if kind(node) != K::AsPattern {
        return None;
    }
    child(node, |f| f.alias)?.named_child(0)
}

/// `except E as x:`, `except (E, F):`.
pub(super) fn except(node: Node<'_>, cx: &mut Extractor<'_>) {
    let Some(value) = child(node, |f| f.value) else { return };
    let (class, target) = match alias(value) {
        Some(target) => (value.named_child(0), Some(target)),
        None => (Some(value), child(node, |f| f.alias)),
    };
    let Some(class) = class else { return };
    let ty = class_or_classes(class, Access::Type, cx);
    if let Some(target) = target {
        let expr = cx.unknown();
        let lines = (cx.line(node), cx.end_line(node));
        bind(target, Value { expr, node: None, ty: Some(ty), kind: BindKind::Except, lines }, true, cx, 0);
    }
}

/// One class, or a tuple of them as a union.
fn class_or_classes(node: Node<'_>, access: Access, cx: &mut Extractor<'_>) -> ExprId {
    let node = inside_parens(node);
    let one = |n: Node<'_>, cx: &mut Extractor<'_>| {
        let expr = lower(n, cx);
        if matches!(kind(n), K::Identifier | K::Attribute) {
            cx.mark_handled(n);
            cx.reference(expr, cx.line(n), access);
        }
        expr
    };
    if kind(node) != K::Tuple {
        return one(node, cx);
    }
    let parts: Box<[ExprId]> = named(node).take(8).map(|n| one(n, cx)).collect();
    cx.expr(Expr::Union(parts))
}

/// `global x`, `nonlocal x`.
pub(super) fn outer(node: Node<'_>, cx: &mut Extractor<'_>) {
    let scope = cx.current();
    let (line, end_line) = (cx.line(node), scope_end(cx));
    for part in named(node) {
        let name = cx.name(cx.text(part));
        cx.mark_handled(part);
        cx.note(super::OUTER, scope, name);
        let value = cx.unknown();
        cx.bind(BindFact { scope, name, line, end_line, kind: BindKind::Outer, value, ty: None });
    }
}

/// `lambda x: ...`: its parameters hide outer names on its lines. In a class body the first one is the instance
/// if it is called `self`.
pub(super) fn lambda(node: Node<'_>, cx: &mut Extractor<'_>) {
    let scope = cx.current();
    let (line, end_line) = (cx.line(node), cx.end_line(node));
    for parameter in child(node, |f| f.parameters).into_iter().flat_map(named) {
        let name = match kind(parameter) {
            K::DefaultParam => child(parameter, |f| f.name),
            K::ListSplatPattern | K::DictSplatPattern => parameter.named_child(0),
            _ => Some(parameter),
        };
        let Some(name) = name.filter(|n| kind(*n) == K::Identifier) else { continue };
        cx.mark_handled(name);
        let text = cx.text(name);
        let instance = text == "self" && scope_kind(cx).is_type();
        let value = if instance { cx.expr(Expr::SelfRef) } else { cx.unknown() };
        let name = cx.name(text);
        cx.hide(node, name);
        cx.bind(BindFact { scope, name, line, end_line, kind: BindKind::Assign, value, ty: None });
    }
    if let Some(body) = child(node, |f| f.body) {
        super::mention_value(body, cx);
    }
}

/// `return v` and `yield v` of the function around. A generator's values are what it yields.
pub(super) fn result(node: Node<'_>, is_yield: bool, cx: &mut Extractor<'_>) {
    const MAX_VALUES: usize = 8;
    let value = named(node).next();
    if let Some(value) = value {
        super::mention_value(value, cx);
    }
    let symbol = cx.current();
    if !cx.facts().symbol(symbol).kind.is_callable() {
        return;
    }
    let expr = match value {
        Some(value) if is_yield && cx.text(node).trim_start_matches("yield").trim_start().starts_with("from ") => {
            let of = lower(value, cx);
            Some(cx.expr(Expr::Element(of)))
        }
        Some(value) => Some(lower(value, cx)),
        None => None,
    };
    let s = cx.symbol_mut(symbol);
    if is_yield && !s.flags.is_generator {
        s.flags.is_generator = true;
        s.values.clear();
    }
    if is_yield == s.flags.is_generator
        && let Some(expr) = expr
        && s.values.len() < MAX_VALUES
    {
        s.values.push(expr);
    }
}

/// Whether a mention of a name says nothing: a receiver, a parameter, a local variable.
pub(super) fn is_private(node: Node<'_>, cx: &mut Extractor<'_>) -> bool {
    let name = cx.name(cx.text(node));
    cx.is_hidden(node, name) || receiver(name, cx).is_some() || is_local(name, cx)
}
