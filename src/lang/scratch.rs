//! What a language file remembers while it walks one file. Nothing here outlives the walk.

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use crate::extract::Extractor;
use crate::facts::*;

/// Expressions lowered nearer to the root than this are kept for reuse; deeper ones may have been cut short.
const REUSE_DEPTH: u32 = 16;

/// State of one walk, a field of [`Extractor`].
#[derive(Debug, Default)]
pub struct Scratch {
    lowered: FxHashMap<usize, ExprId>,
    taken: FxHashSet<usize>,
    passed: FxHashSet<usize>,
    locals: FxHashSet<(SymbolIdx, Name)>,
    blocks: Vec<(usize, u32)>,
    lambdas: Vec<usize>,
    /// Attributes read before the item that they belong to.
    pub attributes: Vec<Attribute>,
    /// Blocks whose functions belong to a type named elsewhere.
    pub impls: Vec<ImplBlock>,
    /// Bodies that open the scope of a symbol defined before the walk reaches them, by node id.
    pub bodies: FxHashMap<usize, SymbolIdx>,
    /// Names of functions of this file that are handed to something that calls them for an event, a route, a command.
    pub handlers: FxHashSet<Name>,
    /// How many anonymous classes of a base stand in a symbol.
    pub anonymous: FxHashMap<(SymbolIdx, Name), u32>,
}

/// An attribute that stands before its item as a node of its own.
#[derive(Debug, Clone, Copy)]
pub struct Attribute {
    /// What it names, with its arguments.
    pub expr: ExprId,
    /// First byte.
    pub start: usize,
    /// Byte after it.
    pub end: usize,
    /// First line, 1-based.
    pub line: u32,
    /// Marks a test.
    pub is_test: bool,
    /// Marks something that is called from outside.
    pub entry_point: bool,
}

/// A block of methods for a type.
#[derive(Debug, Clone)]
pub struct ImplBlock {
    /// Byte after the block.
    pub end: usize,
    /// The type.
    pub owner: ExprId,
    /// The type's name as it stands in qualified names.
    pub prefix: String,
    /// The block's type parameters, which its methods see too.
    pub type_params: Vec<(Name, Option<ExprId>)>,
    /// The symbol around the block.
    pub scope: SymbolIdx,
    /// Implements a trait, so its methods are as visible as the trait.
    pub of_trait: bool,
}

impl Scratch {
    /// The expression made of this node before.
    pub fn lowered(&self, node: Node<'_>) -> Option<ExprId> {
        self.lowered.get(&node.id()).copied()
    }

    /// Keeps what was made of a node.
    pub fn keep_lowered(&mut self, node: Node<'_>, expr: ExprId, depth: u32) {
        if depth <= REUSE_DEPTH {
            self.lowered.insert(node.id(), expr);
        }
    }

    /// A node that has been accounted for: its visit must not record a mention.
    pub fn take(&mut self, node: Node<'_>) {
        self.taken.insert(node.id());
    }

    /// Whether a node has been accounted for.
    pub fn is_taken(&self, node: Node<'_>) -> bool {
        self.taken.contains(&node.id())
    }

    /// A node that is handed on as a value (an argument, a stored or returned value).
    pub fn pass(&mut self, node: Node<'_>) {
        self.passed.insert(node.id());
    }

    /// `Value` for a node that is handed on, `Read` else.
    pub fn access(&self, node: Node<'_>) -> Access {
        if self.passed.contains(&node.id()) { Access::Value } else { Access::Read }
    }

    /// A block of statements begins.
    pub fn open_block(&mut self, node: Node<'_>, end_line: u32) {
        self.close_blocks(node);
        self.blocks.push((node.end_byte(), end_line));
    }

    /// The last line of the innermost block around a node, if it stands in one.
    pub fn block_end(&mut self, node: Node<'_>) -> Option<u32> {
        self.close_blocks(node);
        self.blocks.last().map(|b| b.1)
    }

    /// Blocks lie within each other, so those that end before a node are the last ones.
    fn close_blocks(&mut self, node: Node<'_>) {
        while self.blocks.last().is_some_and(|b| b.0 <= node.start_byte()) {
            self.blocks.pop();
        }
    }

    /// A function without a symbol of its own begins.
    pub fn open_lambda(&mut self, node: Node<'_>) {
        self.close_lambdas(node);
        self.lambdas.push(node.end_byte());
    }

    /// Whether a node stands in a function without a symbol of its own.
    pub fn in_lambda(&mut self, node: Node<'_>) -> bool {
        self.close_lambdas(node);
        !self.lambdas.is_empty()
    }

    fn close_lambdas(&mut self, node: Node<'_>) {
        while self.lambdas.last().is_some_and(|&end| end <= node.start_byte()) {
            self.lambdas.pop();
        }
    }

    /// A name is a parameter or local variable of a symbol.
    pub fn local(&mut self, scope: SymbolIdx, name: Name) {
        if scope != SymbolIdx::MODULE {
            self.locals.insert((scope, name));
        }
    }

    /// The innermost block of methods around a node.
    pub fn impl_block(&mut self, node: Node<'_>) -> Option<&ImplBlock> {
        while self.impls.last().is_some_and(|b| b.end <= node.start_byte()) {
            self.impls.pop();
        }
        self.impls.last()
    }
}

/// Whether a name is a parameter or a local variable here.
pub fn is_local(cx: &Extractor<'_>, name: Name) -> bool {
    cx.enclosing().any(|scope| cx.scratch.locals.contains(&(scope, name)))
}

/// Records a binding of the current scope that ends with the block around `node`.
pub fn bind_local(
    cx: &mut Extractor<'_>,
    node: Node<'_>,
    name: Name,
    kind: BindKind,
    value: ExprId,
    ty: Option<ExprId>,
) {
    let scope = cx.current();
    let end_line = match cx.scratch.block_end(node) {
        Some(line) => line,
        None => cx.facts().symbol(scope).end_line,
    };
    // What stands in the value itself sees the name as it was before.
    let line = if kind == BindKind::Assign { cx.end_line(node).min(end_line) } else { cx.line(node) };
    bind_range(cx, name, line, end_line, kind, value, ty);
}

/// Records a binding of the current scope with given lines.
pub fn bind_range(
    cx: &mut Extractor<'_>,
    name: Name,
    line: u32,
    end_line: u32,
    kind: BindKind,
    value: ExprId,
    ty: Option<ExprId>,
) {
    let scope = cx.current();
    cx.scratch.local(scope, name);
    cx.bind(BindFact { scope, name, line, end_line, kind, value, ty });
}

/// Adds to a function's returned values; it keeps at most eight.
pub fn add_value(cx: &mut Extractor<'_>, symbol: SymbolIdx, value: ExprId) {
    if value == cx.unknown() {
        return;
    }
    let values = &mut cx.symbol_mut(symbol).values;
    if values.len() < 8 && !values.contains(&value) {
        values.push(value);
    }
}
