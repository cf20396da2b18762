//! Calls: plain ones, constructions, JSX, and what some of them say of their arguments
//! (callbacks, tests, routes).

use tree_sitter::Node;

use super::kinds::K;
use super::{FunctionMark, Mark, This, Walker, children};
use crate::extract::{SymbolDraft, clip, fold_space};
use crate::facts::{ExprId, SymbolFlags, SymbolKind};

/// Methods that hand a collection's elements to their first argument.
const ELEMENT_METHODS: &[&str] = &[
    "map",
    "forEach",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "some",
    "every",
    "flatMap",
    "each",
    "sort",
    "toSorted",
    "partition",
    "groupBy",
    "sortBy",
];

/// Functions that define a test or a suite when they are given a title and a function.
const TESTS: &[&str] = &[
    "describe",
    "it",
    "test",
    "suite",
    "context",
    "specify",
    "fdescribe",
    "fit",
    "xdescribe",
    "xit",
    "xtest",
    "bench",
];

/// Methods by which the usual web frameworks take a handler for a path.
const ROUTES: &[&str] = &["get", "post", "put", "delete", "patch", "all", "use", "head", "options"];

/// Methods that take a function for an event, a command, a server.
const HANDLERS: &[&str] = &["on", "once", "addEventListener", "addListener", "action", "createServer", "handle"];

/// Longest title of a test that becomes its name, in bytes.
const MAX_TITLE: usize = 60;

impl Walker<'_, '_> {
    pub(super) fn call(&mut self, node: Node<'_>) {
        match self.take_mark(node) {
            Some(Mark::Done) => {}
            _ => self.record_call(node),
        }
    }

    /// Records a call and says what is known of its arguments.
    pub(super) fn record_call(&mut self, node: Node<'_>) {
        let f = &self.grammar.fields;
        let (Some(function), Some(arguments)) = (self.field(node, f.function), self.field(node, f.arguments)) else {
            return;
        };
        if let Some(module) = self.loaded_module(node) {
            self.skip(function);
            return self.import_effect(node, module);
        }
        if self.kind(function) == K::ImportWord {
            return;
        }
        let template = self.kind(arguments) != K::Arguments;
        let args = if template { Vec::new() } else { children(arguments) };
        let mut count = if template { 1 } else { self.count(&args) };
        for &arg in &args {
            self.value(arg);
        }
        let callee = self.unwrap(function);
        if self.kind(callee).is_function() {
            return self.call_in_place(callee, &args);
        }
        let mut target = callee;
        if self.kind(callee) == K::Member
            && let (Some(object), Some(property)) = (self.field(callee, f.object), self.field(callee, f.property))
        {
            let object = self.unwrap(object);
            let property = self.cx.text(property);
            if self.kind(object).is_function() && matches!(property, "call" | "apply" | "bind") {
                self.skip(callee);
                let this =
                    if args.first().is_some_and(|&a| self.kind(a) == K::This) { This::Inherit } else { This::None };
                let arguments: Vec<ExprId> = if property == "call" {
                    args.iter().skip(1).take(4).map(|&a| self.lower(a)).collect()
                } else {
                    vec![]
                };
                if !self.st.symbol_of.contains_key(&object.id()) {
                    let in_place = property != "bind";
                    let mark = FunctionMark { symbol: None, this, in_place, arguments, returns: false };
                    self.mark(object, Mark::Function(Box::new(mark)));
                }
                return;
            }
            match property {
                "bind" if !args.is_empty() => {
                    self.skip(callee);
                    return self.value(object);
                }
                "call" if !args.is_empty() => {
                    self.skip(callee);
                    target = object;
                    count = if count == 255 { 255 } else { count - 1 };
                }
                "apply" if self.is_apply(&args) => {
                    self.skip(callee);
                    target = object;
                    count = 255;
                }
                _ => {}
            }
            self.known_call(object, property, &args);
        } else if self.kind(callee) == K::Identifier {
            self.known_function(callee, &args);
        }
        let expr = self.lower(target);
        let line = self.last_line(target);
        if expr != self.cx.unknown() {
            self.cx.call(expr, line, count, false);
        }
        self.skip(target);
        self.test(node, callee, &args);
    }

