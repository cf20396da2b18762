//! The contract of phase 1 and 2: a file whose facts did not change and whose strings hold no changed name
//! resolves to the same edges as before.

use std::collections::BTreeSet;

use portolan::resolve::Interface;

use super::resolve_project::{Files, Resolved, resolve};

/// A small generator of pseudo-random numbers (xorshift64*, Vigna 2016).
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % below
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.next(from.len())]
    }
}

/// Enough words that most files do without most of them: else every file is dirty after every edit.
const CLASSES: [&str; 16] = [
    "Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "Iota", "Kappa", "Lambda", "Mu", "Nu", "Xi",
    "Omicron", "Pi",
];
const FUNCTIONS: [&str; 16] = [
    "run_all",
    "load_it",
    "store_it",
    "fetch",
    "_hidden",
    "climb",
    "measure",
    "render_all",
    "paint",
    "dig_up",
    "carry",
    "weave",
    "forge",
    "mend",
    "sail_on",
    "plough",
];
const METHODS: [&str; 14] = [
    "start", "stop_all", "turn", "_private", "children", "fold_up", "ship_it", "weigh", "heat_up", "cool_off", "bend",
    "stretch", "polish", "bind_to",
];

/// Replaces `$C`, `$F`, `$M`, `$P` (a module of the language) and `$N` in a template.
fn fill(r: &mut Random, templates: &[&str], modules: &[&str]) -> String {
    let template = r.pick(templates);
    let mut out = String::new();
    let mut rest = template;
    while let Some(i) = rest.find('$') {
        out.push_str(&rest[..i]);
        let word = match &rest[i + 1..i + 2] {
            "C" => r.pick(&CLASSES).to_owned(),
            "F" => r.pick(&FUNCTIONS).to_owned(),
            "M" => r.pick(&METHODS).to_owned(),
            "P" => r.pick(modules).to_owned(),
            _ => r.next(3).to_string(),
        };
        out.push_str(&word);
        rest = &rest[i + 2..];
    }
    out + rest
}

struct Language {
    paths: &'static [&'static str],
    modules: &'static [&'static str],
    /// Statements at the top of a file.
    imports: &'static [&'static str],
    /// Definitions.
    items: &'static [&'static str],
    config: &'static [(&'static str, &'static [&'static str])],
}

