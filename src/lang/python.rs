//! Python.

use tree_sitter::Node;

use super::{LanguageSupport, Leaf, ModuleSystem, Semantics, Visit};
use crate::extract::Extractor;

/// Python.
pub struct Support;

static SEMANTICS: Semantics = Semantics {
    modules: ModuleSystem::Python,
    builtins: &[],
    builtin_methods: &[],
    constructors: &[],
    implicit_this: false,
    package_scope: false,
    class_scope_visible: false,
};

impl LanguageSupport for Support {
    fn name(&self) -> &'static str {
        "python"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["py", "pyi"]
    }
    fn grammar(&self, extension: &str) -> tree_sitter::Language {
        let _ = extension;
        tree_sitter_python::LANGUAGE.into()
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
