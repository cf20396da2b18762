//! Classes, interfaces, enums, namespaces, type aliases.

use tree_sitter::Node;

use super::functions::Definition;
use super::kinds::K;
use super::{Declared, Frame, Mark, This, Walker, children};
use crate::extract::SymbolDraft;
use crate::facts::{AttrFact, ExprId, SymbolFlags, SymbolIdx, SymbolKind};

/// What stands before a member's name.
#[derive(Default)]
struct Modifiers {
    kind: Option<SymbolKind>,
    flags: SymbolFlags,
    private: bool,
    readonly: bool,
}

impl Walker<'_, '_> {
    pub(super) fn class(&mut self, node: Node<'_>) {
        match self.take_mark(node) {
            Some(Mark::Done) => {}
            Some(Mark::Declared(declared)) => {
                self.define_class(node, node, None, *declared);
            }
            _ => {
                self.define_class(node, node, None, Declared::default());
            }
        }
    }

    /// Defines a class with the lines of `span`; `name` for one that is bound to a name.
    pub(super) fn define_class(
        &mut self,
        span: Node<'_>,
        class: Node<'_>,
        name: Option<&str>,
        declared: Declared,
    ) -> SymbolIdx {
        let f = &self.grammar.fields;
        let own = self.field(class, f.name);
        if let Some(own) = own {
            self.skip(own);
        }
        let name = match (name, own) {
            (Some(name), _) => name,
            (None, Some(own)) => self.cx.text(own),
            (None, None) if declared.default => "default",
            (None, None) => "class",
        };
        let mut decorators = declared.decorators;
        decorators.extend(self.decorators(class));
        let type_params = self.type_params(class);
        let bases = self.bases(class);
        let start = declared.anchor.map_or(span.start_byte(), |a| a.0);
        let end = self.field(class, f.body).map_or(class.end_byte(), |b| b.start_byte());
        let flags = SymbolFlags {
            exported: declared.exported,
            is_abstract: self.kind(class) == K::AbstractClass,
            ..SymbolFlags::default()
        };
        let kind = Some(SymbolKind::Class);
        let signature = self.signature(start, end);
        let fact = SymbolDraft { kind, signature, flags, bases, decorators, type_params, ..SymbolDraft::default() };
        let symbol = self.open(span, None, declared.anchor, name, None, fact);
        if self.cx.facts().symbol(symbol).parent == Some(SymbolIdx::MODULE) {
            let name = self.cx.name_owned(name);
            self.st.top.insert(name, symbol);
        }
        self.st.symbol_of.insert(class.id(), symbol);
        if span.id() != class.id() || self.kind(class) == K::Class {
            self.mark(class, Mark::Done);
        }
        symbol
    }

    /// Decorators written within a node; their calls belong to the scope around it.
    pub(super) fn decorators(&mut self, node: Node<'_>) -> Vec<ExprId> {
        let mut list = Vec::new();
        for child in children(node) {
            match self.kind(child) {
                K::Decorator => list.extend(self.decorator(child)),
                K::ClassBody => break,
                _ => {}
            }
        }
        list
    }

    pub(super) fn decorator(&mut self, node: Node<'_>) -> Option<ExprId> {
        let value = self.unwrap(*children(node).first()?);
        let expr = self.lower(value);
        match self.kind(value) {
            K::Call => {
                self.record_call(value);
                self.mark(value, Mark::Done);
            }
            _ => self.mark(value, Mark::Value),
        }
        Some(expr)
    }

    pub(super) fn class_body(&mut self, node: Node<'_>) {
        let frame = Frame {
            end_byte: node.end_byte(),
            end_line: self.cx.end_line(node),
            symbol: None,
            this_known: true,
            top: false,
            class: true,
            blocks: self.st.blocks.len() + 1,
        };
        self.st.frames.push(frame);
        self.push_block(node);
        // TypeScript's grammar puts a method's decorators before it.
        let mut declared = Declared::default();
        for child in children(node) {
            if self.kind(child) == K::Decorator {
                if declared.anchor.is_none() {
                    declared.anchor = Some((child.start_byte(), self.cx.line(child)));
                }
                declared.decorators.extend(self.decorator(child));
            } else if !declared.decorators.is_empty() || declared.anchor.is_some() {
                self.mark(child, Mark::Declared(Box::new(std::mem::take(&mut declared))));
            }
        }
    }

