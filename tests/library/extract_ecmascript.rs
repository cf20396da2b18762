//! JavaScript and TypeScript: what extraction says of small files.

use portolan::extract::extract;
use portolan::facts::*;
use portolan::lang;

fn facts(extension: &str, source: &str) -> Facts {
    let language = lang::by_extension(extension).expect("a known extension");
    extract(language, extension, source).facts
}

/// An expression on one line: `new` and the like as calls, unknown as `?`.
fn show(f: &Facts, id: ExprId) -> String {
    let list = |ids: &[ExprId]| ids.iter().map(|&i| show(f, i)).collect::<Vec<_>>().join(", ");
    match f.expr(id) {
        Expr::Unknown => "?".to_owned(),
        Expr::Name(n) => f.name(*n).to_owned(),
        Expr::Attr(a, n) => format!("{}.{}", show(f, *a), f.name(*n)),
        Expr::Call(a, args) => format!("{}({})", show(f, *a), list(args)),
        Expr::New(a) => format!("new {}", show(f, *a)),
        Expr::Index(a) => format!("{}[]", show(f, *a)),
        Expr::Element(a) => format!("element({})", show(f, *a)),
        Expr::Item(a, i) => format!("item({}, {i})", show(f, *a)),
        Expr::Entered(a) => format!("entered({})", show(f, *a)),
        Expr::Await(a) => format!("await({})", show(f, *a)),
        Expr::SelfRef => "this".to_owned(),
        Expr::SelfType => "Self".to_owned(),
        Expr::Super => "super".to_owned(),
        Expr::Literal(kind) => format!("{kind:?}"),
        Expr::Container(kind, parts) => format!("{kind:?}[{}]", list(parts)),
        Expr::Generic(a, args) => format!("{}<{}>", show(f, *a), list(args)),
        Expr::Union(parts) => parts.iter().map(|&i| show(f, i)).collect::<Vec<_>>().join(" | "),
        Expr::Function(s) => format!("fn {}", f.name(f.symbol(*s).qualname)),
        Expr::TypeOf(a) => format!("typeof {}", show(f, *a)),
        Expr::Module(n) => format!("module({})", f.name(*n)),
    }
}

fn symbol<'f>(f: &'f Facts, qualname: &str) -> &'f SymbolFact {
    f.symbols
        .iter()
        .find(|s| f.name(s.qualname) == qualname)
        .unwrap_or_else(|| panic!("no {qualname} in {:?}", names(f)))
}

fn names(f: &Facts) -> Vec<&str> {
    // Fields are what the attributes say.
    let symbols = f.symbols.iter().skip(1).filter(|s| s.kind != SymbolKind::Field);
    symbols.map(|s| f.name(s.qualname)).collect()
}

fn qualname(f: &Facts, idx: SymbolIdx) -> &str {
    f.name(f.symbol(idx).qualname)
}

/// `line caller -> callee/arguments`, `new` for constructions.
fn calls(f: &Facts) -> Vec<String> {
    f.calls
        .iter()
        .map(|c| {
            let new = if c.construct { "new " } else { "" };
            format!("{} {} -> {new}{}/{}", c.line, qualname(f, c.caller), show(f, c.callee), c.args)
        })
        .collect()
}

fn exports(f: &Facts) -> Vec<String> {
    f.exports.iter().map(|e| format!("{}={}", f.name(e.name), show(f, e.value))).collect()
}

fn imports(f: &Facts) -> Vec<String> {
    f.imports
        .iter()
        .map(|i| {
            let what = match &i.what {
                ImportWhat::Module { alias } => format!("* as {}", alias.map_or("", |a| f.name(a))),
                ImportWhat::Item { item, alias } => format!("{} as {}", f.name(*item), f.name(*alias)),
                ImportWhat::Star => "*".to_owned(),
                ImportWhat::Default { alias } => format!("default as {}", f.name(*alias)),
                ImportWhat::Effect => "effect".to_owned(),
                ImportWhat::ChildModule { name } => f.name(*name).to_owned(),
            };
            let (re, ty) = (if i.reexport { " reexport" } else { "" }, if i.type_only { " type" } else { "" });
            format!("{}: {what}{re}{ty}", f.name(i.module))
        })
        .collect()
}

/// `name=value` of the bindings of a scope.
fn binds(f: &Facts, scope: &str) -> Vec<String> {
    f.binds
        .iter()
        .filter(|b| qualname(f, b.scope) == scope)
        .map(|b| {
            let ty = b.ty.map_or(String::new(), |t| format!(": {}", show(f, t)));
            format!("{}={}{ty}", f.name(b.name), show(f, b.value))
        })
        .collect()
}

