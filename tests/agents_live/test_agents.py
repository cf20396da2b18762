"""Real coding agents against a scripted model: the map reaches the model, a second session's edit of a claimed file
is refused with our sentence, and what was read and edited is in the graph.

    PORTOLAN=/path/to/portolan PORTOLAN_AGENTS=/folder/with/node_modules python3 -m unittest -v test_agents

Each agent runs in a home of its own below a temporary folder, in a network name space with nothing but the loopback
interface where the system allows one. `dev/agents` installs the agents and runs this.
"""

import json
import os
import signal
import subprocess
import tempfile
import unittest
from contextlib import contextmanager
from pathlib import Path

from agents import AGENTS
from model import Hold, Model

PORTOLAN = os.environ.get("PORTOLAN", "portolan")
PREFIX = os.environ.get("PORTOLAN_AGENTS", "")

# Every wait is bounded by this many seconds: OpenCode takes 15 of them to start on two busy cores.
PATIENCE = 120

SHOP = {
    "src/shop/cart.py": '''"""A cart."""


class Cart:
    """Things and their prices."""

    def __init__(self):
        self.prices = []

    def subtotal(self):
        """The sum of all prices."""
        if not self.prices:
            return None
        return sum(self.prices)
''',
    "src/shop/till.py": '''"""A till."""

from shop.cart import Cart


def receipt(cart: Cart):
    """One line per thing, and the subtotal."""
    return f"{len(cart.prices)} things: {cart.subtotal()}"
''',
    "tests/test_cart.py": '''from shop.cart import Cart


def test_subtotal_of_an_empty_cart():
    assert Cart().subtotal() == 0
''',
}
CART = "src/shop/cart.py"
PROMPT = "Cart.subtotal returns None for an empty cart, but it should be 0. Please fix it."
OLD, NEW, OTHER = "            return None", "            return 0", "            return 0.0"


def portolan(project, *arguments):
    run = subprocess.run([PORTOLAN, *arguments], cwd=project, capture_output=True, text=True, timeout=PATIENCE)
    assert run.returncode == 0, f"portolan {' '.join(arguments)}: {run.stdout}{run.stderr}"
    return run.stdout


def rows(project, query):
    """The rows of a Cypher query."""
    answer = json.loads(portolan(project, "cypher", "--json", query))
    rows = answer["rows"] if isinstance(answer, dict) else answer
    return [list(row.values()) if isinstance(row, dict) else row for row in rows]


def knows(command):
    """Whether this portolan has a command."""
    run = subprocess.run([PORTOLAN, command, "--help"], capture_output=True, text=True, timeout=PATIENCE)
    return run.returncode == 0


