//! Calls inside macro arguments. A macro's arguments are mere tokens to the grammar, yet
//! `assert_eq!(f(x), 1)` calls `f`; so tokens are read for the shapes `f(`, `a.b(`, `A::b(`.

use tree_sitter::Node;

use super::{Kind, kind};
use crate::extract::Extractor;
use crate::facts::*;
use crate::lang::syntax::name_of;

/// Longest path that is read back from a call's parenthesis, in tokens.
const MAX_PATH: usize = 24;

/// Records the calls among a token tree's direct tokens; nested trees are visited on their own.
pub(super) fn scan(cx: &mut Extractor<'_>, tree: Node<'_>) {
    let mut cursor = tree.walk();
    let mut window: Vec<Node<'_>> = Vec::new();
    if !cursor.goto_first_child() {
        return;
    }
    loop {
        let token = cursor.node();
        if !token.is_extra() {
            if kind(token) == Kind::TokenTree && !window.is_empty() {
                group(cx, &window, token);
            }
            if window.len() >= 2 * MAX_PATH {
                window.drain(..MAX_PATH);
            }
            window.push(token);
        }
        if !cursor.goto_next_sibling() {
            return;
        }
    }
}

fn group(cx: &mut Extractor<'_>, before: &[Node<'_>], tree: Node<'_>) {
    let mut rest = before;
    let opens = cx.text(tree).as_bytes().first().copied();
    let is_macro = rest.last().is_some_and(|t| cx.text(*t) == "!");
    if is_macro {
        rest = &rest[..rest.len() - 1];
    } else if opens != Some(b'(') {
        return;
    }
    let mut rest = strip_turbofish(cx, rest);
    let Some((last, head)) = rest.split_last() else { return };
    if !is_callable_name(cx, *last) {
        return;
    }
    // A definition written in a macro's body is no call.
    if head.last().is_some_and(|t| matches!(cx.text(*t), "fn" | "struct" | "enum" | "'")) {
        return;
    }
    let line = cx.line(*last);
    let mut names = vec![*last];
    rest = head;
    let mut whole = true;
    loop {
        let Some((separator, head)) = rest.split_last() else { break };
        if !matches!(cx.text(*separator), "." | "::") {
            break;
        }
        let head = strip_turbofish(cx, head);
        match head.split_last() {
            Some((name, head)) if is_segment(cx, *name) && names.len() < MAX_PATH => {
                names.push(*name);
                rest = head;
            }
            _ => {
                // `f(x).g(y)`, `(a).b()`: the receiver is some value.
                whole = cx.text(*separator) == "::";
                break;
            }
        }
    }
    let args = if is_macro { 255 } else { arguments(cx, tree) };
    let mut expr = if whole { None } else { Some(cx.unknown()) };
    for (i, name) in names.iter().rev().enumerate() {
        let id = match (expr, kind(*name)) {
            (None, Kind::SelfValue) if i == 0 && names.len() > 1 && !followed_by_colons(cx, *name) => Expr::SelfRef,
            (None, _) if cx.text(*name) == "Self" => Expr::SelfType,
            (None, _) => Expr::Name(name_of(cx, *name)),
            (Some(base), _) => Expr::Attr(base, name_of(cx, *name)),
        };
        expr = Some(cx.expr(id));
        cx.scratch.take(*name);
    }
    if let Some(callee) = expr {
        cx.call(callee, line, args, false);
    }
}

fn followed_by_colons(cx: &Extractor<'_>, node: Node<'_>) -> bool {
    cx.source().get(node.end_byte()..).is_some_and(|s| s.trim_start().starts_with("::"))
}

fn is_callable_name(cx: &Extractor<'_>, node: Node<'_>) -> bool {
    const KEYWORDS: &[&str] = &["if", "while", "match", "return", "in", "for", "let", "else", "move", "mut", "ref", "as"];
    kind(node) == Kind::Identifier && !KEYWORDS.contains(&cx.text(node))
}

fn is_segment(cx: &Extractor<'_>, node: Node<'_>) -> bool {
    matches!(kind(node), Kind::SelfValue | Kind::SuperPath | Kind::CratePath | Kind::Primitive)
        || (kind(node) == Kind::Metavariable && cx.text(node) == "$crate")
        || is_callable_name(cx, node)
}

/// Tokens without a `::<T>` at their end.
fn strip_turbofish<'a, 't>(cx: &Extractor<'_>, tokens: &'a [Node<'t>]) -> &'a [Node<'t>] {
    if !tokens.last().is_some_and(|t| cx.text(*t) == ">") {
        return tokens;
    }
    let mut depth = 0i32;
    for (i, token) in tokens.iter().enumerate().rev() {
        match cx.text(*token) {
            ">" => depth += 1,
            ">>" => depth += 2,
            "<" => depth -= 1,
            _ => {}
        }
        if depth <= 0 {
            return match tokens[..i].split_last() {
                Some((colons, head)) if cx.text(*colons) == "::" => head,
                _ => tokens,
            };
        }
    }
    tokens
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