fn attrs(f: &Facts) -> Vec<String> {
    f.attrs
        .iter()
        .map(|a| {
            let value = a.value.map_or(String::new(), |v| format!("={}", show(f, v)));
            let ty = a.ty.map_or(String::new(), |t| format!(": {}", show(f, t)));
            format!("{}.{}{value}{ty}", qualname(f, a.class), f.name(a.name))
        })
        .collect()
}

fn refs(f: &Facts) -> Vec<String> {
    f.refs.iter().map(|r| format!("{} {:?} {}", qualname(f, r.from), r.access, show(f, r.expr))).collect()
}

#[track_caller]
fn assert_all(have: &[String], want: &[&str]) {
    for want in want {
        assert!(have.iter().any(|h| h == want), "no {want:?} in {have:#?}");
    }
}

#[test]
fn functions_and_what_they_are_bound_to() {
    let f = facts(
        "js",
        "function a() { function inner() {} }\nasync function* b() { yield 1; }\nconst c = async (x, ...y) => x;\n\
         let d = function named() {};\nconst e = { get() {}, post: function () {}, put: (x) => x, deep: { go() {} } };\n\
         class F { #p = 1; arrow = () => 1; static s() {} get g() { return 1; } constructor() {} static { a(); } }\n\
         call(function loose() {});\n",
    );
    assert_eq!(
        names(&f),
        [
            "a",
            "a.inner",
            "b",
            "c",
            "d",
            "e",
            "e.get",
            "e.post",
            "e.put",
            "e.deep",
            "e.deep.go",
            "F",
            "F.#p",
            "F.arrow",
            "F.s",
            "F.g",
            "F.constructor",
            "loose"
        ]
    );
    let b = symbol(&f, "b");
    assert!(b.flags.is_async && b.flags.is_generator);
    let c = symbol(&f, "c");
    assert!(c.flags.is_async && c.params[1].variadic);
    assert_eq!(c.kind, SymbolKind::Function);
    assert_eq!(&*c.signature, "const c = async (x, ...y) =>");
    assert_eq!(symbol(&f, "e.post").kind, SymbolKind::Method);
    assert_eq!(symbol(&f, "F.arrow").kind, SymbolKind::Method);
    assert_eq!(symbol(&f, "F.g").kind, SymbolKind::Property);
    assert!(symbol(&f, "F.constructor").flags.is_constructor);
    assert!(symbol(&f, "F.s").flags.is_static);
    assert_all(&calls(&f), &["6 F -> a/0", "7 <module> -> call/1"]);
}

#[test]
fn typescript_definitions() {
    let f = facts(
        "ts",
        "/** A shape. */\nexport interface Shape<T extends Base> extends Other<T>, ns.Thing { name: string; area(): number; on: (e: Ev) => void }\n\
         export type Alias = { run(x: number): T1; inner: { no: string } } | Other<C>;\n\
         export enum Color { Red = 1, Green }\n\
         export function over(a: string): string;\nexport function over(a: any) { return a; }\n\
         @Injectable()\nexport abstract class Foo<T> extends mixin(Base)<T> implements Shape<T> {\n\
           static readonly MAX = 10;\n  private svc?: Service;\n\
           constructor(private http: Http, public x = 1, { opt }: Opts) { super(x); }\n\
           @Get('/x') async list(q?: Q, ...rest: string[]): Promise<Foo<T>[]> { return this.http.get(); }\n\
           abstract go(): this;\n}\n\
         namespace NS.Sub { export function f() {} export const k = 1; }\n",
    );
    let shape = symbol(&f, "Shape");
    assert_eq!(shape.kind, SymbolKind::Interface);
    assert_eq!(&*shape.doc, "A shape.");
    assert_eq!(shape.bases.iter().map(|&b| show(&f, b)).collect::<Vec<_>>(), ["Other<T>", "ns.Thing"]);
    assert_eq!(f.name(shape.type_params[0].0), "T");
    assert_eq!(show(&f, symbol(&f, "Shape.area").returns.unwrap()), "Number");
    assert_eq!(symbol(&f, "Shape.on").kind, SymbolKind::Method);
    assert_eq!(symbol(&f, "Alias.run").kind, SymbolKind::Method);
    assert!(!names(&f).contains(&"Alias.no") && !names(&f).contains(&"Alias.inner.no"));
    assert_eq!(symbol(&f, "Color.Green").kind, SymbolKind::EnumMember);
    let over: Vec<_> = f.symbols.iter().filter(|s| f.name(s.name) == "over").map(|s| s.flags.is_abstract).collect();
    assert_eq!(over, [true, false]);
    assert_eq!(exports(&f).iter().filter(|e| e.starts_with("over=")).count(), 1);
    let foo = symbol(&f, "Foo");
    assert_eq!((foo.start_line, foo.flags.is_abstract, foo.flags.exported), (7, true, true));
    assert_eq!(foo.bases.iter().map(|&b| show(&f, b)).collect::<Vec<_>>(), ["mixin(Base)<T>", "Shape<T>"]);
    assert_eq!(show(&f, foo.decorators[0]), "Injectable()");
    assert_all(&calls(&f), &["7 <module> -> Injectable/0", "8 Foo -> mixin/1", "11 Foo.constructor -> super/1"]);
    assert_all(
        &attrs(&f),
        &["Foo.MAX=Number", "Foo.svc: Service", "Foo.http=http: Http", "Foo.x=x", "Shape.name: Str"],
    );
    let list = symbol(&f, "Foo.list");
    assert_eq!(show(&f, list.returns.unwrap()), "Promise<List<Foo<T>>>");
    assert_eq!(show(&f, list.decorators[0]), "Get()");
    assert_eq!(list.params.len(), 2);
    assert_eq!(show(&f, symbol(&f, "Foo.go").returns.unwrap()), "Self");
    assert!(!symbol(&f, "Foo.svc").flags.exported);
    assert_all(&binds(&f, "Foo.constructor"), &["opt=new Opts.opt"]);
    assert_eq!(symbol(&f, "NS.Sub.k").kind, SymbolKind::Constant);
    assert!(!exports(&f).iter().any(|e| e.starts_with("k=") || e.starts_with("f=")));
}

