//! Rust.

use tree_sitter::Node;

use super::scratch::{add_value, bind_local, is_local};
use super::syntax::{children, field, first_child, first_children, kinds, name_of};
use super::{LanguageSupport, Leaf, ModuleSystem, Semantics, Visit};
use crate::extract::Extractor;
use crate::facts::*;

mod bind;
mod define;
mod expr;
mod items;
mod tokens;

/// Rust.
pub struct Support;

static SEMANTICS: Semantics = Semantics {
    modules: ModuleSystem::Rust,
    builtins: &[
        "Box", "Err", "None", "Ok", "Option", "Result", "Some", "String", "ToString", "Vec", "assert", "assert_eq",
        "assert_ne", "bool", "cfg", "char", "column", "compile_error", "concat", "dbg", "debug_assert",
        "debug_assert_eq", "debug_assert_ne", "drop", "env", "eprint", "eprintln", "f32", "f64", "file", "format",
        "format_args", "i128", "i16", "i32", "i64", "i8", "include", "include_bytes", "include_str", "isize", "line",
        "matches", "module_path", "option_env", "panic", "print", "println", "str", "stringify", "thread_local",
        "todo", "u128", "u16", "u32", "u64", "u8", "unimplemented", "unreachable", "usize", "vec", "write",
        "writeln",
    ],
    builtin_methods: &[
        "and_then", "any", "all", "as_bytes", "as_deref", "as_mut", "as_path", "as_ref", "as_slice", "as_str",
        "borrow", "borrow_mut", "bytes", "chain", "chars", "clone", "cloned", "cmp", "collect", "contains",
        "contains_key", "copied", "count", "default", "display", "drain", "ends_with", "entry", "enumerate", "eq",
        "err", "expect", "extend", "filter", "filter_map", "find", "first", "flat_map", "flatten", "flush", "fmt",
        "fold", "for_each", "from", "get", "get_mut", "hash", "insert", "into", "into_iter", "is_empty", "is_err",
        "is_none", "is_ok", "is_some", "iter", "iter_mut", "join", "keys", "last", "len", "lines", "lock", "map",
        "map_err", "max", "min", "next", "ok", "ok_or", "ok_or_else", "or_else", "or_insert", "or_insert_with",
        "parse", "partial_cmp", "peek", "pop", "position", "push", "push_str", "read", "remove", "replace", "rev",
        "send", "skip", "sort", "sort_by", "split", "starts_with", "strip_prefix", "sum", "take", "then", "to_owned",
        "to_string", "to_vec", "trim", "try_from", "try_into", "unwrap", "unwrap_or", "unwrap_or_default",
        "unwrap_or_else", "values", "with_capacity", "write", "write_all", "zip",
    ],
    constructors: &[],
    implicit_this: false,
    package_scope: false,
    class_scope_visible: false,
};

