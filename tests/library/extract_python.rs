//! Python: what extraction says of small sources.

mod hostile;
mod notation;
mod trees;

use portolan::extract::extract;
use portolan::facts::*;
use portolan::lang;

use notation::*;

#[test]
fn definitions() {
    let f = facts(
        r#""""Module doc."""
import enum
LIMIT = 3
name: str = "x"
LIMIT = 4
a, b = 1, 2

class Outer(Base[int], metaclass=Meta):
    """Doc of Outer.

    flush
        indented
    """
    class Inner:
        pass

    def __init__(self, x):
        def helper():
            yield x
        self.x = helper

    @property
    def value(self): return self._value

    @value.setter
    def value(self, v):
        self._value = v

    @staticmethod
    def make(): ...

    @classmethod
    async def load(cls): ...

    @abc.abstractmethod
    def _todo(self): ...

@overload
def f(x: int) -> int: ...
@overload
def f(x: str) -> str: ...
def f(x):
    return x

class Color(enum.Enum):
    RED = 1
    _ignore_ = []
    GREEN = "g"
    def lower(self): ...

type Pair[T] = tuple[T, T]
Alias = Union[int, "Outer"]
Named: TypeAlias = "Outer"

def first[T: Base, *Ts](xs: list[T]) -> T: ...
class Box[T](Generic[T]): ...
"#,
    );
    assert_eq!(&*f.symbol(SymbolIdx::MODULE).doc, "Module doc.");
    same(
        symbols(&f),
        &[
            "LIMIT constant 3-3",
            "name variable 4-4",
            "Outer class 8-36",
            "Outer.Inner class 14-15",
            "Outer.__init__ method 17-20 constructor",
            "Outer.__init__.helper function 18-19 generator",
            "Outer.value property 22-23",
            "Outer.value#2 property 25-27",
            "Outer.make method 29-30 static",
            "Outer.load method 32-33 classmethod async",
            "Outer._todo method 35-36 abstract hidden",
            "f function 38-39 abstract",
            "f#2 function 40-41 abstract",
            "f#3 function 42-43",
            "Color enum 45-49",
            "Color.RED enum_member 46-46",
            "Color.GREEN enum_member 48-48",
            "Color.lower method 49-49",
            "Pair type_alias 51-51",
            "Alias type_alias 52-52",
            "Named type_alias 53-53",
            "first function 55-55",
            "Box class 56-56",
        ],
    );
    let outer = symbol(&f, "Outer");
    assert_eq!(&*outer.doc, "Doc of Outer.\n\nflush\n    indented");
    assert_eq!(&*outer.signature, "class Outer(Base[int], metaclass=Meta)");
    assert_eq!(outer.bases.iter().map(|&b| show(&f, b)).collect::<Vec<_>>(), ["Base[int]"]);
    assert_eq!(show(&f, symbol(&f, "Alias").ty.unwrap()), "(int | Outer)");
    assert_eq!(show(&f, symbol(&f, "Named").ty.unwrap()), "Outer");
    assert_eq!(show(&f, symbol(&f, "Pair").ty.unwrap()), "tuple[T, T]");
    let first = symbol(&f, "first");
    let params: Vec<_> = first.type_params.iter().map(|(n, b)| (f.name(*n), b.map(|b| show(&f, b)))).collect();
    assert_eq!(params, [("T", Some("Base".to_owned())), ("Ts", None)]);
    assert_eq!(f.name(symbol(&f, "Box").type_params[0].0), "T");
    assert_eq!(show(&f, symbol(&f, "Outer.__init__.helper").values[0]), "x");
    assert_eq!(show(&f, symbol(&f, "Outer.value").values[0]), "SELF._value");
}

