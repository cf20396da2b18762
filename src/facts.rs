//! What one source file says, before any name is resolved: the plain data between
//! `extract` (which fills it) and `resolve` (which reads it).
//!
//! Facts are a pure function of a file's bytes and its language, so they are cached by
//! content hash. Names are indices into the file's own string table, and expressions sit
//! in one arena per file: a file's facts hold no pointers and serialise as they are.

use serde::{Deserialize, Serialize};

/// Changes whenever extraction changes what it says of the same bytes; cached facts of
/// another version are thrown away.
pub const FACTS_VERSION: u32 = 6;

/// Index into [`Facts::names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Name(pub u32);

/// Index into [`Facts::exprs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ExprId(pub u32);

/// Index into [`Facts::symbols`]. Index 0 is always the module itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SymbolIdx(pub u32);

impl SymbolIdx {
    /// The symbol `<module>`, which owns all code at a file's top level.
    pub const MODULE: SymbolIdx = SymbolIdx(0);
}

/// All facts of one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The file's string table; each string once, in order of first use.
    pub names: Vec<Box<str>>,
    /// Expression arena. Children come before parents.
    pub exprs: Vec<Expr>,
    /// Definitions in source order, fields behind all others; `[0]` is the module. A parent precedes its children.
    pub symbols: Vec<SymbolFact>,
    /// Import statements, `use` trees (one entry a leaf), `require` calls.
    pub imports: Vec<ImportFact>,
    /// What the module makes visible under which name, where the language says so
    /// explicitly (JavaScript exports, `__all__`).
    pub exports: Vec<ExportFact>,
    /// Call sites in source order.
    pub calls: Vec<CallFact>,
    /// Bindings of local and module-level variables, in source order.
    pub binds: Vec<BindFact>,
    /// Attributes assigned or declared on a class: `self.x = ...`, `this.x = ...`, class fields.
    pub attrs: Vec<AttrFact>,
    /// Mentions that are not calls: values passed or stored, attribute reads and writes.
    pub refs: Vec<RefFact>,
    /// `impl Trait for Type` blocks (Rust): inheritance that is declared apart from both.
    pub impls: Vec<ImplFact>,
    /// `package x` (Go, Java), or `None`.
    pub package: Option<Name>,
    /// Number of syntax errors that the parser met (ERROR and MISSING nodes).
    pub syntax_errors: u32,
    /// Number of lines of the file.
    pub lines: u32,
}

/// A definition's kind, the same words for all languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum SymbolKind {
    Module,
    Namespace,
    Class,
    Interface,
    Trait,
    Struct,
    Enum,
    EnumMember,
    TypeAlias,
    Function,
    Method,
    Property,
    Constant,
    Variable,
    Macro,
    /// What instances of a class hold: an attribute, a struct's field.
    Field,
}

impl SymbolKind {
    /// The word stored in the graph.
    pub fn as_str(self) -> &'static str {
        match self {
            SymbolKind::Module => "module",
            SymbolKind::Namespace => "namespace",
            SymbolKind::Class => "class",
            SymbolKind::Interface => "interface",
            SymbolKind::Trait => "trait",
            SymbolKind::Struct => "struct",
            SymbolKind::Enum => "enum",
            SymbolKind::EnumMember => "enum_member",
            SymbolKind::TypeAlias => "type_alias",
            SymbolKind::Function => "function",
            SymbolKind::Method => "method",
            SymbolKind::Property => "property",
            SymbolKind::Constant => "constant",
            SymbolKind::Variable => "variable",
            SymbolKind::Macro => "macro",
            SymbolKind::Field => "field",
        }
    }

    /// Can hold members that are found through an instance or through inheritance.
    pub fn is_type(self) -> bool {
        matches!(
            self,
            SymbolKind::Class
                | SymbolKind::Interface
                | SymbolKind::Trait
                | SymbolKind::Struct
                | SymbolKind::Enum
                | SymbolKind::TypeAlias
        )
    }

    /// Has a body that runs when it is called.
    pub fn is_callable(self) -> bool {
        matches!(self, SymbolKind::Function | SymbolKind::Method | SymbolKind::Property | SymbolKind::Macro)
    }
}