kinds! { tree_sitter_rust::LANGUAGE;
    Mod = "mod_item", Use = "use_declaration", ExternCrate = "extern_crate_declaration",
    Function = "function_item" | "function_signature_item", Struct = "struct_item" | "union_item",
    Enum = "enum_item", Variant = "enum_variant", Trait = "trait_item", Impl = "impl_item", TypeItem = "type_item",
    AssociatedType = "associated_type", Const = "const_item" | "static_item", MacroDef = "macro_definition",
    Attribute = "attribute_item", InnerAttribute = "inner_attribute_item", Field = "field_declaration",
    LineComment = "line_comment", BlockComment = "block_comment",
    Let = "let_declaration", LetCondition = "let_condition", Match = "match_expression", MatchArm = "match_arm",
    For = "for_expression", Closure = "closure_expression", Parameter = "parameter", SelfParameter = "self_parameter",
    Return = "return_expression", Call = "call_expression", StructExpr = "struct_expression",
    MacroCall = "macro_invocation", TokenTree = "token_tree", TokenRepetition = "token_repetition",
    FieldExpr = "field_expression",
    GenericFunction = "generic_function", Scoped = "scoped_identifier", ScopedType = "scoped_type_identifier",
    Identifier = "identifier", TypeIdentifier = "type_identifier", ShorthandField = "shorthand_field_identifier",
    SelfValue = "self", SuperPath = "super", CratePath = "crate", Metavariable = "metavariable",
    Primitive = "primitive_type", Await = "await_expression" | "try_expression",
    Transparent = "parenthesized_expression", Reference = "reference_expression", Unary = "unary_expression",
    Binary = "binary_expression", IndexExpr = "index_expression", Cast = "type_cast_expression",
    BlockExpr = "block" | "unsafe_block" | "async_block" | "const_block" | "try_block",
    If = "if_expression", While = "while_expression", Loop = "loop_expression", Label = "label", Statement = "expression_statement",
    StringLiteral = "string_literal" | "raw_string_literal",
    NumberLiteral = "integer_literal" | "float_literal" | "negative_literal" | "char_literal",
    BoolLiteral = "boolean_literal", Unit = "unit_expression", Tuple = "tuple_expression", Array = "array_expression",
    Assignment = "assignment_expression" | "compound_assignment_expr", Arguments = "arguments",
    FieldInitializer = "field_initializer", ShorthandInitializer = "shorthand_field_initializer",
    ReferenceType = "reference_type", PointerType = "pointer_type", GenericType = "generic_type" | "generic_type_with_turbofish",
    Bracketed = "bracketed_type", QualifiedType = "qualified_type", TupleType = "tuple_type",
    ArrayType = "array_type", FunctionType = "function_type", UnitType = "unit_type",
    AbstractType = "abstract_type", DynamicType = "dynamic_type", BoundedType = "bounded_type",
    HigherRanked = "higher_ranked_trait_bound", RemovedBound = "removed_trait_bound",
    Lifetime = "lifetime", TypeBinding = "type_binding", TypeParameter = "type_parameter", ConstParameter = "const_parameter",
    WherePredicate = "where_predicate", TypeArguments = "type_arguments",
    TupleStructPattern = "tuple_struct_pattern", StructPattern = "struct_pattern", FieldPattern = "field_pattern",
    TransparentPattern = "mut_pattern" | "ref_pattern" | "reference_pattern" | "match_pattern",
    TuplePattern = "tuple_pattern" | "slice_pattern" | "or_pattern",
    CapturedPattern = "captured_pattern", UseAs = "use_as_clause", UseList = "use_list",
    ScopedUseList = "scoped_use_list", UseWildcard = "use_wildcard", Visibility = "visibility_modifier",
}

impl LanguageSupport for Support {
    fn name(&self) -> &'static str {
        "rust"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["rs"]
    }
    fn grammar(&self, _extension: &str) -> tree_sitter::Language {
        tree_sitter_rust::LANGUAGE.into()
    }
    fn leaf(&self, kind: &str) -> Leaf {
        match kind {
            "identifier" | "field_identifier" | "type_identifier" | "shorthand_field_identifier" => Leaf::Identifier,
            "string_content" => Leaf::String,
            "line_comment" | "block_comment" => Leaf::Comment,
            _ => Leaf::None,
        }
    }
    fn visit(&self, node: Node<'_>, cx: &mut Extractor<'_>) -> Visit {
        visit(node, cx)
    }
    fn is_test_file(&self, path: &str) -> bool {
        let mut parts = path.rsplit('/');
        let file = parts.next().unwrap_or(path);
        matches!(file, "tests.rs" | "test.rs")
            || file.ends_with("_test.rs")
            || file.ends_with("_tests.rs")
            || parts.any(|folder| matches!(folder, "tests" | "test"))
    }
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

