//! `const`, `let` and `var`.

use tree_sitter::Node;

use super::functions::Definition;
use super::kinds::K;
use super::patterns::Bound;
use super::{Declared, Entries, Mark, Walker, children};
use crate::extract::SymbolDraft;
use crate::facts::*;

/// Functions whose value is the function that they are given, in other clothes.
const WRAPPERS: &[&str] = &[
    "memo",
    "forwardRef",
    "observer",
    "useCallback",
    "debounce",
    "throttle",
    "once",
    "memoize",
    "curry",
    "asyncHandler",
    "catchAsync",
    "promisify",
    "callbackify",
    "markRaw",
    "defineEventHandler",
    "withRouter",
];

impl Walker<'_, '_> {
    pub(super) fn declaration(&mut self, node: Node<'_>) {
        let mut declared = self.take_declared(node);
        let declarators: Vec<_> = children(node).into_iter().filter(|&n| self.kind(n) == K::Declarator).collect();
        declared.function_scoped = self.kind(node) == K::VarDeclaration;
        declared.constant = self.field(node, self.grammar.fields.kind).is_some_and(|k| self.cx.text(k) != "let");
        for (i, &declarator) in declarators.iter().enumerate() {
            let mut own = declared.clone();
            if i > 0 {
                own.anchor = None;
            } else if own.anchor.is_none() {
                own.anchor = Some((node.start_byte(), self.cx.line(node)));
            }
            self.mark(declarator, Mark::Declared(Box::new(own)));
        }
    }

    /// `K` of the chain `a = b = value`: the targets outermost first, and the value. The
    /// assignments in it are dealt with by the caller.
    pub(super) fn chain<'t>(&mut self, value: Node<'t>, targets: &mut Vec<Node<'t>>) -> Node<'t> {
        let f = &self.grammar.fields;
        let mut value = value;
        while self.kind(value) == K::Assignment {
            let (Some(left), Some(right)) = (self.field(value, f.left), self.field(value, f.right)) else { break };
            self.mark(value, Mark::Done);
            targets.push(left);
            value = right;
        }
        value
    }

    /// Whether a declaration here is one of the module's own variables.
    pub(super) fn module_level(&self, function_scoped: bool) -> bool {
        self.at_top() && (function_scoped || self.st.blocks.len() == self.frame().blocks)
    }

    pub(super) fn declarator(&mut self, node: Node<'_>) {
        let declared = self.take_declared(node);
        let f = &self.grammar.fields;
        let Some(target) = self.field(node, f.name) else { return };
        let ty = self.field(node, f.ty).map(|t| self.lower_type(t));
        let written = self.field(node, f.value);
        let top = self.module_level(declared.function_scoped);
        let end_line = if declared.function_scoped { self.frame().end_line } else { self.block_end() };
        let scope = self.cx.current();
        let mut targets = Vec::new();
        let value = written.map(|v| self.chain(v, &mut targets));
        if let Some(value) = value {
            self.value(value);
        }
        if self.kind(target) != K::Identifier {
            return self.destructure(node, target, value, &declared, end_line, top);
        }
        self.skip(target);
        let text = self.cx.text(target);
        let name = self.name(target);
        let line = self.cx.line(target);
        if let Some(value) = value
            && self.kind(value) == K::Member
            && let Some(call) = self.field(value, f.object).map(|o| self.unwrap(o))
            && let Some(call) = self.loaded_in(call)
            && let (Some(module), Some(item)) = (self.loaded_module(call), self.field(value, f.property))
        {
            // `const x = require("m").y`
            self.mark(value, Mark::Skip);
            self.mark(call, Mark::Done);
            let (module, item) = (self.cx.name(module), self.name(item));
            let what = ImportWhat::Item { item, alias: name };
            let import = ImportFact { scope, line, module, level: 0, what, reexport: false, type_only: false };
            self.cx.import(import);
            self.st.declared.insert((scope, name));
            return;
        }
        self.st.declared.insert((scope, name));
        if declared.exported && !declared.default {
            let expr = self.name_expr(name);
            self.export(text, expr, line);
        }
        let kind = if declared.constant { SymbolKind::Constant } else { SymbolKind::Variable };
        let anchor = declared.anchor;
        let bare = value.map(|v| self.unwrap(v));
        let function = bare.and_then(|v| self.function_in(v));
        let mut defined = true;
        match (bare, function) {
            (Some(_), Some(function)) => {
                let definition = Definition { declared, ..Definition::new(text, SymbolKind::Function) };
                self.define_function(node, function, definition);
            }
            (Some(v), _) if self.kind(v) == K::Class => {
                self.define_class(node, v, Some(text), declared);
            }
            (Some(v), _) if self.kind(v) == K::Object && (top || self.has_functions(v)) => {
                let fact = self.variable_draft(node, &declared, kind, ty, None);
                let symbol = self.open(node, None, anchor, text, None, fact);
                if top {
                    self.st.top.insert(name, symbol);
                }
                let entries = Entries { holder: Some(symbol), data: top, ..Entries::default() };
                self.mark(v, Mark::Object(Box::new(entries)));
                defined = false;
            }
            (v, _) if top && !v.is_some_and(|v| self.is_loaded(v)) => {
                let values = v.map(|_| self.lower(value.unwrap_or(node)));
                let fact = self.variable_draft(node, &declared, kind, ty, values);
                // What callbacks in the initial value do is said of the variable.
                if v.is_some_and(|v| matches!(self.kind(v), K::Call | K::New) && self.has_callbacks(v)) {
                    let symbol = self.open(node, None, anchor, text, None, fact);
                    self.st.top.insert(name, symbol);
                } else {
                    self.open_leaf(node, anchor, text, None, fact);
                }
                defined = false;
            }
            _ => defined = false,
        }
        if let Some(written) = written {
            self.remember_alias(name, written);
        }
        let lowered = value.map_or(self.cx.unknown(), |v| self.lower(v));
        if !defined {
            let kind = BindKind::Assign;
            self.cx.bind(BindFact { scope, name, line, end_line, kind, value: lowered, ty });
        }
        if let Some(v) = bare.filter(|_| !targets.is_empty()) {
            let variable = self.name_expr(name);
            self.assign_targets(&targets, v, variable, node);
        }
    }

