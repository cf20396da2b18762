//! Java.

use tree_sitter::Node;

use super::scratch::{add_value, bind_local, is_local};
use super::syntax::{children, field, first_child, first_children, kinds, name_of};
use super::{LanguageSupport, Leaf, ModuleSystem, Semantics, Visit};
use crate::extract::Extractor;
use crate::facts::*;

mod bind;
mod define;
mod expr;

/// Java.
pub struct Support;

static SEMANTICS: Semantics = Semantics {
    modules: ModuleSystem::Java,
    builtins: &[
        "ArithmeticException", "AssertionError", "AutoCloseable", "Boolean", "Byte", "CharSequence", "Character",
        "Class", "ClassCastException", "ClassLoader", "ClassNotFoundException", "CloneNotSupportedException",
        "Cloneable", "Comparable", "Deprecated", "Double", "Enum", "Error", "Exception", "Float",
        "FunctionalInterface", "IllegalAccessException", "IllegalArgumentException", "IllegalStateException",
        "IndexOutOfBoundsException", "InstantiationException", "Integer", "InterruptedException", "Iterable",
        "LinkageError", "Long", "Math", "NoSuchFieldException", "NoSuchMethodException", "NullPointerException",
        "Number", "NumberFormatException", "Object", "OutOfMemoryError", "Override", "Process", "Record",
        "Runnable", "Runtime", "RuntimeException", "SafeVarargs", "SecurityException", "Short", "StackOverflowError",
        "StackTraceElement", "String", "StringBuffer", "StringBuilder", "SuppressWarnings", "System", "Thread",
        "ThreadLocal", "Throwable", "UnsupportedOperationException", "Void",
    ],
    builtin_methods: &[
        "accept", "add", "addAll", "and", "append", "apply", "asList", "charAt", "clear", "clone", "close", "collect",
        "compareTo", "contains", "containsKey", "count", "endsWith", "entrySet", "equals", "filter", "find", "findFirst",
        "flatMap", "flush", "forEach", "format", "get", "getBytes", "getCause", "getClass", "getKey", "getMessage",
        "getName", "getOrDefault", "getSimpleName", "getValue", "hasNext", "hashCode", "indexOf", "intValue", "isEmpty",
        "isPresent", "iterator", "join", "keySet", "length", "limit", "map", "name", "next", "of", "ofNullable", "or",
        "orElse", "ordinal", "parseInt", "print", "printStackTrace", "println", "put", "putAll", "read", "remove",
        "replace", "run", "set", "size", "sort", "split", "startsWith", "stream", "submit", "substring", "test",
        "toArray", "toList", "toLowerCase", "toString", "toUpperCase", "trim", "valueOf", "values", "write",
    ],
    constructors: &["<init>"],
    implicit_this: true,
    package_scope: true,
    class_scope_visible: true,
};

kinds! { tree_sitter_java::LANGUAGE;
    Package = "package_declaration", Import = "import_declaration", ModuleDecl = "module_declaration",
    Class = "class_declaration", Interface = "interface_declaration" | "annotation_type_declaration",
    EnumDecl = "enum_declaration", Record = "record_declaration", EnumConstant = "enum_constant",
    ClassBody = "class_body", Method = "method_declaration" | "annotation_type_element_declaration",
    Constructor = "constructor_declaration" | "compact_constructor_declaration",
    FieldDecl = "field_declaration" | "constant_declaration", Local = "local_variable_declaration",
    Declarator = "variable_declarator", EnhancedFor = "enhanced_for_statement", Resource = "resource",
    Catch = "catch_clause", CatchType = "catch_type", Instanceof = "instanceof_expression", TypePattern = "type_pattern",
    RecordPattern = "record_pattern_component",
    Lambda = "lambda_expression", Return = "return_statement", Call = "method_invocation",
    New = "object_creation_expression", NewArray = "array_creation_expression",
    ConstructorCall = "explicit_constructor_invocation", MethodReference = "method_reference",
    Assignment = "assignment_expression", Update = "update_expression", FieldAccess = "field_access",
    ArrayAccess = "array_access", ArrayInitializer = "array_initializer", Cast = "cast_expression",
    Parenthesized = "parenthesized_expression", Ternary = "ternary_expression", Binary = "binary_expression", Unary = "unary_expression",
    ClassLiteral = "class_literal", This = "this", Super = "super",
    Identifier = "identifier", ScopedIdentifier = "scoped_identifier",
    TypeIdentifier = "type_identifier", ScopedType = "scoped_type_identifier", GenericType = "generic_type",
    ArrayType = "array_type", AnnotatedType = "annotated_type", Wildcard = "wildcard", TypeBound = "type_bound",
    TypeParameter = "type_parameter", NumberType = "integral_type" | "floating_point_type", BoolType = "boolean_type",
    VoidType = "void_type", Annotation = "annotation" | "marker_annotation", Modifiers = "modifiers",
    ElementPair = "element_value_pair",
    FormalParameter = "formal_parameter", SpreadParameter = "spread_parameter", Arguments = "argument_list",
    Labeled = "labeled_statement", Jump = "break_statement" | "continue_statement",
    StringLiteral = "string_literal",
    NumberLiteral = "decimal_integer_literal" | "hex_integer_literal" | "octal_integer_literal"
        | "binary_integer_literal" | "decimal_floating_point_literal" | "hex_floating_point_literal" | "character_literal",
    BoolLiteral = "true" | "false", Null = "null_literal",
    Block = "block" | "constructor_body" | "for_statement" | "while_statement" | "if_statement"
        | "try_with_resources_statement" | "switch_block_statement_group" | "switch_rule",
}