fn visit(node: Node<'_>, cx: &mut Extractor<'_>) -> Visit {
    match kind(node) {
        Kind::Mod => items::module(cx, node),
        Kind::Use => {
            items::use_declaration(cx, node);
            return Visit::Skip;
        }
        Kind::ExternCrate => {
            items::extern_crate(cx, node);
            return Visit::Skip;
        }
        Kind::Attribute => {
            items::attribute(cx, node);
            return Visit::Skip;
        }
        Kind::InnerAttribute | Kind::Visibility => return Visit::Skip,
        Kind::LineComment | Kind::BlockComment => {
            items::inner_doc(cx, node);
            return Visit::Skip;
        }
        Kind::Function => define::function(cx, node),
        Kind::Struct | Kind::Enum => define::nominal(cx, node),
        Kind::Variant => define::variant(cx, node),
        Kind::Trait => define::trait_item(cx, node),
        Kind::Impl => define::impl_block(cx, node),
        Kind::TypeItem | Kind::AssociatedType => define::type_item(cx, node),
        Kind::Const => define::constant(cx, node),
        Kind::MacroDef => define::macro_rules(cx, node),
        Kind::Let => bind::let_declaration(cx, node),
        Kind::LetCondition => bind::let_condition(cx, node),
        Kind::Match => bind::match_expression(cx, node),
        Kind::For => bind::for_loop(cx, node),
        Kind::Closure => bind::closure(cx, node),
        Kind::BlockExpr | Kind::If | Kind::While | Kind::Loop | Kind::MatchArm => open_block(cx, node),
        Kind::Return => returns(cx, node),
        Kind::Call => call(cx, node),
        Kind::StructExpr => construct(cx, node),
        Kind::MacroCall => macro_call(cx, node),
        Kind::TokenTree | Kind::TokenRepetition => tokens::scan(cx, node),
        Kind::Assignment => assign(cx, node),
        Kind::FieldExpr | Kind::Scoped => mention(cx, node),
        Kind::Identifier => mention_name(cx, node),
        Kind::TypeIdentifier | Kind::ScopedType => mention_type(cx, node),
        Kind::Arguments => {
            for arg in first_children(node, 64) {
                pass(cx, arg);
            }
        }
        Kind::FieldInitializer => {
            if let Some(value) = field(node, "value") {
                pass(cx, value);
            }
        }
        Kind::Label | Kind::Lifetime => return Visit::Skip,
        Kind::FieldPattern | Kind::CapturedPattern => {}
        _ => {}
    }
    Visit::Children
}

fn open_block(cx: &mut Extractor<'_>, node: Node<'_>) {
    let end = cx.end_line(node);
    cx.scratch.open_block(node, end);
}

fn pass(cx: &mut Extractor<'_>, node: Node<'_>) {
    let node = if kind(node) == Kind::Reference { field(node, "value").unwrap_or(node) } else { node };
    if matches!(kind(node), Kind::Identifier | Kind::Scoped | Kind::FieldExpr) {
        cx.scratch.pass(node);
    }
}

fn returns(cx: &mut Extractor<'_>, node: Node<'_>) {
    if cx.scratch.in_lambda(node) {
        return;
    }
    if let Some(inner) = first_child(node) {
        let symbol = cx.current();
        let value = expr::value(cx, inner, 0);
        add_value(cx, symbol, value);
    }
}

fn call(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(function) = field(node, "function") else { return };
    let args = field(node, "arguments").map_or(0, |a| children(a).len().min(254)) as u8;
    let function = match kind(function) {
        Kind::GenericFunction => field(function, "function").unwrap_or(function),
        Kind::Transparent => first_child(function).unwrap_or(function),
        _ => function,
    };
    cx.scratch.take(function);
    let callee = expr::value(cx, function, 0);
    if matches!(cx.facts().expr(callee), Expr::Unknown | Expr::Literal(_)) {
        return;
    }
    let last = take_path(cx, function);
    // `.route("/", get(handler))`
    if matches!(cx.text(last), "get" | "post" | "put" | "delete" | "patch" | "any") && kind(function) != Kind::FieldExpr {
        let list = field(node, "arguments").map(children).unwrap_or_default();
        for arg in list.into_iter().filter(|a| kind(*a) == Kind::Identifier) {
            let name = name_of(cx, arg);
            cx.scratch.handlers.insert(name);
        }
    }
    let line = cx.line(last);
    cx.call(callee, line, args, false);
}

/// Marks the parts of a path as dealt with, and gives the node of its last part.
fn take_path<'t>(cx: &mut Extractor<'_>, node: Node<'t>) -> Node<'t> {
    cx.scratch.take(node);
    match kind(node) {
        Kind::FieldExpr => field(node, "field").unwrap_or(node),
        Kind::Scoped | Kind::ScopedType => {
            let last = field(node, "name").unwrap_or(node);
            cx.scratch.take(last);
            // Segments in between are modules and types on the way; the call says where they lead.
            let mut segment = field(node, "path");
            for _ in 0..16 {
                let Some(part) = segment.filter(|p| matches!(kind(*p), Kind::Scoped | Kind::Identifier)) else { break };
                cx.scratch.take(part);
                if let Some(name) = field(part, "name") {
                    cx.scratch.take(name);
                }
                segment = field(part, "path");
            }
            last
        }
        _ => node,
    }
}

