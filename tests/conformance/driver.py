"""A caller of our own endpoint over HTTP, 2026-07-28: it answers whatever it is asked."""
import base64
import http.client
import itertools
import json
from urllib.parse import urlsplit

VERSION = "2026-07-28"
CAPABILITIES = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
ROUNDS = 10
PATIENCE = 25


class RpcError(Exception):
    pass


class Caller:
    def __init__(self, url):
        self.url = urlsplit(url)
        self.ids = itertools.count(1)
        self.schemas = {}  # of tools, by name

    def tools(self):
        listed = self.request("tools/list", {})["tools"]
        self.schemas = {tool["name"]: tool["inputSchema"] for tool in listed}
        return listed

    def call(self, name, arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments})

    def ask(self, method, params):
        """Goes through the rounds of a request that asks back."""
        for _ in range(ROUNDS):
            result = self.request(method, params)
            if result.get("resultType") != "input_required":
                return result
            answers = {key: answer(asked) for key, asked in result.get("inputRequests", {}).items()}
            params = {**params, "inputResponses": answers, "requestState": result["requestState"]}
        raise RpcError(f"{method} asks for ever")

    def request(self, method, params):
        number = next(self.ids)
        meta = {"io.modelcontextprotocol/protocolVersion": VERSION,
                "io.modelcontextprotocol/clientInfo": {"name": "driver", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": CAPABILITIES}
        body = {"jsonrpc": "2.0", "id": number, "method": method, "params": {**params, "_meta": meta}}
        connection = http.client.HTTPConnection(self.url.netloc, timeout=PATIENCE)
        try:
            connection.request("POST", self.url.path, json.dumps(body),
                               self.headers(method, params))
            for message in messages(connection.getresponse()):
                if message.get("id") == number and "method" not in message:
                    return outcome(message)
        finally:
            connection.close()
        raise RpcError(f"{method} was not answered")

    def headers(self, method, params):
        headers = {"Content-Type": "application/json",
                   "Accept": "application/json, text/event-stream",
                   "MCP-Protocol-Version": VERSION, "Mcp-Method": method}
        if method in NAMED:
            headers["Mcp-Name"] = header_value(params[NAMED[method]])
        if method == "tools/call":
            properties = self.schemas.get(params["name"], {}).get("properties", {})
            for name, schema in properties.items():
                value = params["arguments"].get(name)
                if isinstance(schema, dict) and schema.get("x-mcp-header") and value is not None:
                    headers[f"Mcp-Param-{schema['x-mcp-header']}"] = header_value(value)
        return headers


def header_value(value):
    """Plain where a header can carry it, else base64."""
    text = value if isinstance(value, str) else json.dumps(value)
    plain = text.isascii() and text.isprintable() and text.strip() == text and text
    if plain and not (text.startswith("=?base64?") and text.endswith("?=")):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def messages(response):
    """What an answer says: one JSON text, or the events of a stream."""
    if "text/event-stream" not in response.getheader("Content-Type", ""):
        yield json.loads(response.read())
        return
    for line in response:
        if line.startswith(b"data:") and line[5:].strip():
            yield json.loads(line[5:])


def outcome(message):
    if "error" in message:
        raise RpcError(json.dumps(message["error"]))
    return message["result"]


# --- answers and arguments ---------------------------------------------------------------------------


def answer(asked):
    method, params = asked["method"], asked.get("params", {})
    if method == "sampling/createMessage":
        return {"role": "assistant", "model": "none", "content": {"type": "text", "text": "Paris"}}
    if method == "roots/list":
        return {"roots": [{"uri": "file:///tmp", "name": "tmp"}]}
    if params.get("mode") == "url":
        return {"action": "accept"}
    return {"action": "accept", "content": example(params.get("requestedSchema", {}))}


EXAMPLES = {"string": "text", "number": 1, "integer": 1, "boolean": True, "array": [], "null": None}


def example(schema):
    """A value that the schema allows, in the simple cases: defaults first."""
    for word, pick in (("default", lambda v: v), ("const", lambda v: v), ("enum", lambda v: v[0])):
        if word in schema:
            return pick(schema[word])
    if schema.get("oneOf"):
        return example(schema["oneOf"][0])
    kind = schema.get("type", "object")
    if kind == "object":
        return {name: example(inner) for name, inner in schema.get("properties", {}).items()}
    return EXAMPLES.get(kind, "text")
