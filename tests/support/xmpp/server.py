"""An XMPP server for tests: its own folder, free ports of this machine, nothing left behind.

A server is a Server subclass with a configuration and a command. serve() is the protocol of the
programs beside this folder: one JSON line when the server takes connections, then commands on
standard input, one a line, each answered by a line; the server ends when standard input does, so it
never outlives the test that started it.
"""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from ports import free_port

START_SECONDS = 180


class Failed(Exception):
    """The server did not come up; the message says what its log says."""


def make_certificate(folder, names):
    """Self-signed, for the names; (certificate, key)."""
    certificate, key = folder / f"{names[0]}.crt", folder / f"{names[0]}.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-days", "30", "-subj", f"/CN={names[0]}", "-addext",
         "subjectAltName=" + ",".join([f"DNS:{name}" for name in names] + ["IP:127.0.0.1"]),
         "-keyout", str(key), "-out", str(certificate)],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return certificate, key


class Server:
    """`options` is what the program's command line says; see arguments()."""

    program = ""  # what has to be installed

    def __init__(self, folder, options):
        self.folder, self.options = Path(folder).resolve(), options
        self.child = None
        if not shutil.which(self.program):
            raise Failed(f"{self.program} is not installed")
        for name in ("run", "certs"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.ports = {name: free_port(options.interface) for name in self.port_names()}
        self.certificate, self.key = make_certificate(
            self.folder / "certs", [options.host, *self.component_domains()])
        self.configure()

    # What a server has to say of itself.
    def port_names(self):
        return ["c2s", "component"]

    def configure(self):
        raise NotImplementedError

    def command(self):
        raise NotImplementedError

    def environment(self):
        return {}

    def started(self):
        """Once it takes connections for the first time."""

    def component_domains(self):
        return [component.split(":", 1)[0] for component in self.options.component]

    def components(self):
        """(domain, secret) pairs."""
        return [tuple(component.split(":", 1)) for component in self.options.component]

    def setup(self):
        """What an operator would add to a configuration, on our ports; "" if nothing was given."""
        if not self.options.setup:
            return ""
        text = Path(self.options.setup).read_text()
        for port, name in (("5347", "component"), ("5348", "component_tls")):
            if port in text:
                text = text.replace(port, str(self.ports[name]))
        return text.replace("/etc/ejabberd/component.pem", str(self.folder / "certs" / "both.pem"))

    def users(self):
        """(name, password) pairs."""
        return [tuple(user.split(":", 1)) for user in self.options.user]

    # Life.
    def start(self):
        first = self.child is None
        output = open(self.folder / "run" / "out.log", "ab")
        self.child = subprocess.Popen(self.command(), cwd=self.folder, stdin=subprocess.DEVNULL,
                                      stdout=output, stderr=subprocess.STDOUT,
                                      env={**os.environ, **self.environment()})
        output.close()
        (self.folder / "run" / "pid").write_text(f"{self.child.pid}\n")
        limit = time.monotonic() + START_SECONDS
        while not self.ready():
            if self.child.poll() is not None or time.monotonic() > limit:
                self.end(signal.SIGKILL)
                raise Failed(f"{self.program} does not start:\n{self.log_end()}")
            time.sleep(0.02)
        if first:
            self.started()

    def ready(self):
        for port in self.ports.values():
            try:
                socket.create_connection((self.options.interface, port), timeout=1).close()
            except OSError:
                return False
        return True

    def end(self, how):
        if self.child is None or self.child.poll() is not None:
            return
        self.child.send_signal(how)
        try:
            self.child.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()

    def log_end(self):
        lines = []
        for log in sorted((self.folder / "run").glob("*.log")):
            lines += log.read_text(errors="replace").splitlines()[-20:]
        return "\n".join(lines)

    def description(self):
        return {"running": self.child is not None and self.child.poll() is None,
                "pid": self.child.pid if self.child else None, "host": self.options.host,
                "interface": self.options.interface, "ports": self.ports,
                "certificate": str(self.certificate), "folder": str(self.folder)}


def arguments(parser):
    """The options that every server has."""
    parser.add_argument("folder", help="where its configuration, data and logs go; made if missing")
    parser.add_argument("--host", default="example.test", help="the domain of the accounts")
    parser.add_argument("--interface", default="127.0.0.1", help="an address of 127.0.0.0/8")
    parser.add_argument("--component", action="append", metavar="DOMAIN:SECRET",
                        help="default: agents.example.test:component-secret")
    parser.add_argument("--setup", help="a file with the configuration of the component, instead of "
                        "ours; its ports 5347 and, with TLS, 5348 become free ones")
    parser.add_argument("--user", action="append", metavar="NAME:PASSWORD",
                        help="default: alice:pw-alice and bob:pw-bob")


def with_defaults(options):
    if options.component is None:
        options.component = ["agents.example.test:component-secret"]
    options.user = options.user or ["alice:pw-alice", "bob:pw-bob"]
    return options


def serve(make_server):
    """Runs until standard input ends. Commands: stop (in good order), kill (SIGKILL), pause and
    resume (SIGSTOP, SIGCONT: a server that hangs), start."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        server = make_server()
    except Failed as failure:
        sys.exit(str(failure))
    actions = {"start": server.start, "stop": lambda: server.end(signal.SIGTERM),
               "kill": lambda: server.end(signal.SIGKILL),
               "pause": lambda: server.child.send_signal(signal.SIGSTOP),
               "resume": lambda: server.child.send_signal(signal.SIGCONT)}
    try:
        server.start()
        say(server.description())
        for line in sys.stdin:
            action = actions.get(line.strip())
            if action is None:
                say({"error": "the commands are " + ", ".join(actions)})
                continue
            action()
            say(server.description())
    except Failed as failure:
        sys.exit(str(failure))
    finally:
        if server.child is not None and server.child.poll() is None:
            server.child.send_signal(signal.SIGCONT)
            server.end(signal.SIGTERM)


def say(what):
    print(json.dumps(what), flush=True)
