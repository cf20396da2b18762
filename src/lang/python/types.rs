//! Annotations: as nodes of the tree, and as text inside strings.

use tree_sitter::Node;

use super::kinds::{K, child, kind, named};
use super::lower::string_text;
use crate::extract::{Extractor, MAX_EXPR_DEPTH};
use crate::facts::{Expr, ExprId, LiteralKind};

/// Arguments of a type constructor that are kept.
const MAX_TYPE_ARGS: usize = 8;

/// The names mentioned in a type, with their lines.
pub(super) type Mentions = Vec<(ExprId, u32)>;

/// Lowers an annotation and notes the names in it.
pub(super) fn lower(node: Node<'_>, cx: &mut Extractor<'_>, mentions: &mut Mentions) -> ExprId {
    lower_at(node, cx, mentions, 0)
}

fn lower_at(node: Node<'_>, cx: &mut Extractor<'_>, mentions: &mut Mentions, depth: u32) -> ExprId {
    if depth > MAX_EXPR_DEPTH {
        return cx.unknown();
    }
    let below = depth + 1;
    let line = cx.line(node);
    match kind(node) {
        K::Type | K::Parenthesized => match node.named_child(0) {
            Some(inner) => lower_at(inner, cx, mentions, below),
            None => cx.unknown(),
        },
        K::Identifier => {
            let text = cx.text(node);
            plain(text, line, cx, mentions)
        }
        K::Attribute | K::MemberType => dotted(cx.text(node), line, cx, mentions),
        K::None => cx.expr(Expr::Literal(LiteralKind::None)),
        K::String => match string_text(node, cx) {
            Some(text) => Text { text, at: 0, line, depth: below }.parse(cx, mentions),
            None => cx.unknown(),
        },
        K::GenericType => {
            let mut parts = named(node);
            let (Some(base), Some(args)) = (parts.next(), parts.next()) else { return cx.unknown() };
            let name = cx.text(base);
            generic(name, line, named(args), cx, mentions, below)
        }
        K::Subscript => {
            let mut parts = named(node);
            let Some(base) = parts.next() else { return cx.unknown() };
            if !matches!(kind(base), K::Identifier | K::Attribute) {
                return cx.unknown();
            }
            let name = cx.text(base);
            generic(name, line, parts, cx, mentions, below)
        }
        K::UnionType | K::Binary => {
            // `A | B | C` leans left: walked, not recursed.
            let mut parts = Vec::new();
            let mut at = node;
            loop {
                let (left, right) = match kind(at) {
                    K::UnionType => (at.named_child(0), at.named_child(1)),
                    K::Binary => (child(at, |f| f.left), child(at, |f| f.right)),
                    K::Type if at.named_child(0).is_some_and(|n| matches!(kind(n), K::UnionType | K::Binary)) => {
                        (at.named_child(0), None)
                    }
                    _ => break,
                };
                parts.extend(right);
                match left {
                    Some(left) => at = left,
                    None => break,
                }
            }
            parts.push(at);
            parts.reverse();
            parts.truncate(MAX_TYPE_ARGS);
            let parts: Box<[ExprId]> = parts.into_iter().map(|p| lower_at(p, cx, mentions, below)).collect();
            cx.expr(Expr::Union(parts))
        }
        _ => cx.unknown(),
    }
}

fn generic<'t>(
    base: &str,
    line: u32,
    args: impl Iterator<Item = Node<'t>>,
    cx: &mut Extractor<'_>,
    mentions: &mut Mentions,
    depth: u32,
) -> ExprId {
    if last_name(base) == "Literal" {
        return cx.unknown();
    }
    let args: Vec<ExprId> = args.take(MAX_TYPE_ARGS).map(|a| lower_at(a, cx, mentions, depth)).collect();
    construct(base, line, args, cx, mentions)
}

fn last_name(dotted: &str) -> &str {
    dotted.rsplit('.').next().unwrap_or(dotted).trim()
}

/// `base[args]`, with the constructors of `typing` taken for what they mean.
fn construct(base: &str, line: u32, args: Vec<ExprId>, cx: &mut Extractor<'_>, mentions: &mut Mentions) -> ExprId {
    match (last_name(base), args.first()) {
        ("Optional", Some(&of)) => {
            let none = cx.expr(Expr::Literal(LiteralKind::None));
            cx.expr(Expr::Union(Box::new([of, none])))
        }
        ("Union", Some(_)) => cx.expr(Expr::Union(args.into())),
        ("type" | "Type", Some(&of)) => cx.expr(Expr::TypeOf(of)),
        (
            "Annotated" | "Final" | "ClassVar" | "Required" | "NotRequired" | "ReadOnly" | "InitVar" | "TypeGuard"
            | "TypeIs" | "Unpack",
            Some(&of),
        ) => of,
        _ => {
            let base = dotted(base, line, cx, mentions);
            cx.expr(Expr::Generic(base, args.into()))
        }
    }
}

