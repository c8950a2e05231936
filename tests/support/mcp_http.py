"""A client of MCP over HTTP, revision 2026-07-28: requests out, messages back. One connection a client."""
import http.client
import itertools
import json
import socket

VERSION = "2026-07-28"
TASKS = "io.modelcontextprotocol/tasks"
NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri", "tasks/get": "taskId",
         "tasks/update": "taskId", "tasks/cancel": "taskId"}  # what Mcp-Name mirrors


class Lost(Exception):
    """The connection is gone, or nothing came: whether the request was taken is not known."""


class McpHttp:
    """Not for several threads at once. `can`: the capabilities that are declared."""

    def __init__(self, port, key=None, can=None, path="/mcp", timeout=120):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
        self.key, self.can, self.path = key, can or {}, path
        self.numbers = itertools.count(1)

    def close(self):
        self.connection.close()

    def interrupt(self):
        """From another thread: whoever waits for an answer gets Lost."""
        connected = self.connection.sock
        if connected:
            try:
                connected.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it has ended meanwhile

    def ask(self, method, params=None, meta=None):
        """(status, the answer's message). Raises Lost."""
        params = dict(params or {})
        params["_meta"] = {"io.modelcontextprotocol/protocolVersion": VERSION,
                           "io.modelcontextprotocol/clientCapabilities": self.can, **(meta or {})}
        number = next(self.numbers)
        fields = {"Content-Type": "application/json",
                  "Accept": "application/json, text/event-stream",
                  "MCP-Protocol-Version": VERSION, "Mcp-Method": method}
        if method in NAMES:
            fields["Mcp-Name"] = params[NAMES[method]]
        if self.key:
            fields["Authorization"] = f"Bearer {self.key}"
        body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        try:
            self.connection.request("POST", self.path, body, fields)
            response = self.connection.getresponse()
            message = last_message(response.getheader("Content-Type", ""), response.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.connection.close()
            raise Lost(f"{method}: {type(error).__name__} {error}") from error
        return response.status, message

    def result(self, method, params=None, meta=None):
        """Its result; anything else is an error of the test's."""
        status, message = self.ask(method, params, meta)
        if "result" not in message:
            raise AssertionError(f"{method}: {status} {message}")
        return message["result"]

    def call(self, tool, arguments, request_id=None):
        """The result of tools/call."""
        meta = {} if request_id is None else {"interline/requestId": request_id}
        return self.result("tools/call", {"name": tool, "arguments": arguments}, meta)

    def task(self, task):
        return self.result("tasks/get", {"taskId": task})


def last_message(kind, content):
    """Of an event stream the answer, which comes last; {} where there is no message."""
    if kind.startswith("text/event-stream"):
        data = [line[6:] for line in content.decode().splitlines() if line.startswith("data: ")]
        if not data:
            raise ValueError("a stream without an answer")
        return json.loads(data[-1])
    return json.loads(content) if kind.startswith("application/json") and content else {}
