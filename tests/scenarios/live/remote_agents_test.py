"""Agents behind another gateway, as if they were ours: two Interlines on two federating Prosodys. Callers
of the first, over XMPP and over MCP, call agents and an MCP server behind the second, while either
gateway is killed and either server stops."""
import http.client
import json
import os
import subprocess
import threading
import time
import unittest

import gateway
import servers
import wire
from caller import PACKAGES
from world import DOMAIN, World

REMOTE, FAR = "remote.test", "agents.remote.test"
HERE, THERE = "127.0.0.1", "127.0.0.2"
VERSION = "2026-07-28"
SERVER = PACKAGES / "node_modules" / "@modelcontextprotocol" / "server-everything" / "dist" / "index.js"
# As it comes from npm; what it is told is written down on the way.
EVERYTHING = {"kind": "mcp", "command": ["sh", "-c", f"tee -a told | node '{SERVER}' stdio"]}
WORK = "trigger-long-running-operation"


def routes(address, port, *domains):
    return [word for domain in domains for word in ("--s2s-route", f"{domain}={address}:{port}")]


class RemoteAgents(World):
    @classmethod
    def setUpClass(cls):
        cls.ports = {HERE: servers.free_port(HERE), THERE: servers.free_port(THERE)}
        cls.options = ["--s2s-port", str(cls.ports[HERE]), *routes(THERE, cls.ports[THERE], REMOTE, FAR)]
        super().setUpClass()
        cls.key = cls.make_key()

    @classmethod
    def make_gateway(cls):
        """The other one first: it is there when ours asks for its tools."""
        cls.far_server = servers.Server(
            "prosody", cls.folder / "far-server",
            ["--host", REMOTE, "--component", f"{FAR}:{servers.SECRET}", "--interface", THERE, "--s2s-port",
             str(cls.ports[THERE]), *routes(HERE, cls.ports[HERE], "example.test", DOMAIN)],
            accounts=("carol",))
        cls.addClassCleanup(cls.far_server.end)
        probe = gateway.python(gateway.PROBE)
        ours = {"principals": [f"xmpp:*@{DOMAIN}"], "endpoints": ["*"], "visible": True, "invoke": ["*"]}
        cls.far = gateway.Gateway(
            cls.folder / "far-gateway", cls.far_server.address("component"), FAR,
            {"probe": {"runtime": probe, "concurrency": 16}, "narrow": probe, "everything": EVERYTHING,
             "again": {"runtime": EVERYTHING, "on_restart": "rerun"},
             "concierge": gateway.example("concierge"), "sleeper": gateway.example("sleeper")},
            [ours], xmpp={"local_domains": [REMOTE], "admins": [f"admin@{REMOTE}"]})
        cls.addClassCleanup(cls.far.stop)
        cls.far.start()
        return super().make_gateway()

    @classmethod
    def endpoints(cls):
        names = ("probe", "narrow", "everything", "again", "concierge", "sleeper", "nobody")
        return {name: {"kind": "xmpp", "jid": f"{name}@{FAR}"} for name in names}

    @classmethod
    def grants(cls):
        return [{"principals": ["xmpp:*@example.test", "key:*"], "endpoints": ["*"], "visible": True,
                 "invoke": ["*"]}]

    @classmethod
    def make_key(cls):
        made = subprocess.run([gateway.PROGRAM, "keys", "create", "desk", "--json", "-c", cls.gateway.file],
                              capture_output=True, text=True, check=True)
        return json.loads(made.stdout)["key"]

    def setUp(self):
        self.until_imported("probe", "narrow", "everything", "again", "concierge", "sleeper")

    def until_imported(self, *names):
        alice = self.caller("alice")
        limit = time.monotonic() + 120
        for name in names:
            while alice.refusal("get", self.agent(name), wire.disco(wire.INFO)):
                self.assertLess(time.monotonic(), limit, self.gateway.tail())
                time.sleep(0.05)

    # The agents' own books, and their gates.
    def journal(self):
        path = self.far.folder / "journal"
        return path.read_text().splitlines() if path.exists() else []

    def make_gate(self, name):
        os.mkfifo(self.far.folder / name)

    def open_gate(self, name):
        """Returns once a call waits there, and lets it through."""
        limit = time.monotonic() + 120
        while True:
            try:
                return os.close(os.open(self.far.folder / name, os.O_WRONLY | os.O_NONBLOCK))
            except OSError:
                if time.monotonic() > limit:
                    raise
            time.sleep(0.01)

    def until_journal(self, line):
        limit = time.monotonic() + 120
        while line not in self.journal():
            self.assertLess(time.monotonic(), limit, self.gateway.tail())
            time.sleep(0.02)

    def at_gate(self, name, agent="probe"):
        """A call of alice's that is at work behind the other gateway."""
        self.make_gate(name)
        task = self.caller("alice").call(self.agent(agent), "gate", {"name": name})["task-id"]
        self.until_journal(f"at {name}")
        return task

    def assert_through_once(self, name, task, agent="probe"):
        state, body = self.caller("alice").outcome(self.agent(agent), task)
        self.assertEqual((state, body["result"]["content"][0]["text"]), ("completed", f"through {name}"))
        self.assertEqual(self.journal().count(f"at {name}"), 1)

    # What the MCP server from npm was told.
    def times_told(self, arguments):
        told = self.far.folder / "told"
        lines = [json.loads(line) for line in told.read_text().splitlines()] if told.exists() else []
        return sum(line.get("method") == "tools/call" and line["params"]["arguments"] == arguments
                   for line in lines)

    def until_told(self, arguments, times=1):
        limit = time.monotonic() + 120
        while self.times_told(arguments) < times:
            self.assertLess(time.monotonic(), limit, self.far.tail())
            time.sleep(0.02)

    # A caller over MCP.
    def mcp_in_background(self, tool, arguments, request_id):
        """A thread, and where what becomes of the call will be."""
        outcome = []

        def call():
            try:
                outcome.append(self.mcp(tool, arguments, request_id))
            except (OSError, http.client.HTTPException, ValueError) as error:
                outcome.append(error)

        calling = threading.Thread(target=call)
        calling.start()
        return calling, outcome

    def mcp(self, tool, arguments, request_id):
        meta = {"io.modelcontextprotocol/protocolVersion": VERSION,
                "io.modelcontextprotocol/clientInfo": {"name": "desk", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {}, "interline/requestId": request_id}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": tool, "arguments": arguments, "_meta": meta}}
        connection = http.client.HTTPConnection("127.0.0.1", self.gateway.port, timeout=120)
        try:
            connection.request("POST", "/mcp", json.dumps(body), {
                "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                "Authorization": f"Bearer {self.key}", "MCP-Protocol-Version": VERSION,
                "Mcp-Method": "tools/call", "Mcp-Name": tool})
            answer = connection.getresponse().read()
        finally:
            connection.close()
        said = json.loads(answer)
        self.assertIn("result", said, said)
        return said["result"]

    # --- as if they were ours -------------------------------------------------------------------

    def test_an_mcp_server_is_called_over_mcp_and_xmpp(self):
        result = self.mcp("everything.echo", {"message": "<&> \U0001F916"}, "echo-once")
        self.assertIn("<&> \U0001F916", result["content"][0]["text"])
        alice = self.caller("alice")
        task = alice.call(self.agent("everything"), "echo", {"message": "over XMPP"})["task-id"]
        last = alice.events_to_the_end(task)[-1]
        self.assertEqual(last.type, "completed", last.text)
        self.assertIn("over XMPP", last.body["result"]["content"][0]["text"])

    def test_progress_and_a_cancellation_pass_through(self):
        alice, sleeper = self.caller("alice"), self.agent("sleeper")
        task = alice.call(sleeper, "never.ends", {})["task-id"]
        seen = alice.event_of_type(task, "progress")
        alice.set(sleeper, wire.cancel(task, int(alice.state(sleeper, task).get("revision"))))
        self.assertEqual(alice.events_to_the_end(task)[-1].type, "cancelled")
        self.assertTrue(seen.body)

    def test_what_is_asked_is_asked_here(self):
        alice, concierge = self.caller("alice"), self.agent("concierge")
        task = alice.call(concierge, "ask.name", {})["task-id"]
        asked = alice.event_of_type(task, "input_required")
        self.assertEqual(asked.body["question"], "What is your name?")
        alice.set(concierge, wire.provide_input(task, asked.body["requestId"], asked.revision,
                                                {"name": "Alice"}))
        self.assertIn("Alice", alice.outcome(concierge, task)[1]["result"]["content"][0]["text"])

    def test_an_agent_that_is_not_there_hides_no_other(self):
        alice = self.caller("alice")
        self.assertEqual(alice.refusal("get", self.agent("nobody"), wire.disco(wire.INFO)), wire.NOT_FOUND)
        task = alice.call(self.agent("probe"), "note", {"text": "a neighbour"})["task-id"]
        self.assertEqual(alice.outcome(self.agent("probe"), task)[0], "completed")

    # --- in the middle of a call ----------------------------------------------------------------

    def test_our_gateway_is_killed(self):
        alice = self.caller("alice")
        task = self.at_gate("ours-killed")
        asked = alice.call(self.agent("concierge"), "ask.name", {})["task-id"]
        question = alice.event_of_type(asked, "input_required")
        self.make_gate("mcp-killed")
        calling, first = self.mcp_in_background("probe.gate", {"name": "mcp-killed"}, "killed-in-it")
        self.until_journal("at mcp-killed")
        self.gateway.kill()
        calling.join()
        self.assertIsInstance(first[0], Exception)
        self.gateway.start()
        self.open_gate("ours-killed")
        self.open_gate("mcp-killed")
        self.assert_through_once("ours-killed", task)
        result = self.mcp("probe.gate", {"name": "mcp-killed"}, "killed-in-it")
        self.assertEqual(result["content"][0]["text"], "through mcp-killed")
        self.assertEqual(self.journal().count("at mcp-killed"), 1)
        alice.set(self.agent("concierge"), wire.provide_input(
            asked, question.body["requestId"], question.revision, {"name": "Phoenix"}))
        text = alice.outcome(self.agent("concierge"), asked)[1]["result"]["content"][0]["text"]
        self.assertIn("Phoenix", text)

    def test_the_other_gateway_is_killed(self):
        alice, narrow = self.caller("alice"), self.agent("narrow")
        first = self.at_gate("theirs-killed", "narrow")
        queued = alice.call(narrow, "note", {"text": "once, after them"})["task-id"]
        alice.state_once(narrow, queued, lambda state: state.get("state") == "running")
        asked = alice.call(self.agent("concierge"), "ask.name", {})["task-id"]
        question = alice.event_of_type(asked, "input_required")
        self.far.kill()
        # Accepted while nobody is there; sent once somebody is.
        late = alice.call(self.agent("probe"), "note", {"text": "once, sent late"})["task-id"]
        self.far.start()
        # What was at work there is never started again, and its gateway says so.
        state, body = alice.outcome(narrow, first)
        self.assertEqual((state, body["error"]["code"]), ("failed", "unavailable"))
        self.assertEqual(self.journal().count("at theirs-killed"), 1)
        self.assertEqual(alice.outcome(narrow, queued)[0], "completed")
        self.assertEqual(self.journal().count("once, after them"), 1)
        self.assertEqual(alice.outcome(self.agent("probe"), late)[0], "completed")
        self.assertEqual(self.journal().count("once, sent late"), 1)
        alice.set(self.agent("concierge"), wire.provide_input(
            asked, question.body["requestId"], question.revision, {"name": "Bea"}))
        text = alice.outcome(self.agent("concierge"), asked)[1]["result"]["content"][0]["text"]
        self.assertIn("Bea", text)

    def test_our_gateway_is_killed_while_an_mcp_server_works(self):
        work = {"duration": 8, "steps": 11}
        calling, first = self.mcp_in_background(f"everything.{WORK}", work, "long-work")
        self.until_told(work)
        self.gateway.kill()
        calling.join()
        self.assertIsInstance(first[0], Exception)
        self.gateway.start()
        result = self.mcp(f"everything.{WORK}", work, "long-work")
        self.assertIn("completed. Duration: 8 seconds, Steps: 11", result["content"][0]["text"])
        self.assertEqual(self.mcp(f"everything.{WORK}", work, "long-work"), result)
        self.assertEqual(self.times_told(work), 1)

    def test_the_other_gateway_is_killed_while_an_mcp_server_works(self):
        """Its program dies with it. Where its operator says that the work may be done again, the result
        arrives all the same; where not, that nobody knows."""
        again, once = {"duration": 8, "steps": 12}, {"duration": 8, "steps": 13}
        calling, first = self.mcp_in_background(f"again.{WORK}", again, "work-again")
        alice = self.caller("alice")
        task = alice.call(self.agent("everything"), WORK, once)["task-id"]
        self.until_told(again)
        self.until_told(once)
        self.far.kill()
        self.far.start()
        state, body = alice.outcome(self.agent("everything"), task)
        self.assertEqual((state, body["error"]["code"]), ("failed", "unavailable"))
        calling.join()
        self.assertIn("completed. Duration: 8 seconds, Steps: 12", first[0]["content"][0]["text"])
        self.assertEqual(self.mcp(f"again.{WORK}", again, "work-again"), first[0])
        self.assertEqual((self.times_told(again), self.times_told(once)), (2, 1))

    def test_the_other_server_stops(self):
        task = self.at_gate("their-server")
        self.far_server.tell("stop")
        self.open_gate("their-server")
        self.until_journal("through their-server")
        self.far_server.tell("start")
        self.assert_through_once("their-server", task)

    def test_our_server_stops(self):
        task = self.at_gate("our-server")
        self.server.tell("stop")
        self.open_gate("our-server")
        self.until_journal("through our-server")
        self.server.tell("start")
        self.end_callers()
        self.gateway.ready()
        self.assert_through_once("our-server", task)


del World

if __name__ == "__main__":
    unittest.main()
