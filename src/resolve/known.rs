//! What the languages' own type constructors, container methods and builtin functions do with the types in them.

use super::types::{Shape, Ty};
use crate::lang::ModuleSystem;

/// What a generic type from outside of the project means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A wrapper whose content is argument `i`; -1 is the last.
    Many(Shape, i8),
    /// As good as argument `i`.
    Same(i8),
    /// A function type; the last argument is what it returns.
    Function,
    /// The class itself.
    Class,
    /// Any of the arguments.
    AnyOf,
}

pub(crate) fn generic(system: ModuleSystem, name: &str) -> Option<Role> {
    use ModuleSystem::*;
    use Role::*;
    use Shape::*;
    Some(match (system, name) {
        (
            Python,
            "list" | "List" | "Sequence" | "MutableSequence" | "Iterable" | "Iterator" | "Generator" | "Collection"
            | "Set" | "set" | "FrozenSet" | "frozenset" | "MutableSet" | "AbstractSet" | "deque" | "Deque"
            | "AsyncIterator" | "AsyncIterable" | "AsyncGenerator" | "Reversible" | "Container" | "ContextVar"
            | "Queue" | "SimpleQueue" | "LifoQueue",
        ) => Many(Seq, 0),
        (Python, "tuple" | "Tuple") => Many(Seq, -2),
        (
            Python,
            "dict"
            | "Dict"
            | "Mapping"
            | "MutableMapping"
            | "defaultdict"
            | "DefaultDict"
            | "OrderedDict"
            | "ChainMap"
            | "WeakValueDictionary",
        ) => Many(Map, -1),
        (Python, "Awaitable" | "Coroutine" | "Future" | "Task") => Many(Later, -1),
        (
            Python,
            "ContextManager" | "AbstractContextManager" | "AsyncContextManager" | "AbstractAsyncContextManager",
        ) => Many(Context, 0),
        (
            Python,
            "Optional" | "Annotated" | "Final" | "ClassVar" | "Required" | "NotRequired" | "ReadOnly" | "ref"
            | "ReferenceType",
        ) => Same(0),
        (Python, "Union") => AnyOf,
        (Python, "Type" | "type") => Class,
        (Python, "Callable") => Function,
        (
            EcmaScript,
            "Array" | "ReadonlyArray" | "Set" | "ReadonlySet" | "Iterable" | "Iterator" | "IterableIterator"
            | "Generator" | "AsyncGenerator" | "AsyncIterable" | "WeakSet",
        ) => Many(Seq, 0),
        (EcmaScript, "Map" | "ReadonlyMap" | "WeakMap" | "Record") => Many(Map, -1),
        (EcmaScript, "Promise" | "PromiseLike") => Many(Later, 0),
        (
            EcmaScript,
            "Partial" | "Readonly" | "Required" | "NonNullable" | "Awaited" | "Omit" | "Pick" | "WeakRef"
            | "InstanceType",
        ) => Same(0),
        (
            Rust,
            "Vec" | "VecDeque" | "HashSet" | "BTreeSet" | "Option" | "LinkedList" | "Iterator" | "IntoIterator"
            | "BinaryHeap",
        ) => Many(Seq, 0),
        (Rust, "Result") => Many(Seq, 0),
        (Rust, "HashMap" | "BTreeMap" | "IndexMap") => Many(Map, -1),
        (
            Rust,
            "Box" | "Rc" | "Arc" | "RefCell" | "Cell" | "Mutex" | "RwLock" | "Ref" | "RefMut" | "Pin" | "OnceCell"
            | "OnceLock" | "LazyLock" | "MutexGuard" | "ManuallyDrop",
        ) => Same(0),
        (Rust, "Cow") => Same(-1),
        (Rust, "Future") => Many(Later, 0),
        (
            Java,
            "List" | "ArrayList" | "LinkedList" | "Set" | "HashSet" | "TreeSet" | "LinkedHashSet" | "Collection"
            | "Iterable" | "Iterator" | "Queue" | "Deque" | "ArrayDeque" | "Stream" | "Optional" | "Supplier"
            | "CompletableFuture" | "Future" | "AtomicReference" | "ThreadLocal" | "WeakReference" | "SoftReference",
        ) => Many(Seq, 0),
        (Java, "Map" | "HashMap" | "TreeMap" | "LinkedHashMap" | "ConcurrentHashMap" | "ConcurrentMap") => {
            Many(Map, -1)
        }
        (Java, "Class") => Class,
        _ => return None,
    })
}