/// Yes/no facts of a definition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolFlags {
    /// Has no receiver (`@staticmethod`, `static`, an associated function).
    pub is_static: bool,
    /// Python `@classmethod`: the receiver is the class.
    pub is_classmethod: bool,
    /// Has no body of its own (abstract, interface or trait method without default, overload signature).
    pub is_abstract: bool,
    /// `async` function: its call gives an awaitable of what it returns.
    pub is_async: bool,
    /// Visible outside its file by the language's own rule (`export`, `pub`, capital letter, no leading underscore).
    pub exported: bool,
    /// A test case or a test suite by the language's or framework's rule.
    pub is_test: bool,
    /// Called from outside: `main`, routes, CLI commands, handlers.
    pub entry_point: bool,
    /// A constructor (`__init__`, `constructor`, Java constructor).
    pub is_constructor: bool,
    /// A generator (`yield` in its body).
    pub is_generator: bool,
    /// pytest fixture or the like: a parameter of this name receives what it returns.
    pub is_fixture: bool,
    /// One of several may be in force: defined under a condition (`if`, `try`, `#[cfg]`).
    pub conditional: bool,
    /// Stands in an `impl Trait for Type` block.
    pub of_trait: bool,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParamFact {
    /// Its name, without stars.
    pub name: Name,
    /// Its annotation.
    pub ty: Option<ExprId>,
    /// Its default value.
    pub default: Option<ExprId>,
    /// `*args`, `**kwargs`, `...rest`, varargs.
    pub variadic: bool,
}

/// One definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SymbolFact {
    /// Its own name; `<module>` for the module.
    pub name: Name,
    /// Dotted name within the file (`Outer.inner`); Go methods `T.m`, Rust methods `Type.m`, JS `Foo.m`
    /// for `Foo.prototype.m = ...`. Without the `#2` of repeats: see [`SymbolFact::ordinal`].
    pub qualname: Name,
    /// 1 for the first symbol of this qualname in the file, 2 for the second, ...
    pub ordinal: u32,
    /// The symbol that holds it in the text; the module for top-level definitions. `None` only for the module.
    pub parent: Option<SymbolIdx>,
    /// Where its members or itself belong when that is not the lexical parent: the receiver type of a Go
    /// method, the type of a Rust impl block, the owner of `Foo.prototype.m`. An expression in type position.
    pub owner: Option<ExprId>,
    /// Its kind.
    pub kind: SymbolKind,
    /// First line, 1-based, decorators and attributes included, doc comment above not.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// The declaration on one line, white space folded, at most 240 bytes, without the body.
    pub signature: Box<str>,
    /// Doc comment or docstring, comment marks taken off, at most 1,000 bytes.
    pub doc: Box<str>,
    /// Yes/no facts.
    pub flags: SymbolFlags,
    /// Base classes, implemented interfaces, embedded structs, supertraits, the trait of an impl block's methods.
    pub bases: Vec<ExprId>,
    /// Decorators, annotations, attributes.
    pub decorators: Vec<ExprId>,
    /// Parameters, the receiver included where the language writes it (`self`).
    pub params: Vec<ParamFact>,
    /// Names of the symbol's own type parameters (`T` in `class Box<T>`), with the bound if it has one.
    pub type_params: Vec<(Name, Option<ExprId>)>,
    /// Declared return type.
    pub returns: Option<ExprId>,
    /// Values of its `return` statements (at most 8), or a constant's or variable's initial value. `yield`ed values for a generator.
    pub values: Vec<ExprId>,
    /// Declared type of a constant or variable; the aliased type of a type alias.
    pub ty: Option<ExprId>,
}

/// Arguments of a call in Java that are kept: their types tell overloads apart.
pub const MOST_ARGUMENTS: usize = 8;

