"""The clients of the TypeScript SDK, 1.x and 2.x, over HTTP and over standard input and output,
before a gateway with agents of three kinds. No XMPP here."""
import json
import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from servers import free_port

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("INTERLINE", str(ROOT / "build" / "release" / "interline"))
CALLER = ROOT / "tests" / "support" / "mcp_sdk_caller.mjs"
TASKS = CALLER.with_name("mcp_sdk_tasks.mjs")
PACKAGES = ROOT / "build" / "npm"
PATIENCE = 240

CONFIGURATION = """
[gateway]
data_dir = "var"

[http]
listen = "127.0.0.1:%(port)d"

[tasks]
drain = "200ms"

[[grant]]
principals = ["local:*", "anonymous"]
endpoints = ["*"]
visible = true
invoke = ["*"]

[[endpoint]]
name = "demo"
concurrency = 8
runtime = { kind = "builtin" }

[[endpoint]]
name = "conf"
runtime = { kind = "script", file = "%(script)s" }

[[endpoint]]
name = "exec"
runtime = { kind = "exec", command = ["python3", "shout.py"] }
"""

SHOUT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "list":
        answer = {"type": "tools", "tools": [{"name": "shout", "description": "Says it louder.",
                  "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}]}
    elif message["type"] == "call":
        answer = {"type": "result", "task": message["task"],
                  "text": message["arguments"]["text"].upper()}
    else:
        continue
    print(json.dumps(answer), flush=True)
"""


class McpSdk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="interline-sdk-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.port = free_port()
        (cls.folder / "shout.py").write_text(SHOUT)
        script = ROOT / "examples" / "conformance" / "agent.toml"
        cls.configuration = cls.folder / "interline.toml"
        cls.configuration.write_text(CONFIGURATION % {"port": cls.port, "script": script})
        cls.gateway = subprocess.Popen([PROGRAM, "serve", "-c", str(cls.configuration)],
                                       cwd=cls.folder, stdin=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        cls.addClassCleanup(cls.end)
        limit = time.monotonic() + PATIENCE
        while any("active" not in cls.interline("endpoints", "show", name)
                  for name in ("demo", "conf", "exec")):
            if cls.gateway.poll() is not None or time.monotonic() > limit:
                raise AssertionError("the gateway does not serve")
            time.sleep(0.1)

    @classmethod
    def end(cls):
        cls.gateway.terminate()
        cls.gateway.wait(PATIENCE)

    @classmethod
    def interline(cls, *arguments):
        return subprocess.run([PROGRAM, *arguments, "-c", str(cls.configuration)], text=True,
                              capture_output=True, timeout=PATIENCE, check=False).stdout

    def run_client(self, edition, *target):
        before = self.cancelled()
        outcome = subprocess.run(["node", str(CALLER), str(PACKAGES), edition, *target], text=True,
                                 capture_output=True, timeout=PATIENCE, check=False)
        self.assertEqual(outcome.returncode, 0, outcome.stderr + outcome.stdout)
        seen = json.loads(outcome.stdout)
        self.assertEqual(seen["server"], "interline")
        for tool in ("demo.echo", "conf.test_simple_text", "exec.shout"):
            self.assertIn(tool, seen["tools"])
        self.assertEqual(seen["echo"], {"text": "\U0001F916\n"})
        self.assertEqual(seen["script"], "QUIET")
        self.assertIn("conf.test_simple_prompt", seen["prompts"])
        self.assertEqual(seen["resource"], "This is the content of the static text resource.")
        self.assertTrue(seen["progress"])
        self.assertEqual(seen["progress"], sorted(set(seen["progress"])))
        self.assertEqual(seen["asked"], {"answers": ["Ann"]})
        self.assertTrue(seen["wrong"])
        self.assertTrue(seen["cancelled"])
        self.assertEqual(seen["after"], {"still": True})
        limit = time.monotonic() + PATIENCE
        while self.cancelled() <= before and time.monotonic() < limit:
            time.sleep(0.1)
        self.assertGreater(self.cancelled(), before, "what it cancelled goes on")
        return seen

    def cancelled(self):
        tasks = self.interline("tasks", "list", "--state", "cancelled", "--json")
        return len(json.loads(tasks)["tasks"])

    def over_http(self, edition):
        return self.run_client(edition, f"http://127.0.0.1:{self.port}/mcp")

    def over_stdio(self, edition):
        return self.run_client(edition, PROGRAM, "mcp", "-c", str(self.configuration))

    def check_tasks(self, *target):
        """SDK 2.x, and what follows its calls' tasks."""
        outcome = subprocess.run(["node", str(TASKS), str(PACKAGES), *target], text=True,
                                 capture_output=True, timeout=PATIENCE, check=False)
        self.assertEqual(outcome.returncode, 0, outcome.stderr + outcome.stdout)
        seen = json.loads(outcome.stdout)
        self.assertEqual((seen["version"], seen["offered"]), ("2026-07-28", True))
        self.assertEqual(seen["quick"]["said"], {"text": "at once"})
        self.assertEqual(seen["slow"]["statuses"], ["working", "completed"])
        self.assertEqual(seen["asked"]["said"], {"answers": ["Ann"]})
        self.assertIn("input_required", seen["asked"]["statuses"])
        self.assertEqual(seen["asked"]["statuses"][-1], "completed")
        self.assertEqual(seen["cancelled"]["statuses"], ["working", "cancelled"])

    def test_tasks_through_sdk_2_over_http(self):
        self.check_tasks(f"http://127.0.0.1:{self.port}/mcp")

    def test_tasks_through_sdk_2_over_standard_input_and_output(self):
        self.check_tasks(PROGRAM, "mcp", "-c", str(self.configuration))

    def test_sdk_1_over_http(self):
        self.assertEqual(self.over_http("1")["streamed"], ["result"])

    def test_sdk_1_over_standard_input_and_output(self):
        """Its experimental tasks are those of 2025-11-25, which we do not offer: it gets results."""
        self.assertEqual(self.over_stdio("1")["streamed"], ["result"])

    def test_sdk_2_over_http(self):
        self.assertEqual(self.over_http("2")["version"], "2026-07-28")

    def test_sdk_2_over_standard_input_and_output(self):
        self.assertEqual(self.over_stdio("2")["version"], "2026-07-28")


if __name__ == "__main__":
    unittest.main()
