#!/usr/bin/env python3
"""Latencies of hooks, and a storm of them, with real processes on a copy of a real repository.

    python eval/hooks.py latency --portolan BIN --repo REPO [--runs 60]
    python eval/hooks.py storm   --portolan BIN --repo REPO [--processes 16 --events 500] [--kill] [--hold PYTHON]
    python eval/hooks.py race    --portolan BIN --repo REPO [--rounds 200 --processes 64]

`latency`: wall time of whole processes, p50, p95 and p99 in milliseconds, and how a claim's time splits.
`storm`: agents with mixed events (prompt, claim, read, edit, stop) while two indexers run and a reader loops Cypher.
Checks that every event is in the graph once, that no file had two owners at one moment (by the recorded intervals), that
nothing failed, and counts `unknown` answers. `--kill` ends hooks at random with SIGKILL; `--hold` has a Python with the
Kuzu wheel hold the graph read-write for 10 seconds. Prints one JSON object; exit code 1 when a check fails.
`race`: many `portolan claim --wait 60` for one file, round by round.

The repository is copied to a temporary folder first; the machine's clock is never touched.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path

ENV = {k: v for k, v in os.environ.items() if not k.startswith(("PORTOLAN", "CLAUDE"))}


class Place:
    """A copy of a repository, indexed."""

    def __init__(self, portolan, repo, folder):
        self.bin, self.root = str(Path(portolan).resolve()), Path(folder) / "repo"
        subprocess.run(["git", "clone", "-q", "--no-hardlinks", str(repo), str(self.root)], check=True)
        self.run("index")
        listed = subprocess.run(["git", "ls-files", "*.py"], cwd=self.root, capture_output=True, text=True, check=True)
        self.files = [f for f in listed.stdout.split("\n") if f and "'" not in f]

    def run(self, *args, check=True, **more):
        return subprocess.run(
            [self.bin, *args], cwd=self.root, env=ENV, capture_output=True, text=True, check=check, **more
        )

    def cypher(self, statement):
        out = self.run("--no-index", "--json", "cypher", "-n", "1000000", "--timeout", "120", statement)
        return json.loads(out.stdout)

    def payload(self, session, event, **more):
        return json.dumps({"session_id": session, "cwd": str(self.root), "hook_event_name": event, **more})

    def hook(self, name, payload):
        """Starts a hook and feeds it."""
        child = subprocess.Popen(
            [self.bin, "hook", "--host", "claude-code", name], cwd=self.root, env=ENV,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        return child, payload


def tool(place, session, event, name, file, call):
    given = {"file_path": str(place.root / file), "old_string": "a", "new_string": "b"}
    return place.payload(session, event, tool_name=name, tool_input=given, tool_use_id=call, tool_response={})


def percentiles(times):
    times = sorted(times)
    pick = lambda p: round(times[min(len(times) - 1, int(len(times) * p))] * 1000, 1)
    return {"n": len(times), "p50": pick(0.50), "p95": pick(0.95), "p99": pick(0.99), "max": round(times[-1] * 1000, 1)}


def timed(place, name, payload):
    begun = time.perf_counter()
    child, text = place.hook(name, payload)
    out, err = child.communicate(text, timeout=30)
    took = time.perf_counter() - begun
    if child.returncode != 0 or err:
        raise SystemExit(f"{name}: exit {child.returncode}: {err}")
    return took, out


def latency(args):
    with tempfile.TemporaryDirectory() as folder:
        place = Place(args.portolan, args.repo, folder)
        session, out = "latency", {}
        files = random.Random(7).sample(place.files, min(len(place.files), args.runs))
        say = lambda what, times: out.__setitem__(what, percentiles(times))
        say("process start (--version)", [bare(place) for _ in range(args.runs)])
        say("record a read", [
            timed(place, "post-tool-use", tool(place, session, "PostToolUse", "Read", f, f"r{n}"))[0]
            for n, f in enumerate(files)
        ])
        claims, edits = [], []
        for n, f in enumerate(files):
            claims.append(timed(place, "pre-tool-use", tool(place, session, "PreToolUse", "Edit", f, f"e{n}"))[0])
            edits.append(timed(place, "post-tool-use", tool(place, session, "PostToolUse", "Edit", f, f"e{n}"))[0])
        say("claim", claims)
        say("edit with news", edits)
        prompts = [
            "the uploader_id of a bandcamp album is missing", "downloading a playlist skips the last entry",
            "crash in the format selector when the height is unknown", "cookies from the browser are not read on linux",
        ]
        times = []
        for n in range(args.runs):
            ask = place.payload(f"p{n}", "UserPromptSubmit", prompt=prompts[n % len(prompts)])
            took, _ = timed(place, "user-prompt-submit", ask)
            times.append(took)
        say("prompt with map", times)
        say("8 agents, a claim each 2 s", eight(place))
        out["repo"], out["graph_bytes"] = place.root.name, (place.root / ".portolan/graph.kuzu").stat().st_size
        print(json.dumps(out, indent=1))


def bare(place):
    begun = time.perf_counter()
    place.run("--version")
    return time.perf_counter() - begun


def eight(place, seconds=30):
    times, lock = [], threading.Lock()

    def agent(n):
        end, k = time.time() + seconds, 0
        time.sleep(n * 0.25)
        while time.time() < end:
            file = place.files[(n * 101 + k) % len(place.files)]
            took, _ = timed(place, "pre-tool-use", tool(place, f"eight-{n}", "PreToolUse", "Edit", file, f"c{k}"))
            with lock:
                times.append(took)
            k += 1
            time.sleep(max(0.0, 2 - took))

    threads = [threading.Thread(target=agent, args=(n,)) for n in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    return times


class Storm:
    def __init__(self, place, args):
        self.place, self.args = place, args
        self.lock = threading.Lock()
        self.sent, self.killed = Counter(), Counter()  # (session, kind, call) expected, and those that may be missing
        self.errors, self.times, self.running = [], defaultdict(list), True
        # Few files, so that agents meet.
        self.files = random.Random(1).sample(place.files, min(len(place.files), 24))

    def agent(self, n):
        rng = random.Random(n)
        session, k = f"storm-{n}", 0
        while k < self.args.events:
            what = rng.choices(["read", "claim", "prompt", "stop"], [60, 18, 2, 2])[0]
            k += 1
            if what == "read":
                self.one(session, "post-tool-use", "PostToolUse", "read", "Read", rng, k)
            elif what == "claim":
                file, answer = self.one(session, "pre-tool-use", "PreToolUse", "before-edit", "Edit", rng, k)
                if answer is not None and '"deny"' not in answer and k < self.args.events:
                    self.one(session, "post-tool-use", "PostToolUse", "edit", "Edit", rng, k, file)
                    k += 1
            elif what == "prompt":
                text = f"{rng.choice(self.files)} fails with error {k}"
                self.send(session, "user-prompt-submit", "prompt", f"p{k}",
                          self.place.payload(session, "UserPromptSubmit", prompt=text, prompt_id=f"p{k}"), rng)
            else:
                self.send(session, "stop", "stop", f"s{k}", self.place.payload(session, "Stop", prompt_id=f"s{k}"), rng)

    def one(self, session, name, event, kind, tool_name, rng, k, file=None):
        file = file or rng.choice(self.files)
        call = f"{kind}-{k}" if kind == "read" else f"edit-{k}"
        return file, self.send(session, name, kind, call, tool(self.place, session, event, tool_name, file, call), rng)

    def send(self, session, name, kind, call, payload, rng):
        begun = time.perf_counter()
        child, text = self.place.hook(name, payload)
        if self.args.kill and rng.random() < 0.05:
            time.sleep(rng.random() * 0.06)
            child.send_signal(signal.SIGKILL)
        out, err = child.communicate(text, timeout=120)
        took = time.perf_counter() - begun
        with self.lock:
            if child.returncode == -9:
                self.killed[session, kind, call] += 1
                return None
            self.sent[session, kind, call] += 1
            self.times[kind].append(took)
            if child.returncode != 0 or err:
                self.errors.append(f"{name}: exit {child.returncode} {err[:200]}")
            if out:
                try:
                    json.loads(out)
                except ValueError:
                    self.errors.append(f"{name}: no JSON: {out[:200]}")
        return out

    def indexer(self, n):
        path = self.place.root / f"storm_{n}.py"
        round = 0
        while self.running:
            round += 1
            path.write_text(f"def storm_{n}_{round}():\n    return {round}\n")
            done = self.place.run("index", *(["--rebuild"] if round % 5 == 0 else []), check=False)
            if done.returncode != 0 and self.running:
                with self.lock:
                    self.errors.append(f"index: {done.returncode}: {done.stderr[-300:]}")

    def reader(self):
        while self.running:
            done = self.place.run("--no-index", "--json", "cypher", "MATCH (f:File) RETURN count(*) AS n", check=False)
            if done.returncode != 0 and self.running:
                with self.lock:
                    self.errors.append(f"cypher: {done.returncode}: {done.stderr[-300:]}")

    def run(self):
        agents = [threading.Thread(target=self.agent, args=(n,)) for n in range(self.args.processes)]
        around = [threading.Thread(target=self.indexer, args=(n,)) for n in range(2)]
        around.append(threading.Thread(target=self.reader))
        begun = time.time()
        [t.start() for t in around + agents]
        if self.args.hold:
            time.sleep(5)
            hold(self.args.hold, self.place.root / ".portolan/graph.kuzu")
        [t.join() for t in agents]
        took = time.time() - begun
        self.running = False
        [t.join() for t in around]
        return took


def hold(python, graph):
    """A foreign program that has the graph for ten seconds."""
    script = (
        "import kuzu,sys,time\n"
        "end=time.time()+60\n"
        "while time.time()<end:\n"
        "    try: db=kuzu.Database(sys.argv[1],buffer_pool_size=64<<20); break\n"
        "    except RuntimeError: time.sleep(0.002)\n"
        "time.sleep(10)\n"
    )
    subprocess.run([python, "-c", script, str(graph)], check=False)


def overlaps(place):
    """Pairs of sessions that had one file at one moment, by the events' own order."""
    rows = place.cypher(
        "MATCH (e:Event) WHERE e.kind IN ['granted', 'stop', 'end'] "
        "RETURN e.session AS session, e.kind AS kind, e.tick AS tick, e.path AS path, e.id AS id"
    )
    rows = [tuple(r[k] for k in ("session", "kind", "tick", "path", "id")) for r in rows]
    # A stop lets go of everything that was granted before.
    lets_go = defaultdict(list)
    for session, kind, tick, path, _ in rows:
        if kind != "granted":
            lets_go[session].append(tick)
    spans = defaultdict(list)
    for session, kind, tick, path, _ in rows:
        if kind == "granted" and path:
            after = [t for t in lets_go[session] if t >= tick]
            spans[path].append((tick, min(after) if after else float("inf"), session))
    bad = []
    for path, all_of_it in spans.items():
        all_of_it.sort()
        for i, (start, end, session) in enumerate(all_of_it):
            for start2, end2, other in all_of_it[i + 1:]:
                if start2 >= end:
                    break
                if other != session:
                    bad.append((path, session, other, start, end, start2, end2))
    return bad


