//! Object literals: their methods are symbols, and so are the plain entries of the module's objects.

use tree_sitter::Node;

use super::functions::Definition;
use super::kinds::K;
use super::{Declared, Entries, Mark, Walker, children};
use crate::extract::SymbolDraft;
use crate::facts::{AttrFact, SymbolFlags, SymbolKind};

/// Plain entries of one object that become symbols: more of them are data, not configuration.
const MAX_DATA: usize = 64;

impl Walker<'_, '_> {
    /// A property's name, where it is written out.
    pub(super) fn key(&self, node: Node<'_>) -> Option<String> {
        match self.kind(node) {
            K::PropertyIdentifier | K::PrivateProperty | K::Number | K::Identifier | K::Shorthand => {
                Some(self.cx.text(node).to_owned())
            }
            K::String => self.string(node).map(str::to_owned).filter(|s| !s.is_empty() && s.len() <= 100),
            K::ComputedName => {
                let inner = children(node);
                inner.first().filter(|n| self.kind(**n) == K::String).and_then(|n| self.key(*n))
            }
            _ => None,
        }
    }

    /// Whether an object literal, or one within it, has functions among its entries.
    pub(super) fn has_functions(&self, object: Node<'_>) -> bool {
        self.functions_in(object, 0)
    }

    fn functions_in(&self, object: Node<'_>, depth: u32) -> bool {
        children(object).into_iter().take(4 * MAX_DATA).any(|entry| match self.kind(entry) {
            K::Method => true,
            K::Pair => self.field(entry, self.grammar.fields.value).is_some_and(|value| match self.kind(value) {
                K::Object => depth < 2 && self.functions_in(value, depth + 1),
                kind => kind.is_function() || kind == K::Class,
            }),
            _ => false,
        })
    }

    pub(super) fn object(&mut self, node: Node<'_>) {
        let entries = match self.take_mark(node) {
            Some(Mark::Object(entries)) => *entries,
            _ => return,
        };
        let mut data = 0;
        for child in children(node) {
            match self.kind(child) {
                K::Pair | K::Method => {
                    let mut own = entries.clone();
                    if self.kind(child) == K::Pair {
                        data += 1;
                        own.data &= data <= MAX_DATA;
                    }
                    self.mark(child, Mark::Entry(Box::new(own)));
                }
                K::Shorthand => {
                    let name = self.name(child);
                    let (line, value) = (self.cx.line(child), self.name_expr(name));
                    if entries.export {
                        let text = self.cx.text(child);
                        self.cx.export(text, value, line);
                    }
                    if let Some(class) = entries.holder {
                        self.cx.attr(AttrFact { class, name, scope: class, line, value: Some(value), ty: None });
                    }
                }
                // `module.exports = {...require("./a")}` hands all names of it on.
                K::Spread if entries.export => {
                    if let Some(&value) = children(child).first()
                        && let Some(module) = self.loaded_module(value)
                    {
                        self.mark(value, Mark::Done);
                        self.import_star(child, module, true);
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn pair(&mut self, node: Node<'_>) {
        let f = &self.grammar.fields;
        let entries = match self.take_mark(node) {
            Some(Mark::Entry(entries)) => *entries,
            _ => Entries::default(),
        };
        let (Some(key), Some(written)) = (self.field(node, f.key), self.field(node, f.value)) else { return };
        self.value(written);
        let Some(name) = self.key(key) else { return };
        let value = self.unwrap(written);
        let line = self.cx.line(key);
        let scope = self.cx.current();
        let owner = entries.owner.clone();
        // A function is found as a symbol.
        let callable = self.function_in(value).is_some() || self.kind(value) == K::Class;
        match self.kind(value) {
            _ if self.function_in(value).is_some() => {
                let function = self.function_in(value).unwrap_or(value);
                let (name, kind, parent) = match &entries.accessor {
                    Some((name, parent)) => (name.as_str(), SymbolKind::Property, *parent),
                    None => (name.as_str(), SymbolKind::Method, None),
                };
                let definition = Definition { owner, parent, ..Definition::new(name, kind) };
                self.define_function(node, function, definition);
            }
            K::Class => {
                self.define_class(node, value, Some(&name), Declared::default());
            }
            K::Object if self.has_functions(value) => {
                let signature = self.signature(node.start_byte(), value.start_byte());
                let fact = SymbolDraft { kind: Some(SymbolKind::Variable), signature, ..SymbolDraft::default() };
                let symbol = self.open(node, None, None, &name, owner.as_ref(), fact);
                let inner = Entries { holder: Some(symbol), ..Entries::default() };
                self.mark(value, Mark::Object(Box::new(inner)));
            }
            _ if entries.data => {
                let values = vec![self.lower(written)];
                let flags = SymbolFlags { exported: entries.export, ..SymbolFlags::default() };
                let fact = SymbolDraft { kind: Some(SymbolKind::Variable), flags, values, ..SymbolDraft::default() };
                self.open_leaf(node, None, &name, owner.as_ref(), fact);
            }
            _ => {}
        }
        if entries.export || entries.holder.is_some() {
            let lowered = self.lower(written);
            if entries.export {
                self.cx.export(&name, lowered, line);
            }
            if let Some(class) = entries.holder.filter(|_| !callable) {
                let name = self.cx.name_owned(&name);
                self.cx.attr(AttrFact { class, name, scope, line, value: Some(lowered), ty: None });
            }
        }
    }
}
