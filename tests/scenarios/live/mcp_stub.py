"""An MCP server of revision 2026-07-28 that misbehaves as it is told to, or not at all.

mcp_stub.py VICE        over standard input and output
mcp_stub.py --http      over HTTP, at a port of 127.0.0.1 that is the first line it prints; the vice
                        is the first segment of the path

What a vice is, and what has to come of it, stands in mcp_chaos_test.py.
"""
import http.server
import json
import os
import socket
import struct
import sys
import threading
import time

TOOL = {"name": "do", "description": "Does it.",
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"},
                                                         "cut": {"type": "integer"}}}}
FILLING = "x" * 1000
HUGE = 9 * 1024 * 1024  # bytes; a line may have 8 MiB


def result(message, **members):
    return {"jsonrpc": "2.0", "id": message["id"], "result": {"resultType": "complete", **members}}


def healthy(message):
    """The answer of a server that is well; None to what has none."""
    method = message.get("method")
    cached = {"ttlMs": 0, "cacheScope": "private"}
    if "id" not in message:
        return None
    if method == "server/discover":
        return result(message, supportedVersions=["2026-07-28"], **cached,
                      capabilities={"tools": {}, "prompts": {}})
    if method == "tools/list":
        return result(message, tools=[TOOL], **cached)
    if method == "prompts/list":
        return result(message, prompts=[{"name": "greet"}], **cached)
    if method == "tools/call":
        return result(message, content=[{"type": "text", "text": message["params"]["arguments"]["text"]}])
    return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no"}}


def progress_of(message, number, text):
    token = message["params"]["_meta"].get("progressToken")
    return {"jsonrpc": "2.0", "method": "notifications/progress",
            "params": {"progressToken": token, "progress": number, "message": text}}


def for_ever():
    threading.Event().wait()


