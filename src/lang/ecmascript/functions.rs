//! Functions: declarations, expressions, their parameters and what they return.

use tree_sitter::Node;

use super::kinds::K;
use super::patterns::Bound;
use super::{Declared, Frame, FunctionMark, Mark, This, Walker, children};
use crate::extract::{NewSymbol, SymbolDraft, clip};
use crate::facts::{AttrFact, BindFact, BindKind, ExprId, ParamFact, SymbolFlags, SymbolIdx, SymbolKind};

/// Most `return` values that are kept.
const MAX_VALUES: usize = 8;
/// Longest qualified name, in bytes, that still gets longer.
const MAX_QUALNAME: usize = 1000;

/// How a function is to be defined.
pub(super) struct Definition<'n> {
    pub(super) name: &'n str,
    pub(super) kind: SymbolKind,
    pub(super) flags: SymbolFlags,
    /// The symbol around it, if that is not the current one.
    pub(super) parent: Option<SymbolIdx>,
    pub(super) owner: Option<(String, ExprId)>,
    pub(super) declared: Declared,
    pub(super) this: This,
}

impl<'n> Definition<'n> {
    pub(super) fn new(name: &'n str, kind: SymbolKind) -> Self {
        Definition {
            name,
            kind,
            flags: SymbolFlags::default(),
            parent: None,
            owner: None,
            declared: Declared::default(),
            this: This::Own,
        }
    }
}

/// Parameters of a function, and the names that patterns among them bind.
#[derive(Default)]
struct Params {
    list: Vec<ParamFact>,
    bound: Vec<Bound>,
    /// TypeScript's `constructor(private x: T)`.
    attrs: Vec<(crate::facts::Name, u32, Option<ExprId>)>,
}

impl Walker<'_, '_> {
    /// Text from a statement's start to its body, for the signature.
    pub(super) fn signature(&self, start: usize, end: usize) -> String {
        let text = self.cx.source().get(start..end).unwrap_or("");
        clip(text, 1000).to_owned()
    }

    /// Opens a symbol over `span`; `anchor` is where its statement starts.
    pub(super) fn open(
        &mut self,
        span: Node<'_>,
        parent: Option<SymbolIdx>,
        anchor: Option<(usize, u32)>,
        name: &str,
        owner: Option<&(String, ExprId)>,
        mut fact: SymbolDraft,
    ) -> SymbolIdx {
        let (start, line) = anchor.unwrap_or((span.start_byte(), self.cx.line(span)));
        if fact.doc.is_empty() {
            fact.doc = self.doc_before(start);
        }
        fact.owner = owner.map(|o| o.1);
        let prefix = owner.map(|o| o.0.clone());
        let parent = self.bounded(parent.unwrap_or(self.cx.current()));
        let end_line = self.cx.end_line(span);
        let new = NewSymbol { name, owner_prefix: prefix.as_deref(), fact };
        let symbol = self.cx.define_at(parent, line, end_line, new);
        self.cx.reenter(span, symbol);
        if let Some((prefix, _)) = owner {
            let root = self.cx.name_owned(prefix);
            self.st.owner_of.insert(symbol, root);
        }
        symbol
    }

    /// Names nested thousands deep would grow quadratically: beyond a length they start anew.
    fn bounded(&self, parent: SymbolIdx) -> SymbolIdx {
        let long = self.cx.str(self.cx.facts().symbol(parent).qualname).len() > MAX_QUALNAME;
        if long { SymbolIdx::MODULE } else { parent }
    }

    /// Records a symbol that holds nothing.
    pub(super) fn open_leaf(
        &mut self,
        span: Node<'_>,
        anchor: Option<(usize, u32)>,
        name: &str,
        owner: Option<&(String, ExprId)>,
        mut fact: SymbolDraft,
    ) -> SymbolIdx {
        let (start, line) = anchor.unwrap_or((span.start_byte(), self.cx.line(span)));
        fact.doc = self.doc_before(start);
        if fact.signature.is_empty() {
            fact.signature = self.signature(start, span.end_byte().min(start + 200));
        }
        fact.owner = owner.map(|o| o.1);
        let prefix = owner.map(|o| o.0.clone());
        let end_line = self.cx.end_line(span);
        let parent = self.bounded(self.cx.current());
        self.cx.define_at(parent, line, end_line, NewSymbol { name, owner_prefix: prefix.as_deref(), fact })
    }