    fn modifiers(&mut self, node: Node<'_>) -> Modifiers {
        let mut m = Modifiers::default();
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "static" => m.flags.is_static = true,
                "static get" => {
                    m.flags.is_static = true;
                    m.kind = Some(SymbolKind::Property);
                }
                "abstract" => m.flags.is_abstract = true,
                "readonly" => m.readonly = true,
                "get" | "set" => m.kind = Some(SymbolKind::Property),
                "accessibility_modifier" => m.private = self.cx.text(child) != "public",
                "private_property_identifier" => m.private = true,
                "formal_parameters" | "=" | "type_annotation" => break,
                _ => {}
            }
        }
        m
    }

    fn in_class_body(&self) -> bool {
        self.frame().class
    }

    pub(super) fn method(&mut self, node: Node<'_>) {
        let (mut declared, mut owner, mut export, mut accessor) = (Declared::default(), None, false, None);
        match self.take_mark(node) {
            Some(Mark::Declared(d)) => declared = *d,
            Some(Mark::Entry(entries)) => {
                owner = entries.owner;
                export = entries.export;
                accessor = entries.accessor;
            }
            _ => {}
        }
        let Some(key) = self.field(node, self.grammar.fields.name) else { return };
        let Some(name) = accessor.as_ref().map(|a| a.0.clone()).or_else(|| self.key(key)) else {
            return self.unnamed_method(node);
        };
        declared.decorators.extend(self.decorators(node));
        let m = self.modifiers(node);
        let mut flags = m.flags;
        flags.is_constructor = name == "constructor" && self.in_class_body();
        let kind = m.kind.or(accessor.is_some().then_some(SymbolKind::Property)).unwrap_or(SymbolKind::Method);
        let parent = accessor.and_then(|a| a.1);
        let definition = Definition { flags, parent, owner, declared, ..Definition::new(&name, kind) };
        let symbol = self.define_function(node, node, definition);
        if m.private {
            self.st.private.insert(symbol);
        }
        if export {
            let value = self.function_expr(symbol);
            let line = self.cx.line(key);
            self.cx.export(&name, value, line);
        }
    }

    /// `[Symbol.iterator]() {}`: its name is the text between the brackets.
    fn unnamed_method(&mut self, node: Node<'_>) {
        let Some(key) = self.field(node, self.grammar.fields.name) else { return };
        let m = self.modifiers(node);
        let text = crate::extract::fold_space(crate::extract::clip(self.cx.text(key), 60)).replace('.', " ");
        let definition = Definition { flags: m.flags, ..Definition::new(&text, m.kind.unwrap_or(SymbolKind::Method)) };
        self.define_function(node, node, definition);
    }

    /// An overload, an abstract method, an interface's method.
    pub(super) fn method_signature(&mut self, node: Node<'_>) {
        let declared = match self.take_mark(node) {
            Some(Mark::Declared(declared)) => *declared,
            _ if self.in_class_body() => Declared::default(),
            _ => return,
        };
        let Some(name) = self.field(node, self.grammar.fields.name).and_then(|k| self.key(k)) else { return };
        let m = self.modifiers(node);
        let mut flags = m.flags;
        flags.is_constructor = name == "constructor" && self.in_class_body();
        let definition = Definition {
            flags,
            declared,
            this: This::Own,
            ..Definition::new(&name, m.kind.unwrap_or(SymbolKind::Method))
        };
        let symbol = self.define_function(node, node, definition);
        if m.private {
            self.st.private.insert(symbol);
        }
    }

    /// Marks the members of an interface's body, or of a type alias's object type, as symbols.
    fn type_members(&mut self, body: Node<'_>) {
        for member in children(body) {
            if matches!(self.kind(member), K::PropertySignature | K::MethodSignature) {
                self.mark(member, Mark::Declared(Box::default()));
            }
        }
    }

    pub(super) fn class_field(&mut self, node: Node<'_>) {
        let f = &self.grammar.fields;
        let mut declared = self.take_declared(node);
        let key = self.field(node, f.name).or_else(|| node.child_by_field_id(f.property));
        let Some(key) = key else { return };
        let Some(name) = self.key(key) else { return };
        declared.decorators.extend(self.decorators(node));
        let m = self.modifiers(node);
        let ty = self.field(node, f.ty).map(|t| self.lower_type(t));
        let value = self.field(node, f.value);
        let bare = value.map(|v| self.unwrap(v));
        let class = self.cx.current();
        let line = self.cx.line(key);
        if let Some(value) = value {
            self.value(value);
        }
        let symbol = match bare.and_then(|v| self.function_in(v)) {
            Some(function) => {
                let definition = Definition { flags: m.flags, declared, ..Definition::new(&name, SymbolKind::Method) };
                self.define_function(node, function, definition)
            }
            None => {
                let lowered = value.map(|v| self.lower(v));
                let constant = m.readonly && m.flags.is_static;
                let fact = SymbolDraft {
                    kind: Some(if constant { SymbolKind::Constant } else { SymbolKind::Variable }),
                    flags: m.flags,
                    decorators: declared.decorators,
                    values: lowered.into_iter().collect(),
                    ty,
                    ..SymbolDraft::default()
                };
                if bare.is_some_and(|v| self.kind(v) == K::Object && self.has_functions(v)) {
                    let signature = self.signature(node.start_byte(), node.end_byte().min(node.start_byte() + 200));
                    self.open(node, None, declared.anchor, &name, None, SymbolDraft { signature, ..fact })
                } else {
                    self.open_leaf(node, declared.anchor, &name, None, fact)
                }
            }
        };
        if m.private {
            self.st.private.insert(symbol);
        }
        let name = self.cx.name_owned(&name);
        if self.cx.facts().symbol(symbol).kind != SymbolKind::Method {
            let value = value.map(|v| self.lower(v));
            self.cx.attr(AttrFact { class, name, scope: class, line, value, ty });
        }
    }

    pub(super) fn property_signature(&mut self, node: Node<'_>) {
        let f = &self.grammar.fields;
        if self.take_mark(node).is_none() {
            return;
        }
        let Some(key) = self.field(node, f.name) else { return };
        let Some(name) = self.key(key) else { return };
        let annotation = self.field(node, f.ty);
        let ty = annotation.map(|t| self.lower_type(t));
        let class = self.cx.current();
        let line = self.cx.line(key);
        let function =
            annotation.and_then(|a| children(a).first().copied()).filter(|&t| self.kind(t) == K::FunctionType);
        match function {
            Some(function) => {
                let definition = Definition::new(&name, SymbolKind::Method);
                self.define_function(node, function, definition);
            }
            None => {
                let fact = SymbolDraft { kind: Some(SymbolKind::Variable), ty, ..SymbolDraft::default() };
                self.open_leaf(node, None, &name, None, fact);
            }
        }
        if function.is_none() {
            let name = self.cx.name_owned(&name);
            self.cx.attr(AttrFact { class, name, scope: class, line, value: None, ty });
        }
    }

    /// Opens a named definition whose members follow in its body.
    fn open_type(&mut self, node: Node<'_>, kind: SymbolKind, bases: Vec<ExprId>, ty: Option<ExprId>) {
        let f = &self.grammar.fields;
        let declared = self.take_declared(node);
        let Some(name) = self.field(node, f.name) else { return };
        self.skip(name);
        let type_params = self.type_params(node);
        let start = declared.anchor.map_or(node.start_byte(), |a| a.0);
        let end = self.field(node, f.body).map_or(node.end_byte().min(start + 400), |b| b.start_byte());
        let fact = SymbolDraft {
            kind: Some(kind),
            signature: self.signature(start, end),
            // `declare module "x"` speaks of another module.
            flags: SymbolFlags {
                exported: declared.exported || self.kind(name) == K::String,
                ..SymbolFlags::default()
            },
            bases,
            type_params,
            ty,
            ..SymbolDraft::default()
        };
        let text = self.string(name).unwrap_or(self.cx.text(name)).to_owned();
        self.open(node, None, declared.anchor, &text, None, fact);
    }

    pub(super) fn interface(&mut self, node: Node<'_>) {
        let bases = self.bases(node);
        self.open_type(node, SymbolKind::Interface, bases, None);
        if let Some(body) = self.field(node, self.grammar.fields.body) {
            self.type_members(body);
        }
    }

    pub(super) fn type_alias(&mut self, node: Node<'_>) {
        let value = self.field(node, self.grammar.fields.value);
        let ty = value.map(|t| self.lower_type(t));
        self.open_type(node, SymbolKind::TypeAlias, Vec::new(), ty);
        let Some(value) = value else { return };
        let parts = match self.kind(value) {
            K::UnionType | K::IntersectionType => self.type_parts(value),
            _ => vec![value],
        };
        for part in parts {
            if self.kind(part) == K::ObjectType {
                self.type_members(part);
            }
        }
    }

    pub(super) fn namespace(&mut self, node: Node<'_>) {
        let name = self.field(node, self.grammar.fields.name);
        let mut at = name.filter(|&n| self.kind(n) == K::NestedIdentifier);
        self.open_type(node, SymbolKind::Namespace, Vec::new(), None);
        let f = &self.grammar.fields;
        while let Some(part) = at {
            self.skip(part);
            if let Some(last) = self.field(part, f.property) {
                self.skip(last);
            }
            at = self.field(part, f.object);
        }
        if let Some(body) = self.field(node, f.body) {
            let frame = Frame {
                end_byte: body.end_byte(),
                end_line: self.cx.end_line(body),
                symbol: None,
                this_known: false,
                top: self.at_top(),
                class: false,
                blocks: self.st.blocks.len() + 1,
            };
            self.st.frames.push(frame);
            self.push_block(body);
        }
    }

    pub(super) fn enumeration(&mut self, node: Node<'_>) {
        let f = &self.grammar.fields;
        self.open_type(node, SymbolKind::Enum, Vec::new(), None);
        let Some(body) = self.field(node, f.body) else { return };
        for member in children(body) {
            let (key, value) = match self.kind(member) {
                K::EnumAssignment => (self.field(member, f.name), self.field(member, f.value)),
                _ => (Some(member), None),
            };
            let Some(name) = key.and_then(|k| self.key(k)) else { continue };
            let values = value.map(|v| self.lower(v)).into_iter().collect();
            let fact = SymbolDraft { kind: Some(SymbolKind::EnumMember), values, ..SymbolDraft::default() };
            self.open_leaf(member, None, &name, None, fact);
        }
    }
}
