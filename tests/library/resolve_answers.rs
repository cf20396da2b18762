//! Each kind of answer that a file reads of others: an edit elsewhere that changes it must make the file dirty.

use portolan::resolve::Interface;

use super::resolve_project::{files, resolve};

/// Edits a file (or adds it, or removes it with an empty text) and asserts that the user's edges change and that the
/// interface says so.
#[track_caller]
fn follows(project: &str, user: &str, path: &str, text: &str) {
    let before = files(project);
    let mut after = before.clone();
    if text.is_empty() {
        after.remove(path);
    } else {
        after.insert(path.to_owned(), text.to_owned());
    }
    let (old, new) = (resolve(&before), resolve(&after));
    assert_eq!(old.facts[user], new.facts[user], "the user's own file is edited");
    assert_ne!(old.edges[user], new.edges[user], "the edit changes nothing");
    let names = Interface::changed_names(&old.interface, &new.interface);
    let dirty = new.facts[user].names.iter().any(|n| names.contains(&Interface::name_hash(n)));
    assert!(dirty, "{user} keeps {:#?}\ninstead of {:#?}", old.edges[user], new.edges[user]);
}

#[test]
fn python_names_of_modules() {
    let plain = "--- a.py\nfrom b import f\nf()\n--- b.py\ndef f(): pass\n";
    follows(plain, "a.py", "b.py", "def g(): pass\n");
    follows(plain, "a.py", "b.py", "");
    follows(plain, "a.py", "b.py", "if x:\n    def f(): pass\nelse:\n    def f(): pass\n");
    let chain = "--- a.py\nfrom pkg import f\nf()\n--- pkg/__init__.py\nfrom .one import f\n--- pkg/one.py\ndef f(): pass\n--- pkg/two.py\ndef f(): pass\n";
    follows(chain, "a.py", "pkg/__init__.py", "from .two import f\n");
    follows(chain, "a.py", "pkg/__init__.py", "from outside import f\n");
    let stars = "--- a.py\nimport pkg\npkg.f()\n--- pkg/__init__.py\nfrom .one import *\nfrom .two import *\n--- pkg/one.py\ndef f(): pass\n--- pkg/two.py\ndef f(): pass\n";
    follows(stars, "a.py", "pkg/one.py", "__all__ = ['g']\ndef g(): pass\ndef f(): pass\n");
    follows(stars, "a.py", "pkg/one.py", "def g(): pass\n");
    follows(stars, "a.py", "pkg/__init__.py", "from .two import *\n");
    let star_user = "--- a.py\nfrom pkg import *\nf()\n--- pkg/__init__.py\nfrom .one import *\n--- pkg/one.py\ndef f(): pass\n--- pkg/two.py\ndef f(): pass\n";
    follows(star_user, "a.py", "pkg/__init__.py", "from .two import *\n");
    let alias = "--- a.py\nfrom b import thing\nthing.go()\n--- b.py\nfrom c import One, Two\nthing = One()\n--- c.py\nclass One:\n    def go(self): pass\nclass Two:\n    def go(self): pass\n";
    follows(alias, "a.py", "b.py", "from c import One, Two\nthing = Two()\n");
    let path = "--- a.py\nimport pkg.sub\npkg.sub.f()\n--- pkg/__init__.py\n\n--- pkg/sub.py\ndef f(): pass\n";
    follows(path, "a.py", "pkg/sub.py", "");
    let late =
        "--- a.py\nimport importlib\nm = importlib.import_module('b')\ndef g():\n    m.f()\n--- b.py\ndef f(): pass\n";
    follows(late, "a.py", "b.py", "def f2(): pass\n");
    follows(late, "a.py", "b.py", "");
}