fn construct(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name) = field(node, "name") else { return };
    let line = cx.line(name);
    let ty = expr::type_of(cx, name, 0);
    let ty = match cx.facts().expr(ty) {
        Expr::Generic(base, _) => *base,
        Expr::Unknown | Expr::Literal(_) => return,
        _ => ty,
    };
    let mut head = name;
    if kind(head) == Kind::GenericType {
        head = field(head, "type").unwrap_or(head);
    }
    take_path(cx, head);
    cx.call(ty, line, 0, true);
    // `Shape { size: 1 }` gives the field a value.
    let made = cx.expr(Expr::New(ty));
    for part in field(node, "body").map(|body| first_children(body, 64)).unwrap_or_default() {
        let name = match kind(part) {
            Kind::FieldInitializer => field(part, "field"),
            Kind::ShorthandInitializer => first_child(part),
            _ => None,
        };
        if let Some(name) = name {
            let line = cx.line(name);
            let name = name_of(cx, name);
            let written = cx.expr(Expr::Attr(made, name));
            cx.reference(written, line, Access::Write);
        }
    }
}

fn macro_call(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(name) = field(node, "macro") else { return };
    let last = take_path(cx, name);
    let line = cx.line(last);
    let callee = expr::path(cx, name, 0);
    cx.call(callee, line, 255, false);
}

fn assign(cx: &mut Extractor<'_>, node: Node<'_>) {
    let Some(left) = field(node, "left") else { return };
    let mut target = left;
    for _ in 0..16 {
        let next = match kind(target) {
            Kind::Transparent | Kind::IndexExpr | Kind::Unary => first_child(target),
            _ => None,
        };
        match next {
            Some(next) => target = next,
            None => break,
        }
    }
    if let Some(right) = field(node, "right") {
        pass(cx, right);
    }
    match kind(target) {
        Kind::Identifier => {
            let name = name_of(cx, target);
            if is_local(cx, name) {
                if target == left
                    && node.kind() == "assignment_expression"
                    && let Some(right) = field(node, "right")
                {
                    let value = expr::value(cx, right, 0);
                    bind_local(cx, node, name, BindKind::Assign, value, None);
                }
                cx.scratch.take(target);
                return;
            }
        }
        Kind::FieldExpr | Kind::Scoped => {}
        _ => return,
    }
    let last = take_path(cx, target);
    let line = cx.line(last);
    let expr = expr::value(cx, target, 0);
    cx.reference(expr, line, Access::Write);
}

fn mention(cx: &mut Extractor<'_>, node: Node<'_>) {
    if cx.scratch.is_taken(node) {
        return;
    }
    let access = cx.scratch.access(node);
    let last = take_path(cx, node);
    let line = cx.line(last);
    let expr = expr::value(cx, node, 0);
    cx.reference(expr, line, access);
}

fn mention_name(cx: &mut Extractor<'_>, node: Node<'_>) {
    if cx.scratch.is_taken(node) {
        return;
    }
    let text = cx.text(node);
    if text == "Self" || SEMANTICS.builtins.contains(&text) {
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

fn mention_type(cx: &mut Extractor<'_>, node: Node<'_>) {
    if cx.scratch.is_taken(node) {
        return;
    }
    if kind(node) == Kind::TypeIdentifier {
        let text = cx.text(node);
        if matches!(text, "Self" | "_") || SEMANTICS.builtins.contains(&text) {
            return;
        }
        let name = cx.name(text);
        let of_impl = cx.scratch.impl_block(node).is_some_and(|b| b.type_params.iter().any(|p| p.0 == name));
        if of_impl || is_local(cx, name) {
            return;
        }
    }
    let last = take_path(cx, node);
    let line = cx.line(last);
    let expr = expr::path(cx, node, 0);
    cx.reference(expr, line, Access::Type);
}
