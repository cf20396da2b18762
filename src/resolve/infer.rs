//! From expressions to types. Everything is a function of the file's facts and of tables that are looked up by
//! names of the file; fuel and depth bound what hostile code can cost.

use rustc_hash::FxHashMap;

use super::linking::Trail;
use super::lookup::Found;
use super::modules::Target;
use super::names::Gid;
use super::project::{Def, Project};
use super::scopes::{At, Entry, What};
use super::types::{ModId, Shape, SymId, Ty};
use crate::facts::*;
use crate::lang::ModuleSystem;
use crate::rows::FileNo;

const FUEL: u32 = 400;
const MAX_DEPTH: u32 = 40;

/// Evaluates the expressions of one file.
pub(crate) struct Eval<'p, 'a> {
    pub p: &'p Project<'a>,
    pub file: FileNo,
    pub facts: &'a Facts,
    fuel: u32,
    depth: u32,
    /// Read something that may still change in a later round.
    pub unsettled: bool,
    memo: FxHashMap<u32, Ty>,
}

impl<'p, 'a> Eval<'p, 'a> {
    pub(crate) fn new(p: &'p Project<'a>, file: FileNo) -> Self {
        Eval { p, file, facts: p.facts(file), fuel: FUEL, depth: 0, unsettled: false, memo: FxHashMap::default() }
    }

    /// Starts a new top-level evaluation.
    pub(crate) fn refuel(&mut self) {
        self.fuel = FUEL;
        self.depth = 0;
    }

    pub(crate) fn descend(&mut self) -> bool {
        if self.fuel == 0 || self.depth >= MAX_DEPTH {
            return false;
        }
        self.fuel -= 1;
        self.depth += 1;
        true
    }

    pub(crate) fn ascend(&mut self) {
        self.depth -= 1;
    }

    pub(crate) fn system(&self) -> ModuleSystem {
        self.p.system(self.file)
    }

    pub(crate) fn gid(&self, name: Name) -> Gid {
        self.p.gid(self.file, name)
    }

    pub(crate) fn slot(&mut self, i: u32) -> Ty {
        self.unsettled |= !self.p.slots.is_settled(i);
        self.p.slots.get(i)
    }

    /// The type of an expression in value position.
    pub(crate) fn eval(&mut self, expr: ExprId, scope: SymbolIdx, at: At) -> Ty {
        if !self.descend() {
            return Ty::Unknown;
        }
        let ty = self.eval_inner(expr, scope, at);
        self.ascend();
        ty
    }

