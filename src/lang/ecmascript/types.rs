//! Types: annotations, heritage, type parameters.

use tree_sitter::Node;

use super::kinds::K;
use super::{Walker, children};
use crate::extract::MAX_EXPR_DEPTH;
use crate::facts::{Expr, ExprId, LiteralKind, Name};

impl Walker<'_, '_> {
    /// The type of an annotation (`: T`) or of a bare type.
    pub(super) fn lower_type(&mut self, node: Node<'_>) -> ExprId {
        self.lower_type_at(node, 0)
    }

    pub(super) fn lower_type_at(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let unknown = self.cx.unknown();
        if depth >= MAX_EXPR_DEPTH {
            return unknown;
        }
        let d = depth + 1;
        let f = &self.grammar.fields;
        match self.kind(node) {
            K::TypeAnnotation
            | K::ParenthesizedType
            | K::ReadonlyType
            | K::OptionalType
            | K::RestType
            | K::MaybeType
            | K::Constraint => match children(node).first() {
                Some(&inner) => self.lower_type_at(inner, d),
                None => unknown,
            },
            K::RequiredParameter | K::OptionalParameter => match self.field(node, f.ty) {
                Some(inner) => self.lower_type_at(inner, d),
                None => unknown,
            },
            K::TypeIdentifier if self.cx.text(node) == "bigint" => self.literal(LiteralKind::Number),
            K::TypeIdentifier | K::Identifier => {
                let name = self.name(node);
                self.name_expr(name)
            }
            K::NestedType => {
                let (Some(module), Some(name)) = (self.field(node, f.module), self.field(node, f.name)) else {
                    return unknown;
                };
                let module = self.lower_at(module, d);
                let name = self.name(name);
                self.attr_expr(module, name)
            }
            K::Member | K::Call | K::NestedIdentifier => self.lower_at(node, d),
            K::GenericType => {
                let Some(name) = self.field(node, f.name) else { return unknown };
                let base = match self.cx.text(name) {
                    "Array" | "ReadonlyArray" => self.literal(LiteralKind::List),
                    _ => self.lower_type_at(name, d),
                };
                match self.field(node, f.type_arguments) {
                    Some(args) => self.generic_of(base, args, d),
                    None => base,
                }
            }
            K::PredefinedType => match self.cx.text(node) {
                "string" => self.literal(LiteralKind::Str),
                "number" => self.literal(LiteralKind::Number),
                "boolean" => self.literal(LiteralKind::Bool),
                "void" | "never" => self.literal(LiteralKind::None),
                _ => unknown,
            },
            K::LiteralType => match children(node).first().map(|&n| self.kind(n)) {
                Some(K::String) => self.literal(LiteralKind::Str),
                Some(K::Number | K::Unary) => self.literal(LiteralKind::Number),
                Some(K::True | K::False) => self.literal(LiteralKind::Bool),
                Some(K::Null | K::Undefined) => self.literal(LiteralKind::None),
                _ => unknown,
            },
            K::ArrayType => {
                let element = children(node).first().map_or(unknown, |&n| self.lower_type_at(n, d));
                let list = self.literal(LiteralKind::List);
                self.generic(list, vec![element])
            }
            K::TupleType => {
                let parts = children(node).into_iter().take(8).map(|n| self.lower_type_at(n, d)).collect();
                let tuple = self.literal(LiteralKind::Tuple);
                self.generic(tuple, parts)
            }
            // An intersection has the members of all its parts: for finding members it is the same.
            K::UnionType | K::IntersectionType => {
                let parts = self.type_parts(node).into_iter().map(|n| self.lower_type_at(n, d)).collect();
                self.union_of(parts)
            }
            K::FunctionType => self.literal(LiteralKind::Function),
            K::TypeQuery => match children(node).first() {
                Some(&inner) => {
                    let inner = self.lower_at(inner, d);
                    self.type_of(inner)
                }
                None => unknown,
            },
            K::ThisType => self.self_type(),
            K::TypePredicate | K::PredicateAnnotation => self.literal(LiteralKind::Bool),
            K::Asserts | K::AssertsAnnotation => self.literal(LiteralKind::None),
            _ => unknown,
        }
    }