#[test]
fn python_types_and_classes() {
    let two = "class One:\n    def go(self): pass\nclass Two:\n    def go(self): pass\n";
    let returned = format!(
        "--- a.py\nimport b\nb.make().go()\n--- b.py\nfrom c import One, Two\ndef make(): return One()\n--- c.py\n{two}"
    );
    follows(&returned, "a.py", "b.py", "from c import One, Two\ndef make(): return Two()\n");
    let parts = format!(
        "--- a.py\nimport b\nx, y = b.make()\ny.go()\n--- b.py\nfrom c import One, Two\ndef make(): return One(), Two()\n--- c.py\n{two}"
    );
    follows(&parts, "a.py", "b.py", "from c import One, Two\ndef make(): return Two(), One()\n");
    let called = format!(
        "--- a.py\nimport b\nb.make()().go()\n--- b.py\nfrom c import One, Two\nclass Maker:\n    def __call__(self): return One()\ndef make(): return Maker()\n--- c.py\n{two}"
    );
    follows(
        &called,
        "a.py",
        "b.py",
        "from c import One, Two\nclass Maker:\n    def __call__(self): return Two()\ndef make(): return Maker()\n",
    );
    let entered = format!(
        "--- a.py\nimport b\ndef f():\n    with b.make() as x:\n        for y in x:\n            y.go()\n--- b.py\nfrom c import One, Two\nclass It:\n    def __enter__(self): return self\n    def __iter__(self):\n        yield One()\ndef make(): return It()\n--- c.py\n{two}"
    );
    follows(
        &entered,
        "a.py",
        "b.py",
        "from c import One, Two\nclass It:\n    def __enter__(self): return self\n    def __iter__(self):\n        yield Two()\ndef make(): return It()\n",
    );
    let field = format!(
        "--- a.py\nfrom b import Holder\nHolder().held.go()\n--- b.py\nfrom c import One, Two\nclass Holder:\n    def __init__(self):\n        self.held = One()\n--- c.py\n{two}"
    );
    follows(
        &field,
        "a.py",
        "b.py",
        "from c import One, Two\nclass Holder:\n    def __init__(self):\n        self.held = Two()\n",
    );
    let base = format!(
        "--- a.py\nfrom b import Child\nChild().go()\n--- b.py\nfrom c import One, Two\nclass Child(One): pass\n--- c.py\n{two}"
    );
    follows(&base, "a.py", "b.py", "from c import One, Two\nclass Child(Two): pass\n");
    follows(&base, "a.py", "b.py", "from c import One, Two\nclass Child(One):\n    def go(self): pass\n");
    follows(&base, "a.py", "c.py", "class One: pass\n");
    let made = "--- a.py\nfrom b import C\nC()\n--- b.py\nclass C: pass\n";
    follows(made, "a.py", "b.py", "class C:\n    def __init__(self): pass\n");
    let over =
        "--- a.py\nfrom b import Base\ndef f(x: Base):\n    x.go()\n--- b.py\nclass Base:\n    def go(self): pass\n";
    follows(over, "a.py", "c.py", "from b import Base\nclass More(Base):\n    def go(self): pass\n");
    // By bare name: the only class of that name, in a file that this one imports, or that such a one imports.
    let only =
        "--- a.py\nimport b\ndef f(x):\n    x.frob_nicate()\n--- b.py\nclass B:\n    def frob_nicate(self): pass\n";
    follows(only, "a.py", "c.py", "class C:\n    def frob_nicate(self): pass\n");
    follows(only, "a.py", "b.py", "class B: pass\n");
    follows(&only.replace("import b", "import m"), "a.py", "m.py", "import b\n");
    let object = "--- a.py\nfrom b import f\nf.run()\n--- b.py\nfrom c import wrap, other\n@wrap()\ndef f(): pass\n--- c.py\nclass W:\n    def run(self): pass\nclass V:\n    def run(self): pass\ndef wrap():\n    def inner(f): return W()\n    return inner\ndef other():\n    def inner(f): return V()\n    return inner\n";
    follows(object, "a.py", "b.py", "from c import wrap, other\n@other()\ndef f(): pass\n");
}

#[test]
fn python_fixtures_and_helpers_of_tests() {
    let two = "class One:\n    def go(self): pass\nclass Two:\n    def go(self): pass\n";
    let fixture = format!(
        "--- tests/test_a.py\ndef test_it(thing):\n    thing.go()\n--- tests/conftest.py\nimport pytest\nfrom lib import One, Two\n@pytest.fixture\ndef thing(): return One()\n--- lib.py\n{two}"
    );
    follows(
        &fixture,
        "tests/test_a.py",
        "tests/conftest.py",
        "import pytest\nfrom lib import One, Two\n@pytest.fixture\ndef thing(): return Two()\n",
    );
    follows(&fixture, "tests/test_a.py", "tests/conftest.py", "import pytest\ndef thing(): return 1\n");
    let helper = "--- tests/test_a.py\nfrom tests.helpers import check\ndef test_it():\n    check()\n--- tests/helpers.py\nfrom lib import f, g\ndef check():\n    f()\n--- lib.py\ndef f(): pass\ndef g(): pass\n";
    follows(helper, "tests/test_a.py", "tests/helpers.py", "from lib import f, g\ndef check():\n    g()\n");
}

