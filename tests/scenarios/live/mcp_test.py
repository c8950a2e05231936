"""MCP servers from npm behind endpoints: imported, listed, called, cancelled, killed. No XMPP here."""
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from servers import free_port

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("INTERLINE", str(ROOT / "build" / "release" / "interline"))
PACKAGES = ROOT / "build" / "npm" / "node_modules" / "@modelcontextprotocol"
PATIENCE = 120

CONFIGURATION = """
[gateway]
data_dir = "var"
log_level = "debug"

[http]
listen = "off"

[[grant]]
principals = ["local:*"]
endpoints = ["*"]
visible = true
invoke = ["*"]

[[endpoint]]
name = "everything"
concurrency = 8
runtime = { kind = "mcp", command = ["node", "%(packages)s/server-everything/dist/index.js", "stdio"] }

[[endpoint]]
name = "asking"
runtime = { kind = "mcp", command = ["node", "%(packages)s/server-everything/dist/index.js", "stdio"] }

[[endpoint]]
name = "memory"
runtime = { kind = "mcp", command = ["node", "%(packages)s/server-memory/dist/index.js"], environment = { MEMORY_FILE_PATH = "%(memory)s" } }

[[endpoint]]
name = "thinking"
runtime = { kind = "mcp", command = ["node", "%(packages)s/server-sequential-thinking/dist/index.js"] }

[[endpoint]]
name = "remote"
concurrency = 8
runtime = { kind = "mcp", url = "http://127.0.0.1:%(port)d/mcp" }

[egress]
allow_private = true

[[endpoint]]
name = "files"
runtime = { kind = "mcp", command = ["node", "%(packages)s/server-filesystem/dist/index.js", "%(shared)s"] }
"""


def setUpModule():
    World.start()


def tearDownModule():
    World.stop()


class World:
    """One gateway for all tests of this module."""

    @classmethod
    def start(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="interline-mcp-"))
        cls.port = free_port()
        cls.remote = cls.start_remote()
        shared = cls.folder / "shared"
        shared.mkdir()
        (shared / "hello.txt").write_text("hello from a file\n")
        (cls.folder / "interline.toml").write_text(
            CONFIGURATION % {"packages": PACKAGES, "shared": shared, "port": cls.port,
                             "memory": cls.folder / "memory.jsonl"})
        cls.log = open(cls.folder / "gateway.log", "wb")
        cls.child = subprocess.Popen([PROGRAM, "serve"], cwd=cls.folder, stdin=subprocess.DEVNULL,
                                     stdout=cls.log, stderr=cls.log)
        until(lambda: all(f"{name}  " in run("endpoints", "list").stdout and
                          "active" in run("endpoints", "show", name).stdout
                          for name in ("everything", "asking", "files", "memory", "thinking",
                                       "remote")))

    @classmethod
    def start_remote(cls):
        """server-everything at a URL, which has sessions."""
        child = subprocess.Popen(
            ["node", str(PACKAGES / "server-everything" / "dist" / "index.js"), "streamableHttp"],
            env={**os.environ, "PORT": str(cls.port)}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        limit = time.monotonic() + PATIENCE
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", cls.port)) == 0:
                    return child
            if child.poll() is not None or time.monotonic() > limit:
                raise AssertionError("server-everything does not listen")
            time.sleep(0.05)

    @classmethod
    def stop(cls):
        cls.child.send_signal(signal.SIGTERM)
        code = cls.child.wait(PATIENCE)
        cls.remote.kill()
        cls.remote.wait()
        cls.log.close()
        text = (cls.folder / "gateway.log").read_text(errors="replace")
        shutil.rmtree(cls.folder)
        if code != 0:
            raise AssertionError(f"interline serve ended with {code}:\n{text[-4000:]}")


def until(condition):
    """Polls the running gateway from outside."""
    limit = time.monotonic() + PATIENCE
    while not condition():
        if World.child.poll() is not None or time.monotonic() > limit:
            text = (World.folder / "gateway.log").read_text(errors="replace")
            raise AssertionError(f"it does not come to that:\n{text[-4000:]}")
        time.sleep(0.05)


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], cwd=World.folder, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=PATIENCE, check=False)


def call(endpoint, tool, arguments=None, *more):
    return run("call", endpoint, tool, json.dumps(arguments or {}), *more)


