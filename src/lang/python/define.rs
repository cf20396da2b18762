//! Functions and classes.

use tree_sitter::Node;

use super::kinds::{K, child, kind, named};
use super::lower::{callee_name, lower};
use super::types::{self, Mentions};
use crate::extract::{Extractor, NewSymbol, SymbolDraft};
use crate::facts::*;

/// Names under which decorators of web, CLI and task frameworks register a function (`@app.route(...)`).
const ENTRY_DECORATORS: &[&str] = &[
    "command", "route", "get", "post", "put", "delete", "patch", "head", "options", "cli", "callback", "task",
    "websocket", "group", "errorhandler", "exception_handler", "on_event", "event", "listener", "handler", "before_request",
    "after_request", "middleware", "periodic_task", "job", "cron", "subscribe",
];

/// The same, where the decorator is a name of its own (`@command()`, `@shared_task`, `@receiver(...)`).
const ENTRY_NAMES: &[&str] = &[
    "command", "group", "shared_task", "task", "receiver", "api_view", "app_command", "hookimpl", "csrf_exempt",
];

const PROPERTY_DECORATORS: &[&str] =
    &["property", "cached_property", "setter", "getter", "deleter", "abstractproperty", "classproperty"];

const ENUM_BASES: &[&str] = &["Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum", "EnumMeta"];

/// A decorated definition: its span includes the decorators, which run in the scope around it.
pub(super) fn decorated(node: Node<'_>, cx: &mut Extractor<'_>) {
    let Some(definition) = child(node, |f| f.definition) else { return };
    cx.mark_handled(definition);
    let decorators: Vec<Node<'_>> =
        named(node).filter(|n| kind(*n) == K::Decorator).filter_map(|n| n.named_child(0)).collect();
    if kind(definition) == K::Class {
        class(node, definition, &decorators, cx);
    } else {
        function(node, definition, &decorators, cx);
    }
}

/// The last name of a decorator, whether it is called and whether it is an attribute.
fn decorator_name<'s>(node: Node<'_>, cx: &Extractor<'s>) -> (&'s str, bool) {
    let callee = if kind(node) == K::Call { child(node, |f| f.function).unwrap_or(node) } else { node };
    (callee_name(callee, cx), kind(callee) == K::Attribute)
}

/// Whether a definition stands in a branch of its scope, so that another one of its name may be in force.
fn conditional(node: Node<'_>) -> bool {
    let mut at = node.parent();
    for _ in 0..8 {
        let Some(above) = at else { return false };
        match above.kind() {
            "module" | "function_definition" | "class_definition" => return false,
            "block" | "decorated_definition" => at = above.parent(),
            _ => return true,
        }
    }
    true
}

/// Leading underscores hide a name; `__x__` is a protocol's name and hides nothing.
fn exported(name: &str) -> bool {
    !name.starts_with('_') || (name.len() > 4 && name.starts_with("__") && name.ends_with("__"))
}

