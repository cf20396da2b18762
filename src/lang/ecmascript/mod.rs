//! What JavaScript and TypeScript share: one walk over three grammars.
//!
//! The walk comes by each node once, parents first. A parent that knows what a child is
//! (a declaration's name, a callee, a function with a name) leaves a [`Mark`] for it.

mod assign;
mod calls;
mod classes;
mod declare;
mod functions;
mod globals;
mod kinds;
mod lower;
mod marks;
mod members;
mod modules;
mod patterns;
mod settle;
mod types;

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use super::{Leaf, ModuleSystem, Semantics, Visit};
use crate::extract::Extractor;
use crate::facts::{Access, Expr, ExprId, Name, RefFact, SymbolIdx, SymbolKind};
use kinds::{Grammar, K};
use marks::{Declared, Entries, FunctionMark, Mark, This};

/// What resolving needs to know of both languages.
pub(super) static SEMANTICS: Semantics = Semantics {
    modules: ModuleSystem::EcmaScript,
    builtins: globals::BUILTINS,
    builtin_methods: globals::BUILTIN_METHODS,
    constructors: &["constructor"],
    implicit_this: false,
    package_scope: false,
    class_scope_visible: false,
};

/// A function, or a class body, that the walk is in.
#[derive(Clone, Debug)]
struct Frame {
    end_byte: usize,
    end_line: u32,
    /// Takes the values of `return`.
    symbol: Option<SymbolIdx>,
    this_known: bool,
    /// Declarations in it are the module's.
    top: bool,
    class: bool,
    /// Number of blocks around its body.
    blocks: usize,
}

/// What is kept while one file is walked.
#[derive(Default)]
struct State {
    grammar: Option<&'static Grammar>,
    marks: FxHashMap<usize, Mark>,
    frames: Vec<Frame>,
    /// End byte and last line of the blocks around the current node, functions included.
    blocks: Vec<(usize, u32)>,
    /// Nested ternaries, binary operators and the like share expressions by content.
    shared: FxHashMap<(u8, u32, u32), ExprId>,
    shared_lists: FxHashMap<(u8, u32, Box<[ExprId]>), ExprId>,
    symbol_of: FxHashMap<usize, SymbolIdx>,
    /// Functions, classes and objects of the module by name.
    top: FxHashMap<Name, SymbolIdx>,
    /// `var proto = Foo.prototype`.
    prototypes: FxHashMap<Name, (String, ExprId)>,
    /// `var self = this`.
    this_names: FxHashSet<Name>,
    /// Which scopes declare which names.
    declared: FxHashSet<(SymbolIdx, Name)>,
    /// The owner's name of `Foo.prototype.m`.
    owner_of: FxHashMap<SymbolIdx, Name>,
    private: FxHashSet<SymbolIdx>,
    /// What routes were given, as written.
    handlers: FxHashSet<Name>,
    inherits: Vec<(Name, ExprId)>,
    refs: Vec<RefFact>,
    /// Bytes and first line after it of the comment that the walk last came by.
    comment: Option<(usize, usize)>,
    first_comment: Option<(usize, usize)>,
    first_comment_used: bool,
    code_seen: bool,
}

/// The extractor and the file's state together.
struct Walker<'a, 's> {
    cx: &'a mut Extractor<'s>,
    st: Box<State>,
    grammar: &'static Grammar,
}

/// Named children without comments.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|n| !n.is_extra()).collect()
}

/// Deals with one node; see [`super::LanguageSupport::visit`].
pub(super) fn visit(node: Node<'_>, cx: &mut Extractor<'_>) -> Visit {
    let mut st = cx.take_state::<State>();
    let grammar = match st.grammar {
        Some(grammar) => grammar,
        None => {
            let grammar = Grammar::of(&node.language());
            st.grammar = Some(grammar);
            let end_line = cx.facts().lines.max(1);
            st.blocks.push((usize::MAX, end_line));
            st.frames.push(Frame {
                end_byte: usize::MAX,
                end_line,
                symbol: None,
                this_known: false,
                top: true,
                class: false,
                blocks: 1,
            });
            grammar
        }
    };
    let kind = grammar.kind(node);
    if kind == K::Other {
        cx.put_state(st);
        return Visit::Children;
    }
    let start = node.start_byte();
    while st.frames.len() > 1 && st.frames.last().is_some_and(|f| f.end_byte <= start) {
        st.frames.pop();
    }
    while st.blocks.len() > 1 && st.blocks.last().is_some_and(|b| b.0 <= start) {
        st.blocks.pop();
    }
    let mut walker = Walker { cx, st, grammar };
    walker.node(node, kind);
    let Walker { st, cx, .. } = walker;
    cx.put_state(st);
    Visit::Children
}

/// Settles what needs the whole file; see [`super::LanguageSupport::finish`].
pub(super) fn finish(cx: &mut Extractor<'_>) {
    let st = cx.take_state::<State>();
    if let Some(grammar) = st.grammar {
        Walker { cx, st, grammar }.settle();
    }
}

