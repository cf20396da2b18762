//! Destructuring, and what else binds names: loops, `catch`, narrowing.

use tree_sitter::Node;

use super::kinds::K;
use super::{Mark, Walker, children};
use crate::extract::MAX_EXPR_DEPTH;
use crate::facts::{BindFact, BindKind, ExprId, LiteralKind, Name, SymbolIdx};

/// A name that a pattern binds.
pub(super) struct Bound {
    pub(super) name: Name,
    pub(super) line: u32,
    pub(super) value: ExprId,
}

impl Walker<'_, '_> {
    /// Names that a pattern binds when it is matched against `source`.
    pub(super) fn pattern(&mut self, node: Node<'_>, source: ExprId, out: &mut Vec<Bound>, depth: u32) {
        if depth >= MAX_EXPR_DEPTH {
            return;
        }
        let f = &self.grammar.fields;
        let d = depth + 1;
        let unknown = self.cx.unknown();
        match self.kind(node) {
            K::Identifier => {
                self.skip(node);
                let name = self.name(node);
                out.push(Bound { name, line: self.cx.line(node), value: source });
            }
            K::ShorthandPattern => {
                let name = self.name(node);
                let value = if source == unknown { source } else { self.attr_expr(source, name) };
                out.push(Bound { name, line: self.cx.line(node), value });
            }
            K::Member | K::Subscript => self.mark(node, Mark::Write),
            K::ObjectPattern => {
                for child in children(node) {
                    let source = if self.kind(child) == K::Rest { unknown } else { source };
                    self.pattern(child, source, out, d);
                }
            }
            K::PairPattern => {
                let (Some(key), Some(value)) = (self.field(node, f.key), self.field(node, f.value)) else { return };
                let source = match self.key(key) {
                    Some(key) if source != unknown => {
                        let name = self.cx.name_owned(&key);
                        self.attr_expr(source, name)
                    }
                    _ => unknown,
                };
                self.pattern(value, source, out, d);
            }
            K::ArrayPattern => {
                for child in children(node) {
                    let source = if self.kind(child) == K::Rest { source } else { self.index_of(source) };
                    self.pattern(child, source, out, d);
                }
            }
            K::Rest | K::Parenthesized | K::NonNull => {
                if let Some(&inner) = children(node).first() {
                    self.pattern(inner, source, out, d);
                }
            }
            K::AssignmentPattern | K::ObjectAssignmentPattern => {
                if let Some(left) = self.field(node, f.left) {
                    self.pattern(left, source, out, d);
                }
                if let Some(right) = self.field(node, f.right) {
                    self.value(right);
                }
            }
            _ => {}
        }
    }

    /// Records the names of a pattern in a scope.
    pub(super) fn bind_all(&mut self, scope: SymbolIdx, bound: Vec<Bound>, end_line: u32, kind: BindKind) {
        for Bound { name, line, value } in bound {
            self.st.declared.insert((scope, name));
            self.cx.bind(BindFact { scope, name, line, end_line, kind, value, ty: None });
        }
    }

    pub(super) fn for_in(&mut self, node: Node<'_>) {
        let f = &self.grammar.fields;
        self.push_block(node);
        let (Some(left), Some(right)) = (self.field(node, f.left), self.field(node, f.right)) else { return };
        let declared = self.field(node, f.kind).map(|k| self.cx.text(k));
        let of = self.field(node, f.operator).is_some_and(|o| self.cx.text(o) == "of");
        let source = if of {
            let right = self.lower(right);
            self.element_of(right)
        } else {
            self.literal(LiteralKind::Str)
        };
        let mut bound = Vec::new();
        self.pattern(left, source, &mut bound, 0);
        match declared {
            Some(kind) => {
                let end_line = if kind == "var" { self.frame().end_line } else { self.cx.end_line(node) };
                let scope = self.cx.current();
                self.bind_all(scope, bound, end_line, BindKind::For);
            }
            None => {
                for Bound { name, line, value } in bound {
                    self.assign_name(name, line, value, BindKind::For);
                }
            }
        }
    }

    pub(super) fn catch(&mut self, node: Node<'_>) {
        let f = &self.grammar.fields;
        self.push_block(node);
        let Some(parameter) = self.field(node, f.parameter) else { return };
        let ty = self.field(node, f.ty).map(|t| self.lower_type(t));
        let mut bound = Vec::new();
        let unknown = self.cx.unknown();
        self.pattern(parameter, unknown, &mut bound, 0);
        let (scope, end_line) = (self.cx.current(), self.cx.end_line(node));
        for Bound { name, line, value } in bound {
            self.cx.bind(BindFact { scope, name, line, end_line, kind: BindKind::Except, value, ty });
        }
    }

    pub(super) fn if_statement(&mut self, node: Node<'_>) {
        let f = &self.grammar.fields;
        if let (Some(condition), Some(then)) = (self.field(node, f.condition), self.field(node, f.consequence)) {
            self.narrow(condition, then);
        }
    }

    pub(super) fn ternary(&mut self, node: Node<'_>) {
        let f = &self.grammar.fields;
        if let (Some(condition), Some(then)) = (self.field(node, f.condition), self.field(node, f.consequence)) {
            self.narrow(condition, then);
        }
    }

    /// `x instanceof C`, alone or in a chain of `&&`, says what x is within `then`.
    fn narrow(&mut self, condition: Node<'_>, then: Node<'_>) {
        let f = &self.grammar.fields;
        let mut at = self.unwrap(condition);
        for _ in 0..MAX_EXPR_DEPTH {
            if self.kind(at) != K::Binary {
                return;
            }
            let operator = self.field(at, f.operator).map_or("", |o| self.cx.text(o));
            let (Some(left), Some(right)) = (self.field(at, f.left), self.field(at, f.right)) else { return };
            match operator {
                "instanceof" => return self.narrow_to(left, right, then),
                "&&" => {
                    let right = self.unwrap(right);
                    if self.kind(right) == K::Binary
                        && self.field(right, f.operator).is_some_and(|o| self.cx.text(o) == "instanceof")
                        && let (Some(l), Some(r)) = (self.field(right, f.left), self.field(right, f.right))
                    {
                        self.narrow_to(l, r, then);
                    }
                    at = self.unwrap(left);
                }
                _ => return,
            }
        }
    }

    fn narrow_to(&mut self, variable: Node<'_>, class: Node<'_>, then: Node<'_>) {
        let variable = self.unwrap(variable);
        if self.kind(variable) != K::Identifier {
            return;
        }
        let name = self.name(variable);
        let ty = Some(self.lower(class));
        let (scope, line, end_line) = (self.cx.current(), self.cx.line(then), self.cx.end_line(then));
        let value = self.cx.unknown();
        self.cx.bind(BindFact { scope, name, line, end_line, kind: BindKind::Narrow, value, ty });
    }
}
