//! Typescript.

use tree_sitter::Node;

use super::{LanguageSupport, Leaf, ModuleSystem, Semantics, Visit};
use crate::extract::Extractor;

/// Typescript.
pub struct Support;

static SEMANTICS: Semantics = Semantics {
    modules: ModuleSystem::EcmaScript,
    builtins: &[],
    builtin_methods: &[],
    constructors: &[],
    implicit_this: false,
    package_scope: false,
    class_scope_visible: false,
};

impl LanguageSupport for Support {
    fn name(&self) -> &'static str {
        "typescript"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["ts", "mts", "cts", "tsx"]
    }
    fn grammar(&self, extension: &str) -> tree_sitter::Language {
        let _ = extension;
        if extension == "tsx" { tree_sitter_typescript::LANGUAGE_TSX.into() } else { tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into() }
    }
    fn leaf(&self, _kind: &str) -> Leaf {
        Leaf::None
    }
    fn visit(&self, _node: Node<'_>, _cx: &mut Extractor<'_>) -> Visit {
        Visit::Children
    }
    fn is_test_file(&self, _path: &str) -> bool {
        false
    }
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}
