"""`interline serve -c examples/conformance/mcp.toml`, on a free port and in a folder of its own."""
import contextlib
import http.client
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from conformance.tool import ROOT
from support.ports import free_port

PROGRAM = os.environ.get("INTERLINE", str(ROOT / "build" / "release" / "interline"))
CONFIGURATION = ROOT / "examples" / "conformance" / "mcp.toml"
PATIENCE = 60


@contextlib.contextmanager
def served():
    """The URL of the fixtures' endpoint, while it is served."""
    with tempfile.TemporaryDirectory(prefix="interline-conformance-") as folder:
        port = free_port()
        environment = {"INTERLINE_HTTP": f"127.0.0.1:{port}",
                       "INTERLINE_DATA": str(Path(folder) / "data")}
        with running(CONFIGURATION, port, Path(folder), environment):
            yield f"http://127.0.0.1:{port}/mcp/conformance"


@contextlib.contextmanager
def running(configuration, port, folder, environment=None):
    """A gateway, from the time it is ready until the block ends. Its log is in the folder."""
    log_path = folder / "gateway.log"
    with open(log_path, "wb") as log:
        child = subprocess.Popen([PROGRAM, "serve", "-c", str(configuration)],
                                 stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                 env={**os.environ, **(environment or {})})
    try:
        wait_until_ready(child, port, log_path)
        yield
    finally:
        child.send_signal(signal.SIGTERM)
        try:
            code = child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            code = "no end"
    if code != 0:
        raise RuntimeError(f"interline serve ended with {code}:\n{tail(log_path)}")


def wait_until_ready(child, port, log_path):
    limit = time.monotonic() + PATIENCE
    while True:
        if child.poll() is not None:
            raise RuntimeError(f"interline serve ended with {child.returncode}:\n{tail(log_path)}")
        if is_ready(port):
            return
        if time.monotonic() > limit:
            raise RuntimeError(f"interline serve is not ready:\n{tail(log_path)}")
        time.sleep(0.02)


def is_ready(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", "/readyz?wait=20")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def tail(path):
    return "\n".join(path.read_text(errors="replace").splitlines()[-40:])
