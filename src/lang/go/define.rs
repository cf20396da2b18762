//! Go's definitions.

use tree_sitter::Node;

use super::{Kind, draft, expr, kind, new_symbol};
use crate::extract::Extractor;
use crate::facts::*;
use crate::lang::scratch::{bind_local, bind_range};
use crate::lang::syntax::{DocStyle, children, doc_above, field, fields, first_child, name_of};

const DOC: DocStyle =
    DocStyle { line: "//", block: "/*", directives: &["//go:", "//nolint", "//lint:", "// +build", "//export "] };

/// The doc comment above a declaration; none if something else begins its line.
pub(super) fn doc(cx: &Extractor<'_>, node: Node<'_>) -> String {
    let start = node.start_byte();
    let source = cx.source();
    let line_start = source[..start].rfind('\n').map_or(0, |i| i + 1);
    if matches!(source[line_start..start].trim(), "" | "type" | "const" | "var") {
        doc_above(source, start, DOC)
    } else {
        String::new()
    }
}

/// Parameters of a list, a name at a time; unnamed ones are `_`.
pub(super) fn params(cx: &mut Extractor<'_>, list: Node<'_>) -> Vec<ParamFact> {
    let mut out = Vec::new();
    if kind(list) != Kind::ParameterList {
        return out;
    }
    for param in children(list) {
        let variadic = kind(param) == Kind::VariadicParameter;
        if !variadic && kind(param) != Kind::Parameter {
            continue;
        }
        let mut ty = field(param, "type").map(|t| expr::type_of(cx, t, 0));
        if variadic && let Some(element) = ty {
            let list = cx.expr(Expr::Literal(LiteralKind::List));
            ty = Some(cx.expr(Expr::Generic(list, [element].into())));
        }
        let names = fields(param, "name");
        if names.is_empty() {
            let name = cx.name("_");
            out.push(ParamFact { name, ty, default: None, variadic });
        }
        for name in names {
            cx.scratch.take(name);
            let name = name_of(cx, name);
            out.push(ParamFact { name, ty, default: None, variadic });
        }
    }
    out
}

fn type_params(cx: &mut Extractor<'_>, node: Node<'_>) -> Vec<(Name, Option<ExprId>)> {
    let mut out = Vec::new();
    let Some(list) = field(node, "type_parameters") else { return out };
    for param in children(list) {
        if kind(param) != Kind::TypeParameter {
            continue;
        }
        let bound = field(param, "type").map(|t| expr::type_of(cx, t, 0));
        for name in fields(param, "name") {
            out.push((name_of(cx, name), bound));
        }
    }
    out
}

/// Parameters, results and type parameters of anything callable.
fn callable(cx: &mut Extractor<'_>, node: Node<'_>, draft: &mut crate::extract::SymbolDraft) {
    draft.type_params = type_params(cx, node);
    if let Some(list) = field(node, "parameters") {
        draft.params.extend(params(cx, list));
    }
    draft.returns = field(node, "result").map(|r| expr::result_type(cx, r, 0));
}

/// After a function's scope is open: its parameters and named results are local names.
fn open_function(cx: &mut Extractor<'_>, symbol: SymbolIdx, node: Node<'_>) {
    let names: Vec<Name> = cx.facts().symbol(symbol).params.iter().map(|p| p.name).collect();
    for name in names {
        cx.scratch.local(symbol, name);
    }
    let Some(result) = field(node, "result") else { return };
    for param in params(cx, result) {
        if cx.str(param.name) != "_" {
            let unknown = cx.unknown();
            let (line, end_line) = (cx.line(node), cx.end_line(node));
            bind_range(cx, param.name, line, end_line, BindKind::Assign, unknown, param.ty);
        }
    }
}

fn body_start(node: Node<'_>) -> usize {
    field(node, "body").map_or(node.end_byte(), |b| b.start_byte())
}

pub(super) fn function(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name_node) = field(node, "name") else { return };
    cx.scratch.take(name_node);
    let name = cx.text(name_node);
    let doc = doc(cx, node);
    let mut draft = draft(cx, SymbolKind::Function, name, node.start_byte(), body_start(node), doc);
    callable(cx, node, &mut draft);
    let is_main = cx.facts().package.is_some_and(|p| cx.str(p) == "main");
    draft.flags.entry_point = name == "init" || (name == "main" && is_main);
    draft.flags.is_test = is_test(cx, name, node);
    draft.flags.is_abstract = field(node, "body").is_none();
    let symbol = cx.define(node, new_symbol(name, None, draft));
    open_function(cx, symbol, node);
}

