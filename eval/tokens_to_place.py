#!/usr/bin/env python3
"""Simulate how many tokens and calls an agent spends until the right function is in view, with the map and without.  Standard library only.

  eval/tokens_to_place.py --cases CASES.jsonl --repos DIR --predictions PRED.jsonl [--per-case]

CASES and DIR as for eval/localize.py, PRED what its --out wrote. This is a simulation: no model takes part, and nobody should quote it as what
agents spend.

The searching agent takes the words of the text that the source files of the base commit hold (tests, examples and documents left out, which is in
its favour), the rarest first. For each it greps (one call; it reads the first 60 lines found, of at most 160 characters) and opens the files found,
those with most lines first, in a window of 200 lines round the first line found (one call each; at most 4 a grep, none twice), until a window
shows the first line of a right function, or half of it. The agent with the map has read the map's text, reads the ranges of its lines in order (one call each; of a place
without lines the first 200), and then searches as the other does. A token is four characters. Whoever has not found it after 60 calls stops.
"""
import argparse
import collections
import json
import os
import re
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from localize import SKIP, SOURCE, STOP  # noqa: E402

WINDOW, MOST_CALLS, GREP_LINES, GREP_WIDTH, FILES_A_GREP = 200, 60, 60, 160, 4
NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]{2,60}")


class Tree:
    """Source files of a commit."""

    def __init__(self, repo, commit, fault):
        out = subprocess.run(["git", "-C", repo, "ls-tree", "-r", "-z", commit], check=True, stdout=subprocess.PIPE).stdout.decode("utf-8", "replace")
        blobs = []
        for entry in out.split("\0"):
            meta, _, path = entry.partition("\t")
            if path and meta.split()[1] == "blob" and path.rsplit(".", 1)[-1].lower() in SOURCE and not SKIP.search(path):
                blobs.append((path, meta.split()[2]))
        asked = "".join(blob + "\n" for _, blob in blobs).encode()
        data = subprocess.run(["git", "-C", repo, "cat-file", "--batch"], input=asked, check=True, stdout=subprocess.PIPE).stdout
        self.files, at = {}, 0
        for path, _ in blobs:
            end = data.index(b"\n", at)
            size = int(data[at:end].split()[2])
            text = data[end + 1:end + 1 + size].decode("utf-8", "replace")
            at = end + size + 2
            if size < 1_500_000:
                self.files[path] = text.split("\n")
        if fault:
            lines, (first, last) = self.files[fault["file"]], fault["lines"]
            lines[first - 1:last] = "\n".join(lines[first - 1:last]).replace(fault["old"], fault["new"]).split("\n")
        self.words = collections.defaultdict(dict)
        for path, lines in self.files.items():
            for no, line in enumerate(lines, 1):
                for word in set(NAME.findall(line)):
                    self.words[word.lower()].setdefault(path, []).append(no)


class Agent:
    def __init__(self, tree, gold):
        self.tree, self.gold, self.tokens, self.calls, self.seen, self.found = tree, gold, 0, 0, set(), False

    def done(self):
        return self.found or self.calls >= MOST_CALLS

    def read(self, path, first, last):
        lines = self.tree.files.get(path)
        if lines is None or (path, first, last) in self.seen:
            return
        self.seen.add((path, first, last))
        self.calls += 1
        self.tokens += sum(len(line) + 8 for line in lines[first - 1:last]) // 4
        for g in self.gold:
            shared = min(last, g["end"]) - max(first, g["start"]) + 1
            if g["file"] == path and (first <= g["start"] <= last or 2 * shared >= g["end"] - g["start"] + 1):
                self.found = True

    def search(self, text):
        words = {w.lower() for w in NAME.findall(text) if w.lower() not in STOP}
        found = {w: self.tree.words[w] for w in words if w in self.tree.words}
        for word in sorted(found, key=lambda w: (len(found[w]), w)):
            if self.done():
                return
            hits = found[word]
            self.calls += 1
            lines = [self.tree.files[p][n - 1] for p in sorted(hits) for n in hits[p]][:GREP_LINES]
            self.tokens += sum(min(len(line), GREP_WIDTH) + 30 for line in lines) // 4
            for path in sorted(hits, key=lambda p: (-len(hits[p]), p))[:FILES_A_GREP]:
                first = max(1, hits[path][0] - WINDOW // 2)
                self.read(path, first, first + WINDOW - 1)
                if self.done():
                    return

    def follow(self, prediction):
        self.tokens += len(prediction.get("text", "")) // 4
        for place in prediction["map"]:
            if self.done():
                return
            self.read(place["file"], place.get("start") or 1, place.get("end") or WINDOW)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--cases", required=True)
    ap.add_argument("--repos", required=True)
    ap.add_argument("--predictions", required=True)
    ap.add_argument("--per-case", action="store_true")
    a = ap.parse_args()
    with open(a.cases, encoding="utf-8") as f:
        cases = [json.loads(line) for line in f if line.strip()]
    with open(a.predictions, encoding="utf-8") as f:
        predictions = {p["id"]: p for p in map(json.loads, f)}
    rows = []
    for case in cases:
        gold = [g for g in case.get("gold_functions", []) if g.get("kind", "function") == "function" and g.get("end")]
        prediction = predictions.get(case["id"])
        if not gold or prediction is None:
            continue
        tree = Tree(os.path.join(a.repos, case["repo"].rsplit("/", 1)[-1]), case["base_commit"], case.get("inject"))
        text = "%s\n%s" % (case["title"], case.get("body") or "")
        plain, mapped = Agent(tree, gold), Agent(tree, gold)
        plain.search(text)
        mapped.follow(prediction)
        mapped.search(text)
        rows.append((case["id"], prediction["confidence"], plain, mapped))
        print("\r%d" % len(rows), end="", file=sys.stderr)
    print(file=sys.stderr)
    print("%-10s %4s  %31s  %31s  %s" % ("confidence", "n", "without: tokens, calls, found", "with: tokens, calls, found", "map costs more"))
    for level in ("all", "high", "medium", "low"):
        of = [r for r in rows if level in ("all", r[1])]
        if not of:
            continue
        cells = []
        for k in (2, 3):
            cells.append("%14d %8.1f %8s" % (statistics.median(r[k].tokens for r in of), statistics.median(r[k].calls for r in of),
                                            "%d/%d" % (sum(r[k].found for r in of), len(of))))
        worse = [r for r in of if r[3].tokens > r[2].tokens]
        print("%-10s %4d  %s  %s  %d (median %d tokens more)" % (level, len(of), *cells, len(worse),
              statistics.median(r[3].tokens - r[2].tokens for r in worse) if worse else 0))
    if a.per_case:
        for name, level, plain, mapped in rows:
            print("%-36s %-7s without %7d tokens %3d calls %s   with %7d tokens %3d calls %s%s" % (
                name, level, plain.tokens, plain.calls, "found" if plain.found else "-----", mapped.tokens, mapped.calls,
                "found" if mapped.found else "-----", "   MORE" if mapped.tokens > plain.tokens else ""))


if __name__ == "__main__":
    main()