/// What a leaf gives to search.
pub(super) fn leaf(kind: &str) -> Leaf {
    match kind {
        "identifier"
        | "property_identifier"
        | "private_property_identifier"
        | "type_identifier"
        | "shorthand_property_identifier"
        | "shorthand_property_identifier_pattern" => Leaf::Identifier,
        "string_fragment" | "jsx_text" => Leaf::String,
        "comment" | "html_comment" => Leaf::Comment,
        _ => Leaf::None,
    }
}

/// Test files by the rules of the usual runners.
pub(super) fn is_test_file(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    stem.ends_with(".test")
        || stem.ends_with(".spec")
        || stem.ends_with("-test")
        || stem.ends_with("_test")
        || stem.ends_with(".cy")
        || stem == "test"
        || parts.any(|folder| matches!(folder, "__tests__" | "__test__" | "test" | "tests" | "spec" | "specs" | "e2e"))
}

impl<'s> Walker<'_, 's> {
    fn kind(&self, node: Node<'_>) -> K {
        self.grammar.kind(node)
    }

    fn field<'t>(&self, node: Node<'t>, field: u16) -> Option<Node<'t>> {
        if field == 0 { None } else { node.child_by_field_id(field) }
    }

    fn name(&mut self, node: Node<'_>) -> Name {
        let text = self.cx.text(node);
        self.cx.name(text)
    }

    fn mark(&mut self, node: Node<'_>, mark: Mark) {
        self.st.marks.insert(node.id(), mark);
    }

    fn take_mark(&mut self, node: Node<'_>) -> Option<Mark> {
        self.st.marks.remove(&node.id())
    }

    fn skip(&mut self, node: Node<'_>) {
        if matches!(
            self.kind(node),
            K::Identifier | K::Member | K::TypeIdentifier | K::NestedType | K::Shorthand | K::Undefined
        ) {
            self.mark(node, Mark::Skip);
        }
    }

    /// Marks an expression whose value is passed on.
    fn value(&mut self, node: Node<'_>) {
        let node = match self.kind(node) {
            K::Spread => match children(node).first() {
                Some(&inner) => inner,
                None => return,
            },
            _ => node,
        };
        let node = self.unwrap(node);
        match self.kind(node) {
            K::Identifier | K::Member => self.mark(node, Mark::Value),
            K::Ternary => {
                let f = &self.grammar.fields;
                for part in [self.field(node, f.consequence), self.field(node, f.alternative)].into_iter().flatten() {
                    if matches!(self.kind(part), K::Identifier | K::Member) {
                        self.mark(part, Mark::Value);
                    }
                }
            }
            K::Binary => {
                let f = &self.grammar.fields;
                if self.field(node, f.operator).is_some_and(|o| matches!(self.cx.text(o), "||" | "&&" | "??")) {
                    for part in [self.field(node, f.left), self.field(node, f.right)].into_iter().flatten() {
                        if matches!(self.kind(part), K::Identifier | K::Member) {
                            self.mark(part, Mark::Value);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn frame(&self) -> &Frame {
        self.st.frames.last().expect("the module's frame is never popped")
    }

    fn this_known(&self) -> bool {
        self.frame().this_known
    }

    /// Whether a declaration here is the module's own.
    fn at_top(&self) -> bool {
        self.frame().top
    }

    fn in_class(&self) -> bool {
        self.st.frames.iter().any(|f| f.class)
    }

    fn block_end(&self) -> u32 {
        self.st.blocks.last().map_or(1, |b| b.1)
    }

    fn push_block(&mut self, node: Node<'_>) {
        let end_line = self.cx.end_line(node);
        self.st.blocks.push((node.end_byte(), end_line));
    }

    fn mention(&mut self, expr: ExprId, line: u32, access: Access) {
        if expr == self.cx.unknown() {
            return;
        }
        let from = self.cx.current();
        self.st.refs.push(RefFact { from, expr, line, access });
    }

    /// The class, or what stands for one, whose instance `this` is here.
    fn this_class(&self) -> Option<SymbolIdx> {
        for symbol in self.cx.enclosing() {
            if symbol == SymbolIdx::MODULE {
                break;
            }
            let fact = self.cx.facts().symbol(symbol);
            if fact.kind == SymbolKind::Class {
                return Some(symbol);
            }
            if let Some(owner) = self.st.owner_of.get(&symbol) {
                return self.st.top.get(owner).copied();
            }
            match fact.kind {
                // The method of an object literal, or an arrow within one: go on outwards.
                SymbolKind::Method | SymbolKind::Property => continue,
                SymbolKind::Constant | SymbolKind::Variable => return Some(symbol),
                _ => {}
            }
            let parent = fact.parent.unwrap_or(SymbolIdx::MODULE);
            let nested = self.cx.facts().symbol(parent).kind;
            if !matches!(nested, SymbolKind::Class | SymbolKind::Method) {
                return Some(symbol);
            }
        }
        None
    }

    fn node(&mut self, node: Node<'_>, kind: K) {
        if !matches!(kind, K::Program | K::Comment | K::HashBang) {
            self.st.code_seen = true;
        }
        match kind {
            K::Comment => self.comment(node),
            K::HashBang => self.cx.symbol_mut(SymbolIdx::MODULE).flags.entry_point = true,
            K::Import => self.import_statement(node),
            K::ImportAlias => self.import_alias(node),
            K::Export => self.export_statement(node),
            K::Ambient => self.ambient(node),
            K::Lexical | K::VarDeclaration | K::Using => self.declaration(node),
            K::Declarator => self.declarator(node),
            // A function's body is its frame's block.
            K::Block if self.frame().end_byte == node.end_byte() && !self.frame().class => {}
            K::Block => self.push_block(node),
            K::SwitchBody | K::For => self.push_block(node),
            K::ForIn => self.for_in(node),
            K::If => self.if_statement(node),
            K::Ternary => self.ternary(node),
            K::Catch => self.catch(node),
            K::Return => self.return_statement(node),
            K::Yield => self.yield_expression(node),
            K::FunctionDeclaration | K::GeneratorDeclaration => self.function_declaration(node),
            K::FunctionSignature => self.function_signature(node),
            K::FunctionExpression | K::GeneratorFunction | K::Arrow => self.function_expression(node),
            K::Method => self.method(node),
            K::MethodSignature | K::AbstractMethod => self.method_signature(node),
            K::Field | K::TsField => self.class_field(node),
            K::PropertySignature => self.property_signature(node),
            K::Class | K::ClassDeclaration | K::AbstractClass => self.class(node),
            K::ClassBody => self.class_body(node),
            K::Interface => self.interface(node),
            K::TypeAlias => self.type_alias(node),
            K::ObjectType | K::InterfaceBody => {}
            K::Enum => self.enumeration(node),
            K::Module | K::InternalModule => self.namespace(node),
            K::Object => self.object(node),
            K::Pair => self.pair(node),
            K::Array => {
                for element in children(node) {
                    self.value(element);
                }
            }
            K::Assignment => self.assignment(node),
            K::Augmented => self.augmented(node),
            K::Update => self.update(node),
            K::Call => self.call(node),
            K::New => self.construction(node),
            K::JsxOpening | K::JsxSelfClosing => self.jsx(node),
            K::JsxClosing => {
                if let Some(name) = self.field(node, self.grammar.fields.name) {
                    self.skip(name);
                }
            }
            K::JsxExpression => {
                for inner in children(node) {
                    self.value(inner);
                }
            }
            K::Identifier | K::Shorthand => self.identifier(node, kind),
            K::Member => self.member(node),
            K::TypeIdentifier | K::NestedType => self.type_name(node, kind),
            K::RequiredParameter | K::OptionalParameter => self.parameter(node),
            K::TypeParameter | K::MappedClause | K::IndexSignature => {
                if let Some(name) = self.field(node, self.grammar.fields.name) {
                    self.skip(name);
                }
            }
            K::InferType => {
                if let Some(name) = children(node).first() {
                    self.skip(*name);
                }
            }
            _ => {}
        }
    }

    /// A parameter's name is no mention, in a function type either.
    fn parameter(&mut self, node: Node<'_>) {
        let f = &self.grammar.fields;
        for part in [self.field(node, f.pattern), self.field(node, f.name)].into_iter().flatten() {
            let part = if self.kind(part) == K::Rest { children(part).first().copied().unwrap_or(part) } else { part };
            if self.kind(part) == K::Identifier {
                self.skip(part);
            }
        }
    }

    fn identifier(&mut self, node: Node<'_>, kind: K) {
        let access = match self.take_mark(node) {
            Some(Mark::Skip | Mark::Done) => return,
            Some(Mark::Write) => Access::Write,
            Some(Mark::Value) => Access::Value,
            _ if kind == K::Shorthand => Access::Value,
            _ => Access::Read,
        };
        let name = self.name(node);
        let expr = self.name_expr(name);
        let line = self.cx.line(node);
        self.mention(expr, line, access);
    }

    fn member(&mut self, node: Node<'_>) {
        let access = match self.take_mark(node) {
            Some(Mark::Skip | Mark::Done) => return,
            Some(Mark::Write) => Access::Write,
            Some(Mark::Value) => Access::Value,
            _ => Access::Read,
        };
        let expr = self.lower(node);
        // `Foo.prototype` mentions Foo, and the walk will come by that.
        if matches!(self.cx.facts().expr(expr), Expr::Attr(..) | Expr::Name(_)) {
            let line = self.field(node, self.grammar.fields.property).map_or(0, |p| self.cx.line(p));
            self.mention(expr, line, access);
        }
    }

    fn type_name(&mut self, node: Node<'_>, kind: K) {
        let f = &self.grammar.fields;
        let skipped = matches!(self.take_mark(node), Some(Mark::Skip | Mark::Done));
        if kind == K::NestedType {
            for part in [self.field(node, f.module), self.field(node, f.name)].into_iter().flatten() {
                self.skip(part);
            }
        }
        if skipped {
            return;
        }
        let expr = self.lower_type(node);
        let line = self.cx.line(node);
        self.mention(expr, line, Access::Type);
    }
}
