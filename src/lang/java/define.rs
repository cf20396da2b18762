//! Java's definitions.

use tree_sitter::Node;

use super::{Kind, bind::declared, expr, kind};
use crate::extract::{Extractor, NewSymbol, SymbolDraft};
use crate::facts::*;
use crate::lang::syntax::{DocStyle, children, doc_above, field, first_child, name_of, signature};

const DOC: DocStyle = DocStyle { line: "", block: "/**", directives: &[] };

/// Annotations by which a framework calls a method or makes a class's objects.
const ENTRY_POINTS: &[&str] = &[
    "RequestMapping", "GetMapping", "PostMapping", "PutMapping", "DeleteMapping", "PatchMapping", "MessageMapping",
    "QueryMapping", "MutationMapping", "ExceptionHandler", "EventListener", "KafkaListener", "RabbitListener",
    "JmsListener", "Scheduled", "Bean", "PostConstruct", "PreDestroy", "Path", "GET", "POST", "PUT", "DELETE",
    "PATCH", "HEAD", "OPTIONS", "Get", "Post", "Put", "Delete", "Patch", "Subscribe", "Incoming", "Provides",
];

const TESTS: &[&str] = &["Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory", "Property"];

/// The modifiers and annotations of a declaration.
#[derive(Debug, Default)]
struct Modifiers {
    decorators: Vec<ExprId>,
    /// First byte after the annotations that lead them.
    signature_start: usize,
    flags: SymbolFlags,
    is_final: bool,
}

fn modifiers(cx: &mut Extractor<'_>, node: Node<'_>) -> Modifiers {
    let mut out = Modifiers { signature_start: node.start_byte(), ..Modifiers::default() };
    let first = node.named_child(0).filter(|c| kind(*c) == Kind::Modifiers);
    let Some(list) = first else { return out };
    let mut cursor = list.walk();
    let words: Vec<Node<'_>> = list.children(&mut cursor).collect();
    let mut leading = true;
    for word in words {
        if kind(word) != Kind::Annotation {
            leading &= word.is_extra();
            match word.kind() {
                "public" | "protected" => out.flags.exported = true,
                "static" => out.flags.is_static = true,
                "abstract" => out.flags.is_abstract = true,
                "final" => out.is_final = true,
                _ => {}
            }
            continue;
        }
        let Some(name) = field(word, "name") else { continue };
        let text = cx.text(name);
        let last = text.rsplit('.').next().unwrap_or(text);
        out.flags.is_test |= TESTS.contains(&last);
        out.flags.entry_point |= ENTRY_POINTS.contains(&last);
        let path = expr::path(cx, name, 0);
        out.decorators.push(match field(word, "arguments") {
            Some(_) => cx.expr(Expr::Call(path, [].into())),
            None => path,
        });
        if leading {
            out.signature_start = word.end_byte();
        }
    }
    out
}

fn doc(cx: &Extractor<'_>, node: Node<'_>) -> String {
    let start = node.start_byte();
    let line_start = cx.source()[..start].rfind('\n').map_or(0, |i| i + 1);
    if cx.source()[line_start..start].trim().is_empty() { doc_above(cx.source(), start, DOC) } else { String::new() }
}

fn type_params(cx: &mut Extractor<'_>, node: Node<'_>) -> Vec<(Name, Option<ExprId>)> {
    let mut out = Vec::new();
    for param in field(node, "type_parameters").map(children).unwrap_or_default() {
        let parts = children(param);
        let Some(name) = parts.iter().find(|p| matches!(kind(**p), Kind::TypeIdentifier | Kind::Identifier)) else {
            continue;
        };
        cx.scratch.take(*name);
        let bound = parts.iter().find(|p| kind(**p) == Kind::TypeBound).map(|b| expr::type_of(cx, *b, 0));
        out.push((name_of(cx, *name), bound));
    }
    out
}

fn open(cx: &mut Extractor<'_>, symbol: SymbolIdx) {
    let s = cx.facts().symbol(symbol);
    // A record's components are fields, and fields are no local names.
    let params = if s.kind.is_callable() { &s.params[..] } else { &[] };
    let names: Vec<Name> = params.iter().map(|p| p.name).chain(s.type_params.iter().map(|p| p.0)).collect();
    for name in names {
        cx.scratch.local(symbol, name);
    }
}

