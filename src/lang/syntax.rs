//! What several languages read off their trees in the same way: node kinds as numbers,
//! children, doc comments, signatures.

use tree_sitter::Node;

use crate::extract::Extractor;
use crate::facts::Name;

/// Makes `enum Kind` and `fn kind(node) -> Kind` for a grammar, so that the walk compares numbers and not strings.
macro_rules! kinds {
    ($grammar:expr; $($variant:ident = $($name:literal)|+),+ $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Kind { Other, $($variant),+ }

        fn kind(node: ::tree_sitter::Node<'_>) -> Kind {
            static TABLE: ::std::sync::OnceLock<Vec<Kind>> = ::std::sync::OnceLock::new();
            let table = TABLE.get_or_init(|| {
                let grammar: ::tree_sitter::Language = $grammar.into();
                (0..grammar.node_kind_count() as u16)
                    .map(|id| match grammar.node_kind_for_id(id) {
                        Some(name) if grammar.node_kind_is_named(id) => match name {
                            $($($name)|+ => Kind::$variant,)+
                            _ => Kind::Other,
                        },
                        _ => Kind::Other,
                    })
                    .collect()
            });
            table.get(node.kind_id() as usize).copied().unwrap_or(Kind::Other)
        }
    };
}
pub(crate) use kinds;

/// A node's child by field.
pub fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}

/// All of a node's children of one field.
pub fn fields<'t>(node: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(name, &mut cursor).filter(Node::is_named).collect()
}

/// A node's named children without comments.
pub fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|n| !n.is_extra()).collect()
}

/// A node's first few named children without comments.
pub fn first_children<'t>(node: Node<'t>, limit: usize) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|n| !n.is_extra()).take(limit).collect()
}

/// A node's first named child that is no comment.
pub fn first_child<'t>(node: Node<'t>) -> Option<Node<'t>> {
    let first = node.named_child(0)?;
    if first.is_extra() { first_children(node, 1).into_iter().next() } else { Some(first) }
}

/// A node's text as a name.
pub fn name_of(cx: &mut Extractor<'_>, node: Node<'_>) -> Name {
    let text = cx.text(node);
    cx.name(text)
}

/// The text of a declaration up to its body, or all of it; long ones are cut.
pub fn signature(cx: &Extractor<'_>, start: usize, end: usize) -> String {
    let text = cx.source().get(start..end).unwrap_or("");
    crate::extract::clip(text, 2000).trim().trim_end_matches(['{', ':', ';', '=']).trim_end().to_owned()
}

/// How a language writes doc comments.
#[derive(Debug, Clone, Copy)]
pub struct DocStyle {
    /// Start of a doc line (`//`, `///`); empty if only blocks count.
    pub line: &'static str,
    /// Start of a doc block (`/*`, `/**`).
    pub block: &'static str,
    /// Lines that start so are directives and no documentation.
    pub directives: &'static [&'static str],
}

const MAX_DOC_LINES: usize = 200;

/// The doc comment that ends right above the line of byte `start`, marks taken off.
/// Read from the text: asking the tree for previous siblings is slow in long files.
pub fn doc_above(source: &str, start: usize, style: DocStyle) -> String {
    let mut line_start = source[..start].rfind('\n').map_or(0, |i| i + 1);
    let mut lines: Vec<&str> = Vec::new();
    while line_start > 0 && lines.len() < MAX_DOC_LINES {
        let end = line_start - 1;
        let begin = source[..end].rfind('\n').map_or(0, |i| i + 1);
        let line = source[begin..end].trim();
        if !style.line.is_empty() && line.starts_with(style.line) {
            if !style.directives.iter().any(|d| line.starts_with(d)) {
                lines.push(strip_mark(&line[style.line.len()..]));
            }
        } else if lines.is_empty() && line.ends_with("*/") {
            return block_above(source, end, style.block);
        } else {
            break;
        }
        line_start = begin;
    }
    lines.reverse();
    lines.join("\n").trim().to_owned()
}

fn block_above(source: &str, end: usize, mark: &str) -> String {
    let Some(open) = source[..end].rfind("/*") else { return String::new() };
    let before = source[..open].rfind('\n').map_or(0, |i| i + 1);
    if !source[before..open].trim().is_empty() || !source[open..].starts_with(mark) {
        return String::new();
    }
    block_text(&source[open..end])
}

/// The text of a block comment without its marks.
pub fn block_text(comment: &str) -> String {
    let inner = comment.trim().trim_start_matches('/').trim_end_matches('/');
    let lines: Vec<&str> = inner.lines().map(|l| l.trim().trim_matches('*').trim()).collect();
    lines.join("\n").trim().to_owned()
}

fn strip_mark(line: &str) -> &str {
    line.strip_prefix(' ').unwrap_or(line).trim_end()
}
