//! From a file's bytes to [`Facts`] and search terms: one walk over the syntax tree.
//!
//! The walk and the book-keeping are here, once; what a node means is said by the
//! language's own file under `lang/`. No database, no other file, no path logic.

use std::any::Any;

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use crate::facts::*;
use crate::lang::Leaf;
use crate::lang::scratch::Scratch;
use crate::terms::{Field, FileTerms, TermsBuilder};

mod define;
mod text;
mod walk;

pub use text::{MAX_NAME, clip, fold_space};
pub use walk::extract;

/// What extraction gives for one file.
#[derive(Debug, Default)]
pub struct Extracted {
    /// Definitions, calls, imports: input of `resolve`.
    pub facts: Facts,
    /// Words by symbol and field: input of full-text search.
    pub terms: FileTerms,
}

/// Expressions deeper than this are `Unknown`: a hostile file must not exhaust the stack.
pub const MAX_EXPR_DEPTH: u32 = 48;

/// A definition as a language file reports it; the extractor adds name tables, qualified name and ordinal.
#[derive(Debug)]
pub struct NewSymbol<'a> {
    /// Its own name.
    pub name: &'a str,
    /// Put before the name in the qualified name instead of the lexical parents' names: the receiver type of a
    /// Go method, the impl type in Rust, `Foo` for `Foo.prototype.m`. Lexical nesting still counts outside of it.
    pub owner_prefix: Option<&'a str>,
    /// Everything else.
    pub fact: SymbolDraft,
}

/// The parts of a [`SymbolFact`] that a language file fills.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct SymbolDraft {
    pub kind: Option<SymbolKind>,
    pub owner: Option<ExprId>,
    pub signature: String,
    pub doc: String,
    pub flags: SymbolFlags,
    pub bases: Vec<ExprId>,
    pub decorators: Vec<ExprId>,
    pub params: Vec<ParamFact>,
    pub type_params: Vec<(Name, Option<ExprId>)>,
    pub returns: Option<ExprId>,
    pub values: Vec<ExprId>,
    pub ty: Option<ExprId>,
}

struct Scope {
    symbol: SymbolIdx,
    end_byte: usize,
}

/// Collects a file's facts while its tree is walked. Language files call its methods.
pub struct Extractor<'s> {
    source: &'s str,
    facts: Facts,
    interned: FxHashMap<&'s str, Name>,
    interned_owned: FxHashMap<String, Name>,
    ordinals: FxHashMap<Name, u32>,
    /// How deep each symbol is nested.
    depths: Vec<u16>,
    scopes: Vec<Scope>,
    terms: TermsBuilder,
    unknown: ExprId,
    literals: [Option<ExprId>; LITERAL_KINDS],
    /// The body whose scope opens when the walk comes to it (0: none), and that scope.
    ahead: Option<(usize, Scope)>,
    /// To whom words belong until a byte, whatever the scope.
    words_owner: Option<Scope>,
    handled: FxHashSet<usize>,
    seen: FxHashSet<(u8, SymbolIdx, Name)>,
    lowered: FxHashMap<usize, ExprId>,
    /// Names hidden until a byte: parameters of lambdas, variables of comprehensions.
    hidden: Vec<(Name, usize)>,
    /// What the language file remembers during the walk.
    pub(crate) scratch: Scratch,
    state: Option<Box<dyn Any>>,
}

/// Number of [`LiteralKind`]s.
const LITERAL_KINDS: usize = LiteralKind::Double as usize + 1;

impl<'s> Extractor<'s> {
    fn new(source: &'s str) -> Self {
        let mut cx = Extractor {
            source,
            facts: Facts::default(),
            interned: FxHashMap::default(),
            interned_owned: FxHashMap::default(),
            ordinals: FxHashMap::default(),
            depths: vec![0],
            scopes: Vec::new(),
            terms: TermsBuilder::default(),
            unknown: ExprId(0),
            literals: [None; LITERAL_KINDS],
            ahead: None,
            words_owner: None,
            handled: FxHashSet::default(),
            seen: FxHashSet::default(),
            lowered: FxHashMap::default(),
            hidden: Vec::new(),
            scratch: Scratch::default(),
            state: None,
        };
        cx.facts.lines = walk::line_count(source);
        cx.facts.exprs.push(Expr::Unknown);
        let name = cx.name_owned("<module>");
        let end_line = cx.facts.lines.max(1);
        cx.facts.symbols.push(SymbolFact {
            name,
            qualname: name,
            ordinal: 1,
            parent: None,
            owner: None,
            kind: SymbolKind::Module,
            start_line: 1,
            end_line,
            signature: "".into(),
            doc: "".into(),
            flags: SymbolFlags::default(),
            bases: vec![],
            decorators: vec![],
            params: vec![],
            type_params: vec![],
            returns: None,
            values: vec![],
            ty: None,
        });
        cx.scopes.push(Scope { symbol: SymbolIdx::MODULE, end_byte: usize::MAX });
        cx
    }

