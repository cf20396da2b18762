//! Go.

use tree_sitter::Node;

use super::scratch::{add_value, bind_range, is_local};
use super::syntax::{self, children, field, fields, first_child, kinds, name_of};
use super::{LanguageSupport, Leaf, ModuleSystem, Semantics, Visit};
use crate::extract::{Extractor, NewSymbol, SymbolDraft};
use crate::facts::*;

mod expr;
mod bind;
mod define;

/// Go.
pub struct Support;

static SEMANTICS: Semantics = Semantics {
    modules: ModuleSystem::Go,
    builtins: &[
        "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new",
        "panic", "print", "println", "real", "recover", "any", "bool", "byte", "comparable", "complex64",
        "complex128", "error", "float32", "float64", "int", "int8", "int16", "int32", "int64", "rune", "string",
        "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "true", "false", "nil", "iota",
    ],
    builtin_methods: &[
        "Add", "Bytes", "Cancel", "Close", "Copy", "Deadline", "Delete", "Do", "Done", "Err", "Error", "Errorf",
        "Fatal", "Fatalf", "Flush", "Format", "Get", "Has", "Helper", "Key", "Len", "Less", "Load", "Lock", "Log",
        "Logf", "Name", "Next", "Print", "Printf", "Println", "Put", "RLock", "RUnlock", "Read", "Run", "Seconds",
        "Set", "Size", "Skip", "Sleep", "Store", "String", "Sub", "Swap", "Unlock", "Unwrap", "Value", "Wait",
        "Write", "WriteString",
    ],
    constructors: &[],
    implicit_this: false,
    package_scope: true,
    class_scope_visible: false,
};

kinds! { tree_sitter_go::LANGUAGE;
    PackageClause = "package_clause", ImportSpec = "import_spec",
    FunctionDecl = "function_declaration", MethodDecl = "method_declaration", MethodElem = "method_elem",
    TypeSpec = "type_spec", TypeAlias = "type_alias", ConstSpec = "const_spec", VarSpec = "var_spec",
    StructType = "struct_type", InterfaceType = "interface_type", FieldDecl = "field_declaration",
    FuncLiteral = "func_literal", Call = "call_expression", Composite = "composite_literal",
    Selector = "selector_expression", Index = "index_expression", Slice = "slice_expression",
    TypeInstantiation = "type_instantiation_expression", TypeAssertion = "type_assertion_expression",
    TypeConversion = "type_conversion_expression", Parenthesized = "parenthesized_expression",
    Unary = "unary_expression", Binary = "binary_expression",
    StringLiteral = "interpreted_string_literal" | "raw_string_literal",
    NumberLiteral = "int_literal" | "float_literal" | "imaginary_literal" | "rune_literal" | "iota",
    BoolLiteral = "true" | "false", Nil = "nil", Identifier = "identifier",
    TypeIdentifier = "type_identifier", QualifiedType = "qualified_type", PointerType = "pointer_type",
    ParenthesizedType = "parenthesized_type", NegatedType = "negated_type", GenericType = "generic_type",
    TypeElem = "type_elem", TypeConstraint = "type_constraint", SliceType = "slice_type", ArrayType = "array_type",
    ImplicitArrayType = "implicit_length_array_type", MapType = "map_type", ChannelType = "channel_type",
    FunctionType = "function_type", ParameterList = "parameter_list", Parameter = "parameter_declaration",
    VariadicParameter = "variadic_parameter_declaration", TypeParameter = "type_parameter_declaration",
    ShortVar = "short_var_declaration", Assignment = "assignment_statement", RangeClause = "range_clause",
    Receive = "receive_statement", TypeSwitch = "type_switch_statement", TypeCase = "type_case",
    Return = "return_statement", ArgumentList = "argument_list", KeyedElement = "keyed_element",
    LiteralElement = "literal_element", LiteralValue = "literal_value", ExpressionList = "expression_list",
    IncDec = "inc_statement" | "dec_statement",
    Block = "block" | "if_statement" | "for_statement" | "expression_switch_statement" | "expression_case"
        | "default_case" | "communication_case",
}

