#!/usr/bin/env python3
"""Measures indexing and answering on real repositories. Standard library only.

  perf.py --portolan BIN --repos DIR [--names click,networkx,yt-dlp] [--runs 5] [--edit PATH] [--edits 0] [--json OUT]

DIR holds checkouts with history. Each is cloned into a temporary folder first; nothing in DIR changes.
Printed for each repository, as the median of the runs with the fastest and the slowest beside it:
  full       `index` from nothing: CPU seconds (user + system, children included), wall, peak memory, graph size,
             and what each stage of the median run cost (CPU, as PORTOLAN_LOG=info says it)
  again      `index` with nothing changed
  shift      one edited file: a function with two calls put at the top of the largest source file (or of --edit)
  rename     a function of that file that has callers in other files is renamed
  map        `map TASK`, each in a new process, files in the page cache, 30 runs
  query      each shipped query that reads, about the symbol with most callers, each in a new process, 10 runs
--edits N     N edits in a row, half shifted lines, half replaced functions, each its own process:
              size of the graph at the end beside a fresh build's, CPU of the first and the last 20
The load of the machine is printed with each repository: wall times mean something only on a calm one.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


def run(args, cwd):
    """(CPU seconds, wall seconds, peak memory in MiB, stdout, stderr) of one process and what it started."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(args, cwd=cwd, stdout=out, stderr=subprocess.PIPE, env={**os.environ, "PORTOLAN_LOG": "info", "NO_COLOR": "1"})
        err = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, 1):
            sys.exit("%s: exit %d\n%s" % (args, child.returncode, err.decode("utf-8", "replace")))
        out.seek(0)
        text = out.read().decode("utf-8", "replace")
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, text, err.decode("utf-8", "replace")


def spread(values, unit="s"):
    return "%.3f %s (%.3f to %.3f)" % (statistics.median(values), unit, min(values), max(values))


def stages(log):
    """Name and CPU seconds of each stage, in order."""
    return [(m[1], int(m[2]) / 1000) for m in re.finditer(r"INFO [\w:]+: ([^:\n]+): (\d+) ms CPU", log)]


def middle(runs):
    """The run of median CPU."""
    return sorted(runs)[len(runs) // 2]


def largest_source(root):
    files = subprocess.run(["git", "ls-files", "-z", "*.py", "*.ts", "*.js", "*.go", "*.rs", "*.java"], cwd=root,
                           capture_output=True, check=True).stdout.decode().split("\0")
    files = [f for f in files if f and not re.search(r"(^|/)(tests?|test_data|vendor)/|test_|_test\.", f)]
    return max(files, key=lambda f: os.path.getsize(os.path.join(root, f)) if os.path.getsize(os.path.join(root, f)) < 1 << 20 else 0)


def graph_size(root):
    return os.path.getsize(os.path.join(root, ".portolan", "graph.kuzu")) / 1e6


def measure(a, name):
    source = os.path.join(a.repos, name)
    result = {}
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.join(folder, name)
        subprocess.run(["git", "clone", "-q", "--shared", source, root], check=True, capture_output=True)
        full = []
        for _ in range(a.runs):
            shutil.rmtree(os.path.join(root, ".portolan"), ignore_errors=True)
            full.append(run([a.portolan, "index"], root))
        result["full_cpu"] = statistics.median(r[0] for r in full)
        result["full_rss_mib"] = max(r[2] for r in full)
        result["graph_mb"] = graph_size(root)
        result["stages_cpu"] = stages(middle(full)[4])
        print("%s at %s, load %.1f\n  full    CPU %s, wall %s, peak %.0f MiB, graph %.1f MB" % (
            name, head(root), os.getloadavg()[0], spread([r[0] for r in full]), spread([r[1] for r in full]),
            result["full_rss_mib"], result["graph_mb"]))
        print("          " + ", ".join("%s %.2f" % stage for stage in result["stages_cpu"]), flush=True)
        time.sleep(3)      # past the two seconds in which a file's time stamp is not trusted
        run([a.portolan, "index"], root)
        again = [run([a.portolan, "index"], root)[0] for _ in range(max(5, a.runs))]
        result["again_cpu"] = statistics.median(again)
        print("  again   CPU %s" % spread(again), flush=True)

        path = next((f for f in a.edit if os.path.isfile(os.path.join(root, f))), None) or largest_source(root)
        full_path = os.path.join(root, path)
        with open(full_path, encoding="utf-8") as f:
            text = f.read()
        shift = []
        for i in range(max(3, a.runs)):
            new = new_function(path, i)
            with open(full_path, "w", encoding="utf-8") as f:
                f.write(put_on_top(path, text, new))
            shift.append(run([a.portolan, "index"], root)[0])
        result["shift_cpu"] = statistics.median(shift)
        print("  shift   CPU %s (%s)" % (spread(shift), path))
        with open(full_path, "w", encoding="utf-8") as f:
            f.write(text)
        run([a.portolan, "index"], root)
        function = function_with_callers(a, root, path)
        if function:
            rename = []
            for i in range(max(3, a.runs)):
                with open(full_path, "w", encoding="utf-8") as f:
                    f.write(re.sub(r"\b(def|func|fn|function) %s\b" % function, r"\1 %s_%d" % (function, i), text))
                rename.append(run([a.portolan, "index"], root)[0])
            result["rename_cpu"] = statistics.median(rename)
            print("  rename  CPU %s (%s)" % (spread(rename), function))
            with open(full_path, "w", encoding="utf-8") as f:
                f.write(text)
            run([a.portolan, "index"], root)
        time.sleep(3)
        run([a.portolan, "index"], root)
        result.update(answers(a, root))
        if a.edits:
            edits(a, root, path, text, result)
    return result


def head(root):
    return subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], cwd=root, capture_output=True, check=True).stdout.decode().strip()


