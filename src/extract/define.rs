//! Definitions: their names, their nesting, and the scopes that they open.

use rustc_hash::FxHashSet;
use tree_sitter::Node;

use super::text::{clip, fold_space, shortened};
use super::{Extractor, NewSymbol, Scope, SymbolDraft};
use crate::facts::*;
use crate::terms::Field;

/// Definitions nested deeper than this belong to the one around them, and are not symbols of their own.
const MAX_NESTING: u16 = 64;

impl Extractor<'_> {
    /// Records a definition whose span is `node` and opens its scope: until the walk leaves `node`,
    /// [`Extractor::current`] is this symbol. Words inside belong to it.
    pub fn define(&mut self, node: Node<'_>, new: NewSymbol<'_>) -> SymbolIdx {
        let parent = self.current();
        let idx = self.define_at(parent, self.line(node), self.end_line(node), new);
        self.scopes.push(Scope { symbol: idx, end_byte: node.end_byte() });
        idx
    }

    /// Records a definition that spans `outer` (decorators included) and whose scope opens only when the walk comes to
    /// `body`: what stands before it (decorators, defaults, bases) runs in the scope around, but its words
    /// belong to the definition. Nothing else may be defined this way between `outer` and `body`.
    pub fn define_ahead(&mut self, outer: Node<'_>, body: Node<'_>, new: NewSymbol<'_>) -> SymbolIdx {
        let parent = self.current();
        let symbol = self.define_at(parent, self.line(outer), self.end_line(outer), new);
        self.words_owner = Some(Scope { symbol, end_byte: body.start_byte() });
        self.ahead = Some((body.id(), Scope { symbol, end_byte: outer.end_byte() }));
        symbol
    }

    /// Records a definition without opening a scope (a constant, an enum member, `exports.x = y`).
    pub fn define_leaf(&mut self, node: Node<'_>, new: NewSymbol<'_>) -> SymbolIdx {
        let parent = self.current();
        self.define_at(parent, self.line(node), self.end_line(node), new)
    }

    /// Records a definition under any parent with any lines; opens no scope.
    pub fn define_at(&mut self, parent: SymbolIdx, start_line: u32, end_line: u32, new: NewSymbol<'_>) -> SymbolIdx {
        self.add_symbol(parent, start_line, end_line, new, true)
    }

    /// `words`: its name and documentation are words of its own. Gives `parent` when it would be nested too deep.
    fn add_symbol(
        &mut self,
        parent: SymbolIdx,
        start_line: u32,
        end_line: u32,
        new: NewSymbol<'_>,
        words: bool,
    ) -> SymbolIdx {
        let depth = self.depths[parent.0 as usize] + 1;
        if depth > MAX_NESTING {
            return parent;
        }
        self.depths.push(depth);
        let mut qual = String::new();
        if parent != SymbolIdx::MODULE {
            qual.push_str(self.facts.name(self.facts.symbol(parent).qualname));
            qual.push('.');
        }
        if let Some(prefix) = new.owner_prefix {
            qual.push_str(prefix);
            qual.push('.');
        }
        let own_name = shortened(new.name);
        qual.push_str(&own_name);
        let qual = shortened(&qual);
        let qualname = self.name_owned(&qual);
        let name = self.name_owned(&own_name);
        let ordinal = self.ordinals.entry(qualname).or_insert(0);
        *ordinal += 1;
        let ordinal = *ordinal;
        let idx = SymbolIdx(self.facts.symbols.len() as u32);
        let d = new.fact;
        if words {
            self.terms.add(idx, Field::Name, &qual);
            if !d.doc.is_empty() {
                self.terms.add(idx, Field::Doc, &d.doc);
            }
        }
        self.facts.symbols.push(SymbolFact {
            name,
            qualname,
            ordinal,
            parent: Some(parent),
            owner: d.owner,
            kind: d.kind.unwrap_or(SymbolKind::Function),
            start_line,
            end_line,
            signature: clip(&fold_space(&d.signature), 240).into(),
            doc: clip(d.doc.trim(), 1000).into(),
            flags: d.flags,
            bases: d.bases,
            decorators: d.decorators,
            params: d.params,
            type_params: d.type_params,
            returns: d.returns,
            values: d.values,
            ty: d.ty,
        });
        idx
    }

    /// Opens the scope of an existing symbol over a node (a class reopened, an impl block).
    pub fn reenter(&mut self, node: Node<'_>, symbol: SymbolIdx) {
        self.scopes.push(Scope { symbol, end_byte: node.end_byte() });
    }

    /// Tests run because their framework finds them, and handlers because they were handed to one: it is where things begin.
    pub(super) fn mark_entries(&mut self) {
        let handlers = &self.scratch.handlers;
        for symbol in self.facts.symbols.iter_mut().filter(|s| s.kind.is_callable()) {
            symbol.flags.entry_point |= symbol.flags.is_test || handlers.contains(&symbol.name);
        }
    }

    /// What a class's instances hold and no definition says (`self.x = ...`, a struct's field) is a symbol too, so that
    /// it can be asked who reads and who writes it. It comes behind all others, and has no words of its own: those of
    /// its lines belong to the code around.
    pub(super) fn define_fields(&mut self) {
        if self.facts.attrs.is_empty() {
            return;
        }
        let mut known: FxHashSet<(SymbolIdx, Name)> =
            self.facts.symbols.iter().filter_map(|s| Some((s.parent?, s.name))).collect();
        let source = self.source;
        let lines: Vec<&str> = source.lines().collect();
        for i in 0..self.facts.attrs.len() {
            let AttrFact { class, name, line, ty, .. } = self.facts.attrs[i];
            let text = self.facts.name(name).to_owned();
            // Parts of a tuple have numbers.
            if !known.insert((class, name)) || text.bytes().all(|b| b.is_ascii_digit()) {
                continue;
            }
            let holder = self.facts.symbol(class);
            let private = text.starts_with(['_', '#']);
            let fact = SymbolDraft {
                kind: Some(SymbolKind::Field),
                signature: lines.get(line as usize - 1).map_or("", |l| l.trim()).to_owned(),
                flags: SymbolFlags { exported: holder.flags.exported && !private, ..SymbolFlags::default() },
                ty,
                ..SymbolDraft::default()
            };
            self.add_symbol(class, line, line, NewSymbol { name: &text, owner_prefix: None, fact }, false);
        }
    }
}