const PYTHON: Language = Language {
    paths: &[
        "pkg/__init__.py",
        "pkg/one.py",
        "pkg/two.py",
        "pkg/sub/__init__.py",
        "pkg/sub/three.py",
        "tool.py",
        "tests/conftest.py",
        "tests/test_it.py",
        "tests/helpers.py",
        "space/four.py",
        "pkg/five.py",
        "pkg/six.py",
        "pkg/sub/seven.py",
        "pkg/sub/eight.py",
        "tests/test_more.py",
    ],
    modules: &[
        "pkg",
        "pkg.one",
        "pkg.two",
        "pkg.sub",
        "pkg.sub.three",
        "tool",
        "space.four",
        "tests.helpers",
        "pkg.five",
        "pkg.six",
        "pkg.sub.seven",
    ],
    imports: &[
        "from $P import $C",
        "from $P import $C as $C",
        "from $P import $F",
        "from $P import *",
        "import $P",
        "import $P as m",
        "from . import one, two",
        "from .one import *",
        "from .sub import three as m",
        "from pkg import sub",
        "from pkg.sub import three",
        "from space import four",
        "__all__ = ['$C', '_hidden']",
        "$C = $C",
        "thing = $C()",
        "other = $F()",
    ],
    items: &[
        "class $C:\n    def __init__(self, x=None):\n        self.child = $C()\n        self.other = x\n    def $M(self):\n        return self.child\n    def $M(self):\n        self.$M()\n        return self\n",
        "class $C($C):\n    def $M(self):\n        super().$M()\n        self.child.$M()\n        return $F()\n",
        "class $C(m.$C):\n    field: $C\n    def $M(self) -> '$C':\n        return self.field.$M()\n    @property\n    def children(self) -> list[$C]:\n        return []\n",
        "class $C:\n    def __enter__(self):\n        return $C()\n    def __exit__(self, *a): pass\n    def __iter__(self):\n        yield $C()\n    def __call__(self):\n        return $C()\n    def __getitem__(self, i) -> '$C':\n        return None\n",
        "def $F(a: $C = None):\n    a.$M()\n    return $C()\n",
        "def $F():\n    x = $F()\n    x.$M()\n    with x as y:\n        y.$M()\n        for z in y:\n            z.$M().$M()\n    return x\n",
        "def $F(q):\n    q.$M()\n    q()\n    m.$F().$M()\n    return $F()\n",
        "def $F():\n    return $F()()()\n",
        "def $F():\n    for i in $F():\n        for j in i:\n            j.$M()\n            j[0].child.$M()\n    return thing\n",
        "def test_$N(fix, thing):\n    fix.$M()\n    $F()\n    thing()\n    check()\n",
        "import pytest\n@pytest.fixture\ndef fix():\n    return $C()\n",
        "def check():\n    $F()\n    $C().$M()\n    again()\n",
        "def again():\n    $F()\n    three.$F()\n",
        "@$F\ndef $F():\n    return $C\n",
        "x = $F()\nx.$M()\nthing.$M()\npkg.one.$F()\npkg.sub.three.$C()\nthree.$F()\n",
        "$F = $C().$M\n",
    ],
    config: &[("pyproject.toml", &["", "[tool.setuptools.packages.find]\nwhere = [\"space\"]\n"])],
};

const ECMASCRIPT: Language = Language {
    paths: &[
        "src/index.ts",
        "src/one.ts",
        "src/two.ts",
        "src/deep/index.ts",
        "src/deep/three.js",
        "lib/four.ts",
        "test/it.test.ts",
    ],
    modules: &["./index", "./one", "./two", "./deep", "../src/one", "@lib/four", "@lib/two", "./three", "../one"],
    imports: &[
        "import { $C } from '$P';",
        "import { $C as $C } from '$P';",
        "import { $F } from '$P';",
        "import * as m from '$P';",
        "import thing from '$P';",
        "export * from '$P';",
        "export { $C } from '$P';",
        "export { default as $C } from '$P';",
        "const { $F } = require('$P');",
        "const other = require('$P');",
        "const thing = new $C();",
        "export default $C;",
        "module.exports = { $F, $C };",
    ],
    items: &[
        "export class $C { child = new $C(); constructor(x) { this.other = x; } $M() { return this.child; } $M() { this.$M(); return this; } }",
        "export class $C extends $C { $M() { super.$M(); this.child.$M(); return $F(); } }",
        "export default class $C extends m.$C { field: $C; $M(): $C { return this.field.$M(); } get children(): $C[] { return []; } }",
        "export function $F(a: $C) { a.$M(); return new $C(); }",
        "export function $F() { const x = $F(); x.$M(); for (const y of x.children) { y.$M().$M(); } return x; }",
        "export const $F = (q) => { q.$M(); q(); m.$F().$M(); return thing; };",
        "export function $F() { thing.$M(); other.$F(); new thing().$M(); return other; }",
        "test('$F', () => { $F(); thing.$M(); check(); });",
        "function check() { $F(); new $C().$M(); }",
        "exports.$F = function () { return new $C(); };",
    ],
    config: &[(
        "tsconfig.json",
        &["{}", "{ \"compilerOptions\": { \"paths\": { \"@lib/*\": [\"./lib/*\", \"./src/*\"] } } }"],
    )],
};

/// A file of random statements. A seed gives the same text always.
fn file(r: &mut Random, l: &Language) -> String {
    let mut out = String::new();
    for _ in 0..1 + r.next(3) {
        out += &fill(r, l.imports, l.modules);
        out.push('\n');
    }
    for _ in 0..1 + r.next(2) {
        out += &fill(r, l.items, l.modules);
        out.push('\n');
    }
    out
}

