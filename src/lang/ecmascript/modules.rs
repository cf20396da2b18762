//! `import` and `export`.

use tree_sitter::Node;

use super::kinds::K;
use super::{Declared, Entries, Mark, Walker, children};
use crate::extract::SymbolDraft;
use crate::facts::{BindFact, BindKind, ExprId, ImportFact, ImportWhat, SymbolFlags, SymbolIdx, SymbolKind};

/// Whether a node has this keyword among its own tokens.
fn has_token(node: Node<'_>, token: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|c| !c.is_named() && c.kind() == token)
}

impl Walker<'_, '_> {
    fn import_fact(&mut self, node: Node<'_>, module: &str, what: ImportWhat, reexport: bool, type_only: bool) {
        let (scope, line, module) = (self.cx.current(), self.cx.line(node), self.cx.name_owned(module));
        self.cx.import(ImportFact { scope, line, module, level: 0, what, reexport, type_only });
    }

    pub(super) fn import_effect(&mut self, node: Node<'_>, module: &str) {
        self.import_fact(node, module, ImportWhat::Effect, false, false);
    }

    pub(super) fn import_star(&mut self, node: Node<'_>, module: &str, reexport: bool) {
        self.import_fact(node, module, ImportWhat::Star, reexport, false);
    }

    pub(super) fn import_statement(&mut self, node: Node<'_>) {
        let f = &self.grammar.fields;
        let type_only = has_token(node, "type") || has_token(node, "typeof");
        let source = self.field(node, f.source).and_then(|s| self.string(s));
        let mut named = false;
        for child in children(node) {
            match self.kind(child) {
                K::ImportClause => {
                    named = true;
                    if let Some(module) = source {
                        self.import_clause(child, module, type_only);
                    }
                }
                K::ImportRequire => {
                    named = true;
                    let Some(module) = self.field(child, f.source).and_then(|s| self.string(s)) else { continue };
                    let Some(&local) = children(child).first() else { continue };
                    self.skip(local);
                    // `import x = require("m")` is what `const x = require("m")` is.
                    let module_name = self.cx.name_owned(module);
                    let value = self.module_expr(module_name);
                    let (scope, name, line) = (self.cx.current(), self.name(local), self.cx.line(local));
                    let (end_line, kind) = (self.block_end(), BindKind::Assign);
                    self.st.declared.insert((scope, name));
                    self.cx.bind(BindFact { scope, name, line, end_line, kind, value, ty: None });
                    self.import_effect(node, module);
                }
                _ => {}
            }
        }
        if let Some(module) = source.filter(|_| !named) {
            self.import_effect(node, module);
        }
    }

    fn import_clause(&mut self, clause: Node<'_>, module: &str, type_only: bool) {
        let f = &self.grammar.fields;
        for part in children(clause) {
            match self.kind(part) {
                K::Identifier => {
                    self.skip(part);
                    let alias = self.name(part);
                    self.import_fact(part, module, ImportWhat::Default { alias }, false, type_only);
                }
                K::NamespaceImport => {
                    let Some(&local) = children(part).first() else { continue };
                    self.skip(local);
                    let alias = Some(self.name(local));
                    self.import_fact(part, module, ImportWhat::Module { alias }, false, type_only);
                }
                K::NamedImports => {
                    for specifier in children(part) {
                        let Some(name) = self.field(specifier, f.name) else { continue };
                        let local = self.field(specifier, f.alias).unwrap_or(name);
                        self.skip(name);
                        self.skip(local);
                        let item = self.export_name(name);
                        let alias = self.name(local);
                        let only = type_only || has_token(specifier, "type");
                        self.import_fact(specifier, module, ImportWhat::Item { item, alias }, false, only);
                    }
                }
                _ => {}
            }
        }
    }

    /// Records an export of the module; what a namespace exports is said by its members' flags.
    pub(super) fn export(&mut self, name: &str, value: ExprId, line: u32) {
        if self.cx.enclosing().any(|s| self.cx.facts().symbol(s).kind == SymbolKind::Namespace) {
            return;
        }
        let last = self.cx.facts().exports.last();
        if !last.is_some_and(|e| e.value == value && self.cx.str(e.name) == name) {
            self.cx.export(name, value, line);
        }
    }

    /// An export's name may be a string.
    fn export_name(&mut self, node: Node<'_>) -> crate::facts::Name {
        let text = self.string(node).unwrap_or(self.cx.text(node));
        self.cx.name(text)
    }

    /// `import a = b.c`
    pub(super) fn import_alias(&mut self, node: Node<'_>) {
        let parts = children(node);
        if let [local, target] = parts.as_slice() {
            self.skip(*local);
            let value = self.lower(*target);
            let (scope, name, line) = (self.cx.current(), self.name(*local), self.cx.line(*local));
            let (end_line, kind) = (self.block_end(), BindKind::Assign);
            let declared = self.take_declared(node);
            if declared.exported {
                let expr = self.name_expr(name);
                let text = self.cx.text(*local);
                self.export(text, expr, line);
            }
            self.cx.bind(BindFact { scope, name, line, end_line, kind, value, ty: None });
        }
    }

    /// `declare ...`: hands what it knows to the declaration in it.
    pub(super) fn ambient(&mut self, node: Node<'_>) {
        let mut declared = self.take_declared(node);
        if declared.anchor.is_none() {
            declared.anchor = Some((node.start_byte(), self.cx.line(node)));
        }
        if let Some(&inner) = children(node).first()
            && self.kind(inner) != K::Block
        {
            self.mark(inner, Mark::Declared(Box::new(declared)));
        }
    }

