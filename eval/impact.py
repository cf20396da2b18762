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


def portolan(args, *command, check=False):
    """stdout of a run in args.repo, its exit code and seconds."""
    began = time.time()
    ran = subprocess.run([args.portolan, *command], cwd=args.repo, capture_output=True, text=True, timeout=600)
    if ran.returncode == 2 or (check and ran.returncode):
        sys.exit(f"{command}: {ran.stderr}")
    return ran.stdout, ran.returncode, time.time() - began


def node_ids(hits):
    """Tests of an answer as pytest names them."""
    out = set()
    for hit in hits:
        out.add(f"{hit['file']}::" + hit["qualname"].split("#")[0].replace(".", "::"))
    return out


def directly(truth, trace):
    """Functions that a test's own frame calls, by the trace: those are the ones that are tested directly."""
    out = defaultdict(set)
    for caller_file, caller, _, _, callee_file, callee, _ in trace:
        out[(callee_file, callee.replace(".<locals>", ""))].add((caller_file, caller.replace(".<locals>", "")))
    return out


def tests(args):
    """For each function that tests run: does `tests` name one that runs it, at the first place, among the first 5, among 15?"""
    truth = json.loads(Path(args.truth).read_text())
    portolan(args, "index", check=True)
    keys = sorted(truth["functions"])
    random.Random(SEED).shuffle(keys)
    rows = {"all": [], "direct": []}
    trace = directly(truth, json.loads(Path(args.trace).read_text())) if args.trace else {}
    root = str(Path(args.repo).resolve())
    if args.trace:
        # The trace may have been made in another copy.
        roots = {f for (f, _) in trace}
        root = os.path.commonpath(sorted(roots))
    for key in keys[: args.n]:
        file, qual = key.split("::")
        out, _, _ = portolan(args, "--no-index", "tests", key, "--json")
        data = json.loads(out)
        hits = [h for h in data.get("tests", [])]
        right = set(truth["functions"][key]["tests"])
        firsts = [bool(node_ids(hits[:n]) & right) for n in (1, 5, 15)]
        rows["all"].append((key, firsts, len(hits)))
        callers = next((v for (f, q), v in trace.items() if f.endswith("/" + file) and q == qual), set())
        if any("test" in os.path.basename(f) and q.split(".")[0].lower().startswith("test") for f, q in callers):
            rows["direct"].append((key, firsts, len(hits)))
    for name, list_ in rows.items():
        n = len(list_) or 1
        print(f"{name}: {len(list_)} functions; a right test first {sum(r[1][0] for r in list_) / n:.1%}, among 5 {sum(r[1][1] for r in list_) / n:.1%}, among 15 {sum(r[1][2] for r in list_) / n:.1%}; no test named {sum(not r[2] for r in list_)}")
    if args.out:
        Path(args.out).write_text(json.dumps(rows, indent=0))


def affected(args):
    """Recall of the tests that fail when a function is broken, in `tests --all-affected`, at the size of the set."""
    truth = json.loads(Path(args.mutations).read_text())
    portolan(args, "index", check=True)
    suite = len(truth["suite"])
    found = failing = 0
    sizes, recalls, seconds = [], [], []
    rows = []
    for key, mutation in truth["mutations"].items():
        out, _, took = portolan(args, "--no-index", "tests", key, "--all-affected", "--json", *args.extra.split())
        chosen = node_ids(json.loads(out).get("tests", [])) & set(truth["suite"])
        bad = set(mutation["failing"])
        sizes.append(len(chosen) / suite)
        seconds.append(took)
        if bad:
            recalls.append(len(bad & chosen) / len(bad))
            found += len(bad & chosen)
            failing += len(bad)
        rows.append((key, len(bad), len(bad & chosen), len(chosen)))
    for row in sorted(rows, key=lambda r: r[2] - r[1])[:15]:
        print("  %s: %d fail, %d of them found, %d chosen" % row)
    print(f"{len(rows)} mutations, {len(recalls)} break a test; {failing} failing tests, recall {found / failing:.1%} (mean over mutations {statistics.mean(recalls):.1%})")
    print(f"size of the set: mean {statistics.mean(sizes):.1%} of the suite, median {statistics.median(sizes):.1%}; median {statistics.median(seconds) * 1000:.0f} ms")