fn in_interface(cx: &Extractor<'_>) -> bool {
    cx.facts().symbol(cx.current()).kind == SymbolKind::Interface
}

/// A class, interface, annotation type, enum or record.
pub(super) fn class(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name_node) = field(node, "name") else { return };
    cx.scratch.take(name_node);
    let name = cx.text(name_node);
    let modifiers = modifiers(cx, node);
    let what = match kind(node) {
        Kind::Interface => SymbolKind::Interface,
        Kind::EnumDecl => SymbolKind::Enum,
        _ => SymbolKind::Class,
    };
    let end = field(node, "body").map_or(node.end_byte(), |b| b.start_byte());
    let mut draft = SymbolDraft {
        kind: Some(what),
        signature: signature(cx, modifiers.signature_start, end),
        doc: doc(cx, node),
        flags: SymbolFlags { entry_point: false, ..modifiers.flags },
        decorators: modifiers.decorators,
        type_params: type_params(cx, node),
        ..SymbolDraft::default()
    };
    draft.flags.exported |= in_interface(cx);
    draft.flags.is_abstract |= what == SymbolKind::Interface;
    for clause in children(node) {
        match clause.kind() {
            "superclass" => draft.bases.extend(first_child(clause).map(|t| expr::type_of(cx, t, 0))),
            "super_interfaces" | "extends_interfaces" => {
                for ty in first_child(clause).map(children).unwrap_or_default() {
                    draft.bases.push(expr::type_of(cx, ty, 0));
                }
            }
            _ => {}
        }
    }
    let components = field(node, "parameters");
    if let Some(list) = components {
        draft.params = params(cx, list);
    }
    let symbol = cx.define(node, NewSymbol { name, owner_prefix: None, fact: draft });
    open(cx, symbol);
    let fields: Vec<ParamFact> =
        if components.is_some() { cx.facts().symbol(symbol).params.clone() } else { Vec::new() };
    let line = cx.line(node);
    for f in fields {
        cx.attr(AttrFact { class: symbol, name: f.name, scope: symbol, line, value: None, ty: f.ty });
    }
}

pub(super) fn enum_constant(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name_node) = field(node, "name") else { return };
    cx.scratch.take(name_node);
    let name = cx.text(name_node);
    let modifiers = modifiers(cx, node);
    let holder = cx.current();
    let enum_name = cx.facts().symbol(holder).name;
    let class = cx.expr(Expr::Name(enum_name));
    let value = cx.expr(Expr::New(class));
    let body = field(node, "body");
    let end = body.map_or(node.end_byte(), |b| b.start_byte());
    let exported = cx.facts().symbol(holder).flags.exported;
    let draft = SymbolDraft {
        kind: Some(SymbolKind::EnumMember),
        signature: signature(cx, modifiers.signature_start, end),
        doc: doc(cx, node),
        flags: SymbolFlags { exported, is_static: true, ..modifiers.flags },
        decorators: modifiers.decorators,
        bases: if body.is_some() { vec![class] } else { Vec::new() },
        values: vec![value],
        ..SymbolDraft::default()
    };
    let line = cx.line(name_node);
    if let Some(arguments) = field(node, "arguments") {
        let count = children(arguments).len().min(254) as u8;
        cx.call(class, line, count, true);
    }
    let symbol = cx.define_leaf(node, NewSymbol { name, owner_prefix: None, fact: draft });
    if let Some(body) = body {
        cx.scratch.bodies.insert(body.id(), symbol);
    }
}

/// `new Base() { ... }`: a class named after its base and counted within what holds it.
pub(super) fn anonymous_class(cx: &mut Extractor<'_>, node: Node<'_>, body: Node<'_>, base: ExprId) {
    let head = match cx.facts().expr(base) {
        Expr::Generic(head, _) => *head,
        _ => base,
    };
    let base_name = match cx.facts().expr(head) {
        Expr::Name(name) | Expr::Attr(_, name) => *name,
        _ => cx.name_owned("Object"),
    };
    let holder = cx.current();
    let count = cx.scratch.anonymous.entry((holder, base_name)).or_insert(0);
    *count += 1;
    let name = format!("${count}");
    let name = format!("{}{name}", cx.str(base_name));
    let draft = SymbolDraft {
        kind: Some(SymbolKind::Class),
        signature: signature(cx, node.start_byte(), body.start_byte()),
        bases: vec![base],
        ..SymbolDraft::default()
    };
    let symbol = cx.define_leaf(body, NewSymbol { name: &name, owner_prefix: None, fact: draft });
    cx.scratch.bodies.insert(body.id(), symbol);
}

