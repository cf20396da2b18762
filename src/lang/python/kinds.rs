//! Node kinds and fields of the grammar as small numbers, looked up once per process.

use std::sync::OnceLock;

use tree_sitter::{Node, TreeCursor};

macro_rules! kinds {
    ($($variant:ident = $name:literal),* $(,)?) => {
        /// The node kinds that mean something here.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum K { Other, $($variant),* }
        const KINDS: &[(&str, K)] = &[$(($name, K::$variant)),*];
    };
}

kinds! {
    Assert = "assert_statement", Assignment = "assignment", AsPattern = "as_pattern", Attribute = "attribute",
    Augmented = "augmented_assignment", Await = "await", Binary = "binary_operator", Block = "block",
    Boolean = "boolean_operator", Break = "break_statement", Call = "call", Case = "case_clause",
    CasePattern = "case_pattern", Class = "class_definition", ClassPattern = "class_pattern", Comment = "comment",
    Comparison = "comparison_operator", Concatenated = "concatenated_string", Conditional = "conditional_expression",
    Constrained = "constrained_type", Continue = "continue_statement", Decorated = "decorated_definition",
    Decorator = "decorator", DefaultParam = "default_parameter", DictComp = "dictionary_comprehension",
    DictSplat = "dictionary_splat", DictSplatPattern = "dictionary_splat_pattern", Dictionary = "dictionary",
    DottedName = "dotted_name", Elif = "elif_clause", Else = "else_clause", Ellipsis = "ellipsis", Except = "except_clause",
    ExpressionList = "expression_list", ExpressionStatement = "expression_statement", False = "false",
    Float = "float", For = "for_statement", ForIn = "for_in_clause", Function = "function_definition",
    FutureImport = "future_import_statement", Generator = "generator_expression", GenericType = "generic_type",
    Global = "global_statement", Identifier = "identifier", If = "if_statement", Import = "import_statement",
    ImportFrom = "import_from_statement", ImportPrefix = "import_prefix", Integer = "integer",
    Keyword = "keyword_argument", Lambda = "lambda", List = "list", ListComp = "list_comprehension",
    ListPattern = "list_pattern", ListSplat = "list_splat", ListSplatPattern = "list_splat_pattern",
    AliasedImport = "aliased_import", Match = "match_statement", MemberType = "member_type", Module = "module",
    Named = "named_expression", None = "none", Nonlocal = "nonlocal_statement", Not = "not_operator",
    Pair = "pair", Parenthesized = "parenthesized_expression", PatternList = "pattern_list", Raise = "raise_statement",
    RelativeImport = "relative_import", Return = "return_statement", Set = "set", SetComp = "set_comprehension",
    SplatType = "splat_type", String = "string", StringContent = "string_content", Subscript = "subscript", True = "true",
    Tuple = "tuple", TuplePattern = "tuple_pattern", Type = "type", TypeAlias = "type_alias_statement",
    TypedDefaultParam = "typed_default_parameter", TypedParam = "typed_parameter", TypeParameter = "type_parameter",
    Unary = "unary_operator", UnionType = "union_type", Wildcard = "wildcard_import", WithItem = "with_item",
    With = "with_statement", Yield = "yield",
}

macro_rules! fields {
    ($($field:ident = $name:literal),* $(,)?) => {
        /// Ids of the grammar's fields; 0 stands for a field that it has not.
        #[derive(Debug)]
        pub(super) struct Fields { $(pub(super) $field: u16),* }
        impl Fields {
            fn of(grammar: &tree_sitter::Language) -> Fields {
                Fields { $($field: grammar.field_id_for_name($name).map_or(0, |id| id.get())),* }
            }
        }
    };
}

fields! {
    alias = "alias", arguments = "arguments", attribute = "attribute", body = "body", condition = "condition",
    consequence = "consequence", definition = "definition", function = "function", left = "left",
    module_name = "module_name", name = "name", object = "object", operator = "operator", parameters = "parameters",
    return_type = "return_type", right = "right", subject = "subject", superclasses = "superclasses", ty = "type",
    type_parameters = "type_parameters", value = "value",
}

struct Grammar {
    kinds: Vec<K>,
    fields: Fields,
}

fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| {
        let grammar: tree_sitter::Language = tree_sitter_python::LANGUAGE.into();
        let kind = |id: u16| {
            let name = grammar.node_kind_for_id(id).filter(|_| grammar.node_kind_is_named(id))?;
            KINDS.iter().find(|(n, _)| *n == name).map(|&(_, k)| k)
        };
        Grammar {
            kinds: (0..grammar.node_kind_count() as u16).map(|id| kind(id).unwrap_or(K::Other)).collect(),
            fields: Fields::of(&grammar),
        }
    })
}

/// The kind of a node.
pub(super) fn kind(node: Node<'_>) -> K {
    grammar().kinds.get(usize::from(node.kind_id())).copied().unwrap_or(K::Other)
}

/// The grammar's field ids.
pub(super) fn fields() -> &'static Fields {
    &grammar().fields
}

/// The child in a field.
pub(super) fn child<'t>(node: Node<'t>, field: impl Fn(&Fields) -> u16) -> Option<Node<'t>> {
    node.child_by_field_id(field(fields()))
}

/// The named children without comments, in one pass.
pub(super) fn named(node: Node<'_>) -> Named<'_> {
    let mut cursor = node.walk();
    let more = cursor.goto_first_child();
    Named { cursor, more }
}

/// Iterator of [`named`].
pub(super) struct Named<'t> {
    cursor: TreeCursor<'t>,
    more: bool,
}

impl<'t> Iterator for Named<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        while self.more {
            let node = self.cursor.node();
            self.more = self.cursor.goto_next_sibling();
            if node.is_named() && kind(node) != K::Comment {
                return Some(node);
            }
        }
        None
    }
}

/// What stands inside any number of parentheses.
pub(super) fn inside_parens(mut node: Node<'_>) -> Node<'_> {
    while kind(node) == K::Parenthesized {
        let first = node.named_child(0).filter(|n| kind(*n) != K::Comment);
        match first.or_else(|| named(node).next()) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}
