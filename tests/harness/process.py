"""Runs one program to its end, with its output in one text and a limit on its time."""
import os
import signal
import subprocess
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


def run(command, cwd, timeout=900, env=None):
    """Never raises for what the program does: a time-out is code 124, with a line that says so."""
    started = time.monotonic()
    try:
        child = subprocess.Popen(command, cwd=cwd, env={**os.environ, **(env or {})},
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, start_new_session=True)
    except OSError as error:
        return Outcome(127, f"cannot run {command[0]}: {error.strerror}", 0.0)
    try:
        output, _ = child.communicate(timeout=timeout)
        code = child.returncode
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)  # whatever it started ends with it
        output, _ = child.communicate()
        output += f"\nended after its limit of {timeout} s\n".encode()
        code = 124
    text = output.decode("utf-8", "replace")
    if code < 0:
        text += f"\nended by signal {signal.Signals(-code).name}\n"
    return Outcome(code, text, time.monotonic() - started)