/// An expression or a type, as far as resolving needs it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Expr {
    /// Anything that says nothing about what it refers to.
    Unknown,
    /// A plain identifier.
    Name(Name),
    /// `a.b`, `a::b`, `a->b`, `a?.b`.
    Attr(ExprId, Name),
    /// The value of a call `f(...)`; the arguments are kept (at most 4) where they may carry a type or a function.
    Call(ExprId, Box<[ExprId]>),
    /// The value of `new C(...)`, a composite literal `C{...}`, a struct expression.
    New(ExprId),
    /// `a[i]` in value position.
    Index(ExprId),
    /// One element of iterating over `a` (`for x in a`).
    Element(ExprId),
    /// The part at this place of a tuple (`a, b = f()`).
    Item(ExprId, u8),
    /// What `with a as x` binds.
    Entered(ExprId),
    /// `await a`, `a.await`, `a?` (Rust).
    Await(ExprId),
    /// `self`, `this`, the receiver.
    SelfRef,
    /// `cls` of a classmethod, Rust `Self`.
    SelfType,
    /// `super()`, `super`.
    Super,
    /// A literal of a builtin type.
    Literal(LiteralKind),
    /// A list, set, tuple, array or vec with its elements (at most 8), for their types; for a map its values.
    Container(LiteralKind, Box<[ExprId]>),
    /// `List[Foo]`, `Map<K, V>`, `[]T`, `*T`: a type constructor with arguments. In value position
    /// for Python `X[...]` use `Index`.
    Generic(ExprId, Box<[ExprId]>),
    /// `A | B`, `Optional[A]` (with `None`), `a or b`, `c ? a : b`.
    Union(Box<[ExprId]>),
    /// A function or lambda written in place, when it is a symbol of its own.
    Function(SymbolIdx),
    /// `typeof x`, `type[X]`, `X.class`, `Class<X>`: the class itself, not an instance.
    TypeOf(ExprId),
    /// A module loaded in place: `require("x")`, `import("x")`, `importlib.import_module("x")`.
    Module(Name),
}

/// Builtin types of literals and annotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum LiteralKind {
    Str,
    Bytes,
    Number,
    Bool,
    None,
    List,
    Tuple,
    Set,
    Map,
    Regex,
    Function,
    Generator,
    // The primitive types of Java, which pick between overloads; elsewhere all are `Number`.
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
}

/// One name brought in from another module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImportFact {
    /// The symbol in whose body it stands (a function-local import shadows outer names there).
    pub scope: SymbolIdx,
    /// Line of the statement.
    pub line: u32,
    /// The module as written, without Python's leading dots: `pkg.mod`, `./x.js`, `github.com/a/b`,
    /// `crate::a::b`, `java.util`. Empty for `from . import x`.
    pub module: Name,
    /// Python's leading dots; 0 elsewhere.
    pub level: u8,
    /// What is taken from it.
    pub what: ImportWhat,
    /// Is also visible to those who import this module (`pub use`, `export ... from`).
    pub reexport: bool,
    /// `import type`, imports under `if TYPE_CHECKING`.
    pub type_only: bool,
}

/// What an import takes from a module, and under which local name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ImportWhat {
    /// The module itself under a name: `import a.b as c`, `import * as c`, Go imports, `extern crate`.
    /// With no alias, Python's `import a.b` binds `a`; Go binds the package's name; Rust `use a::b` is an `Item`.
    Module {
        /// The local name, if one is written.
        alias: Option<Name>,
    },
    /// One name of it: `from m import item as alias`, `import {item as alias}`, `use m::item as alias`, Java imports
    /// of a class (module = package) and static imports (module = class).
    Item {
        /// The name in the module.
        item: Name,
        /// The local name (the same as `item` where no alias is written).
        alias: Name,
    },
    /// Every public name of it: `from m import *`, `export * from`, `use m::*`, `import a.b.*`, Go `import . "m"`.
    Star,
    /// Its default export: `import X from "m"`. CommonJS `const X = require("m")` is an [`Expr::Module`] bound to X instead.
    Default {
        /// The local name.
        alias: Name,
    },
    /// Loaded for its effect only: `import "m"`, Go `import _ "m"`.
    Effect,
    /// Rust `mod name;`: the file is a child module. `module` holds the name, or the `#[path]`.
    ChildModule {
        /// The module's name.
        name: Name,
    },
}

/// One name that a module exports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExportFact {
    /// The name that importers use; `default` for a default export and for `module.exports = X`.
    pub name: Name,
    /// What it stands for inside this module. For `__all__` entries `Expr::Name` of the same name.
    pub value: ExprId,
    /// Its line.
    pub line: u32,
}

