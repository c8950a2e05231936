"""What ./test prints and counts: a line a result, the output of what failed, and the last line."""
import re
import threading
import time

TAIL_LINES = 80


def tail(text, lines=TAIL_LINES):
    """The last lines of a long output."""
    kept = text.rstrip().splitlines()
    if len(kept) > lines:
        kept = [f"... ({len(kept) - lines} lines before)"] + kept[-lines:]
    return "\n".join(kept)


class Report:
    """Counts results and prints them as they come, from any thread."""

    def __init__(self, logs):
        self.logs = logs
        self.passed = 0
        self.failed = 0
        self.skipped = []
        self._failures = []
        self._step = ""
        self._started = time.monotonic()
        self._lock = threading.Lock()
        logs.mkdir(parents=True, exist_ok=True)

    def step(self, name, summary):
        self._step = name
        print(f"== {name}: {summary}", flush=True)

    def note(self, text):
        with self._lock:
            print(f"   {text}", flush=True)

    def result(self, name, passed, failed, seconds, detail="", output="", skipped=()):
        """One program's results. `output` is shown where something failed, and always kept."""
        path = self.log_path(name)
        path.write_text(output)
        words = f"{passed} passed" + (f", {failed} FAILED" if failed else "")
        words += f", {len(skipped)} skipped" if skipped else ""
        with self._lock:
            self.passed += passed
            self.failed += failed
            self.skipped += [f"{self._step} {name} {test}" for test in skipped]
            print(f"   {name:28} {words} ({seconds:.1f} s){' ' + detail if detail else ''}",
                  flush=True)
            if failed:
                self._failures.append(f"{self._step} {name}")
                print(f"-- {name} failed; its output, also in {path}:\n{tail(output)}\n--", flush=True)

    def check(self, name, problem, seconds, detail=""):
        """One test that has no program of its own: `problem` is "" when it passed."""
        self.result(name, 0 if problem else 1, 1 if problem else 0, seconds, detail, problem)

    def log_path(self, name):
        return self.logs / (re.sub(r"[^A-Za-z0-9_.-]+", "-", f"{self._step}-{name}") + ".log")

    def finish(self):
        """Prints the closing lines and returns the exit code."""
        for test in self.skipped:
            print(f"skipped: {test}")
        for failure in self._failures:
            print(f"failed: {failure}")
        print(f"It took {time.monotonic() - self._started:.0f} s.")
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        return 0 if self.passed and not self.failed else 1