impl LanguageSupport for Support {
    fn name(&self) -> &'static str {
        "go"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["go"]
    }
    fn grammar(&self, _extension: &str) -> tree_sitter::Language {
        tree_sitter_go::LANGUAGE.into()
    }
    fn leaf(&self, kind: &str) -> Leaf {
        match kind {
            "identifier" | "field_identifier" | "type_identifier" | "package_identifier" | "label_name" => {
                Leaf::Identifier
            }
            "interpreted_string_literal_content" | "raw_string_literal_content" => Leaf::String,
            "comment" => Leaf::Comment,
            _ => Leaf::None,
        }
    }
    fn visit(&self, node: Node<'_>, cx: &mut Extractor<'_>) -> Visit {
        visit(node, cx)
    }
    fn is_test_file(&self, path: &str) -> bool {
        path.ends_with("_test.go")
    }
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

fn visit(node: Node<'_>, cx: &mut Extractor<'_>) -> Visit {
    match kind(node) {
        Kind::PackageClause => {
            if let Some(name) = first_child(node) {
                let text = cx.text(name);
                cx.package(text);
                let doc = define::doc(cx, node);
                if !doc.is_empty() {
                    cx.module_doc(&doc);
                }
            }
        }
        Kind::ImportSpec => {
            import(cx, node);
            return Visit::Skip;
        }
        Kind::FunctionDecl => define::function(cx, node),
        Kind::MethodDecl => define::method(cx, node),
        Kind::MethodElem => define::interface_method(cx, node),
        Kind::TypeSpec | Kind::TypeAlias => define::type_spec(cx, node),
        Kind::ConstSpec => define::const_or_var(cx, node, SymbolKind::Constant),
        Kind::VarSpec => define::const_or_var(cx, node, SymbolKind::Variable),
        Kind::FuncLiteral => func_literal(cx, node),
        Kind::Call => call(cx, node),
        Kind::Composite => composite(cx, node),
        Kind::Selector => mention(cx, node),
        Kind::Identifier => mention_name(cx, node),
        Kind::TypeIdentifier | Kind::QualifiedType => mention_type(cx, node),
        Kind::ShortVar => bind::assign(cx, node, true),
        Kind::Assignment => bind::assign(cx, node, false),
        Kind::RangeClause => bind::range(cx, node),
        Kind::Receive => bind::receive(cx, node),
        Kind::TypeSwitch => bind::type_switch(cx, node),
        Kind::IncDec => {
            if let Some(target) = first_child(node) {
                bind::write(cx, target);
            }
        }
        Kind::Return => returns(cx, node),
        Kind::ArgumentList | Kind::ExpressionList => pass_children(cx, node),
        Kind::KeyedElement => keyed_element(cx, node),
        Kind::LiteralElement => pass_children(cx, node),
        Kind::TypeConversion => conversion(cx, node),
        Kind::Parameter | Kind::VariadicParameter => fields(node, "name").into_iter().for_each(|n| cx.scratch.take(n)),
        Kind::TypeParameter => {
            for name in fields(node, "name") {
                cx.scratch.take(name);
                let name = name_of(cx, name);
                let scope = cx.current();
                cx.scratch.local(scope, name);
            }
        }
        Kind::TypeCase | Kind::Block => open_block(cx, node),
        _ => {}
    }
    Visit::Children
}

fn open_block(cx: &mut Extractor<'_>, node: Node<'_>) {
    let end = cx.end_line(node);
    cx.scratch.open_block(node, end);
}

fn import(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(path) = field(node, "path") else { return };
    let module = cx.text(path).trim_matches(['"', '`']);
    let module = cx.name(module);
    let what = match field(node, "name") {
        None => ImportWhat::Module { alias: None },
        Some(name) => match cx.text(name) {
            "." => ImportWhat::Star,
            "_" => ImportWhat::Effect,
            alias => ImportWhat::Module { alias: Some(cx.name(alias)) },
        },
    };
    let line = cx.line(node);
    cx.import(ImportFact {
        scope: SymbolIdx::MODULE,
        line,
        module,
        level: 0,
        what,
        reexport: false,
        type_only: false,
    });
}

/// Whether a name is the local name of an imported package, as far as the file can tell.
fn is_import(cx: &Extractor<'_>, text: &str) -> bool {
    cx.facts().imports.iter().any(|i| match i.what {
        ImportWhat::Module { alias: Some(alias) } => cx.str(alias) == text,
        ImportWhat::Module { alias: None } => package_name(cx.str(i.module)) == text,
        _ => false,
    })
}

/// The usual name of the package at an import path: the last part, without `/v2`, `.v3`, `go-`.
fn package_name(path: &str) -> &str {
    let is_version = |s: &str| s.strip_prefix('v').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let mut parts = path.rsplit('/');
    let mut last = parts.next().unwrap_or(path);
    if is_version(last) {
        last = parts.next().unwrap_or(last);
    }
    if let Some((head, version)) = last.rsplit_once('.')
        && is_version(version)
    {
        last = head;
    }
    last.strip_prefix("go-").unwrap_or(last)
}