#[test]
fn parameters_and_annotations() {
    let f = facts(
        r#"
def f(a, b: int = 3, *args: str, c=None, d: "Optional[m.Foo]" = default(), **kw) -> "list['Bar'] | None":
    pass
def g(x: Annotated[Foo, Query(max=3)], y: type[Foo], z: typing.Union[A, None], w: Callable[[A], B], v: A | B | None): pass
def h(x: Literal["a", "b"], y: "broken[", z: Self, w: "Dict[str, List[Deep]]"): pass
"#,
    );
    let params = |name: &str| -> Vec<String> {
        symbol(&f, name)
            .params
            .iter()
            .map(|p| {
                let ty = p.ty.map_or(String::new(), |t| format!(": {}", show(&f, t)));
                let default = p.default.map_or(String::new(), |d| format!(" = {}", show(&f, d)));
                format!("{}{}{ty}{default}", if p.variadic { "*" } else { "" }, f.name(p.name))
            })
            .collect()
    };
    same(
        params("f"),
        &["a", "b: int = <Number>", "*args: str", "c = <None>", "d: (m.Foo | <None>) = default()", "*kw"],
    );
    assert_eq!(show(&f, symbol(&f, "f").returns.unwrap()), "(list[Bar] | <None>)");
    same(params("g"), &["x: Foo", "y: type(Foo)", "z: (A | <None>)", "w: Callable[?, B]", "v: (A | B | <None>)"]);
    same(params("h"), &["x: ?", "y: broken[]", "z: CLS", "w: Dict[str, List[Deep]]"]);
    // a default runs in the scope around; calls in annotations too
    same(calls(&f), &["<module>: default @2/0", "<module>: Query @4/1"]);
    let types: Vec<_> = refs(&f).into_iter().filter(|r| r.starts_with("f type")).collect();
    same(types, &["f type int @2", "f type str @2", "f type m.foo @2", "f type bar @2", "f type list @2"]);
}

#[test]
fn flags_of_frameworks() {
    let f = facts(
        r#"
@app.route("/")
def index(): ...
@cli.command
def run(): ...
def main(): ...
@pytest.fixture
def client(): ...
def test_one(client): ...
def testing(): ...
class TestThing:
    def test_a(self): ...
    def helper(self): ...
class Testimony:
    def test_b(self): ...
class Suite(unittest.TestCase):
    def testCamel(self): ...
    def runTest(self): ...
"#,
    );
    same(
        symbols(&f),
        &[
            "index function 2-3 entry",
            "run function 4-5 entry",
            "main function 6-6 entry",
            "client function 7-8 fixture",
            "test_one function 9-9 test",
            "testing function 10-10",
            "TestThing class 11-13 test",
            "TestThing.test_a method 12-12 test",
            "TestThing.helper method 13-13",
            "Testimony class 14-15",
            "Testimony.test_b method 15-15",
            "Suite class 16-18 test",
            "Suite.testCamel method 17-17 test",
            "Suite.runTest method 18-18 test",
        ],
    );
}

#[test]
fn calls_everywhere() {
    let f = facts(
        r#"
@deco
@make(1)
class C(base()):
    field = build()
    def m(this, *, k=default()):
        this.go(1, *xs)
        super().m()
        super(C, this).m(k)
        (a
          .b
          .c(x=1))
        f"{fmt(1)!r}"
        [g(y) for y in ys() if h(y)]
        lambda: inner()
        def nested():
            this.deep()
    @classmethod
    def k(klass):
        klass.make()(2)
        type(klass)
    @staticmethod
    def s(self):
        self.no()
top(i for i in z())
"#,
    );
    same(
        calls(&f),
        &[
            "<module>: make @3/1",
            "<module>: base @4/0",
            "C: build @5/0",
            "C: default @6/0",
            "C.m: SELF.go @7/255",
            "C.m: SUPER.m @8/0",
            "C.m: SUPER.m @9/1",
            "C.m: a.b.c @12/1",
            "C.m: fmt @13/1",
            "C.m: g @14/1",
            "C.m: ys @14/0",
            "C.m: h @14/1",
            "C.m: inner @15/0",
            "C.m.nested: SELF.deep @17/0",
            "C.k: CLS.make() @20/1",
            "C.k: CLS.make @20/0",
            "C.k: type @21/1",
            "C.s: self.no @24/0",
            "<module>: top @25/1",
            "<module>: z @25/0",
        ],
    );
}

