"""`interline endpoints authorize`: an operator lets the gateway in at an MCP server that wants a person's
consent; the browser, the authorization server and the MCP server are played here. No XMPP here."""
import json
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import gateway
import mcp_stub
from oauth_server import Grantor, Resource

PATIENCE = 120

CONFIGURATION = """
[gateway]
data_dir = "var"

[http]
listen = "off"

[egress]
allow_private = true

[[grant]]
principals = ["local:*"]
endpoints = ["*"]
visible = true
invoke = ["*"]

[[endpoint]]
name = "far"
tools = "tools.json"
runtime = { kind = "mcp", url = "%s", oauth = { browser = true } }
"""


class Authorize(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="interline-authorize-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.grantor = Grantor()
        self.addCleanup(self.grantor.end)
        self.server = Resource(self.grantor, mcp_stub.healthy)
        self.addCleanup(self.server.end)
        (self.folder / "tools.json").write_text(json.dumps([mcp_stub.TOOL]))
        (self.folder / "interline.toml").write_text(CONFIGURATION % self.server.resource)
        self.kept = self.folder / "var" / "oauth" / "far.json"

    def serve(self):
        child = subprocess.Popen([gateway.PROGRAM, "serve"], cwd=self.folder, stdin=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)

        def end():
            child.terminate()
            self.assertEqual(child.wait(PATIENCE), 0)

        self.addCleanup(end)
        limit = time.monotonic() + PATIENCE
        while "active" not in self.run_verb("endpoints", "show", "far").stdout:
            self.assertLess(time.monotonic(), limit)
            self.assertIsNone(child.poll())
            time.sleep(0.05)

    def run_verb(self, *words):
        return subprocess.run([gateway.PROGRAM, *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE, check=False)

    def call(self):
        return self.run_verb("call", "far", "do", '{"text":"through the door"}')

    def begin(self):
        """The verb, and the URL that it shows."""
        child = subprocess.Popen([gateway.PROGRAM, "endpoints", "authorize", "far"], cwd=self.folder,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        self.addCleanup(child.kill)
        timer = threading.Timer(PATIENCE, child.kill)
        timer.start()
        self.addCleanup(timer.cancel)
        for line in child.stdout:
            if line.startswith("http"):
                return child, line.strip()
        self.fail(child.stderr.read())

    def browse(self, url):
        """What the browser shows in the end: its status."""
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE) as page:
                return page.status
        except urllib.error.HTTPError as error:
            error.close()
            return error.code

    def end_of(self, child):
        out, errors = child.communicate(timeout=PATIENCE)
        return child.returncode, out, errors

    def authorize(self):
        child, url = self.begin()
        self.assertEqual(self.browse(url), 200)
        code, out, errors = self.end_of(child)
        self.assertEqual((code, errors), (0, ""))
        self.assertIn("The gateway is let in: 1 tools", out)

    def assert_called(self):
        done = self.call()
        self.assertEqual((done.returncode, done.stdout), (0, "through the door\n"), done.stderr)

    def test_with_consent_it_calls_and_stays_let_in(self):
        self.serve()
        refused = self.call()
        self.assertEqual(refused.returncode, 1)
        self.assertIn("interline endpoints authorize far", refused.stderr + refused.stdout)
        self.authorize()
        self.assertEqual(self.kept.stat().st_mode & 0o777, 0o600)
        self.assert_called()  # by the gateway that ran all the while
        # The token is over: it is refreshed, and what is kept is the new one.
        for _ in range(2):
            before = self.kept.read_text()
            self.grantor.tokens.clear()
            self.assert_called()
            self.assertNotEqual(self.kept.read_text(), before)
        self.assertEqual((self.grantor.refreshed, len(self.grantor.clients)), (2, 1))
        # The consent is withdrawn, and given again.
        self.grantor.tokens.clear()
        self.grantor.refreshes.clear()
        self.assertIn("interline endpoints authorize far", self.call().stderr)
        self.authorize()
        self.assert_called()
        self.assertEqual(self.grantor.faults, [])

    def test_only_the_answer_to_its_own_request_is_taken(self):
        child, url = self.begin()
        callback = parse_qs(urlsplit(url).query)["redirect_uri"][0]
        self.assertTrue(callback.startswith("http://127.0.0.1:"), callback)
        for stranger in ("?code=x&state=guessed", "?code=x", "?error=access_denied&state=guessed", ""):
            self.assertGreaterEqual(self.browse(callback + stranger), 400, stranger)
        self.assertIsNone(child.poll())
        self.assertEqual(self.browse(url), 200)
        self.assertEqual(self.end_of(child)[0], 0)
        self.assertEqual(self.grantor.faults, [])

    def refuse(self, **answer):
        """The end of an attempt that is answered so."""
        self.grantor.answer = answer
        child, url = self.begin()
        self.browse(url)
        code, _, errors = self.end_of(child)
        self.assertEqual(code, 1)
        self.assertFalse(self.kept.exists())
        return errors

    def test_an_answer_of_another_authorization_server_is_none(self):
        self.assertTrue(self.refuse(iss="http://127.0.0.1:1"))
        self.assertTrue(self.refuse(iss=None))
        errors = self.refuse(iss="http://127.0.0.1:1", code=None, error="access_denied",
                             error_description="injected")
        self.assertNotIn("injected", errors)
        self.assertEqual((self.grantor.faults, self.grantor.tokens), ([], set()))

    def test_who_declines_is_told_so(self):
        self.assertIn("access_denied", self.refuse(code=None, error="access_denied"))

    def test_a_code_that_is_not_taken_lets_nobody_in(self):
        self.assertIn("invalid_grant", self.refuse(code="made-up"))


if __name__ == "__main__":
    unittest.main()
