//! Types of what functions return, and of attributes and variables, over all files.
//!
//! Each of them is a slot. In every round all slots that may still change are evaluated from the values of the round
//! before, so the result depends on no order; a slot that read only settled slots is settled. What is still moving
//! after the last round (cycles) keeps its last value.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::infer::Eval;
use super::project::{ModuleName, Project};
use super::scopes::{At, What};
use super::types::{Shape, SymId, Ty};
use crate::facts::*;
use crate::lang::ModuleSystem;
use crate::rows::FileNo;

const ROUNDS: u32 = 8;

/// The slots: by symbol (what it returns or is), class field, module variable, decorated definition.
#[derive(Default)]
pub(crate) struct Slots {
    types: Vec<Ty>,
    settled: Vec<bool>,
    fields: u32,
    vars: u32,
    objects: FxHashMap<SymId, u32>,
    object_list: Vec<SymId>,
}

impl Slots {
    pub(crate) fn get(&self, i: u32) -> Ty {
        self.types.get(i as usize).cloned().unwrap_or(Ty::Unknown)
    }

    pub(crate) fn peek(&self, i: u32) -> &Ty {
        self.types.get(i as usize).unwrap_or(&Ty::Unknown)
    }

    pub(crate) fn is_settled(&self, i: u32) -> bool {
        self.settled.get(i as usize).copied().unwrap_or(false)
    }

    /// What a function returns, what a property, constant or variable holds, what an alias stands for.
    pub(crate) fn value(&self, s: SymId) -> u32 {
        s.0
    }

    /// The type of a class's own field, by the number of its member group.
    pub(crate) fn field(&self, group: u32) -> u32 {
        self.fields + group
    }

    pub(crate) fn var(&self, v: u32) -> u32 {
        self.vars + v
    }

    /// What a decorated definition is as a value, where a decorator makes something else of it.
    pub(crate) fn object(&self, s: SymId) -> Option<u32> {
        self.objects.get(&s).copied()
    }
}

impl<'a> Project<'a> {
    pub(crate) fn evaluate_types(&mut self) {
        let syms = self.sym_file.len() as u32;
        let groups = self.classes.group_list.len() as u32;
        let mut slots = Slots { fields: syms, vars: syms + groups, ..Default::default() };
        let mut total = syms + groups + self.vars.len() as u32;
        for s in (0..syms).map(SymId) {
            if !self.sym(s).decorators.is_empty() && self.sym(s).kind.is_callable() {
                slots.objects.insert(s, total);
                slots.object_list.push(s);
                total += 1;
            }
        }
        slots.types = vec![Ty::Unknown; total as usize];
        slots.settled = vec![false; total as usize];
        let mut open: Vec<u32> = (0..total).filter(|&i| self.is_worth(i, &slots)).collect();
        let mut is_open = vec![false; total as usize];
        for &i in &open {
            is_open[i as usize] = true;
        }
        for (s, o) in slots.settled.iter_mut().zip(&is_open) {
            *s = !o;
        }
        self.slots = slots;
        for _ in 0..ROUNDS {
            let results: Vec<(Ty, bool)> = open.par_iter().map(|&i| self.evaluate_slot(i)).collect();
            let mut changed = false;
            let mut next = Vec::new();
            for (&i, (ty, unsettled)) in open.iter().zip(results) {
                changed |= self.slots.types[i as usize] != ty;
                self.slots.types[i as usize] = ty;
                if unsettled { next.push(i) } else { self.slots.settled[i as usize] = true }
            }
            let progress = next.len() < open.len();
            open = next;
            if open.is_empty() || !(changed || progress) {
                break;
            }
        }
    }

    /// Can evaluating this slot give anything?
    fn is_worth(&self, i: u32, slots: &Slots) -> bool {
        if i >= slots.vars || i >= slots.fields && !self.classes.group(i - slots.fields).attrs.is_empty() {
            return true;
        }
        if i >= slots.fields {
            return self.classes.group(i - slots.fields).syms.iter().any(|&s| self.is_worth(s.0, slots));
        }
        let fact = self.sym(SymId(i));
        fact.returns.is_some() || fact.ty.is_some() || !fact.values.is_empty()
    }

    fn evaluate_slot(&self, i: u32) -> (Ty, bool) {
        let s = &self.slots;
        if i < s.fields {
            self.symbol_value(SymId(i))
        } else if i < s.vars {
            self.field_value(i - s.fields)
        } else if i < s.vars + self.vars.len() as u32 {
            self.var_value(self.vars[(i - s.vars) as usize])
        } else {
            self.object_value(s.object_list[(i - s.vars) as usize - self.vars.len()])
        }
    }

    fn symbol_value(&self, s: SymId) -> (Ty, bool) {
        let (fact, file, idx) = (self.sym(s), self.file_of(s), self.idx_of(s));
        let mut e = Eval::new(self, file);
        let ty = if fact.kind.is_callable() { self.returned(&mut e, fact, idx) } else { self.held(&mut e, s, fact) };
        (ty, e.unsettled)
    }