    /// The file's text (lossily decoded if it was not UTF-8; lines are kept).
    pub fn source(&self) -> &'s str {
        self.source
    }

    /// The text of a node.
    pub fn text(&self, node: Node<'_>) -> &'s str {
        self.source.get(node.byte_range()).unwrap_or("")
    }

    /// The first line of a node, 1-based.
    pub fn line(&self, node: Node<'_>) -> u32 {
        node.start_position().row as u32 + 1
    }

    /// The last line of a node, 1-based, inclusive.
    pub fn end_line(&self, node: Node<'_>) -> u32 {
        let end = node.end_position();
        // A node that ends at column 0 ends with the line break before it.
        if end.column == 0 && end.row > node.start_position().row { end.row as u32 } else { end.row as u32 + 1 }
    }

    /// Interns a slice of the source.
    pub fn name(&mut self, text: &'s str) -> Name {
        if let Some(&n) = self.interned.get(text) {
            return n;
        }
        if let Some(&n) = self.interned_owned.get(text) {
            return n;
        }
        let n = Name(self.facts.names.len() as u32);
        self.facts.names.push(text.into());
        self.interned.insert(text, n);
        n
    }

    /// Interns a string that is not a slice of the source.
    pub fn name_owned(&mut self, text: &str) -> Name {
        if let Some(&n) = self.interned.get(text).or_else(|| self.interned_owned.get(text)) {
            return n;
        }
        let n = Name(self.facts.names.len() as u32);
        self.facts.names.push(text.into());
        self.interned_owned.insert(text.to_owned(), n);
        n
    }

    /// The name of a string if the file has used it so far.
    pub fn known_name(&self, text: &str) -> Option<Name> {
        self.interned.get(text).or_else(|| self.interned_owned.get(text)).copied()
    }

    /// The string of a name.
    pub fn str(&self, name: Name) -> &str {
        self.facts.name(name)
    }

    /// Adds an expression to the arena. `Unknown` and each kind of literal are there once: they mean the same everywhere.
    pub fn expr(&mut self, expr: Expr) -> ExprId {
        match expr {
            Expr::Unknown => return self.unknown,
            Expr::Literal(kind) => {
                if let Some(id) = self.literals[kind as usize] {
                    return id;
                }
                self.literals[kind as usize] = Some(ExprId(self.facts.exprs.len() as u32));
            }
            _ => {}
        }
        let id = ExprId(self.facts.exprs.len() as u32);
        self.facts.exprs.push(expr);
        id
    }

    /// The one `Unknown` expression.
    pub fn unknown(&self) -> ExprId {
        self.unknown
    }

    /// Facts collected so far.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// For amendments to what was collected (a symbol's `values`, its flags).
    pub fn symbol_mut(&mut self, idx: SymbolIdx) -> &mut SymbolFact {
        &mut self.facts.symbols[idx.0 as usize]
    }

    /// The innermost symbol that holds the current node.
    pub fn current(&self) -> SymbolIdx {
        self.scopes.last().expect("the module scope is never popped").symbol
    }

    /// The symbols that hold the current node, innermost first, the module last.
    pub fn enclosing(&self) -> impl Iterator<Item = SymbolIdx> + '_ {
        self.scopes.iter().rev().map(|s| s.symbol)
    }

    /// The innermost enclosing symbol of a kind that `wanted` accepts.
    pub fn enclosing_kind(&self, wanted: impl Fn(SymbolKind) -> bool) -> Option<SymbolIdx> {
        self.enclosing().find(|&s| wanted(self.facts.symbol(s).kind))
    }

    /// Words within `node` belong to `symbol`, whose scope is not opened (a constant's literal).
    pub fn words_belong(&mut self, node: Node<'_>, symbol: SymbolIdx) {
        self.words_owner = Some(Scope { symbol, end_byte: node.end_byte() });
    }

    /// Notes that a node to come was dealt with by one above it; see [`Extractor::take_handled`].
    pub fn mark_handled(&mut self, node: Node<'_>) {
        self.handled.insert(node.id());
    }

    /// Whether a node was marked with [`Extractor::mark_handled`]; takes the mark off.
    pub fn take_handled(&mut self, node: Node<'_>) -> bool {
        !self.handled.is_empty() && self.handled.remove(&node.id())
    }

    /// Whether a node is marked; leaves the mark.
    pub fn handled(&self, node: Node<'_>) -> bool {
        self.handled.contains(&node.id())
    }

    /// Notes a name in a scope under a tag of the language's own; true the first time.
    pub fn note(&mut self, tag: u8, scope: SymbolIdx, name: Name) -> bool {
        self.seen.insert((tag, scope, name))
    }

    /// Whether a name was noted.
    pub fn noted(&self, tag: u8, scope: SymbolIdx, name: Name) -> bool {
        self.seen.contains(&(tag, scope, name))
    }

    /// Notes that within `node` a name stands for something of that node's own (a lambda's parameter).
    pub fn hide(&mut self, node: Node<'_>, name: Name) {
        while self.hidden.last().is_some_and(|&(_, end)| end <= node.start_byte()) {
            self.hidden.pop();
        }
        self.hidden.push((name, node.end_byte()));
    }

    /// Whether a name at a node was hidden by a node around it.
    pub fn is_hidden(&self, node: Node<'_>, name: Name) -> bool {
        self.hidden.iter().rev().any(|&(n, end)| n == name && end > node.start_byte())
    }

    /// What [`Extractor::set_lowered`] remembered of a node, so that an expression is lowered once however often it is mentioned.
    pub fn lowered(&self, node: Node<'_>) -> Option<ExprId> {
        self.lowered.get(&node.id()).copied()
    }

    /// Remembers the expression of a node.
    pub fn set_lowered(&mut self, node: Node<'_>, expr: ExprId) {
        self.lowered.insert(node.id(), expr);
    }

    /// Sets the module's doc comment.
    pub fn module_doc(&mut self, doc: &str) {
        self.terms.add(SymbolIdx::MODULE, Field::Doc, doc);
        self.facts.symbols[0].doc = clip(doc.trim(), 1000).into();
    }

    /// Records a call in the current symbol.
    pub fn call(&mut self, callee: ExprId, line: u32, args: u8, construct: bool) {
        let caller = self.current();
        self.call_from(caller, callee, line, args, construct);
    }

    /// Records a call in a given symbol (decorators belong to the scope around the definition).
    pub fn call_from(&mut self, caller: SymbolIdx, callee: ExprId, line: u32, args: u8, construct: bool) {
        self.facts.calls.push(CallFact { caller, callee, line, args, values: Box::default(), construct });
    }

    /// Adds the first arguments to the call that was recorded last.
    pub fn call_values(&mut self, values: Vec<ExprId>) {
        if let Some(call) = self.facts.calls.last_mut() {
            call.values = values.into();
        }
    }

    /// Records an import.
    pub fn import(&mut self, import: ImportFact) {
        self.facts.imports.push(import);
    }

    /// Records an export.
    pub fn export(&mut self, name: &str, value: ExprId, line: u32) {
        let name = self.name_owned(name);
        self.facts.exports.push(ExportFact { name, value, line });
    }

    /// Records a variable binding.
    pub fn bind(&mut self, bind: BindFact) {
        self.facts.binds.push(bind);
    }

    /// Records an attribute of a class.
    pub fn attr(&mut self, attr: AttrFact) {
        self.facts.attrs.push(attr);
    }

    /// Records a mention that is not a call, in the current symbol.
    pub fn reference(&mut self, expr: ExprId, line: u32, access: Access) {
        self.reference_from(self.current(), expr, line, access);
    }

    /// Records a mention that is not a call, in a given symbol.
    pub fn reference_from(&mut self, from: SymbolIdx, expr: ExprId, line: u32, access: Access) {
        self.facts.refs.push(RefFact { from, expr, line, access });
    }

    /// Records a base that a type takes on outside of its definition.
    pub fn implement(&mut self, implementation: ImplFact) {
        self.facts.impls.push(implementation);
    }

    /// Takes what the language keeps while this file is walked; a fresh one the first time.
    pub fn take_state<T: Any + Default>(&mut self) -> Box<T> {
        self.state.take().and_then(|state| state.downcast::<T>().ok()).unwrap_or_default()
    }

    /// Gives back what [`Extractor::take_state`] took.
    pub fn put_state<T: Any>(&mut self, state: Box<T>) {
        self.state = Some(state);
    }

    /// Sets `package x`.
    pub fn package(&mut self, name: &str) {
        self.facts.package = Some(self.name_owned(name));
    }

    /// Adds words to a symbol's search terms beyond those of the tree's leaves.
    pub fn words(&mut self, symbol: SymbolIdx, field: Field, text: &str) {
        self.terms.add(symbol, field, text);
    }

    /// Adds words for a node that the walk does not go into, to the symbol to whom its leaves would belong.
    pub fn node_words(&mut self, node: Node<'_>, field: Field, text: &str) {
        let symbol = self.words_symbol(node);
        self.terms.add(symbol, field, text);
    }

    fn words_symbol(&self, node: Node<'_>) -> SymbolIdx {
        match &self.words_owner {
            Some(owner) if node.start_byte() < owner.end_byte => owner.symbol,
            _ => self.current(),
        }
    }

    fn leave_to(&mut self, start_byte: usize) {
        while self.scopes.len() > 1 && self.scopes.last().is_some_and(|s| s.end_byte <= start_byte) {
            self.scopes.pop();
        }
    }

    fn leaf(&mut self, leaf: Leaf, node: Node<'_>) {
        let symbol = self.words_symbol(node);
        let text = self.source.get(node.byte_range()).unwrap_or("");
        let field = match leaf {
            Leaf::Identifier => Field::Ident,
            Leaf::String => Field::Literal,
            Leaf::Comment => Field::Comment,
            Leaf::None => return,
        };
        self.terms.add(symbol, field, text);
    }
}
