#!/usr/bin/env python3
"""Measures `portolan mcp` and checks it with public clients.

  mcp.py --portolan BIN --repo DIR --file PATH --symbol NAME --text TEXT --task TASK
         [--spawns 30] [--calls 2000] [--node-modules DIR] [--json OUT]

DIR is a checkout with history; it is cloned into a temporary folder and indexed first. Linux (memory is read in /proc).
Printed, with the load of the machine:
  first     time from the start of the process to the answer of the first tools/call, handshake included, with each
            handshake; median, least, most of --spawns new processes, files in the page cache
  calls     time of each tool's call in a running server, 30 calls each
  memory    resident memory (RSS, server and workers added up) after 200 and after --calls calls, and the most seen
  tokens    o200k tokens of instructions, tool list, and of ten answers; with --node-modules (holding gpt-tokenizer)
  clients   what public clients say: the Python SDK (`pip install mcp`, run this with its interpreter), and with
            --node-modules the inspector (`npm install @modelcontextprotocol/inspector gpt-tokenizer`)
Exit code 1 when a client fails.
"""
import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

OLD, NEW = "2025-06-18", "2026-07-28"
CLIENT = {"name": "eval", "version": "1"}


class Server:
    """A running server that is spoken to in JSON lines."""

    def __init__(self, args, root, style):
        self.begun = time.monotonic()
        self.process = subprocess.Popen([args.portolan, "mcp"], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.id = 0
        self.meta = {}
        if style == "initialize":
            asked = {"protocolVersion": OLD, "capabilities": {}, "clientInfo": CLIENT}
            self.hello = self.request("initialize", asked)
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        else:
            prefix = "io.modelcontextprotocol/"
            self.meta = {prefix + "protocolVersion": NEW, prefix + "clientInfo": CLIENT, prefix + "clientCapabilities": {}}
            self.hello = self.request("server/discover", {})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, params):
        self.id += 1
        params = {**params, "_meta": self.meta} if self.meta else params
        self.send({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params})
        while True:
            line = self.process.stdout.readline()
            assert line, "the server ended"
            message = json.loads(line)
            if message.get("id") == self.id:
                assert "result" in message, message
                return message["result"]

    def call(self, tool, arguments):
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        assert not result.get("isError"), result
        return result["content"][0]["text"]

    def resident(self):
        """RSS of server and workers, MiB."""
        pids = [self.process.pid]
        with open(f"/proc/{pids[0]}/task/{pids[0]}/children") as children:
            pids += children.read().split()
        return sum(rss(pid) for pid in pids)

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(20) == 0


