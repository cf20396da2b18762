"""Fits the weights of `cochange` (src/impact/cochange.rs) on commits of some repositories and measures them on others.

    python eval/cochange_fit.py --repos DIR --fit click,flask,... --measure sphinx,fmt,... [--n 100]

DIR/NAME is a git repository, bare or not. Wants numpy and scikit-learn. Nothing here goes through Portolan but the imports: DIR/NAME.imports.json,
pairs of paths, if it is there (`portolan cypher "MATCH (f:File)-[:IMPORTS]->(o:File) RETURN f.path, o.path" --json`, of the newest commit).
Per repository n commits of 2 to 10 files are drawn of the newest 1,500, and of each two files are given, one at a time. The past is what git log
lists below the commit, by date: near parallel branches it holds commits that are no ancestors, for the baseline alike.
"""

import argparse
import json
import math
import random
import re
import subprocess
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

NAMES = ["together", "ln(1+w)", "ln(1+n)", "n/(c+2)", "-ln(1+a)", "ln(1+c)", "imports", "alike", "folder"]


def git(repo, *command):
    return subprocess.run(["git", *command], cwd=repo, capture_output=True, text=True, errors="replace").stdout


def history(repo):
    """Newest first: parents, time, names, ids (the newest name of each file), and what old names were called later."""
    out = git(repo, "log", "--no-merges", "-M", "--format=%x00%P%x01%ct", "--name-status", "-n", "8000", "HEAD")
    commits, later = [], {}
    for part in out.split("\0")[1:]:
        parents, _, rest = part.partition("\1")
        lines = [line for line in rest.split("\n") if line]
        names, ids, renamed = [], [], []
        for line in lines[1:]:
            fields = line.split("\t")
            name = fields[-1]
            names.append(name)
            ids.append(later.get(name, name))
            if fields[0].startswith("R"):
                renamed.append((fields[1], ids[-1]))
        if renamed:
            later = {**later, **dict(renamed)}
        commits.append((parents.split(), names, ids, later))
    return commits


def folder(path):
    return path.rpartition("/")[0]


def words(path):
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", path.rsplit("/", 1)[-1].split(".")[0])
    return {w for w in re.split(r"[^a-z0-9]+", name.lower()) if len(w) > 2 and w not in ("test", "tests", "spec", "init", "mod")}


def baseline(commits, at, given, tree):
    together = Counter()
    for _, names, _, _ in commits[at + 1 : at + 5001]:
        names = set(names)
        if given in names and len(names) <= 50:
            together.update(names - {given})
    ranked = sorted((f for f in together if f in tree), key=lambda f: (-together[f], f))
    return (ranked + sorted(f for f in tree if folder(f) == folder(given) and f != given and f not in together))[:10]


def signs(commits, at, given, tree, imports):
    """Candidates and their signs, as the program's documentation names them."""
    later = commits[at][3]
    path_of = {later.get(f, f): f for f in tree}
    own = later.get(given, given)
    past = [set(ids) for _, _, ids, _ in commits[at + 1 : at + 5001] if len(set(ids)) <= 50]
    count, newest, n, w, k = Counter(), {}, Counter(), Counter(), 0
    for ago, ids in enumerate(past):
        for x in ids:
            count[x] += 1
            newest.setdefault(x, ago)
        if own in ids:
            for x in ids - {own}:
                n[x] += 1
                w[x] += 1 / (math.sqrt(max(len(ids) - 1, 1)) * (1 + k / 5))
            k += 1
    near = [f for f in tree if folder(f) == folder(given)]
    busiest = [x for x, _ in count.most_common(30)]
    latest = {x for ids in past[:30] for x in ids}
    own_words = words(given)
    wanted = {path_of[x] for x in [*n, *busiest, *latest] if x in path_of} | set(near) | (imports & tree)
    wanted |= {f for f in tree if own_words and own_words <= words(f)}
    wanted.discard(given)
    rows = []
    for f in wanted:
        x, fw = later.get(f, f), words(f)
        alike = len(own_words & fw) / max(1, min(len(own_words), len(fw)))
        in_folder = 1 / (1 + math.log1p(len(near))) if folder(f) == folder(given) else 0
        rows.append((f, [n[x] > 0, math.log1p(w[x]), math.log1p(n[x]), n[x] / (count[x] + 2), -math.log1p(newest.get(x, len(past))),
                         math.log1p(count[x]), f in imports, alike, in_folder]))
    return rows


def sample(repos, name, n):
    repo = Path(repos) / name
    commits = history(repo)
    pairs = Path(repos) / f"{name}.imports.json"
    imports = defaultdict(set)
    for a, b in json.loads(pairs.read_text()) if pairs.is_file() else []:
        imports[a].add(b)
        imports[b].add(a)
    order = [i for i, c in enumerate(commits[:1500]) if len(c[0]) == 1 and 2 <= len(c[1]) <= 10]
    rnd = random.Random(7)
    rnd.shuffle(order)
    cases = []
    for at in order:
        tree = set(git(repo, "ls-tree", "-r", "--name-only", commits[at][0][0]).split("\n")) - {""}
        files = [f for f in dict.fromkeys(commits[at][1]) if f in tree]
        if len(files) < 2:
            continue
        for given in rnd.sample(files, 2):
            cases.append((set(files) - {given}, signs(commits, at, given, tree, imports[given]), baseline(commits, at, given, tree)))
        if len(cases) >= 2 * n:
            break
    return cases


def recall(cases, score):
    out = defaultdict(list)
    for wanted, rows, base in cases:
        z = score(np.array([r[1] for r in rows], dtype=float)) if rows else []
        ours = [f for _, f in sorted(zip(-np.array(z), (r[0] for r in rows)))][:10]
        for k in (5, 10):
            out[("baseline", k)].append(len(wanted & set(base[:k])) / len(wanted))
            out[("cochange", k)].append(len(wanted & set(ours[:k])) / len(wanted))
    return {key: 100 * float(np.mean(v)) for key, v in out.items()}


def told(name, r, cases):
    print(f"{name:14} {len(cases):5} cases  baseline {r['baseline', 5]:.1f} {r['baseline', 10]:.1f}  cochange {r['cochange', 5]:.1f} {r['cochange', 10]:.1f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", required=True)
    parser.add_argument("--fit", required=True)
    parser.add_argument("--measure", required=True)
    parser.add_argument("--n", type=int, default=100)
    args = parser.parse_args()
    fit = {name: sample(args.repos, name, args.n) for name in args.fit.split(",")}
    flat = [(r[1], r[0] in wanted, 1 / len(wanted)) for cases in fit.values() for wanted, rows, _ in cases for r in rows]
    x, y, weight = (np.array(v, dtype=float) for v in zip(*flat))
    scale = StandardScaler().fit(x)
    model = LogisticRegression(max_iter=500).fit(scale.transform(x), y, sample_weight=weight)
    weights = model.coef_[0] / scale.scale_
    print("constant %.2f; " % (model.intercept_[0] - (weights * scale.mean_).sum()) + ", ".join(f"{n} {w:.2f}" for n, w in zip(NAMES, weights)))
    score = lambda rows: rows @ weights
    measured = {name: sample(args.repos, name, args.n) for name in args.measure.split(",")}
    for title, group in (("fitted", fit), ("measured", measured)):
        for name, cases in group.items():
            told(name, recall(cases, score), cases)
        every = [case for cases in group.values() for case in cases]
        told(title, recall(every, score), every)


if __name__ == "__main__":
    main()
