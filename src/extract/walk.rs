//! The walk over the tree: one pass, parents first.

use std::cell::RefCell;

use tree_sitter::{Node, Parser};

use super::{Extracted, Extractor};
use crate::lang::{LanguageSupport, Leaf, Visit};

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// Extracts one file. `extension` picks a grammar where a language has several (`tsx`).
///
/// Never fails: a file with syntax errors gives what can be read, a file that the parser
/// refuses gives an empty module.
pub fn extract(lang: &dyn LanguageSupport, extension: &str, source: &str) -> Extracted {
    let tree = PARSER.with_borrow_mut(|parser| {
        parser.set_language(&lang.grammar_for(extension, source)).ok()?;
        parser.parse(source, None)
    });
    let mut cx = Extractor::new(source);
    if let Some(tree) = tree {
        walk(lang, tree.root_node(), &mut cx);
    }
    lang.finish(&mut cx);
    cx.mark_entries();
    cx.define_fields();
    let terms = cx.terms.finish(&cx.facts);
    Extracted { facts: cx.facts, terms }
}

fn walk(lang: &dyn LanguageSupport, root: Node<'_>, cx: &mut Extractor<'_>) {
    let grammar = root.language();
    let leaves: Vec<Leaf> = (0..grammar.node_kind_count() as u16)
        .map(|id| grammar.node_kind_for_id(id).map_or(Leaf::None, |kind| lang.leaf(kind)))
        .collect();
    let broken = root.has_error();
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        cx.leave_to(node.start_byte());
        if cx.ahead.as_ref().is_some_and(|(body, _)| *body == node.id())
            && let Some((_, scope)) = cx.ahead.take()
        {
            cx.scopes.push(scope);
        }
        if broken && (node.is_error() || node.is_missing()) {
            cx.facts.syntax_errors += 1;
        }
        let leaf = leaves.get(node.kind_id() as usize).copied().unwrap_or(Leaf::None);
        if leaf != Leaf::None {
            cx.leaf(leaf, node);
        }
        let visit = if node.is_named() { lang.visit(node, cx) } else { Visit::Children };
        if visit == Visit::Children && cursor.goto_first_child() {
            continue;
        }
        loop {
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

pub(super) fn line_count(source: &str) -> u32 {
    let breaks = memchr::memchr_iter(b'\n', source.as_bytes()).count() as u32;
    if source.is_empty() || source.ends_with('\n') { breaks } else { breaks + 1 }
}