fn func_literal(cx: &mut Extractor<'_>, node: Node<'_>) {
    // A function bound to a package variable has a symbol of its own, opened over the whole spec.
    if let Some(symbol) = cx.scratch.bodies.get(&node.id()).copied() {
        cx.reenter(node, symbol);
        return;
    }
    cx.scratch.open_lambda(node);
    open_block(cx, node);
    let (line, end_line) = (cx.line(node), cx.end_line(node));
    for list in ["parameters", "result"] {
        let Some(list) = field(node, list) else { continue };
        for param in define::params(cx, list) {
            let unknown = cx.unknown();
            bind_range(cx, param.name, line, end_line, BindKind::Assign, unknown, param.ty);
        }
    }
}

fn call(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(function) = field(node, "function") else { return };
    let arguments = field(node, "arguments");
    let mut args = 0u32;
    if let Some(list) = arguments {
        for arg in children(list) {
            if arg.kind() == "variadic_argument" {
                args = 255;
                break;
            }
            args += 1;
        }
    }
    let args = args.min(255) as u8;
    if kind(function) == Kind::Identifier
        && cx.text(function) == "new"
        && let Some(ty) = arguments.and_then(first_child)
    {
        cx.scratch.take(function);
        construct(cx, ty);
        return;
    }
    if matches!(kind(function), Kind::FuncLiteral) {
        return;
    }
    let callee = expr::callee(cx, function, 0);
    if let Some(list) = arguments {
        handlers(cx, callee, list);
    }
    let last = take_callee(cx, function);
    if !matches!(cx.facts().expr(callee), Expr::Unknown | Expr::Literal(_)) {
        let line = cx.line(last);
        cx.call(callee, line, args, false);
    }
}

/// Functions that are handed to a router for a path run when it is asked for.
fn handlers(cx: &mut Extractor<'_>, callee: ExprId, list: Node<'_>) {
    const ROUTES: &[&str] = &[
        "HandleFunc", "Handle", "HandlerFunc", "GET", "POST", "PUT", "DELETE", "PATCH", "Get", "Post", "Put", "Delete",
        "Patch", "Any", "Use",
    ];
    let Expr::Attr(_, name) = cx.facts().expr(callee) else { return };
    if !ROUTES.contains(&cx.str(*name)) {
        return;
    }
    for arg in syntax::first_children(list, 8) {
        let last = match kind(arg) {
            Kind::Identifier => Some(arg),
            Kind::Selector => field(arg, "field"),
            _ => None,
        };
        if let Some(last) = last {
            let name = name_of(cx, last);
            cx.scratch.handlers.insert(name);
        }
    }
}

/// `f[T](x)` reads like a conversion to the type `f[T]`.
fn conversion(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(ty) = field(node, "type").filter(|t| kind(*t) == Kind::GenericType) else { return };
    let Some(name) = field(ty, "type") else { return };
    let callee = expr::type_of(cx, name, 0);
    take_type(cx, name);
    let line = cx.line(field(name, "name").unwrap_or(name));
    cx.call(callee, line, 1, false);
}

/// Marks a type's own name as dealt with; its arguments are still visited.
fn take_type(cx: &mut Extractor<'_>, node: Node<'_>) {
    let mut node = node;
    for _ in 0..16 {
        cx.scratch.take(node);
        let next = match kind(node) {
            Kind::GenericType => field(node, "type"),
            Kind::QualifiedType => field(node, "name"),
            Kind::PointerType | Kind::ParenthesizedType => first_child(node),
            _ => None,
        };
        match next {
            Some(next) => node = next,
            None => break,
        }
    }
}

/// Marks the called name as dealt with, and gives the node of its last part.
fn take_callee<'t>(cx: &mut Extractor<'_>, function: Node<'t>) -> Node<'t> {
    let mut node = function;
    for _ in 0..16 {
        cx.scratch.take(node);
        let next = match kind(node) {
            Kind::Parenthesized => first_child(node),
            Kind::Unary | Kind::Index => field(node, "operand"),
            Kind::Selector => return field(node, "field").unwrap_or(node),
            _ => None,
        };
        match next {
            Some(next) => node = next,
            None => break,
        }
    }
    node
}

fn is_nominal(cx: &Extractor<'_>, ty: ExprId) -> bool {
    match cx.facts().expr(ty) {
        Expr::Name(_) | Expr::Attr(..) => true,
        Expr::Generic(base, _) => matches!(cx.facts().expr(*base), Expr::Name(_) | Expr::Attr(..)),
        _ => false,
    }
}

