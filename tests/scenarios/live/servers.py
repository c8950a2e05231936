"""The XMPP servers, by the programs of tests/support."""
import sys
from pathlib import Path

from lines import LineProgram

ROOT = Path(__file__).resolve().parents[3]
SUPPORT = ROOT / "tests" / "support"
sys.path.insert(0, str(SUPPORT))
from ports import free_port  # noqa: E402,F401 (for the other modules, too)
from xmpp.server import START_SECONDS  # noqa: E402,F401

SECRET = "component-secret"
ACCOUNTS = ("alice", "bob", "admin")


def password(name):
    return f"pw-{name}"


class Server(LineProgram):
    """`program` is "prosody" or "ejabberd"."""

    def __init__(self, program, folder, options=(), accounts=ACCOUNTS):
        users = [word for name in accounts for word in ("--user", f"{name}:{password(name)}")]
        super().__init__([str(SUPPORT / program), str(folder), *users, *options])
        try:
            self.about = self.take(START_SECONDS + 20)
            if self.about is None:
                raise RuntimeError(f"{program} does not start: {self.complaints()}")
        except BaseException:
            self.end()
            raise

    def tell(self, word):
        """"stop", "kill", "pause", "resume" or "start"; returns once that is done."""
        self.say(word)
        self.about = self.take(START_SECONDS + 20)

    def address(self, port):
        return f"{self.about['interface']}:{self.about['ports'][port]}"

    @property
    def host(self):
        return self.about["host"]