    fn returned(&self, e: &mut Eval<'_, 'a>, fact: &'a SymbolFact, idx: SymbolIdx) -> Ty {
        let python = e.system() == ModuleSystem::Python;
        if fact.flags.is_constructor {
            return Ty::Unknown;
        }
        let mut declared = fact.returns.map_or(Ty::Unknown, |r| e.annotation(r, idx));
        if declared.is_unknown() {
            let mut values = Vec::new();
            for &v in &fact.values {
                e.refuel();
                values.push(e.eval(v, idx, At::END));
            }
            declared = Ty::join(values);
            if fact.flags.is_generator {
                declared = Ty::many(Shape::Seq, declared);
            }
        }
        if python
            && let Ty::Many(Shape::Seq, inner) = &declared
            && self.makes_context(e.file, fact)
        {
            return Ty::Many(Shape::Context, inner.clone());
        }
        if fact.flags.is_fixture
            && let Ty::Many(Shape::Seq, inner) = &declared
            && fact.flags.is_generator
        {
            return (**inner).clone();
        }
        if fact.flags.is_async && !fact.flags.is_generator && !matches!(declared, Ty::Many(Shape::Later, _)) {
            return Ty::many(Shape::Later, declared);
        }
        declared
    }

    /// `@contextmanager`: entering the call's value gives what the generator yields.
    fn makes_context(&self, file: FileNo, fact: &SymbolFact) -> bool {
        let facts = self.facts(file);
        fact.decorators.iter().any(|&d| match facts.expr(d) {
            Expr::Name(n) | Expr::Attr(_, n) => matches!(facts.name(*n), "contextmanager" | "asynccontextmanager"),
            _ => false,
        })
    }

    fn held(&self, e: &mut Eval<'_, 'a>, s: SymId, fact: &'a SymbolFact) -> Ty {
        let scope = fact.parent.unwrap_or(SymbolIdx::MODULE);
        let declared = fact.ty.map_or(Ty::Unknown, |t| {
            e.annotation(t, if fact.kind == SymbolKind::TypeAlias { self.idx_of(s) } else { scope })
        });
        if !declared.is_unknown() {
            return declared;
        }
        let mut values = Vec::new();
        for &v in &fact.values {
            e.refuel();
            values.push(e.eval(v, scope, At::line(fact.start_line)));
        }
        // A constant that is bound again elsewhere.
        if scope == SymbolIdx::MODULE
            && let Some(entry) = self.module_names.get(&super::project::pair(e.file.0, self.gid(e.file, fact.name)))
            && entry.var != u32::MAX
        {
            values.push(e.slot(self.slots.var(entry.var)));
        }
        Ty::join(values)
    }

    fn field_value(&self, group: u32) -> (Ty, bool) {
        let mut unsettled = false;
        let mut types = Vec::new();
        let mut declared = Vec::new();
        let g = self.classes.group(group);
        for &(file, i) in &g.attrs {
            let mut e = Eval::new(self, file);
            let a = &self.facts(file).attrs[i as usize];
            if let Some(ty) = a.ty {
                declared.push(e.annotation(ty, a.scope));
            }
            if let Some(v) = a.value {
                e.refuel();
                let ty = e.eval(v, a.scope, At::line(a.line));
                types.push(ty);
            }
            unsettled |= e.unsettled;
        }
        // What a field holds is what the attributes say.
        for &s in g.syms.iter().filter(|s| self.sym(**s).kind != SymbolKind::Field) {
            let mut e = Eval::new(self, self.file_of(s));
            types.push(e.slot(self.slots.value(s)));
            unsettled |= e.unsettled;
        }
        let declared = Ty::join(declared);
        let ty = if declared.is_unknown() || declared == Ty::None { Ty::join(types) } else { declared };
        // What an attribute holds may be replaced by an instance of a subclass.
        let loose = ty.map(|t| match t {
            Ty::Instance(c, _) if g.attrs.len() > 1 => Ty::Instance(*c, false),
            other => other.clone(),
        });
        (loose, unsettled)
    }

    fn var_value(&self, var: ModuleName) -> (Ty, bool) {
        let mut e = Eval::new(self, var.file);
        let entries = self.scopes[var.file.0 as usize].of(SymbolIdx::MODULE, var.name);
        let mut types = Vec::new();
        for entry in entries.iter().take(8) {
            if let What::Bind(i) = entry.what
                && e.facts.binds[i as usize].kind != BindKind::Narrow
            {
                e.refuel();
                types.push(e.bind_ty(i));
            }
        }
        (Ty::join(types), e.unsettled)
    }

    /// The outermost decorator that is known to make something else of a definition.
    fn object_value(&self, s: SymId) -> (Ty, bool) {
        let (fact, file) = (self.sym(s), self.file_of(s));
        let scope = fact.parent.unwrap_or(SymbolIdx::MODULE);
        let mut e = Eval::new(self, file);
        let mut object = Ty::Unknown;
        for &d in &fact.decorators {
            e.refuel();
            let decorator = e.eval(d, scope, At::line(fact.start_line));
            let made = e.call_ty(&decorator, &Ty::Unknown);
            let made = Ty::join(made.parts().iter().filter(|t| matches!(t, Ty::Instance(..))).cloned());
            if !made.is_unknown() {
                object = made;
                break;
            }
        }
        (object, e.unsettled)
    }
}
