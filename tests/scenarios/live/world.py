"""What a class of scenarios shares: one server, one gateway on it, and callers by account and
resource, all ended when the class is through."""
import errno
import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import gateway
import servers
from caller import Caller
from lines import PATIENCE

DOMAIN = "agents.example.test"
SCHEMAS = servers.ROOT / "tests" / "vectors" / "xmpp"


class World(unittest.TestCase):
    """Subclasses say which server, which library and what is behind the gateway."""

    program, client = "prosody", "slixmpp"
    options = ()

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="interline-live-"))
        if not os.environ.get("INTERLINE_KEEP"):
            cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.callers, cls.seen = {}, []
        cls.server = servers.Server(cls.program, cls.folder / "server", cls.options)
        cls.addClassCleanup(cls.server.end)
        cls.gateway = cls.make_gateway()
        cls.addClassCleanup(cls.gateway.stop)
        cls.gateway.start()
        cls.addClassCleanup(cls.end_callers)

    @classmethod
    def make_gateway(cls):
        return gateway.Gateway(cls.folder / "gateway", cls.server.address("component"), DOMAIN,
                               cls.endpoints(), cls.grants(), **cls.sections())

    @classmethod
    def endpoints(cls):
        return {"probe": {"runtime": gateway.python(gateway.PROBE), "title": "Probe",
                          "concurrency": 64}}

    @classmethod
    def grants(cls):
        return [{"principals": ["xmpp:*@example.test"], "endpoints": ["*"], "visible": True,
                 "invoke": ["*"]}]

    @classmethod
    def sections(cls):
        return {}

    @classmethod
    def caller(cls, name, resource="home", library=None):
        key = (name, resource)
        if key not in cls.callers or cls.callers[key].child.poll() is not None:
            cls.callers[key] = Caller(library or cls.client, cls.server, name, resource, cls.seen)
        return cls.callers[key]

    @classmethod
    def end_callers(cls):
        for caller in cls.callers.values():
            caller.end()
        cls.callers.clear()

    def agent(self, name):
        return self.gateway.jid(name)

    # The probe's journal and gates.
    def journal(self):
        path = self.gateway.folder / "journal"
        return path.read_text().splitlines() if path.exists() else []

    def make_gate(self, name):
        os.mkfifo(self.gateway.folder / name)

    def open_gate(self, name):
        """Returns once a call waits there, and lets it through."""
        limit = time.monotonic() + PATIENCE
        while True:
            try:
                os.close(os.open(self.gateway.folder / name, os.O_WRONLY | os.O_NONBLOCK))
                return
            except OSError as error:  # nobody waits yet
                if error.errno != errno.ENXIO or time.monotonic() > limit:
                    raise
            time.sleep(0.01)

    # What all that was said has to fit.
    def check_schemas(self, payloads, schema):
        folder = self.folder / schema
        folder.mkdir()
        files = []
        for i, payload in enumerate(payloads):
            files.append(folder / f"{i}.xml")
            files[-1].write_text(payload)
        self.assertTrue(files)
        found = subprocess.run(["xmllint", "--noout", "--schema", SCHEMAS / schema, *files],
                               capture_output=True, text=True)
        self.assertEqual(found.returncode, 0, found.stderr[-4000:])
