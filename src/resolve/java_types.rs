//! Java's static types, as far as they pick between overloads (JLS 4.10, 5.1, 15.12.2).

use super::java_library::supertypes;
use super::project::{Def, Project};
use super::types::SymId;
use crate::facts::*;
use crate::rows::FileNo;

/// A static type, erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Static<'a> {
    /// Nothing is known of it.
    Unknown,
    /// `null`.
    Null,
    /// A lambda or a method reference.
    Function,
    /// `int`, `boolean`, ...
    Primitive(LiteralKind),
    /// A class of the project.
    Class(SymId),
    /// A class from elsewhere, by its simple name.
    Library(&'a str),
    /// An array.
    Array(Box<Static<'a>>),
}

/// Whether an argument can be passed for a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// It cannot.
    No,
    /// One of the two is not known well enough.
    Maybe,
    /// With boxing.
    Boxed,
    /// By subtyping or a widening of numbers.
    Strict,
    /// It is of that very type.
    Same,
}

impl Static<'_> {
    /// Of one spelling for one type.
    pub(crate) fn fingerprint(&self, class: impl Fn(SymId) -> u64) -> u64 {
        use xxhash_rust::xxh3::xxh3_64;
        match self {
            Static::Unknown => 1,
            Static::Null => 2,
            Static::Function => 3,
            Static::Primitive(kind) => 8 + *kind as u64,
            Static::Class(c) => class(*c) ^ 4,
            Static::Library(name) => xxh3_64(name.as_bytes()),
            Static::Array(inner) => inner.fingerprint(class).rotate_left(7) ^ 5,
        }
    }

    fn is_reference(&self) -> bool {
        !matches!(self, Static::Primitive(_) | Static::Unknown)
    }
}

/// Place among the numbers, by how far they widen.
fn width(kind: LiteralKind) -> Option<u8> {
    Some(match kind {
        LiteralKind::Byte => 1,
        LiteralKind::Short | LiteralKind::Char => 2,
        LiteralKind::Int => 3,
        LiteralKind::Long => 4,
        LiteralKind::Float => 5,
        LiteralKind::Double => 6,
        _ => return None,
    })
}

fn widens(from: LiteralKind, to: LiteralKind) -> bool {
    match (width(from), width(to)) {
        _ if from == to => true,
        (Some(a), Some(b)) => a < b && to != LiteralKind::Char && !(from == LiteralKind::Char && b < 3),
        _ => false,
    }
}

/// What an operation on two numbers gives, or either of two values.
pub(crate) fn promoted<'a>(a: Static<'a>, b: Static<'a>) -> Static<'a> {
    match (a, b) {
        (Static::Primitive(x), Static::Primitive(y)) if widens(x, y) => Static::Primitive(y),
        (Static::Primitive(x), Static::Primitive(y)) if widens(y, x) => Static::Primitive(x),
        (Static::Primitive(x), Static::Primitive(y)) if width(x).is_some() && width(y).is_some() => {
            Static::Primitive(LiteralKind::Int)
        }
        (text @ Static::Library("String"), _) | (_, text @ Static::Library("String")) => text,
        (Static::Null, other) | (other, Static::Null) => other,
        (a, b) if a == b => a,
        // An unboxed one.
        (Static::Library(boxed), Static::Primitive(p)) | (Static::Primitive(p), Static::Library(boxed)) => {
            match unboxed(boxed) {
                Some(other) => promoted(Static::Primitive(p), Static::Primitive(other)),
                None => Static::Unknown,
            }
        }
        _ => Static::Unknown,
    }
}

fn boxed(kind: LiteralKind) -> &'static str {
    match kind {
        LiteralKind::Bool => "Boolean",
        LiteralKind::Byte => "Byte",
        LiteralKind::Short => "Short",
        LiteralKind::Char => "Character",
        LiteralKind::Int => "Integer",
        LiteralKind::Long => "Long",
        LiteralKind::Float => "Float",
        LiteralKind::Double => "Double",
        _ => "",
    }
}

