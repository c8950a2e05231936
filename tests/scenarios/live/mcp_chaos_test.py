"""MCP servers that misbehave in every way, as programs and at URLs, behind one gateway with a healthy
neighbour of each kind under load. Whatever they do fails their own calls alone. No XMPP here."""
import json
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gateway
import mcp_stub
from servers import free_port
from mcp_http import TASKS, Lost, McpHttp

STUB = ["/usr/bin/python3", "-B", str(Path(__file__).with_name("mcp_stub.py"))]
PATIENCE = 240
CALLERS, ROUNDS = 6, 10  # of the load, before which nothing that is held may end
COPIES = 3               # calls of each bad server
LONGEST = 50             # seconds of any call
HELD = "longer than this gateway allows"  # is said of those that would go on for ever
CUT = 40                 # bytes of an answer, where nothing else is said

CONFIGURATION = """
[gateway]
data_dir = "var"

[http]
listen = "127.0.0.1:%(port)d"

[mcp]
task_grace = "0s"

[tasks]
max_duration = "%(longest)ds"
drain = "200ms"

[egress]
allow_private = true

[[grant]]
principals = ["local:*", "anonymous"]
endpoints = ["*"]
visible = true
invoke = ["*"]
"""


# What each does, and what its caller is told: by all means; None where it is slow, or noisy, and works.
PROGRAMS = {
    "exits": "ended before it could take calls",  # with its first breath
    "mute": HELD,                                 # never says a word
    "noise": HELD,                                # a megabyte of nonsense instead of the first
    "silent": HELD,                               # well, but never answers a call, nor for its prompts
    "deaf": HELD,                                 # stops reading in the middle of a call
    "endless-line": "the gateway reads|" + HELD,  # its answer has no end
    "pings": "ended before the call did",         # asks without end, and never reads an answer
    "garbage": "no JSON",
    "misshapen": "not a tool result",
    "huge": "more for this call than the gateway reads",
    "flood": "more for this call|ended before",   # progress without end, and after its call has ended
    "crash": "ended before the call did",
    "slow": None,                                 # byte by byte, but whole
    "stderr": None,                               # complains without end
    "changes": None,                              # says without end that its tools changed
}
SERVERS = {
    "mute": "did not answer in time|" + HELD,     # takes the connection, and that is all
    "silent": HELD,
    "comments": HELD,                             # an event stream that stays open, and says nothing
    "resets": "connection",
    "noise": "HTTP response",
    "error-500": "status 500",
    "redirect": "302",
    "html": "neither JSON",
    "other-id": "ended its answer too soon",
    "huge": "more for this call than the gateway reads",
    "huge-event": "more for this call than the gateway reads",
    "flood": "more for this call than the gateway reads",
    "crash": "connection ended within the HTTP response",
    "slow": None,
}
ABSENT = {"program-absent": "cannot be started", "url-refuses": "Connection refused",
          "url-accepts-nobody": "did not answer in time"}
EXPECTED = {**{f"program-{vice}": said for vice, said in PROGRAMS.items()},
            **{f"url-{vice}": said for vice, said in SERVERS.items()}, **ABSENT}
GOOD = ("well", "far")


