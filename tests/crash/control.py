"""A client of the control socket: HTTP/1.1 and JSON over a Unix socket, one connection a client."""
import http.client
import json
import socket
from urllib.parse import quote


class Cut(Exception):
    """The connection is gone, or nothing came: whether the request was taken is not known."""


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Control:
    """Not for several threads at once."""

    def __init__(self, path, timeout=60):
        self.connection = _UnixConnection(str(path), timeout)

    def close(self):
        self.connection.close()

    def interrupt(self):
        """From another thread: whoever waits for an answer gets Cut."""
        connected = self.connection.sock
        if connected:
            try:
                connected.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it has ended meanwhile

    def request(self, method, path, body=None):
        """(status, what the body's JSON says). Raises Cut."""
        try:
            return self._request(method, path, body)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.connection.close()
            raise Cut(f"{method} {path}: {type(error).__name__} {error}") from error

    def _request(self, method, path, body):
        text = None if body is None else json.dumps(body)
        self.connection.request(method, path, text, {"Content-Type": "application/json"})
        response = self.connection.getresponse()
        content = response.read()
        return response.status, json.loads(content) if content else {}

    def events(self, task):
        """Yields (type, data) of a task's stream until the gateway ends it. Raises Cut."""
        try:
            yield from self._events(task)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.connection.close()
            raise Cut(f"events of {task}: {type(error).__name__} {error}") from error
        except GeneratorExit:
            self.connection.close()  # in the middle of a response
            raise

    def _events(self, task):
        self.connection.request("GET", f"/v1/tasks/{quote(task)}/events")
        response = self.connection.getresponse()
        if response.status != 200:
            yield "refused", {"status": response.status, "body": json.loads(response.read())}
            return
        kind, data = "", ""
        while line := response.readline():
            name, _, value = line.decode().rstrip("\r\n").partition(": ")
            if name == "event":
                kind = value
            elif name == "data":
                data += value
            elif not name and data:
                yield kind, json.loads(data)
                kind, data = "", ""