def children():
    """Processes of node below the gateway: pid -> command line."""
    found = {}
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            parent = int((process / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if parent == World.child.pid:
                found[int(process.name)] = (process / "cmdline").read_bytes().decode()
        except (OSError, ValueError):
            pass
    return found


class Everything(unittest.TestCase):
    def test_draft_07_schemas_are_upgraded_and_that_is_reported(self):
        shown = json.loads(run("endpoints", "show", "everything", "--json").stdout)
        text = json.dumps(shown)
        self.assertIn("the schema was upgraded from draft-07 to 2020-12", text)
        self.assertIn("echo", text)

    def test_c13_004_a_tool_that_needs_a_task_of_the_servers_own_is_a_loss(self):
        shown = run("endpoints", "show", "everything", "--json").stdout
        self.assertIn("simulate-research-query", shown)
        self.assertIn("can only be called as a task of the MCP server's own", shown)
        self.assertEqual(call("everything", "simulate-research-query", {"topic": "x"}).returncode, 1)

    def test_echo(self):
        done = call("everything", "echo", {"message": "hi"})
        self.assertEqual((done.returncode, done.stdout), (0, "Echo: hi\n"), done.stderr)

    def test_structured_content_and_its_schema(self):
        done = call("everything", "get-structured-content", {"location": "New York"}, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"structuredContent":{', done.stdout)

    def test_content_of_other_kinds_comes_whole(self):
        done = call("everything", "get-tiny-image", {}, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"type":"image"', done.stdout)
        self.assertIn('"mimeType":"image/png"', done.stdout)

    def test_wrong_arguments_never_reach_the_server(self):
        self.assertEqual(call("everything", "get-sum", {"a": "one", "b": 2}).returncode, 1)

    def test_progress(self):
        done = call("everything", "trigger-long-running-operation", {"duration": 1, "steps": 4})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Long running operation completed", done.stdout)
        self.assertIn("50", done.stderr)

    def test_many_calls_at_once_in_one_process(self):
        running = [subprocess.Popen([PROGRAM, "call", "everything", "get-sum",
                                     json.dumps({"a": n, "b": 1000})], cwd=World.folder,
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                   for n in range(8)]
        for n, one in enumerate(running):
            self.assertIn(str(n + 1000), one.communicate(timeout=PATIENCE)[0])

    def test_cancellation(self):
        started = call("everything", "trigger-long-running-operation",
                       {"duration": 3600, "steps": 3600}, "--detach")
        task = started.stdout.split()[0]
        until(lambda: "running" in run("tasks", "show", task).stdout)
        self.assertEqual(run("tasks", "cancel", task).returncode, 0)
        until(lambda: "state       cancelled" in run("tasks", "show", task).stdout)

    def test_a_server_that_is_killed_fails_its_task_and_is_started_again(self):
        started = call("everything", "trigger-long-running-operation",
                       {"duration": 3600, "steps": 3600}, "--detach")
        task = started.stdout.split()[0]
        until(lambda: "running" in run("tasks", "show", task).stdout)
        for pid, command in children().items():
            if "server-everything" in command:
                os.kill(pid, signal.SIGKILL)
        until(lambda: "state       failed" in run("tasks", "show", task).stdout)
        self.assertIn("unavailable", run("tasks", "show", task).stdout)
        self.assertEqual(call("everything", "echo", {"message": "again"}).stdout, "Echo: again\n")


class Asking(unittest.TestCase):
    def test_elicitation_becomes_a_question(self):
        started = call("asking", "trigger-elicitation-request", {}, "--detach")
        self.assertEqual(started.returncode, 0, started.stderr)
        task = started.stdout.split()[0]
        until(lambda: "input_required" in run("tasks", "show", task).stdout)
        self.assertEqual(run("tasks", "answer", task, '{"name":"Ann"}').returncode, 0)
        until(lambda: "state       completed" in run("tasks", "show", task).stdout)
        self.assertIn("Ann", run("tasks", "show", task, "--json").stdout)


class Remote(unittest.TestCase):
    def test_calls_over_http(self):
        done = call("remote", "echo", {"message": "hi"})
        self.assertEqual((done.returncode, done.stdout), (0, "Echo: hi\n"), done.stderr)

    def test_progress_over_http(self):
        done = call("remote", "trigger-long-running-operation", {"duration": 1, "steps": 4})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("50", done.stderr)

    def test_elicitation_over_http_is_asked_of_the_caller(self):
        started = call("remote", "trigger-elicitation-request", {}, "--detach")
        self.assertEqual(started.returncode, 0, started.stderr)
        task = started.stdout.split()[0]
        until(lambda: "input_required" in run("tasks", "show", task).stdout)
        self.assertEqual(run("tasks", "answer", task, '{"name":"Ann"}').returncode, 0)
        until(lambda: "state       completed" in run("tasks", "show", task).stdout)
        self.assertIn("Ann", run("tasks", "show", task, "--json").stdout)

    def test_a_server_that_is_gone_fails_its_calls_and_is_found_again(self):
        World.remote.kill()
        World.remote.wait()
        self.assertEqual(call("remote", "echo", {"message": "hi"}).returncode, 1)
        self.assertEqual(call("everything", "echo", {"message": "hi"}).returncode, 0)
        World.remote = World.start_remote()
        self.assertEqual(call("remote", "echo", {"message": "hi"}).stdout, "Echo: hi\n")


class Memory(unittest.TestCase):
    def test_what_is_told_is_found_again(self):
        done = call("memory", "create_entities", {"entities": [
            {"name": "Ann", "entityType": "person", "observations": ["likes rain"]}]})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("likes rain", call("memory", "search_nodes", {"query": "rain"}).stdout)


class Thinking(unittest.TestCase):
    def test_a_thought(self):
        done = call("thinking", "sequentialthinking", {
            "thought": "first", "nextThoughtNeeded": False, "thoughtNumber": 1, "totalThoughts": 1})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("thoughtNumber", done.stdout)


class Files(unittest.TestCase):
    def test_reading_a_file(self):
        done = call("files", "read_text_file", {"path": str(World.folder / "shared" / "hello.txt")})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("hello from a file", done.stdout)

    def test_an_error_of_the_tool_is_a_completed_call(self):
        done = call("files", "read_text_file", {"path": "/etc/passwd"}, "--json")
        self.assertIn('"isError":true', done.stdout)
        self.assertIn('"state":"completed"', done.stdout)
        self.assertNotIn("root:", done.stdout)


if __name__ == "__main__":
    unittest.main()
