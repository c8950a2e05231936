"""MCP servers from npm as agents: nothing of theirs or ours knows of the other."""
import json
import unittest

import gateway
import servers
import wire
from caller import PACKAGES
from world import World

MODULES = PACKAGES / "node_modules" / "@modelcontextprotocol"


def mcp(name, *arguments):
    return {"kind": "mcp", "command": ["node", str(MODULES / name / "dist" / "index.js"), *arguments]}


class McpServers(World):
    program, client = "prosody", "xmpp.js"

    @classmethod
    def endpoints(cls):
        cls.files = cls.folder / "files"
        cls.files.mkdir()
        (cls.files / "hello.txt").write_text("Hello from a file.\n")
        return {"everything": mcp("server-everything", "stdio"),
                "files": mcp("server-filesystem", str(cls.files))}

    def tools(self, agent):
        alice, jid = self.caller("alice"), self.agent(agent)
        manifest = alice.get(jid, wire.element(wire.API, "manifest-request"))
        text = wire.child(manifest, wire.API, "json").text
        self.assertEqual(wire.sha256(text), wire.hash_in(manifest))
        return {tool["name"]: tool for tool in json.loads(text)["tools"]}

    def outcome(self, agent, tool, arguments):
        alice = self.caller("alice")
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

    def test_an_error_of_theirs_is_a_result(self):
        result = self.outcome("files", "read_text_file", {"path": str(servers.ROOT / "README.md")})
        self.assertTrue(result["isError"])


del World

if __name__ == "__main__":
    unittest.main()