class Session:
    """One running agent."""

    def __init__(self, agent, project, process, conversation):
        self.agent, self.project, self.process, self.conversation = agent, project, process, conversation

    def finish(self):
        """Its output and what our hooks noted down, when it has ended: what a failing test shows."""
        output, _ = self.process.communicate(timeout=PATIENCE)
        log = self.project / ".portolan/log"
        return output + "\n.portolan/log:\n" + (log.read_text() if log.exists() else "(none)")

    def kill(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.communicate()

    def asked(self, text):
        """For each request of the agent's own loop: whether the model was told `text`."""
        return [text in json.dumps(request, ensure_ascii=False) for request in self.conversation.main_requests()]

    def results(self):
        """The tool results in its last request, each as JSON."""
        found, open_values = [], self.conversation.main_requests()[-1:]
        while open_values:
            value = open_values.pop()
            if isinstance(value, dict):
                kind = str(value.get("type", ""))
                if kind == "tool_result" or kind.endswith("call_output") or "functionResponse" in value:
                    found.append(json.dumps(value, ensure_ascii=False))
                    continue
                open_values += value.values()
            elif isinstance(value, list):
                open_values += value
        return found


@contextmanager
def stage():
    """A folder with the shop, indexed, and a model."""
    with tempfile.TemporaryDirectory(prefix="portolan-agents-", ignore_cleanup_errors=True) as folder, Model() as model:
        folder = Path(folder).resolve()
        project = folder / "project"
        for name, text in SHOP.items():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            (project / name).write_text(text)
        git = ["git", "-c", "user.name=ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"]
        for words in [["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "A shop"]]:
            subprocess.run([*git, *words], cwd=project, check=True, timeout=PATIENCE)
        portolan(project, "index")
        sessions = []

        def start(agent, name, steps, prompt=PROMPT, **more):
            """A session of `agent` in the home of this name, which may be that of an earlier one."""
            conversation = model.script(name, steps)
            home = folder / f"home-{name}"
            home.mkdir(exist_ok=True)
            process = agent.start(home, project, model.url(name), prompt, **more)
            sessions.append(Session(agent, project, process, conversation))
            return sessions[-1]

        try:
            yield project, start
        finally:
            for session in sessions:
                session.kill()


class RealAgents(unittest.TestCase):
    def agent(self, host):
        kind = next(kind for kind in AGENTS if kind.host == host)
        agent = kind(PREFIX, PORTOLAN)
        version = agent.installed()
        if not version:
            self.skipTest(f"{kind.package} is not installed under {PREFIX or 'PORTOLAN_AGENTS (not set)'}")
        return agent

    def needs(self, command):
        if not knows(command):
            self.skipTest(f"this portolan has no `{command}` command")

    def wait_for(self, hold, session):
        """Until the session has come to this step."""
        for _ in range(PATIENCE * 2):
            if hold.reached.wait(0.5):
                return
            if session.process.poll() is not None:
                break
        session.kill()
        self.fail(f"{session.agent.host} did not come to its step: {session.process.stdout}")

    def check(self, first, second):
        self.needs("hook")
        first, second = self.agent(first), self.agent(second)
        with stage() as (project, start):
            hold = Hold("Done.", PATIENCE)
            cart = project / CART
            a = start(first, "a", [first.read(cart), first.edit(cart, OLD, NEW), hold])
            self.wait_for(hold, a)
            self.assertIn(NEW + "\n", cart.read_text())

            # The same file, while the first session is in the middle of its turn.
            b = start(second, "b", [second.read(cart), second.edit(cart, NEW, OTHER), "Done."])
            output = b.finish()
            told = f"{CART} is being edited by {first.host} session"
            self.assertEqual(b.asked(told), [False, False, True], output)
            self.assertNotIn(OTHER + "\n", cart.read_text(), output)
            hold.released.set()
            output = a.finish()

            for session in (a, b):
                with self.subTest(map_for=session.agent.host):
                    self.assertTrue(all(session.asked("[portolan] Likely places")), output)
                    self.assertTrue(all(session.asked(f"{CART}:")), output)
            with self.subTest("the graph"):
                self.check_graph(project, first, second)

    def test_codex_is_refused_a_patch_within_a_shell_command(self):
        """All files of a patch or none, in whatever form it comes"""
        self.needs("hook")
        first, second = self.agent("claude-code"), self.agent("codex")
        with stage() as (project, start):
            hold = Hold("Done.", PATIENCE)
            cart, till = project / CART, project / "src/shop/till.py"
            a = start(first, "a", [first.read(cart), first.edit(cart, OLD, NEW), hold])
            self.wait_for(hold, a)
            before = till.read_text()
            patch = "*** Begin Patch\n*** Update File: shop/till.py\n@@\n-\"\"\"A till.\"\"\"\n+\"\"\"The till.\"\"\"\n"
            patch += f"*** Update File: shop/cart.py\n@@\n-{NEW}\n+{OTHER}\n*** End Patch"
            b = start(second, "b", [second.shell(f"cd src && apply_patch <<'EOF'\n{patch}\nEOF\n"), "Done."])
            output = b.finish()
            self.assertEqual(b.asked(f"{CART} is being edited by claude-code session"), [False, True], output)
            self.assertEqual(till.read_text(), before, output)
            # The other file of the refused patch is free: the holder itself takes it.
            hold.then = first.read(till)
            a.conversation.steps += [first.edit(till, '"""A till."""', '"""Our till."""')]
            hold.released.set()
            self.assertIn("Done.", a.finish())
            self.assertIn("Our till", till.read_text())

    def test_a_session_that_has_ended_holds_nothing(self):
        """The next session may edit what the last one did"""
        self.needs("hook")
        agent = self.agent("claude-code")
        with stage() as (project, start):
            cart = project / CART
            start(agent, "a", [agent.read(cart), agent.edit(cart, OLD, NEW), "Done."]).finish()
            b = start(agent, "b", [agent.read(cart), agent.edit(cart, NEW, OTHER), "Done."])
            output = b.finish()
            self.assertFalse(any(b.asked("is being edited by")), output)
            self.assertIn(OTHER + "\n", cart.read_text(), output)

    def test_claude_code_knows_after_a_compaction_what_it_did(self):
        """And is not given the places again that it had"""
        self.needs("hook")
        agent = self.agent("claude-code")
        with stage() as (project, start):
            cart = project / CART
            session = "5e551071-0000-4000-8000-000000000001"
            steps = [agent.read(cart), agent.edit(cart, OLD, NEW), "Done."]
            start(agent, "a", steps, words=["--session-id", session]).finish()
            again = ["--resume", session]
            # The request for the summary has the two tool results so far.
            start(agent, "a", ["What was said so far."] * 3, "/compact", words=again).finish()
            last = start(agent, "a", ["Done."], "What does the receipt of an empty cart say?", words=again)
            output = last.finish()
            self.assertEqual(last.asked(f"[portolan] So far in this session edited: {CART}"), [True], output)
            self.assertEqual(last.asked("What was said so far."), [True], output)

    def test_copilot_that_runs_claudes_hooks_too_counts_once(self):
        """One event told twice, in two dialects, is one event, and the map is given once"""
        self.needs("hook")
        agent, claude = self.agent("copilot-cli"), self.agent("claude-code")
        with stage() as (project, start):
            cart = project / CART
            claude.write(project / ".claude/settings.json", {"hooks": claude.groups()})
            steps = [agent.read(cart), agent.edit(cart, OLD, NEW), "Done."]
            # Exactly `true` trusts the folder, whose settings are run then.
            session = start(agent, "a", steps, extra={"COPILOT_ALLOW_ALL": "true"})
            output = session.finish()
            self.assertIn(NEW + "\n", cart.read_text(), output)
            first = json.dumps(session.conversation.main_requests()[0])
            self.assertEqual(first.count("[portolan] Likely places"), 1, output)
            portolan(project, "sessions")
            done = "MATCH (s:Session)-[r:{}]->(f:File) RETURN s.host, f.path, r.count"
            self.assertEqual(rows(project, done.format("READ")), [["copilot-cli", CART, 1]], output)
            self.assertEqual(rows(project, done.format("EDITED")), [["copilot-cli", CART, 1]], output)

    def check_graph(self, project, first, second):
        # Any question drains the journal.
        portolan(project, "sessions")
        edited = rows(project, "MATCH (s:Session)-[:EDITED]->(f:File) RETURN s.host, f.path")
        self.assertEqual(edited, [[first.host, CART]])
        read = rows(project, "MATCH (s:Session)-[:READ]->(f:File) RETURN s.host, f.path ORDER BY s.host")
        # Codex reads through the shell.
        readers = sorted({agent.host for agent in (first, second)} - {"codex"})
        self.assertEqual(read, [[host, CART] for host in readers])


def ring(first, second):
    def test(self):
        self.check(first, second)

    test.__doc__ = f"{second} wants the file that {first} is editing"
    return test


# Each agent once as the one who has the file and once as the one who is refused.
HOSTS = [kind.host for kind in AGENTS]
for first, second in zip(HOSTS, HOSTS[1:] + HOSTS[:1]):
    name = f"test_{second}_is_refused_what_{first}_edits".replace("-", "_")
    setattr(RealAgents, name, ring(first, second))


def mcp(host):
    def test(self):
        self.needs("mcp")
        agent = self.agent(host)
        with stage() as (_, start):
            steps = agent.mcp("orient", {"task": PROMPT})
            session = start(agent, "m", [*steps, "Done."], mcp=True)
            output = session.finish()
            self.assertEqual(len(session.conversation.main_requests()), len(steps) + 1, output)
            results = [text for text in session.results() if f"{CART}:" in text]
            self.assertEqual(len(results), 1, output)

    test.__doc__ = f"{host} lists our tools and calls one"
    return test


for host in HOSTS:
    setattr(RealAgents, f"test_{host}_calls_a_tool_of_ours".replace("-", "_"), mcp(host))


if __name__ == "__main__":
    unittest.main(verbosity=2)