def rss(pid):
    try:
        with open(f"/proc/{pid}/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20
    except FileNotFoundError:
        return 0


def questions(args):
    """Ten typical calls."""
    return [
        ("orient", {"task": args.task}),
        ("orient", {"task": args.task, "budget": 300}),
        ("find", {"text": args.symbol.split(".")[-1]}),
        ("find", {"text": args.text}),
        ("symbol", {"name": args.symbol}),
        ("symbol", {"name": args.symbol, "budget": 400}),
        ("symbol", {"name": "no_such_name"}),
        ("history", {"file": args.file}),
        ("history", {"file": args.file, "budget": 400}),
        ("history", {}),
    ] + [(tool, json.loads(arguments)) for tool, arguments in (more.split(" ", 1) for more in args.more)]


def first(args, root, style):
    times = []
    for _ in range(args.spawns):
        server = Server(args, root, style)
        server.call("symbol", {"name": args.symbol})
        times.append((time.monotonic() - server.begun) * 1000)
        server.close()
    return times


def calls(args, root):
    server = Server(args, root, "initialize")
    out = {}
    for tool, arguments in questions(args):
        times = []
        for _ in range(30):
            begun = time.monotonic()
            server.call(tool, arguments)
            times.append((time.monotonic() - begun) * 1000)
        out[f"{tool} {json.dumps(arguments)[:60]}"] = times
    server.close()
    return out


def memory(args, root):
    server = Server(args, root, "initialize")
    asked, seen, at = questions(args), [], {}
    for n in range(1, args.calls + 1):
        server.call(*asked[n % len(asked)])
        seen.append(server.resident())
        if n in (200, args.calls):
            # Of the last hundred: a single reading depends on which question came last.
            at[n] = statistics.median(seen[-100:])
    server.close()
    return {"after": at, "most": max(seen)}


def node(args, script, *rest):
    done = subprocess.run(["node", "-e", script, *rest], cwd=args.node_modules, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def tokens(args, texts):
    script = (
        "const {encode}=require('gpt-tokenizer/encoding/o200k_base');"
        "const t=JSON.parse(require('fs').readFileSync(process.argv[1],'utf8'));"
        "console.log(JSON.stringify(t.map(x=>encode(x).length)))"
    )
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(texts, file)
        file.flush()
        return json.loads(node(args, script, file.name))


def sizes(args, root):
    server = Server(args, root, "initialize")
    tools = json.dumps(server.request("tools/list", {})["tools"], separators=(",", ":"), ensure_ascii=False)
    asked = questions(args)
    texts = [server.hello["instructions"], tools] + [server.call(*question) for question in asked]
    server.close()
    names = ["instructions", "tool list"] + [f"{tool} {json.dumps(arguments)[:60]}" for tool, arguments in asked]
    return dict(zip(names, tokens(args, texts)))


async def sdk(args, root):
    """The Python SDK's own client: handshake, lists, each tool, resources, prompts."""
    # This file has the package's name.
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != here]
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    parameters = StdioServerParameters(command=args.portolan, args=["mcp"], cwd=root)
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        tools = (await session.list_tools()).tools
        for tool, arguments in questions(args):
            result = await session.call_tool(tool, arguments)
            assert result.content[0].text, result
        for resource in (await session.list_resources()).resources:
            await session.read_resource(resource.uri)
        prompts = (await session.list_prompts()).prompts
        await session.get_prompt("onboard")
        version = getattr(hello, "protocolVersion", None) or getattr(hello, "protocol_version", None)
    names = ", ".join(tool.name for tool in tools)
    import importlib.metadata

    return f"Python SDK {importlib.metadata.version('mcp')}: version {version}, tools {names}, {len(prompts)} prompts: all calls answered"


def inspector(args, root):
    """The official inspector's command line."""
    base = ["npx", "--no-install", "@modelcontextprotocol/inspector", "--cli", args.portolan, "mcp", "--root", root]
    said = []
    for method, more in [
        ("tools/list", []),
        ("tools/call", ["--tool-name", "symbol", "--tool-arg", f"name={args.symbol}"]),
        ("resources/list", []),
        ("prompts/list", []),
    ]:
        done = subprocess.run(base + ["--method", method, *more], cwd=args.node_modules, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, f"{method}: {done.stdout} {done.stderr}"
        said.append(f"{method} {len(done.stdout)} bytes")
    version = json.load(open(os.path.join(args.node_modules, "node_modules/@modelcontextprotocol/inspector/package.json")))
    return f"inspector {version['version']}: " + ", ".join(said)


def spread(times):
    return f"median {statistics.median(times):.0f} ms ({min(times):.0f} to {max(times):.0f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("portolan", "repo", "file", "symbol", "text", "task"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--spawns", type=int, default=30)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--more", action="append", default=[], metavar="'TOOL JSON'", help="a further question")
    parser.add_argument("--node-modules", metavar="DIR", help="folder with node_modules")
    parser.add_argument("--json", metavar="OUT")
    args = parser.parse_args()
    args.portolan = os.path.abspath(args.portolan)
    out, failed = {}, False
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.join(folder, "repo")
        subprocess.run(["git", "clone", "-q", args.repo, root], check=True)
        subprocess.run([args.portolan, "index"], cwd=root, check=True)
        print(f"load {os.getloadavg()[0]:.1f}")
        for style in ("initialize", "discover"):
            out[f"first, {style}"] = first(args, root, style)
            print(f"first answer after spawn, {style}: {spread(out[f'first, {style}'])}")
        out["calls"] = calls(args, root)
        for name, times in out["calls"].items():
            print(f"  {name}: {spread(times)}")
        out["memory"] = memory(args, root)
        after = ", ".join(f"{mib:.0f} MiB after {n} calls" for n, mib in out["memory"]["after"].items())
        print(f"resident, server and workers: {after}; most {out['memory']['most']:.0f} MiB")
        if args.node_modules:
            out["tokens"] = sizes(args, root)
            for name, count in out["tokens"].items():
                print(f"  {count:>5} tokens  {name}")
        checks = [("Python SDK", lambda: asyncio.run(sdk(args, root)))]
        if args.node_modules:
            checks.append(("inspector", lambda: inspector(args, root)))
        for name, check in checks:
            try:
                print(check())
            except ImportError as error:
                print(f"{name}: not tried ({error})")
            except BaseException as error:
                failed = True
                print(f"{name}: failed: {error!r}")
        print(f"load {os.getloadavg()[0]:.1f}")
    if args.json:
        with open(args.json, "w") as file:
            json.dump(out, file, indent=1)
    sys.exit(failed)


if __name__ == "__main__":
    main()