    pub(super) fn export_statement(&mut self, node: Node<'_>) {
        let f = &self.grammar.fields;
        if let Some(source) = self.field(node, f.source) {
            let Some(module) = self.string(source) else { return };
            return self.reexport(node, module);
        }
        let default = has_token(node, "default");
        let mut declared = Declared {
            anchor: Some((node.start_byte(), self.cx.line(node))),
            exported: true,
            default,
            ..Declared::default()
        };
        declared.decorators = self.decorators(node);
        if let Some(declaration) = self.field(node, f.declaration) {
            return self.export_declaration(declaration, declared);
        }
        for child in children(node) {
            if self.kind(child) == K::ExportClause {
                return self.export_clause(child);
            }
        }
        let value = self.field(node, f.value).or_else(|| {
            // `export = x`; `export as namespace x` exports nothing.
            if has_token(node, "=") { children(node).first().copied() } else { None }
        });
        match value {
            Some(value) => self.export_default(node, value, declared),
            None => {
                for child in children(node) {
                    self.skip(child);
                }
            }
        }
    }

    fn export_declaration(&mut self, declaration: Node<'_>, declared: Declared) {
        let f = &self.grammar.fields;
        let mut inner = declaration;
        if self.kind(inner) == K::Ambient
            && let Some(&first) = children(inner).first()
        {
            inner = first;
        }
        if !matches!(self.kind(inner), K::Lexical | K::VarDeclaration | K::Using | K::ImportAlias) {
            let line = self.cx.line(inner);
            match self.field(inner, f.name) {
                Some(name) => {
                    let text = self.cx.text(name);
                    let local = self.name(name);
                    let value = self.name_expr(local);
                    self.export(if declared.default { "default" } else { text }, value, line);
                }
                None if declared.default => {
                    let local = self.cx.name_owned("default");
                    let value = self.name_expr(local);
                    self.export("default", value, line);
                }
                None => {}
            }
        }
        self.mark(declaration, Mark::Declared(Box::new(declared)));
    }

    fn export_default(&mut self, node: Node<'_>, value: Node<'_>, declared: Declared) {
        let line = self.cx.line(node);
        let bare = self.unwrap(value);
        self.value(value);
        let function = self.function_in(bare);
        let symbol: Option<SymbolIdx> = if let Some(function) = function {
            let own = self.field(function, self.grammar.fields.name).map(|n| self.cx.text(n));
            let kind = SymbolKind::Function;
            let definition = super::functions::Definition {
                declared,
                ..super::functions::Definition::new(own.unwrap_or("default"), kind)
            };
            Some(self.define_function(node, function, definition))
        } else if self.kind(bare) == K::Class {
            Some(self.define_class(node, bare, None, declared))
        } else {
            let object = match self.kind(bare) {
                K::Object => Some(bare),
                // `export default defineComponent({...})`
                K::Call => self
                    .field(bare, self.grammar.fields.arguments)
                    .and_then(|a| children(a).into_iter().find(|&n| self.kind(n) == K::Object)),
                _ => None,
            };
            object.map(|object| {
                let signature = self.signature(node.start_byte(), object.start_byte());
                let flags = SymbolFlags { exported: true, ..SymbolFlags::default() };
                let fact = SymbolDraft { kind: Some(SymbolKind::Constant), signature, flags, ..SymbolDraft::default() };
                let symbol = self.open(node, None, declared.anchor, "default", None, fact);
                let entries = Entries { holder: Some(symbol), data: true, ..Entries::default() };
                self.mark(object, Mark::Object(Box::new(entries)));
                let local = self.cx.name_owned("default");
                self.st.top.insert(local, symbol);
                symbol
            })
        };
        let value = match symbol {
            Some(symbol) => self.function_expr(symbol),
            None => self.lower(value),
        };
        self.export("default", value, line);
    }

    fn export_clause(&mut self, clause: Node<'_>) {
        let f = &self.grammar.fields;
        for specifier in children(clause) {
            let Some(name) = self.field(specifier, f.name) else { continue };
            let outer = self.field(specifier, f.alias).unwrap_or(name);
            self.skip(name);
            self.skip(outer);
            let local = self.export_name(name);
            let value = self.name_expr(local);
            let outer = self.export_name(outer);
            let (outer, line) = (self.cx.str(outer).to_owned(), self.cx.line(specifier));
            self.export(&outer, value, line);
        }
    }

    fn reexport(&mut self, node: Node<'_>, module: &str) {
        let f = &self.grammar.fields;
        let type_only = has_token(node, "type");
        let mut named = false;
        for child in children(node) {
            match self.kind(child) {
                K::NamespaceExport => {
                    named = true;
                    let Some(&local) = children(child).first() else { continue };
                    self.skip(local);
                    let alias = Some(self.export_name(local));
                    self.import_fact(node, module, ImportWhat::Module { alias }, true, type_only);
                }
                K::ExportClause => {
                    named = true;
                    for specifier in children(child) {
                        let Some(name) = self.field(specifier, f.name) else { continue };
                        let outer = self.field(specifier, f.alias).unwrap_or(name);
                        self.skip(name);
                        self.skip(outer);
                        let item = self.export_name(name);
                        let alias = self.export_name(outer);
                        let only = type_only || has_token(specifier, "type");
                        self.import_fact(specifier, module, ImportWhat::Item { item, alias }, true, only);
                    }
                }
                _ => {}
            }
        }
        if !named && has_token(node, "*") {
            self.import_fact(node, module, ImportWhat::Star, true, type_only);
        }
    }
}