impl LanguageSupport for Support {
    fn name(&self) -> &'static str {
        "java"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["java"]
    }
    fn grammar(&self, _extension: &str) -> tree_sitter::Language {
        tree_sitter_java::LANGUAGE.into()
    }
    fn leaf(&self, kind: &str) -> Leaf {
        match kind {
            "identifier" | "type_identifier" => Leaf::Identifier,
            "string_fragment" | "multiline_string_fragment" => Leaf::String,
            "line_comment" | "block_comment" => Leaf::Comment,
            _ => Leaf::None,
        }
    }
    fn visit(&self, node: Node<'_>, cx: &mut Extractor<'_>) -> Visit {
        visit(node, cx)
    }
    fn is_test_file(&self, path: &str) -> bool {
        let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = file.strip_suffix(".java").unwrap_or(file);
        let in_tests = format!("/{folders}/");
        ["/src/test/", "/src/integrationTest/", "/src/androidTest/", "/src/testFixtures/", "/tests/", "/test/"]
            .iter()
            .any(|f| in_tests.contains(f))
            || stem.ends_with("Test")
            || stem.ends_with("Tests")
            || stem.ends_with("TestCase")
            || stem.ends_with("IT")
            || (stem.starts_with("Test") && stem[4..].starts_with(char::is_uppercase))
    }
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

fn visit(node: Node<'_>, cx: &mut Extractor<'_>) -> Visit {
    match kind(node) {
        Kind::Package => {
            if let Some(name) = children(node).into_iter().find(|c| kind(*c) != Kind::Annotation) {
                let text: String = cx.text(name).split_whitespace().collect();
                cx.package(&text);
            }
            return Visit::Skip;
        }
        Kind::Import => {
            import(cx, node);
            return Visit::Skip;
        }
        Kind::ModuleDecl => return Visit::Skip,
        Kind::Class | Kind::Interface | Kind::EnumDecl | Kind::Record => define::class(cx, node),
        Kind::EnumConstant => define::enum_constant(cx, node),
        Kind::ClassBody => {
            if let Some(symbol) = cx.scratch.bodies.get(&node.id()).copied() {
                cx.reenter(node, symbol);
            }
        }
        Kind::Method | Kind::Constructor => define::method(cx, node),
        Kind::FieldDecl => define::fields(cx, node),
        Kind::Local => bind::local(cx, node),
        Kind::EnhancedFor => bind::enhanced_for(cx, node),
        Kind::Resource => bind::resource(cx, node),
        Kind::Catch => bind::catch(cx, node),
        Kind::Instanceof => bind::instance_of(cx, node),
        Kind::TypePattern | Kind::RecordPattern => bind::type_pattern(cx, node),
        Kind::Lambda => bind::lambda(cx, node),
        Kind::Block => open_block(cx, node),
        Kind::Return => returns(cx, node),
        Kind::Call => call(cx, node),
        Kind::New => construct(cx, node),
        Kind::ConstructorCall => constructor_call(cx, node),
        Kind::MethodReference => method_reference(cx, node),
        Kind::Assignment => assign(cx, node),
        Kind::Update => {
            if let Some(target) = first_child(node) {
                write(cx, target);
            }
        }
        Kind::FieldAccess => mention(cx, node),
        Kind::Identifier => mention_name(cx, node),
        Kind::TypeIdentifier | Kind::ScopedType => mention_type(cx, node),
        Kind::Annotation => {
            if let Some(name) = field(node, "name") {
                cx.scratch.take(name);
                let line = cx.line(name);
                let expr = expr::path(cx, name, 0);
                if !is_builtin_name(cx, expr) {
                    cx.reference(expr, line, Access::Type);
                }
            }
        }
        Kind::ElementPair => {
            if let Some(key) = field(node, "key") {
                cx.scratch.take(key);
            }
        }
        Kind::ScopedIdentifier => return Visit::Skip,
        Kind::Labeled | Kind::Jump => {
            if let Some(label) = first_child(node).filter(|l| kind(*l) == Kind::Identifier) {
                cx.scratch.take(label);
            }
        }
        Kind::Arguments => {
            for arg in first_children(node, 64) {
                pass(cx, arg);
            }
        }
        Kind::Declarator => {
            if let Some(value) = field(node, "value") {
                pass(cx, value);
            }
        }
        _ => {}
    }
    Visit::Children
}