#[test]
fn commonjs_and_prototypes() {
    let f = facts(
        "js",
        "var app = exports = module.exports = {};\napp.use = function use(fn) { return this; };\n\
         exports.one = function () {};\nexports.two = exports.three = () => 1;\nmodule.exports.K = class Kay {};\n\
         function Foo() { this.x = 1; }\nFoo.prototype.m = function () { this.n(); };\n\
         Foo.prototype = { n() {}, o: function () {} };\nvar proto = Foo.prototype;\nproto.p = function () {};\n\
         Foo.make = () => new Foo();\nObject.assign(Foo.prototype, { q() {} });\nutil.inherits(Foo, Base);\n\
         Object.defineProperty(Foo.prototype, 'z', { get: function () { return 1; } });\nFoo.prototype.m.call(this, 1);\n",
    );
    assert_eq!(
        names(&f),
        [
            "app", "app.use", "one", "three", "K", "Foo", "Foo.m", "Foo.n", "Foo.o", "proto", "Foo.p", "Foo.make",
            "Foo.q", "Foo.z"
        ]
        .map(|n| if n == "three" { "two" } else { n })
    );
    assert_all(&exports(&f), &["default=app", "one=fn one", "two=fn two", "three=fn two", "K=fn K"]);
    for method in ["Foo.m", "Foo.n", "Foo.o", "Foo.p", "Foo.q", "Foo.z"] {
        assert_eq!(show(&f, symbol(&f, method).owner.unwrap()), "Foo", "{method}");
    }
    assert!(symbol(&f, "Foo.make").flags.is_static && !symbol(&f, "Foo.m").flags.is_static);
    assert_eq!(symbol(&f, "Foo.z").kind, SymbolKind::Property);
    assert_eq!(show(&f, symbol(&f, "Foo").bases[0]), "Base");
    assert!(symbol(&f, "app.use").flags.exported);
    assert_all(&attrs(&f), &["Foo.x=Number"]);
    assert_all(&calls(&f), &["7 Foo.m -> this.n/0", "11 Foo.make -> new Foo/0", "15 <module> -> new Foo.m/1"]);
    assert!(!refs(&f).iter().any(|r| r.ends_with(" module") || r.ends_with(" exports") || r.contains(" Read app")));

    let f = facts("js", "module.exports = { a: 1, b, c() {}, d: () => 2, ...require('./more') };\nfunction b() {}\n");
    assert_all(&exports(&f), &["a=Number", "b=b", "c=fn c", "d=fn d"]);
    assert_all(&imports(&f), &["./more: * reexport"]);
    assert!(["a", "b", "c", "d"].iter().all(|n| symbol(&f, n).flags.exported));
    let f = facts("js", "module.exports = function () {};\n");
    assert_eq!(exports(&f), ["default=fn default"]);
}