    /// Defines a function whose text is `function`, with the lines of `span`.
    pub(super) fn define_function(&mut self, span: Node<'_>, function: Node<'_>, d: Definition<'_>) -> SymbolIdx {
        let f = &self.grammar.fields;
        let body = self.field(function, f.body);
        let start = d.declared.anchor.map_or(span.start_byte(), |a| a.0);
        let mut flags = d.flags;
        let mut cursor = function.walk();
        for child in function.children(&mut cursor) {
            match child.kind() {
                "async" => flags.is_async = true,
                "*" => flags.is_generator = true,
                "static" | "static get" => flags.is_static = true,
                "formal_parameters" | "statement_block" => break,
                _ => {}
            }
        }
        flags.exported |= d.declared.exported;
        flags.is_abstract |= body.is_none();
        let type_params = self.type_params(function);
        let params = self.params(function);
        let returns = self.field(function, f.return_type).map(|t| self.lower_type(t));
        let end = body.map_or(function.end_byte(), |b| b.start_byte());
        let fact = SymbolDraft {
            kind: Some(d.kind),
            signature: self.signature(start, end),
            flags,
            decorators: d.declared.decorators,
            params: params.list,
            type_params,
            returns,
            ..SymbolDraft::default()
        };
        let symbol = self.open(span, d.parent, d.declared.anchor, d.name, d.owner.as_ref(), fact);
        if d.parent.is_none()
            && d.owner.is_none()
            && self.at_top()
            && self.cx.facts().symbol(symbol).parent == Some(SymbolIdx::MODULE)
        {
            let name = self.cx.name_owned(d.name);
            self.st.top.insert(name, symbol);
        }
        self.bind_all(symbol, params.bound, self.cx.end_line(function), BindKind::Assign);
        let class = self.cx.facts().symbol(symbol).parent;
        if let Some(class) = class.filter(|_| !params.attrs.is_empty()) {
            for (name, line, ty) in params.attrs {
                let value = Some(self.name_expr(name));
                self.cx.attr(AttrFact { class, name, scope: symbol, line, value, ty });
            }
        }
        self.st.symbol_of.insert(function.id(), symbol);
        let mark =
            FunctionMark { symbol: Some(symbol), this: d.this, in_place: false, arguments: Vec::new(), returns: true };
        if span.id() == function.id() && self.kind(function) != K::FunctionSignature {
            self.enter(function, &mark);
        } else {
            self.mark(function, Mark::Function(Box::new(mark)));
        }
        symbol
    }

    /// Pushes the frame of a function.
    fn enter(&mut self, function: Node<'_>, mark: &FunctionMark) {
        let inherits = self.kind(function) == K::Arrow || mark.this == This::Inherit;
        let end_line = self.cx.end_line(function);
        let frame = Frame {
            end_byte: function.end_byte(),
            end_line,
            symbol: mark.symbol.filter(|_| mark.returns),
            this_known: if inherits { self.this_known() } else { mark.this == This::Own },
            top: mark.in_place && self.at_top(),
            class: false,
            blocks: self.st.blocks.len() + 1,
        };
        self.st.blocks.push((function.end_byte(), end_line));
        self.st.frames.push(frame);
    }

    fn declared(&mut self, node: Node<'_>) -> Declared {
        match self.take_mark(node) {
            Some(Mark::Declared(declared)) => *declared,
            _ => Declared::default(),
        }
    }

    pub(super) fn take_declared(&mut self, node: Node<'_>) -> Declared {
        self.declared(node)
    }

