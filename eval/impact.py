"""Scores `portolan impact`, `tests` and `cochange` against truths that do not come from Portolan's graph.

    python eval/impact.py coverage  --repo REPO --source src/click --out cov.json [-- PYTEST ARGS]
    python eval/impact.py mutate    --repo REPO --truth cov.json --n 100 --out mut.json [-- PYTEST ARGS]
    python eval/impact.py tests     --portolan BIN --repo REPO --truth cov.json
    python eval/impact.py affected  --portolan BIN --repo REPO --truth cov.json --mutations mut.json
    python eval/impact.py callers   --portolan BIN --repo REPO --trace edges.json --n 100
    python eval/impact.py cochange  --portolan BIN --repos DIR --names a,b --n 60
    python eval/impact.py latency   --portolan BIN --repo REPO --targets a.py,b.py --runs 20
    python eval/impact.py size      --portolan BIN --repo REPO --targets a.py,b.py

`coverage` and `mutate` run with the interpreter of the project's own environment (pytest, pytest-cov installed there).
REPO is a scratch copy: `mutate` edits its files and puts them back.

Truths. coverage: a function is run by a test when a line of its body is executed in that test's coverage context.
mutate: the function's body gets a first statement that raises (every other one: returns None); the tests that fail then and
did not fail before are those that it affects. callers: call edges recorded while the suite runs (`dyntrace.py`).
cochange: what a later commit really changed, predicted from the graph of its parent.
"""

import argparse
import ast
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

SEED = 20261130


def functions(path):
    """(qualname, first line with decorators, def line, last line, body lines, ast node) of each function of a Python file."""
    out = []

    def walk(node, prefix):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                qual = f"{prefix}{child.name}"
                if not isinstance(child, ast.ClassDef):
                    inner = set()
                    for sub in ast.walk(child):
                        if sub is not child and isinstance(sub, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                            inner |= set(range(sub.lineno, sub.end_lineno + 1))
                    body = list(child.body)
                    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str):
                        body = body[1:]
                    lines = {n for s in body for n in range(s.lineno, s.end_lineno + 1)} - inner
                    first = min([child.lineno] + [d.lineno for d in child.decorator_list])
                    out.append((qual, first, child.lineno, child.end_lineno, lines, child))
                walk(child, qual + ".")
            else:
                walk(child, prefix)

    walk(ast.parse(Path(path).read_text()), "")
    return out


def bare(nodeid):
    """A pytest node id without its parameters and phase."""
    return re.sub(r"\[.*$", "", nodeid.split("|")[0], flags=re.S)


def pytest(repo, extra, env=None, timeout=900):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *extra]
    return subprocess.run(command, cwd=repo, env={**os.environ, **(env or {})}, capture_output=True, text=True, timeout=timeout)