def storm(args):
    with tempfile.TemporaryDirectory() as folder:
        place = Place(args.portolan, args.repo, folder)
        counts = json.loads(place.run("--json", "status").stdout)["counts"]
        storm = Storm(place, args)
        took = storm.run()
        for n in range(2):
            (place.root / f"storm_{n}.py").unlink(missing_ok=True)
        place.run("index")
        place.run("--no-index", "sessions")
        rows = place.cypher("MATCH (e:Event) RETURN e.id AS id, e.session AS session, e.kind AS kind, e.call AS callid")
        rows = [tuple(r[k] for k in ("id", "session", "kind", "callid")) for r in rows]
        kinds = Counter(kind for _, _, kind, _ in rows)
        have = Counter()
        for ident, session, kind, call in rows:
            if "#" not in ident and kind in ("read", "edit", "before-edit"):
                have[session.split(":")[1], kind, call] += 1
        want = {k: v for k, v in storm.sent.items() if k[1] in ("read", "edit", "before-edit")}
        lost = [k for k in want if have[k] == 0]
        doubled = [k for k, n in have.items() if n > 1]
        strange = [k for k in have if k not in want and k not in storm.killed]
        for kind in ("prompt", "stop"):
            sent = sum(n for k, n in storm.sent.items() if k[1] == kind)
            may = sum(n for k, n in storm.killed.items() if k[1] == kind)
            if not sent <= kinds[kind] <= sent + may:
                lost.append((kind, sent, kinds[kind]))
        after = json.loads(place.run("--json", "status").stdout)["counts"]
        asked = kinds["granted"] + kinds["denied"] + kinds["unknown"]
        reads = place.cypher("MATCH (:Session)-[r:READ]->(:File) RETURN sum(r.count) AS n")[0]["n"]
        bad = overlaps(place)
        out = {
            "seconds": round(took, 1), "events": sum(storm.sent.values()), "killed": sum(storm.killed.values()),
            "errors": len(storm.errors), "first_errors": storm.errors[:3],
            "lost": len(lost), "doubled": len(doubled), "strange": len(strange), "first_lost": lost[:3],
            "read_counts_fit": reads == kinds["read"],
            "granted": kinds["granted"], "denied": kinds["denied"], "unknown": kinds["unknown"],
            "unknown_share": round(kinds["unknown"] / max(1, asked), 5),
            "two_owners": len(bad), "first_two_owners": bad[:2],
            "counts_unchanged": all(counts[k] == after[k] for k in ("symbols", "calls", "files")),
            "latency": {k: percentiles(v) for k, v in storm.times.items()},
        }
        print(json.dumps(out, indent=1))
        fine = not (storm.errors or lost or doubled or strange or bad) and out["counts_unchanged"] and out["read_counts_fit"]
        sys.exit(0 if fine and (args.hold or out["unknown_share"] <= 0.001) else 1)


