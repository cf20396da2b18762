//! Assignments: CommonJS exports, prototypes, `this.x`, and plain variables.

use tree_sitter::Node;

use super::functions::Definition;
use super::kinds::K;
use super::patterns::Bound;
use super::{Declared, Entries, Mark, Walker, children};
use crate::extract::SymbolDraft;
use crate::facts::*;

/// What the left side of an assignment is.
#[derive(Clone, Debug)]
enum Target {
    /// `exports = ...`: of no effect by itself.
    Exports,
    ModuleExports,
    /// `exports.x`
    Export(String),
    Name(String),
    /// `window.x`
    Global(String),
    /// `this.x`
    This(String),
    /// `Foo.prototype`
    Prototype((String, ExprId)),
    /// `Foo.x`, `Foo.prototype.x`
    Member {
        owner: (String, ExprId),
        name: String,
        prototype: bool,
    },
    Other,
}

impl Target {
    /// Which target of `a = b = function () {}` names the function; the greatest does.
    fn rank(&self) -> u32 {
        match self {
            Target::This(_) => 8,
            Target::Member { .. } => 7,
            Target::Prototype(_) => 6,
            Target::Name(_) => 5,
            Target::Global(_) => 4,
            Target::Export(_) => 3,
            Target::ModuleExports => 2,
            Target::Exports | Target::Other => 0,
        }
    }
}

impl Walker<'_, '_> {
    fn target(&mut self, left: Node<'_>) -> Target {
        let f = &self.grammar.fields;
        let left = self.unwrap(left);
        if self.kind(left) == K::Identifier {
            let text = self.cx.text(left);
            return if text == "exports" { Target::Exports } else { Target::Name(text.to_owned()) };
        }
        if self.kind(left) != K::Member {
            return Target::Other;
        }
        if self.is_exports(left) {
            return Target::ModuleExports;
        }
        let (Some(object), Some(property)) = (self.field(left, f.object), self.field(left, f.property)) else {
            return Target::Other;
        };
        let object = self.unwrap(object);
        let name = self.cx.text(property).to_owned();
        if self.is_exports(object) {
            return Target::Export(name);
        }
        if name == "prototype" {
            return match self.owner(object) {
                Some(owner) => Target::Prototype(owner),
                None => Target::Other,
            };
        }
        match self.kind(object) {
            K::This => return Target::This(name),
            K::Identifier => {
                let root = self.name(object);
                if self.st.this_names.contains(&root) {
                    return Target::This(name);
                }
                if let Some(owner) = self.st.prototypes.get(&root) {
                    return Target::Member { owner: owner.clone(), name, prototype: true };
                }
                if matches!(self.cx.text(object), "window" | "globalThis" | "global" | "self") {
                    return Target::Global(name);
                }
            }
            K::Member => {
                if let (Some(class), Some(last)) = (self.field(object, f.object), self.field(object, f.property))
                    && self.cx.text(last) == "prototype"
                    && let Some(owner) = self.owner(class)
                {
                    return Target::Member { owner, name, prototype: true };
                }
            }
            _ => return Target::Other,
        }
        match self.owner(object) {
            Some(owner) => Target::Member { owner, name, prototype: false },
            None => Target::Other,
        }
    }

    /// A dotted name as an owner.
    fn owner(&mut self, node: Node<'_>) -> Option<(String, ExprId)> {
        let text = self.cx.text(node);
        let text = text.strip_prefix("module.").unwrap_or(text);
        let text = text.strip_prefix("exports.").unwrap_or(text);
        let plain = text.len() <= 80 && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'));
        (plain && !text.is_empty()).then(|| (text.to_owned(), self.lower(node)))
    }

    pub(super) fn assignment(&mut self, node: Node<'_>) {
        if let Some(Mark::Done) = self.take_mark(node) {
            return;
        }
        let mut lefts = Vec::new();
        let value = self.chain(node, &mut lefts);
        self.st.marks.remove(&node.id());
        if lefts.is_empty() {
            return;
        }
        self.value(value);
        let bare = self.unwrap(value);
        let targets: Vec<Target> = lefts.iter().map(|&l| self.target(l)).collect();
        let mut best = Target::Other;
        for target in &targets {
            if target.rank() > best.rank() {
                best = target.clone();
            }
        }
        let defined = self.define_assigned(node, &best, bare);
        let lowered = self.lower(value);
        self.record_targets(&lefts, &targets, bare, lowered, node, defined);
    }

