#!/usr/bin/env python3
"""Replay real reports against `portolan locate` and score the places.  Standard library only.

  eval/localize.py --cases CASES.jsonl --repos DIR [--portolan BIN] [--out PRED.jsonl] [--keep DIR]
                   [--compare NAME=PRED.jsonl ...] [--no-baseline] [--only REPO,...]

cases  JSONL, one case a line: id, repo ("owner/name"), base_commit, title, body, gold_files [path],
       gold_functions [{file, qualname, start, end, kind}], inject {file, lines, old, new} for a fault that is put in first
repos  local clones with history: DIR/<name> for "owner/name"

For each case the base commit is checked out into a clone of its own that shares the objects, indexed with
`portolan index`, and asked with `portolan locate --json` and `portolan map --json` (title, blank line, body on standard input). The
clone's HEAD is the base commit, so nothing of the fix is in its history. Printed: file@1/3/5, MRR, function@1/5, and whether the lines of the
printed map hold a right file and a right function, in all and by repository, beside BM25 over whole files (its formula: Robertson &
Zaragoza 2009) and beside any other predictions given with --compare; then how often each confidence is said, and with which file@3.

With --keep DIR the graph of each case stays there (DIR/<id>), and a second run only asks: seconds instead of minutes. Empty DIR when the
index has changed.

A case with no prediction is a miss. A function counts when its qualified name agrees from the end (`parse` ~ `Parser.parse`), or its
lines overlap by half of the shorter one; cases whose fix changed no function are left out of function@k.
"""
import argparse
import collections
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = set("py pyx go js mjs cjs jsx ts tsx vue rs java kt scala c h cc cpp hpp cxx hh rb php cs swift lua sh".split())
SKIP = re.compile(r"(^|/)(tests?|testing|testdata|specs?|__tests__|bench\w*|examples?|docs?|documentation|fuzz|vendor|third_party|"
                  r"node_modules|fixtures|dist|build)/|(^|/)test_[^/]*$|_test\.[^/]*$|[._](test|spec)\.[^/]*$|Tests?\.java$|\.d\.ts$|\.min\.js$", re.I)
WORD = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*|\d{2,}")
PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
STOP = set("a an and are as at be but by can do does for from has have how i if in is it its my no not of on or so than that the "
           "then there these they this to up use was we what when where which why will with would you".split())


def run(args, **more):
    return subprocess.run(args, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more).stdout.decode("utf-8", "replace")


def words(text):
    for word in WORD.findall(text):
        low = word.lower()
        if len(low) > 1 and low not in STOP and len(low) < 60:
            yield low
        parts = [p.lower() for p in PART.findall(word)]
        if len(parts) > 1:
            yield from (p for p in parts if len(p) > 1 and p not in STOP)


def bm25(tree, query, k1=1.2, b=0.75):
    """Files of a work tree, best first."""
    docs = {}
    for path in run(["git", "-C", tree, "ls-files", "-z"]).split("\0"):
        full = os.path.join(tree, path)
        if path.rsplit(".", 1)[-1].lower() in SOURCE and not SKIP.search(path) and os.path.isfile(full) and os.path.getsize(full) < 1_500_000:
            with open(full, encoding="utf-8", errors="replace") as f:
                docs[path] = collections.Counter(words(f.read()))
    asked = set(words(query))
    lengths = {p: sum(c.values()) for p, c in docs.items()}
    mean = sum(lengths.values()) / len(docs) if docs else 1.0
    holders = collections.Counter(w for c in docs.values() for w in asked & c.keys())
    scores = {}
    for path, counts in docs.items():
        score = 0.0
        for word in sorted(asked & counts.keys()):
            idf = math.log(1 + (len(docs) - holders[word] + 0.5) / (holders[word] + 0.5))
            tf = counts[word]
            score += idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * lengths[path] / mean))
        scores[path] = score
    return [{"file": p} for p in sorted(scores, key=lambda p: (-scores[p], p))[:100]]


def same_name(a, b):
    a, b = (re.sub(r"#\d+$", "", x).replace("::", ".").strip(".").split(".") for x in (a, b))
    n = min(len(a), len(b))
    return bool(a[-1]) and a[-n:] == b[-n:]