    fn variable_draft(
        &mut self,
        node: Node<'_>,
        declared: &Declared,
        kind: SymbolKind,
        ty: Option<ExprId>,
        value: Option<ExprId>,
    ) -> SymbolDraft {
        let start = declared.anchor.map_or(node.start_byte(), |a| a.0);
        SymbolDraft {
            kind: Some(kind),
            signature: self.signature(start, node.end_byte().min(start + 200)),
            flags: SymbolFlags { exported: declared.exported, ..SymbolFlags::default() },
            values: value.into_iter().collect(),
            ty,
            ..SymbolDraft::default()
        }
    }

    /// The function that a value is, as it stands or within a wrapper (`memo(() => ...)`).
    pub(super) fn function_in<'t>(&self, value: Node<'t>) -> Option<Node<'t>> {
        if self.kind(value).is_function() {
            return Some(value);
        }
        let f = &self.grammar.fields;
        if self.kind(value) != K::Call {
            return None;
        }
        let callee = self.unwrap(self.field(value, f.function)?);
        let (object, last) = match self.kind(callee) {
            K::Identifier => (None, callee),
            K::Member => (self.field(callee, f.object), self.field(callee, f.property)?),
            _ => return None,
        };
        // `(function () {}).bind(this)`
        if let Some(object) = object
            && self.cx.text(last) == "bind"
        {
            let object = self.unwrap(object);
            return self.kind(object).is_function().then_some(object);
        }
        if !WRAPPERS.contains(&self.cx.text(last)) {
            return None;
        }
        let first = self.unwrap(*children(self.field(value, f.arguments)?).first()?);
        self.kind(first).is_function().then_some(first)
    }

    /// `require("x")`, `await import("x")`.
    fn is_loaded(&self, value: Node<'_>) -> bool {
        self.loaded_in(value).is_some()
    }

    fn loaded_in<'t>(&self, value: Node<'t>) -> Option<Node<'t>> {
        let call = match self.kind(value) {
            K::Await => *children(value).first()?,
            _ => value,
        };
        self.loaded_module(call).map(|_| call)
    }

    fn has_callbacks(&self, call: Node<'_>) -> bool {
        let f = &self.grammar.fields;
        let function = self.field(call, f.function);
        // A function called in place runs as part of the module.
        if function.is_some_and(|c| self.kind(self.unwrap(c)).is_function()) {
            return false;
        }
        self.field(call, f.arguments).is_some_and(|args| {
            children(args)
                .into_iter()
                .any(|a| self.kind(a).is_function() || matches!(self.kind(a), K::Object | K::Class))
        })
    }

    /// `var self = this`, `var proto = Foo.prototype`.
    fn remember_alias(&mut self, name: Name, value: Node<'_>) {
        let f = &self.grammar.fields;
        let value = self.unwrap(value);
        match self.kind(value) {
            K::This => {
                self.st.this_names.insert(name);
            }
            K::Member => self.remember_prototype(name, value),
            // `var proto = Foo.prototype = {...}`
            K::Assignment => {
                if let Some(left) = self.field(value, f.left)
                    && self.kind(left) == K::Member
                {
                    self.remember_prototype(name, left);
                }
            }
            _ => {}
        }
    }

    fn remember_prototype(&mut self, name: Name, member: Node<'_>) {
        let f = &self.grammar.fields;
        if let (Some(object), Some(property)) = (self.field(member, f.object), self.field(member, f.property))
            && self.cx.text(property) == "prototype"
        {
            let owner = (self.cx.text(object).to_owned(), self.lower(object));
            self.st.prototypes.insert(name, owner);
        }
    }

    fn destructure(
        &mut self,
        node: Node<'_>,
        target: Node<'_>,
        value: Option<Node<'_>>,
        declared: &Declared,
        end_line: u32,
        top: bool,
    ) {
        let bare = value.map(|v| self.unwrap(v));
        let mut bound = Vec::new();
        if let Some(call) = bare.and_then(|v| self.loaded_in(v))
            && self.kind(target) == K::ObjectPattern
            && let Some(module) = self.loaded_module(call)
        {
            self.mark(call, Mark::Done);
            return self.import_pattern(target, module, end_line);
        }
        let source = value.map_or(self.cx.unknown(), |v| self.lower(v));
        self.pattern(target, source, &mut bound, 0);
        for Bound { name, line, value } in &bound {
            if !top {
                break;
            }
            let text = self.cx.str(*name).to_owned();
            if declared.exported {
                let expr = self.name_expr(*name);
                self.export(&text, expr, *line);
            }
            let kind = if declared.constant { SymbolKind::Constant } else { SymbolKind::Variable };
            let mut fact = self.variable_draft(node, declared, kind, None, Some(*value));
            fact.doc.clear();
            let parent = self.cx.current();
            let new = crate::extract::NewSymbol { name: &text, owner_prefix: None, fact };
            self.cx.define_at(parent, *line, *line, new);
        }
        let scope = self.cx.current();
        self.bind_all(scope, bound, end_line, BindKind::Assign);
    }

    /// `const {a, b: c} = require("m")`.
    fn import_pattern(&mut self, pattern: Node<'_>, module: &str, end_line: u32) {
        let f = &self.grammar.fields;
        let (scope, module) = (self.cx.current(), self.cx.name_owned(module));
        let line = self.cx.line(pattern);
        let from = self.module_expr(module);
        for child in children(pattern) {
            let child = match self.kind(child) {
                K::ObjectAssignmentPattern => match self.field(child, f.left) {
                    Some(left) => left,
                    None => continue,
                },
                _ => child,
            };
            let (item, alias) = match self.kind(child) {
                K::ShorthandPattern => {
                    let name = self.name(child);
                    (name, name)
                }
                K::PairPattern => {
                    let (Some(key), Some(value)) = (self.field(child, f.key), self.field(child, f.value)) else {
                        continue;
                    };
                    let Some(key) = self.key(key) else { continue };
                    let item = self.cx.name_owned(&key);
                    if self.kind(value) != K::Identifier {
                        let (mut bound, source) = (Vec::new(), self.attr_expr(from, item));
                        self.pattern(value, source, &mut bound, 0);
                        self.bind_all(scope, bound, end_line, BindKind::Assign);
                        continue;
                    }
                    self.skip(value);
                    (item, self.name(value))
                }
                _ => {
                    let mut bound = Vec::new();
                    self.pattern(child, from, &mut bound, 0);
                    self.bind_all(scope, bound, end_line, BindKind::Assign);
                    continue;
                }
            };
            let what = ImportWhat::Item { item, alias };
            self.cx.import(ImportFact { scope, line, module, level: 0, what, reexport: false, type_only: false });
        }
    }

    /// `x = value` without a declaration: x lives in the innermost scope that declares it.
    pub(super) fn assign_name(&mut self, name: Name, line: u32, value: ExprId, kind: BindKind) {
        let scope = self
            .cx
            .enclosing()
            .find(|&s| {
                self.st.declared.contains(&(s, name))
                    || (s != SymbolIdx::MODULE && self.cx.facts().symbol(s).params.iter().any(|p| p.name == name))
            })
            .unwrap_or(SymbolIdx::MODULE);
        let end_line = self.cx.facts().symbol(scope).end_line;
        self.cx.bind(BindFact { scope, name, line, end_line, kind, value, ty: None });
    }
}