#[test]
fn typescript() {
    let plain = "--- a.ts\nimport { f } from './b';\nf();\n--- b.ts\nexport function f() {}\n";
    follows(plain, "a.ts", "b.ts", "export function g() {}\n");
    follows(plain, "a.ts", "b.ts", "function f() {}\n");
    follows(plain, "a.ts", "b.ts", "");
    let barrel = "--- a.ts\nimport { f } from './b';\nf();\n--- b.ts\nexport * from './one';\n--- one.ts\nexport function f() {}\n--- two.ts\nexport function f() {}\n";
    follows(barrel, "a.ts", "b.ts", "export * from './two';\n");
    follows(barrel, "a.ts", "b.ts", "export { f } from './two';\n");
    let default =
        "--- a.ts\nimport f from './b';\nf();\n--- b.ts\nfunction one() {}\nfunction two() {}\nexport default one;\n";
    follows(default, "a.ts", "b.ts", "function one() {}\nfunction two() {}\nexport default two;\n");
    let required =
        "--- a.js\nconst b = require('./b');\nfunction g() { b.f(); b(); }\n--- b.js\nexports.f = function () {};\n";
    follows(required, "a.js", "b.js", "module.exports = function () {};\n");
    follows(required, "a.js", "b.js", "");
    let base = "--- a.js\nconst Base = require('./b');\nclass C extends Base {}\nnew C().go();\n--- b.js\nclass One { go() {} }\nclass Two { go() {} }\nmodule.exports = One;\n";
    follows(base, "a.js", "b.js", "class One { go() {} }\nclass Two { go() {} }\nmodule.exports = Two;\n");
    let held = "--- a.ts\nimport { table } from './b';\nexport function f() { table.run(); }\n--- b.ts\nfunction one() {}\nexport const table = { run: one };\n";
    follows(held, "a.ts", "b.ts", "function one() {}\nexport const table = { run: one };\ntable.run = one;\n");
    let paths = "--- tsconfig.json\n{ \"compilerOptions\": { \"paths\": { \"@lib/*\": [\"./one/*\"] } } }\n--- a.ts\nimport { f } from '@lib/b';\nf();\n--- one/b.ts\nexport function f() {}\n--- two/b.ts\nexport function f() {}\n";
    follows(paths, "a.ts", "tsconfig.json", "{ \"compilerOptions\": { \"paths\": { \"@lib/*\": [\"./two/*\"] } } }");
    let member = "--- a.ts\nimport { C } from './b';\nnew C().go();\n--- b.ts\nexport class C { go() {} }\n";
    follows(member, "a.ts", "b.ts", "export class C { gone() {} }\n");
    follows(member, "a.ts", "b.ts", "export class C { constructor() {} go() {} }\n");
    let over = "--- a.ts\nimport { C } from './b';\nexport function f(c: C) { c.go(); }\n--- b.ts\nexport class C { go() {} }\n";
    follows(over, "a.ts", "c.ts", "import { C } from './b';\nexport class D extends C { go() {} }\n");
    let literal = "--- a.ts\nimport { api } from './b';\napi.get();\n--- b.ts\nexport const api = { get() {} };\n";
    follows(literal, "a.ts", "b.ts", "export const api = { put() {} };\n");
    let shape = "--- a.ts\nimport { Shape } from './b';\nexport function f(s: Shape) { s.area(); }\n--- b.ts\nexport type Shape = { area(): number };\n--- c.ts\nexport class Other { area() {} }\n";
    follows(shape, "a.ts", "b.ts", "export type Shape = { size(): number };\n");
    follows(shape, "a.ts", "b.ts", "export type Shape = unknown;\n");
}