def same_function(place, gold):
    if place["file"] != gold["file"]:
        return False
    if place.get("qualname") and gold.get("qualname") and same_name(place["qualname"], gold["qualname"]):
        return True
    if not (place.get("end") and gold.get("end")):
        return False
    shared = min(place["end"], gold["end"]) - max(place["start"], gold["start"]) + 1
    shorter = min(place["end"] - place["start"], gold["end"] - gold["start"]) + 1
    return shared >= 0.5 * shorter


def score(case, ranked, lines=None):
    files = list(dict.fromkeys(p["file"] for p in ranked))
    rank = next((i + 1 for i, f in enumerate(files) if f in case["gold_files"]), 0)
    out = {"file@%d" % k: float(0 < rank <= k) for k in (1, 3, 5)}
    out["MRR"] = 1.0 / rank if rank else 0.0
    gold = [g for g in case.get("gold_functions", []) if g.get("kind", "function") == "function"]
    if gold:
        functions = [p for p in ranked if p.get("qualname") or p.get("end")]
        at = next((i + 1 for i, p in enumerate(functions) if any(same_function(p, g) for g in gold)), 0)
        out.update({"function@%d" % k: float(0 < at <= k) for k in (1, 5)})
    if lines is not None:
        out["map file"] = float(any(p["file"] in case["gold_files"] for p in lines))
        if gold:
            out["map fn"] = float(any(same_function(p, g) for p in lines for g in gold))
    return out


METRICS = ["file@1", "file@3", "file@5", "MRR", "function@1", "function@5", "map file", "map fn"]


def table(title, cases, predictions, maps=None):
    def line(name, rows):
        cells = []
        for m in METRICS:
            values = [r[m] for r in rows if m in r]
            cells.append("%10s" % ("%.1f" % (100 * sum(values) / len(values)) if values else "-"))
        print("  %-26s %4d %s" % (name[:26], len(rows), " ".join(cells)))

    print("\n%-28s    n %s" % (title, " ".join("%10s" % m for m in METRICS)))
    rows = [(c, score(c, predictions.get(c["id"], []), None if maps is None else maps.get(c["id"], []))) for c in cases]
    line("all", [r for _, r in rows])
    for repo in sorted({c["repo"] for c in cases}):
        line(repo, [r for c, r in rows if c["repo"] == repo])


def places_of(answer):
    ranked = []
    for place in answer["places"]:
        entry = {"file": place["file"]}
        if place.get("qualname"):
            entry["qualname"] = place["qualname"]
        if place.get("end_line"):
            entry.update(start=place["start_line"], end=place["end_line"])
        ranked.append(entry)
    return ranked