    /// Members of `A | B | C`, which the grammar nests to the left; at most 8.
    pub(super) fn type_parts<'t>(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let kind = self.kind(node);
        let mut parts = Vec::new();
        let mut at = node;
        loop {
            let inner = children(at);
            match inner.as_slice() {
                [left, right] => {
                    parts.push(*right);
                    at = *left;
                }
                [only] => at = *only,
                _ => break,
            }
            if self.kind(at) != kind {
                parts.push(at);
                break;
            }
        }
        parts.reverse();
        parts.truncate(8);
        parts
    }

    pub(super) fn generic(&mut self, base: ExprId, args: Vec<ExprId>) -> ExprId {
        self.shared_list(3, base.0, args, |args| Expr::Generic(base, args))
    }

    /// `Base<Args>` from the node of the arguments.
    pub(super) fn generic_of(&mut self, base: ExprId, args: Node<'_>, d: u32) -> ExprId {
        if base == self.cx.unknown() {
            return base;
        }
        let args = children(args).into_iter().take(8).map(|n| self.lower_type_at(n, d)).collect();
        self.generic(base, args)
    }

    /// Type parameters of a definition, with their bounds.
    pub(super) fn type_params(&mut self, node: Node<'_>) -> Vec<(Name, Option<ExprId>)> {
        let f = &self.grammar.fields;
        let Some(list) = self.field(node, f.type_parameters) else { return Vec::new() };
        let mut params = Vec::new();
        for param in children(list) {
            if self.kind(param) != K::TypeParameter {
                continue;
            }
            let Some(name) = self.field(param, f.name) else { continue };
            self.skip(name);
            let bound = self.field(param, f.constraint).map(|c| self.lower_type(c));
            params.push((self.name(name), bound));
        }
        params
    }

    /// What a class extends and implements, an interface extends.
    pub(super) fn bases(&mut self, node: Node<'_>) -> Vec<ExprId> {
        let f = &self.grammar.fields;
        let mut bases = Vec::new();
        for heritage in children(node) {
            match self.kind(heritage) {
                K::ClassHeritage => {
                    for clause in children(heritage) {
                        match self.kind(clause) {
                            K::Extends => self.extended(clause, &mut bases),
                            K::Implements => {
                                for ty in children(clause) {
                                    self.skip_type_name(ty);
                                    bases.push(self.lower_type(ty));
                                }
                            }
                            _ => {
                                self.skip(clause);
                                bases.push(self.lower(clause));
                            }
                        }
                    }
                }
                K::ExtendsType => {
                    for ty in children(heritage) {
                        self.skip_type_name(ty);
                        bases.push(self.lower_type(ty));
                    }
                }
                _ => {}
            }
            if self.field(node, f.body).is_some_and(|b| b.start_byte() <= heritage.start_byte()) {
                break;
            }
        }
        bases
    }

    fn extended(&mut self, clause: Node<'_>, bases: &mut Vec<ExprId>) {
        for part in children(clause) {
            if self.kind(part) == K::TypeArguments {
                if let Some(base) = bases.pop() {
                    let generic = self.generic_of(base, part, 0);
                    bases.push(generic);
                }
            } else {
                self.skip(part);
                bases.push(self.lower(part));
            }
        }
    }

    /// The base's name is in `bases`; it need not be mentioned again.
    fn skip_type_name(&mut self, ty: Node<'_>) {
        let name = match self.kind(ty) {
            K::GenericType => self.field(ty, self.grammar.fields.name),
            _ => Some(ty),
        };
        if let Some(name) = name {
            self.skip(name);
        }
    }
}
