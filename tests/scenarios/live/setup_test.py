"""docs/xmpp-setup.md as an operator follows it: what it prints for Prosody, for ejabberd and for
Interline is what runs here, but for the ports, which are free ones, and the endpoint."""
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import gateway
import servers
import wire
from caller import Caller

DOCUMENT = servers.ROOT / "docs" / "xmpp-setup.md"
HOST, DOMAIN = "example.org", "agents.example.org"
SECRET_THERE = "the content of secrets/component"
BLOCK = re.compile(r"^<!-- ([\w ]+) -->\n```\w+\n(.*?)^```\n<!-- end -->$", re.S | re.M)
MORE = """
[http]
listen = "127.0.0.1:{port}"

[[endpoint]]
name = "echo"
runtime = {{ kind = "builtin" }}
"""


class Operator(gateway.Gateway):
    """Interline with a configuration that is the document's."""

    def __init__(self, folder, text):
        super().__init__(folder, "", DOMAIN, {}, [])
        self.text = text

    def write(self):
        self.file.write_text(self.text + MORE.format(port=self.port))

    def interline(self, verb):
        return subprocess.run([gateway.PROGRAM, verb, "-c", str(self.file)], cwd=self.folder,
                              capture_output=True, text=True, timeout=60, check=False)


class Setup(unittest.TestCase):
    def setUp(self):
        self.blocks = dict(BLOCK.findall(DOCUMENT.read_text()))
        self.folder = Path(tempfile.mkdtemp(prefix="interline-setup-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.here = self.folder / "interline"
        self.here.mkdir()
        subprocess.run(["bash", "-euc", self.blocks["secret"]], cwd=self.here, check=True)
        self.secret = (self.here / "secrets" / "component").read_text().strip()
        self.assertEqual(len(self.secret), 64)
        self.assertEqual((self.here / "secrets" / "component").stat().st_mode & 0o077, 0)

    def server(self, program, text, *options):
        """The server with the document's component in its configuration."""
        self.assertIn(SECRET_THERE, text)
        file = self.folder / "setup"
        file.write_text(text.replace(SECRET_THERE, self.secret))
        made = servers.Server(program, self.folder / "server",
                              ["--host", HOST, "--component", f"{DOMAIN}:{self.secret}", "--setup",
                               str(file), *options])
        self.addCleanup(made.end)
        return made

    def operator(self, text, server, port, tls=""):
        self.assertIn("127.0.0.1:5347", text)
        made = Operator(self.here, text.replace("127.0.0.1:5347", server.address(port)).replace(
            "[xmpp]\n", f"[xmpp]\n{tls}", 1))
        made.write()
        self.addCleanup(made.stop)
        return made

    def use(self, server, operator):
        """Checks, starts and calls, as the document says."""
        checked = operator.interline("check")
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))
        doctor = operator.interline("doctor")
        self.assertEqual(doctor.returncode, 0, doctor.stdout)
        self.assertIn(f"takes the component {DOMAIN}", doctor.stdout)
        operator.start()
        alice = Caller("slixmpp", server, "alice", "home")
        self.addCleanup(alice.end)
        listed = wire.children(alice.get(HOST, wire.disco(wire.ITEMS)), wire.ITEMS, "item")
        self.assertEqual([item.get("jid") for item in listed].count(DOMAIN), 1)
        self.assertIn(wire.DIRECTORY, wire.features(alice.get(DOMAIN, wire.disco(wire.INFO))))
        task = alice.call(operator.jid("echo"), "echo", {"a": 1})["task-id"]
        self.assertEqual(alice.events_to_the_end(task)[-1].type, "completed")
        self.assertEqual(operator.stop(), 0)

    # What an external component has to be provided with, and that the server lists it.
    def test_c13_013_and_c13_020_prosody(self):
        server = self.server("prosody", self.blocks["prosody"])
        self.use(server, self.operator(self.blocks["interline"], server, "component"))

    def test_c13_013_and_c13_020_ejabberd(self):
        server = self.server("ejabberd", self.blocks["ejabberd"])
        self.use(server, self.operator(self.blocks["interline"], server, "component"))

    # On another machine: TLS from the first byte, here to this one.
    def tls(self, server):
        said = [line for line in self.blocks["interline tls"].splitlines() if line.startswith("tls ")]
        self.assertEqual(len(said), 1)
        return f'{said[0]}\ntls_ca = "{server.about["certificate"]}"\n'

    def test_prosody_over_tls(self):
        text = self.blocks["prosody"].replace(
            "component_ports", self.blocks["prosody tls"] + "component_ports", 1)
        server = self.server("prosody", text.replace('"*"', '"127.0.0.1"'), "--component-tls")
        self.use(server, self.operator(self.blocks["interline"], server, "component_tls",
                                       self.tls(server)))

    def test_ejabberd_over_tls(self):
        text = self.blocks["ejabberd"].replace(
            "    hosts:\n", self.blocks["ejabberd tls"] + "    hosts:\n", 1)
        server = self.server("ejabberd", text)
        self.use(server, self.operator(self.blocks["interline"], server, "component",
                                       self.tls(server)))


if __name__ == "__main__":
    unittest.main()