    /// The targets between a declared name and its value, as in `var app = exports = module.exports = {}`.
    pub(super) fn assign_targets(&mut self, lefts: &[Node<'_>], bare: Node<'_>, lowered: ExprId, node: Node<'_>) {
        let targets: Vec<Target> = lefts.iter().map(|&l| self.target(l)).collect();
        self.record_targets(lefts, &targets, bare, lowered, node, true);
    }

    /// Defines what is assigned, if that is a function, a class, or an object with functions.
    fn define_assigned(&mut self, node: Node<'_>, target: &Target, value: Node<'_>) -> bool {
        let top = self.module_level(true);
        let function = self.function_in(value);
        let class = self.kind(value) == K::Class;
        let object = self.kind(value) == K::Object;
        if function.is_none() && !class && !object {
            return false;
        }
        let own = function
            .or(class.then_some(value))
            .and_then(|n| self.field(n, self.grammar.fields.name))
            .map(|n| self.cx.text(n));
        let (name, parent, owner, exported) = match target {
            Target::This(name) => (name.clone(), self.this_class(), None, false),
            Target::Member { owner, name, .. } => (name.clone(), None, Some(owner.clone()), false),
            Target::Name(name) => (name.clone(), None, None, false),
            Target::Global(name) | Target::Export(name) => (name.clone(), None, None, true),
            Target::ModuleExports => (own.unwrap_or("default").to_owned(), None, None, true),
            Target::Prototype(_) => (String::new(), None, None, false),
            Target::Exports | Target::Other => return false,
        };
        let declared = Declared { exported, ..Declared::default() };
        if let Target::Prototype(owner) = target {
            if object {
                let entries = Entries { owner: Some(owner.clone()), ..Entries::default() };
                self.mark(value, Mark::Object(Box::new(entries)));
            }
            return object;
        }
        if let Some(function) = function {
            let method = matches!(target, Target::This(_) | Target::Member { .. });
            let kind = if method { SymbolKind::Method } else { SymbolKind::Function };
            let mut flags = SymbolFlags::default();
            if let Target::Member { owner, prototype: false, .. } = target {
                flags.is_static = self.is_class_like(&owner.0);
            }
            let definition = Definition { flags, parent, owner, declared, ..Definition::new(&name, kind) };
            self.define_function(node, function, definition);
            return true;
        }
        if class {
            self.define_class(node, value, Some(&name), declared);
            return true;
        }
        if matches!(target, Target::ModuleExports) {
            let entries = Entries { export: true, data: top, ..Entries::default() };
            self.mark(value, Mark::Object(Box::new(entries)));
            return true;
        }
        if !self.has_functions(value) {
            return false;
        }
        let signature = self.signature(node.start_byte(), value.start_byte());
        let flags = SymbolFlags { exported, ..SymbolFlags::default() };
        let fact = SymbolDraft { kind: Some(SymbolKind::Variable), signature, flags, ..SymbolDraft::default() };
        let symbol = self.open(node, parent, None, &name, owner.as_ref(), fact);
        let entries = Entries { holder: Some(symbol), ..Entries::default() };
        self.mark(value, Mark::Object(Box::new(entries)));
        true
    }

    fn is_class_like(&self, owner: &str) -> bool {
        owner.starts_with(|c: char| c.is_uppercase())
    }

    fn record_targets(
        &mut self,
        lefts: &[Node<'_>],
        targets: &[Target],
        bare: Node<'_>,
        lowered: ExprId,
        node: Node<'_>,
        defined: bool,
    ) {
        let scope = self.cx.current();
        for (&left, target) in lefts.iter().zip(targets) {
            let left = self.unwrap(left);
            let line = self.cx.line(left);
            match target {
                Target::Exports => self.skip(left),
                Target::ModuleExports => {
                    self.skip_all(left);
                    self.export_module(bare, lowered, line);
                }
                Target::Export(name) => {
                    self.skip_all(left);
                    self.export_one(node, name, bare, lowered, line, defined);
                }
                Target::Name(text) => {
                    self.mark(left, Mark::Write);
                    if !defined || self.kind(bare) == K::Object {
                        let name = self.cx.name_owned(text);
                        self.assign_name(name, line, lowered, BindKind::Assign);
                    }
                }
                Target::Global(_) => self.mark(left, Mark::Write),
                Target::This(text) => {
                    self.mark(left, Mark::Write);
                    if let Some(class) = self.this_class()
                        && !(defined && self.kind(bare) != K::Object)
                    {
                        let name = self.cx.name_owned(text);
                        let value = Some(lowered);
                        // `scope` may by now be the method that is being assigned.
                        let scope = if defined { self.outer_scope(scope) } else { scope };
                        self.cx.attr(AttrFact { class, name, scope, line, value, ty: None });
                    }
                }
                Target::Prototype(owner) => {
                    self.skip_all(left);
                    if self.kind(bare) != K::Object {
                        self.inherit(&owner.0.clone(), lowered);
                    }
                }
                Target::Member { owner, name, prototype } => {
                    if *prototype && name == "__proto__" {
                        self.inherit(&owner.0.clone(), lowered);
                    }
                    if defined {
                        self.skip_all(left);
                        continue;
                    }
                    self.mark(left, Mark::Write);
                    let root = self.cx.name_owned(&owner.0);
                    if let Some(class) = self.st.top.get(&root).copied() {
                        let name = self.cx.name_owned(name);
                        let value = Some(lowered);
                        self.cx.attr(AttrFact { class, name, scope, line, value, ty: None });
                    }
                }
                Target::Other => self.assign_pattern(left, lowered),
            }
        }
    }

    /// A dotted name that is defined here: no part of it is a mention.
    fn skip_all(&mut self, node: Node<'_>) {
        let mut at = Some(node);
        while let Some(node) = at {
            self.skip(node);
            at = self.field(node, self.grammar.fields.object).filter(|_| self.kind(node) == K::Member);
        }
    }

    fn outer_scope(&self, symbol: SymbolIdx) -> SymbolIdx {
        self.cx.enclosing().nth(1).unwrap_or(symbol)
    }

    /// `A.prototype = Object.create(B.prototype)`, `A.prototype = new B()`.
    fn inherit(&mut self, class: &str, prototype: ExprId) {
        if let Expr::New(base) = *self.cx.facts().expr(prototype) {
            let class = self.cx.name_owned(class);
            self.st.inherits.push((class, base));
        }
    }

    fn assign_pattern(&mut self, left: Node<'_>, value: ExprId) {
        match self.kind(left) {
            K::ObjectPattern | K::ArrayPattern => {
                let mut bound = Vec::new();
                self.pattern(left, value, &mut bound, 0);
                for Bound { name, line, value } in bound {
                    let expr = self.name_expr(name);
                    self.mention(expr, line, Access::Write);
                    self.assign_name(name, line, value, BindKind::Assign);
                }
            }
            K::Member => self.mark(left, Mark::Write),
            _ => {}
        }
    }

    /// `module.exports = value`
    fn export_module(&mut self, value: Node<'_>, lowered: ExprId, line: u32) {
        if let Some(module) = self.loaded_module(value) {
            // `module.exports = require("./x")`: all of it, under the same names.
            self.mark(value, Mark::Done);
            self.import_star(value, module, true);
        }
        self.cx.export("default", lowered, line);
    }

    /// `exports.x = value`
    fn export_one(&mut self, node: Node<'_>, name: &str, value: Node<'_>, lowered: ExprId, line: u32, defined: bool) {
        // What compilers write first for each name: `exports.a = exports.b = void 0`.
        if self.kind(value) == K::Unary && self.cx.text(value).starts_with("void") {
            return;
        }
        self.cx.export(name, lowered, line);
        let names_another =
            matches!(self.kind(value), K::Identifier | K::Member) || self.loaded_module(value).is_some();
        if !defined && !names_another && self.module_level(true) {
            let fact = SymbolDraft {
                kind: Some(SymbolKind::Constant),
                flags: SymbolFlags { exported: true, ..SymbolFlags::default() },
                values: vec![lowered],
                ..SymbolDraft::default()
            };
            self.open_leaf(node, None, name, None, fact);
        }
    }

    pub(super) fn augmented(&mut self, node: Node<'_>) {
        let f = &self.grammar.fields;
        let (Some(left), Some(right)) = (self.field(node, f.left), self.field(node, f.right)) else { return };
        self.written(left);
        // `x ||= new Foo()` gives x a value.
        let operator = self.field(node, f.operator).map_or("", |o| self.cx.text(o));
        if matches!(operator, "||=" | "??=" | "&&=") {
            self.value(right);
            let lowered = self.lower(right);
            let line = self.cx.line(left);
            match self.target(left) {
                Target::Name(name) => {
                    let name = self.cx.name_owned(&name);
                    self.assign_name(name, line, lowered, BindKind::Assign);
                }
                Target::This(name) => {
                    if let Some(class) = self.this_class() {
                        let (name, scope) = (self.cx.name_owned(&name), self.cx.current());
                        self.cx.attr(AttrFact { class, name, scope, line, value: Some(lowered), ty: None });
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn update(&mut self, node: Node<'_>) {
        if let Some(argument) = self.field(node, self.grammar.fields.argument) {
            self.written(argument);
        }
    }

    fn written(&mut self, node: Node<'_>) {
        let node = self.unwrap(node);
        if matches!(self.kind(node), K::Identifier | K::Member) {
            self.mark(node, Mark::Write);
        }
    }

    /// `Object.defineProperty(target, "name", {get() {...}})`: an accessor of the target.
    pub(super) fn define_property(&mut self, args: &[Node<'_>]) {
        let [target, name, descriptor] = args else { return };
        let f = &self.grammar.fields;
        let Some(name) = self.string(*name).filter(|n| !n.is_empty() && *n != "__esModule") else { return };
        if self.kind(*descriptor) != K::Object {
            return;
        }
        let target = self.unwrap(*target);
        let mut entries = Entries::default();
        let mut parent = None;
        let exports = self.is_exports(target);
        match self.kind(target) {
            _ if exports => {}
            K::This => parent = self.this_class(),
            K::Member => {
                if let (Some(object), Some(last)) = (self.field(target, f.object), self.field(target, f.property)) {
                    entries.owner =
                        if self.cx.text(last) == "prototype" { self.owner(object) } else { self.owner(target) };
                }
            }
            K::Identifier => {
                let root = self.name(target);
                entries.owner = self.st.prototypes.get(&root).cloned().or_else(|| self.owner(target));
            }
            _ => return,
        }
        entries.accessor = Some((name.to_owned(), parent));
        for entry in children(*descriptor) {
            let key = self.field(entry, if self.kind(entry) == K::Pair { f.key } else { f.name });
            if !key.is_some_and(|k| matches!(self.cx.text(k), "get" | "set")) {
                continue;
            }
            if !exports {
                self.mark(entry, Mark::Entry(Box::new(entries.clone())));
                continue;
            }
            // What compilers write for `export {x} from "m"`: a getter that returns `m.x`.
            let function = if self.kind(entry) == K::Pair { self.field(entry, f.value) } else { Some(entry) };
            let body = function.and_then(|n| self.field(n, f.body)).and_then(|b| children(b).first().copied());
            if let Some(statement) = body
                && self.kind(statement) == K::Return
                && let Some(&value) = children(statement).first()
            {
                let value = self.lower(value);
                let line = self.cx.line(entry);
                self.cx.export(name, value, line);
            }
        }
    }

    /// `Object.assign(target, {...})`: the objects' methods are the target's.
    pub(super) fn object_assign(&mut self, args: &[Node<'_>]) {
        let Some((&target, objects)) = args.split_first() else { return };
        let f = &self.grammar.fields;
        let target = self.unwrap(target);
        let mut entries = Entries::default();
        if self.is_exports(target) {
            entries.export = true;
        } else if self.kind(target) == K::Member
            && let (Some(object), Some(last)) = (self.field(target, f.object), self.field(target, f.property))
            && self.cx.text(last) == "prototype"
        {
            entries.owner = self.owner(object);
        } else if matches!(self.kind(target), K::Identifier | K::Member) {
            let root = self.name(target);
            entries.owner = match self.st.prototypes.get(&root) {
                Some(owner) => Some(owner.clone()),
                None => self.owner(target),
            };
        }
        if entries.owner.is_none() && !entries.export {
            return;
        }
        for &object in objects {
            if self.kind(object) == K::Object && !children(object).is_empty() {
                self.mark(object, Mark::Object(Box::new(entries.clone())));
            }
        }
    }
}
