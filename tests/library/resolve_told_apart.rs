//! Definitions that look alike and must be told apart, and what cannot be: then each is a possible target, none is sure.

use super::resolve_project::assert_edges;

const CALLS: &[&str] = &["CALLS", "UNRESOLVED"];

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
CALLS A.java::A.use -> A.java::A.put#5 [type]
CALLS A.java::A.use -> A.java::A.put#6 [type]
CALLS A.java::A.use -> A.java::A.put#7 [type]
CALLS A.java::A.more -> A.java::A.any [override]
CALLS A.java::A.more -> A.java::A.any#2 [override]
CALLS A.java::A.more -> A.java::A.any#2 [type]
",
    );
}

/// Widening goes before boxing, boxing before `T...`, and of those that fit the closest is meant (JLS 15.12.2).
#[test]
fn overloads_are_told_apart_by_primitive_types_arrays_and_results() {
    assert_edges(
        "
--- A.java
class A {
    void n(byte b) {}
    void n(char c) {}
    void n(int i) {}
    void n(long l) {}
    void n(double d) {}
    void n(Object o) {}
    void n(int[] a) {}
    void n(Object[] a) {}
    void n(CharSequence s) {}
    void n(int a, int... more) {}
    byte small;
    static final long BIG = 1;
    char letter() { return 'a'; }
    void one(byte b, short s) { n(b); n(s); n(small); }
    void two(String text) { n(text); n(text.charAt(0)); n(letter()); }
    void three(int i, long l) { n(i + l); n(BIG); n(Long.MAX_VALUE); }
    void four(int[] a, String[] b, int[][] c) { n(a); n(b); n(c); n(a.length); n(c[0]); }
    void five(Integer i, float f) { n(i); n(f); n(1, 2, 3); n((char) 5); n(-1); n(!true); }
}
",
        CALLS,
        "
CALLS A.java::A.one -> A.java::A.n [type]
CALLS A.java::A.one -> A.java::A.n#3 [type]
CALLS A.java::A.two -> A.java::A.letter [type]
CALLS A.java::A.two -> A.java::A.n#2 [type]
CALLS A.java::A.two -> A.java::A.n#9 [type]
CALLS A.java::A.three -> A.java::A.n#4 [type]
CALLS A.java::A.four -> A.java::A.n#3 [type]
CALLS A.java::A.four -> A.java::A.n#7 [type]
CALLS A.java::A.four -> A.java::A.n#8 [type]
CALLS A.java::A.five -> A.java::A.n#10 [type]
CALLS A.java::A.five -> A.java::A.n#2 [type]
CALLS A.java::A.five -> A.java::A.n#3 [type]
CALLS A.java::A.five -> A.java::A.n#5 [type]
CALLS A.java::A.five -> A.java::A.n#6 [type]
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
REFERENCES a.go::Box.Grow -> a.go::Box.size Write [type]
REFERENCES a.go::Box.Size -> a.go::Box.size Value [type]
REFERENCES A.java::A.grow -> A.java::A.size Write [type]
REFERENCES A.java::A.grow -> A.java::A.all Write [type]
REFERENCES A.java::A.size -> A.java::A.size Value [type]
REFERENCES src/a.rs::<module> -> src/a.rs::R Type [lexical]
REFERENCES src/a.rs::R.grow -> src/a.rs::R.size Write [type]
REFERENCES src/a.rs::R.size -> src/a.rs::R.size Read [type]
REFERENCES a.ts::T.grow -> a.ts::T.size Write [type]
REFERENCES a.ts::T.big -> a.ts::T.size Read [type]
",
    );
}
