"""MCP servers from npm as agents: nothing of theirs or ours knows of the other."""
import json
import os
import subprocess
import unittest

import gateway
import lines
import servers
import wire
from caller import PACKAGES
from world import World

MODULES = PACKAGES / "node_modules" / "@modelcontextprotocol"


def mcp(name, *arguments):
    return {"kind": "mcp", "command": ["node", str(MODULES / name / "dist" / "index.js"), *arguments]}


TOKEN = "t0ken-of-the-gateway"


def listed_by(runtime, wanted):
    """The tools as the server itself lists them: name -> definition. It adds some once it knows its
    client, so that it is asked again while some are wanted."""
    can = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
    hello = {"protocolVersion": "2025-11-25", "capabilities": can,
             "clientInfo": {"name": "test", "version": "1"}}
    with subprocess.Popen(runtime["command"], text=True, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        def say(message):
            child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            child.stdin.flush()

        def ask(number, method, parameters):
            say({"id": number, "method": method, "params": parameters})
            for line in child.stdout:
                answer = json.loads(line)
                if answer.get("id") == number and "result" in answer:
                    return answer["result"]
            raise AssertionError("the server is gone")

        try:
            ask(1, "initialize", hello)
            say({"method": "notifications/initialized"})
            for number in range(2, 1000):
                tools = {tool["name"]: tool for tool in ask(number, "tools/list", {})["tools"]}
                if wanted <= set(tools):
                    break
            return tools
        finally:
            child.kill()


class McpServers(World):
    program, client = "prosody", "xmpp.js"

    @classmethod
    def endpoints(cls):
        os.environ["A_TOKEN"] = TOKEN  # the gateway's, which starts after this
        cls.files = cls.folder / "files"
        cls.files.mkdir(exist_ok=True)
        (cls.files / "hello.txt").write_text("Hello from a file.\n")
        memory = mcp("server-memory")
        memory["environment"] = {"MEMORY_FILE_PATH": str(cls.folder / "memory.jsonl")}
        return {"everything": mcp("server-everything", "stdio"),
                "files": mcp("server-filesystem", str(cls.files)),
                "memory": memory, "thinking": mcp("server-sequential-thinking")}

    @classmethod
    def grants(cls):
        local = {"principals": ["local:*"], "endpoints": ["*"], "visible": True, "invoke": ["*"]}
        return [*super().grants(), local]

    def tools(self, agent):
        alice, jid = self.caller("alice"), self.agent(agent)
        manifest = alice.get(jid, wire.element(wire.API, "manifest-request"))
        text = wire.child(manifest, wire.API, "json").text
        self.assertEqual(wire.sha256(text), wire.hash_in(manifest))
        return {tool["name"]: tool for tool in json.loads(text)["tools"]}

    def outcome(self, agent, tool, arguments, library=None):
        alice = self.caller("alice", library or "home", library)
        task = alice.call(self.agent(agent), tool, arguments)["task-id"]
        last = alice.events_to_the_end(task)[-1]
        self.assertEqual(last.type, "completed", last.text)
        return last.body["result"]

    def test_their_tools_are_listed_with_schemas_that_we_serve(self):
        tools = self.tools("everything")
        self.assertIn("echo", tools)
        self.assertNotIn("http://json-schema.org/draft-07", json.dumps(tools))
        version, digest = self.caller("alice").pins(self.agent("everything"))
        listed = self.caller("alice").get(self.agent("everything"),
                                          wire.disco(wire.ITEMS, wire.tools_node(version)))
        self.assertEqual(len(wire.children(listed, wire.ITEMS, "item")), len(tools))

    def test_c13_004_pages_are_ours_and_no_cursor_of_theirs(self):
        alice, jid = self.caller("alice"), self.agent("everything")
        version, _ = alice.pins(jid)
        names, last = [], None
        while True:
            wanted = {"max": 4} if last is None else {"max": 4, "after": last}
            page = alice.get(jid, wire.disco(wire.ITEMS, wire.tools_node(version),
                                             wire.page(**wanted)))
            nodes = [item.get("node") for item in wire.children(page, wire.ITEMS, "item")]
            if not nodes:
                break
            result = wire.child(page, wire.RSM, "set")
            last = wire.child(result, wire.RSM, "last").text
            self.assertEqual((wire.child(result, wire.RSM, "first").text, last),
                             (nodes[0], nodes[-1]))
            names += nodes
        self.assertEqual(sorted(names), sorted(wire.tool_node(version, name)
                                               for name in self.tools("everything")))

    def test_c13_135_what_a_tool_says_of_itself_is_kept(self):
        for agent in ("everything", "files"):
            ours = self.tools(agent)
            theirs = listed_by(self.endpoints()[agent], set(ours))
            self.assertEqual(set(ours) - set(theirs), set())
            said = set()
            for name, tool in ours.items():
                for member in ("title", "description", "annotations", "execution", "_meta"):
                    self.assertEqual(tool.get(member), theirs[name].get(member), (name, member))
                    said |= {member} if member in tool else set()
                for schema in ("inputSchema", "outputSchema"):
                    before, after = theirs[name].get(schema), tool.get(schema)
                    for each in (before or {}, after or {}):
                        each.pop("$schema", None)  # the dialect, which is upgraded and reported
                    self.assertEqual(after, before, (name, schema))
            self.assertIn("description", said)
        self.assertIn("annotations", said)  # of files

    def test_c13_150_no_token_of_ours_or_of_a_caller_reaches_a_server(self):
        result = self.outcome("everything", "get-env", {})
        text = json.dumps(result)
        self.assertIn("PATH", text)
        for secret in (TOKEN, servers.SECRET, servers.password("alice"), "alice@"):
            self.assertNotIn(secret, text)

    def test_a_call_of_server_everything(self):
        result = self.outcome("everything", "echo", {"message": "<&> \U0001F916"})
        self.assertIn("<&> \U0001F916", result["content"][0]["text"])

    def test_arguments_are_checked_before_their_server_sees_them(self):
        alice, jid = self.caller("alice"), self.agent("everything")
        call = wire.invoke(alice.pins(jid), "echo", {"message": 7})
        self.assertEqual(alice.refusal("set", jid, call), wire.UNACCEPTABLE)

    def test_structured_content_fits_their_output_schema(self):
        tools = self.tools("everything")
        structured = [name for name, tool in tools.items() if "outputSchema" in tool]
        self.assertTrue(structured)
        result = self.outcome("everything", "get-structured-content", {"location": "New York"})
        self.assertIn("temperature", result["structuredContent"])

    def test_files_are_read_and_written(self):
        path = str(self.files / "hello.txt")
        result = self.outcome("files", "read_text_file", {"path": path})
        self.assertEqual(result["content"][0]["text"], "Hello from a file.\n")
        self.outcome("files", "write_file", {"path": str(self.files / "new.txt"), "content": "new"})
        self.assertEqual((self.files / "new.txt").read_text(), "new")

    def over_mcp(self, *requests):
        """tools/call of each (tool, arguments), one after another, by a host that starts
        `interline mcp`; the results."""
        command = [gateway.PROGRAM, "mcp", "-c", str(self.gateway.file)]
        host = lines.LineProgram(command)
        try:
            results = []
            for number, (tool, arguments) in enumerate(requests):
                meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                        "io.modelcontextprotocol/clientCapabilities": {}}
                host.say(json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call",
                                     "params": {"name": tool, "arguments": arguments,
                                                "_meta": meta}}))
                answer = host.take()
                self.assertEqual(answer["id"], number, answer)
                results.append(answer["result"])
            return results
        finally:
            host.end()
            self.assertEqual(host.child.returncode, 0, host.complaints())

    def test_what_is_remembered_over_one_network_is_known_over_the_other(self):
        def entity(name, word):
            return {"entities": [{"name": name, "entityType": "person", "observations": [word]}]}

        made = self.outcome("memory", "create_entities", entity("Ada", "likes engines"))
        read, _, found = self.over_mcp(("memory.read_graph", {}),
                                       ("memory.create_entities", entity("Alan", "likes tapes")),
                                       ("memory.search_nodes", {"query": "tapes"}))
        self.assertIn("Ada", json.dumps(read["structuredContent"]))
        self.assertIn("Alan", json.dumps(found["structuredContent"]))
        graph = self.outcome("memory", "read_graph", {}, "slixmpp")["structuredContent"]
        self.assertEqual({one["name"] for one in graph["entities"]}, {"Ada", "Alan"})
        self.assertNotIn("isError", {key for key, value in made.items() if value is True})

    def test_thoughts_of_both_networks_are_one_sequence(self):
        def thought(number, more):
            return {"thought": f"step {number}", "thoughtNumber": number, "totalThoughts": 2,
                    "nextThoughtNeeded": more}

        first = self.outcome("thinking", "sequentialthinking", thought(1, True))
        second, = self.over_mcp(("thinking.sequentialthinking", thought(2, False)))
        self.assertEqual(first["structuredContent"]["thoughtHistoryLength"], 1)
        self.assertEqual(second["structuredContent"]["thoughtHistoryLength"], 2)
        self.assertFalse(second["structuredContent"]["nextThoughtNeeded"])

    def test_the_same_tool_answers_the_same_over_both_networks(self):
        arguments = {"message": "<&> \U0001F916"}
        here = self.outcome("everything", "echo", arguments)
        there, = self.over_mcp(("everything.echo", arguments))
        elsewhere = self.outcome("everything", "echo", arguments, "slixmpp")
        self.assertEqual(here["content"], there["content"])
        self.assertEqual(here["content"], elsewhere["content"])

    def test_an_error_of_theirs_is_a_result(self):
        result = self.outcome("files", "read_text_file", {"path": str(servers.ROOT / "README.md")})
        self.assertTrue(result["isError"])


del World

if __name__ == "__main__":
    unittest.main()