/// One call site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallFact {
    /// The symbol whose body holds the call (innermost function, else class body's owner or the module).
    /// A decorator's call belongs to the scope around the decorated definition.
    pub caller: SymbolIdx,
    /// What is called: the callee expression without the call itself.
    pub callee: ExprId,
    /// Line of the callee's last name (`b` in `a.b(...)`), 1-based.
    pub line: u32,
    /// Number of arguments written; 255 when a spread makes it unknown.
    pub args: u8,
    /// The first arguments (at most 8), where their types pick between overloads (Java); else empty.
    pub values: Box<[ExprId]>,
    /// Written as a construction (`new C()`, `C{...}`).
    pub construct: bool,
}

/// How a local name got its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BindKind {
    /// `x = v`, `let x = v`, `x := v`, walrus.
    Assign,
    /// `for x in v`, comprehension variables: `value` is already an [`Expr::Element`].
    For,
    /// `with v as x`: `value` is already an [`Expr::Entered`].
    With,
    /// `except E as x`, `catch (E x)`: `ty` is E.
    Except,
    /// Inside `[line, end_line]` x is known to be of `ty` (`isinstance`, `instanceof`, a type switch, `if let`).
    Narrow,
    /// `global x` / `nonlocal x`: x in this scope is the outer one.
    Outer,
}

/// A local or module-level variable gets a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BindFact {
    /// The function (or module, or class) in whose scope the name lives.
    pub scope: SymbolIdx,
    /// The variable. Parameters are in [`SymbolFact::params`], not here.
    pub name: Name,
    /// Where it is bound.
    pub line: u32,
    /// Last line on which the binding can be seen: end of the block for block-scoped variables and
    /// narrowings, end of the function else.
    pub end_line: u32,
    /// How.
    pub kind: BindKind,
    /// The value, `Expr::Unknown` where it says nothing.
    pub value: ExprId,
    /// Its declared type.
    pub ty: Option<ExprId>,
}

/// An attribute of a class's instances (or of the class) gets a value or a type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttrFact {
    /// The class.
    pub class: SymbolIdx,
    /// The attribute.
    pub name: Name,
    /// The method in which it is assigned, or the class itself for a field declared in its body.
    pub scope: SymbolIdx,
    /// Its line.
    pub line: u32,
    /// The value, in the scope of `scope`.
    pub value: Option<ExprId>,
    /// Its declared type.
    pub ty: Option<ExprId>,
}

/// A type takes on a base outside of both definitions (Rust `impl Trait for Type`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImplFact {
    /// The symbol in whose scope the block stands (the module, an inline module, a function).
    pub scope: SymbolIdx,
    /// The type, in type position.
    pub owner: ExprId,
    /// The trait, in type position.
    pub base: ExprId,
    /// First line of the block.
    pub line: u32,
}

/// What a mention does with what it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Access {
    Read,
    Write,
    Type,
    Value,
}

/// A mention of something that is not a call of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RefFact {
    /// The symbol whose body holds it.
    pub from: SymbolIdx,
    /// What is mentioned: a `Name` or an `Attr`.
    pub expr: ExprId,
    /// Its line.
    pub line: u32,
    /// Read, write, in a type, or as a value passed on (a function handed over as a callback).
    pub access: Access,
}

impl Facts {
    /// The string of a name.
    pub fn name(&self, name: Name) -> &str {
        &self.names[name.0 as usize]
    }

    /// The node of an expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// The symbol at an index.
    pub fn symbol(&self, idx: SymbolIdx) -> &SymbolFact {
        &self.symbols[idx.0 as usize]
    }

    /// A symbol's id within the graph: `path::Qual.name`, with `#2`, `#3` for what repeats in the file.
    pub fn symbol_id(&self, path: &str, idx: SymbolIdx) -> String {
        let s = self.symbol(idx);
        let qualname = self.name(s.qualname);
        if s.ordinal > 1 { format!("{path}::{qualname}#{}", s.ordinal) } else { format!("{path}::{qualname}") }
    }
}
