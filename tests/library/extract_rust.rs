//! Rust: what extraction says of a source that uses most of the language.

use crate::library::facts_text::*;

/// A chain inside a macro is cut after some links, one outside is not.
const CALLS: usize = 5000;
const SOURCE: &str = r##"//! Crate doc.
//! More.
use std::{fmt, io::{self, Read as R}};
pub use crate::a::b::*;
use super::x;
extern crate serde as sd;
mod child;
#[path = "odd.rs"]
pub mod named;

/// A thing.
#[derive(Debug, serde::Serialize)]
/// More doc.
pub struct Thing<T: Clone> where T: Send {
    /// field
    pub name: String,
    inner: Box<dyn Draw + Send>,
    items: Vec<Item<T>>,
}
struct Pair(u8, pub Thing<u8>);
pub enum Kind { /// a
    A, B(Thing<u8>), C { x: i32 } }

pub trait Draw: fmt::Debug + Clone {
    const N: usize = 3;
    type Out;
    /// draws
    fn draw(&self) -> Self::Out;
    fn twice(&self) { self.draw(); Self::make(); }
    fn make() -> Self;
}

impl<T> Draw for Thing<T> where T: Clone {
    type Out = i32;
    fn draw(&self) -> i32 { let v: Vec<Item> = self.items.iter().map(|i| i.go()).collect::<Vec<_>>(); helper(&v)?.await }
    fn make() -> Self { Self { name: String::new(), ..Default::default() } }
}
impl Thing<u8> {
    pub const LIMIT: u32 = 4;
    pub async fn new(name: &str, (a, b): (A, B)) -> Result<Self, Error> {
        let t = Thing { name };
        if let Some(x) = t.find() { x.run(); }
        match t.kind { Kind::B(ref th) => th.draw(), Kind::C { x } => x.abs(), _ => {} }
        for (i, it) in t.items.iter().enumerate() { it.go(); }
        assert_eq!(f(t.name), self.g(h(1)), "x {}", A::b::<T>(1).c());
        vec![make_one(), crate::q::two!(3)];
        t.name = other();
        <Thing as Draw>::draw(&t);
        handlers.push(callback);
        GLOBAL.load(Ordering::SeqCst);
        Ok(t)
    }
}
static mut GLOBAL: Thing = Thing::zero();
macro_rules! two { ($x:expr) => { $crate::run($x); inner_call(1) } }
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn works() { two!(Thing::new("a")); }
    fn helper() {}
}
#[tokio::main]
async fn main() { println!("{}", go()); }
"##;

#[test]
fn imports_of_a_file() {
    let facts = facts_of("rust", SOURCE);
    assert_eq!(
        imports(&facts),
        [
            "3 std item fmt",
            "3 std item io",
            "3 std::io item Read as R",
            "4 crate::a::b star reexport",
            "5 super item x",
            "6 serde module as sd",
            "7 child child child",
            "9 odd.rs child named reexport",
            "58 super star",
        ]
    );
}

#[test]
fn symbols_of_a_file() {
    let facts = facts_of("rust", SOURCE);
    assert_eq!(
        symbols(&facts),
        [
            "12-19 struct Thing[T: Clone] @derive(Debug, serde.Serialize) exported",
            "20-20 struct Pair",
            "21-22 enum Kind exported",
            "22-22 enum_member Kind.A exported",
            "22-22 enum_member Kind.B exported",
            "22-22 enum_member Kind.C exported",
            "24-31 trait Draw <fmt.Debug <Clone exported",
            "25-25 constant Draw.N is Number",
            "26-26 type_alias Draw.Out abstract",
            "28-28 method Draw.draw(self) -> Self!.Out exported abstract",
            "29-29 method Draw.twice(self) exported",
            "30-30 method Draw.make() -> Self! exported static abstract",
            "34-34 type_alias Thing.Out is Number owner=Thing",
            "35-35 method Thing.draw(self)[T: Clone] -> Number owner=Thing exported",
            "36-36 method Thing.make()[T: Clone] -> Self! owner=Thing exported static",
            "39-39 constant Thing.LIMIT is Number owner=Thing exported",
            "40-52 method Thing.new(name: Str, _: Tuple<A, B>) -> Result<Self!, Error> owner=Thing exported static async",
            "54-54 variable GLOBAL is Thing",
            "55-55 macro two()",
            "56-62 namespace tests @cfg test",
            "59-60 function tests.works() @test test",
            "61-61 function tests.helper() test",
            "63-64 function main() @tokio.main async entry",
        ]
    );
}

#[test]
fn calls_of_a_file() {
    let facts = facts_of("rust", SOURCE);
    assert_eq!(
        calls(&facts),
        [
            "Draw.twice 29: self!.draw/0",
            "Draw.twice 29: Self!.make/0",
            "Thing.draw 35: self!.items.iter().map(Function).collect/0",
            "Thing.draw 35: self!.items.iter().map/1",
            "Thing.draw 35: self!.items.iter/0",
            "Thing.draw 35: i.go/0",
            "Thing.draw 35: helper/1",
            "Thing.make 36: new Self!/0",
            "Thing.make 36: String.new/0",
            "Thing.make 36: Default.default/0",
            "Thing.new 41: new Thing/0",
            "Thing.new 42: t.find/0",
            "Thing.new 42: x.run/0",
            "Thing.new 43: th.draw/0",
            "Thing.new 43: x.abs/0",
            "Thing.new 44: t.items.iter().enumerate/0",
            "Thing.new 44: t.items.iter/0",
            "Thing.new 44: it.go/0",
            "Thing.new 45: assert_eq/255",
            "Thing.new 45: f/1",
            "Thing.new 45: self!.g/1",
            "Thing.new 45: A.b/1",
            "Thing.new 45: A.b().c/0",
            "Thing.new 45: h/1",
            "Thing.new 46: vec/255",
            "Thing.new 46: make_one/0",
            "Thing.new 46: crate.q.two/255",
            "Thing.new 47: other/0",
            "Thing.new 48: Thing.draw/1",
            "Thing.new 49: handlers.push/1",
            "Thing.new 50: GLOBAL.load/1",
            "Thing.new 51: Ok/1",
            "<module> 54: Thing.zero/0",
            "two 55: $crate.run/1",
            "two 55: inner_call/1",
            "tests.works 60: two/255",
            "tests.works 60: Thing.new/1",
            "main 64: println/255",
            "main 64: go/0",
        ]
    );
}