def answers(a, root):
    """Latencies of `map` and of the shipped queries."""
    task = "Wrong result when the format of a date string has no time zone"
    for _ in range(3):
        run([a.portolan, "map", task], root)
    maps = [run([a.portolan, "map", task], root) for _ in range(30)]
    print("  map     wall %s, CPU %s, peak %.0f MiB" % (
        spread([r[1] * 1000 for r in maps], "ms"), spread([r[0] * 1000 for r in maps], "ms"), max(r[2] for r in maps)))

    def rows(query, **params):
        given = [x for k, v in params.items() for x in ("--param", "%s=%s" % (k, v))]
        return json.loads(run([a.portolan, "cypher", query, "--json"] + given, root)[3])

    top = rows("MATCH (s:Symbol) WHERE s.present AND NOT s.is_test RETURN s.id AS id, s.name AS name, s.file AS path ORDER BY s.rank DESC, id LIMIT 1")[0]
    caller = rows("MATCH (c:Symbol)-[:CALLS]->(s:Symbol {id: $id}) RETURN c.id AS id ORDER BY id LIMIT 1", id=top["id"])[0]
    values = {"id": top["id"], "to": top["id"], "from": caller["id"], "path": top["path"], "name": top["name"], "since": "0"}
    took = {}
    for query in json.loads(run([a.portolan, "query", "--json"], root)[3]):
        name = query["name"]
        # Those that write are for programs that index, and for agents.
        if name in ("index_lock", "claim", "release"):
            continue
        params = [x for p in query["params"] if p["name"] in values for x in ("--param", "%s=%s" % (p["name"], values[p["name"]]))]
        runs = [run([a.portolan, "query", name, "--json"] + params, root)[1] * 1000 for _ in range(10)]
        took[name] = statistics.median(runs)
    print("  query   wall, ms, about %s: %s" % (top["id"], ", ".join("%s %.0f" % pair for pair in sorted(took.items(), key=lambda x: x[1]))), flush=True)
    return {"map_ms": statistics.median(r[1] * 1000 for r in maps), "query_ms": took}


def new_function(path, i):
    if path.endswith(".py"):
        return "def portolan_probe_%d(value):\n    return str(len(value))\n\n\n" % i
    if path.endswith(".go"):
        return "\nfunc portolanProbe%d(value string) int {\n\treturn min(len(value), cap([]byte(value)))\n}\n" % i
    return "function portolanProbe%d(value) { return String(parseInt(value)); }\n" % i


def put_on_top(path, text, new):
    if path.endswith(".go"):
        head, sep, rest = text.partition("\n)\n")
        return head + sep + new + rest if sep else text + new
    return new + text


def function_with_callers(a, root, path):
    query = ("MATCH (f:File {path: $p})-[:DEFINES]->(s:Symbol) WITH s MATCH (s)<-[:CALLS]-(x:Symbol) "
             "WHERE s.kind = 'function' AND x.file <> s.file RETURN s.name AS name, count(*) AS n ORDER BY n DESC, name LIMIT 1")
    rows = json.loads(run([a.portolan, "cypher", query, "--param", "p=" + path, "--json"], root)[3])
    return rows[0]["name"] if rows else None


def edits(a, root, path, text, result):
    full_path = os.path.join(root, path)
    fresh = graph_size(root)
    cpu = []
    for i in range(a.edits):
        body = "\n" * (1 + i // 2 % 7) if i % 2 else new_function(path, i)
        with open(full_path, "w", encoding="utf-8") as f:
            f.write(put_on_top(path, text, body))
        cpu.append(run([a.portolan, "index"], root)[0])
    result["edits"] = {"n": a.edits, "fresh_mb": fresh, "end_mb": graph_size(root),
                       "first_cpu": statistics.median(cpu[:20]), "last_cpu": statistics.median(cpu[-20:])}
    print("  edits   %d: graph %.1f MB, fresh %.1f MB; CPU of the first 20 %s, of the last 20 %s" % (
        a.edits, result["edits"]["end_mb"], fresh, spread(cpu[:20]), spread(cpu[-20:])))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--portolan", required=True)
    ap.add_argument("--repos", required=True)
    ap.add_argument("--names", default="click,networkx,yt-dlp")
    ap.add_argument("--runs", type=int, default=5)
    ap.add_argument("--edits", type=int, default=0)
    ap.add_argument("--edit", action="append", default=[], metavar="PATH", help="the file to edit in the repository that has it, instead of its largest")
    ap.add_argument("--json")
    a = ap.parse_args()
    a.portolan, a.repos = os.path.abspath(a.portolan), os.path.abspath(a.repos)
    print("%s, %d cores, load %.1f" % (run([a.portolan, "--version"], ".")[3].strip(), os.cpu_count(), os.getloadavg()[0]))
    out = {name: measure(a, name) for name in a.names.split(",")}
    if a.json:
        with open(a.json, "w", encoding="utf-8") as f:
            json.dump(out, f, indent=1)


if __name__ == "__main__":
    main()