    fn eval_inner(&mut self, expr: ExprId, scope: SymbolIdx, at: At) -> Ty {
        let facts = self.facts;
        match facts.expr(expr) {
            Expr::Unknown => Ty::Unknown,
            Expr::Name(name) => self.name_ty(*name, scope, at),
            Expr::Attr(base, name) => {
                let base = self.eval(*base, scope, at);
                self.member(&base, *name)
            }
            Expr::Call(callee, args) => self.call_value(*callee, args, scope, at),
            Expr::New(class) => {
                let ty = self.eval(*class, scope, at);
                let ty = self.whole_module(ty);
                ty.map(|t| match t {
                    Ty::Class(c) => Ty::Instance(*c, true),
                    Ty::ThisClass(c) => Ty::This(*c),
                    Ty::Func(f) if self.p.classes.get(*f).is_some() => Ty::Instance(*f, true),
                    Ty::Instance(..) | Ty::Applied(..) | Ty::External => t.clone(),
                    _ => Ty::Unknown,
                })
            }
            Expr::Index(base) => {
                let ty = self.eval(*base, scope, at);
                let ty = self.underlying(ty);
                ty.map(|t| match t {
                    Ty::Many(Shape::Seq | Shape::Map, inner) => (**inner).clone(),
                    Ty::Tuple(parts) => Ty::join(parts.iter().cloned()),
                    Ty::Instance(..) | Ty::This(_) | Ty::Applied(..) => self.dunder(t, self.p.well_known.getitem),
                    // `Box[int]` as a value.
                    Ty::Class(_) | Ty::ThisClass(_) => t.clone(),
                    Ty::External => Ty::External,
                    _ => Ty::Unknown,
                })
            }
            Expr::Element(base) => {
                let ty = self.eval(*base, scope, at);
                self.element(&ty)
            }
            Expr::Item(base, i) => self.eval(*base, scope, at).item(*i),
            Expr::Entered(base) => {
                let ty = self.eval(*base, scope, at);
                self.entered(&ty)
            }
            Expr::Await(base) => {
                let ty = self.eval(*base, scope, at);
                self.awaited(&ty)
            }
            Expr::SelfRef => self.enclosing(scope).map_or(Ty::Unknown, Ty::This),
            Expr::SelfType => self.enclosing(scope).map_or(Ty::Unknown, Ty::ThisClass),
            Expr::Super => self.enclosing(scope).map_or(Ty::Unknown, Ty::Super),
            Expr::Literal(LiteralKind::None) => Ty::None,
            Expr::Literal(_) => Ty::External,
            Expr::Container(LiteralKind::Tuple, items) => {
                Ty::Tuple(items.iter().map(|&i| self.eval(i, scope, at)).collect())
            }
            Expr::Container(kind, items) => {
                let inner = Ty::join(items.iter().map(|&i| self.eval(i, scope, at)).collect::<Vec<_>>());
                Ty::many(if *kind == LiteralKind::Map { Shape::Map } else { Shape::Seq }, inner)
            }
            Expr::Generic(base, _) => match self.eval(*base, scope, at) {
                Ty::Unknown => self.annotation(expr, scope),
                ty => ty,
            },
            Expr::Union(parts) => Ty::join(parts.iter().map(|&p| self.eval(p, scope, at)).collect::<Vec<_>>()),
            Expr::Function(s) => Ty::Func(self.p.sym_id(self.file, *s)),
            Expr::TypeOf(inner) => {
                let ty = self.eval(*inner, scope, at);
                ty.map(|t| match t {
                    Ty::This(c) => Ty::ThisClass(*c),
                    _ => t.class().map_or(Ty::Unknown, Ty::Class),
                })
            }
            Expr::Module(name) => match self.p.module_expr(self.file, *name) {
                Target::Module(m) => Ty::Module(m),
                Target::External => Ty::External,
                Target::Missing => Ty::Unknown,
            },
        }
    }

    /// A JavaScript module used as a class or function: what it exports as a whole.
    fn whole_module(&mut self, ty: Ty) -> Ty {
        match ty {
            Ty::Module(m) => match self.p.module_default(m) {
                Some(def) => self.def_ty(def),
                None => Ty::Module(m),
            },
            ty => ty,
        }
    }

    /// What a defined type is made of, where syntax looks through it.
    pub(crate) fn underlying(&mut self, ty: Ty) -> Ty {
        match ty {
            Ty::Instance(c, _) | Ty::This(c) if self.p.sym(c).kind == SymbolKind::TypeAlias => {
                self.slot(self.p.slots.value(c))
            }
            ty => ty,
        }
    }

    pub(super) fn enclosing(&self, scope: SymbolIdx) -> Option<SymId> {
        self.p.classes.enclosing[self.p.sym_id(self.file, scope).0 as usize]
    }

    pub(super) fn name_ty(&mut self, name: Name, scope: SymbolIdx, at: At) -> Ty {
        match self.p.lookup(self.file, scope, name, at, &mut Trail::new()) {
            Found::Def(def) => self.def_ty(def),
            Found::Local(entries) => self.entries_ty(entries),
            Found::Member(class) => self.member(&Ty::This(class), name),
            Found::Builtin | Found::External => Ty::External,
            // A global of the host, a crate, a class of the language's library.
            Found::Nothing if self.system() != ModuleSystem::Python => Ty::External,
            Found::Nothing => Ty::Unknown,
        }
    }

    pub(crate) fn entries_ty(&mut self, entries: &[Entry]) -> Ty {
        match entries {
            [one] => self.entry_ty(one),
            many => Ty::join(many.iter().take(8).map(|e| self.entry_ty(e)).collect::<Vec<_>>()),
        }
    }

    fn entry_ty(&mut self, e: &Entry) -> Ty {
        match e.what {
            What::Param(i) => self.param_ty(e.scope, i),
            What::Import(i) => {
                let def = self.p.import_def(self.file, i, &mut Trail::new());
                self.def_ty(def)
            }
            What::Bind(i) => self.bind_ty(i),
            What::Symbol(s) => self.sym_ty(self.p.sym_id(self.file, s)),
            What::Outer => Ty::Unknown,
        }
    }

