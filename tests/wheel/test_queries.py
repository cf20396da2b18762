"""Runs every shipped query in the Kuzu Python wheel, an independent client, on a graph that Portolan built.

    python tests/wheel/test_queries.py GRAPH.kuzu VALUES.json

VALUES.json maps parameter names to lists of real values from that graph, e.g. {"id": ["a.py::f"], "limit": [20]}.
For each query: its header is complete, the statement runs as it stands with each value, the columns and their types
are the documented ones, and the plan starts where the header says. Queries that are expected to find something
must. Exit code 0 when all hold.
"""

import json
import re
import sys
from pathlib import Path

import kuzu

QUERIES = Path(__file__).resolve().parents[2] / "queries"
# Statements that write are tried by the store's own tests.
WRITES = re.compile(r"^\s*(MERGE|CREATE|SET|DELETE|DETACH)\b", re.M)


def header(text):
    """The fields of a header: name, version, schema, params, columns, starts."""
    out = {"params": [], "columns": [], "starts": []}
    for number, line in enumerate(text.splitlines()):
        if not line.startswith("//"):
            break
        line = line[2:].strip()
        if number == 0:
            out["name"] = line.split(":")[0]
            continue
        key, _, value = line.partition(":")
        value = value.strip()
        if key in ("version", "schema"):
            out[key] = int(value)
        elif key == "param":
            name, rest = value.split(" ", 1)
            example = re.search(r"e\.g\. (.*)$", rest)
            assert example, f"parameter without an example: {line}"
            out["params"].append((name.lstrip("$"), rest.split(",")[0], json.loads(example[1])))
        elif key == "column":
            name, rest = value.split(" ", 1)
            out["columns"].append((name, rest.split(",")[0]))
        elif key == "start":
            out["starts"].append(tuple(value.split(" ", 1)))
    return out


def operators(plan):
    """The boxes of an EXPLAIN drawing: (operator, number, text of its lines)."""
    lines = plan.splitlines()
    found = []
    for y, line in enumerate(lines):
        for m in re.finditer(r"([A-Z][A-Z_]+)\[(\d+)\]", line):
            left, right = line.rfind("│", 0, m.start()), line.find("│", m.end())
            if lines[y - 1][left : left + 1] != "┌":
                continue  # named inside another operator's box
            body = []
            for below in lines[y + 1 :]:
                if len(below) <= left or below[left] != "│":
                    break
                body.append(below[left + 1 : right].strip())
            found.append((m[1], int(m[2]), "\n".join(body)))
    return found


def check_start(starts, plan):
    """Keys named in the header are looked up, and each other scan of a table is masked by what was found before."""
    ops = operators(plan)
    keys = {m for op, _, body in ops if op == "PRIMARY_KEY_SCAN_NODE_TABLE" for m in re.findall(r"Key: (\S+)", body)}
    wanted = {what for how, what in starts if how == "key"}
    assert wanted <= keys, f"looked up by key: {sorted(keys)}, the header says {sorted(wanted)}"
    if wanted:
        scans = {n: body for op, n, body in ops if op == "SCAN_NODE_TABLE"}
        masks = [op for op, _, _ in ops if op == "SEMI_MASKER"]
        recursive = any(op == "RECURSIVE_EXTEND" for op, _, _ in ops)
        # Without a mask a scan reads its whole table. A recursive join masks the scans inside it by its frontier.
        assert recursive or len(masks) >= len(scans), f"scans {list(scans.values())} but only {len(masks)} masks"
    else:
        tables = {what for how, what in starts if how == "scan"}
        assert tables, "the header does not say where the plan starts"
        first = [body for op, n, body in ops if op == "SCAN_NODE_TABLE"]
        for table in tables:
            assert any(f"Tables: {table}" in body for body in first), f"no scan of {table}"


def normal(kind):
    return {"BOOLEAN": "BOOL"}.get(kind, kind)


def check(conn, path, values):
    """Returns how many rows the query gave over all values."""
    text = path.read_text()
    head = header(text)
    assert head.get("name") == path.stem, f"the header names it {head.get('name')!r}"
    assert head.get("version") and head.get("schema"), "version or schema is missing"
    named = set(re.findall(r"\$(\w+)", "\n".join(l for l in text.splitlines() if not l.startswith("//"))))
    assert named == {n for n, _, _ in head["params"]}, f"parameters in the text: {sorted(named)}"
    if WRITES.search(text):
        return None
    tries = max([len(values.get(n, [0])) for n, _, _ in head["params"]] or [1])
    rows = 0
    for i in range(tries):
        params = {}
        for name, _, example in head["params"]:
            real = values.get(name)
            params[name] = real[i % len(real)] if real else example
        result = conn.execute(text, params)
        assert not isinstance(result, list), "more than one statement"
        got = list(zip(result.get_column_names(), map(normal, result.get_column_data_types())))
        assert got == [(n, normal(t)) for n, t in head["columns"]], f"columns: {got}"
        rows += len(result.get_all())
        plan = conn.execute("EXPLAIN " + text, params).get_next()[0]
        check_start(head["starts"], plan)
    examples = {n: e for n, _, e in head["params"]}
    conn.execute(text, examples).get_all()  # the examples run too; here they find nothing
    return rows


def main():
    graph, values = sys.argv[1], json.loads(Path(sys.argv[2]).read_text())
    conn = kuzu.Connection(kuzu.Database(graph, read_only=True, buffer_pool_size=256 << 20), num_threads=1)
    assert kuzu.__version__ == "0.11.3", f"kuzu {kuzu.__version__}, wanted 0.11.3"
    failed = []
    files = sorted(QUERIES.glob("*.cypher"))
    assert len(files) >= 9, f"only {len(files)} queries found in {QUERIES}"
    for path in files:
        try:
            rows = check(conn, path, values)
            if rows == 0 and path.stem not in values.get("may_be_empty", []):
                raise AssertionError("no rows for any value")
            print(f"{path.stem}: " + ("writes, header only" if rows is None else f"{rows} rows"))
        except Exception as err:  # one query's fault must not hide another's
            failed.append(path.stem)
            print(f"{path.stem}: FAILED: {err}")
    if failed:
        sys.exit(f"{len(failed)} of {len(files)} queries failed: {', '.join(failed)}")
    print(f"{len(files)} queries pass")


if __name__ == "__main__":
    main()
