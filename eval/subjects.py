#!/usr/bin/env python3
"""Make cases for eval/localize.py of the commit subjects of any repositories.  Standard library only.

  eval/subjects.py --repos DIR [--most 30] [--seed 1] [--bodies] OWNER/NAME ... > cases.jsonl

repos  local clones with history: DIR/<name> for "owner/name"

A case is a commit that changed one or two source files (tests, examples and documents apart) which its parent has, with a subject of at least
four words that is no merge, release, revert or chore. The subject alone is the report: the parent is the base, so nothing of the fix is in sight.
Right places are the changed lines in the parent (hunks without context; what changes imports, comments or blank lines alone is left out),
so a place that covers one is right. At most --most commits a repository, spread over its last --window commits by a seeded draw.
With --bodies only commits are drawn whose message goes on after the subject, and that text (without trailers) is the report's body: it is longer and, since
it is written by whoever made the change, names more than a user would.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys

SOURCE = re.compile(r"\.(py|pyx|go|js|mjs|cjs|jsx|ts|tsx|rs|java|kt|scala|c|h|cc|cpp|hpp|cxx|rb|php|cs|swift)$")
ASIDE = re.compile(r"(^|/)(tests?|testsuite|testing|testdata|test-utils|specs?|__tests__|bench\w*|examples?|docs?|documentation|fuzz|vendor|third_party|"
                   r"node_modules|fixtures|dist|build|lib/cjs|deno|scripts?|packages/bench)/|(^|/)test_[^/]*$|_test\.[^/]*$|[._](test|spec)\.[^/]*$|"
                   r"Tests?\.java$|\.d\.ts$|\.min\.js$|(^|/)(setup|conftest|__about__|__version__|version)\.[^/]*$|gulpfile|rollup|webpack", re.I)
NO_TASK = re.compile(r"^(merge|release|revert|bump|version|prepare|chore|ci|style|docs?|build|test)\b|\b(changelog|typos?|tests?|documentation|comments?|refactor\w*|clean ?-?up|rename[sd]?|unused|typing|type hints?|annotations?|redundan\w+|dead code|docs?|spelling|readme|lint|clippy|rustfmt|black|"
                     r"prettier|copyright|license|dependabot|deps|pre-commit|mypy|javadoc|checkstyle|pyupgrade|whitespace|docstrings?)\b", re.I)
TRAILER = re.compile(r"^\s*([A-Z][\w-]*-[Bb]y|Change-Id|PR-URL|Refs?|Fix(es)?|Closes?|Resolves?|See|BUG|PiperOrigin-RevId|git-svn-id)\b\s*:?.{0,80}$|^\s*\(cherry picked|^\s*#+\d+\s*$")
LEAST_BODY = 150
EMPTY = re.compile(r"^\s*($|#|//|/\*|\*|import\b|from\b.*\bimport\b|use\b|package\b|\"\"\"|'''|\t(\w+ )?\"[^\"]*\"$|[)}\]]+;?$)")


def git(tree, *args):
    return subprocess.run(["git", "-C", tree, *args], check=True, stdout=subprocess.PIPE).stdout.decode("utf-8", "replace")


def hunks(diff):
    """(file, first old line, last old line) of each hunk that changes code."""
    path, out, at, lines = None, [], None, []

    def close():
        if at and any(not EMPTY.match(line) for line in lines):
            start, count = at
            # What is only added lies after the line before it.
            out.append((path, max(start, 1), max(start + max(count, 1) - 1, 1)))

    for line in diff.splitlines():
        if line.startswith("--- "):
            close()
            path, at, lines = line[6:] if line.startswith("--- a/") else None, None, []
        elif line.startswith("@@"):
            close()
            start, _, count = line.split()[1][1:].partition(",")
            at, lines = (int(start), int(count) if count else 1), []
        elif at and line[:1] in "+-" and not line.startswith("+++ "):
            lines.append(line[1:])
    close()
    return [h for h in out if h[0]]


def body_of(tree, commit):
    """What the message says after its subject; nothing when that is a list of the squashed commits."""
    lines = [line for line in git(tree, "show", "-s", "--format=%b", commit).splitlines() if not TRAILER.search(line)]
    if sum(line.lstrip()[:2] in ("* ", "- ") for line in lines) > len(lines) / 2:
        return ""
    return "\n".join(lines).strip()


def cases_of(repo, tree, most, window, rng, bodies):
    log = git(tree, "log", "--no-merges", "-n", str(window), "--format=%x00%H %P%x09%s", "--name-status", "--no-renames")
    found = []
    for entry in log.split("\0")[1:]:
        head, _, rest = entry.partition("\n")
        hashes, _, subject = head.partition("\t")
        parts = hashes.split()
        if len(parts) != 2 or NO_TASK.search(subject):
            continue
        subject = re.sub(r"\s*\(?(#|gh-|GH-|issue )\d+\)?|^\s*(\w+(\([^)]*\))?!?:\s+)", "", subject).strip()
        subject = re.sub(r"^[^\w`'\"]+\s*", "", subject)
        if len(subject.split()) < 4:
            continue
        files = [line.split("\t") for line in rest.splitlines() if "\t" in line]
        source = [(s, p) for s, p in files if SOURCE.search(p) and not ASIDE.search(p)]
        if not 1 <= len(source) <= 2 or any(s != "M" for s, _ in source) or len(files) > 8:
            continue
        found.append((parts[0], parts[1], subject, sorted(p for _, p in source)))
    rng.shuffle(found)
    cases = []
    for commit, parent, subject, files in found:
        if len(cases) == most:
            break
        changed = hunks(git(tree, "diff", "-U0", "--no-renames", parent, commit, "--", *files))
        if not 1 <= len(changed) <= 12:
            continue
        body = body_of(tree, commit) if bodies else ""
        if bodies and len(body) < LEAST_BODY:
            continue
        cases.append({"id": "%s-%s" % (repo.rsplit("/", 1)[-1], commit[:10]), "repo": repo, "base_commit": parent, "title": subject, "body": body,
                      "fix_date": git(tree, "show", "-s", "--format=%cI", commit).strip(), "gold_files": sorted({h[0] for h in changed}),
                      "gold_functions": [{"file": f, "start": a, "end": b, "kind": "function"} for f, a, b in changed]})
    return cases


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--repos", required=True)
    ap.add_argument("--most", type=int, default=30)
    ap.add_argument("--window", type=int, default=2500)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--bodies", action="store_true")
    ap.add_argument("names", nargs="+", metavar="OWNER/NAME")
    a = ap.parse_args()
    for repo in a.names:
        cases = cases_of(repo, os.path.join(a.repos, repo.rsplit("/", 1)[-1]), a.most, a.window, random.Random("%s %d" % (repo, a.seed)), a.bodies)
        for case in sorted(cases, key=lambda c: c["fix_date"]):
            print(json.dumps(case))
        print("%s: %d" % (repo, len(cases)), file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