#[test]
fn imports_in_all_forms() {
    let f = facts(
        r#"
from __future__ import annotations
import a.b, c as d
from x.y import (one, two as deux,)
from . import z
from ..up import *
if TYPE_CHECKING:
    from t import T
try:
    import fast
except ImportError:
    fast = None
def f():
    from .local import thing
__all__ = ["one", 'f']
__all__ += ("two",)
__all__.extend(["three"] )
__all__.append("four")
"#,
    );
    same(
        imports(&f),
        &[
            "<module> a.b as -",
            "<module> c as d",
            "<module> x.y : one as one",
            "<module> x.y : two as deux",
            "<module> . : z as z",
            "<module> ..up : *",
            "<module> t : T as T (types)",
            "<module> fast as -",
            "f .local : thing as thing",
        ],
    );
    let exports: Vec<_> = f.exports.iter().map(|e| f.name(e.name)).collect();
    assert_eq!(exports, ["one", "f", "two", "three", "four"]);
    same(symbols(&f), &["f function 13-14"]);
}

#[test]
fn bindings() {
    let f = facts(
        r#"
def f(p):
    x = y = Foo(1)
    a, (b, *c) = one(), two()
    d, e = pair()
    n: "Bar" = make()
    for i, item in enumerate(p.items): pass
    for k, v in d.items(): pass
    for q in p: pass
    with (open(p) as fh, lock as lk): pass
    if (w := get()): pass
    z = [t.u for t in p.all]
    w += 1
    g = cast("Foo", w)
    try: pass
    except (A, m.B) as err: pass
    global G
    G = 1
    r = x or Baz() if x else await other()
    s = {"k": Foo()}
    h = p[0]
"#,
    );
    same(
        binds(&f),
        &[
            "f Assign x = Foo(<Number>) @3-21",
            "f Assign y = Foo(<Number>) @3-21",
            "f Assign a = one() @4-21",
            "f Assign b = ? @4-21",
            "f Assign c = <List> @4-21",
            "f Assign d = part 0 of pair() @5-21",
            "f Assign e = part 1 of pair() @5-21",
            "f Assign n: Bar = make() @6-21",
            "f For i = <Number> @7-21",
            "f For item = each(p.items) @7-21",
            "f For k = ? @8-21",
            "f For v = d[] @8-21",
            "f For q = each(p) @9-21",
            "f With fh = entered(open(p)) @10-21",
            "f With lk = entered(lock) @10-21",
            "f Assign w = get() @11-21",
            "f Assign z = List<t.u> @12-21",
            "f For t = each(p.all) @12-12",
            "f Assign g: Foo = cast(<Str>, w) @14-21",
            "f Except err: (A | m.B) = ? @16-16",
            "f Outer G = ? @17-21",
            "f Assign r = ((x | Baz()) | await other()) @19-21",
            "f Assign s = Map<Foo()> @20-21",
            "f Assign h = p[] @21-21",
        ],
    );
}

#[test]
fn narrowing() {
    let f = facts(
        r#"
def f(x, y):
    if isinstance(x, Foo) and y and isinstance(y, (A, m.B)):
        x.go()
    elif isinstance(x, Bar):
        pass
    if not isinstance(y, Foo):
        return
    assert isinstance(x, Baz)
    z = isinstance(x, Q) and x.q
    match x:
        case m.Point(a=1):
            pass
        case [1]: pass
    match x.y:
        case Foo() as foo: pass
"#,
    );
    let narrow: Vec<_> = binds(&f).into_iter().filter(|b| b.contains("Narrow")).collect();
    same(
        narrow,
        &[
            "f Narrow y: (A | m.B) = ? @4-4",
            "f Narrow x: Foo = ? @4-4",
            "f Narrow x: Foo = ? @3-3",
            "f Narrow x: Bar = ? @6-6",
            "f Narrow y: Foo = ? @9-16",
            "f Narrow x: Baz = ? @9-16",
            "f Narrow x: Q = ? @10-10",
            "f Narrow x: m.Point = ? @12-13",
            "f Narrow foo: Foo = ? @16-16",
        ],
    );
}