    pub(super) fn function_declaration(&mut self, node: Node<'_>) {
        let declared = self.declared(node);
        let Some(name) = self.field(node, self.grammar.fields.name) else { return };
        self.skip(name);
        let this = if self.in_class() { This::None } else { This::Own };
        let name = self.cx.text(name);
        let definition = Definition { declared, this, ..Definition::new(name, SymbolKind::Function) };
        self.define_function(node, node, definition);
    }

    pub(super) fn function_signature(&mut self, node: Node<'_>) {
        let declared = self.declared(node);
        let Some(name) = self.field(node, self.grammar.fields.name) else { return };
        self.skip(name);
        let name = self.cx.text(name);
        let definition = Definition { declared, ..Definition::new(name, SymbolKind::Function) };
        self.define_function(node, node, definition);
    }

    /// A function expression that the walk comes to: named by its parent, by itself, or not at all.
    pub(super) fn function_expression(&mut self, node: Node<'_>) {
        let f = &self.grammar.fields;
        let mark = match self.take_mark(node) {
            Some(Mark::Function(mark)) => *mark,
            _ => FunctionMark::anonymous(This::None),
        };
        if let Some(name) = self.field(node, f.name) {
            self.skip(name);
            if mark.symbol.is_none() && !mark.in_place && !self.st.symbol_of.contains_key(&node.id()) {
                let name = self.cx.text(name);
                let definition = Definition { this: mark.this, ..Definition::new(name, SymbolKind::Function) };
                let symbol = self.define_function(node, node, definition);
                self.bind_arguments(symbol, node, &mark.arguments);
                return self.arrow_value(node);
            }
        }
        self.enter(node, &mark);
        if mark.symbol.is_none_or(|_| !mark.returns) {
            // Its parameters live in the symbol around it, on its lines.
            let scope = self.cx.current();
            let params = self.params(node);
            let end_line = self.cx.end_line(node);
            for (i, param) in params.list.iter().enumerate() {
                if self.cx.str(param.name).starts_with(['{', '[']) {
                    continue;
                }
                let value = mark.arguments.get(i).copied().unwrap_or(self.cx.unknown());
                let line = self.cx.line(node);
                let (name, ty) = (param.name, param.ty);
                self.cx.bind(BindFact { scope, name, line, end_line, kind: BindKind::Assign, value, ty });
            }
            self.bind_all(scope, params.bound, end_line, BindKind::Assign);
        }
        self.arrow_value(node);
    }

    /// Binds known arguments of a named function that is called in place.
    fn bind_arguments(&mut self, symbol: SymbolIdx, node: Node<'_>, arguments: &[ExprId]) {
        let unknown = self.cx.unknown();
        let (line, end_line) = (self.cx.line(node), self.cx.end_line(node));
        let names: Vec<_> = self.cx.facts().symbol(symbol).params.iter().map(|p| (p.name, p.ty)).collect();
        for ((name, ty), &value) in names.into_iter().zip(arguments) {
            if value != unknown {
                self.cx.bind(BindFact { scope: symbol, name, line, end_line, kind: BindKind::Assign, value, ty });
            }
        }
    }

    /// `x => value`.
    fn arrow_value(&mut self, node: Node<'_>) {
        if self.kind(node) != K::Arrow {
            return;
        }
        if let Some(body) = self.field(node, self.grammar.fields.body)
            && self.kind(body) != K::Block
        {
            self.returned(body);
        }
    }

    pub(super) fn return_statement(&mut self, node: Node<'_>) {
        if let Some(&value) = children(node).first() {
            self.returned(value);
        }
    }

    pub(super) fn yield_expression(&mut self, node: Node<'_>) {
        if let Some(&value) = children(node).first() {
            let all = node.child(1).is_some_and(|c| c.kind() == "*");
            if all {
                self.value(value);
            } else {
                self.returned(value);
            }
        }
    }

