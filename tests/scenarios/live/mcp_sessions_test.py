"""An MCP server at a URL that remembers things in its sessions: each principal of ours has one of its own,
whichever network it comes from, and sees nothing of the others'. No XMPP here."""
import http.server
import json
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gateway
from servers import free_port
from mcp_http import McpHttp

PATIENCE = 120
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}}
TOOLS = [{"name": "remember", "inputSchema": TEXT}, {"name": "recall", "inputSchema": TEXT}]

CONFIGURATION = """
[gateway]
data_dir = "var"

[http]
listen = "127.0.0.1:%d"

[egress]
allow_private = true

[[grant]]
principals = ["key:*", "local:*"]
endpoints = ["*"]
visible = true
invoke = ["*"]

[[endpoint]]
name = "notes"
concurrency = 8
runtime = { kind = "mcp", url = "http://127.0.0.1:%d/mcp" }
"""


class Notes(http.server.BaseHTTPRequestHandler):
    """A server of 2025-11-25: what is said in a session stays there."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, answer=None, session=None):
        data = b"" if answer is None else json.dumps(answer).encode()
        self.send_response(status)
        if session:
            self.send_header("Mcp-Session-Id", session)
        if answer is not None:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.reply(405)

    def do_DELETE(self):
        self.server.notes.pop(self.headers.get("Mcp-Session-Id"), None)
        self.reply(200)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        method, notes = message.get("method"), self.server.notes
        if method == "initialize":
            with self.server.lock:
                session = f"session-{len(self.server.opened)}"
                self.server.opened.append(session)
            notes[session] = []
            return self.result(message, session, protocolVersion="2025-11-25", capabilities={"tools": {}},
                               serverInfo={"name": "notes", "version": "1"})
        session = self.headers.get("Mcp-Session-Id")
        if session not in notes:
            return self.reply(404 if session else 400)
        if "id" not in message:
            return self.reply(202)
        if method == "tools/list":
            return self.result(message, tools=TOOLS)
        if method != "tools/call":
            return self.reply(200, {"jsonrpc": "2.0", "id": message["id"],
                                    "error": {"code": -32601, "message": "no"}})
        if message["params"]["name"] == "remember":
            notes[session].append(message["params"]["arguments"]["text"])
        return self.result(message, content=[{"type": "text", "text": ", ".join(notes[session])}])

    def result(self, message, session=None, **result):
        self.reply(200, {"jsonrpc": "2.0", "id": message["id"], "result": result}, session)


class McpSessions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="interline-sessions-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Notes)
        cls.server.daemon_threads = True
        cls.server.notes, cls.server.opened, cls.server.lock = {}, [], threading.Lock()
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.server_close)
        cls.addClassCleanup(cls.server.shutdown)
        cls.port = free_port()
        (cls.folder / "interline.toml").write_text(CONFIGURATION % (cls.port, cls.server.server_port))
        cls.gateway = subprocess.Popen([gateway.PROGRAM, "serve"], cwd=cls.folder,
                                       stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cls.addClassCleanup(cls.end_gateway)
        limit = time.monotonic() + PATIENCE
        while "active" not in cls.run_verb("endpoints", "show", "notes").stdout:
            if cls.gateway.poll() is not None or time.monotonic() > limit:
                raise AssertionError("the gateway does not serve")
            time.sleep(0.05)

    @classmethod
    def end_gateway(cls):
        cls.gateway.terminate()
        cls.gateway.wait(PATIENCE)

    @classmethod
    def run_verb(cls, *words):
        return subprocess.run([gateway.PROGRAM, *words], cwd=cls.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE, check=False)

    def caller(self, name):
        made = json.loads(self.run_verb("keys", "create", name, "--json").stdout)
        client = McpHttp(self.port, made["key"])
        self.addCleanup(client.close)
        return client

    @staticmethod
    def said(client, tool, text=""):
        return client.call(f"notes.{tool}", {"text": text})["content"][0]["text"]

    def test_what_one_principal_says_no_other_hears(self):
        ann, ben = self.caller("ann"), self.caller("ben")
        self.assertEqual(self.said(ann, "remember", "a secret of Ann"), "a secret of Ann")
        self.assertEqual(self.said(ben, "recall"), "")
        self.assertEqual(self.said(ben, "remember", "of Ben"), "of Ben")
        self.assertEqual(self.said(ann, "recall"), "a secret of Ann")
        self.assertEqual(self.run_verb("call", "notes", "recall", "{}").stdout.strip(), "")

    def test_calls_at_once_share_their_principals_session_and_no_other(self):
        clients = [self.caller(f"caller-{number}") for number in range(4)]
        before = len(self.server.opened)

        def write(number):
            for step in range(5):
                self.said(clients[number], "remember", f"{number}.{step}")
            return self.said(clients[number], "recall")

        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(write, range(4)))
        self.assertEqual(found, [", ".join(f"{number}.{step}" for step in range(5))
                                 for number in range(4)])
        self.assertEqual(len(self.server.opened) - before, 4)

    def test_a_session_that_the_server_forgot_is_made_anew_for_its_principal_alone(self):
        cat, dan = self.caller("cat"), self.caller("dan")
        self.said(cat, "remember", "of Cat")
        mine = self.server.opened[-1]
        self.said(dan, "remember", "of Dan")
        del self.server.notes[mine]
        self.assertEqual(self.said(cat, "recall"), "")
        self.assertEqual(self.said(dan, "recall"), "of Dan")


if __name__ == "__main__":
    unittest.main()