fn params(cx: &mut Extractor<'_>, list: Node<'_>) -> Vec<ParamFact> {
    let mut out = Vec::new();
    for param in children(list) {
        match kind(param) {
            Kind::FormalParameter => {
                let Some(name) = field(param, "name") else { continue };
                cx.scratch.take(name);
                let ty = declared(cx, field(param, "type"), field(param, "dimensions").is_some());
                let name = name_of(cx, name);
                out.push(ParamFact { name, ty, default: None, variadic: false });
            }
            Kind::SpreadParameter => {
                let parts = children(param);
                let Some(name) = parts.iter().find(|p| kind(**p) == Kind::Declarator).and_then(|d| field(*d, "name"))
                else {
                    continue;
                };
                cx.scratch.take(name);
                let ty = parts
                    .iter()
                    .find(|p| !matches!(kind(**p), Kind::Declarator | Kind::Modifiers | Kind::Annotation))
                    .copied();
                let ty = declared(cx, ty, true);
                let name = name_of(cx, name);
                out.push(ParamFact { name, ty, default: None, variadic: true });
            }
            _ => {}
        }
    }
    out
}

/// A method, a constructor, an element of an annotation type.
pub(super) fn method(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name_node) = field(node, "name") else { return };
    cx.scratch.take(name_node);
    let name = cx.text(name_node);
    let modifiers = modifiers(cx, node);
    let holder = cx.current();
    let body = field(node, "body");
    let end = body.map_or(node.end_byte(), |b| b.start_byte());
    let mut draft = SymbolDraft {
        kind: Some(SymbolKind::Method),
        signature: signature(cx, modifiers.signature_start, end),
        doc: doc(cx, node),
        flags: modifiers.flags,
        decorators: modifiers.decorators,
        type_params: type_params(cx, node),
        ..SymbolDraft::default()
    };
    if let Some(list) = field(node, "parameters") {
        draft.params = params(cx, list);
    } else if node.kind() == "compact_constructor_declaration" {
        // It takes what the record's header lists.
        draft.params = cx.facts().symbol(holder).params.clone();
    }
    let constructor = kind(node) == Kind::Constructor;
    draft.flags.is_constructor = constructor;
    draft.flags.is_abstract |= body.is_none() && !constructor;
    draft.flags.exported |= in_interface(cx);
    draft.flags.entry_point |= name == "main" && draft.flags.is_static;
    if !constructor {
        draft.returns = declared(cx, field(node, "type"), field(node, "dimensions").is_some());
    }
    let symbol = cx.define(node, NewSymbol { name, owner_prefix: None, fact: draft });
    open(cx, symbol);
}

/// Fields; those that are `static final`, and an interface's, are constants with a symbol of their own.
pub(super) fn fields(cx: &mut Extractor<'_>, node: Node<'_>) {
    let modifiers = modifiers(cx, node);
    let class = cx.current();
    let constant = (modifiers.flags.is_static && modifiers.is_final) || in_interface(cx);
    let ty = field(node, "type");
    for declarator in crate::lang::syntax::fields(node, "declarator") {
        let Some(name_node) = field(declarator, "name") else { continue };
        cx.scratch.take(name_node);
        let name = cx.text(name_node);
        let ty = declared(cx, ty, field(declarator, "dimensions").is_some());
        let value = field(declarator, "value").map(|v| expr::value(cx, v, 0)).filter(|v| *v != cx.unknown());
        let line = cx.line(declarator);
        let interned = cx.name(name);
        cx.attr(AttrFact { class, name: interned, scope: class, line, value, ty });
        if !constant {
            continue;
        }
        let draft = SymbolDraft {
            kind: Some(SymbolKind::Constant),
            signature: signature(cx, modifiers.signature_start, node.end_byte()),
            doc: doc(cx, node),
            flags: SymbolFlags {
                is_static: true,
                exported: modifiers.flags.exported || in_interface(cx),
                ..SymbolFlags::default()
            },
            decorators: modifiers.decorators.clone(),
            values: value.into_iter().collect(),
            ty,
            ..SymbolDraft::default()
        };
        cx.define_leaf(node, NewSymbol { name, owner_prefix: None, fact: draft });
    }
}
