"""Ports for programs that are told theirs before they listen.

What the system gives out by itself (bind to port 0, an outgoing connection) comes from its ephemeral
range, and may take such a port between the choice and the listening, or while a server restarts. So
these are chosen below that range, and each is locked as long as this process lives.
"""
import fcntl
import os
import random
import socket
import tempfile
from pathlib import Path

LOWEST = 10000
_locks = []  # of this process; closed with it


def _highest():
    try:
        return int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    except (OSError, ValueError):
        return 32768


def _lock(port):
    folder = Path(tempfile.gettempdir()) / f"interline-test-ports-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    file = open(folder / str(port), "w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return False
    _locks.append(file)
    return True


def _is_free(interface, port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((interface, port))
        except OSError:
            return False
        return True


def free_port(interface="127.0.0.1"):
    """A port that is this process's own among the tests, and that nobody listens on now."""
    choices = range(LOWEST, max(_highest(), LOWEST + 1000))
    for _ in range(1000):
        port = random.choice(choices)
        if _is_free(interface, port) and _lock(port):
            return port
    raise OSError("no free port")