/// A function or method whose span is `outer`.
pub(super) fn function(outer: Node<'_>, node: Node<'_>, decorators: &[Node<'_>], cx: &mut Extractor<'_>) {
    let Some(name_node) = child(node, |f| f.name) else { return };
    let name = cx.text(name_node);
    cx.mark_handled(name_node);
    let parent = cx.current();
    let in_class = cx.facts().symbol(parent).kind.is_type();
    let body = child(node, |f| f.body);
    let parameters = child(node, |f| f.parameters);
    let return_type = child(node, |f| f.return_type);

    let mut draft = SymbolDraft { kind: Some(SymbolKind::Function), ..SymbolDraft::default() };
    if in_class {
        draft.kind = Some(SymbolKind::Method);
    }
    let flags = &mut draft.flags;
    flags.exported = exported(name);
    flags.is_async = cx.text(node).starts_with("async");
    flags.entry_point = name == "main" && parent == SymbolIdx::MODULE;
    flags.conditional = conditional(outer);
    for &decorator in decorators {
        let (last, attribute) = decorator_name(decorator, cx);
        match last {
            "staticmethod" => flags.is_static = true,
            "classmethod" => flags.is_classmethod = true,
            "abstractmethod" | "abstractproperty" | "overload" => flags.is_abstract = true,
            "fixture" | "yield_fixture" => flags.is_fixture = true,
            _ => {}
        }
        if PROPERTY_DECORATORS.contains(&last) && in_class {
            draft.kind = Some(SymbolKind::Property);
        }
        flags.entry_point |= if attribute { ENTRY_DECORATORS.contains(&last) } else { ENTRY_NAMES.contains(&last) };
    }
    if in_class {
        flags.is_constructor = matches!(name, "__init__" | "__new__");
        flags.is_classmethod |= matches!(name, "__init_subclass__" | "__class_getitem__");
    }
    let in_test_class = in_class && cx.facts().symbol(parent).flags.is_test;
    flags.is_test =
        !flags.is_fixture && (!in_class || in_test_class) && is_test_function(name, in_class) && draft.kind != Some(SymbolKind::Property);

    let mut mentions = Mentions::new();
    draft.decorators = decorators.iter().map(|&d| lower(d, cx)).collect();
    draft.type_params = type_params(node, cx, &mut mentions);
    if let Some(parameters) = parameters {
        draft.params = named(parameters).filter_map(|p| parameter(p, cx, &mut mentions)).collect();
    }
    if let Some(ty) = return_type {
        cx.mark_handled(ty);
        draft.returns = Some(types::lower(ty, cx, &mut mentions));
    }
    draft.signature = header(node, return_type.or(parameters).unwrap_or(name_node), cx);
    draft.doc = body.and_then(|b| docstring(b, cx)).unwrap_or_default();

    open(outer, body, name, draft, &mentions, cx);
}

fn is_test_function(name: &str, in_class: bool) -> bool {
    match name.strip_prefix("test") {
        Some("") => in_class,
        Some(rest) => rest.starts_with('_') || (in_class && rest.starts_with(|c: char| c.is_uppercase() || c.is_numeric())),
        None => in_class && name == "runTest",
    }
}

/// A class whose span is `outer`.
pub(super) fn class(outer: Node<'_>, node: Node<'_>, decorators: &[Node<'_>], cx: &mut Extractor<'_>) {
    let Some(name_node) = child(node, |f| f.name) else { return };
    let name = cx.text(name_node);
    cx.mark_handled(name_node);
    let body = child(node, |f| f.body);
    let superclasses = child(node, |f| f.superclasses);

    let mut draft = SymbolDraft { kind: Some(SymbolKind::Class), ..SymbolDraft::default() };
    let mut mentions = Mentions::new();
    for base in superclasses.into_iter().flat_map(named) {
        if matches!(kind(base), K::Keyword | K::ListSplat | K::DictSplat) {
            continue;
        }
        let named_base = match kind(base) {
            K::Subscript => child(base, |f| f.value).unwrap_or(base),
            _ => base,
        };
        let last = callee_name(named_base, cx);
        if ENUM_BASES.contains(&last) || (last.ends_with("Enum") && last.len() > 4) {
            draft.kind = Some(SymbolKind::Enum);
        }
        draft.flags.is_test |= last.ends_with("TestCase");
        // `with_metaclass(Meta, Base)` and other calls are values; all else reads as a type.
        let base = if kind(base) == K::Call { lower(base, cx) } else { types::lower(base, cx, &mut Vec::new()) };
        draft.bases.push(base);
    }
    draft.flags.exported = exported(name);
    draft.flags.conditional = conditional(outer);
    draft.flags.is_test |= name.strip_prefix("Test").is_some_and(|rest| !rest.starts_with(|c: char| c.is_lowercase()));
    draft.decorators = decorators.iter().map(|&d| lower(d, cx)).collect();
    draft.type_params = type_params(node, cx, &mut mentions);
    let end = superclasses.or_else(|| child(node, |f| f.type_parameters)).unwrap_or(name_node);
    draft.signature = header(node, end, cx);
    draft.doc = body.and_then(|b| docstring(b, cx)).unwrap_or_default();

    open(outer, body, name, draft, &mentions, cx);
}

fn open(
    outer: Node<'_>,
    body: Option<Node<'_>>,
    name: &str,
    fact: SymbolDraft,
    mentions: &Mentions,
    cx: &mut Extractor<'_>,
) {
    let parent = cx.current();
    let new = NewSymbol { name, owner_prefix: None, fact };
    let symbol = match body {
        Some(body) => cx.define_ahead(outer, body, new),
        None => cx.define(outer, new),
    };
    let name = cx.facts().symbol(symbol).name;
    if parent == SymbolIdx::MODULE {
        cx.note(super::MODULE_NAME, SymbolIdx::MODULE, name);
    }
    for &(expr, line) in mentions {
        cx.reference_from(symbol, expr, line, Access::Type);
    }
}

/// The declaration up to the end of `last`.
fn header(node: Node<'_>, last: Node<'_>, cx: &Extractor<'_>) -> String {
    cx.source().get(node.start_byte()..last.end_byte()).unwrap_or("").to_owned()
}

fn type_params(node: Node<'_>, cx: &mut Extractor<'_>, mentions: &mut Mentions) -> Vec<(Name, Option<ExprId>)> {
    let mut out = Vec::new();
    for ty in child(node, |f| f.type_parameters).into_iter().flat_map(named) {
        cx.mark_handled(ty);
        let Some(inner) = ty.named_child(0) else { continue };
        let (name, bound) = match kind(inner) {
            K::Constrained => (inner.named_child(0), inner.named_child(1)),
            _ => (Some(inner), None),
        };
        let Some(name) = name else { continue };
        let name = cx.name(cx.text(name).trim_start_matches('*').trim());
        let bound = bound.map(|b| types::lower(b, cx, mentions));
        out.push((name, bound));
    }
    out
}

fn parameter(node: Node<'_>, cx: &mut Extractor<'_>, mentions: &mut Mentions) -> Option<ParamFact> {
    let splat = |n: Node<'_>| matches!(kind(n), K::ListSplatPattern | K::DictSplatPattern);
    let (name, ty, default) = match kind(node) {
        K::Identifier | K::ListSplatPattern | K::DictSplatPattern => (node, None, None),
        K::TypedParam => (named(node).next()?, child(node, |f| f.ty), None),
        K::DefaultParam => (child(node, |f| f.name)?, None, child(node, |f| f.value)),
        K::TypedDefaultParam => (child(node, |f| f.name)?, child(node, |f| f.ty), child(node, |f| f.value)),
        _ => return None,
    };
    let variadic = splat(name);
    let name = if variadic { name.named_child(0)? } else { name };
    if kind(name) != K::Identifier {
        return None;
    }
    cx.mark_handled(name);
    if let Some(ty) = ty {
        cx.mark_handled(ty);
    }
    Some(ParamFact {
        name: cx.name(cx.text(name)),
        ty: ty.map(|t| types::lower(t, cx, mentions)),
        default: default.map(|d| lower(d, cx)),
        variadic,
    })
}

/// The docstring of a block; its node is marked, so that its words count once.
pub(super) fn docstring(block: Node<'_>, cx: &mut Extractor<'_>) -> Option<String> {
    let first = named(block).next().filter(|n| kind(*n) == K::ExpressionStatement)?;
    let string = first.named_child(0).filter(|s| matches!(kind(*s), K::String | K::Concatenated))?;
    cx.mark_handled(string);
    Some(clean_doc(cx.text(string)))
}

/// Takes quotes, prefix and common indentation off.
fn clean_doc(literal: &str) -> String {
    let body = literal.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let body = ["\"\"\"", "'''", "\"", "'"]
        .iter()
        .find_map(|q| body.strip_prefix(q).map(|b| b.strip_suffix(q).unwrap_or(b)))
        .unwrap_or(body);
    let indent = body
        .lines()
        .skip(1)
        .filter(|l| !l.trim().is_empty())
        .map(|l| l.len() - l.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut out = String::with_capacity(body.len());
    for (n, line) in body.lines().enumerate() {
        if n > 0 {
            out.push('\n');
        }
        out.push_str(if n == 0 { line.trim() } else { line.get(indent..).unwrap_or("").trim_end() });
    }
    out
}

/// Kind of the symbol around, for statements that mean something else in a class body.
pub(super) fn scope_kind(cx: &Extractor<'_>) -> SymbolKind {
    cx.facts().symbol(cx.current()).kind
}
