#!/usr/bin/env python3
"""Call edges of an index against truths that Portolan did not make: one command an oracle.

  calls.py dynamic ROOT TRACE.json --oracle DIR [--portolan BIN]
  calls.py scip    ROOT INDEX.scip --oracle DIR [--portolan BIN] [--exclude RE]
  calls.py tests   ROOT TRACE.json --oracle DIR [--portolan BIN]
  calls.py sites   ROOT SITES.tsv [--portolan BIN] [--show N]

ROOT is indexed with the binary, its call edges are exported as TSV, cut at each level of certainty (`type` or better is
a confidence of 0.9, `override` or better 0.7) and handed to the scorers in DIR: `dyn_calls_score.py` for a trace that
`dyntrace.py` made of a test run, `calls_score.py` for an index of scip-python or scip-typescript.

`weak only` are the edges below that: `unique name` and `ambiguous name`. `tests` counts the functions that a test
called by name in the trace and that have no TESTS edge.

`sites` compares site by site with what a compiler said of each (`compilers/go_calls.go`, `compilers/JavaCalls.java`): an
edge is wrong when the compiler knows every call of that name on its line, and none goes where the edge says.

For TypeScript and JavaScript the edges' callers are renamed to the scopes that such an index knows: a function inside
of a function, a test or a getter is charged to what holds it there, `C.constructor` is `C.<constructor>` as a caller
and `C` as a callee; `super(...)` is left out, since the scorers do not take it for a call, and so are
callees that the index has no definition of (functions inside of functions). What other arguments follow goes to the scorer as it is.
"""
import argparse
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile

LEVELS = (("type or better", 0.9, 2), ("override or better", 0.7, 2), ("all", 0.0, 2), ("weak only", 0.0, 0.7))
SCRIPTS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts")


def edges(binary, root):
    """The rows of `portolan export calls --tsv`, after an index run."""
    binary = os.path.abspath(binary) if os.path.exists(binary) else binary
    subprocess.run([binary, "index"], cwd=root, check=True, stdout=subprocess.DEVNULL)
    out = subprocess.run([binary, "export", "calls", "--tsv"], cwd=root, check=True, capture_output=True, text=True)
    rows = [line.split("\t") for line in out.stdout.splitlines()]
    return [r for r in rows if len(r) == 7 and r[4].isdigit()]