#[test]
fn imports_and_exports() {
    let f = facts(
        "ts",
        "import d, { a as b, type C } from './m';\nimport * as ns from './n';\nimport './side';\nimport type { T } from './t';\n\
         import fs = require('fs');\nconst { x, y: z } = require('./cjs');\nconst whole = require('./w');\nconst part = require('./w').part;\n\
         export * from './s';\nexport * as inner from './i';\nexport { default as D, e } from './e';\n\
         export { whole as w };\nexport default class {}\nasync function f() { const l = await import('./lazy'); l.go(); }\n",
    );
    assert_eq!(
        imports(&f),
        [
            "./m: default as d",
            "./m: a as b",
            "./m: C as C type",
            "./n: * as ns",
            "./side: effect",
            "./t: T as T type",
            "fs: effect",
            "./cjs: x as x",
            "./cjs: y as z",
            "./w: effect",
            "./w: part as part",
            "./s: * reexport",
            "./i: * as inner reexport",
            "./e: default as D reexport",
            "./e: e as e reexport",
            "./lazy: effect"
        ]
    );
    assert_eq!(exports(&f), ["w=whole", "default=fn default"]);
    assert_all(&binds(&f, "<module>"), &["fs=module(fs)", "whole=module(./w)"]);
    assert_all(&binds(&f, "f"), &["l=module(./lazy)"]);
}

#[test]
fn calls_are_lowered() {
    let f = facts(
        "tsx",
        "function run(o: Opt) {\n  o?.a?.b(1);\n  new Thing<X>(1, ...o);\n  tag`x`;\n  (o as Foo).go();\n  o!.go();\n  fn.call(this, 1);\n  \
         fn.apply(this, o);\n  const g = fn.bind(o);\n  list.map(i => i.go());\n  p.then(r => r.use());\n  \
         return <Layout.Main x={o}><Item/><div/></Layout.Main>;\n}\n",
    );
    assert_all(
        &calls(&f),
        &[
            "2 run -> o.a.b/1",
            "3 run -> new Thing/255",
            "4 run -> tag/1",
            "5 run -> new Foo.go/0",
            "6 run -> o.go/0",
            "7 run -> fn/1",
            "8 run -> fn/255",
            "10 run -> list.map/1",
            "10 run -> i.go/0",
            "11 run -> r.use/0",
            "12 run -> Layout.Main/1",
            "12 run -> Item/1",
        ],
    );
    assert!(!calls(&f).iter().any(|c| c.contains("bind") || c.contains("div")));
    assert_all(&binds(&f, "run"), &["g=fn", "i=element(list)", "r=await(p)"]);
}

#[test]
fn bindings_have_their_scopes() {
    let f = facts(
        "ts",
        "let count = 0;\nexport function run(xs: Foo[]) {\n  for (const x of xs) {\n    x.go();\n  }\n  var v = 1;\n  \
         if (xs instanceof Bar && v) {\n    xs.baz();\n  }\n  try { } catch (e) {\n  }\n  const { a, b: { c } } = make();\n  count = 2;\n}\n",
    );
    let bind = |name: &str| f.binds.iter().find(|b| f.name(b.name) == name).unwrap();
    let x = bind("x");
    assert_eq!((x.line, x.end_line, x.kind, show(&f, x.value)), (3, 5, BindKind::For, "element(xs)".to_owned()));
    assert_eq!(bind("v").end_line, 14);
    let narrow = f.binds.iter().find(|b| b.kind == BindKind::Narrow).unwrap();
    assert_eq!((narrow.line, narrow.end_line, show(&f, narrow.ty.unwrap())), (7, 9, "Bar".to_owned()));
    assert_eq!((bind("e").kind, bind("e").end_line), (BindKind::Except, 11));
    assert_all(&binds(&f, "run"), &["a=make().a", "c=make().b.c"]);
    assert_all(&binds(&f, "<module>"), &["count=Number"]);
    assert_all(&refs(&f), &["run Write count", "run Type Foo"]);
    assert!(!refs(&f).iter().any(|r| r.ends_with(" xs") || r.ends_with(" v")));
}

#[test]
fn attributes_and_mentions() {
    let f = facts(
        "js",
        "class A {\n  constructor() { this.b = new B(); const self = this; self.c = 1; }\n  m() { this.b.go(this.handler); on('x', helper); this.n = this.n + 1; }\n}\n\
         function helper() {}\nconst table = { run: helper };\n",
    );
    assert_all(&attrs(&f), &["A.b=new B", "A.c=Number", "A.n=?", "table.run=helper"]);
    assert_all(
        &refs(&f),
        &[
            "A.m Value this.handler",
            "A.m Value helper",
            "A.m Read this.b",
            "A.m Write this.n",
            "table.run Value helper",
        ]
        .map(|r| if r.starts_with("table") { "table Value helper" } else { r }),
    );
}