fn composite(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(ty) = field(node, "type") else { return };
    construct(cx, ty);
    // `Cart{owner: x}` gives the field a value.
    let class = expr::type_of(cx, ty, 0);
    if !is_nominal(cx, class) {
        return;
    }
    let made = cx.expr(Expr::New(class));
    for element in field(node, "body").map(|body| syntax::first_children(body, 64)).unwrap_or_default() {
        if kind(element) == Kind::KeyedElement
            && let Some(key) = field(element, "key").and_then(first_child)
            && kind(key) == Kind::Identifier
        {
            let name = name_of(cx, key);
            let written = cx.expr(Expr::Attr(made, name));
            let line = cx.line(key);
            cx.reference(written, line, Access::Write);
        }
    }
}

fn construct(cx: &mut Extractor<'_>, node: Node<'_>) {
    let line = cx.line(node);
    let ty = expr::type_of(cx, node, 0);
    if is_nominal(cx, ty) {
        take_type(cx, node);
        let class = match cx.facts().expr(ty) {
            Expr::Generic(base, _) => *base,
            _ => ty,
        };
        cx.call(class, line, 0, true);
    }
}

fn keyed_element(cx: &mut Extractor<'_>, node: Node<'_>) {
    // A key may name a struct field or a constant; what it is depends on the literal's type. Fields are the rule.
    if let Some(key) = field(node, "key")
        && let Some(inner) = first_child(key)
        && kind(inner) == Kind::Identifier
    {
        cx.scratch.take(inner);
    }
}

fn pass_children(cx: &mut Extractor<'_>, node: Node<'_>) {
    for child in syntax::first_children(node, 64) {
        if matches!(kind(child), Kind::Identifier | Kind::Selector) {
            cx.scratch.pass(child);
        }
    }
}

/// A field or a package's name that is mentioned without a call.
fn mention(cx: &mut Extractor<'_>, node: Node<'_>) {
    if cx.scratch.is_taken(node) {
        return;
    }
    let access = cx.scratch.access(node);
    let line = field(node, "field").map_or(cx.line(node), |f| cx.line(f));
    let expr = expr::value(cx, node, 0);
    cx.reference(expr, line, access);
}

fn mention_name(cx: &mut Extractor<'_>, node: Node<'_>) {
    let text = cx.text(node);
    if text == "_" || cx.scratch.is_taken(node) || SEMANTICS.builtins.contains(&text) {
        return;
    }
    let name = cx.name(text);
    if is_local(cx, name) || is_import(cx, text) {
        return;
    }
    let access = cx.scratch.access(node);
    let line = cx.line(node);
    let expr = expr::value(cx, node, 0);
    cx.reference(expr, line, access);
}

fn mention_type(cx: &mut Extractor<'_>, node: Node<'_>) {
    if cx.scratch.is_taken(node) {
        return;
    }
    if let Some(name) = field(node, "name") {
        cx.scratch.take(name);
    }
    let expr = expr::type_of(cx, node, 0);
    let local = match cx.facts().expr(expr) {
        Expr::Name(name) => is_local(cx, *name) || SEMANTICS.builtins.contains(&cx.str(*name)),
        Expr::Attr(..) => false,
        _ => true,
    };
    if !local {
        let line = cx.line(node);
        cx.reference(expr, line, Access::Type);
    }
}

fn returns(cx: &mut Extractor<'_>, node: Node<'_>) {
    if cx.scratch.in_lambda(node) {
        return;
    }
    let symbol = cx.current();
    if let Some(first) = first_child(node).and_then(first_child)
        && kind(first) != Kind::Nil
    {
        let value = expr::value(cx, first, 0);
        add_value(cx, symbol, value);
    }
}

fn draft(cx: &Extractor<'_>, kind: SymbolKind, name: &str, start: usize, end: usize, doc: String) -> SymbolDraft {
    let exported = name.chars().next().is_some_and(char::is_uppercase);
    SymbolDraft {
        kind: Some(kind),
        signature: syntax::signature(cx, start, end),
        doc,
        flags: SymbolFlags { exported, ..SymbolFlags::default() },
        ..SymbolDraft::default()
    }
}

fn new_symbol<'a>(name: &'a str, owner_prefix: Option<&'a str>, fact: SymbolDraft) -> NewSymbol<'a> {
    NewSymbol { name, owner_prefix, fact }
}