fn edit(r: &mut Random, l: &Language, files: &mut Files) {
    let path = l.paths[r.next(l.paths.len())];
    match r.next(12) {
        0 => {
            files.remove(path);
        }
        1 if !l.config.is_empty() => {
            let (name, contents) = l.config[r.next(l.config.len())];
            files.insert(name.to_owned(), contents[r.next(contents.len())].to_owned());
        }
        2 | 3 => {
            let item = fill(r, l.imports, l.modules);
            let old = files.get(path).cloned().unwrap_or_default();
            files.insert(path.to_owned(), format!("{item}\n{old}"));
        }
        4..=6 => {
            let item = fill(r, l.items, l.modules);
            let old = files.get(path).cloned().unwrap_or_default();
            files.insert(path.to_owned(), format!("{old}\n{item}\n"));
        }
        7..=9 => {
            // Another name everywhere in one file.
            let words: [&[&str]; 3] = [&CLASSES, &FUNCTIONS, &METHODS];
            let words = words[r.next(3)];
            let (a, b) = (r.pick(words), r.pick(words));
            if let Some(old) = files.get_mut(path) {
                *old = old.replace(a, b);
            }
        }
        _ => {
            let new = file(r, l);
            files.insert(path.to_owned(), new);
        }
    }
}

/// Files whose edges must not be trusted after an edit.
fn dirty(old: &Resolved, new: &Resolved) -> BTreeSet<String> {
    let names = Interface::changed_names(&old.interface, &new.interface);
    let changed = |path: &String| match old.facts.get(path) {
        Some(facts) => {
            *facts != new.facts[path] || facts.names.iter().any(|n| names.contains(&Interface::name_hash(n)))
        }
        None => true,
    };
    new.facts.keys().filter(|p| changed(p)).cloned().collect()
}

fn run(l: &Language, seeds: std::ops::Range<u64>, edits: usize) {
    let (mut kept, mut redone) = (0, 0);
    for seed in seeds {
        let mut r = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut files = Files::new();
        for path in l.paths {
            let text = file(&mut r, l);
            files.insert((*path).to_owned(), text);
        }
        let mut old = resolve(&files);
        for step in 0..edits {
            let before = files.clone();
            edit(&mut r, l, &mut files);
            let new = resolve(&files);
            let again = resolve(&files);
            assert_eq!(new.edges, again.edges, "not deterministic: seed {seed}, step {step}");
            assert_eq!(new.interface, again.interface, "not deterministic: seed {seed}, step {step}");
            let dirty = dirty(&old, &new);
            for (path, edges) in &new.edges {
                if dirty.contains(path) {
                    redone += 1;
                    continue;
                }
                kept += 1;
                if *edges != old.edges[path] {
                    let lost: Vec<_> = old.edges[path].difference(edges).collect();
                    let gained: Vec<_> = edges.difference(&old.edges[path]).collect();
                    let changed: Vec<_> = files.iter().filter(|(p, t)| before.get(*p) != Some(t)).collect();
                    panic!(
                        "seed {seed}, step {step}: {path} was not dirty\nlost {lost:#?}\ngained {gained:#?}\nedited {changed:#?}\nbefore {:?}\nits text:\n{}",
                        changed.first().and_then(|(p, _)| before.get(*p)),
                        files[path]
                    );
                }
            }
            old = new;
        }
    }
    // The test must see both kinds, or it says nothing.
    assert!(kept > 100 && redone > 100, "kept {kept}, redone {redone}");
}

#[test]
fn python_edges_of_clean_files_stay_as_they_are() {
    run(&PYTHON, 1..90, 14);
}

#[test]
fn javascript_edges_of_clean_files_stay_as_they_are() {
    run(&ECMASCRIPT, 1..90, 14);
}
