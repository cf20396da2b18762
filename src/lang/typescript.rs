//! TypeScript. What it means is said in [`super::ecmascript`].

use tree_sitter::Node;

use super::{LanguageSupport, Leaf, Semantics, Visit, ecmascript};
use crate::extract::Extractor;

/// TypeScript.
pub struct Support;

impl LanguageSupport for Support {
    fn name(&self) -> &'static str {
        "typescript"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["ts", "mts", "cts", "tsx"]
    }
    fn interpreters(&self) -> &'static [&'static str] {
        &["deno", "bun", "ts-node", "tsx"]
    }
    fn grammar(&self, extension: &str) -> tree_sitter::Language {
        match extension {
            "tsx" => tree_sitter_typescript::LANGUAGE_TSX.into(),
            _ => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        }
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