fn open_block(cx: &mut Extractor<'_>, node: Node<'_>) {
    let end = cx.end_line(node);
    cx.scratch.open_block(node, end);
}

fn pass(cx: &mut Extractor<'_>, node: Node<'_>) {
    if matches!(kind(node), Kind::Identifier | Kind::FieldAccess) {
        cx.scratch.pass(node);
    }
}

fn import(cx: &mut Extractor<'_>, node: Node<'_>) {
    let parts = children(node);
    let Some(path) = parts.iter().find(|p| matches!(kind(**p), Kind::Identifier | Kind::ScopedIdentifier)) else {
        return;
    };
    let text: String = cx.text(*path).split_whitespace().collect();
    let star = parts.iter().any(|p| p.kind() == "asterisk");
    let (module, what) = if star {
        (text.as_str(), ImportWhat::Star)
    } else {
        let (module, item) = text.rsplit_once('.').unwrap_or(("", &text));
        let item = cx.name_owned(item);
        (module, ImportWhat::Item { item, alias: item })
    };
    let module = cx.name_owned(module);
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

fn returns(cx: &mut Extractor<'_>, node: Node<'_>) {
    if cx.scratch.in_lambda(node) {
        return;
    }
    if let Some(inner) = first_child(node) {
        pass(cx, inner);
        let value = expr::value(cx, inner, 0);
        if !matches!(cx.facts().expr(value), Expr::Literal(LiteralKind::None)) {
            let symbol = cx.current();
            add_value(cx, symbol, value);
        }
    }
}

fn argument_count(node: Node<'_>) -> u8 {
    field(node, "arguments").map_or(0, |a| children(a).len().min(254)) as u8
}

fn call(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name) = field(node, "name") else { return };
    cx.scratch.take(name);
    let callee = expr::callee(cx, node, 0);
    let line = cx.line(name);
    cx.call(callee, line, argument_count(node), false);
    arguments(cx, node);
}

/// Keeps what may pick between overloads.
fn arguments(cx: &mut Extractor<'_>, node: Node<'_>) {
    let list = field(node, "arguments").map(|a| first_children(a, 8)).unwrap_or_default();
    let values: Vec<ExprId> = list.into_iter().map(|arg| expr::value(cx, arg, 0)).collect();
    cx.call_values(values);
}

fn construct(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(ty) = field(node, "type") else { return };
    let line = cx.line(ty);
    let base = expr::type_of(cx, ty, 0);
    let class = match cx.facts().expr(base) {
        Expr::Generic(head, _) => *head,
        _ => base,
    };
    if matches!(cx.facts().expr(class), Expr::Name(_) | Expr::Attr(..)) {
        let head = if kind(ty) == Kind::GenericType { first_child(ty).unwrap_or(ty) } else { ty };
        cx.scratch.take(head);
        take_scoped_type(cx, head);
        cx.call(class, line, argument_count(node), true);
        arguments(cx, node);
    }
    if let Some(body) = children(node).into_iter().find(|c| kind(*c) == Kind::ClassBody) {
        define::anonymous_class(cx, node, body, base);
    }
}

/// `this(...)` and `super(...)`: a construction of the class itself, or of its base.
fn constructor_call(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(target) = field(node, "constructor") else { return };
    let callee = cx.expr(if kind(target) == Kind::Super { Expr::Super } else { Expr::SelfType });
    let line = cx.line(target);
    cx.call(callee, line, argument_count(node), true);
    arguments(cx, node);
}

fn method_reference(cx: &mut Extractor<'_>, node: Node<'_>) {
    let last = node.child(node.child_count().saturating_sub(1));
    if let Some(last) = last {
        cx.scratch.take(last);
    }
    if last.is_some_and(|l| l.kind() == "new")
        && let Some(class) = first_child(node)
    {
        cx.scratch.take(class);
    }
    let line = cx.line(last.unwrap_or(node));
    if let Some(expr) = expr::method_reference(cx, node, 0) {
        cx.reference(expr, line, Access::Value);
    }
}

