"""`interline serve` with a configuration of the test's, its log in the test's folder."""
import http.client
import json
import os
import signal
import subprocess
import time

import servers

PROGRAM = os.environ.get("INTERLINE", str(servers.ROOT / "build" / "release" / "interline"))
EXAMPLES = servers.ROOT / "examples" / "agents"
PROBE = servers.ROOT / "tests" / "scenarios" / "live" / "probe.py"
START_SECONDS = 60


def python(script):
    return {"kind": "exec", "command": ["/usr/bin/python3", "-B", str(script)]}


def example(name):
    return python(EXAMPLES / f"{name}.py")


def toml(value):
    """JSON is TOML but for objects."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    return json.dumps(value)


def table(heading, values):
    return [heading, *(f"{key} = {toml(value)}" for key, value in values.items()), ""]


class Gateway:
    """`endpoints`: name -> runtime, or name -> table with `runtime`; `grants`: tables. Both may be
    changed before reload()."""

    def __init__(self, folder, server_address, domain, endpoints, grants, xmpp=None, **sections):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.domain, self.endpoints, self.grants, self.sections = domain, endpoints, grants, sections
        self.xmpp = {"domain": domain, "server": server_address, "secret": servers.SECRET,
                     "local_domains": ["example.test"], "admins": ["admin@example.test"],
                     "reconnect_min": "100ms", "reconnect_max": "1s", **(xmpp or {})}
        self.port = servers.free_port("127.0.0.1")
        self.file = folder / "interline.toml"
        self.log = folder / "gateway.log"
        self.child, self.log_level = None, "debug"

    def jid(self, name):
        return f"{name}@{self.domain}"

    def write(self):
        lines = table("[gateway]", {"title": "Live Agents", "data_dir": "var",
                                    "log_level": self.log_level})
        lines += table("[http]", {"listen": f"127.0.0.1:{self.port}"})
        lines += table("[xmpp]", self.xmpp)
        for name, values in self.sections.items():
            lines += table(f"[{name}]", values)
        for grant in self.grants:
            lines += table("[[grant]]", grant)
        for name, value in self.endpoints.items():
            more = value if "runtime" in value else {"runtime": value}
            lines += table("[[endpoint]]", {"name": name, **more})
        self.file.write_text("\n".join(lines))

    def start(self):
        self.write()
        with open(self.log, "ab") as log:
            self.child = subprocess.Popen([PROGRAM, "serve", "-c", str(self.file)], cwd=self.folder,
                                          stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.ready()

    def ready(self):
        """Waits until it says that it is, which needs the server."""
        limit = time.monotonic() + START_SECONDS
        while True:
            if self.child.poll() is not None:
                raise RuntimeError(f"interline serve ended with {self.child.returncode}:\n{self.tail()}")
            try:
                answer = self.http("/readyz?wait=20")
                if answer[0] == 200:
                    return
            except OSError:
                answer = (0, "no connection")
            if time.monotonic() > limit:
                raise RuntimeError(f"interline serve is not ready: {answer}\n{self.tail()}")
            time.sleep(0.02)

    def http(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def reload(self, until="taken over"):
        """SIGHUP with what `endpoints` and `grants` are now; returns once the log says so."""
        self.write()
        self.wait_log_after(lambda: self.child.send_signal(signal.SIGHUP), until)

    def wait_log_after(self, act, text, patience=START_SECONDS):
        """Does something, and waits for a line of the log with `text` that came after."""
        before = len(self.log.read_bytes())
        act()
        limit = time.monotonic() + patience
        while text not in self.log.read_bytes()[before:].decode(errors="replace"):
            if time.monotonic() > limit:
                raise AssertionError(f"the log never says {text!r}:\n{self.tail()}")
            time.sleep(0.02)

    def tail(self, lines=40):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])

    def kill(self):
        self.child.kill()
        self.child.wait()

    def stop(self):
        """In good order; its exit code."""
        if self.child is None or self.child.poll() is not None:
            return None
        self.child.send_signal(signal.SIGTERM)
        try:
            return self.child.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"interline serve does not stop:\n{self.tail()}") from None
