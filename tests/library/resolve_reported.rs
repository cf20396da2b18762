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
Object.assign(A.prototype, { seven() { this.one(); } });
A.extend = function () {};
function use() { var b = new B(); b.one(); b.four(); b.five(); b.seven(); A.extend(); }
",
        CALLS,
        "
CALLS a.js::A -> a.js::A.one [type]
CALLS a.js::A.one -> a.js::A.two [type]
CALLS a.js::A.two -> a.js::A.three [type]
CALLS a.js::A.four -> a.js::A.one [type]
CALLS a.js::A.seven -> a.js::A.one [type]
CALLS a.js::B -> a.js::A [lexical]
CALLS a.js::use -> a.js::B [lexical]
CALLS a.js::use -> a.js::A.one [type]
CALLS a.js::use -> a.js::A.four [type]
CALLS a.js::use -> a.js::B.five [type]
CALLS a.js::use -> a.js::A.seven [type]
CALLS a.js::use -> a.js::A.extend [type]
",
    );
}

#[test]
fn declarations_of_one_name_merge() {
    assert_edges(
        "
--- a.ts
export interface Box { open(): void }
export interface Box { close(): void }
export function both(b: Box) { b.open(); b.close(); }
export class Tool { use() {} }
export namespace Tool { export function make() { return new Tool(); } }
export function run(n: number) {}
export namespace run { export function twice() { run(1); } }
export function all(t: Tool) { Tool.make().use(); t.use(); run(2); run.twice(); new Tool(); }
",
        CALLS,
        "
CALLS a.ts::both -> a.ts::Box.open [type]
CALLS a.ts::both -> a.ts::Box.close [type]
CALLS a.ts::Tool.make -> a.ts::Tool [lexical]
CALLS a.ts::run.twice -> a.ts::run [lexical]
CALLS a.ts::all -> a.ts::Tool [lexical]
CALLS a.ts::all -> a.ts::Tool.use [type]
CALLS a.ts::all -> a.ts::Tool.make [lexical]
CALLS a.ts::all -> a.ts::run [lexical]
CALLS a.ts::all -> a.ts::run.twice [lexical]
",
    );
}

#[test]
fn a_module_that_loads_names_when_asked_for_them_has_them() {
    assert_edges(
        "
--- pkg/__init__.py
def __getattr__(name):
    if name == 'Engine':
        from .core import Engine
        return Engine
    raise AttributeError(name)
--- pkg/core.py
class Engine:
    def run(self): pass
--- app.py
import pkg
from pkg import Engine
def main():
    pkg.Engine().run()
    Engine()
",
        &["CALLS", "UNRESOLVED"],
        "
CALLS app.py::main -> pkg/core.py::Engine [import]
CALLS app.py::main -> pkg/core.py::Engine.run [type]
",
    );
}

#[test]
fn a_macro_is_no_function_of_its_name() {
    assert_edges(
        "
--- Cargo.toml
[package]
name = 'x'
--- src/lib.rs
mod macros;
mod b;
fn format() {}
pub fn use_it() { format!(\"{}\", 1); format(); shout!(); }
--- src/b.rs
use log::shout;
pub fn other() { shout!(); }
--- src/macros.rs
macro_rules! shout { () => { 1 }; }
",
        CALLS,
        "
CALLS src/lib.rs::use_it -> src/lib.rs::format [lexical]
CALLS src/lib.rs::use_it -> src/macros.rs::shout [import]
",
    );
}