def outcomes(repo, extra, timeout=900):
    """node id -> passed? of a run; files that could not be collected count as failing whole."""
    with tempfile.NamedTemporaryFile(suffix=".py", dir=repo, prefix="_outcome_", delete=False) as f:
        f.write(
            b"import json, os\nR = {}\n"
            b"def pytest_runtest_logreport(report):\n"
            b"    ok = report.outcome != 'failed'\n"
            b"    R[report.nodeid] = R.get(report.nodeid, True) and ok\n"
            b"def pytest_collectreport(report):\n"
            b"    if report.outcome == 'failed': R[report.nodeid + '::*'] = False\n"
            b"def pytest_unconfigure(config):\n"
            b"    json.dump(R, open(os.environ['OUTCOME'], 'w'))\n"
        )
    plugin = Path(f.name)
    out = Path(tempfile.mkstemp(suffix=".json")[1])
    try:
        out.write_text("{}")
        env = {"OUTCOME": str(out), "PYTHONPATH": str(repo), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            pytest(repo, ["-p", plugin.stem, *extra], env, timeout)
        except subprocess.TimeoutExpired:
            return None
        return json.loads(out.read_text() or "{}")
    finally:
        plugin.unlink(missing_ok=True)
        out.unlink()


def coverage(args):
    """Which tests run which function, by coverage contexts."""
    repo = Path(args.repo).resolve()
    data = repo / ".coverage"
    data.unlink(missing_ok=True)
    ran = pytest(repo, [f"--cov={args.source}", "--cov-context=test", "--cov-report=", *args.rest], timeout=3600)
    print(ran.stdout[-300:])
    from coverage import CoverageData

    cov = CoverageData(str(data))
    cov.read()
    truth = {}
    for file in sorted(cov.measured_files()):
        path = Path(file)
        if not path.is_relative_to(repo) or "/tests/" in file or path.name.startswith("test_"):
            continue
        by_line = cov.contexts_by_lineno(file)
        for qual, first, line, last, body, _ in functions(path):
            tests = {bare(c) for n in body for c in by_line.get(n, []) if c}
            if tests:
                truth[f"{path.relative_to(repo)}::{qual}"] = {"lines": [first, last], "tests": sorted(tests)}
    suite = sorted({t for v in truth.values() for t in v["tests"]})
    Path(args.out).write_text(json.dumps({"functions": truth, "suite": suite}, indent=0))
    data.unlink(missing_ok=True)
    print(f"{len(truth)} functions run by tests, {len(suite)} tests")


def mutate(args):
    """Breaks sampled functions one at a time and notes which tests fail then."""
    repo = Path(args.repo).resolve()
    truth = json.loads(Path(args.truth).read_text())["functions"]
    keys = sorted(truth)
    random.Random(SEED).shuffle(keys)
    baseline = outcomes(repo, args.rest)
    suite = sorted({bare(k) for k in baseline if not k.endswith("::*")})
    if not any(baseline.values()):
        sys.exit("no test passes before anything is broken; are the arguments after -- those of this suite?")
    failing_before = {bare(k) for k, ok in baseline.items() if not ok}
    result = {"suite": suite, "before": sorted(failing_before), "mutations": {}}
    for number, key in enumerate(keys):
        if len(result["mutations"]) == args.n:
            break
        file, qual = key.split("::")
        path = repo / file
        text = path.read_text()
        found = [f for f in functions(path) if f[0] == qual]
        node = found[0][5]
        first = next((s for s in node.body if s.lineno in found[0][4]), None)
        if first is None or first.lineno == node.lineno:
            continue
        lines = text.split("\n")
        how = "raise" if number % 2 == 0 else "none"
        statement = "raise RuntimeError('broken')" if how == "raise" else "return None"
        lines.insert(min([first.lineno] + [d.lineno for d in getattr(first, "decorator_list", [])]) - 1, " " * first.col_offset + statement)
        began = time.time()
        try:
            path.write_text("\n".join(lines))
            after = outcomes(repo, args.rest, 120)
        finally:
            path.write_text(text)
        if after is None:
            print(f"{key}: hangs, left out", flush=True)
            continue
        bad = {bare(k) for k, ok in after.items() if not ok}
        whole = {k[: -len("::*")] for k in bad if k.endswith("::*")}
        failing = {t for t in suite if t in bad or t.split("::")[0] in whole} - failing_before
        result["mutations"][key] = {"how": how, "failing": sorted(failing)}
        Path(args.out).write_text(json.dumps(result, indent=0))
        print(f"{len(result['mutations'])} {key} {how}: {len(failing)} fail, {time.time() - began:.0f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, function in COMMANDS.items():
        command = commands.add_parser(name)
        command.set_defaults(function=function)
        for option in ("portolan", "repo", "repos", "names", "source", "truth", "mutations", "trace", "targets", "out"):
            command.add_argument(f"--{option}")
        command.add_argument("--n", type=int, default=100)
        command.add_argument("--runs", type=int, default=20)
        command.add_argument("--extra", default="", help="more arguments for the command that is measured")
    argv, rest = sys.argv[1:], []
    if "--" in argv:
        at = argv.index("--")
        argv, rest = argv[:at], argv[at + 1 :]
    args = parser.parse_args(argv)
    args.rest = rest
    args.function(args)


COMMANDS = {"coverage": coverage, "mutate": mutate}

if __name__ == "__main__":
    main()