def callers(args):
    """Callers within 3 steps that a test run proves, on the default page of `impact` (by name, or their file in its counts) and with --all."""
    edges = json.loads(Path(args.trace).read_text())
    root = os.path.commonpath([e[0] for e in edges] + [e[4] for e in edges])
    root = root.split("/src")[0].split("/tests")[0]
    fold = lambda q: re.sub(r"\.<(lambda|listcomp|genexpr|dictcomp|setcomp)>.*$", "", q).replace(".<locals>", "")
    back = defaultdict(set)
    for caller_file, caller, _, _, callee_file, callee, _ in edges:
        a = (os.path.relpath(caller_file, root), fold(caller))
        b = (os.path.relpath(callee_file, root), fold(callee))
        if a != b and a[1] != "<module>":
            back[b].add(a)
    targets = sorted(b for b in back if "/test" not in "/" + b[0] and not b[1].startswith("<"))
    random.Random(SEED).shuffle(targets)
    portolan(args, "index", check=True)
    proven = named = counted = listed = 0
    per = []
    for file, qual in targets[: args.n]:
        level, seen = {(file, qual)}, {(file, qual)}
        for _ in range(3):
            level = {a for b in level for a in back[b]} - seen
            seen |= level
        truth = seen - {(file, qual)}
        target = f"{file}::{qual}"
        page, code, _ = portolan(args, "--no-index", "impact", target)
        if code:
            page = ""
        data = json.loads(portolan(args, "--no-index", "impact", target, "--all", "--json")[0])
        everything = {(r["file"], r["qualname"].split("#")[0]) for l in data.get("levels", []) for r in l["shown"]}
        test_files = {t["file"] for t in data.get("tests", {}).get("files", [])}
        everything |= {(a, b) for a, b in truth if a in test_files}
        on_page = {(a, b) for a, b in truth if b in page and a in page}
        by_count = {(a, b) for a, b in truth if a in page}
        proven += len(truth)
        named += len(on_page)
        counted += len(by_count)
        listed += len(truth & everything)
        per.append(len(by_count) / len(truth))
    print(f"{min(args.n, len(targets))} functions, {proven} proven callers within 3 steps: named on the page {named / proven:.1%}, named or in its counts by file {counted / proven:.1%} (mean {statistics.mean(per):.1%}), with --all {listed / proven:.1%}")


def git(folder, *command):
    return subprocess.run(["git", *command], cwd=folder, capture_output=True, text=True, check=True).stdout


def cochange(args):
    """One file of a later commit is given, the others are predicted from the graph of its parent. Baseline: files that changed in past
    commits with it, most shared commits first, then those of the same folder."""
    total = defaultdict(list)
    for name in args.names.split(","):
        source = Path(args.repos) / name
        with tempfile.TemporaryDirectory() as scratch:
            clone = Path(scratch) / name
            git(scratch, "clone", "-q", "--no-checkout", str(source), str(clone))
            log = git(clone, "log", "--no-merges", "--format=%x00%H %P", "--name-only", "-n", "1500", "HEAD")
            commits = []
            for part in log.split("\0")[1:]:
                head, *files = [l for l in part.split("\n") if l]
                ids = head.split()
                if len(ids) == 2 and 2 <= len(files) <= 10:
                    commits.append((ids[0], ids[1], files))
            random.Random(SEED).shuffle(commits)
            used = 0
            for commit, parent, files in commits:
                if used == args.n:
                    break
                tree = set(git(clone, "ls-tree", "-r", "--name-only", parent).split("\n"))
                files = [f for f in files if f in tree]
                if len(files) < 2:
                    continue
                used += 1
                git(clone, "checkout", "-q", "--force", parent)
                args.repo = str(clone)
                portolan(args, "index", check=True)
                given = random.Random(commit).choice(files)
                wanted = set(files) - {given}
                data = json.loads(portolan(args, "--no-index", "cochange", given, "-n", "10", "--json")[0])
                ours = [row["path"] for row in data.get("cochange", [])]
                past = git(clone, "log", "--no-merges", "-n", "5000", "--format=%x00", "--name-only", parent).split("\0")
                together = defaultdict(int)
                for one in past:
                    names = set(l for l in one.split("\n") if l)
                    if given in names and len(names) <= 50:
                        for other in names - {given}:
                            together[other] += 1
                base = sorted((f for f in together if f in tree), key=lambda f: (-together[f], f))
                folder = given.rpartition("/")[0]
                base += sorted(f for f in tree if f.rpartition("/")[0] == folder and f != given and f not in together)
                for who, list_ in (("ours", ours), ("baseline", base)):
                    for k in (5, 10):
                        total[(who, k)].append(len(set(list_[:k]) & wanted) / len(wanted))
            print(f"{name}: {used} commits", flush=True)
    for who in ("baseline", "ours"):
        print(who, ", ".join(f"recall@{k} {statistics.mean(total[(who, k)]):.1%}" for k in (5, 10)), f"({len(total[(who, 5)])} commits)")


def latency(args):
    """Whole processes of `impact`."""
    portolan(args, "index", check=True)
    for target in args.targets.split(","):
        took = sorted(portolan(args, *args.extra.split(), "impact", target)[2] * 1000 for _ in range(args.runs))
        print(f"impact {target}: p50 {statistics.median(took):.0f} ms ({took[0]:.0f} to {took[-1]:.0f}), load {os.getloadavg()[0]:.1f}")


def size(args):
    """o200k tokens of default pages, and of the files themselves."""
    import tiktoken

    bpe = tiktoken.get_encoding("o200k_base")
    portolan(args, "index", check=True)
    for target in args.targets.split(","):
        page = portolan(args, "impact", target)[0]
        path = Path(args.repo) / target
        own = len(bpe.encode_ordinary(path.read_text())) if path.is_file() else 0
        print(f"impact {target}: {len(bpe.encode_ordinary(page))} tokens, {len(page.splitlines())} lines; the file {own}")


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


COMMANDS = {
    "coverage": coverage,
    "mutate": mutate,
    "tests": tests,
    "affected": affected,
    "callers": callers,
    "cochange": cochange,
    "latency": latency,
    "size": size,
}

if __name__ == "__main__":
    main()
