//! Node kinds and field ids of the three grammars, looked up once per grammar, so that the
//! walk compares small integers and not strings.

use std::sync::OnceLock;

use tree_sitter::{Language, Node};

macro_rules! kinds {
    ($($variant:ident = $kind:literal),* $(,)?) => {
        /// A named node's kind, as far as extraction looks at it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum K { Other, $($variant),* }

        impl K {
            fn of(kind: &str) -> K {
                match kind { $($kind => K::$variant,)* _ => K::Other }
            }
        }
    };
}

kinds! {
    Program = "program", Comment = "comment", HashBang = "hash_bang_line",
    Import = "import_statement", ImportClause = "import_clause", NamedImports = "named_imports",
    NamespaceImport = "namespace_import", ImportSpecifier = "import_specifier",
    ImportRequire = "import_require_clause", ImportAlias = "import_alias", ImportWord = "import",
    Export = "export_statement", ExportClause = "export_clause", ExportSpecifier = "export_specifier",
    NamespaceExport = "namespace_export",
    Lexical = "lexical_declaration", VarDeclaration = "variable_declaration", Using = "using_declaration",
    Declarator = "variable_declarator", Block = "statement_block", SwitchBody = "switch_body",
    For = "for_statement", ForIn = "for_in_statement", If = "if_statement", Catch = "catch_clause",
    Return = "return_statement", Yield = "yield_expression", ExpressionStatement = "expression_statement",
    FunctionDeclaration = "function_declaration", GeneratorDeclaration = "generator_function_declaration",
    FunctionExpression = "function_expression", GeneratorFunction = "generator_function", Arrow = "arrow_function",
    FunctionSignature = "function_signature", Method = "method_definition", MethodSignature = "method_signature",
    AbstractMethod = "abstract_method_signature", Field = "field_definition", TsField = "public_field_definition",
    PropertySignature = "property_signature", Class = "class", ClassDeclaration = "class_declaration",
    AbstractClass = "abstract_class_declaration", ClassBody = "class_body", ClassHeritage = "class_heritage",
    Extends = "extends_clause", Implements = "implements_clause", ExtendsType = "extends_type_clause",
    StaticBlock = "class_static_block", Decorator = "decorator", Accessibility = "accessibility_modifier",
    Interface = "interface_declaration", InterfaceBody = "interface_body", TypeAlias = "type_alias_declaration",
    Enum = "enum_declaration", EnumBody = "enum_body", EnumAssignment = "enum_assignment", Module = "module",
    InternalModule = "internal_module", Ambient = "ambient_declaration",
    FormalParameters = "formal_parameters", RequiredParameter = "required_parameter",
    OptionalParameter = "optional_parameter", Rest = "rest_pattern",
    Identifier = "identifier", PropertyIdentifier = "property_identifier",
    PrivateProperty = "private_property_identifier", Shorthand = "shorthand_property_identifier",
    ShorthandPattern = "shorthand_property_identifier_pattern", ComputedName = "computed_property_name",
    TypeIdentifier = "type_identifier", Member = "member_expression", Subscript = "subscript_expression",
    Call = "call_expression", New = "new_expression", Arguments = "arguments", Spread = "spread_element",
    Assignment = "assignment_expression", Augmented = "augmented_assignment_expression",
    Await = "await_expression", Unary = "unary_expression", Binary = "binary_expression",
    Ternary = "ternary_expression", Update = "update_expression", Sequence = "sequence_expression",
    Parenthesized = "parenthesized_expression", As = "as_expression", Satisfies = "satisfies_expression",
    NonNull = "non_null_expression", TypeAssertion = "type_assertion", Instantiation = "instantiation_expression",
    This = "this", Super = "super", Undefined = "undefined", Null = "null", True = "true", False = "false",
    Number = "number", String = "string", Template = "template_string", Regex = "regex",
    Object = "object", Pair = "pair", Array = "array", ObjectPattern = "object_pattern",
    ArrayPattern = "array_pattern", PairPattern = "pair_pattern", AssignmentPattern = "assignment_pattern",
    ObjectAssignmentPattern = "object_assignment_pattern",
    JsxElement = "jsx_element", JsxOpening = "jsx_opening_element", JsxSelfClosing = "jsx_self_closing_element",
    JsxClosing = "jsx_closing_element", JsxExpression = "jsx_expression",
    TypeAnnotation = "type_annotation", TypeParameters = "type_parameters", TypeParameter = "type_parameter",
    Constraint = "constraint", NestedType = "nested_type_identifier", NestedIdentifier = "nested_identifier",
    GenericType = "generic_type", TypeArguments = "type_arguments", PredefinedType = "predefined_type",
    ArrayType = "array_type", TupleType = "tuple_type", UnionType = "union_type",
    IntersectionType = "intersection_type", FunctionType = "function_type", ObjectType = "object_type",
    TypeQuery = "type_query", ThisType = "this_type", LiteralType = "literal_type",
    ParenthesizedType = "parenthesized_type", ReadonlyType = "readonly_type", OptionalType = "optional_type",
    RestType = "rest_type", MaybeType = "flow_maybe_type", ConditionalType = "conditional_type",
    TypePredicate = "type_predicate", PredicateAnnotation = "type_predicate_annotation",
    Asserts = "asserts", AssertsAnnotation = "asserts_annotation", MappedClause = "mapped_type_clause",
    InferType = "infer_type", IndexSignature = "index_signature",
}