#[test]
fn attributes_of_classes() {
    let f = facts(
        r#"
class C:
    kind: ClassVar[str]
    table = {"a": handler}
    def __init__(self, x):
        self.x: "Foo" = x
        self.y, self.z = Foo(), 2
    @classmethod
    def reset(cls):
        cls.shared = Bar()
    def later(me):
        def cb(): me.w = 1
        other.v = 1
"#,
    );
    same(
        attrs(&f),
        &[
            "C.kind: str in C @3",
            "C.table = Map<handler> in C @4",
            "C.x: Foo = x in C.__init__ @6",
            "C.y = Foo() in C.__init__ @7",
            "C.z = <Number> in C.__init__ @7",
            "C.shared = Bar() in C.reset @10",
            "C.w = <Number> in C.later.cb @12",
        ],
    );
}

#[test]
fn mentions() {
    let f = facts(
        r#"
LIMIT = 3
TABLE = {"a": on_a, "b": mod.on_b}
def f(p):
    register(callback, key=mod.handler, other=p)
    local = target
    use(local)
    p.field = LIMIT
    p.count += 1
    if self_check.DEBUG and p.size > LIMIT: pass
    run(MAX=2)
    return result
settings = load()
from m import shared
def g(settings2, t=lambda shared: shared):
    if settings and settings.debug == shared: pass
    settings2 = settings = 1
    settings.x
    other.settings(settings=1)
def h():
    for k in shared: settings[k].go()
class C:
    def m(self):
        run(self.cb, self)
        return self.a.b
"#,
    );
    same(
        refs(&f),
        &[
            "<module> value on_a @3",
            "<module> value mod.on_b @3",
            "f value callback @5",
            "f value mod.handler @5",
            "f value target @6",
            "f write p.field @8",
            "f value limit @8",
            "f write p.count @9",
            "f read self_check.debug @10",
            "f read p.size @10",
            "f read limit @10",
            "f value result @12",
            "g read settings @16",
            "g read settings.debug @16",
            "g read settings @16",
            "g read shared @16",
            "g read settings.x @18",
            "h value shared @21",
            "h read settings @21",
            "c.m value self.cb @24",
            "c.m value self.a.b @25",
            "c.m read self.a @25",
        ],
    );
}

#[test]
fn words_belong_to_the_innermost_symbol() {
    let source = r#"
@option("--colour", help="Pick a shade")
def paint(surface):
    """Covers a wall."""
    raise Failure("no brush") # sadly
LIMIT = "ceiling"
"#;
    let e = extract(lang::by_name("python").unwrap(), "py", source);
    let reader = e.terms.reader();
    let words: Vec<_> = reader.words().collect();
    let of = |symbol: u32, field: usize| -> Vec<&str> {
        let unit = reader.units().find(|u| u.symbol == symbol).unwrap();
        let mut out: Vec<_> = unit.entries.filter(|e| e.counts[field] > 0).map(|e| words[e.word as usize]).collect();
        out.sort_unstable();
        out
    };
    assert_eq!(qual(&e.facts, SymbolIdx(1)), "paint");
    assert_eq!(of(1, 0), ["paint"]);
    assert_eq!(of(1, 1), ["cover", "wall"]);
    assert_eq!(of(1, 2), ["brush", "colour", "pick", "shad"]);
    assert_eq!(of(1, 3), ["sadly"]);
    assert_eq!(of(1, 4), ["failur", "help", "option", "paint", "surfac"]);
    assert_eq!(of(2, 2), ["ceil"]);
}
