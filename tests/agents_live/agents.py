"""The agents under test: how each is installed, set up in a home of its own, started, and what its tools are called.

An agent's `hooks` are the events that it is told to run `PORTOLAN hook --host HOST EVENT` on.
"""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path


def kebab(event):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", event).lower()


class Agent:
    host = package = binary = None
    hooks = []

    def __init__(self, prefix, portolan):
        self.program = Path(prefix) / "node_modules/.bin" / self.binary
        self.portolan = str(portolan)

    def installed(self):
        """The version, or nothing."""
        if not self.program.exists():
            return None
        run = subprocess.run([self.program, "--version"], capture_output=True, text=True, timeout=60)
        return run.stdout.strip().splitlines()[0] if run.returncode == 0 and run.stdout.strip() else None

    def hook_line(self, event):
        # Not every host hands its environment on.
        line = " ".join(map(shlex.quote, [self.portolan, "hook", "--host", self.host, kebab(event)]))
        return " ".join(f"{name}={value}" for name, value in PATIENT.items()) + " " + line

    def write(self, file, content):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content, indent=2))

    def groups(self, timeout=60):
        """Hook groups in Claude's shape, which most hosts took over."""
        return {
            event: [{"hooks": [{"type": "command", "command": self.hook_line(event), "timeout": timeout}]}]
            for event in self.hooks
        }

    def configure(self, home, url, mcp):
        """Writes the agent's settings: where its model is, its hooks, and our MCP server if `mcp` is true."""

    def command(self, prompt):
        raise NotImplementedError

    def mcp(self, tool, arguments):
        """The steps that call a tool of ours. Several agents show a server's tools by name only, until looked up."""
        raise NotImplementedError

    def environment(self, home, url):
        return {}

    def start(self, home, project, url, prompt, mcp=False, words=(), extra=None):
        """Starts a session without a terminal and without a way out to the network; `words` go to its command line,
        `extra` to its environment."""
        self.configure(Path(home), url, mcp)
        nowhere = "http://127.0.0.1:9"
        env = {
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "TMPDIR": str(home),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "HTTP_PROXY": nowhere,
            "HTTPS_PROXY": nowhere,
            "NO_PROXY": "127.0.0.1,localhost",
            "NO_COLOR": "1",
        }
        env |= {name: str(Path(home) / path) for name, path in XDG.items()}
        env |= PATIENT | self.environment(Path(home), url) | (extra or {})
        return subprocess.Popen(
            [self.program, *self.command(prompt), *words],
            cwd=project,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )


# The deadlines of a hook are for a machine that has time for it: a test is about what it says in the end.
PATIENT = {"PORTOLAN_TEST_PATIENCE": "10"}

XDG = {
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_CACHE_HOME": ".cache",
}


