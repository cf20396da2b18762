//! What a parent node says of a child before the walk comes by it.

use crate::facts::{ExprId, SymbolIdx};

/// How `this` of a function is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum This {
    /// The surrounding one (arrows, `.bind(this)`).
    Inherit,
    /// The object or class that the function belongs to.
    Own,
    /// Nothing is known of it.
    None,
}

/// What a parent knows of a function before the walk comes to it.
#[derive(Clone, Debug)]
pub(super) struct FunctionMark {
    /// Its symbol, if it is already defined.
    pub(super) symbol: Option<SymbolIdx>,
    pub(super) this: This,
    /// Called where it is written: its definitions count as those of the code around it.
    pub(super) in_place: bool,
    /// Values of its first parameters.
    pub(super) arguments: Vec<ExprId>,
    /// A symbol's function, or not; a test's callback has a symbol but gives it no values.
    pub(super) returns: bool,
}

impl FunctionMark {
    pub(super) fn anonymous(this: This) -> Self {
        FunctionMark { symbol: None, this, in_place: false, arguments: Vec::new(), returns: false }
    }
}

/// What an `export` or a declaration's keyword says of what is declared in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Declared {
    /// First byte and line of the whole statement.
    pub(super) anchor: Option<(usize, u32)>,
    pub(super) exported: bool,
    pub(super) default: bool,
    pub(super) decorators: Vec<ExprId>,
    /// `var`: seen in the whole function. Else in its block.
    pub(super) function_scoped: bool,
    /// `const`.
    pub(super) constant: bool,
}

/// Where the entries of an object literal belong.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries {
    /// The owner's name and expression for `Foo.prototype = {...}` and `Object.assign(Foo, {...})`.
    pub(super) owner: Option<(String, ExprId)>,
    /// The symbol that stands for the object.
    pub(super) holder: Option<SymbolIdx>,
    /// Plain values are symbols too.
    pub(super) data: bool,
    /// `module.exports = {...}`.
    pub(super) export: bool,
    /// The name and the parent of an accessor in `Object.defineProperty(o, "name", {get() {...}})`.
    pub(super) accessor: Option<(String, Option<SymbolIdx>)>,
}

/// A note for a node that the walk has still to come by.
#[derive(Clone, Debug)]
pub(super) enum Mark {
    /// A declared name, a callee: not a mention.
    Skip,
    /// A value passed on.
    Value,
    /// Assigned to.
    Write,
    /// Dealt with by its parent.
    Done,
    Function(Box<FunctionMark>),
    Declared(Box<Declared>),
    Object(Box<Entries>),
    Entry(Box<Entries>),
}