def predict(portolan, folder, case):
    text = ("%s\n\n%s" % (case["title"], case.get("body") or "")).encode()

    def ask(command):
        # `locate` exits with 1 when it finds nothing; its JSON says so too.
        done = subprocess.run([portolan, "-C", folder, "--no-index", *command, "--json", "-"], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode not in (0, 1) or not done.stdout:
            raise subprocess.CalledProcessError(done.returncode, command[0], stderr=done.stderr)
        return json.loads(done.stdout)

    started = time.monotonic()
    answer = ask(["locate", "--all"])
    took = time.monotonic() - started
    mapped = ask(["map"])
    # Only what was printed counts: the map drops what its tokens have no room for.
    printed = sum(line.startswith("- ") for line in mapped["text"].splitlines())
    return {"id": case["id"], "confidence": answer["confidence"], "seconds": round(took, 3), "ranked": places_of(answer),
            "map": places_of(mapped)[:printed], "text": mapped["text"]}


def inject(tree, fault):
    """Puts a fault into a checkout: `old` becomes `new` within the lines of one function."""
    if not fault:
        return
    path = os.path.join(tree, fault["file"])
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines(keepends=True)
    first, last = fault["lines"]
    body = "".join(lines[first - 1:last])
    assert body.count(fault["old"]) == 1, fault
    with open(path, "w", encoding="utf-8") as f:
        f.write("".join(lines[:first - 1]) + body.replace(fault["old"], fault["new"]) + "".join(lines[last:]))


def indexed(portolan, repos, work, case, baseline):
    """A folder with the graph of the case's base commit, and the baseline's answer."""
    folder = os.path.join(work, re.sub(r"[^\w.-]", "_", case["id"]))
    graph, ranking = os.path.join(folder, ".portolan"), os.path.join(folder, "bm25.json")
    no_graph, no_ranking = not os.path.isfile(os.path.join(graph, "cache", "search")), baseline and not os.path.isfile(ranking)
    if no_graph or no_ranking:
        # One checkout a repository, moved from case to case: the index then does only the differences.
        name = case["repo"].rsplit("/", 1)[-1]
        tree = os.path.join(work, "tree-" + name)
        if not os.path.isdir(tree):
            run(["git", "clone", "-q", "--shared", "--no-checkout", os.path.join(repos, name), tree])
        run(["git", "-C", tree, "-c", "advice.detachedHead=false", "checkout", "-q", "-f", "--detach", case["base_commit"]])
        inject(tree, case.get("inject"))
        if no_graph:
            run([portolan, "index", tree])
            shutil.rmtree(graph, ignore_errors=True)
            os.makedirs(os.path.join(graph, "cache"), mode=0o700)
            for entry in os.scandir(os.path.join(tree, ".portolan")):
                if entry.is_file():
                    shutil.copy(entry.path, graph)
            shutil.copy(os.path.join(tree, ".portolan", "cache", "search"), os.path.join(graph, "cache"))
        if no_ranking:
            with open(ranking, "w", encoding="utf-8") as f:
                json.dump(bm25(tree, case["title"] + "\n" + (case.get("body") or "")), f)
    if not baseline:
        return folder, []
    with open(ranking, encoding="utf-8") as f:
        return folder, json.load(f)


def read_predictions(path):
    with open(path, encoding="utf-8") as f:
        rows = [json.loads(line) for line in f if line.strip()]
    return {r["id"]: [{"file": e} if isinstance(e, str) else e for e in r["ranked"]] for r in rows}


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--cases", required=True)
    ap.add_argument("--repos", required=True)
    ap.add_argument("--portolan", default="portolan")
    ap.add_argument("--out", help="write the predictions here")
    ap.add_argument("--keep", help="keep the checkouts in this folder (a second run is faster)")
    ap.add_argument("--compare", action="append", default=[], metavar="NAME=FILE")
    ap.add_argument("--no-baseline", action="store_true")
    ap.add_argument("--index-only", action="store_true", help="make the graphs of --keep and ask nothing (eval/fit.rs asks them)")
    ap.add_argument("--only", help="repositories, by name, separated by commas")
    a = ap.parse_args()
    with open(a.cases, encoding="utf-8") as f:
        cases = [json.loads(line) for line in f if line.strip()]
    if a.only:
        cases = [c for c in cases if c["repo"].rsplit("/", 1)[-1] in a.only.split(",")]
    work = a.keep or tempfile.mkdtemp(prefix="portolan-eval-")
    os.makedirs(work, exist_ok=True)
    ours, maps, base, said, failed = {}, {}, {}, {}, []
    out = open(a.out, "w", encoding="utf-8") if a.out else None
    try:
        for case in sorted(cases, key=lambda c: (c["repo"], c.get("fix_date", ""), c["id"])):
            try:
                folder, base[case["id"]] = indexed(a.portolan, a.repos, work, case, not a.no_baseline)
                if a.index_only:
                    continue
                got = predict(a.portolan, folder, case)
            except (subprocess.CalledProcessError, ValueError, KeyError) as error:
                failed.append((case["id"], str(getattr(error, "stderr", b"") or error)[:300]))
                continue
            ours[case["id"]], maps[case["id"]], said[case["id"]] = got["ranked"], got["map"], got["confidence"]
            if out:
                out.write(json.dumps(got) + "\n")
            print("\r%d of %d" % (len(ours), len(cases)), end="", file=sys.stderr, flush=True)
    finally:
        if out:
            out.close()
        if not a.keep:
            shutil.rmtree(work, ignore_errors=True)
    print(file=sys.stderr)
    if a.index_only:
        print("%d graphs" % (len(cases) - len(failed)))
        return 1 if failed else 0
    table("portolan", cases, ours, maps)
    if not a.no_baseline:
        table("BM25 over whole files", cases, base)
    for level in ("high", "medium", "low"):
        rows = [score(c, ours[c["id"]])["file@3"] for c in cases if said.get(c["id"]) == level]
        print("%s confidence %-7s %3d of %d%s" % ("\n" if level == "high" else "", level, len(rows), len(cases),
                                               ", file@3 %.1f" % (100 * sum(rows) / len(rows)) if rows else ""))
    for spec in a.compare:
        name, path = spec.split("=", 1)
        table(name, cases, read_predictions(path))
    for case, error in failed:
        print("failed: %s: %s" % (case, error))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