#[test]
fn go() {
    let plain = "--- go.mod\nmodule m\n--- a/a.go\npackage a\nimport \"m/b\"\nfunc A() { b.F() }\n--- b/b.go\npackage b\nfunc F() {}\n";
    follows(plain, "a/a.go", "b/b.go", "package b\nfunc G() {}\n");
    follows(plain, "a/a.go", "b/b.go", "");
    follows(plain, "a/a.go", "go.mod", "module other\n");
    let sibling =
        "--- go.mod\nmodule m\n--- a/a.go\npackage a\nfunc A() { help() }\n--- a/b.go\npackage a\nfunc help() {}\n";
    follows(sibling, "a/a.go", "a/b.go", "package a\nfunc other() {}\n");
    let types = "--- go.mod\nmodule m\n--- a/a.go\npackage a\nimport \"m/b\"\nfunc A() { b.Make().Go() }\n--- b/b.go\npackage b\ntype One struct{}\nfunc (o *One) Go() {}\ntype Two struct{}\nfunc (o *Two) Go() {}\nfunc Make() *One { return nil }\n";
    follows(
        types,
        "a/a.go",
        "b/b.go",
        "package b\ntype One struct{}\nfunc (o *One) Go() {}\ntype Two struct{}\nfunc (o *Two) Go() {}\nfunc Make() *Two { return nil }\n",
    );
    follows(
        types,
        "a/a.go",
        "b/b.go",
        "package b\ntype One struct{ Two }\ntype Two struct{}\nfunc (o *Two) Go() {}\nfunc Make() *One { return nil }\n",
    );
    let face = "--- go.mod\nmodule m\n--- a/a.go\npackage a\nimport \"m/b\"\nfunc A(r b.Runner) { r.Run() }\n--- b/b.go\npackage b\ntype Runner interface { Run() }\n";
    follows(face, "a/a.go", "c/c.go", "package c\ntype Fast struct{}\nfunc (f Fast) Run() {}\n");
}

#[test]
fn rust() {
    let plain = "--- Cargo.toml\n[package]\nname = \"m\"\n--- src/lib.rs\nmod a;\nmod b;\nmod c;\n--- src/a.rs\nuse crate::b::f;\npub fn a() { f(); }\n--- src/b.rs\npub fn f() {}\n--- src/c.rs\npub fn f() {}\n";
    follows(plain, "src/a.rs", "src/b.rs", "pub fn g() {}\n");
    follows(plain, "src/a.rs", "src/b.rs", "pub use crate::c::f;\n");
    follows(plain, "src/a.rs", "src/lib.rs", "mod a;\nmod c;\n");
    let glob = "--- Cargo.toml\n[package]\nname = \"m\"\n--- src/lib.rs\nmod a;\nmod b;\nmod c;\n--- src/a.rs\nuse crate::b::*;\npub fn a() { f(); }\n--- src/b.rs\npub use crate::c::*;\n--- src/c.rs\npub fn f() {}\n";
    follows(glob, "src/a.rs", "src/c.rs", "pub fn g() {}\n");
    follows(glob, "src/a.rs", "src/b.rs", "pub fn f() {}\n");
    let types = "--- Cargo.toml\n[package]\nname = \"m\"\n--- src/lib.rs\nmod a;\nmod b;\n--- src/a.rs\nuse crate::b::make;\npub fn a() { make().go(); }\n--- src/b.rs\npub struct One;\nimpl One { pub fn go(&self) {} }\npub struct Two;\nimpl Two { pub fn go(&self) {} }\npub fn make() -> One { One }\n";
    follows(
        types,
        "src/a.rs",
        "src/b.rs",
        "pub struct One;\nimpl One { pub fn go(&self) {} }\npub struct Two;\nimpl Two { pub fn go(&self) {} }\npub fn make() -> Two { Two }\n",
    );
    follows(
        types,
        "src/a.rs",
        "src/b.rs",
        "pub struct One;\npub trait Go { fn go(&self) {} }\nimpl Go for One {}\npub fn make() -> One { One }\n",
    );
    let crates = "--- Cargo.toml\n[workspace]\nmembers = [\"x\", \"y\"]\n--- x/Cargo.toml\n[package]\nname = \"x\"\n[dependencies]\nyy = { path = \"../y\" }\n--- x/src/lib.rs\npub fn a() { yy::f(); }\n--- y/Cargo.toml\n[package]\nname = \"yy\"\n--- y/src/lib.rs\npub fn f() {}\n";
    follows(crates, "x/src/lib.rs", "y/Cargo.toml", "[package]\nname = \"zz\"\n");
    follows(crates, "x/src/lib.rs", "y/src/lib.rs", "pub fn g() {}\n");
}