fn write(cx: &mut Extractor<'_>, target: Node<'_>) {
    let mut target = target;
    for _ in 0..16 {
        let next = match kind(target) {
            Kind::Parenthesized => first_child(target),
            Kind::ArrayAccess => field(target, "array"),
            _ => None,
        };
        match next {
            Some(next) => target = next,
            None => break,
        }
    }
    match kind(target) {
        Kind::Identifier => {
            cx.scratch.take(target);
            let name = name_of(cx, target);
            if is_local(cx, name) {
                return;
            }
        }
        Kind::FieldAccess => take_field(cx, target),
        _ => return,
    }
    let line = cx.line(field(target, "field").unwrap_or(target));
    let expr = expr::value(cx, target, 0);
    cx.reference(expr, line, Access::Write);
}

fn take_field(cx: &mut Extractor<'_>, node: Node<'_>) {
    cx.scratch.take(node);
    if let Some(name) = field(node, "field") {
        cx.scratch.take(name);
    }
}

fn assign(cx: &mut Extractor<'_>, node: Node<'_>) {
    let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) else { return };
    pass(cx, right);
    let plain = field(node, "operator").is_some_and(|o| cx.text(o) == "=");
    let scope = cx.current();
    match kind(left) {
        Kind::Identifier if plain => {
            let name = name_of(cx, left);
            if is_local(cx, name) {
                let value = expr::value(cx, right, 0);
                bind_local(cx, node, name, BindKind::Assign, value, None);
            } else {
                field_value(cx, name, scope, right, cx.line(left));
            }
        }
        Kind::FieldAccess if plain && field(left, "object").is_some_and(|o| kind(o) == Kind::This) => {
            if let Some(name) = field(left, "field") {
                let name = name_of(cx, name);
                field_value(cx, name, scope, right, cx.line(left));
            }
        }
        _ => {}
    }
    write(cx, left);
}

/// A field gets a value in a method.
fn field_value(cx: &mut Extractor<'_>, name: Name, scope: SymbolIdx, right: Node<'_>, line: u32) {
    let Some(class) = cx.enclosing_kind(SymbolKind::is_type) else { return };
    let value = expr::value(cx, right, 0);
    if value != cx.unknown() {
        cx.attr(AttrFact { class, name, scope, line, value: Some(value), ty: None });
    }
}

fn mention(cx: &mut Extractor<'_>, node: Node<'_>) {
    if let Some(name) = field(node, "field") {
        cx.scratch.take(name);
    }
    if cx.scratch.is_taken(node) {
        return;
    }
    let access = cx.scratch.access(node);
    let line = cx.line(field(node, "field").unwrap_or(node));
    let expr = expr::value(cx, node, 0);
    if matches!(cx.facts().expr(expr), Expr::Attr(..)) {
        cx.reference(expr, line, access);
    }
}

fn mention_name(cx: &mut Extractor<'_>, node: Node<'_>) {
    let text = cx.text(node);
    if cx.scratch.is_taken(node) || SEMANTICS.builtins.contains(&text) {
        return;
    }
    let name = cx.name(text);
    if is_local(cx, name) {
        return;
    }
    let access = cx.scratch.access(node);
    let line = cx.line(node);
    let expr = expr::value(cx, node, 0);
    cx.reference(expr, line, access);
}

fn is_builtin_name(cx: &Extractor<'_>, expr: ExprId) -> bool {
    matches!(cx.facts().expr(expr), Expr::Name(n) if SEMANTICS.builtins.contains(&cx.str(*n)))
}

/// Marks the parts of `a.b.C` as dealt with: they are on the way to the last one.
fn take_scoped_type(cx: &mut Extractor<'_>, node: Node<'_>) {
    let mut part = Some(node).filter(|n| kind(*n) == Kind::ScopedType);
    for _ in 0..16 {
        let Some(here) = part else { break };
        let parts = children(here);
        parts.iter().filter(|p| matches!(kind(**p), Kind::TypeIdentifier | Kind::ScopedType)).for_each(|p| {
            cx.scratch.take(*p);
        });
        part = parts.first().copied().filter(|p| kind(*p) == Kind::ScopedType);
    }
}

fn mention_type(cx: &mut Extractor<'_>, node: Node<'_>) {
    if cx.scratch.is_taken(node) {
        return;
    }
    if kind(node) == Kind::ScopedType {
        take_scoped_type(cx, node);
    } else {
        let text = cx.text(node);
        if text == "var" || SEMANTICS.builtins.contains(&text) {
            return;
        }
        let name = cx.name(text);
        if is_local(cx, name) {
            return;
        }
    }
    let line = cx.line(node);
    let expr = expr::type_of(cx, node, 0);
    if matches!(cx.facts().expr(expr), Expr::Name(_) | Expr::Attr(..)) {
        cx.reference(expr, line, Access::Type);
    }
}
