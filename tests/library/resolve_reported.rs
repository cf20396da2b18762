//! What users of such tools report most, each in a small project.

use super::resolve_project::assert_edges;

const CALLS: &[&str] = &["CALLS", "UNRESOLVED"];

#[test]
fn a_base_url_without_paths_is_a_root_of_imports() {
    assert_edges(
        "
--- web/jsconfig.json
{ \"compilerOptions\": { \"baseUrl\": \"src\" } }
--- web/src/lib/money.js
export function total() {}
--- web/src/pages/home.js
import { total } from 'lib/money';
export function home() { total(); }
",
        CALLS,
        "CALLS web/src/pages/home.js::home -> web/src/lib/money.js::total [import]",
    );
}

#[test]
fn paths_hold_through_extends_of_a_package() {
    assert_edges(
        "
--- packages/config/package.json
{ \"name\": \"@acme/config\" }
--- packages/config/tsconfig.base.json
{ \"compilerOptions\": { \"paths\": { \"~/*\": [\"../app/src/*\"] } } }
--- packages/app/tsconfig.json
{ \"extends\": [\"@acme/config/tsconfig.base.json\"] }
--- packages/app/src/a.ts
export const a = () => 1;
--- packages/app/src/deep/b.ts
import { a } from '~/a';
export const b = () => a();
",
        CALLS,
        "CALLS packages/app/src/deep/b.ts::b -> packages/app/src/a.ts::a [import]",
    );
}

#[test]
fn a_static_method_is_no_instantiation_of_its_class() {
    assert_edges(
        "
--- a.py
class Box:
    def __init__(self): pass
    @staticmethod
    def wrap(x): return x
def use(): return Box.wrap(1)
--- a.ts
export class Tin { constructor() {} static seal() { return 1; } }
export function seal() { return Tin.seal(); }
--- A.java
class A { A() {} static int seal() { return 1; } }
class B { int go() { return A.seal(); } }
",
        CALLS,
        "
CALLS a.py::use -> a.py::Box.wrap [type]
CALLS a.ts::seal -> a.ts::Tin.seal [type]
CALLS A.java::B.go -> A.java::A.seal [type]
",
    );
}

#[test]
fn a_builtin_name_is_never_tied_to_a_class_that_has_such_a_method() {
    assert_edges(
        "
--- stats.py
class Stats:
    def min(self): ...
    def append(self, x): ...
    def get(self, k): ...
    def join(self): ...
    def sorted(self): ...
def use(xs, d, t):
    min(xs)
    sorted(xs)
    xs.append(1)
    d.get('k')
    t.join()
    return xs.min()
--- stats.ts
export class Stats { min() {} push(x) {} get(k) {} map(f) {} }
export function use(xs: any, d: any) { Math.min(1); xs.push(1); d.get('k'); xs.map(x => x); xs.min(); parseInt('1'); }
",
        &["CALLS"],
        "",
    );
}

#[test]
fn a_missing_symbol_is_never_answered_with_another_one() {
    assert_edges(
        "
--- a.py
from b import gone, there
from c import gone as other
import b
def use():
    gone()
    other()
    there()
    b.nothing()
    b.There.nothing()
--- b.py
def there(): pass
class There:
    def here(self): pass
--- d.py
def gone(): pass
def nothing(): pass
",
        CALLS,
        "
CALLS a.py::use -> b.py::there [import]
UNRESOLVED a.py::use gone 1
UNRESOLVED a.py::use .nothing 2
",
    );
}

#[test]
fn a_module_taken_from_its_package_is_that_module() {
    assert_edges(
        "
--- pkg/__init__.py
--- pkg/tools.py
def hammer(): pass
--- pkg/sub/__init__.py
from .. import tools
def build(): tools.hammer()
--- app.py
from pkg import tools
from pkg import sub as s
def run():
    tools.hammer()
    s.build()
    s.tools.hammer()
",
        CALLS,
        "
CALLS pkg/sub/__init__.py::build -> pkg/tools.py::hammer [import]
CALLS app.py::run -> pkg/tools.py::hammer [import]
CALLS app.py::run -> pkg/sub/__init__.py::build [import]
",
    );
}

#[test]
fn definitions_under_a_condition_are_each_possible() {
    assert_edges(
        "
--- Cargo.toml
[package]
name = 'x'
--- src/lib.rs
#[cfg(unix)]
fn now() -> u32 { 1 }
#[cfg(windows)]
fn now() -> u32 { 2 }
pub struct T;
impl T {
    #[cfg(unix)]
    fn a(&self) {}
    #[cfg(windows)]
    fn a(&self) {}
}
pub fn use_it(t: &T) { now(); t.a(); }
--- a.py
import sys
if sys.platform == 'win32':
    def now(): pass
else:
    def now(): pass
def use(): now()
",
        CALLS,
        "
CALLS src/lib.rs::use_it -> src/lib.rs::now [override]
CALLS src/lib.rs::use_it -> src/lib.rs::now#2 [override]
CALLS src/lib.rs::use_it -> src/lib.rs::T.a [override]
CALLS src/lib.rs::use_it -> src/lib.rs::T.a#2 [override]
CALLS a.py::use -> a.py::now [override]
CALLS a.py::use -> a.py::now#2 [override]
",
    );
}

#[test]
fn a_definition_that_another_follows_is_sure_where_it_is_the_one_in_force() {
    assert_edges(
        "
--- test_a.py
def test_both():
    def cli(): pass
    cli()
    def cli(): pass
    cli()
",
        CALLS,
        "
CALLS test_a.py::test_both -> test_a.py::test_both.cli [lexical]
CALLS test_a.py::test_both -> test_a.py::test_both.cli#2 [lexical]
",
    );
}

#[test]
fn a_types_own_method_goes_before_one_of_its_traits() {
    assert_edges(
        "
--- Cargo.toml
[package]
name = 'x'
--- src/lib.rs
pub trait Draw { fn draw(&self); }
pub trait Paint { fn draw(&self); fn paint(&self); }
pub struct T;
impl T { fn draw(&self) {} }
impl Draw for T { fn draw(&self) {} }
pub struct U;
impl Draw for U { fn draw(&self) {} }
impl Paint for U { fn draw(&self) {} fn paint(&self) {} }
pub fn use_it(t: &T, u: &U) { t.draw(); u.draw(); u.paint(); }
",
        CALLS,
        "
CALLS src/lib.rs::use_it -> src/lib.rs::T.draw [type]
CALLS src/lib.rs::use_it -> src/lib.rs::U.draw [override]
CALLS src/lib.rs::use_it -> src/lib.rs::U.draw#2 [override]
CALLS src/lib.rs::use_it -> src/lib.rs::U.paint [type]
",
    );
}

#[test]
fn what_shadows_a_name_later_says_nothing_of_its_earlier_uses() {
    assert_edges(
        "
--- Cargo.toml
[package]
name = 'x'
--- src/lib.rs
pub struct A;
impl A { fn go(&self) {} fn next(&self, n: u32) -> B { B } }
pub struct B;
impl B { fn go(&self) {} fn len(&self) -> u32 { 1 } }
pub fn one(x: A) {
    x.go();
    let x = x.next(
        {
            x.go();
            1
        },
    );
    x.go();
}
pub fn two() {
    let x = A;
    x.go();
    {
        let x = B;
        x.len();
    }
    x.next(1);
    let x = B;
    x.len();
}
",
        CALLS,
        "
CALLS src/lib.rs::one -> src/lib.rs::A.go [type]
CALLS src/lib.rs::one -> src/lib.rs::A.next [type]
CALLS src/lib.rs::one -> src/lib.rs::B.go [type]
CALLS src/lib.rs::two -> src/lib.rs::A.go [type]
CALLS src/lib.rs::two -> src/lib.rs::A.next [type]
CALLS src/lib.rs::two -> src/lib.rs::B.len [type]
",
    );
}

#[test]
fn overloads_are_told_apart_by_simple_types() {
    assert_edges(
        "
--- A.java
import java.util.List;
class A {
    void put(String s) {}
    void put(int n) {}
    void put(A a) {}
    void put(Object o) {}
    void put(Runnable r) {}
    void put(int n, String s) {}
    void put(String s, int n) {}
    void use(A a, B b, List<A> list, String text) {
        put(\"x\");
        put(1);
        put(a);
        put(b);
        put(text);
        put(() -> {});
        put(1, \"x\");
        put(text, 1);
    }
    void any(A a) {}
    void any(B b) {}
    void more(List<Object> all) { any(all.get(0)); any(null); }
}
class B extends A {}
",
        CALLS,
        "
CALLS A.java::A.use -> A.java::A.put [type]
CALLS A.java::A.use -> A.java::A.put#2 [type]
CALLS A.java::A.use -> A.java::A.put#3 [type]
CALLS A.java::A.use -> A.java::A.put#4 [override]
CALLS A.java::A.use -> A.java::A.put#5 [override]
CALLS A.java::A.use -> A.java::A.put#6 [type]
CALLS A.java::A.use -> A.java::A.put#7 [type]
CALLS A.java::A.more -> A.java::A.any [override]
CALLS A.java::A.more -> A.java::A.any#2 [override]
",
    );
}

#[test]
fn a_go_type_implements_an_interface_only_with_the_same_signatures() {
    assert_edges(
        "
--- go.mod
module x
--- a.go
package x

type Getter interface{ Get(key string) int }

type A struct{}

func (a A) Get(key string) int { return 1 }

type B struct{}

func (b B) Get(key int) int { return 1 }

type C struct{}

func (c C) Get(key string) {}

type D struct{}

func (d D) Get(key, other string) int { return 1 }

func use(g Getter) { g.Get(\"x\") }
",
        CALLS,
        "
CALLS a.go::use -> a.go::Getter.Get [type]
CALLS a.go::use -> a.go::A.Get [override]
",
    );
}

#[test]
fn a_defined_type_of_go_has_methods_whatever_it_is_made_of() {
    assert_edges(
        "
--- go.mod
module x
--- a.go
package x

type Item struct{}

func (i Item) Price() int { return 1 }

type Items []Item

func (l Items) Sum() int { return l[0].Price() }

type ByName map[string]Item

func (m ByName) Find() Item { return m[\"x\"] }

type Visit func(Item) bool

func (v Visit) Run() {}

func use(v Visit) {
	l := Items{}
	l.Sum()
	for _, i := range l {
		i.Price()
	}
	m := ByName{}
	m.Find().Price()
	v.Run()
	Visit(nil).Run()
	make(Items, 0).Sum()
}
",
        CALLS,
        "
CALLS a.go::Items.Sum -> a.go::Item.Price [type]
CALLS a.go::use -> a.go::Items [lexical]
CALLS a.go::use -> a.go::ByName [lexical]
CALLS a.go::use -> a.go::Visit [lexical]
CALLS a.go::use -> a.go::Items.Sum [type]
CALLS a.go::use -> a.go::Item.Price [type]
CALLS a.go::use -> a.go::ByName.Find [type]
CALLS a.go::use -> a.go::Visit.Run [type]
",
    );
}

#[test]
fn methods_of_a_prototype_are_found_however_it_is_written() {
    assert_edges(
        "
--- a.js
function A() { this.one(); }
A.prototype.one = function () { this.two(); };
A.prototype = { two() { this.three(); }, three: function () {} };
var p = A.prototype;
p.four = function () { this.one(); };
function B() { A.call(this); }
B.prototype = Object.create(A.prototype);
B.prototype.constructor = B;
B.prototype.five = () => {};
['get', 'put'].forEach(function (m) { A.prototype[m] = function () {}; });
Object.defineProperty(A.prototype, 'six', { value: function () { this.two(); } });
Object.assign(A.prototype, { seven() { this.one(); } });
A.extend = function () {};
function use() { var b = new B(); b.one(); b.four(); b.five(); b.six(); b.seven(); A.extend(); }
--- b.js
const Lib = (function () {
  function M(x) { this.x = x; }
  var proto = M.prototype;
  proto.parse = function () { this.init(); };
  proto.init = function () {};
  return M;
})();
export function make() { const m = new Lib(1); m.parse(); return m; }
",
        CALLS,
        "
CALLS a.js::A -> a.js::A.one [type]
CALLS a.js::A.one -> a.js::A.two [type]
CALLS a.js::A.two -> a.js::A.three [type]
CALLS a.js::A.four -> a.js::A.one [type]
CALLS a.js::A.six -> a.js::A.two [type]
CALLS a.js::A.seven -> a.js::A.one [type]
CALLS a.js::B -> a.js::A [lexical]
CALLS a.js::use -> a.js::B [lexical]
CALLS a.js::use -> a.js::A.one [type]
CALLS a.js::use -> a.js::A.four [type]
CALLS a.js::use -> a.js::B.five [type]
CALLS a.js::use -> a.js::A.six [type]
CALLS a.js::use -> a.js::A.seven [type]
CALLS a.js::use -> a.js::A.extend [type]
CALLS b.js::M.parse -> b.js::M.init [type]
CALLS b.js::make -> b.js::M [lexical]
CALLS b.js::make -> b.js::M.parse [type]
",
    );
}

#[test]
fn readers_and_writers_of_fields_variables_and_constants() {
    assert_edges(
        "
--- a.py
LIMIT = 3
count = 0
class Box:
    kind = 'tin'
    def __init__(self):
        self.items = []
    def fill(self, n):
        global count
        count += n
        self.items = [n] * LIMIT
    def show(self):
        return self.items, self.kind, count
def use(box: Box):
    box.kind = 'box'
    return box.items
--- a.go
package x

type Box struct{ size int }

func (b *Box) Grow() { b.size++ }

func (b Box) Size() int { return b.size }
--- A.java
class A { private int size; static int all; void grow() { size++; all = 1; } int size() { return this.size; } }
--- src/a.rs
pub struct R { size: u32 }
impl R { fn grow(&mut self) { self.size += 1; } fn size(&self) -> u32 { self.size } }
--- a.ts
export class T { size = 0; grow() { this.size = 1; } get big() { return this.size > 1; } }
",
        &["REFERENCES"],
        "
REFERENCES a.py::Box.fill -> a.py::count Write [lexical]
REFERENCES a.py::Box.fill -> a.py::LIMIT Read [lexical]
REFERENCES a.py::Box.__init__ -> a.py::Box.items Write [type]
REFERENCES a.py::Box.fill -> a.py::Box.items Write [type]
REFERENCES a.py::Box.show -> a.py::Box.items Value [type]
REFERENCES a.py::Box.show -> a.py::Box.kind Value [type]
REFERENCES a.py::Box.show -> a.py::count Value [lexical]
REFERENCES a.py::use -> a.py::Box Type [lexical]
REFERENCES a.py::use -> a.py::Box.kind Write [type]
REFERENCES a.py::use -> a.py::Box.items Value [type]
REFERENCES a.go::Box.Grow -> a.go::Box Type [lexical]
REFERENCES a.go::Box.Grow -> a.go::Box.size Write [type]
REFERENCES a.go::Box.Size -> a.go::Box.size Read [type]
REFERENCES A.java::A.grow -> A.java::A.size Write [type]
REFERENCES A.java::A.grow -> A.java::A.all Write [type]
REFERENCES A.java::A.size -> A.java::A.size Read [type]
REFERENCES src/a.rs::R.grow -> src/a.rs::R.size Write [type]
REFERENCES src/a.rs::R.size -> src/a.rs::R.size Read [type]
REFERENCES a.ts::T.grow -> a.ts::T.size Write [type]
REFERENCES a.ts::T.big -> a.ts::T.size Read [type]
",
    );
}
