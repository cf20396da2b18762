//! Broken, old and hostile sources; determinism.

use portolan::extract::extract;
use portolan::lang;

use super::notation::*;

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
    let source = SAMPLE;
    let lang = lang::by_name("python").unwrap();
    let (a, b) = (extract(lang, "py", source), extract(lang, "py", source));
    assert_eq!(a.facts, b.facts);
    assert_eq!(a.terms, b.terms);
}

const SAMPLE: &str = r#"#!/usr/bin/env python
"""Doc — with ünïcode."""
from . import a as b, c
@app.route("/x", methods=["GET"])
async def f(self, *args: "List[int]", k: t.Optional[Foo] = None, **kw) -> None:
    """Doc."""
    async with open(p) as (x, y), z: yield [i async for i in g() if isinstance(i, (A, B))]
    try: self.a.b["c"] = d = {**kw, "k": lambda s, *r: s.t(r)}
    except (E, m.F) as err: raise G from err
    match p:
        case Point(x=0) | None: return super().f(f"{x!r:>{w}} {y}")
        case {"a": [1, *rest]}: del self.x
class C(Base[T], metaclass=M, **k):
    x: int = 3; y = z = property(lambda self: self.x)
    global G; G += 1
type A[T: int] = dict[str, "A | None"]
__all__ = ["f"] + ("C",); __all__ += other.__all__
if (n := len(a)) and not isinstance(n, int): pass
"#;

#[test]
fn cut_and_damaged_sources_never_panic() {
    for at in (0..SAMPLE.len()).filter(|&at| SAMPLE.is_char_boundary(at)) {
        facts(&SAMPLE[..at]);
        facts(&SAMPLE[at..]);
        let mut holed = SAMPLE.to_owned();
        let end = (at + 1..=SAMPLE.len()).find(|&e| SAMPLE.is_char_boundary(e)).unwrap();
        holed.replace_range(at..end, ["", "(", ")", ":", "\"", "\n", "\0", "="][at % 8]);
        facts(&holed);
    }
    facts(&SAMPLE.replace('\n', "\r\n"));
    facts(&format!("\u{feff}{SAMPLE}"));
    facts(&SAMPLE.replace("    ", "\t"));
}