/// A dotted name in type position.
pub(super) fn dotted(text: &str, line: u32, cx: &mut Extractor<'_>, mentions: &mut Mentions) -> ExprId {
    let mut names = text.split('.').map(str::trim).take(MAX_EXPR_DEPTH as usize);
    let first = names.next().unwrap_or("");
    if !is_identifier(first) {
        return cx.unknown();
    }
    let mut rest = names.peekable();
    if rest.peek().is_none() {
        return plain(first, line, cx, mentions);
    }
    let name = cx.name_owned(first);
    let mut expr = cx.expr(Expr::Name(name));
    for name in rest {
        let name = cx.name_owned(name);
        expr = cx.expr(Expr::Attr(expr, name));
    }
    mentions.push((expr, line));
    expr
}

fn plain(text: &str, line: u32, cx: &mut Extractor<'_>, mentions: &mut Mentions) -> ExprId {
    match text {
        "Self" => cx.expr(Expr::SelfType),
        "None" => cx.expr(Expr::Literal(LiteralKind::None)),
        _ => {
            let name = cx.name_owned(text);
            let expr = cx.expr(Expr::Name(name));
            mentions.push((expr, line));
            expr
        }
    }
}

fn is_identifier(text: &str) -> bool {
    text.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// A parser over an annotation inside a string: names, `[...]`, `|`, nested quotes. What it can't read is `Unknown`.
struct Text<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    depth: u32,
}

impl<'a> Text<'a> {
    fn parse(&mut self, cx: &mut Extractor<'_>, mentions: &mut Mentions) -> ExprId {
        let found = self.union(cx, mentions);
        if self.peek().is_some() { cx.unknown() } else { found }
    }

    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn union(&mut self, cx: &mut Extractor<'_>, mentions: &mut Mentions) -> ExprId {
        let first = self.one(cx, mentions);
        if self.peek() != Some('|') {
            return first;
        }
        let mut parts = vec![first];
        while self.peek() == Some('|') {
            self.at += 1;
            let next = self.one(cx, mentions);
            if parts.len() < MAX_TYPE_ARGS {
                parts.push(next);
            }
        }
        cx.expr(Expr::Union(parts.into()))
    }

    fn one(&mut self, cx: &mut Extractor<'_>, mentions: &mut Mentions) -> ExprId {
        match self.peek() {
            Some('[' | '(') => {
                self.arguments(cx, mentions);
                cx.unknown()
            }
            Some(quote @ ('"' | '\'')) => {
                let inner = &self.text[self.at + 1..];
                let Some(len) = inner.find(quote) else {
                    self.at = self.text.len();
                    return cx.unknown();
                };
                self.at += len + 2;
                if self.depth > MAX_EXPR_DEPTH {
                    return cx.unknown();
                }
                Text { text: &inner[..len], at: 0, line: self.line, depth: self.depth + 1 }.parse(cx, mentions)
            }
            Some(c) if c.is_alphanumeric() || matches!(c, '_' | '.' | '*') => {
                let rest = &self.text[self.at..];
                let end = rest.find(|c: char| !(c.is_alphanumeric() || "_.*".contains(c))).unwrap_or(rest.len());
                let base = rest[..end].trim_start_matches('*');
                self.at += end;
                if self.peek() != Some('[') {
                    return dotted(base, self.line, cx, mentions);
                }
                let literal = last_name(base) == "Literal";
                let args = if literal { self.arguments(cx, &mut Vec::new()) } else { self.arguments(cx, mentions) };
                if literal || !is_identifier(last_name(base)) {
                    return cx.unknown();
                }
                construct(base, self.line, args, cx, mentions)
            }
            _ => {
                self.at = self.text.len();
                cx.unknown()
            }
        }
    }

    /// From the opening bracket to the closing one.
    fn arguments(&mut self, cx: &mut Extractor<'_>, mentions: &mut Mentions) -> Vec<ExprId> {
        self.at += 1;
        self.depth += 1;
        let mut out = Vec::new();
        loop {
            match self.peek() {
                None => break,
                Some(']' | ')') => {
                    self.at += 1;
                    break;
                }
                Some(',') => self.at += 1,
                Some(_) if self.depth > MAX_EXPR_DEPTH => self.at = self.text.len(),
                Some(_) => {
                    let argument = self.union(cx, mentions);
                    if out.len() < MAX_TYPE_ARGS {
                        out.push(argument);
                    }
                }
            }
        }
        self.depth -= 1;
        out
    }
}
