//! Expressions: from syntax to the arena of [`Facts::exprs`](crate::facts::Facts::exprs).
//! Equal expressions share one entry, so a long chain of calls does not grow quadratically.

use tree_sitter::Node;

use super::kinds::K;
use super::{Walker, children};
use crate::extract::MAX_EXPR_DEPTH;
use crate::facts::{Expr, ExprId, LiteralKind, Name, SymbolIdx};

/// Most elements of a container or a union that are kept.
const MAX_ELEMENTS: usize = 8;
/// Most arguments of a call that are kept.
const MAX_ARGUMENTS: usize = 4;

impl<'s> Walker<'_, 's> {
    fn shared(&mut self, key: (u8, u32, u32), expr: impl FnOnce() -> Expr) -> ExprId {
        if let Some(&id) = self.st.shared.get(&key) {
            return id;
        }
        let id = self.cx.expr(expr());
        self.st.shared.insert(key, id);
        id
    }

    pub(super) fn literal(&mut self, kind: LiteralKind) -> ExprId {
        self.shared((0, kind as u32, 0), || Expr::Literal(kind))
    }

    pub(super) fn name_expr(&mut self, name: Name) -> ExprId {
        self.shared((1, name.0, 0), || Expr::Name(name))
    }

    pub(super) fn attr_expr(&mut self, object: ExprId, name: Name) -> ExprId {
        if object == self.cx.unknown() && self.cx.str(name).is_empty() {
            return object;
        }
        self.shared((2, object.0, name.0), || Expr::Attr(object, name))
    }

    pub(super) fn new_of(&mut self, class: ExprId) -> ExprId {
        if class == self.cx.unknown() {
            return class;
        }
        self.shared((3, class.0, 0), || Expr::New(class))
    }

    pub(super) fn await_of(&mut self, value: ExprId) -> ExprId {
        // `import()` gives a promise of the module; nothing else of it is ever used.
        if value == self.cx.unknown() || matches!(self.cx.facts().expr(value), Expr::Module(_)) {
            return value;
        }
        self.shared((4, value.0, 0), || Expr::Await(value))
    }

    pub(super) fn element_of(&mut self, value: ExprId) -> ExprId {
        if value == self.cx.unknown() {
            return value;
        }
        self.shared((5, value.0, 0), || Expr::Element(value))
    }

    pub(super) fn index_of(&mut self, value: ExprId) -> ExprId {
        if value == self.cx.unknown() {
            return value;
        }
        self.shared((6, value.0, 0), || Expr::Index(value))
    }

    pub(super) fn function_expr(&mut self, symbol: SymbolIdx) -> ExprId {
        self.shared((7, symbol.0, 0), || Expr::Function(symbol))
    }

    pub(super) fn self_ref(&mut self) -> ExprId {
        self.shared((8, 0, 0), || Expr::SelfRef)
    }

    pub(super) fn self_type(&mut self) -> ExprId {
        self.shared((9, 0, 0), || Expr::SelfType)
    }

    pub(super) fn super_ref(&mut self) -> ExprId {
        self.shared((10, 0, 0), || Expr::Super)
    }

    pub(super) fn module_expr(&mut self, module: Name) -> ExprId {
        self.shared((11, module.0, 0), || Expr::Module(module))
    }

    pub(super) fn type_of(&mut self, value: ExprId) -> ExprId {
        self.shared((12, value.0, 0), || Expr::TypeOf(value))
    }

    pub(super) fn call_of(&mut self, callee: ExprId, args: Vec<ExprId>) -> ExprId {
        if callee == self.cx.unknown() {
            return callee;
        }
        self.shared_list(0, callee.0, args, |args| Expr::Call(callee, args))
    }

    /// As [`Walker::shared`], for expressions with a list of parts.
    pub(super) fn shared_list(
        &mut self,
        tag: u8,
        of: u32,
        parts: Vec<ExprId>,
        expr: impl FnOnce(Box<[ExprId]>) -> Expr,
    ) -> ExprId {
        let key = (tag, of, parts.into_boxed_slice());
        if let Some(&id) = self.st.shared_lists.get(&key) {
            return id;
        }
        let id = self.cx.expr(expr(key.2.clone()));
        self.st.shared_lists.insert(key, id);
        id
    }

    pub(super) fn union_of(&mut self, parts: Vec<ExprId>) -> ExprId {
        let mut flat: Vec<ExprId> = Vec::new();
        for part in parts {
            let inner = match self.cx.facts().expr(part) {
                Expr::Union(inner) => inner.to_vec(),
                _ => vec![part],
            };
            for id in inner {
                if !flat.contains(&id) && flat.len() < MAX_ELEMENTS {
                    flat.push(id);
                }
            }
        }
        match flat.len() {
            0 => self.cx.unknown(),
            1 => flat[0],
            _ => self.shared_list(1, 0, flat, Expr::Union),
        }
    }

    /// Takes off parentheses, casts and `!`; of `(0, f)` it is `f`.
    pub(super) fn unwrap<'t>(&self, mut node: Node<'t>) -> Node<'t> {
        loop {
            let inner = match self.kind(node) {
                K::Parenthesized | K::NonNull | K::As | K::Satisfies | K::Instantiation => {
                    children(node).first().copied()
                }
                K::TypeAssertion | K::Sequence => children(node).last().copied(),
                _ => None,
            };
            match inner {
                Some(inner) => node = inner,
                None => return node,
            }
        }
    }

    /// The value of an expression.
    pub(super) fn lower(&mut self, node: Node<'_>) -> ExprId {
        self.lower_at(node, 0)
    }

    pub(super) fn lower_at(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let unknown = self.cx.unknown();
        if depth >= MAX_EXPR_DEPTH {
            return unknown;
        }
        let d = depth + 1;
        let f = &self.grammar.fields;
        match self.kind(node) {
            K::Identifier | K::Shorthand | K::TypeIdentifier | K::ShorthandPattern => {
                let name = self.name(node);
                self.name_expr(name)
            }
            K::This => {
                if self.this_known() {
                    self.self_ref()
                } else {
                    unknown
                }
            }
            K::Super => self.super_ref(),
            K::Undefined | K::Null => self.literal(LiteralKind::None),
            K::True | K::False => self.literal(LiteralKind::Bool),
            K::Number => self.literal(LiteralKind::Number),
            K::String | K::Template => self.literal(LiteralKind::Str),
            K::Regex => self.literal(LiteralKind::Regex),
            K::Member | K::NestedIdentifier => self.lower_member(node, d),
            K::Subscript => {
                let Some(object) = self.field(node, f.object) else { return unknown };
                let object = self.lower_at(object, d);
                match self.field(node, f.index) {
                    Some(index) if self.kind(index) == K::String => match self.string(index) {
                        Some(key) if !key.is_empty() => {
                            let name = self.cx.name(key);
                            self.attr_expr(object, name)
                        }
                        _ => self.index_of(object),
                    },
                    _ => self.index_of(object),
                }
            }
            K::Call => self.lower_call(node, d),
            K::New => {
                let Some(class) = self.field(node, f.constructor) else { return unknown };
                let class = self.lower_at(class, d);
                let class = match self.field(node, f.type_arguments) {
                    Some(args) => self.generic_of(class, args, d),
                    None => class,
                };
                self.new_of(class)
            }
            K::Await => match children(node).first() {
                Some(&value) => {
                    let value = self.lower_at(value, d);
                    self.await_of(value)
                }
                None => unknown,
            },
            K::As | K::TypeAssertion => self.lower_cast(node, d),
            K::Parenthesized | K::NonNull | K::Satisfies | K::Instantiation => match children(node).first() {
                Some(&inner) => self.lower_at(inner, d),
                None => unknown,
            },
            K::Sequence => match children(node).last() {
                Some(&inner) => self.lower_at(inner, d),
                None => unknown,
            },
            K::Assignment => match self.field(node, f.right) {
                Some(right) => self.lower_at(right, d),
                None => unknown,
            },
            K::Ternary => {
                let (yes, no) = (self.field(node, f.consequence), self.field(node, f.alternative));
                let parts = [yes, no].into_iter().flatten().map(|n| self.lower_at(n, d)).collect();
                self.union_of(parts)
            }
            K::Binary => self.lower_binary(node, d),
            K::Unary => match self.field(node, f.operator).map(|o| self.cx.text(o)) {
                Some("!" | "delete") => self.literal(LiteralKind::Bool),
                Some("typeof") => self.literal(LiteralKind::Str),
                Some("void") => self.literal(LiteralKind::None),
                Some(_) => self.literal(LiteralKind::Number),
                None => unknown,
            },
            K::Update => self.literal(LiteralKind::Number),
            K::Array => {
                let mut parts = Vec::new();
                for element in children(node).into_iter().take(2 * MAX_ELEMENTS) {
                    if self.kind(element) != K::Spread && parts.len() < MAX_ELEMENTS {
                        parts.push(self.lower_at(element, d));
                    }
                }
                self.container(LiteralKind::List, parts)
            }
            K::Object => {
                let mut parts = Vec::new();
                for child in children(node) {
                    if parts.len() == MAX_ELEMENTS {
                        break;
                    }
                    match self.kind(child) {
                        K::Pair => {
                            if let Some(value) = self.field(child, f.value) {
                                parts.push(self.lower_at(value, d));
                            }
                        }
                        K::Shorthand => parts.push(self.lower_at(child, d)),
                        _ => {}
                    }
                }
                self.container(LiteralKind::Map, parts)
            }
            K::FunctionExpression | K::GeneratorFunction | K::Arrow | K::Class => {
                match self.st.symbol_of.get(&node.id()).copied() {
                    Some(symbol) => self.function_expr(symbol),
                    None => self.literal(LiteralKind::Function),
                }
            }
            _ => unknown,
        }
    }

    fn container(&mut self, kind: LiteralKind, mut parts: Vec<ExprId>) -> ExprId {
        let unknown = self.cx.unknown();
        parts.dedup();
        if parts.iter().all(|&p| p == unknown) {
            return self.literal(kind);
        }
        self.shared_list(2, kind as u32, parts, |parts| Expr::Container(kind, parts))
    }

    fn lower_member(&mut self, node: Node<'_>, d: u32) -> ExprId {
        let unknown = self.cx.unknown();
        let f = &self.grammar.fields;
        let (Some(object), Some(property)) = (self.field(node, f.object), self.field(node, f.property)) else {
            return unknown;
        };
        let name = self.name(property);
        // Within its own module `exports.x` is x.
        if self.is_exports(object) {
            return self.name_expr(name);
        }
        let object = self.lower_at(object, d);
        if self.cx.str(name) == "prototype" {
            return self.new_of(object);
        }
        self.attr_expr(object, name)
    }

    /// `exports` or `module.exports`.
    pub(super) fn is_exports(&self, node: Node<'_>) -> bool {
        match self.kind(node) {
            K::Identifier => self.cx.text(node) == "exports",
            K::Member => {
                let text = self.cx.text(node);
                text == "module.exports"
            }
            _ => false,
        }
    }

    fn lower_call(&mut self, node: Node<'_>, d: u32) -> ExprId {
        let unknown = self.cx.unknown();
        if let Some(module) = self.loaded_module(node) {
            let module = self.cx.name(module);
            return self.module_expr(module);
        }
        let f = &self.grammar.fields;
        let (Some(function), args) = (self.field(node, f.function), self.field(node, f.arguments)) else {
            return unknown;
        };
        let function = self.unwrap(function);
        let args: Vec<Node<'_>> = args.filter(|&a| self.kind(a) == K::Arguments).map(children).unwrap_or_default();
        if self.kind(function) == K::Member
            && let (Some(object), Some(property)) = (self.field(function, f.object), self.field(function, f.property))
        {
            let object = self.unwrap(object);
            match (self.cx.text(object), self.cx.text(property)) {
                ("Object", "create") => {
                    return args.first().map_or(unknown, |&a| self.lower_at(a, d));
                }
                ("Object", "assign" | "freeze" | "seal") => {
                    return args.first().map_or(unknown, |&a| self.lower_at(a, d));
                }
                (_, "bind") if !args.is_empty() => return self.lower_at(object, d),
                (_, "call") if !args.is_empty() => {
                    let callee = self.lower_at(object, d);
                    return self.call_of(callee, Vec::new());
                }
                (_, "apply") if self.is_apply(&args) => {
                    let callee = self.lower_at(object, d);
                    return self.call_of(callee, Vec::new());
                }
                _ => {}
            }
        }
        if self.kind(function).is_function() {
            return unknown;
        }
        let callee = self.lower_at(function, d);
        let mut lowered: Vec<ExprId> = args
            .iter()
            .take(MAX_ARGUMENTS)
            .map(|&a| match self.kind(a) {
                K::Identifier | K::Member | K::New | K::Call | K::Class | K::This | K::Await => self.lower_at(a, d),
                kind if kind.is_function() => self.lower_at(a, d),
                _ => unknown,
            })
            .collect();
        while lowered.last() == Some(&unknown) {
            lowered.pop();
        }
        self.call_of(callee, lowered)
    }

    /// Whether `.apply(args)` is the method of functions and not one of the object's own.
    pub(super) fn is_apply(&self, args: &[Node<'_>]) -> bool {
        match args {
            [first] => matches!(self.kind(*first), K::This | K::Null | K::Undefined),
            [_, _] => true,
            _ => false,
        }
    }

    /// The module of `require("x")` and `import("x")`.
    pub(super) fn loaded_module(&self, call: Node<'_>) -> Option<&'s str> {
        if self.kind(call) != K::Call {
            return None;
        }
        let function = self.field(call, self.grammar.fields.function)?;
        match self.kind(function) {
            K::ImportWord => {}
            K::Identifier if self.cx.text(function) == "require" => {}
            _ => return None,
        }
        let args = children(self.field(call, self.grammar.fields.arguments)?);
        self.string(*args.first()?).filter(|m| !m.is_empty())
    }

    fn lower_cast(&mut self, node: Node<'_>, d: u32) -> ExprId {
        let parts = children(node);
        let (value, ty) = match (self.kind(node), parts.as_slice()) {
            (K::As, [value, ty]) => (*value, Some(*ty)),
            (K::As, [value]) => (*value, None),
            (_, [types, value]) => (*value, children(*types).first().copied()),
            _ => return self.cx.unknown(),
        };
        match ty.map(|t| (t, self.kind(t))) {
            // `as Function`, `as any`: the value says more.
            Some((t, K::TypeIdentifier | K::GenericType | K::NestedType)) if self.cx.text(t) != "Function" => {
                let class = self.lower_type_at(t, d);
                self.new_of(class)
            }
            _ => self.lower_at(value, d),
        }
    }

    fn lower_binary(&mut self, node: Node<'_>, d: u32) -> ExprId {
        let f = &self.grammar.fields;
        let unknown = self.cx.unknown();
        let (Some(left), Some(right)) = (self.field(node, f.left), self.field(node, f.right)) else { return unknown };
        match self.field(node, f.operator).map_or("", |o| self.cx.text(o)) {
            "||" | "??" => {
                let parts = vec![self.lower_at(left, d), self.lower_at(right, d)];
                self.union_of(parts)
            }
            "&&" => self.lower_at(right, d),
            "+" => {
                let text = [left, right].iter().any(|&n| matches!(self.kind(n), K::String | K::Template));
                if text { self.literal(LiteralKind::Str) } else { unknown }
            }
            "-" | "*" | "/" | "%" | "**" | "&" | "|" | "^" | "<<" | ">>" | ">>>" => self.literal(LiteralKind::Number),
            "" => unknown,
            _ => self.literal(LiteralKind::Bool),
        }
    }

    /// The text of a string literal or of a template without substitutions, without quotes.
    pub(super) fn string(&self, node: Node<'_>) -> Option<&'s str> {
        let text = self.cx.text(node);
        match self.kind(node) {
            K::String => {}
            K::Template if !text.contains("${") => {}
            _ => return None,
        }
        let inner = text.get(1..text.len().checked_sub(1)?)?;
        Some(inner)
    }
}