def race(args):
    with tempfile.TemporaryDirectory() as folder:
        place = Place(args.portolan, args.repo, folder)
        codes, begun, bad = Counter(), time.time(), 0
        for turn in range(args.rounds):
            children = [
                subprocess.Popen([place.bin, "claim", f"race_{turn}.py", "--as", f"n{n}", "--wait", "60"],
                                 cwd=place.root, env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                for n in range(args.processes)
            ]
            this = Counter(c.communicate()[0] or c.returncode for c in children)
            codes.update(this)
            bad += this != Counter({0: 1, 1: args.processes - 1})
        print(json.dumps({"rounds": args.rounds, "processes": args.processes, "granted": codes[0], "denied": codes[1],
                          "unknown": sum(codes.values()) - codes[0] - codes[1], "bad_rounds": bad,
                          "seconds": round(time.time() - begun, 1)}))
        sys.exit(bool(bad))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["latency", "storm", "race"])
    parser.add_argument("--portolan", required=True)
    parser.add_argument("--repo", required=True)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--processes", type=int)
    parser.add_argument("--events", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--patience", type=int, help="factor of the hooks' deadlines, for a machine that does much else")
    parser.add_argument("--hold", metavar="PYTHON")
    args = parser.parse_args()
    if args.patience:
        ENV["PORTOLAN_TEST_PATIENCE"] = str(args.patience)
    args.processes = args.processes or (64 if args.what == "race" else 16)
    {"latency": latency, "storm": storm, "race": race}[args.what](args)


if __name__ == "__main__":
    main()