/// The primitive type of a box.
pub(crate) fn unboxed(name: &str) -> Option<LiteralKind> {
    use LiteralKind::{Bool, Byte, Char, Double, Float, Int, Long, Short};
    [Bool, Byte, Short, Char, Int, Long, Float, Double].into_iter().find(|k| boxed(*k) == name)
}

/// Whether one class from elsewhere derives from another; `None` where that is not known.
fn derives(from: &str, to: &str, depth: u32) -> Option<bool> {
    if from == to || to == "Object" {
        return Some(true);
    }
    let mut unknown = depth == 0;
    for base in supertypes(from)? {
        match derives(base, to, depth.saturating_sub(1)) {
            Some(true) => return Some(true),
            None => unknown = true,
            Some(false) => {}
        }
    }
    if unknown { None } else { Some(false) }
}

impl<'a> Project<'a> {
    /// A type as it is written in a file.
    pub(crate) fn java_written(&self, file: FileNo, scope: SymbolIdx, ty: ExprId) -> Static<'a> {
        self.java_written_at(file, scope, ty, 8)
    }

    fn java_written_at(&self, file: FileNo, scope: SymbolIdx, ty: ExprId, depth: u32) -> Static<'a> {
        let facts = self.facts(file);
        if depth == 0 {
            return Static::Unknown;
        }
        match facts.expr(ty) {
            Expr::Literal(LiteralKind::Str) => Static::Library("String"),
            Expr::Literal(LiteralKind::None) => Static::Unknown,
            Expr::Literal(LiteralKind::List) => Static::Array(Box::new(Static::Unknown)),
            Expr::Literal(kind) => Static::Primitive(*kind),
            Expr::Generic(head, args) => match (facts.expr(*head), args.first()) {
                (Expr::Literal(LiteralKind::List), Some(&inner)) => {
                    Static::Array(Box::new(self.java_written_at(file, scope, inner, depth - 1)))
                }
                _ => self.java_written_at(file, scope, *head, depth - 1),
            },
            Expr::Name(name) | Expr::Attr(_, name) => {
                if matches!(facts.expr(ty), Expr::Name(_))
                    && let Some((holder, bound)) = self.java_type_param(file, scope, *name)
                {
                    return match bound {
                        Some(bound) => self.java_written_at(file, holder, bound, depth - 1),
                        None => Static::Library("Object"),
                    };
                }
                match self.static_class(file, scope, ty) {
                    Some(Def::Sym(s)) if self.sym(s).kind.is_type() => Static::Class(s),
                    Some(Def::Sym(_) | Def::Module(_) | Def::Var(_)) => Static::Unknown,
                    _ => Static::Library(facts.name(*name)),
                }
            }
            _ => Static::Unknown,
        }
    }

    /// The symbol that declares a type parameter of this name around a place, and its bound.
    pub(crate) fn java_type_param(
        &self,
        file: FileNo,
        scope: SymbolIdx,
        name: Name,
    ) -> Option<(SymbolIdx, Option<ExprId>)> {
        let facts = self.facts(file);
        let mut s = Some(scope);
        while let Some(idx) = s {
            let symbol = facts.symbol(idx);
            if let Some((_, bound)) = symbol.type_params.iter().find(|(n, _)| *n == name) {
                return Some((idx, *bound));
            }
            s = symbol.parent;
        }
        None
    }

    /// Whether a value of one type can be passed for another.
    pub(crate) fn java_fit(&self, given: &Static<'a>, wanted: &Static<'a>) -> Fit {
        use Static::*;
        let when = |yes: bool| if yes { Fit::Strict } else { Fit::No };
        match (given, wanted) {
            (Unknown, _) | (_, Unknown) => Fit::Maybe,
            (Null, wanted) => when(wanted.is_reference()),
            (Function, Class(c)) => when(self.sym(*c).kind == SymbolKind::Interface),
            (Function, Library(name)) => match supertypes(name) {
                // What is known of the library is no interface of one method, but for `Runnable` and its like.
                Some(_) => Fit::No,
                None => Fit::Strict,
            },
            (Function, _) => Fit::No,
            (a, b) if a == b => Fit::Same,
            (Primitive(a), Primitive(b)) => when(widens(*a, *b)),
            (Primitive(a), Library(name)) => match derives(boxed(*a), name, 6) {
                Some(true) => Fit::Boxed,
                _ => Fit::No,
            },
            (Library(name), Primitive(b)) => match unboxed(name) {
                Some(a) if widens(a, *b) => Fit::Boxed,
                _ => Fit::No,
            },
            (_, Primitive(_)) | (Primitive(_), _) => Fit::No,
            (_, Library("Object")) => Fit::Strict,
            (Array(a), Array(b)) => match (&**a, &**b) {
                (Unknown, _) | (_, Unknown) => Fit::Maybe,
                (Primitive(_), _) | (_, Primitive(_)) => Fit::No,
                (a, b) => match self.java_fit(a, b) {
                    Fit::Boxed => Fit::No,
                    fit => fit,
                },
            },
            (Array(_), Library("Cloneable" | "Serializable")) => Fit::Strict,
            (Array(_), _) | (_, Array(_)) => Fit::No,
            (Class(a), Class(b)) => match self.classes.get(*a) {
                Some(class) if class.mro.contains(b) => Fit::Strict,
                Some(class) if class.unknown => Fit::Maybe,
                _ => Fit::No,
            },
            (Class(a), Library(name)) => self.java_derives_outside(*a, name),
            // What comes from elsewhere has no base here.
            (Library(_), Class(_)) => Fit::No,
            (Library(a), Library(b)) => match derives(a, b, 6) {
                Some(true) => Fit::Strict,
                Some(false) => Fit::No,
                None => Fit::Maybe,
            },
            (_, Null | Function) => Fit::No,
        }
    }

    /// Whether a class of the project derives from one from elsewhere.
    fn java_derives_outside(&self, class: SymId, name: &str) -> Fit {
        let Some(known) = self.classes.get(class) else { return Fit::Maybe };
        let mut unknown = known.unknown;
        for &c in &known.mro {
            let (fact, file) = (self.sym(c), self.file_of(c));
            if fact.kind == SymbolKind::Enum && matches!(name, "Enum" | "Comparable" | "Serializable" | "Constable") {
                return Fit::Strict;
            }
            for &base in &fact.bases {
                if let Static::Library(base) = self.java_written(file, fact.parent.unwrap_or(SymbolIdx::MODULE), base) {
                    match derives(base, name, 6) {
                        Some(true) => return Fit::Strict,
                        Some(false) => {}
                        None => unknown = true,
                    }
                }
            }
        }
        if unknown { Fit::Maybe } else { Fit::No }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use LiteralKind::{Bool, Byte, Char, Float, Int, Long, Short};

    #[test]
    fn numbers_widen_as_the_language_says() {
        assert!(widens(Byte, Short) && widens(Byte, Int) && widens(Char, Int) && widens(Int, Float));
        assert!(!widens(Byte, Char) && !widens(Char, Short) && !widens(Short, Char) && !widens(Long, Int));
        assert!(!widens(Bool, Int) && widens(Bool, Bool));
        assert_eq!(promoted(Static::Primitive(Char), Static::Primitive(Short)), Static::Primitive(Int));
        assert_eq!(promoted(Static::Primitive(Int), Static::Library("Long")), Static::Primitive(Long));
    }

    #[test]
    fn what_is_known_of_the_library_is_said_and_nothing_else() {
        assert_eq!(derives("String", "CharSequence", 6), Some(true));
        assert_eq!(derives("ArrayList", "Iterable", 6), Some(true));
        assert_eq!(derives("String", "Number", 6), Some(false));
        assert_eq!(derives("FileReader", "Reader", 6), Some(true));
        assert_eq!(derives("Widget", "Number", 6), None);
    }
}