/// `TestX(t *testing.T)` and its kin, by name and parameter.
fn is_test(cx: &Extractor<'_>, name: &str, node: Node<'_>) -> bool {
    let Some(params) = field(node, "parameters") else { return false };
    let takes = |ty: &str| cx.text(params).contains(ty);
    let rest = |prefix: &str| {
        name.strip_prefix(prefix).is_some_and(|r| !r.chars().next().is_some_and(char::is_lowercase))
    };
    (rest("Test") && (takes("*testing.T") || takes("*testing.M")))
        || (rest("Benchmark") && takes("*testing.B"))
        || (rest("Fuzz") && takes("*testing.F"))
        || (rest("Example") && first_child(params).is_none() && field(node, "result").is_none())
}

pub(super) fn method(cx: &mut Extractor<'_>, node: Node<'_>) {
    let (Some(name_node), Some(receiver)) = (field(node, "name"), field(node, "receiver")) else { return };
    let name = cx.text(name_node);
    let doc = doc(cx, node);
    let mut draft = draft(cx, SymbolKind::Method, name, node.start_byte(), body_start(node), doc);
    draft.params = params(cx, receiver);
    draft.params.truncate(1);
    let ty = first_child(receiver).and_then(|p| field(p, "type"));
    let owner = ty.map(|t| expr::type_of(cx, t, 0));
    if let Some(ty) = ty {
        super::take_type(cx, ty);
    }
    let owner = owner.map(|o| match cx.facts().expr(o) {
        // The type parameters that a generic receiver names belong to the method.
        Expr::Generic(base, args) => {
            let (base, args) = (*base, args.clone());
            for arg in args {
                if let Expr::Name(param) = cx.facts().expr(arg) {
                    draft.type_params.push((*param, None));
                }
            }
            base
        }
        _ => o,
    });
    draft.owner = owner;
    let prefix = owner.and_then(|o| match cx.facts().expr(o) {
        Expr::Name(n) | Expr::Attr(_, n) => Some(cx.str(*n).to_owned()),
        _ => None,
    });
    let mut receiver_params = std::mem::take(&mut draft.type_params);
    callable(cx, node, &mut draft);
    receiver_params.append(&mut draft.type_params);
    draft.type_params = receiver_params;
    let type_params: Vec<Name> = draft.type_params.iter().map(|p| p.0).collect();
    let symbol = cx.define(node, new_symbol(name, prefix.as_deref(), draft));
    for param in type_params {
        cx.scratch.local(symbol, param);
    }
    open_function(cx, symbol, node);
}

pub(super) fn interface_method(cx: &mut Extractor<'_>, node: Node<'_>) {
    let holder = cx.current();
    let Some(name_node) = field(node, "name") else { return };
    if cx.facts().symbol(holder).kind != SymbolKind::Interface {
        return;
    }
    let name = cx.text(name_node);
    let doc = doc(cx, node);
    let mut draft = draft(cx, SymbolKind::Method, name, node.start_byte(), node.end_byte(), doc);
    callable(cx, node, &mut draft);
    draft.flags.is_abstract = true;
    cx.define(node, new_symbol(name, None, draft));
}

pub(super) fn type_spec(cx: &mut Extractor<'_>, node: Node<'_>) {
    let (Some(name_node), Some(ty)) = (field(node, "name"), field(node, "type")) else { return };
    cx.scratch.take(name_node);
    let name = cx.text(name_node);
    let doc = doc(cx, node);
    let what = match kind(ty) {
        Kind::StructType => SymbolKind::Struct,
        Kind::InterfaceType => SymbolKind::Interface,
        // `type ID int64` is a type of its own with its own methods, unlike `type ID = int64`.
        Kind::TypeIdentifier if kind(node) == Kind::TypeSpec && is_basic(cx.text(ty)) => SymbolKind::Struct,
        _ => SymbolKind::TypeAlias,
    };
    let composite = matches!(kind(ty), Kind::StructType | Kind::InterfaceType);
    let end = if composite { ty.start_byte() } else { node.end_byte() };
    let mut draft = draft(cx, what, name, node.start_byte(), end, doc);
    let keyword = match what {
        SymbolKind::Struct if composite => " struct",
        SymbolKind::Interface => " interface",
        _ => "",
    };
    draft.signature = format!("type {}{keyword}", draft.signature);
    draft.type_params = type_params(cx, node);
    let fields_list = first_child(ty).filter(|_| what == SymbolKind::Struct).map(children).unwrap_or_default();
    match what {
        SymbolKind::Struct => {
            for f in fields_list.iter().filter(|f| fields(**f, "name").is_empty()) {
                if let Some(ty) = field(*f, "type") {
                    draft.bases.push(expr::type_of(cx, ty, 0));
                }
            }
        }
        SymbolKind::Interface => {
            // `~int | ~string` is a constraint, no base.
            for elem in children(ty).into_iter().filter(|e| kind(*e) == Kind::TypeElem) {
                if let [only] = children(elem)[..]
                    && matches!(kind(only), Kind::TypeIdentifier | Kind::QualifiedType | Kind::GenericType)
                {
                    draft.bases.push(expr::type_of(cx, only, 0));
                }
            }
        }
        _ => draft.ty = Some(expr::type_of(cx, ty, 0)),
    }
    let symbol = cx.define(node, new_symbol(name, None, draft));
    for f in fields_list {
        struct_field(cx, symbol, f);
    }
}

