//! Python: what extraction says of small sources.

use std::fmt::Write as _;

use portolan::extract::extract;
use portolan::facts::*;
use portolan::lang;

fn facts(source: &str) -> Facts {
    extract(lang::by_name("python").unwrap(), "py", source).facts
}

/// An expression in a short notation.
fn show(f: &Facts, id: ExprId) -> String {
    let list = |ids: &[ExprId]| ids.iter().map(|&i| show(f, i)).collect::<Vec<_>>().join(", ");
    match f.expr(id) {
        Expr::Unknown => "?".into(),
        Expr::Name(n) => f.name(*n).into(),
        Expr::Attr(of, n) => format!("{}.{}", show(f, *of), f.name(*n)),
        Expr::Call(of, args) => format!("{}({})", show(f, *of), list(args)),
        Expr::New(of) => format!("new {}", show(f, *of)),
        Expr::Index(of) => format!("{}[]", show(f, *of)),
        Expr::Element(of) => format!("each({})", show(f, *of)),
        Expr::Entered(of) => format!("entered({})", show(f, *of)),
        Expr::Await(of) => format!("await {}", show(f, *of)),
        Expr::SelfRef => "SELF".into(),
        Expr::SelfType => "CLS".into(),
        Expr::Super => "SUPER".into(),
        Expr::Literal(kind) => format!("<{kind:?}>"),
        Expr::Container(kind, parts) => format!("{kind:?}<{}>", list(parts)),
        Expr::Generic(of, args) => format!("{}[{}]", show(f, *of), list(args)),
        Expr::Union(parts) => format!("({})", parts.iter().map(|&i| show(f, i)).collect::<Vec<_>>().join(" | ")),
        Expr::Function(s) => format!("fn {}", s.0),
        Expr::TypeOf(of) => format!("type({})", show(f, *of)),
        Expr::Module(n) => format!("module {}", f.name(*n)),
    }
}

fn qual(f: &Facts, symbol: SymbolIdx) -> String {
    f.symbol_id("", symbol).trim_start_matches("::").to_owned()
}

/// `caller: callee @line/args` of each call.
fn calls(f: &Facts) -> Vec<String> {
    f.calls.iter().map(|c| format!("{}: {} @{}/{}", qual(f, c.caller), show(f, c.callee), c.line, c.args)).collect()
}

/// `from access expr @line` of each mention.
fn refs(f: &Facts) -> Vec<String> {
    f.refs
        .iter()
        .map(|r| format!("{} {:?} {} @{}", qual(f, r.from), r.access, show(f, r.expr), r.line).to_lowercase())
        .collect()
}

fn binds(f: &Facts) -> Vec<String> {
    f.binds
        .iter()
        .map(|b| {
            let ty = b.ty.map_or(String::new(), |t| format!(": {}", show(f, t)));
            let value = show(f, b.value);
            format!("{} {:?} {}{ty} = {value} @{}-{}", qual(f, b.scope), b.kind, f.name(b.name), b.line, b.end_line)
        })
        .collect()
}

fn attrs(f: &Facts) -> Vec<String> {
    f.attrs
        .iter()
        .map(|a| {
            let ty = a.ty.map_or(String::new(), |t| format!(": {}", show(f, t)));
            let value = a.value.map_or(String::new(), |v| format!(" = {}", show(f, v)));
            format!("{}.{}{ty}{value} in {} @{}", qual(f, a.class), f.name(a.name), qual(f, a.scope), a.line)
        })
        .collect()
}

fn imports(f: &Facts) -> Vec<String> {
    f.imports
        .iter()
        .map(|i| {
            let mut out = format!("{} {}{}", qual(f, i.scope), ".".repeat(i.level.into()), f.name(i.module));
            match &i.what {
                ImportWhat::Module { alias } => {
                    let _ = write!(out, " as {}", alias.map_or("-", |a| f.name(a)));
                }
                ImportWhat::Item { item, alias } => {
                    let _ = write!(out, " : {} as {}", f.name(*item), f.name(*alias));
                }
                ImportWhat::Star => out.push_str(" : *"),
                other => {
                    let _ = write!(out, " {other:?}");
                }
            }
            if i.type_only {
                out.push_str(" (types)");
            }
            out
        })
        .collect()
}