#[test]
fn java() {
    let plain = "--- p/A.java\npackage p;\nimport q.B;\nclass A { void a() { new B().go(); } }\n--- q/B.java\npackage q;\npublic class B { public void go() {} }\n";
    follows(plain, "p/A.java", "q/B.java", "package q;\npublic class B { public void gone() {} }\n");
    follows(plain, "p/A.java", "q/B.java", "package q;\npublic class B { public B() {} public void go() {} }\n");
    follows(plain, "p/A.java", "q/B.java", "");
    let package = "--- p/A.java\npackage p;\nclass A { void a() { B.go(); } }\n--- p/B.java\npackage p;\nclass B { static void go() {} }\n";
    follows(package, "p/A.java", "p/B.java", "package other;\nclass B { static void go() {} }\n");
    let statics = "--- p/A.java\npackage p;\nimport static q.B.go;\nclass A { void a() { go(); } }\n--- q/B.java\npackage q;\npublic class B { public static void go() {} }\n";
    follows(statics, "p/A.java", "q/B.java", "package q;\npublic class B { public static void gone() {} }\n");
    let overloads = "--- p/A.java\npackage p;\nclass A { void a(B b) { b.go(1); } }\n--- p/B.java\npackage p;\nclass B { void go() {} void go(int x) {} }\n";
    follows(overloads, "p/A.java", "p/B.java", "package p;\nclass B { void go(int x) {} void go() {} }\n");
    let field = "--- p/A.java\npackage p;\nclass A { void a(B b) { b.c.go(); } }\n--- p/B.java\npackage p;\nclass B { C c; }\n--- p/C.java\npackage p;\nclass C { void go() {} }\n--- p/D.java\npackage p;\nclass D { void go() {} }\n";
    follows(field, "p/A.java", "p/B.java", "package p;\nclass B { D c; }\n");
}

/// Edits that only one kind of answer speaks of: the others (overrides, methods by bare name, fixtures, symbols by
/// file and by parent) repeat what a class's or a module's own answers say under the same name.
#[test]
fn answers_that_stand_alone() {
    // What a module exports.
    let exported = "--- a.ts\nimport * as b from './b';\nb.f();\n--- b.ts\nfunction one() {}\nfunction two() {}\nexport { one as f };\n";
    follows(exported, "a.ts", "b.ts", "function one() {}\nfunction two() {}\nexport { two as f };\n");
    // Where an import's module string leads.
    let config = "{ \"compilerOptions\": { \"paths\": { \"@lib/*\": [\"./two/*\"] } } }";
    let effect = "--- tsconfig.json\n{ \"compilerOptions\": { \"paths\": { \"@lib/*\": [\"./one/*\"] } } }\n--- a.ts\nimport '@lib/b';\n--- one/b.ts\nexport {};\n--- two/b.ts\nexport {};\n";
    follows(effect, "a.ts", "tsconfig.json", config);
    // Where a module that is loaded in place lies.
    let required = effect.replace("import '@lib/b';", "export function f() { return require('@lib/b'); }");
    follows(&required, "a.ts", "tsconfig.json", config);
    // What an imported module itself imports: near candidates come first.
    let near = "--- a.py\nfrom pkg import b\ndef f(x):\n    x.frob_nicate()\n--- pkg/__init__.py\n\n--- pkg/b.py\nimport c\n--- c.py\nclass C:\n    def frob_nicate(self): pass\n";
    follows(near, "a.py", "pkg/b.py", "import d\n");
    // Which module `super` is.
    let above = "--- Cargo.toml\n[package]\nname = \"m\"\n--- src/lib.rs\nmod a;\npub fn f() {}\n--- src/a.rs\npub fn a() { super::f(); }\n";
    follows(above, "src/a.rs", "src/lib.rs", "pub fn f() {}\n");
    // That a module is there.
    let there = "--- a.py\nimport pkg\npkg.sub.f()\n--- pkg/__init__.py\n\n--- pkg/sub.py\nfrom .one import *\n--- pkg/one.py\ndef f(): pass\n";
    follows(there, "a.py", "pkg/sub.py", "");
}