def load(path):
    """A script of the oracle as a module, without running it."""
    spec = importlib.util.spec_from_file_location("oracle", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def scopes(oracle, index):
    """Names of the definitions with a body in an index, by file; all that are defined, by file and name."""
    known, defined = {}, set()
    for path, occurrences in load(os.path.join(oracle, "scip_calls.py")).read_index(index):
        names = known.setdefault(path, set())
        for o in occurrences:
            if o.roles & 1 and not o.symbol.startswith("local "):
                defined.add((path, load.qualname(o.symbol)))
                if o.enclosing:
                    names.add(load.qualname(o.symbol))
    return known, defined


def renamed(row, known):
    """A row of a script with the scopes' names of the index."""
    row = list(row)
    if row[0].endswith(SCRIPTS):
        parts = row[1].split(".")
        parts = ["<constructor>" if p == "constructor" else p for p in parts]
        while parts and ".".join(parts) not in known.get(row[0], ()):
            parts.pop()
        row[1] = ".".join(parts) or "<module>"
        row[3] = row[3].removesuffix(".constructor")
    return row


def constructs_base(root, row, lines={}):
    """Is a row of a script the call `super(...)`?"""
    if not row[0].endswith(SCRIPTS):
        return False
    if row[0] not in lines:
        with open(os.path.join(root, row[0]), encoding="utf-8", errors="replace") as f:
            lines[row[0]] = f.read().split("\n")
    return bool(re.search(r"\bsuper\s*\(", "".join(lines[row[0]][int(row[4]) - 1 : int(row[4])])))


def tested(a):
    """Functions that a test called by name in a trace, and that have no TESTS edge."""
    truth = load(os.path.join(a.oracle, "dyn_calls_score.py")).load_truth(a.truth, a.root)
    called = {k[3:] for k in truth if k[0].startswith("tests/") and k[3].startswith("src/")}
    binary = os.path.abspath(a.portolan) if os.path.exists(a.portolan) else a.portolan
    subprocess.run([binary, "index"], cwd=a.root, check=True, stdout=subprocess.DEVNULL)
    dump = subprocess.run([binary, "export", "dump"], cwd=a.root, check=True, capture_output=True, text=True).stdout
    has = set()
    for line in dump.splitlines():
        table, _, row = line.partition("\t")
        if table == "TESTS":
            path, _, qualname = json.loads(row)[1].rpartition("::")
            has.add((path, tuple(part.split("#")[0] for part in qualname.split("."))))
    missing = []
    for path, cls, name in sorted(called, key=str):
        wanted = [(cls, name), (cls,)] if name in ("__init__", "__new__") else [(cls, name)] if cls else [(name,)]
        if not any(p == path and q[-len(w):] == w for p, q in has for w in wanted):
            missing.append(f"{path}::{cls + '.' if cls else ''}{name}")
    print(f"functions that tests call by name: {len(called)}, without a TESTS edge: {len(missing)}")
    for one in missing:
        print(f"   {one}")


def sites(a, rest):
    """Edges against a compiler's word on each call site."""
    ap = argparse.ArgumentParser()
    ap.add_argument("--show", type=int, default=0)
    show = ap.parse_args(rest).show
    truth, types, open_ = set(), set(), set()
    with open(a.truth, encoding="utf-8") as f:
        for r in (line.rstrip("\n").split("\t") for line in f):
            if r[0] == "=":
                truth.add((r[1], int(r[5]), r[3], r[4]))
            elif r[0] == "~":
                types.add((r[1], int(r[5]), r[3], r[4]))
            elif r[0] == "?":
                open_.add((r[1], int(r[4]), r[3].split(".")[-1]))
            elif r[0] == "@":
                open_.add((r[1], int(r[5]), r[4].split(".")[-1]))
    files = {t[0] for t in truth}
    plain = lambda q: q.split("#")[0]
    last = lambda q: plain(q.split(".")[-1])
    rows = []
    binary = os.path.abspath(a.portolan) if os.path.exists(a.portolan) else a.portolan
    subprocess.run([binary, "index"], cwd=a.root, check=True, stdout=subprocess.DEVNULL)
    dump = subprocess.run([binary, "export", "dump"], cwd=a.root, check=True, capture_output=True, text=True).stdout
    for line in dump.splitlines():
        table, _, row = line.partition("\t")
        if table == "CALLS":
            caller, callee, _, lines, confidence = json.loads(row)
            (cf, _), (tf, q) = (caller.split("::", 1), callee.split("::", 1))
            if cf in files and tf.rpartition(".")[2] == cf.rpartition(".")[2]:
                rows += [(cf, at, tf, q, confidence) for at in lines]
    for level, least, below in LEVELS:
        mine = {r[:4] for r in rows if least <= r[4] < below}
        # A type that is made or converted to is no call, and no mistake either.
        mine -= {e for e in mine - truth if (*e[:3], last(e[3])) in types}
        hit = mine & truth
        wrong = sorted(e for e in mine - truth if (e[0], e[1], last(e[3])) not in open_)
        missed = sorted(truth - mine)
        p, r = len(hit) / max(1, len(hit) + len(wrong)), len(hit) / max(1, len(truth))
        loose = {(t[0], t[1], t[2], plain(t[3])) for t in truth}
        one = {(t[0], t[1], t[2], plain(t[3])) for t in mine}
        print(f"{level}: sites {len(truth)}, edges {len(mine)}, right {len(hit)}, wrong {len(wrong)}, "
              f"not judged {len(mine) - len(hit) - len(wrong)} | precision {p:.3f} recall {r:.3f}"
              f" | recall with any overload {len(loose & one) / max(1, len(loose)):.3f}")
        step = lambda all_: all_[:: max(1, len(all_) // show)][:show] if show else []
        for kind, some in (("wrong", step(wrong)), ("missed", step(missed))):
            for e in some:
                print("   ", kind, *e)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("what", choices=["dynamic", "scip", "tests", "sites"])
    ap.add_argument("root")
    ap.add_argument("truth")
    ap.add_argument("--oracle", help="the folder of the scorers; all but `sites` need it")
    ap.add_argument("--portolan", default="portolan")
    ap.add_argument("--tsv", help="edges made before, instead of indexing")
    a, rest = ap.parse_known_args()
    if a.what == "sites":
        return sites(a, rest)
    if not a.oracle:
        ap.error("--oracle DIR is missing: the folder that holds dyn_calls_score.py, calls_score.py and scip_calls.py")
    if a.what == "tests":
        return tested(a)
    if a.tsv:
        with open(a.tsv, encoding="utf-8") as f:
            rows = [line.rstrip("\n").split("\t") for line in f]
    else:
        rows = edges(a.portolan, a.root)
    if a.what == "scip":
        load.qualname = load(os.path.join(a.oracle, "scip_calls.py")).symbol_qualname
        known, defined = scopes(a.oracle, a.truth)
        judged = [r for r in rows if not constructs_base(a.root, r)]
        if len(judged) < len(rows):
            print(f"left out: {len(rows) - len(judged)} sites of `super(...)`, which the scorer does not take for calls")
        rows = [renamed(r, known) for r in judged]
        judged = [r for r in rows if not r[2].endswith(SCRIPTS) or (r[2], r[3]) in defined]
        if len(judged) < len(rows):
            print(f"left out: {len(rows) - len(judged)} sites whose callee the index has no definition of")
        rows = judged
    with tempfile.TemporaryDirectory() as folder:
        for level, least, below in LEVELS:
            name = os.path.join(folder, level.replace(" ", "-") + ".tsv")
            with open(name, "w", encoding="utf-8") as f:
                f.writelines("\t".join(r) + "\n" for r in rows if least <= float(r[6]) < below)
            print(f"-- {level}", flush=True)
            if a.what == "dynamic":
                command = ["dyn_calls_score.py", a.truth, a.root, name]
            else:
                command = ["calls_score.py", a.truth, a.root, name]
            command[0] = os.path.join(a.oracle, command[0])
            subprocess.run([sys.executable, *command, *rest], check=True)


if __name__ == "__main__":
    main()
