#!/usr/bin/env python3
"""Replays a real repository's history: is the incremental graph that of a fresh index? Standard library only.

  replay.py --portolan BIN --repo DIR [--steps 30] [--stride 7] [--seed 1] [--compare-every 1]

DIR is cloned into a temporary folder. From a commit some way back, HEAD moves forward by about --stride commits a
step (now and then back, or onto another branch made on the way, or with uncommitted edits on top); after each
step `portolan index` runs, and its dump is compared with that of an index from nothing of the same tree.
Exit code 1, with the first differing rows, when they differ.
"""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile


def run(args, cwd):
    done = subprocess.run(args, cwd=cwd, capture_output=True)
    if done.returncode:
        sys.exit("%s: exit %d\n%s" % (args, done.returncode, done.stderr.decode("utf-8", "replace")))
    return done.stdout.decode("utf-8", "replace")


def dump(portolan, root):
    run([portolan, "index"], root)
    return run([portolan, "export", "dump"], root)


def fresh(portolan, root, folder):
    copy = os.path.join(folder, "fresh")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(".portolan"))
    text = dump(portolan, copy)
    shutil.rmtree(copy)
    return text


def edit(root, rnd):
    """An uncommitted edit of a random source file; says what it was."""
    files = [f for f in run(["git", "ls-files", "-z"], root).split("\0") if f.endswith((".py", ".go", ".js", ".ts", ".rs", ".java"))]
    path = os.path.join(root, rnd.choice(files))
    if not os.path.isfile(path):
        return "nothing"
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        lines = f.read().split("\n")
    kind = rnd.randrange(3)
    if kind == 0:
        lines[:0] = [""] * rnd.randrange(1, 5)
    elif kind == 1:
        at = rnd.randrange(len(lines))
        del lines[at:at + rnd.randrange(1, 30)]
    else:
        os.remove(path)
        return "removed " + path
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
        f.write("\n".join(lines))
    return "edited " + path


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--portolan", required=True)
    ap.add_argument("--repo", required=True)
    ap.add_argument("--steps", type=int, default=30)
    ap.add_argument("--stride", type=int, default=7)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--compare-every", type=int, default=1)
    a = ap.parse_args()
    portolan, rnd = os.path.abspath(a.portolan), random.Random(a.seed)
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.join(folder, "repo")
        run(["git", "clone", "-q", "--shared", os.path.abspath(a.repo), root], folder)
        commits = run(["git", "rev-list", "--first-parent", "HEAD"], root).split()
        at = min(len(commits) - 1, a.steps * a.stride)
        compared = 0
        for step in range(a.steps):
            run(["git", "checkout", "-q", "-f", commits[at]], root)
            run(["git", "clean", "-q", "-f", "-d", "-e", ".portolan"], root)
            what = "checkout " + commits[at][:10]
            if rnd.random() < 0.4:
                what += ", " + edit(root, rnd)
            mine = dump(portolan, root)
            if step % a.compare_every == 0:
                theirs = fresh(portolan, root, folder)
                compared += 1
                if mine != theirs:
                    x, y = set(mine.split("\n")), set(theirs.split("\n"))
                    print("step %d (%s): differs" % (step, what))
                    for row in sorted(x - y)[:10]:
                        print("  incremental only:", row[:300])
                    for row in sorted(y - x)[:10]:
                        print("  fresh only:      ", row[:300])
                    sys.exit(1)
            print("step %d: %s: %d rows" % (step, what, mine.count("\n")), flush=True)
            back = rnd.random() < 0.2
            at = max(0, min(len(commits) - 1, at + (a.stride * 2 if back else -a.stride)))
        print("%d steps, %d compared, all equal" % (a.steps, compared))


if __name__ == "__main__":
    main()