/// `qual kind lines flags` of each symbol but the module.
fn symbols(f: &Facts) -> Vec<String> {
    (1..f.symbols.len() as u32)
        .map(|i| {
            let s = f.symbol(SymbolIdx(i));
            let mut out = format!("{} {} {}-{}", qual(f, SymbolIdx(i)), s.kind.as_str(), s.start_line, s.end_line);
            let flags = [
                (s.flags.is_static, "static"),
                (s.flags.is_classmethod, "classmethod"),
                (s.flags.is_abstract, "abstract"),
                (s.flags.is_async, "async"),
                (!s.flags.exported, "hidden"),
                (s.flags.is_test, "test"),
                (s.flags.entry_point, "entry"),
                (s.flags.is_constructor, "constructor"),
                (s.flags.is_generator, "generator"),
                (s.flags.is_fixture, "fixture"),
            ];
            for (_, flag) in flags.iter().filter(|(on, _)| *on) {
                let _ = write!(out, " {flag}");
            }
            out
        })
        .collect()
}

fn symbol<'f>(f: &'f Facts, qualname: &str) -> &'f SymbolFact {
    f.symbols.iter().find(|s| f.name(s.qualname) == qualname).unwrap_or_else(|| panic!("no {qualname}"))
}

#[track_caller]
fn same(found: Vec<String>, wanted: &[&str]) {
    assert_eq!(found, wanted, "\n{found:#?}");
}

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
            "<module>: deco @2/1",
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
            "C: classmethod @18/1",
            "C.k: CLS.make() @20/1",
            "C.k: CLS.make @20/0",
            "C.k: type @21/1",
            "C: staticmethod @22/1",
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
    with open(p) as fh, lock: pass
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
            "f Assign d = ? @5-21",
            "f Assign e = ? @5-21",
            "f Assign n: Bar = make() @6-21",
            "f For i = <Number> @7-21",
            "f For item = each(p.items) @7-21",
            "f For k = ? @8-21",
            "f For v = d[] @8-21",
            "f For q = each(p) @9-21",
            "f With fh = entered(open(p)) @10-21",
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
            "f Narrow y: Foo = ? @9-14",
            "f Narrow x: Baz = ? @9-14",
            "f Narrow x: Q = ? @10-10",
            "f Narrow x: m.Point = ? @12-13",
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
            "c.m value self.cb @15",
            "c.m value self.a.b @16",
            "c.m read self.a @16",
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

#[test]
fn broken_and_hostile_sources() {
    let old = facts("print 'hello %s' % name\nexec code in ns\ndef f((a, b), c):\n    raise E, 'x'\n    f(1)\n");
    assert!(old.symbols.iter().any(|s| old.name(s.name) == "f"));
    assert_eq!(facts("").symbols.len(), 1);
    let cut = facts(
        "def ok():\n    good()\n\nclass Broken(:\n    def m(self:\n        x = [1, 2\n\ndef after():\n    call()\n",
    );
    assert!(cut.syntax_errors > 0);
    assert!(calls(&cut).iter().any(|c| c.contains("ok: good")));

    let sum = format!("x = {}\n", vec!["a"; 10_000].join(" + "));
    assert_eq!(facts(&sum).binds.len(), 1);
    let either = format!("x = {}\n", vec!["a()"; 10_000].join(" or "));
    assert_eq!(facts(&either).calls.len(), 10_000);
    let both = format!("if {}: pass\n", vec!["isinstance(a, B)"; 5_000].join(" and "));
    assert_eq!(facts(&both).calls.len(), 5_000);
    let chain = format!("x = a{}\n", ".b()".repeat(5_000));
    assert_eq!(facts(&chain).calls.len(), 5_000);
    let nested = format!("x = {}1{}\n", "f(".repeat(2_000), ")".repeat(2_000));
    assert_eq!(facts(&nested).calls.len(), 2_000);
    facts(&format!("x = {}1{}\n", "(".repeat(5_000), ")".repeat(5_000)));
    facts(&format!("{}x = 1\n", "[".repeat(5_000)));
    facts(&format!("x: \"{}\"\n", "A[".repeat(20_000)));
    facts(&format!("x: {}int{}\n", "A[".repeat(2_000), "]".repeat(2_000)));
    facts(&format!("x: {}\n", vec!["A"; 5_000].join(" | ")));
    facts(&format!("def f(x: \"{}\"): pass\n", vec!["A"; 5_000].join("|")));
    facts(&format!("{} = 1\n", vec!["a"; 10_000].join(" = ")));
    let deep: String = (0..300).map(|i| format!("{}def f{i}(self):\n", " ".repeat(i))).collect();
    facts(&deep);
}

#[test]
fn extraction_is_deterministic() {
    let source = include_str!("extract_python.rs");
    let lang = lang::by_name("python").unwrap();
    let (a, b) = (extract(lang, "py", source), extract(lang, "py", source));
    assert_eq!(a.facts, b.facts);
    assert_eq!(a.terms, b.terms);
}