    /// The type of a variable by one of its bindings.
    pub(crate) fn bind_ty(&mut self, i: u32) -> Ty {
        if let Some(ty) = self.memo.get(&i) {
            return ty.clone();
        }
        self.memo.insert(i, Ty::Unknown);
        let b = &self.facts.binds[i as usize];
        let declared = match b.ty {
            Some(ty) => self.annotation(ty, b.scope),
            None => Ty::Unknown,
        };
        let ty = match declared {
            Ty::Unknown => self.eval(b.value, b.scope, At { line: b.line, before: Some(i) }),
            ty => ty,
        };
        let ty = match ty {
            Ty::None | Ty::Unknown if b.kind == BindKind::Assign => self.other_bindings(i, ty),
            ty => ty,
        };
        self.memo.insert(i, ty.clone());
        ty
    }

    /// What a variable is whose last value says nothing, or is `None`: what it was declared as; else, for `None`, what
    /// it held before (it is reset under a condition, or nobody would ask).
    fn other_bindings(&mut self, i: u32, ty: Ty) -> Ty {
        let b = &self.facts.binds[i as usize];
        let p = self.p;
        let entries = p.scopes[self.file.0 as usize].of(b.scope, b.name);
        let binds = entries.iter().filter_map(|e| match e.what {
            What::Bind(j) if j != i => Some(j),
            _ => None,
        });
        let binds: Vec<u32> = binds.take(16).collect();
        let declared = binds.iter().find_map(|&j| {
            self.facts.binds[j as usize].ty.filter(|_| self.facts.binds[j as usize].kind == BindKind::Assign)
        });
        if let Some(declared) = declared {
            return self.annotation(declared, b.scope);
        }
        if ty == Ty::None {
            for j in binds.into_iter().rev().filter(|&j| self.facts.binds[j as usize].line < b.line) {
                let before = self.bind_ty(j);
                if !matches!(before, Ty::None | Ty::Unknown) {
                    return before;
                }
            }
        }
        ty
    }

    fn param_ty(&mut self, function: SymbolIdx, i: u8) -> Ty {
        let facts = self.facts;
        let fact = facts.symbol(function);
        let param = &fact.params[i as usize];
        if let Some(ty) = param.ty {
            let ty = self.annotation(ty, function);
            if !ty.is_unknown() {
                // Elsewhere the written type is that of the whole.
                let element = param.variadic && self.system() == ModuleSystem::Python;
                return if element { Ty::many(Shape::Seq, ty) } else { ty };
            }
        }
        let id = self.p.sym_id(self.file, function);
        if self.system() == ModuleSystem::Python
            && i == 0
            && !fact.flags.is_static
            && let Some(class) = self.p.classes.holder[id.0 as usize]
        {
            let class_receiver = fact.flags.is_classmethod
                || matches!(facts.name(fact.name), "__new__" | "__init_subclass__" | "__class_getitem__");
            return if class_receiver { Ty::ThisClass(class) } else { Ty::This(class) };
        }
        if fact.flags.is_fixture || fact.flags.is_test || self.p.files[self.file.0 as usize].is_test {
            let fixture = self.p.fixture(self.file, function, self.gid(param.name));
            if let Some(fixture) = fixture {
                return self.slot(self.p.slots.value(fixture));
            }
        }
        match param.default {
            Some(default) => {
                match self.eval(default, fact.parent.unwrap_or(SymbolIdx::MODULE), At::line(fact.start_line)) {
                    Ty::None => Ty::Unknown,
                    ty => ty.map(|t| match t {
                        Ty::Instance(c, _) => Ty::Instance(*c, false),
                        other => other.clone(),
                    }),
                }
            }
            None => Ty::Unknown,
        }
    }

    pub(crate) fn def_ty(&mut self, def: Def) -> Ty {
        match def {
            Def::Sym(s) => self.sym_ty(s),
            Def::Module(m) => Ty::Module(m),
            Def::Var(v) => self.slot(self.p.slots.var(v)),
            Def::External => Ty::External,
            Def::Missing => Ty::Unknown,
        }
    }