impl K {
    /// A function written as an expression.
    pub(super) fn is_function(self) -> bool {
        matches!(self, K::FunctionExpression | K::GeneratorFunction | K::Arrow)
    }
}

macro_rules! fields {
    ($($field:ident = $name:literal),* $(,)?) => {
        /// Field ids; 0 where the grammar has no such field.
        #[derive(Default)]
        pub(super) struct Fields { $(pub(super) $field: u16),* }

        impl Fields {
            fn of(language: &Language) -> Fields {
                Fields { $($field: language.field_id_for_name($name).map_or(0, |id| id.get())),* }
            }
        }
    };
}

fields! {
    name = "name", value = "value", function = "function", arguments = "arguments", object = "object",
    property = "property", body = "body", parameters = "parameters", parameter = "parameter", left = "left",
    right = "right", ty = "type", return_type = "return_type", type_parameters = "type_parameters",
    type_arguments = "type_arguments", constructor = "constructor", source = "source", alias = "alias",
    declaration = "declaration", key = "key", pattern = "pattern",
    condition = "condition", consequence = "consequence", alternative = "alternative", index = "index",
    operator = "operator", argument = "argument", kind = "kind", constraint = "constraint", module = "module",
}

/// One grammar's tables.
pub(super) struct Grammar {
    kinds: Vec<K>,
    pub(super) fields: Fields,
}

impl Grammar {
    fn new(language: &Language) -> Grammar {
        let kinds = (0..language.node_kind_count() as u16)
            .map(|id| match language.node_kind_for_id(id) {
                Some(kind) if language.node_kind_is_named(id) => K::of(kind),
                _ => K::Other,
            })
            .collect();
        Grammar { kinds, fields: Fields::of(language) }
    }

    /// The tables of a parsed file's grammar.
    pub(super) fn of(language: &Language) -> &'static Grammar {
        static JAVASCRIPT: OnceLock<Grammar> = OnceLock::new();
        static TYPESCRIPT: OnceLock<Grammar> = OnceLock::new();
        static TSX: OnceLock<Grammar> = OnceLock::new();
        let slot = if *language == Language::from(tree_sitter_javascript::LANGUAGE) {
            &JAVASCRIPT
        } else if *language == Language::from(tree_sitter_typescript::LANGUAGE_TSX) {
            &TSX
        } else {
            &TYPESCRIPT
        };
        slot.get_or_init(|| Grammar::new(language))
    }

    /// The kind of a node; `Other` for errors and for anonymous nodes.
    pub(super) fn kind(&self, node: Node<'_>) -> K {
        self.kinds.get(node.kind_id() as usize).copied().unwrap_or(K::Other)
    }
}