fn is_basic(name: &str) -> bool {
    name.starts_with("int")
        || name.starts_with("uint")
        || matches!(name, "string" | "bool" | "byte" | "rune" | "error" | "any")
        || name.starts_with("float")
        || name.starts_with("complex")
}

fn struct_field(cx: &mut Extractor<'_>, class: SymbolIdx, node: Node<'_>) {
    if kind(node) != Kind::FieldDecl {
        return;
    }
    let ty = field(node, "type").map(|t| expr::type_of(cx, t, 0));
    let line = cx.line(node);
    let mut names: Vec<Name> = fields(node, "name").into_iter().map(|n| name_of(cx, n)).collect();
    if names.is_empty()
        && let Some(ty) = ty
    {
        names.extend(type_name(cx, ty));
    }
    for name in names {
        cx.attr(AttrFact { class, name, scope: class, line, value: None, ty });
    }
}

/// The name under which an embedded type is a field.
fn type_name(cx: &Extractor<'_>, ty: ExprId) -> Option<Name> {
    match cx.facts().expr(ty) {
        Expr::Name(n) | Expr::Attr(_, n) => Some(*n),
        Expr::Generic(base, _) => type_name(cx, *base),
        _ => None,
    }
}

pub(super) fn const_or_var(cx: &mut Extractor<'_>, node: Node<'_>, what: SymbolKind) {
    let ty = field(node, "type").map(|t| expr::type_of(cx, t, 0));
    let values = field(node, "value").map(children).unwrap_or_default();
    let names: Vec<Node<'_>> = fields(node, "name").into_iter().filter(|n| kind(*n) == Kind::Identifier).collect();
    let matched = names.len() == values.len();
    let package_level = cx.current() == SymbolIdx::MODULE;
    let single = names.len() == 1;
    for (i, name_node) in names.into_iter().enumerate() {
        cx.scratch.take(name_node);
        let name = cx.text(name_node);
        let source = if matched || i == 0 { values.get(i).copied() } else { None };
        let value = source.map_or(cx.unknown(), |v| expr::value(cx, v, 0));
        let interned = cx.name(name);
        if name != "_" {
            bind_local(cx, node, interned, BindKind::Assign, value, ty);
        }
        if !package_level || (name == "_" && source.is_none()) {
            continue;
        }
        let doc = doc(cx, node);
        let mut draft = draft(cx, what, name, node.start_byte(), node.end_byte(), doc);
        let word = if what == SymbolKind::Constant { "const" } else { "var" };
        draft.signature = format!("{word} {}", draft.signature);
        draft.ty = ty;
        if value != cx.unknown() {
            draft.values.push(value);
        }
        let function = source.filter(|s| kind(*s) == Kind::FuncLiteral);
        if let Some(literal) = function {
            let start = literal.start_byte();
            draft.kind = Some(SymbolKind::Function);
            draft.values.clear();
            draft.signature = format!("{word} {}", crate::lang::syntax::signature(cx, node.start_byte(), start));
            callable(cx, literal, &mut draft);
            let symbol = cx.define_leaf(node, new_symbol(name, None, draft));
            let names: Vec<Name> = cx.facts().symbol(symbol).params.iter().map(|p| p.name).collect();
            for name in names {
                cx.scratch.local(symbol, name);
            }
            cx.scratch.bodies.insert(literal.id(), symbol);
        } else if single && source.is_some_and(|s| cx.text(s).contains("func(")) {
            // Functions inside the value (a command's `Run`, a table of handlers) run later, on behalf of the variable.
            cx.define(node, new_symbol(name, None, draft));
        } else {
            cx.define_leaf(node, new_symbol(name, None, draft));
        }
    }
}