class Stdio:
    """One process. What is named like a vice is what it does with a call."""

    def __init__(self, vice):
        self.vice = vice.replace("-", "_")
        self.out = sys.stdout.buffer

    def write(self, data):
        self.out.write(data)
        self.out.flush()

    def say(self, message):
        self.write(json.dumps(message).encode() + b"\n")

    def run(self):
        at_start = getattr(self, "start_" + self.vice, None)
        if at_start:
            at_start()
        act = getattr(self, "call_" + self.vice, None)
        for line in sys.stdin:
            message = json.loads(line)
            method = message.get("method")
            if method == "prompts/list" and self.vice == "silent":
                continue
            if method == "tools/call" and act:
                act(message)
            elif answer := healthy(message):
                self.say(answer)

    # From the start.
    def start_exits(self):
        sys.exit(3)

    def start_mute(self):
        for _ in sys.stdin:
            pass

    def start_noise(self):
        self.write(os.urandom(1 << 20).replace(b"\n", b" ") + b"\n" + b"{}\n[]\nnull\n\x00\xff\n" * 1000)
        for _ in sys.stdin:
            pass

    def start_stderr(self):
        def complain():
            while True:
                os.write(2, (FILLING + "\n").encode() * 60)
                time.sleep(0.001)

        threading.Thread(target=complain, daemon=True).start()

    def start_changes(self):
        """Says without end that its tools have changed."""
        def change():
            while True:
                self.say({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
                time.sleep(0.001)

        threading.Thread(target=change, daemon=True).start()

    # With a call.
    def call_silent(self, message):
        pass

    def call_deaf(self, message):
        for_ever()

    def call_slow(self, message):
        for byte in json.dumps(healthy(message)).encode() + b"\n":
            self.write(bytes([byte]))
            time.sleep(0.005)

    def call_endless_line(self, message):
        while True:
            self.write(b"[" * 1000)
            time.sleep(0.001)

    def call_garbage(self, message):
        self.write(f'{{"jsonrpc":"2.0","id":{json.dumps(message["id"])},'.encode() + os.urandom(50).hex().encode() + b"\n")

    def call_misshapen(self, message):
        self.say({"jsonrpc": "2.0", "id": message["id"], "result": ["resultType", 7]})

    def call_huge(self, message):
        self.say(result(message, content=[{"type": "text", "text": "x" * HUGE}]))

    def call_flood(self, message):
        number = 0
        while True:
            number += 1
            self.say(progress_of(message, number, FILLING))

    def call_pings(self, message):
        """Asks without end, and never reads an answer."""
        while True:
            self.say({"jsonrpc": "2.0", "id": FILLING, "method": "ping"})

    def call_crash(self, message):
        whole = json.dumps(healthy(message)).encode() + b"\n"
        cut = message["params"]["arguments"]["cut"]
        self.write(whole[:cut])
        if cut < len(whole):
            os._exit(1)


class Http(http.server.BaseHTTPRequestHandler):
    """One request. A vice that is in no table answers as if it were well."""

    protocol_version = "HTTP/1.1"
    everywhere = {"mute", "resets", "noise", "error-500", "redirect", "html"}  # the others: calls alone

    def log_message(self, *_):
        pass

    def do_POST(self):
        self.vice = self.path.split("/")[1]
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        method = message.get("method")
        act = getattr(self, "act_" + self.vice.replace("-", "_"), None)
        if act and (self.vice in self.everywhere or method == "tools/call"):
            self.close_connection = True
            return act(message)
        if method == "prompts/list" and self.vice == "silent":
            return for_ever()
        answer = healthy(message)
        if answer is None:
            return self.head(202, "text/plain", 0)
        body = json.dumps(answer).encode()
        self.head(200, "application/json", len(body))
        self.wfile.write(body)

    def do_GET(self):
        self.head(405, "text/plain", 0)

    def head(self, status, kind, length=None, **fields):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()

    def act_mute(self, message):
        for_ever()

    def act_silent(self, message):
        for_ever()

    def act_noise(self, message):
        self.wfile.write(os.urandom(60_000))

    def act_resets(self, message):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def act_error_500(self, message):
        self.head(500, "text/plain", 0)

    def act_redirect(self, message):
        self.head(302, "text/plain", 0, Location="/well/mcp")

    def act_html(self, message):
        self.head(200, "text/html", 6)
        self.wfile.write(b"<html>")

    def act_other_id(self, message):
        body = json.dumps({**healthy(message), "id": "another"}).encode()
        self.head(200, "application/json", len(body))
        self.wfile.write(body)

    def act_slow(self, message):
        body = json.dumps(healthy(message)).encode()
        self.head(200, "application/json", len(body))
        for byte in body:
            self.wfile.write(bytes([byte]))
            time.sleep(0.005)

    def act_huge(self, message):
        self.head(200, "application/json", 1 << 30)
        while True:
            self.wfile.write(b" " * 65_536)

    def act_huge_event(self, message):
        self.head(200, "text/event-stream")
        self.wfile.write(b"data: ")
        while True:
            self.wfile.write(b"x" * 65_536)

    def act_flood(self, message):
        self.head(200, "text/event-stream")
        number = 0
        while True:
            number += 1
            self.wfile.write(b"data: " + json.dumps(progress_of(message, number, FILLING)).encode() + b"\n\n")

    def act_comments(self, message):
        self.head(200, "text/event-stream")
        while True:
            self.wfile.write(b": still there\n\n")
            time.sleep(0.01)

    def act_crash(self, message):
        body = json.dumps(healthy(message)).encode()
        whole = (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)) + body
        self.wfile.write(whole[:message["params"]["arguments"]["cut"]])


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass  # whoever is flooded may leave


def main(what):
    if what != "--http":
        return Stdio(what).run()
    server = Server(("127.0.0.1", 0), Http)
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()  # it lives as long as whoever started it


if __name__ == "__main__":
    main(*sys.argv[1:])
