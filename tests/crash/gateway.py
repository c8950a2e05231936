"""The gateway as a process: its configuration, its start, and its ends."""
import collections
import fcntl
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path

from crash.xmpp import DOMAIN, SECRET

HERE = Path(__file__).resolve().parent
READY = "the gateway runs"  # src/app/serve.cpp
START_WITHIN = 60
END_WITHIN = 60

CONFIGURATION = """
[gateway]
title = "Crash harness"
data_dir = "{data_dir}"

[http]
listen = "127.0.0.1:{http_port}"

[mcp]
task_grace = "5ms"

[limits]
rate_per_second = 1000000

[tasks]
drain = "300ms"

[xmpp]
domain = "{domain}"
server = "127.0.0.1:{port}"
secret = "{secret}"
local_domains = ["crash.test"]

[[grant]]
principals = ["local:*", "xmpp:*@crash.test", "key:load"]
endpoints = ["*"]
visible = true
invoke = ["*"]
"""
ENDPOINT = """
[[endpoint]]
name = "{name}"
version = "1"
concurrency = 8
processes = 2
queue = 100000
on_restart = "{on_restart}"
runtime = {{ kind = "{kind}", command = [{command}] }}
"""
# Name, what happens to work that a crash interrupted, and when its processes kill themselves.
ENDPOINTS = (("steady", "fail", ()), ("crashing", "fail", ("30", "400")), ("rerun", "rerun", ()),
             ("upstream", "fail", ()))
MCP_SERVERS = ("upstream",)  # the others speak lines of their own
REPEATING = ("rerun",)


def configure(folder, data_dir, port, http_port):
    """Writes interline.toml and what it names into the folder; `port`: of the XMPP server."""
    text = CONFIGURATION.format(data_dir=data_dir, domain=DOMAIN, port=port, secret=SECRET,
                                http_port=http_port)
    for name, on_restart, death in ENDPOINTS:
        kind, agent = ("mcp", "mcp_agent.py") if name in MCP_SERVERS else ("exec", "agent.py")
        command = [sys.executable, "-I", "-S", str(HERE / agent), str(folder / "journal"), *death]
        text += ENDPOINT.format(name=name, on_restart=on_restart, kind=kind,
                                command=", ".join(f'"{word}"' for word in command))
    (folder / "interline.toml").write_text(text)
    (folder / "journal").touch()


class Gateway:
    """One life of `interline serve`."""

    def __init__(self, program, folder, log):
        self.ending = threading.Event()  # set before the harness ends it: what breaks, may
        self.ready = threading.Event()   # it runs, or it has ended
        self.log = log
        self.runs = False
        self.tail = collections.deque(maxlen=40)
        self.process = subprocess.Popen(
            [str(program), "serve", "-c", str(folder / "interline.toml")], cwd=folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            start_new_session=True, text=True, errors="replace")
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stderr:
            self.tail.append(line)
            self.log.write(line)
            if READY in line:
                self.runs = True
                self.ready.set()
        self.ready.set()

    def wait_ready(self):
        """Whether it runs."""
        return self.ready.wait(START_WITHIN) and self.runs

    def alive(self):
        return self.process.poll() is None

    def kill(self):
        """As a crash. "" or what was wrong before it."""
        self.ending.set()
        code = self.process.poll()
        self.process.kill()
        self._reap()
        return "" if code is None else f"ended by itself with {code}: {self.last_words()}"

    def terminate(self):
        """As an operator would. "" or what was wrong."""
        self.ending.set()
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(END_WITHIN)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = f"nothing within {END_WITHIN} s"
        self._reap()
        return "" if code == 0 else f"SIGTERM ended with {code}: {self.last_words()}"

    def _reap(self):
        self.process.wait()
        self.reader.join(END_WITHIN)

    def last_words(self):
        return "".join(list(self.tail)[-6:])


def wait_for_agents(folder):
    """Returns when no agent holds the journal any more: they end when their input does."""
    with open(folder / "journal", "rb") as journal:
        fcntl.flock(journal, fcntl.LOCK_EX)
        return journal.read().decode().splitlines()


def limit_core_files():
    """Thousands of killed processes leave nothing behind."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