    /// The type of a definition as a value.
    pub(crate) fn sym_ty(&mut self, s: SymId) -> Ty {
        let fact = self.p.sym(s);
        match fact.kind {
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro => Ty::Func(s),
            SymbolKind::EnumMember => {
                self.p.classes.holder[s.0 as usize].map_or(Ty::Unknown, |c| Ty::Instance(c, true))
            }
            // A type with methods of its own (Go's `type List []Item`).
            SymbolKind::TypeAlias if self.p.classes.has_members(s) => Ty::Class(s),
            SymbolKind::TypeAlias => {
                let ty = self.slot(self.p.slots.value(s));
                ty.map(|t| t.class().map_or(t.clone(), Ty::Class))
            }
            // An object literal with members.
            SymbolKind::Constant | SymbolKind::Variable if self.p.classes.get(s).is_some() => Ty::Instance(s, true),
            SymbolKind::Property | SymbolKind::Constant | SymbolKind::Variable => self.slot(self.p.slots.value(s)),
            SymbolKind::Field => {
                let group = self.p.classes.holder[s.0 as usize].and_then(|h| self.p.classes.own(h, self.p.sym_gid(s)));
                group.map_or(Ty::Unknown, |g| self.slot(self.p.slots.field(g)))
            }
            SymbolKind::Module => Ty::Module(ModId(self.p.file_of(s).0)),
            _ => Ty::Class(s),
        }
    }

    /// The type of a member of a value.
    pub(crate) fn member(&mut self, base: &Ty, name: Name) -> Ty {
        let gid = self.gid(name);
        base.map(|t| self.member_gid(t, gid))
    }

    fn member_gid(&mut self, base: &Ty, gid: Gid) -> Ty {
        match base {
            Ty::Module(m) => match self.p.module_member(*m, gid, &mut Trail::new()) {
                Some(def) => self.def_ty(def),
                None => match self.p.module_default(*m) {
                    Some(def) if self.system() == ModuleSystem::EcmaScript => {
                        let ty = self.def_ty(def);
                        if matches!(ty, Ty::Module(_)) { Ty::Unknown } else { self.member_gid(&ty, gid) }
                    }
                    _ => Ty::Unknown,
                },
            },
            Ty::Class(c) | Ty::ThisClass(c) | Ty::Instance(c, _) | Ty::This(c) | Ty::Applied(c, _) => {
                let on_class = matches!(base, Ty::Class(_) | Ty::ThisClass(_));
                match self.p.find_member(*c, gid) {
                    Some((_, group)) => self.group_ty(group, on_class).bind_this(base),
                    None if self.p.sym(*c).kind == SymbolKind::Namespace => {
                        let def = self.p.nested_def(*c, gid, &mut Trail::new());
                        def.map_or(Ty::Unknown, |d| self.def_ty(d))
                    }
                    None => match self.p.classes.get(*c) {
                        Some(class) if class.external => Ty::External,
                        _ => Ty::Unknown,
                    },
                }
            }
            Ty::Super(c) => {
                let found = self.p.classes.get(*c).and_then(|class| self.p.find_member_in(&class.mro[1..], gid));
                found.map_or(Ty::Unknown, |(_, group)| self.group_ty(group, false).bind_this(base))
            }
            Ty::Func(f) => {
                if let Some(slot) = self.p.slots.object(*f) {
                    let object = self.slot(slot);
                    if matches!(object, Ty::Instance(..) | Ty::Class(_)) {
                        return self.member_gid(&object, gid);
                    }
                }
                match self.p.find_member(*f, gid) {
                    Some((_, group)) => self.group_ty(group, true),
                    None => Ty::External,
                }
            }
            Ty::External | Ty::Many(..) | Ty::Tuple(_) | Ty::Returns(_) => Ty::External,
            _ => Ty::Unknown,
        }
    }

    /// The type of a class's own member.
    pub(crate) fn group_ty(&mut self, group: u32, on_class: bool) -> Ty {
        let g = self.p.classes.group(group);
        let callable =
            g.syms.iter().rev().find(|s| matches!(self.p.sym(**s).kind, SymbolKind::Method | SymbolKind::Function));
        if let Some(&s) = callable {
            return Ty::Func(s);
        }
        if let Some(&s) = g.syms.iter().find(|s| self.p.sym(**s).kind == SymbolKind::Property) {
            if on_class && self.system() == ModuleSystem::Python {
                return Ty::External;
            }
            return self.slot(self.p.slots.value(s));
        }
        if let Some(&s) = g.syms.last()
            && !matches!(self.p.sym(s).kind, SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field)
        {
            return self.sym_ty(s);
        }
        self.slot(self.p.slots.field(group))
    }
}
