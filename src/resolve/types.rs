//! The small type lattice of the inference.

use std::sync::Arc;

/// A symbol anywhere in the project: the file's base plus its index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SymId(pub u32);

/// A module: a file, a folder, or a group of files that share one name space (a Go or Java package).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ModId(pub u32);

/// What a [`Ty::Many`] wraps its type in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Shape {
    /// Iterating or indexing gives the type.
    Seq,
    /// Indexing gives the type; iterating gives keys.
    Map,
    /// Awaiting gives the type.
    Later,
    /// Entering (`with`) gives the type.
    Context,
}

/// What is known of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Ty {
    /// Nothing.
    Unknown,
    /// `None`, `null`, `undefined`: vanishes in unions.
    None,
    /// Something made outside of the project, whose members are not the project's.
    External,
    /// The receiver itself: an instance of this class or of a subclass; replaced by the receiver's type at a call.
    This(SymId),
    /// The receiver's class.
    ThisClass(SymId),
    /// An instance; `true` when it is of exactly this class.
    Instance(SymId, bool),
    /// An instance of a generic class with its type arguments.
    Applied(SymId, Arc<[Ty]>),
    /// A type parameter of a class, by position.
    Param(SymId, u8),
    /// A class (or namespace) as a value.
    Class(SymId),
    /// A module.
    Module(ModId),
    /// A function or method as a value.
    Func(SymId),
    /// `super()` within this class.
    Super(SymId),
    /// Something that returns this when called.
    Returns(Arc<Ty>),
    /// A tuple, by place.
    Tuple(Arc<[Ty]>),
    /// A wrapper around a type.
    Many(Shape, Arc<Ty>),
    /// One of these (at most [`UNION_CAP`], sorted).
    Union(Arc<[Ty]>),
}

/// Wider unions say nothing.
pub(crate) const UNION_CAP: usize = 4;

impl Ty {
    pub(crate) fn many(shape: Shape, ty: Ty) -> Ty {
        Ty::Many(shape, Arc::new(ty))
    }

    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self, Ty::Unknown)
    }

    /// The alternatives of a union, or the type itself.
    pub(crate) fn parts(&self) -> &[Ty] {
        match self {
            Ty::Union(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// Either of several. `None` and `Unknown` vanish beside something known; instances then are no longer exact.
    pub(crate) fn join(all: impl IntoIterator<Item = Ty>) -> Ty {
        let mut parts: Vec<Ty> = Vec::new();
        let mut unknown = false;
        let mut none = false;
        for ty in all {
            match ty {
                Ty::Unknown => unknown = true,
                Ty::None => none = true,
                Ty::Union(inner) => parts.extend(inner.iter().cloned()),
                other => parts.push(other),
            }
        }
        parts.sort();
        parts.dedup();
        if unknown {
            for p in &mut parts {
                if let Ty::Instance(_, exact) = p {
                    *exact = false;
                }
            }
        }
        let loose: Vec<SymId> = parts
            .iter()
            .filter_map(|p| match p {
                Ty::Instance(c, false) | Ty::This(c) => Some(*c),
                _ => None,
            })
            .collect();
        parts.retain(|p| !matches!(p, Ty::Instance(c, true) if loose.contains(c)));
        parts.dedup();
        match parts.len() {
            0 if unknown => Ty::Unknown,
            0 if none => Ty::None,
            0 => Ty::Unknown,
            1 => parts.pop().unwrap_or(Ty::Unknown),
            n if n > UNION_CAP => Ty::Unknown,
            _ => Ty::Union(parts.into()),
        }
    }

    /// The part of a tuple at a place; of a sequence, any of its elements.
    pub(crate) fn item(&self, i: u8) -> Ty {
        self.map(|t| match t {
            Ty::Tuple(parts) => parts.get(i as usize).cloned().unwrap_or(Ty::Unknown),
            Ty::Many(Shape::Seq, inner) => (**inner).clone(),
            Ty::External => Ty::External,
            _ => Ty::Unknown,
        })
    }

    /// Applies `f` to each alternative.
    pub(crate) fn map(&self, mut f: impl FnMut(&Ty) -> Ty) -> Ty {
        match self {
            Ty::Union(parts) => Ty::join(parts.iter().map(f)),
            other => f(other),
        }
    }

    /// The class whose members the value has.
    pub(crate) fn class(&self) -> Option<SymId> {
        match self {
            Ty::Instance(c, _) | Ty::This(c) | Ty::Class(c) | Ty::ThisClass(c) | Ty::Applied(c, _) => Some(*c),
            _ => None,
        }
    }

    /// Replaces the receiver's placeholder by the receiver's type.
    pub(crate) fn bind_this(&self, receiver: &Ty) -> Ty {
        match self {
            Ty::This(_) => match receiver {
                Ty::Instance(..) | Ty::This(_) | Ty::Applied(..) => receiver.clone(),
                Ty::Class(c) => Ty::Instance(*c, true),
                Ty::ThisClass(c) | Ty::Super(c) => Ty::This(*c),
                _ => self.clone(),
            },
            Ty::ThisClass(_) => match receiver.class() {
                Some(c) if matches!(receiver, Ty::This(_) | Ty::ThisClass(_)) => Ty::ThisClass(c),
                Some(c) => Ty::Class(c),
                None => self.clone(),
            },
            Ty::Param(class, i) => match receiver {
                Ty::Applied(c, args) if c == class => args.get(*i as usize).cloned().unwrap_or(Ty::Unknown),
                _ => self.clone(),
            },
            Ty::Many(shape, inner) => Ty::Many(*shape, Arc::new(inner.bind_this(receiver))),
            Ty::Returns(inner) => Ty::Returns(Arc::new(inner.bind_this(receiver))),
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|p| p.bind_this(receiver)).collect()),
            Ty::Applied(c, args) => Ty::Applied(*c, args.iter().map(|a| a.bind_this(receiver)).collect()),
            Ty::Union(parts) => Ty::join(parts.iter().map(|p| p.bind_this(receiver))),
            other => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn join_is_independent_of_order_and_forgets_exactness_beside_unknown() {
        let a = Ty::Instance(SymId(1), true);
        let b = Ty::Instance(SymId(2), true);
        assert_eq!(Ty::join([a.clone(), b.clone()]), Ty::join([b.clone(), a.clone()]));
        assert_eq!(Ty::join([a.clone(), Ty::Unknown]), Ty::Instance(SymId(1), false));
        assert_eq!(Ty::join([a.clone(), Ty::None]), a);
        assert_eq!(Ty::join([Ty::Instance(SymId(1), false), a]), Ty::Instance(SymId(1), false));
        assert_eq!(Ty::join((0..5).map(|i| Ty::Class(SymId(i)))), Ty::Unknown);
        assert_eq!(Ty::join([Ty::None, Ty::None]), Ty::None);
    }
}
