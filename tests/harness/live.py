"""The scenarios of tests/scenarios/live: each module is a program with servers of its own."""
import os
import shutil
import time
import uuid
from pathlib import Path

from harness.process import run
from house import checks

TAG = "INTERLINE_LIVE"  # in the environment of whatever a module starts, its agents included


def install_packages(root):
    """What tests/support/npm/package.json names, into build/npm. Returns a problem, or ""."""
    wanted = root / "tests" / "support" / "npm" / "package.json"
    folder = root / "build" / "npm"
    done = folder / "installed.json"
    if done.exists() and done.read_text() == wanted.read_text():
        return ""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(wanted, folder / "package.json")
    outcome = run(["npm", "install", "--no-audit", "--no-fund"], folder, timeout=600)
    if not outcome.ok:
        return outcome.output
    shutil.copy(wanted, done)
    return ""


def scenarios(context):
    started = time.monotonic()
    context.report.check("npm packages", install_packages(context.root), time.monotonic() - started)
    folder = context.root / "tests" / "scenarios" / "live"

    def one(path):
        tag = uuid.uuid4().hex
        outcome = run(["/usr/bin/python3", "-B", "-m", "unittest", "-v", path.stem], folder,
                      env={TAG: tag}, timeout=600)
        passed, failed = checks.unittest_counts(outcome)
        context.report.result(path.stem, passed, failed, outcome.seconds, output=outcome.output)
        context.report.check(f"{path.stem} leaves nothing", "\n".join(left_running(tag)), 0)

    context.each(one, sorted(folder.glob("*_test.py")))


def left_running(tag):
    """Command lines of processes that were started under the tag."""
    mark = f"{TAG}={tag}".encode()
    found = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and mark in (process / "environ").read_bytes().split(b"\0"):
                line = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                if int(process.name) != os.getpid() and line:
                    found.append(f"{process.name} {line}")
        except OSError:
            pass  # it ended meanwhile, or is not ours
    return found
