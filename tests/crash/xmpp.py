"""The XMPP server that the gateway is a component of, played by the harness itself (XEP-0114): it takes
the component's stream, sends requests as a user of the server would, and hears the events.
"""
import hashlib
import itertools
import json
import queue
import socket
import threading
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape, quoteattr

from crash.control import Cut

DOMAIN, SECRET = "agents.crash.test", "a secret of the harness"
CALLER = "load@crash.test/harness"
COMPONENT = "{jabber:component:accept}"
TASK = "{urn:xmpp:agent-task:0}"
STANZAS = "{urn:ietf:params:xml:ns:xmpp-stanzas}"
HEADER = ("<?xml version='1.0'?><stream:stream xmlns='jabber:component:accept'"
          " xmlns:stream='http://etherx.jabber.org/streams' from='{domain}' id='{id}'>")
# What each type of event says about the state; the others say it in their body, or not at all.
STATES = {"input_required": "input_required", "completed": "completed", "failed": "failed",
          "cancelled": "cancelled"}


class Stream:
    """One connection of the component, read by a thread of its own."""

    def __init__(self, server, connection, number):
        self.server, self.connection, self.number = server, connection, number
        self.parser = ElementTree.XMLPullParser(["start", "end"])
        self.lock = threading.Lock()  # of what is sent
        self.revisions = {}           # task -> the last revision whose event came on this stream

    def send(self, text):
        with self.lock:
            self.connection.sendall(text.encode())

    def run(self):
        try:
            depth, root = 0, None
            while data := self.connection.recv(65536):
                self.parser.feed(data)
                for event, element in self.parser.read_events():
                    depth += 1 if event == "start" else -1
                    if event == "start" and depth == 1:
                        root = element
                        self.send(HEADER.format(domain=DOMAIN, id=f"stream-{self.number}"))
                    elif event == "end" and depth == 1:
                        self.take(element)
                        root.clear()
        except (OSError, ElementTree.ParseError):
            pass  # a killed component leaves half a stanza
        finally:
            self.connection.close()
            self.server.lost(self)

    def take(self, stanza):
        if stanza.tag == COMPONENT + "handshake":
            proof = hashlib.sha1(f"stream-{self.number}{SECRET}".encode()).hexdigest()
            if stanza.text == proof:  # who answers the ping lives
                self.send(f"<handshake/><iq type='get' id='stream-{self.number}' from='{CALLER}'"
                          f" to='{DOMAIN}'><ping xmlns='urn:xmpp:ping'/></iq>")
        elif stanza.get("id") == f"stream-{self.number}":
            self.server.joined(self)
        elif stanza.tag == COMPONENT + "iq" and stanza.get("type") in ("result", "error"):
            self.server.answered(stanza)
        elif stanza.tag == COMPONENT + "iq":  # a ping
            self.send(f"<iq type='result' id={quoteattr(stanza.get('id'))}"
                      f" from={quoteattr(stanza.get('to'))} to={quoteattr(stanza.get('from'))}/>")
        elif (event := stanza.find(TASK + "event")) is not None:
            self.event(event)

    def event(self, element):
        task, revision = element.get("task-id"), int(element.get("revision"))
        kind, body = element.get("type"), json.loads(element.text)
        state = STATES.get(kind) or body.get("state")
        previous = self.revisions.setdefault(task, revision - 1)
        if revision > previous + 1:
            self.server.ledger.violated(f"gap: XMPP events of {task} went from {previous} to {revision}")
        self.revisions[task] = max(previous, revision)
        self.server.ledger.notified(task, revision, element.get("event-id"), state, body)


class XmppServer:
    """Listens for as long as it lives; every life of the gateway connects anew."""

    def __init__(self, ledger):
        self.ledger = ledger
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.lock = threading.Lock()
        self.accepted = 0        # the number of the latest connection
        self.over = 0            # connections up to this one are of lives that have ended
        self.stream = None       # the one that has joined
        self.there = threading.Event()
        self.waiting = {}        # IQ id -> where its answer is put; None says that it is lost
        self.numbers = itertools.count(1)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        try:
            for number in itertools.count(1):
                connection, _ = self.listener.accept()
                self.accepted = number
                threading.Thread(target=Stream(self, connection, number).run, daemon=True).start()
        except OSError:
            pass  # closed

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def joined(self, stream):
        with self.lock:
            if stream.number <= self.over:
                return
            self.stream = stream
            self.there.set()

    def lost(self, stream=None):
        """The stream ended; None: whichever there is, since its gateway has."""
        with self.lock:
            if stream and self.stream is not stream:
                return
            if not stream:
                self.over = self.accepted
            self.stream = None
            self.there.clear()
            waiting, self.waiting = self.waiting, {}
        for answer in waiting.values():
            answer.put(None)

    def answered(self, stanza):
        with self.lock:
            waiting = self.waiting.pop(stanza.get("id"), None)
        if waiting:
            waiting.put(stanza)

    def request(self, kind, endpoint, payload, within):
        """The answer to one IQ. Raises Cut when the stream is lost, or nothing comes."""
        answer = queue.SimpleQueue()
        with self.lock:
            stream, number = self.stream, f"iq-{next(self.numbers)}"
            if stream:
                self.waiting[number] = answer
        if not stream:
            raise Cut("the component is not connected")
        try:
            stream.send(f"<iq type='{kind}' id='{number}' from='{CALLER}'"
                        f" to='{endpoint}@{DOMAIN}'>{payload}</iq>")
            stanza = answer.get(timeout=within)
        except (OSError, queue.Empty) as error:
            raise Cut(f"{payload[:60]}: {type(error).__name__}") from error
        if stanza is None:
            raise Cut(f"{payload[:60]}: the stream was lost")
        return stanza


class XmppCaller:
    """The requests of a caller; each gives (the answer's element, "") or (None, the condition)."""

    def __init__(self, server, hashes, within=60):
        self.server, self.hashes, self.within = server, hashes, within

    def connected(self):
        return self.server.there.is_set()

    def wait_connected(self, within):
        return self.server.there.wait(within)

    def invoke(self, call):
        return self._ask(call.endpoint, "accepted", (
            f"<invoke xmlns='urn:xmpp:agent-task:0' request-id='{call.key}' tool='{call.tool}'"
            f" api-version='1'><manifest-hash><hash xmlns='urn:xmpp:hashes:2' algo='sha-256'>"
            f"{self.hashes[call.endpoint]}</hash></manifest-hash>"
            f"<arguments media-type='application/json'>{escape(json.dumps(call.arguments))}"
            f"</arguments></invoke>"))

    def provide_input(self, endpoint, task, request, revision, value):
        return self._ask(endpoint, "input-accepted", (
            f"<provide-input xmlns='urn:xmpp:agent-task:0' task-id='{task}' request-id='{request}'"
            f" expected-revision='{revision}'><input media-type='application/json'>"
            f"{escape(json.dumps(value))}</input></provide-input>"))

    def cancel(self, endpoint, task, revision):
        return self._ask(endpoint, "cancel-accepted", (
            f"<cancel xmlns='urn:xmpp:agent-task:0' task-id='{task}'"
            f" expected-revision='{revision}'/>"))

    def _ask(self, endpoint, name, payload):
        stanza = self.server.request("set", endpoint, payload, self.within)
        if stanza.get("type") == "result":
            return stanza.find(TASK + name), ""
        error = stanza.find(COMPONENT + "error")
        return None, next(child.tag.removeprefix(STANZAS) for child in error
                          if child.tag != STANZAS + "text")
