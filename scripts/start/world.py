"""What ./start runs on this machine: folders, settings that stay the same, Prosody and Interline."""
import getpass
import json
import os
import secrets
import signal
import socket
import string
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = Path(__file__).resolve().parent
ACCOUNTS = ("alice", "bob")
USUAL_PORTS = {"c2s": 5222, "component": 5347, "http": 8080}


class Failed(Exception):
    """What did not work, and what to do about it."""


def is_free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def free_port(usual):
    """The next one: below those that outgoing connections take."""
    return next(port for port in range(usual, usual + 10_000) if is_free(port))


class World:
    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.settings = self.read_settings()
        self.ports = self.settings["ports"]
        self.config = self.folder / "interline.toml"
        self.program = ROOT / "build" / "release" / "interline"
        self.prosody = self.gateway = None

    def read_settings(self):
        """Ports and passwords: chosen once, so that what was printed stays true."""
        file = self.folder / "settings.json"
        if file.exists():
            return json.loads(file.read_text())
        settings = {"ports": {name: free_port(port) for name, port in USUAL_PORTS.items()},
                    "passwords": {name: secrets.token_urlsafe(12) for name in ACCOUNTS},
                    "secret": secrets.token_urlsafe(24)}
        write_private(file, json.dumps(settings, indent=2) + "\n")
        return settings

    # Files. What a user may have changed is written once and then left alone.
    def write_files(self):
        names = {"folder": self.folder, "user": getpass.getuser(), "secret": self.settings["secret"],
                 "agents": ROOT / "examples" / "agents",
                 **{f"{name}_port": port for name, port in self.ports.items()}}
        write_private(self.folder / "component.secret", self.settings["secret"] + "\n")
        for file in ("prosody.cfg.lua", "interline.toml"):
            if not (self.folder / file).exists():
                text = string.Template((HERE / file).read_text()).substitute(names)
                write_private(self.folder / file, text)
        self.make_certificate()
        accounts = self.folder / "prosody" / "example%2etest" / "accounts"
        accounts.mkdir(parents=True, exist_ok=True)
        for name, password in self.settings["passwords"].items():
            write_private(accounts / f"{name}.dat", f'return {{ ["password"] = "{password}" }};\n')
            write_private(self.folder / f"{name}.json", json.dumps({
                "jid": f"{name}@example.test", "password": password, "host": "127.0.0.1",
                "port": self.ports["c2s"],
                "certificate": str(self.folder / "certificates" / "example.test.crt")}, indent=2) + "\n")

    def make_certificate(self):
        folder = self.folder / "certificates"
        folder.mkdir(exist_ok=True)
        if (folder / "example.test.crt").exists():
            return
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-nodes", "-days", "3650", "-subj",
                        "/CN=example.test", "-addext",
                        "subjectAltName=DNS:example.test,DNS:agents.example.test", "-keyout",
                        str(folder / "example.test.key"), "-out", str(folder / "example.test.crt")],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    # Processes.
    def start(self):
        taken = [port for port in self.ports.values() if not is_free(port)]
        if taken:
            raise Failed(f"port {taken[0]} is in use: end what uses it (another ./start?), or remove "
                         f"{self.folder} to begin anew with other ports")
        self.write_files()
        self.prosody = self.run("prosody", ["prosody", "--config",
                                            str(self.folder / "prosody.cfg.lua"), "-F"])
        self.wait("prosody", self.prosody, lambda: not is_free(self.ports["c2s"])
                  and not is_free(self.ports["component"]))
        self.start_gateway()

    def start_gateway(self):
        self.gateway = self.run("interline", [str(self.program), "serve", "-c", str(self.config)])
        self.wait("interline", self.gateway, self.is_ready)

    def is_ready(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.ports['http']}/readyz", timeout=2):
                return True
        except (urllib.error.URLError, OSError):
            return False

    def run(self, name, command):
        """Starts a process in a group of its own, so that Ctrl-C ends them in our order."""
        with open(self.folder / f"{name}.log", "ab") as log:
            child = subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log,
                                     stderr=subprocess.STDOUT, start_new_session=True)
        return child

    def wait(self, name, child, ready, seconds=60):
        limit = time.monotonic() + seconds
        while not ready():
            if child.poll() is not None or time.monotonic() > limit:
                log = self.folder / f"{name}.log"
                end = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
                raise Failed(f"{name} did not start; the end of {log}:\n{end}")
            time.sleep(0.05)

    def gateway_pid(self):
        """Of whatever process holds the data: ours, or one that the walk-through started."""
        try:
            return int((self.folder / "data" / "interline.pid").read_text())
        except (OSError, ValueError):
            return None

    def stop(self):
        pid = self.gateway_pid()
        if self.gateway and self.gateway.poll() is None:
            end(self.gateway)
        elif pid:
            end_other(pid, self.is_ready)
        if self.prosody:
            end(self.prosody)


def write_private(file, text):
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
        out.write(text)


def end(child):
    if child.poll() is None:
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(timeout=45)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def end_other(pid, runs):
    """Ends a process that is not our child: its listener goes with it."""
    try:
        os.kill(pid, signal.SIGTERM)
    except ProcessLookupError:
        return
    limit = time.monotonic() + 45
    while runs() and time.monotonic() < limit:
        time.sleep(0.1)
