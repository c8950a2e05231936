"""Runs one program to its end, with its output in one text and a limit on its time."""
import os
import signal
import subprocess
import threading
import time
from dataclasses import dataclass


@dataclass
class Outcome:
    code: int
    output: str
    seconds: float

    @property
    def ok(self):
        return self.code == 0


_live = set()  # of every thread, for end_all()
_ended = threading.Event()


def end_all(*_):
    """A signal handler: ends whatever run() has started, and lets it start nothing more."""
    _ended.set()
    for child in list(_live):
        os.killpg(child.pid, signal.SIGKILL)
    raise KeyboardInterrupt


def run(command, cwd, timeout=900, env=None):
    """Never raises for what the program does: a time-out is code 124, with a line that says so."""
    started = time.monotonic()
    if _ended.is_set():
        return Outcome(125, "not run: ./test was ended", 0.0)
    try:
        child = subprocess.Popen(command, cwd=cwd, env={**os.environ, **(env or {})},
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, start_new_session=True)
    except OSError as error:
        return Outcome(127, f"cannot run {command[0]}: {error.strerror}", 0.0)
    _live.add(child)
    try:
        output, _ = child.communicate(timeout=timeout)
        code = child.returncode
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)  # whatever it started ends with it
        output, _ = child.communicate()
        output += f"\nended after its limit of {timeout} s\n".encode()
        code = 124
    finally:
        _live.discard(child)
    text = output.decode("utf-8", "replace")
    if code < 0:
        text += f"\nended by signal {signal.Signals(-code).name}\n"
    return Outcome(code, text, time.monotonic() - started)
