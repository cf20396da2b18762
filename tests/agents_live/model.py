"""A scripted model on the loopback interface: plays the APIs that coding agents call, and returns fixed tool calls.

One server serves any number of conversations: the first part of the path names the script. A script is a list of steps,
each a tool call `(name, arguments)`, a `Hold`, or a final text. Which step is next follows from the request alone (the number
of tool results in it), so that retries and side requests do no harm. A request that does not list the script's first tool
(titles, routing) gets a short text.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SIDE_ANSWER = "ok"


class Hold:
    """A step that is answered only when the test lets it go: its session stays in the middle of a turn."""

    def __init__(self, then, seconds):
        self.then, self.seconds = then, seconds
        self.reached, self.released = threading.Event(), threading.Event()


class Conversation:
    """What one agent asked for, in order."""

    def __init__(self, steps):
        self.steps = steps
        self.requests = []

    def main_requests(self):
        """The requests of the agent's own loop, as parsed JSON."""
        return [request for request, is_main in self.requests if is_main]


class Model:
    """The server; a context manager. `url(name)` is the base address for a conversation."""

    def __init__(self):
        self.conversations = {}
        self.unknown = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                self.reply(200, "application/json", json.dumps({"data": [], "models": []}))

            def do_HEAD(self):
                self.reply(200, "application/json", "")

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                status, kind, text = model.answer(self.path, body)
                self.reply(status, kind, text)

            def reply(self, status, kind, text):
                data = text.encode()
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def script(self, name, steps):
        """A new conversation, and its base address."""
        self.conversations[name] = Conversation(steps)
        return self.conversations[name]

    def url(self, name):
        return f"http://127.0.0.1:{self.server.server_address[1]}/{name}"

    def answer(self, path, body):
        path = path.split("?", 1)[0]
        _, name, rest = (path.split("/", 2) + ["", ""])[:3]
        conversation = self.conversations.get(name)
        try:
            request = json.loads(body or b"{}")
        except ValueError:
            request = None
        for end, dialect in DIALECTS.items():
            if conversation and isinstance(request, dict) and rest.endswith(end):
                return dialect(conversation, request)
        if rest.endswith("count_tokens") or rest.endswith(":countTokens"):
            return 200, "application/json", json.dumps({"input_tokens": 100, "totalTokens": 100})
        self.unknown.append(path)
        return 404, "application/json", json.dumps({"error": {"message": "not scripted", "type": "not_found"}})


def next_step(conversation, request, tools, results):
    """The tool call or the text that comes next; a text for a request that is not the agent's own loop."""
    first = next((step[0] for step in conversation.steps if isinstance(step, tuple)), None)
    is_main = first in tools if first else bool(tools)
    conversation.requests.append((request, is_main))
    if not is_main:
        return SIDE_ANSWER
    step = conversation.steps[results] if results < len(conversation.steps) else "Done."
    if isinstance(step, Hold):
        step.reached.set()
        step.released.wait(step.seconds)
        return step.then
    return step


def sse(events):
    """Server-sent events `(name or None, data)`."""
    lines = []
    for name, data in events:
        lines += [f"event: {name}"] if name else []
        lines += [f"data: {json.dumps(data)}", ""]
    return 200, "text/event-stream", "\n".join(lines) + "\n"


def anthropic(conversation, request):
    """Anthropic's Messages API."""
    messages = request.get("messages", [])
    blocks = [b for m in messages if isinstance(m.get("content"), list) for b in m["content"]]
    results = sum(1 for block in blocks if block.get("type") == "tool_result")
    tools = {tool.get("name") for tool in request.get("tools") or []}
    step = next_step(conversation, request, tools, results)
    if isinstance(step, tuple):
        block = {"type": "tool_use", "id": f"toolu_{results}", "name": step[0], "input": step[1]}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(step[1])}
        empty, reason = dict(block, input={}), "tool_use"
    else:
        block = {"type": "text", "text": step}
        delta = {"type": "text_delta", "text": step}
        empty, reason = dict(block, text=""), "end_turn"
    usage = {"input_tokens": 100, "output_tokens": 10}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": request.get("model", "m")}
    message |= {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
    if not request.get("stream"):
        return 200, "application/json", json.dumps(message | {"content": [block], "stop_reason": reason})
    kinds = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ]
    return sse([(kind["type"], kind) for kind in kinds])


def responses(conversation, request):
    """OpenAI's Responses API. A step whose arguments are a text is a call of a free-form tool; `space/tool` is one of a
    name space."""
    items = request.get("input") if isinstance(request.get("input"), list) else []
    results = sum(1 for item in items if str(item.get("type", "")).endswith(("call_output", "search_output")))
    tools = {tool.get("name") or tool.get("type") for tool in request.get("tools") or []}
    step = next_step(conversation, request, tools, results)
    if isinstance(step, tuple) and step[0] == "tool_search":
        item = {"type": "tool_search_call", "call_id": f"call_{results}", "execution": "client", "arguments": step[1]}
    elif isinstance(step, tuple) and isinstance(step[1], str):
        item = {"type": "custom_tool_call", "call_id": f"call_{results}", "name": step[0], "input": step[1]}
    elif isinstance(step, tuple):
        arguments = json.dumps(step[1])
        *space, name = step[0].split("/")
        item = {"type": "function_call", "call_id": f"call_{results}", "name": name, "arguments": arguments}
        item |= {"namespace": space[0]} if space else {}
    else:
        content = [{"type": "output_text", "text": step, "annotations": []}]
        item = {"type": "message", "role": "assistant", "content": content}
    item |= {"id": f"item_{results}", "status": "completed"}
    usage = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
    usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    response = {"id": f"resp_{results}", "object": "response", "model": request.get("model", "m"), "usage": usage}
    whole = response | {"status": "completed", "output": [item]}
    if not request.get("stream"):
        return 200, "application/json", json.dumps(whole)
    kinds = [
        {"type": "response.created", "response": response | {"status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]
    return sse([(kind["type"], kind) for kind in kinds])


def gemini(conversation, request, stream=True):
    """Gemini's generateContent and streamGenerateContent."""
    parts = [part for content in request.get("contents") or [] for part in content.get("parts") or []]
    results = sum(1 for part in parts if "functionResponse" in part)
    declared = [d for tool in request.get("tools") or [] for d in tool.get("functionDeclarations") or []]
    step = next_step(conversation, request, {d.get("name") for d in declared}, results)
    if isinstance(step, tuple):
        part = {"functionCall": {"name": step[0], "args": step[1]}}
    else:
        part = {"text": step}
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    answer = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m"}
    return sse([(None, answer)]) if stream else (200, "application/json", json.dumps(answer))


DIALECTS = {
    "v1/messages": anthropic,
    "/messages": anthropic,
    "responses": responses,
    ":streamGenerateContent": gemini,
    ":generateContent": lambda conversation, request: gemini(conversation, request, stream=False),
}
