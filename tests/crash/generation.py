"""A data directory, its ledger, and the lives of the gateway on it."""
import shutil
import tempfile
from pathlib import Path

from crash import stored
from crash.control import Control, Cut
from crash.gateway import ENDPOINTS, Gateway, configure, wait_for_agents
from crash.ledger import Ledger
from crash.load import Clients, listed, settle
from crash.xmpp import XmppCaller, XmppServer
from support.ports import free_port

SETTLE_WITHIN = 120
FIRST_LIVES = 100


class Generation:
    """`data_dir`: in a folder of its own, if none is given."""

    def __init__(self, program, seed, data_dir=None):
        self.program, self.seed = program, seed
        self.folder = Path(tempfile.mkdtemp(prefix="interline-crash-"))
        self.data_dir = data_dir or self.folder / "var"
        self.socket = self.data_dir / "interline.sock"
        self.log = open(self.folder / "gateway.log", "w", buffering=1)
        self.ledger = Ledger()
        self.lives = 0
        self.xmpp = XmppServer(self.ledger)
        self.hashes = {}  # endpoint -> hash of its manifest
        self.http_port, self.key = free_port(), None
        configure(self.folder, self.data_dir, self.xmpp.port, self.http_port)
        self.first_lives()

    def start(self):
        self.lives += 1
        self.log.write(f"--- life {self.lives}\n")
        return Gateway(self.program, self.folder, self.log)

    def clients(self, gateway):
        """What a worker needs to speak to this life of the gateway."""
        return Clients(self.ledger, gateway, self.socket, XmppCaller(self.xmpp, self.hashes),
                       (self.http_port, self.key))

    def ready(self, gateway):
        if gateway.wait_ready():
            return True
        self.ledger.violated(f"did not start: {gateway.last_words()}")
        self.end_life(gateway.kill)
        return False

    def first_lives(self):
        """The endpoints are registered once their agents have listed their tools, which one that dies
        young may not come to in the first life of a busy machine."""
        for _ in range(FIRST_LIVES):
            gateway = self.start()
            if not self.ready(gateway):
                return
            status, answer = self.look_at_endpoints()
            self.key = self.key or self.make_key()
            self.end_life(gateway.kill)
            if all(self.hashes.values()):
                return
        self.ledger.violated(f"not registered: {self.hashes}, {status} {answer}")

    def look_at_endpoints(self):
        control = Control(self.socket)
        answered = control.request("GET", "/readyz?wait=60")
        for name, *_ in ENDPOINTS:
            self.hashes[name] = control.request("GET", f"/v1/endpoints/{name}")[1].get("hash")
        control.close()
        return answered

    def make_key(self):
        """An API key of whoever calls over MCP."""
        control = Control(self.socket)
        status, answer = control.request("POST", "/v1/keys", {"name": "load"})
        control.close()
        if status not in (200, 201):
            self.ledger.violated(f"no API key: {status} {answer}")
        return answer.get("key")

    def end_life(self, end):
        """`end`: the gateway's kill or terminate."""
        problem = end()
        self.xmpp.lost()  # whatever is read of it still
        if problem:
            self.ledger.violated(problem)

    def settle(self, gateway=None):
        """Everything comes to its end; then all that is known is compared with all there is."""
        if not gateway:
            gateway = self.start()
            if not self.ready(gateway):
                return
        try:
            settle(self.clients(gateway), self.ledger.unsettled(), SETTLE_WITHIN)
            found = listed(self.socket)
        except Cut as cut:
            self.ledger.violated(f"cut off while settling: {cut}")
            found = None
        self.ledger.check_settled()
        self.end_life(gateway.terminate)
        self.ledger.check_executions(wait_for_agents(self.folder))
        rows = stored.read(self.data_dir)
        self.ledger.bind(stored.ends(rows[0]))
        if found is not None:
            self.ledger.check_listed(found)
        stored.check(self.ledger, *rows)

    def end(self):
        self.log.close()
        self.xmpp.close()
        if not self.ledger.violations:
            shutil.rmtree(self.folder)
            return
        (self.folder / "violations").write_text("\n".join(self.ledger.violations) + "\n")
        print(f"\nkept for you to look at: {self.folder}")
