//! Calls and mentions inside macro arguments. A macro's arguments are mere tokens to the grammar,
//! yet `assert_eq!(f(x), 1)` calls `f`; so tokens are read for the shapes `f(`, `a.b(`, `A::b(`, `m!(`.

use tree_sitter::Node;

use super::{Kind, kind};
use crate::extract::Extractor;
use crate::facts::*;
use crate::lang::syntax::name_of;

/// Longest chain of names and calls that is read as one expression.
const MAX_CHAIN: usize = 24;

/// Words before a name that make it a definition.
const DEFINING: &[&str] = &["fn", "struct", "enum", "trait", "type", "mod", "let", "const", "static", "'"];

const KEYWORDS: &[&str] = &[
    "as", "async", "break", "continue", "dyn", "else", "for", "if", "impl", "in", "loop", "match", "move", "mut", "pub",
    "ref", "return", "unsafe", "use", "where", "while",
];

/// Reads a token tree's direct tokens; nested trees are visited on their own.
pub(super) fn scan(cx: &mut Extractor<'_>, tree: Node<'_>) {
    let mut cursor = tree.walk();
    let tokens: Vec<Node<'_>> = tree.children(&mut cursor).filter(|t| !t.is_extra()).collect();
    let mut i = 0;
    while i < tokens.len() {
        let defined = i > 0 && DEFINING.contains(&cx.text(tokens[i - 1]));
        if is_segment(cx, tokens[i]) && !defined {
            i = chain(cx, &tokens, i, None);
        } else if cx.text(tokens[i]) == "." && tokens.get(i + 1).is_some_and(|t| is_segment(cx, *t)) {
            // The receiver is some value: `(a).b()`.
            let unknown = cx.unknown();
            i = chain(cx, &tokens, i + 1, Some(unknown));
        } else {
            i += 1;
        }
    }
}

/// Reads `a.b::c(...)?.d!(...)` from a name on; gives the index after it.
fn chain(cx: &mut Extractor<'_>, tokens: &[Node<'_>], start: usize, base: Option<ExprId>) -> usize {
    let first = tokens[start];
    let mut i = start + 1;
    let mut names = 1;
    let mut last = first;
    // One name on its own is left to the walk, unless it is called or written as a key.
    let mut expr = match base {
        Some(base) => {
            cx.scratch.take(first);
            let name = name_of(cx, first);
            cx.expr(Expr::Attr(base, name))
        }
        None => {
            let next = token_text(cx, tokens, i);
            head(cx, first, next)
        }
    };
    let mut ends_in_name = true;
    for _ in 0..MAX_CHAIN {
        match token_text(cx, tokens, i) {
            "::" if token_text(cx, tokens, i + 1) == "<" => i = after_angles(cx, tokens, i + 1),
            "." | "::" if tokens.get(i + 1).is_some_and(|t| is_segment(cx, *t)) => {
                last = tokens[i + 1];
                if token_text(cx, tokens, i + 1) == "await" {
                    expr = cx.expr(Expr::Await(expr));
                    ends_in_name = false;
                } else {
                    let name = name_of(cx, last);
                    expr = cx.expr(Expr::Attr(expr, name));
                    ends_in_name = true;
                }
                cx.scratch.take(first);
                cx.scratch.take(last);
                names += 1;
                i += 2;
            }
            "!" if ends_in_name && tokens.get(i + 1).is_some_and(|t| kind(*t) == Kind::TokenTree) => {
                cx.scratch.take(first);
                let line = cx.line(last);
                cx.call(expr, line, 255, false);
                return i + 2;
            }
            "?" if !ends_in_name || names > 1 => {
                expr = cx.expr(Expr::Await(expr));
                ends_in_name = false;
                i += 1;
            }
            group if group.starts_with('(') && kind(tokens[i]) == Kind::TokenTree && ends_in_name => {
                cx.scratch.take(first);
                let line = cx.line(last);
                let args = arguments(cx, tokens[i]);
                cx.call(expr, line, args, false);
                expr = cx.expr(Expr::Call(expr, [].into()));
                ends_in_name = false;
                i += 1;
            }
            ":" | "=" if names == 1 && base.is_none() => {
                // `json!({ key: value })`, `info!(name = value)`.
                cx.scratch.take(first);
                return i + 1;
            }
            _ => break,
        }
    }
    if ends_in_name && (names > 1 || base.is_some()) {
        let line = cx.line(last);
        cx.reference(expr, line, Access::Read);
    }
    i
}

fn token_text<'s>(cx: &Extractor<'s>, tokens: &[Node<'_>], i: usize) -> &'s str {
    tokens.get(i).map_or("", |t| cx.text(*t))
}

fn head(cx: &mut Extractor<'_>, node: Node<'_>, next: &str) -> ExprId {
    let expr = match cx.text(node) {
        "self" if next != "::" => Expr::SelfRef,
        "Self" => Expr::SelfType,
        _ => Expr::Name(name_of(cx, node)),
    };
    cx.expr(expr)
}

fn is_segment(cx: &Extractor<'_>, node: Node<'_>) -> bool {
    match kind(node) {
        Kind::SelfValue | Kind::SuperPath | Kind::CratePath | Kind::Primitive => true,
        Kind::Metavariable => cx.text(node) == "$crate",
        Kind::Identifier => !KEYWORDS.contains(&cx.text(node)),
        _ => false,
    }
}

/// The index after a `<...>` that opens at `open`.
fn after_angles(cx: &Extractor<'_>, tokens: &[Node<'_>], open: usize) -> usize {
    let mut depth = 0i32;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match cx.text(*token) {
            "<" => depth += 1,
            ">" => depth -= 1,
            ">>" => depth -= 2,
            _ => {}
        }
        if depth <= 0 {
            return i + 1;
        }
    }
    tokens.len()
}

fn arguments(cx: &Extractor<'_>, tree: Node<'_>) -> u8 {
    let mut cursor = tree.walk();
    let (mut commas, mut tokens, mut trailing) = (0u32, 0u32, false);
    for token in tree.children(&mut cursor) {
        match cx.text(token) {
            "(" | ")" if !token.is_named() => {}
            "," => {
                commas += 1;
                trailing = true;
            }
            _ => {
                tokens += 1;
                trailing = false;
            }
        }
    }
    match (tokens, trailing) {
        (0, _) => 0,
        (_, true) => commas.min(254) as u8,
        (_, false) => (commas + 1).min(254) as u8,
    }
}
