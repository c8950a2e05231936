"""A program spoken to by lines: what the servers and callers of tests/support are."""
import json
import os
import queue
import subprocess
import threading

PATIENCE = 60  # seconds until a program that says nothing has failed the test


class Silent(AssertionError):
    """Nothing came in time."""


class LineProgram:
    """Its standard output arrives as JSON objects in take(); it ends when its input does."""

    def __init__(self, command, cwd=None, env=None):
        self.errors = []
        self.child = subprocess.Popen(command, cwd=cwd, env={**os.environ, **(env or {})}, text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE)
        self._said = queue.Queue()
        self._readers = [threading.Thread(target=self._listen, daemon=True),
                         threading.Thread(target=self._note_errors, daemon=True)]
        for reader in self._readers:
            reader.start()

    def _listen(self):
        for line in self.child.stdout:
            self._said.put(json.loads(line))
        self._said.put(None)

    def _note_errors(self):
        for line in self.child.stderr:
            self.errors.append(line)

    def say(self, text):
        self.child.stdin.write(text + "\n")
        self.child.stdin.flush()

    def take(self, patience=PATIENCE):
        """The next object, or None once the program has ended."""
        try:
            return self._said.get(timeout=patience)
        except queue.Empty:
            raise Silent(f"{self.child.args[0]} says nothing; {self.complaints()}") from None

    def complaints(self):
        return "on standard error: " + ("".join(self.errors[-20:]) or "nothing")

    def end(self):
        """In good order, and for certain."""
        if self.child.poll() is None:
            self.child.stdin.close()
            try:
                self.child.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.child.kill()
        self.clean_up()

    def kill(self):
        self.child.kill()
        self.clean_up()

    def clean_up(self):
        self.child.wait()
        for reader in self._readers:
            reader.join()
        for pipe in (self.child.stdin, self.child.stdout, self.child.stderr):
            try:
                pipe.close()
            except BrokenPipeError:
                pass  # what was written last went to a program that had ended