#[test]
fn binds_of_a_file() {
    let facts = facts_of("rust", SOURCE);
    assert_eq!(
        binds(&facts),
        [
            "Draw 25-31 Assign N = Number : Number",
            "Thing.draw 35-35 Assign v = self!.items.iter().map(Function).collect() : Vec<Item>",
            "Thing.draw 35-35 Assign i = ?",
            "Thing.new 40-52 Assign a = ? : A",
            "Thing.new 40-52 Assign b = ? : B",
            "Thing.new 41-52 Assign t = new Thing",
            "Thing.new 42-42 Assign x = await t.find()",
            "Thing.new 43-43 Assign th = ?",
            "Thing.new 43-43 Assign x = new Kind.C.x",
            "Thing.new 44-44 For i = ?",
            "Thing.new 44-44 For it = ?",
            "<module> 54-64 Assign GLOBAL = Thing.zero() : Thing",
        ]
    );
}

#[test]
fn attrs_of_a_file() {
    let facts = facts_of("rust", SOURCE);
    assert_eq!(
        attrs(&facts),
        [
            "16 Thing.name : Str",
            "17 Thing.inner : Box<Draw>",
            "18 Thing.items : Vec<Item<T>>",
            "20 Pair.0 : Number",
            "20 Pair.1 : Thing<Number>",
            "22 Kind.B.0 : Thing<Number>",
            "22 Kind.C.x : Number",
        ]
    );
}

#[test]
fn refs_of_a_file() {
    let facts = facts_of("rust", SOURCE);
    assert_eq!(
        refs(&facts),
        [
            "Thing 14 Type Clone",
            "Thing 14 Type Send",
            "Thing 17 Type Draw",
            "Thing 17 Type Send",
            "Thing 18 Type Item",
            "Pair 20 Type Thing",
            "Kind 22 Type Thing",
            "Draw 24 Type fmt.Debug",
            "Draw 24 Type Clone",
            "Draw.draw 28 Type Self!.Out",
            "<module> 33 Type Draw",
            "<module> 33 Type Thing",
            "<module> 33 Type Clone",
            "Thing.draw 35 Type Item",
            "Thing.draw 35 Read self!.items",
            "Thing.make 36 Write new Self!.name",
            "<module> 38 Type Thing",
            "Thing.new 40 Type A",
            "Thing.new 40 Type B",
            "Thing.new 40 Type Error",
            "Thing.new 41 Write new Thing.name",
            "Thing.new 43 Read t.kind",
            "Thing.new 43 Read Kind.B",
            "Thing.new 43 Type Kind.C",
            "Thing.new 44 Read t.items",
            "Thing.new 45 Read t.name",
            "Thing.new 45 Read T",
            "Thing.new 47 Write t.name",
            "Thing.new 48 Type Thing",
            "Thing.new 48 Type Draw",
            "Thing.new 49 Read handlers",
            "Thing.new 49 Value callback",
            "Thing.new 50 Read GLOBAL",
            "Thing.new 50 Value Ordering.SeqCst",
            "<module> 54 Type Thing",
        ]
    );
}

#[test]
fn chains_of_thousands_do_not_exhaust_the_stack() {
    let source = "fn f() { a".to_owned()
        + &".x()".repeat(5000)
        + "; let s = 1"
        + &" + 1".repeat(5000)
        + "; m!(a"
        + &".y()".repeat(5000)
        + "); }\n";
    let facts = facts_of("rust", &source);
    assert!(facts.calls.len() >= CALLS, "each call of the chain is a call: {}", facts.calls.len());
    assert!(facts.exprs.len() < 100_000, "the chain is not lowered once for each of its parts: {}", facts.exprs.len());
}

#[test]
fn deep_nesting_does_not_exhaust_the_stack() {
    let facts = facts_of(
        "rust",
        &("fn f() { let x = ".to_owned()
            + &"(".repeat(3000)
            + "1"
            + &")".repeat(3000)
            + "; use "
            + &"a::{".repeat(500)
            + "b"
            + &"}".repeat(500)
            + "; }\n"),
    );
    assert!(facts.symbols.len() >= 2);
}

#[test]
fn broken_and_empty_files_give_what_can_be_read() {
    let facts = facts_of("rust", "fn whole() {}\nfn f( { let x = ; impl Foo for {\nfn m(&self) {}\n #[derive( struct");
    assert!(facts.syntax_errors > 0);
    assert!(facts.symbols.len() > 1);
    let empty = facts_of("rust", "");
    assert_eq!((empty.symbols.len(), empty.lines, empty.syntax_errors), (1, 0, 0));
}

#[test]
fn the_same_source_gives_the_same_facts() {
    assert_eq!(facts_of("rust", SOURCE), facts_of("rust", SOURCE));
}