#[test]
fn wrappers_do_not_hide_definitions() {
    let f = facts(
        "js",
        "(function (root, factory) { root.X = factory(require('dep')); })(this, function (dep) {\n  var VERSION = '1';\n  \
         function Inner() { this.x = 1; }\n  Inner.prototype.run = function () { helper(); };\n  return Inner;\n});\n\
         define(['./a'], function (a) { a.go(); });\n",
    );
    assert_eq!(names(&f), ["VERSION", "Inner", "Inner.run"]);
    assert_all(&imports(&f), &["dep: effect", "./a: effect"]);
    assert_all(&binds(&f, "<module>"), &["a=module(./a)"]);
}

#[test]
fn tests_and_routes() {
    let f = facts(
        "ts",
        "describe('App v1.2', () => {\n  beforeEach(() => setup());\n  it.each([1])('works. ok', async () => { run(); });\n  \
         describe(Foo, function () { test('x', () => {}); });\n});\n",
    );
    assert_eq!(names(&f), ["App v1 2", "App v1 2.works ok", "App v1 2.Foo", "App v1 2.Foo.x"]);
    assert!(f.symbols.iter().skip(1).all(|s| s.flags.is_test && s.kind == SymbolKind::Function));
    assert_all(&calls(&f), &["2 App v1 2 -> setup/0", "3 App v1 2.works ok -> run/0"]);
    let f = facts(
        "js",
        "app.get('/u', auth, ctrl.list);\nfunction auth() {}\nfunction other() {}\nconst ctrl = { list() {} };\n",
    );
    assert!(symbol(&f, "auth").flags.entry_point && symbol(&f, "ctrl.list").flags.entry_point);
    assert!(!symbol(&f, "other").flags.entry_point);
    let js = lang::by_extension("js").unwrap();
    for path in ["src/a.test.js", "a.spec.ts", "src/__tests__/a.js", "test/a.js", "x/tests/a.js"] {
        assert!(js.is_test_file(path), "{path}");
    }
    for path in ["src/a.js", "src/testing.js", "contest/a.js", "src/latest.js"] {
        assert!(!js.is_test_file(path), "{path}");
    }
}

#[test]
fn hostile_files_are_read() {
    let repeat =
        |open: &str, middle: &str, close: &str, n: usize| format!("{}{middle}{}", open.repeat(n), close.repeat(n));
    let then = facts("js", &format!("p{};", ".then(x => x.y())".repeat(5000)));
    assert_eq!(then.calls.len(), 10_000);
    assert!(then.exprs.len() < 1000, "{}", then.exprs.len());
    for source in [
        format!("var a = {};", vec!["b"; 20_000].join(" + ")),
        format!("var a = {};", vec!["b()"; 5_000].join(" || ")),
        repeat("(", "a", ")", 3000),
        repeat("[", "1", "]", 3000),
        repeat("{a:", "1", "}", 3000),
        repeat("function f(){", "", "}", 2000),
        repeat("f(", "", ")", 3000),
        repeat("x = class extends ", "A", "{}", 500),
        format!("x = {}1", "a?b:".repeat(3000)),
        vec!["a"; 5000].join("="),
        "function ( { class } ] => => `${ ".repeat(100),
        String::new(),
        "\u{feff}const a = 1;".to_owned(),
    ] {
        for extension in ["js", "ts", "tsx"] {
            let f = facts(extension, &source);
            let names: usize = f.names.iter().map(|n| n.len()).sum();
            assert!(names < 3_000_000, "{} bytes of names for {}", names, &source[..source.len().min(40)]);
        }
    }
    let flow = "// @flow\ntype A = {| a: ?string |};\nfunction f<T>(x: ?T): Promise<T> { return g(x); }\nclass Q<T> extends R<T> { m(): void { h(); } }\n";
    let f = facts("js", flow);
    assert!(f.calls.iter().any(|c| show(&f, c.callee) == "h"));
}

#[test]
fn same_bytes_same_facts() {
    let source = "export const a = { b() {}, c: 1 };\nexport class D extends a.X { e = [1]; f() { return this.e.map(x => g(x)); } }\n";
    assert_eq!(facts("ts", source), facts("ts", source));
}