/// What a method of a builtin wrapper gives.
pub(crate) fn wrapper_method(system: ModuleSystem, shape: Shape, inner: &Ty, name: &str) -> Option<Ty> {
    use ModuleSystem::*;
    let elem = || Some(inner.clone());
    let seq = || Some(Ty::many(Shape::Seq, inner.clone()));
    let same = || Some(Ty::many(shape, inner.clone()));
    match (system, name) {
        (Python, "get" | "pop" | "setdefault" | "popleft" | "__getitem__" | "__next__") => elem(),
        (Python, "values") => seq(),
        (Python, "copy" | "union" | "difference" | "intersection") => same(),
        (EcmaScript, "get" | "pop" | "shift" | "find" | "at" | "findLast") => elem(),
        (EcmaScript, "values" | "filter" | "slice" | "reverse" | "sort" | "concat" | "splice") => seq(),
        (EcmaScript, "catch" | "finally" | "then") if shape == Shape::Later => same(),
        (
            Rust,
            "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" | "next" | "first" | "last"
            | "pop" | "get" | "get_mut" | "remove" | "find" | "nth" | "unwrap_unchecked" | "pop_front" | "pop_back"
            | "max_by_key" | "min_by_key",
        ) => match (shape, name, inner) {
            // `vec.get(0).unwrap()`: an option of an element, entered twice.
            (_, "unwrap" | "expect", _) => elem(),
            (
                _,
                "get" | "get_mut" | "next" | "first" | "last" | "pop" | "find" | "nth" | "remove" | "pop_front"
                | "pop_back",
                Ty::Many(..),
            ) => elem(),
            (_, "unwrap_or" | "unwrap_or_default" | "unwrap_or_else", _) => elem(),
            _ => seq(),
        },
        (
            Rust,
            "iter" | "iter_mut" | "into_iter" | "as_ref" | "as_mut" | "clone" | "cloned" | "copied" | "values"
            | "values_mut" | "ok" | "ok_or" | "ok_or_else" | "filter" | "rev" | "skip" | "take" | "chain" | "as_deref"
            | "map_err" | "with_context" | "context" | "or_else" | "or" | "drain" | "to_vec" | "collect" | "peekable"
            | "as_slice" | "lock" | "borrow" | "borrow_mut" | "as_deref_mut",
        ) => seq(),
        (
            Java,
            "get" | "next" | "remove" | "poll" | "peek" | "pop" | "first" | "last" | "orElse" | "orElseThrow"
            | "orElseGet" | "join" | "getOrDefault" | "computeIfAbsent" | "getFirst" | "getLast",
        ) => elem(),
        (
            Java,
            "stream" | "iterator" | "values" | "filter" | "findFirst" | "findAny" | "sorted" | "subList" | "distinct",
        ) => seq(),
        _ => None,
    }
}

/// What a call of a builtin function gives, from the types of its arguments.
pub(crate) fn builtin_call(system: ModuleSystem, name: &str, first: Option<&Ty>) -> Option<Ty> {
    if system != ModuleSystem::Python {
        return None;
    }
    let first = first?;
    let element = || match first {
        Ty::Many(Shape::Seq, inner) => Some((**inner).clone()),
        _ => None,
    };
    match name {
        "list" | "sorted" | "tuple" | "set" | "frozenset" | "reversed" | "iter" | "deque" => {
            element().map(|e| Ty::many(Shape::Seq, e))
        }
        "next" | "min" | "max" => element(),
        "copy" | "deepcopy" | "proxy" => Some(first.clone()),
        "partial" | "wraps" | "lru_cache" | "cache" => match first {
            Ty::Func(_) | Ty::Class(_) | Ty::Returns(_) => Some(first.clone()),
            _ => None,
        },
        "type" => first.class().map(Ty::Class),
        _ => None,
    }
}

/// Methods of functions that call the function itself.
pub(crate) fn calls_function(system: ModuleSystem, name: &str) -> bool {
    system == ModuleSystem::EcmaScript && matches!(name, "call" | "apply" | "bind")
}