    fn count(&self, args: &[Node<'_>]) -> u8 {
        if args.iter().any(|&a| self.kind(a) == K::Spread) { 255 } else { args.len().min(254) as u8 }
    }

    /// The line of the last name of an expression.
    fn last_line(&self, node: Node<'_>) -> u32 {
        let f = &self.grammar.fields;
        match self.kind(node) {
            K::Member => self.field(node, f.property).map_or(self.cx.line(node), |p| self.cx.line(p)),
            K::Call | K::Subscript => self.cx.end_line(node),
            _ => self.cx.line(node),
        }
    }

    /// `(function (root, factory) {...})(this, function () {...})`: both are part of the code around.
    fn call_in_place(&mut self, function: Node<'_>, args: &[Node<'_>]) {
        for &arg in args {
            if self.kind(arg).is_function() {
                let mark = FunctionMark { in_place: true, ..FunctionMark::anonymous(This::None) };
                self.mark(arg, Mark::Function(Box::new(mark)));
            }
        }
        let arguments = args.iter().take(8).map(|&a| self.lower(a)).collect();
        let mark = FunctionMark { in_place: true, arguments, ..FunctionMark::anonymous(This::None) };
        self.mark(function, Mark::Function(Box::new(mark)));
    }

    fn known_function(&mut self, callee: Node<'_>, args: &[Node<'_>]) {
        match self.cx.text(callee) {
            // AMD: define(["a", "b"], function (a, b) {...})
            "define" | "require" | "requirejs" => {
                let deps = args.iter().find(|&&a| self.kind(a) == K::Array).copied();
                let function = args.iter().find(|&&a| self.kind(a).is_function()).copied();
                let mut modules = Vec::new();
                if let Some(deps) = deps {
                    for dep in children(deps) {
                        let module = self.string(dep).unwrap_or("").to_owned();
                        if module.is_empty() || matches!(module.as_str(), "exports" | "require" | "module") {
                            modules.push(self.cx.unknown());
                            continue;
                        }
                        self.import_effect(dep, &module);
                        let name = self.cx.name_owned(&module);
                        modules.push(self.module_expr(name));
                    }
                }
                if let Some(function) = function {
                    let mark =
                        FunctionMark { in_place: true, arguments: modules, ..FunctionMark::anonymous(This::None) };
                    self.mark(function, Mark::Function(Box::new(mark)));
                }
            }
            "inherits" | "_inherits" | "__extends" | "_inheritsLoose" => self.inherits(args),
            _ => {}
        }
    }

    fn inherits(&mut self, args: &[Node<'_>]) {
        if let [class, base, ..] = args
            && self.kind(*class) == K::Identifier
        {
            let class = self.name(*class);
            let base = self.lower(*base);
            self.st.inherits.push((class, base));
        }
    }

    /// Calls whose method says what its arguments are.
    fn known_call(&mut self, object: Node<'_>, property: &str, args: &[Node<'_>]) {
        let named = if self.kind(object) == K::Identifier { self.cx.text(object) } else { "" };
        match (named, property) {
            ("Object", "assign") => return self.object_assign(args),
            ("Object", "defineProperty") => return self.define_property(args),
            ("Object", "setPrototypeOf") => {
                // Of two prototypes: the class of the first inherits from that of the second.
                if let [a, b] = args
                    && let (crate::facts::Expr::New(class), crate::facts::Expr::New(base)) = {
                        let (a, b) = (self.lower(*a), self.lower(*b));
                        (self.cx.facts().expr(a).clone(), self.cx.facts().expr(b).clone())
                    }
                    && let crate::facts::Expr::Name(class) = *self.cx.facts().expr(class)
                {
                    self.st.inherits.push((class, base));
                }
            }
            ("util", "inherits") => return self.inherits(args),
            _ => {}
        }
        if !named.is_empty() && ROUTES.contains(&property) {
            let path = args.first().and_then(|&a| self.string(a)).is_some_and(|p| p.starts_with('/') || p == "*");
            if path || property == "use" {
                for &arg in args.iter().skip(usize::from(path)) {
                    if matches!(self.kind(arg), K::Identifier | K::Member) {
                        let name = self.name(arg);
                        self.st.handlers.insert(name);
                    }
                }
            }
        }
        let event = HANDLERS.contains(&property)
            && (property == "action"
                || property == "createServer"
                || args.first().is_some_and(|&a| self.string(a).is_some()));
        if event {
            for &arg in args {
                if matches!(self.kind(arg), K::Identifier | K::Member) {
                    let name = self.name(arg);
                    self.st.handlers.insert(name);
                }
            }
        }
        if !args.iter().any(|&a| self.kind(a).is_function()) {
            return;
        }
        let unknown = self.cx.unknown();
        let arguments = match property {
            "reduce" | "reduceRight" => {
                let list = self.lower(object);
                vec![unknown, self.element_of(list)]
            }
            "then" => {
                let promise = self.lower(object);
                vec![self.await_of(promise)]
            }
            _ if ELEMENT_METHODS.contains(&property) => {
                // `_.map(list, f)`, `async.each(list, f)`: the list is the first argument.
                let outer = args.first().filter(|&&a| !self.kind(a).is_function()).copied();
                let list = self.lower(outer.unwrap_or(object));
                let element = self.element_of(list);
                if property.ends_with("ort") || property == "toSorted" { vec![element, element] } else { vec![element] }
            }
            _ => Vec::new(),
        };
        // `list.forEach(function () {...}, this)`
        let this = if args.len() > 1 && args.last().is_some_and(|&a| self.kind(a) == K::This) {
            This::Inherit
        } else {
            This::None
        };
        if arguments.is_empty() && this == This::None {
            return;
        }
        let mut first = true;
        let functions: Vec<_> = args.iter().copied().filter(|&a| self.kind(a).is_function()).collect();
        for arg in functions {
            let arguments = if first { arguments.clone() } else { Vec::new() };
            first = false;
            let mark = FunctionMark { arguments, ..FunctionMark::anonymous(this) };
            self.mark(arg, Mark::Function(Box::new(mark)));
        }
    }

    /// `it("does this", () => {...})` is a symbol of its own.
    fn test(&mut self, node: Node<'_>, callee: Node<'_>, args: &[Node<'_>]) {
        let [title, rest @ ..] = args else { return };
        if !rest.iter().any(|&a| self.kind(a).is_function()) || !self.is_test_function(callee) {
            return;
        }
        let text = match self.kind(*title) {
            K::String | K::Template => {
                let text = self.cx.text(*title);
                text.get(1..text.len().saturating_sub(1)).unwrap_or("")
            }
            K::Identifier | K::Member => self.cx.text(*title),
            _ => return,
        };
        let name = fold_space(&clip(text, 4 * MAX_TITLE).replace('.', " "));
        let name = match clip(&name, MAX_TITLE).trim() {
            "" => "test",
            name => name,
        };
        let end = rest.iter().find(|&&a| self.kind(a).is_function()).map_or(node.end_byte(), |a| a.start_byte());
        let fact = SymbolDraft {
            kind: Some(SymbolKind::Function),
            signature: self.signature(node.start_byte(), end),
            flags: SymbolFlags { is_test: true, ..SymbolFlags::default() },
            ..SymbolDraft::default()
        };
        let symbol = self.open(node, None, None, name, None, fact);
        let functions: Vec<_> = rest.iter().copied().filter(|&a| self.kind(a).is_function()).collect();
        for arg in functions {
            let mark = FunctionMark { symbol: Some(symbol), ..FunctionMark::anonymous(This::None) };
            self.mark(arg, Mark::Function(Box::new(mark)));
        }
    }

    /// `it`, `it.only`, `test.each(table)`, ...
    fn is_test_function(&self, callee: Node<'_>) -> bool {
        let f = &self.grammar.fields;
        let mut at = callee;
        for _ in 0..6 {
            at = match self.kind(at) {
                K::Identifier => return TESTS.contains(&self.cx.text(at)),
                K::Member => {
                    // `test.describe(...)`, but not `test.foo.bar()`.
                    let last = self.field(at, f.property).map_or("", |p| self.cx.text(p));
                    let known = matches!(
                        last,
                        "only"
                            | "skip"
                            | "each"
                            | "concurrent"
                            | "sequential"
                            | "todo"
                            | "fails"
                            | "failing"
                            | "skipIf"
                            | "runIf"
                            | "for"
                            | "describe"
                            | "step"
                            | "serial"
                            | "parallel"
                    );
                    match self.field(at, f.object) {
                        Some(object) if known => object,
                        _ => return false,
                    }
                }
                K::Call => match self.field(at, f.function) {
                    Some(function) => function,
                    None => return false,
                },
                _ => return false,
            };
        }
        false
    }

    /// `new C(...)`
    pub(super) fn construction(&mut self, node: Node<'_>) {
        let f = &self.grammar.fields;
        let Some(class) = self.field(node, f.constructor) else { return };
        let args = self.field(node, f.arguments).map(children).unwrap_or_default();
        for &arg in &args {
            self.value(arg);
        }
        let class = self.unwrap(class);
        let expr = self.lower(class);
        if expr != self.cx.unknown() {
            let (line, count) = (self.last_line(class), self.count(&args));
            self.cx.call(expr, line, count, true);
        }
        self.skip(class);
    }

    /// `<Component prop={x} />` calls Component.
    pub(super) fn jsx(&mut self, node: Node<'_>) {
        let Some(name) = self.field(node, self.grammar.fields.name) else { return };
        let component = match self.kind(name) {
            K::Member | K::NestedIdentifier => true,
            K::Identifier => self.cx.text(name).starts_with(|c: char| c.is_uppercase() || c == '_' || c == '$'),
            _ => false,
        };
        if component {
            let expr = self.lower(name);
            let line = self.last_line(name);
            self.cx.call(expr, line, 1, false);
        }
        self.skip(name);
    }
}
