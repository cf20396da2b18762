//! JavaScript. What it means is said in [`super::ecmascript`].

use tree_sitter::Node;

use super::{LanguageSupport, Leaf, Semantics, Visit, ecmascript};
use crate::extract::Extractor;

/// JavaScript.
pub struct Support;

impl LanguageSupport for Support {
    fn name(&self) -> &'static str {
        "javascript"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["js", "mjs", "cjs", "jsx"]
    }
    fn interpreters(&self) -> &'static [&'static str] {
        &["node", "nodejs"]
    }
    fn grammar(&self, extension: &str) -> tree_sitter::Language {
        let _ = extension;
        tree_sitter_javascript::LANGUAGE.into()
    }
    fn grammar_for(&self, extension: &str, source: &str) -> tree_sitter::Language {
        // Flow's annotations are nearer to TypeScript's grammar than to JavaScript's.
        let head = crate::extract::clip(source, 2000);
        if head.contains("@flow") { tree_sitter_typescript::LANGUAGE_TSX.into() } else { self.grammar(extension) }
    }
    fn leaf(&self, kind: &str) -> Leaf {
        ecmascript::leaf(kind)
    }
    fn visit(&self, node: Node<'_>, cx: &mut Extractor<'_>) -> Visit {
        ecmascript::visit(node, cx)
    }
    fn finish(&self, cx: &mut Extractor<'_>) {
        ecmascript::finish(cx);
    }
    fn is_test_file(&self, path: &str) -> bool {
        ecmascript::is_test_file(path)
    }
    fn semantics(&self) -> &'static Semantics {
        &ecmascript::SEMANTICS
    }
}
