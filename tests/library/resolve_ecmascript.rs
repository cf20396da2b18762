//! JavaScript and TypeScript: small projects with all their edges.

use super::resolve_project::assert_edges;

#[test]
fn paths_of_a_tsconfig_hold_through_extends_and_barrels_lead_on() {
    assert_edges(
        "
--- tsconfig.base.json
{ // shared
  \"compilerOptions\": { \"baseUrl\": \".\", \"paths\": { \"@lib/*\": [\"packages/lib/src/*\"], } } }
--- app/tsconfig.json
{ \"extends\": \"../tsconfig.base.json\" }
--- packages/lib/src/index.ts
export * from './shapes';
export { default as Circle, area as surface } from './circle.js';
--- packages/lib/src/shapes.ts
export class Shape { grow() { this.draw(); } draw() {} }
export function make(): Shape { return new Shape(); }
--- packages/lib/src/circle.ts
import { Shape } from './shapes';
export default class Circle extends Shape { constructor() { super(); } draw() {} }
export const area = (c: Circle) => { c.grow(); };
--- app/main.ts
import { make, Circle, surface } from '@lib/index';
import * as lib from '@lib/index';
import { gone } from '@lib/shapes';
import fs from 'fs';
export function main() {
  make().grow();
  const c = new Circle();
  c.draw();
  surface(c);
  lib.make();
  gone();
  fs.readFileSync('x');
}
",
        &["CALLS", "INHERITS", "IMPORTS", "UNRESOLVED"],
        "
IMPORTS app/main.ts -> packages/lib/src/index.ts
IMPORTS app/main.ts -> packages/lib/src/shapes.ts
IMPORTS packages/lib/src/circle.ts -> packages/lib/src/shapes.ts
IMPORTS packages/lib/src/index.ts -> packages/lib/src/circle.ts
IMPORTS packages/lib/src/index.ts -> packages/lib/src/shapes.ts
INHERITS packages/lib/src/circle.ts::Circle -> packages/lib/src/shapes.ts::Shape [import]
CALLS packages/lib/src/shapes.ts::Shape.grow -> packages/lib/src/shapes.ts::Shape.draw [type]
CALLS packages/lib/src/shapes.ts::Shape.grow -> packages/lib/src/circle.ts::Circle.draw [override]
CALLS packages/lib/src/shapes.ts::make -> packages/lib/src/shapes.ts::Shape [lexical]
CALLS packages/lib/src/circle.ts::Circle.constructor -> packages/lib/src/shapes.ts::Shape [type]
CALLS packages/lib/src/circle.ts::area -> packages/lib/src/shapes.ts::Shape.grow [type]
CALLS app/main.ts::main -> packages/lib/src/shapes.ts::make [import]
CALLS app/main.ts::main -> packages/lib/src/shapes.ts::Shape.grow [type]
CALLS app/main.ts::main -> packages/lib/src/circle.ts::Circle.constructor [import]
CALLS app/main.ts::main -> packages/lib/src/circle.ts::Circle.draw [type]
CALLS app/main.ts::main -> packages/lib/src/circle.ts::area [import]
UNRESOLVED app/main.ts::main gone 1
",
    );
}

#[test]
fn workspaces_exports_maps_and_commonjs() {
    assert_edges(
        "
--- package.json
{ \"name\": \"root\", \"workspaces\": [\"packages/*\"] }
--- packages/core/package.json
{ \"name\": \"@acme/core\", \"exports\": { \".\": { \"import\": \"./dist/index.mjs\" }, \"./util/*\": \"./src/util/*.js\" }, \"imports\": { \"#int\": \"./src/internal.js\" } }
--- packages/core/src/index.js
import { deep } from '#int';
export function core() { deep(); }
--- packages/core/src/internal.js
export const deep = () => {};
--- packages/core/src/util/log.js
exports.info = function () {};
module.exports.warn = warn;
function warn() { exports.info(); }
--- packages/app/main.js
const { core } = require('@acme/core');
const log = require('@acme/core/util/log');
const Thing = require('./thing');
function run() {
  core();
  log.info();
  log.warn();
  const t = new Thing();
  t.go();
  Thing.make().go();
}
--- packages/app/thing.js
function Thing() {}
Thing.prototype.go = function () { this.step(); };
Thing.prototype.step = function () {};
Thing.make = function () { return new Thing(); };
module.exports = Thing;
",
        &["CALLS", "UNRESOLVED"],
        "
CALLS packages/core/src/index.js::core -> packages/core/src/internal.js::deep [import]
CALLS packages/core/src/util/log.js::warn -> packages/core/src/util/log.js::info [lexical]
CALLS packages/app/main.js::run -> packages/core/src/index.js::core [import]
CALLS packages/app/main.js::run -> packages/core/src/util/log.js::info [import]
CALLS packages/app/main.js::run -> packages/core/src/util/log.js::warn [import]
CALLS packages/app/main.js::run -> packages/app/thing.js::Thing [import]
CALLS packages/app/main.js::run -> packages/app/thing.js::Thing.go [type]
CALLS packages/app/main.js::run -> packages/app/thing.js::Thing.make [type]
CALLS packages/app/thing.js::Thing.go -> packages/app/thing.js::Thing.step [type]
CALLS packages/app/thing.js::Thing.make -> packages/app/thing.js::Thing [lexical]
",
    );
}

#[test]
fn objects_of_literals_and_constructor_functions_have_members() {
    assert_edges(
        "
--- api.js
const helper = () => {};
const api = { get() { return helper(); }, put: function () { api.get(); this.get(); } };
export default api;
export { api };
export function Foo(x) { this.setup(); }
Foo.prototype.setup = function () { this.render(); };
Foo.prototype.render = function () {};
--- use.js
import def, { api, Foo } from './api';
import * as ns from './api';
export function run() { def.put(); api.get(); ns.api.get(); new Foo().setup(); }
--- app.js
exports = module.exports = create;
function create() { return app; }
var app = exports.application = {};
app.init = function init() { this.listen(); };
app.listen = function () {};
exports.version = function () {};
create.extra = function () {};
--- main.js
var create = require('./app');
var app = create();
function main() { app.init(); create.version(); create.extra(); }
",
        &["CALLS", "UNRESOLVED"],
        "
CALLS api.js::api.get -> api.js::helper [lexical]
CALLS api.js::api.put -> api.js::api.get [type]
CALLS api.js::Foo -> api.js::Foo.setup [type]
CALLS api.js::Foo.setup -> api.js::Foo.render [type]
CALLS use.js::run -> api.js::api.put [type]
CALLS use.js::run -> api.js::api.get [type]
CALLS use.js::run -> api.js::Foo [import]
CALLS use.js::run -> api.js::Foo.setup [type]
CALLS app.js::app.init -> app.js::app.listen [type]
CALLS main.js::<module> -> app.js::create [import]
CALLS main.js::main -> app.js::app.init [type]
CALLS main.js::main -> app.js::version [import]
CALLS main.js::main -> app.js::create.extra [type]
",
    );
}

/// What a factory made is known by its constant's name, and a member that is declared as a function is called like a method.
#[test]
fn calls_of_made_constants_and_of_members_that_hold_functions() {
    assert_edges(
        "
--- make.ts
export function make(name: string) {
  function built(x: number) { return x; }
  return built;
}
--- shapes.ts
import { make } from './make';
export const Circle = make('circle');
export interface Codec { parse: (s: string) => number; }
export class File {
  #parse: (s: string) => number;
  constructor(parse: (s: string) => number, private codec: Codec) { this.#parse = parse; }
  read() { return this.#parse('x') + this.codec.parse('y'); }
}
--- use.ts
import { Circle } from './shapes';
export function draw() { return Circle(1); }
",
        &["CALLS", "UNRESOLVED"],
        "
CALLS shapes.ts::<module> -> make.ts::make [import]
CALLS shapes.ts::File.read -> shapes.ts::File.#parse [type]
CALLS shapes.ts::File.read -> shapes.ts::Codec.parse [type]
CALLS use.ts::draw -> shapes.ts::Circle [import]
CALLS use.ts::draw -> make.ts::make.built [override]
",
    );
}
