"""A TCP relay between the gateway and its server, whose line can be cut, held and refused."""
import socket
import struct
import threading


class Relay:
    def __init__(self, target):
        host, port = target.rsplit(":", 1)
        self._target = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._lock = threading.Lock()
        self._pairs, self._refusing = [], False
        self._open = threading.Event()  # cleared: nothing is read from the gateway
        self._open.set()
        self.connections = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                if self._refusing:
                    reset(near)
                    continue
            try:
                far = socket.create_connection(self._target)
            except OSError:
                reset(near)
                continue
            with self._lock:
                self._pairs.append((near, far))
                self.connections += 1
            for source, sink, gate in ((near, far, self._open), (far, near, None)):
                threading.Thread(target=self._pump, args=(source, sink, gate), daemon=True).start()

    def _pump(self, source, sink, gate):
        try:
            while True:
                if gate:
                    gate.wait()
                data = source.recv(65536)
                if not data:
                    break
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        """Resets what is connected, without a word on the streams."""
        with self._lock:
            pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for end in pair:
                reset(end)
        self._open.set()

    def refuse(self, refusing=True):
        with self._lock:
            self._refusing = refusing

    def hold(self):
        """A server that reads nothing more from the gateway."""
        self._open.clear()

    def go_on(self):
        self._open.set()

    def close(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()


def reset(end):
    try:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    end.close()