/// Extracts every Python file under the folders in `PORTOLAN_TREES` (colon-separated) and prints where the time goes:
/// `PORTOLAN_TREES=... cargo test --release --test library python_trees -- --ignored --nocapture`.
#[test]
#[ignore = "needs real repositories in PORTOLAN_TREES"]
fn python_trees() {
    use std::time::Duration;
    /// CPU time of this thread: the machine may be busy.
    struct Cpu(Duration);
    impl Cpu {
        fn now() -> Cpu {
            let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
            // SAFETY: writes one timespec.
            unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut t) };
            Cpu(Duration::new(t.tv_sec as u64, t.tv_nsec as u32))
        }
        fn elapsed(&self) -> Duration {
            Cpu::now().0 - self.0
        }
    }
    let lang = lang::by_name("python").unwrap();
    for root in std::env::var("PORTOLAN_TREES").expect("PORTOLAN_TREES").split(':') {
        let sources: Vec<String> = ignore::Walk::new(root)
            .filter_map(Result::ok)
            .filter(|e| e.path().extension().is_some_and(|x| x == "py" || x == "pyi"))
            .filter_map(|e| std::fs::read(e.path()).ok())
            .map(|b| String::from_utf8_lossy(&b).into_owned())
            .collect();
        if let Ok(out) = std::env::var("DUMP") {
            let mut text = String::new();
            for e in ignore::Walk::new(root)
                .filter_map(Result::ok)
                .filter(|e| e.path().extension().is_some_and(|x| x == "py"))
            {
                let b = std::fs::read(e.path()).unwrap();
                let f = facts(&String::from_utf8_lossy(&b));
                let p = e.path().display();
                for s in &f.symbols[1..] {
                    let _ = writeln!(
                        text,
                        "{p}\tS\t{}\t{}\t{}\t{}\t{}\t{}",
                        f.name(s.qualname),
                        s.start_line,
                        s.end_line,
                        s.kind.as_str(),
                        s.params.len(),
                        s.flags.is_generator
                    );
                }
                for c in &f.calls {
                    let last = match f.expr(c.callee) {
                        Expr::Name(n) | Expr::Attr(_, n) => f.name(*n).to_owned(),
                        Expr::SelfRef => "SELF".into(),
                        Expr::SelfType => "CLS".into(),
                        _ => "?".into(),
                    };
                    let _ = writeln!(
                        text,
                        "{p}\tC\t{}\t{}\t{}\t{}",
                        f.name(f.symbol(c.caller).qualname),
                        c.line,
                        last,
                        c.args
                    );
                }
            }
            std::fs::write(out, text).unwrap();
            return;
        }
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&lang.grammar("py")).unwrap();
        let start = Cpu::now();
        for source in &sources {
            std::hint::black_box(parser.parse(source, None));
        }
        let parse = start.elapsed();
        let start = Cpu::now();
        let extracted: Vec<_> = sources.iter().map(|s| extract(lang, "py", s)).collect();
        let all = start.elapsed();
        let count = |f: &dyn Fn(&Facts) -> usize| extracted.iter().map(|e| f(&e.facts)).sum::<usize>();
        let encoded: usize = extracted.iter().map(|e| postcard::to_stdvec(&e.facts).unwrap().len()).sum();
        let start = Cpu::now();
        let bytes: Vec<_> = extracted.iter().map(|e| postcard::to_stdvec(&e.facts).unwrap()).collect();
        let encode = start.elapsed();
        let start = Cpu::now();
        for b in &bytes {
            std::hint::black_box(postcard::from_bytes::<Facts>(b).unwrap());
        }
        let decode = start.elapsed();
        let start = Cpu::now();
        let mut entries = 0usize;
        for e in &extracted {
            let r = e.terms.reader();
            entries += r.words().map(str::len).sum::<usize>() / 1_000_000;
            entries +=
                r.units().map(|u| u.entries.map(|e| e.counts[0] as usize / 70_000 + 1).sum::<usize>()).sum::<usize>();
        }
        let read = start.elapsed();
        println!(
            "{root}: {} files, parse {parse:?}, walk and terms {:?}; facts {encoded} B (encode {encode:?}, decode {decode:?}), terms {} B (read {read:?}, {entries} entries)",
            sources.len(),
            all.saturating_sub(parse),
            extracted.iter().map(|e| e.terms.as_bytes().len()).sum::<usize>(),
        );
        println!(
            "  symbols {} exprs {} names {} calls {} refs {} binds {} attrs {} imports {} errors {}",
            count(&|f| f.symbols.len()),
            count(&|f| f.exprs.len()),
            count(&|f| f.names.len()),
            count(&|f| f.calls.len()),
            count(&|f| f.refs.len()),
            count(&|f| f.binds.len()),
            count(&|f| f.attrs.len()),
            count(&|f| f.imports.len()),
            count(&|f| f.syntax_errors as usize),
        );
        assert!(all < Duration::from_secs(600));
    }
}
