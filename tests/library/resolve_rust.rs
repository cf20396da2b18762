//! Rust: a small workspace with all its edges.

use super::resolve_project::assert_edges;

#[test]
fn modules_impls_traits_and_crates() {
    assert_edges(
        "
--- Cargo.toml
[workspace]
members = ['core', 'app']
--- core/Cargo.toml
[package]
name = 'my-core'
--- core/src/lib.rs
mod shape;
pub mod math;
pub use shape::{Draw, Shape, Round as Circle};
pub fn start() { math::deep::dig(); shape::helper(); }
--- core/src/shape.rs
use crate::math;
pub trait Draw { fn draw(&self); fn twice(&self) { self.draw(); } }
pub struct Shape { inner: Round }
pub struct Round;
impl Shape {
    pub fn new() -> Self { Self::build() }
    fn build() -> Shape { math::add(); Shape { inner: Round } }
    pub fn go(&self) { self.inner.draw(); self.twice(); }
}
impl Draw for Shape { fn draw(&self) {} }
impl Draw for Round { fn draw(&self) {} }
pub fn helper() {}
--- core/src/math/mod.rs
pub mod deep;
pub fn add() { self::deep::dig(); }
--- core/src/math/deep.rs
pub fn dig() { super::add(); }
--- app/Cargo.toml
[package]
name = 'app'
--- app/src/main.rs
use my_core::{Shape, math::add, Circle};
fn paint<T: my_core::Draw>(t: &T) { t.draw(); }
fn main() {
    let s = Shape::new();
    s.go();
    add();
    my_core::start();
    let v: Vec<Shape> = Vec::new();
    for x in &v { x.go(); }
    std::fs::read(\"x\");
}
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn works() { paint(&Shape::new()); }
}
",
        &["CALLS", "INHERITS", "UNRESOLVED"],
        "
INHERITS core/src/shape.rs::Round -> core/src/shape.rs::Draw [lexical]
INHERITS core/src/shape.rs::Shape -> core/src/shape.rs::Draw [lexical]
CALLS core/src/lib.rs::start -> core/src/math/deep.rs::dig [import]
CALLS core/src/lib.rs::start -> core/src/shape.rs::helper [import]
CALLS core/src/shape.rs::Draw.twice -> core/src/shape.rs::Draw.draw [type]
CALLS core/src/shape.rs::Draw.twice -> core/src/shape.rs::Shape.draw [override]
CALLS core/src/shape.rs::Draw.twice -> core/src/shape.rs::Round.draw [override]
CALLS core/src/shape.rs::Shape.new -> core/src/shape.rs::Shape.build [type]
CALLS core/src/shape.rs::Shape.build -> core/src/math/mod.rs::add [import]
CALLS core/src/shape.rs::Shape.build -> core/src/shape.rs::Shape [lexical]
CALLS core/src/shape.rs::Shape.go -> core/src/shape.rs::Round.draw [type]
CALLS core/src/shape.rs::Shape.go -> core/src/shape.rs::Draw.twice [type]
CALLS core/src/math/mod.rs::add -> core/src/math/deep.rs::dig [import]
CALLS core/src/math/deep.rs::dig -> core/src/math/mod.rs::add [import]
CALLS app/src/main.rs::paint -> core/src/shape.rs::Draw.draw [type]
CALLS app/src/main.rs::paint -> core/src/shape.rs::Shape.draw [override]
CALLS app/src/main.rs::paint -> core/src/shape.rs::Round.draw [override]
CALLS app/src/main.rs::main -> core/src/shape.rs::Shape.new [type]
CALLS app/src/main.rs::main -> core/src/shape.rs::Shape.go [type]
CALLS app/src/main.rs::main -> core/src/math/mod.rs::add [import]
CALLS app/src/main.rs::main -> core/src/lib.rs::start [import]
CALLS app/src/main.rs::tests.works -> app/src/main.rs::paint [lexical]
CALLS app/src/main.rs::tests.works -> core/src/shape.rs::Shape.new [type]
",
    );
}