    fn returned(&mut self, node: Node<'_>) {
        self.value(node);
        let value = self.unwrap(node);
        let symbol = self.frame().symbol;
        if let Some(symbol) = symbol {
            match self.kind(value) {
                // Defined now, so that what is returned can say which class or function it is.
                K::Class => {
                    self.define_class(value, value, None, Declared::default());
                }
                K::FunctionExpression | K::GeneratorFunction => self.name_returned(value),
                _ => {}
            }
            let full = self.cx.facts().symbol(symbol).values.len() >= MAX_VALUES;
            if !full {
                let lowered = self.lower(node);
                self.cx.symbol_mut(symbol).values.push(lowered);
            }
        }
    }

    fn name_returned(&mut self, function: Node<'_>) {
        if let Some(name) = self.field(function, self.grammar.fields.name) {
            self.skip(name);
            let name = self.cx.text(name);
            let definition = Definition { this: This::None, ..Definition::new(name, SymbolKind::Function) };
            // The frame is entered when the walk comes to it.
            let symbol = self.define_function_early(function, definition);
            self.st.symbol_of.insert(function.id(), symbol);
        }
    }

    /// Defines a function before the walk is inside of it.
    fn define_function_early(&mut self, function: Node<'_>, d: Definition<'_>) -> SymbolIdx {
        let this = d.this;
        let frames = self.st.frames.len();
        let blocks = self.st.blocks.len();
        let symbol = self.define_function(function, function, d);
        self.st.frames.truncate(frames);
        self.st.blocks.truncate(blocks);
        let mark = FunctionMark { symbol: Some(symbol), this, in_place: false, arguments: Vec::new(), returns: true };
        self.mark(function, Mark::Function(Box::new(mark)));
        symbol
    }

    /// The parameters of a function; their names are no mentions.
    fn params(&mut self, function: Node<'_>) -> Params {
        let f = &self.grammar.fields;
        let mut params = Params::default();
        if let Some(single) = self.field(function, f.parameter) {
            self.skip(single);
            let name = self.name(single);
            params.list.push(ParamFact { name, ty: None, default: None, variadic: false });
            return params;
        }
        let Some(list) = self.field(function, f.parameters) else { return params };
        for param in children(list) {
            let (mut pattern, mut ty, mut default) = (param, None, None);
            let mut property = false;
            match self.kind(param) {
                K::RequiredParameter | K::OptionalParameter => {
                    let Some(inner) = self.field(param, f.pattern) else { continue };
                    pattern = inner;
                    ty = self.field(param, f.ty).map(|t| self.lower_type(t));
                    default = self.field(param, f.value);
                    let first = param.child(0);
                    property = first.is_some_and(|c| {
                        matches!(c.kind(), "accessibility_modifier" | "readonly" | "override_modifier")
                    });
                }
                K::AssignmentPattern => {
                    let Some(left) = self.field(param, f.left) else { continue };
                    pattern = left;
                    default = self.field(param, f.right);
                }
                _ => {}
            }
            if let Some(value) = default {
                self.value(value);
            }
            let default = default.map(|v| self.lower(v));
            let mut variadic = false;
            if self.kind(pattern) == K::Rest {
                variadic = true;
                let Some(&inner) = children(pattern).first() else { continue };
                pattern = inner;
            }
            match self.kind(pattern) {
                K::This => continue,
                K::Identifier => {
                    self.skip(pattern);
                    let name = self.name(pattern);
                    if property {
                        params.attrs.push((name, self.cx.line(param), ty));
                    }
                    params.list.push(ParamFact { name, ty, default, variadic });
                }
                K::ObjectPattern | K::ArrayPattern => {
                    let source = match ty {
                        Some(ty) => self.new_of(ty),
                        None => self.cx.unknown(),
                    };
                    self.pattern(pattern, source, &mut params.bound, 0);
                    let brackets = if self.kind(pattern) == K::ObjectPattern { "{}" } else { "[]" };
                    let name = self.cx.name_owned(brackets);
                    params.list.push(ParamFact { name, ty, default, variadic });
                }
                _ => {}
            }
        }
        params
    }
}