class ClaudeCode(Agent):
    host, package, binary = "claude-code", "@anthropic-ai/claude-code", "claude"
    hooks = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd"]

    def configure(self, home, url, mcp):
        self.write(home / ".claude/settings.json", {"hooks": self.groups()})
        state = {"hasCompletedOnboarding": True}
        if mcp:
            state["mcpServers"] = {"portolan": {"type": "stdio", "command": self.portolan, "args": ["mcp"]}}
        self.write(home / ".claude.json", state)

    def command(self, prompt):
        allowed = "Read,Edit,Write,Bash,mcp__portolan"
        return ["-p", prompt, "--permission-mode", "acceptEdits", "--allowedTools", allowed]

    def environment(self, home, url):
        off = ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY"]
        return {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none", **dict.fromkeys(off, "1")}

    def read(self, file):
        return "Read", {"file_path": str(file)}

    def edit(self, file, old, new):
        return "Edit", {"file_path": str(file), "old_string": old, "new_string": new}

    def mcp(self, tool, arguments):
        name = f"mcp__portolan__{tool}"
        return [("ToolSearch", {"query": f"select:{name}"}), (name, arguments)]


class Codex(Agent):
    host, package, binary = "codex", "@openai/codex", "codex"
    hooks = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"]

    def configure(self, home, url, mcp):
        # A longer time at the session's end is refused.
        hooks = self.groups() | {"SessionEnd": self.groups(3)["SessionEnd"]}
        self.write(home / ".codex/hooks.json", {"hooks": hooks})
        config = f"""
model = "gpt-5.5"
model_provider = "script"
check_for_update_on_startup = false
[model_providers.script]
name = "script"
base_url = "{url}"
wire_api = "responses"
env_key = "SCRIPT_KEY"
supports_websockets = false
[analytics]
enabled = false
"""
        if mcp:
            config += f'[mcp_servers.portolan]\ncommand = {json.dumps(self.portolan)}\nargs = ["mcp"]\n'
        self.write(home / ".codex/config.toml", config)

    def command(self, prompt):
        # The user's trust in a hook is given by hand in `/hooks`; the sandbox needs rights that a container may lack.
        trust = ["--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"]
        return ["exec", *trust, "--skip-git-repo-check", prompt]

    def environment(self, home, url):
        return {"SCRIPT_KEY": "none", "CODEX_HOME": str(home / ".codex")}

    def read(self, file):
        return self.shell(f"cat {shlex.quote(str(file))}")

    def shell(self, command):
        return "exec_command", {"cmd": command}

    def edit(self, file, old, new):
        return "apply_patch", f"*** Begin Patch\n*** Update File: {file}\n@@\n-{old}\n+{new}\n*** End Patch\n"

    def mcp(self, tool, arguments):
        return [("tool_search", {"query": f"portolan {tool}"}), (f"mcp__portolan/{tool}", arguments)]


class GeminiCli(Agent):
    host, package, binary = "gemini-cli", "@google/gemini-cli", "gemini"
    hooks = ["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"]

    def configure(self, home, url, mcp):
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "hooks": self.groups(60_000),
        }
        if mcp:
            settings["mcpServers"] = {"portolan": {"command": self.portolan, "args": ["mcp"], "trust": True}}
        self.write(home / ".gemini/settings.json", settings)

    def command(self, prompt):
        return ["-p", prompt, "-m", "gemini-2.5-pro", "--approval-mode", "yolo", "--skip-trust"]

    def environment(self, home, url):
        return {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_TELEMETRY_ENABLED": "false"}

    def read(self, file):
        return "read_file", {"file_path": str(file)}

    def edit(self, file, old, new):
        words = {"instruction": "Change it", "old_string": old, "new_string": new}
        return "replace", {"file_path": str(file), **words}

    def mcp(self, tool, arguments):
        return [(f"mcp_portolan_{tool}", arguments)]


class QwenCode(Agent):
    host, package, binary = "qwen-code", "@qwen-code/qwen-code", "qwen"
    hooks = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"]

    def configure(self, home, url, mcp):
        settings = {
            "security": {"auth": {"selectedType": "anthropic"}},
            "memory": {"enableManagedAutoMemory": False},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"enableAutoUpdate": False},
            "hooks": self.groups(),
        }
        if mcp:
            settings["mcpServers"] = {"portolan": {"command": self.portolan, "args": ["mcp"], "trust": True}}
        self.write(home / ".qwen/settings.json", settings)

    def command(self, prompt):
        return ["--auth-type", "anthropic", "-m", "m", "--approval-mode", "yolo", "-p", prompt]

    def environment(self, home, url):
        return {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none", "ANTHROPIC_MODEL": "m"}

    def read(self, file):
        return "read_file", {"file_path": str(file)}

    def edit(self, file, old, new):
        return "edit", {"file_path": str(file), "old_string": old, "new_string": new}

    def mcp(self, tool, arguments):
        name = f"mcp__portolan__{tool}"
        return [("tool_search", {"query": f"select:{name}"}), ("tool_call", {"name": name, "arguments": arguments})]


class CopilotCli(Agent):
    host, package, binary = "copilot-cli", "@github/copilot", "copilot"
    hooks = ["sessionStart", "userPromptSubmitted", "preToolUse", "postToolUse", "agentStop", "sessionEnd"]

    def configure(self, home, url, mcp):
        hooks = {e: [{"type": "command", "bash": self.hook_line(e), "timeoutSec": 60}] for e in self.hooks}
        self.write(home / ".copilot/hooks/portolan.json", {"version": 1, "hooks": hooks})
        if mcp:
            server = {"type": "local", "command": self.portolan, "args": ["mcp"], "tools": ["*"]}
            self.write(home / ".copilot/mcp-config.json", {"mcpServers": {"portolan": server}})

    def command(self, prompt):
        return ["-p", prompt, "--allow-all-tools", "--no-auto-update"]

    def environment(self, home, url):
        provider = {"BASE_URL": url, "TYPE": "anthropic", "API_KEY": "none"}
        env = {f"COPILOT_PROVIDER_{name}": value for name, value in provider.items()}
        return env | {"COPILOT_OFFLINE": "true", "COPILOT_MODEL": "claude-sonnet-4.5"}

    def read(self, file):
        return "view", {"path": str(file)}

    def edit(self, file, old, new):
        return "edit", {"path": str(file), "old_str": old, "new_str": new}

    def mcp(self, tool, arguments):
        return [(f"portolan-{tool}", arguments)]


class OpenCode(Agent):
    host, package, binary = "opencode", "opencode-ai", "opencode"

    def configure(self, home, url, mcp):
        source = Path(__file__).resolve().parents[2] / "src/hooks/opencode_plugin.js"
        plugin = source.read_text().replace("@PORTOLAN@", json.dumps(self.portolan)).replace("@HOST@", '"opencode"')
        self.write(home / ".config/opencode/plugins/portolan.js", plugin)
        model = {"name": "m", "tool_call": True, "limit": {"context": 200_000, "output": 8_000}}
        options = {"baseURL": f"{url}/v1", "apiKey": "none"}
        config = {
            "$schema": "https://opencode.ai/config.json",
            "provider": {"script": {"npm": "@ai-sdk/anthropic", "name": "s", "options": options, "models": {"m": model}}},
            "model": "script/m",
            "small_model": "script/m",
            "autoupdate": False,
            "share": "disabled",
            "permission": "allow",
        }
        if mcp:
            server = {"type": "local", "command": [self.portolan, "mcp"], "enabled": True}
            config["mcp"] = {"portolan": server}
        self.write(home / ".config/opencode/opencode.json", config)

    def command(self, prompt):
        return ["run", prompt]

    def environment(self, home, url):
        off = ["OPENCODE_DISABLE_AUTOUPDATE", "OPENCODE_DISABLE_MODELS_FETCH", "OPENCODE_DISABLE_LSP_DOWNLOAD"]
        # With a plugin it looks for a package first; without a network that ends at once.
        return dict.fromkeys(off, "true") | {"npm_config_fetch_retries": "0", "npm_config_offline": "true"}

    def read(self, file):
        return "read", {"filePath": str(file)}

    def edit(self, file, old, new):
        return "edit", {"filePath": str(file), "oldString": old, "newString": new}

    def mcp(self, tool, arguments):
        return [(f"portolan_{tool}", arguments)]


AGENTS = [ClaudeCode, Codex, GeminiCli, QwenCode, CopilotCli, OpenCode]