class McpChaos(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="interline-chaos-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.servers = subprocess.Popen([*STUB, "--http"], text=True, stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE)
        cls.addClassCleanup(cls.end_servers)
        cls.http_port = int(cls.servers.stdout.readline())
        cls.full = cls.full_backlog()
        cls.port = free_port()
        cls.write_configuration()
        with open(cls.folder / "gateway.log", "wb") as log:
            cls.gateway = subprocess.Popen([gateway.PROGRAM, "serve"], cwd=cls.folder,
                                           stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        cls.addClassCleanup(cls.end_gateway)

    @classmethod
    def full_backlog(cls):
        """The port of a listener that accepts nobody, and lets nobody wait any more."""
        hole = socket.create_server(("127.0.0.1", 0), backlog=0)
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(hole.getsockname())
        for one in (hole, *waiting):
            cls.addClassCleanup(one.close)
        return hole.getsockname()[1]

    @classmethod
    def write_configuration(cls):
        def at(port, path):
            return {"kind": "mcp", "url": f"http://127.0.0.1:{port}/{path}/mcp"}

        def program(vice):
            return {"kind": "mcp", "command": [*STUB, vice]}

        bad = {f"program-{vice}": program(vice) for vice in PROGRAMS}
        bad |= {f"url-{vice}": at(cls.http_port, vice) for vice in SERVERS}
        bad |= {"program-absent": {"kind": "mcp", "command": ["/nonexistent/server"]},
                "url-refuses": at(free_port(), "x"), "url-accepts-nobody": at(cls.full, "x")}
        (cls.folder / "tools.json").write_text(json.dumps([mcp_stub.TOOL]))
        lines = [CONFIGURATION % {"port": cls.port, "longest": LONGEST}]
        for name, runtime in bad.items():  # their tools are known, so that they are called
            lines += gateway.table("[[endpoint]]", {"name": name, "concurrency": 2, "tools": "tools.json",
                                                    "runtime": runtime})
        # One that is asked for its tools, and never lists them.
        lines += gateway.table("[[endpoint]]", {"name": "unlisted", "runtime": program("mute")})
        for name, runtime in zip(GOOD, (program("none"), at(cls.http_port, "well"))):
            lines += gateway.table("[[endpoint]]", {"name": name, "concurrency": 4, "runtime": runtime})
        (cls.folder / "interline.toml").write_text("\n".join(lines))

    @classmethod
    def end_servers(cls):
        cls.servers.stdin.close()
        cls.servers.wait(PATIENCE)
        cls.servers.stdout.close()

    @classmethod
    def end_gateway(cls):
        cls.gateway.terminate()
        if cls.gateway.wait(PATIENCE) != 0:
            raise AssertionError(cls.last_words())

    @classmethod
    def last_words(cls):
        return (cls.folder / "gateway.log").read_text(errors="replace")[-4000:]

    @classmethod
    def client(cls, can=None):
        return McpHttp(cls.port, can=can, timeout=PATIENCE)

    def until_served(self):
        client, limit = self.client(), time.monotonic() + PATIENCE
        while not set(self.tools(client)) >= {f"{name}.do" for name in (*GOOD, *EXPECTED)}:
            self.assertLess(time.monotonic(), limit, self.last_words())
            time.sleep(0.05)
        client.close()

    def tools(self, client):
        try:
            return [tool["name"] for tool in client.result("tools/list")["tools"]]
        except Lost:
            self.assertIsNone(self.gateway.poll(), self.last_words())
            return []

    def prompts(self, client):
        return {prompt["name"] for prompt in client.result("prompts/list")["prompts"]}

    def begin(self, client, endpoint, copy):
        """A call of a bad server: its task, or its end where that comes at once."""
        text = f"copy {copy} " * (20_000 if "deaf" in endpoint else 1)
        said = client.call(f"{endpoint}.do", {"text": text, "cut": CUT + copy})
        return said if said["resultType"] == "task" else {"status": "completed", "result": said}

    def load(self, caller, rounds):
        """Calls of the neighbours, one after the other; how many."""
        client = self.client()
        try:
            for number in range(rounds):
                for name in GOOD:
                    self.call_good(client, name, f"{caller} {number}")
                if number % 10 == 0:
                    listed = self.tools(client)
                    self.assertEqual([name for name in GOOD if f"{name}.do" not in listed], [])
            return rounds * len(GOOD)
        finally:
            client.close()

    def call_good(self, client, name, text):
        said = client.call(f"{name}.do", {"text": text})
        self.assertEqual((said["content"][0]["text"], said.get("isError")), (text, None), said)

    def load_by_many(self, rounds):
        with ThreadPoolExecutor(CALLERS) as pool:
            return sum(pool.map(lambda caller: self.load(caller, rounds), range(CALLERS)))

    def statuses(self, client, tasks):
        return {key: client.task(task["taskId"]) if "taskId" in task else task
                for key, task in tasks.items()}

    def test_a_bad_server_fails_its_own_calls_alone(self):
        self.until_served()
        asking = self.client({"extensions": {TASKS: {}}})
        self.assertLessEqual({"well.greet", "far.greet"}, self.prompts(asking))
        held = {(endpoint, copy) for endpoint, said in EXPECTED.items() if said == HELD
                for copy in range(COPIES)}
        tasks = {(endpoint, copy): self.begin(asking, endpoint, copy)
                 for copy in range(COPIES) for endpoint in EXPECTED}
        # The neighbours, while the bad ones are at it.
        self.assertEqual(self.load_by_many(ROUNDS), CALLERS * ROUNDS * len(GOOD))
        for _ in range(ROUNDS):  # none of which waits for those that do not say theirs
            self.assertLessEqual({"well.greet", "far.greet"}, self.prompts(asking))
        open_ = self.statuses(asking, tasks)
        self.assertEqual({key for key in held if open_[key]["status"] != "working"}, set(),
                         "what never answers has ended before the neighbours' calls did")
        # And so until the last of them has ended.
        limit = time.monotonic() + PATIENCE
        while any(task["status"] == "working" for task in open_.values()):
            self.assertLess(time.monotonic(), limit, open_)
            self.load_by_many(2)
            open_ = self.statuses(asking, tasks)
        asking.close()
        for (endpoint, copy), task in open_.items():
            with self.subTest(endpoint=endpoint, copy=copy):
                self.check_end(endpoint, copy, task)

    def check_end(self, endpoint, copy, task):
        self.assertEqual(task["status"], "completed", task)
        said = task["result"]["content"][0]["text"]
        if EXPECTED[endpoint] is None:
            self.assertEqual((said, task["result"].get("isError")), (f"copy {copy} ", None))
        else:
            self.assertTrue(task["result"]["isError"], task)
            self.assertRegex(said, EXPECTED[endpoint])

    def test_a_crash_at_any_byte_is_one_lost_call(self):
        """One byte after another; the server's next call is answered, and so are the neighbours'."""
        self.until_served()
        whole = len(json.dumps(mcp_stub.healthy({"id": "1", "method": "tools/call", "params": {
            "arguments": {"text": "x"}}})))
        client = self.client()
        for cut in range(0, whole, 6):
            for endpoint in ("url-crash", "program-crash"):
                said = client.call(f"{endpoint}.do", {"text": "x", "cut": cut})
                self.assertTrue(said.get("isError"), (endpoint, cut, said))
                self.assertTrue(said["content"][0]["text"])
                said = client.call(f"{endpoint}.do", {"text": "x", "cut": 1000})
                self.assertEqual(said["content"][0]["text"], "x", said)
            for name in GOOD:
                self.call_good(client, name, f"after {cut}")
        client.close()


if __name__ == "__main__":
    unittest.main()
