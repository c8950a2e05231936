"""An account's client: a program of tests/support on slixmpp or on xmpp.js."""
import json
import signal
import threading
import time
from xml.etree import ElementTree as ET

import servers
import wire
from lines import PATIENCE, LineProgram, Silent

PACKAGES = servers.ROOT / "build" / "npm"
PROGRAMS = {"slixmpp": ["/usr/bin/python3", "-B", str(servers.SUPPORT / "xmpp_caller")],
            "xmpp.js": ["node", str(servers.SUPPORT / "xmpp_caller.mjs")]}
OURS = (wire.API, wire.TASK)


class Caller(LineProgram):
    """`seen` collects every payload of our namespaces that comes, as text."""

    def __init__(self, library, server, name, resource, seen=None):
        certificate = server.about["certificate"]
        super().__init__([*PROGRAMS[library], "--jid", f"{name}@{server.host}/{resource}", "--password",
                          servers.password(name), "--server", server.address("c2s"), "--certificate",
                          certificate],
                         cwd=PACKAGES if library == "xmpp.js" else None,
                         env={"NODE_EXTRA_CA_CERTS": certificate})
        self.seen = seen if seen is not None else []
        self._answers, self._stanzas, self._asked = {}, [], 0
        self._changed, self._over = threading.Condition(), None
        said = self.take()
        if said is None or "online" not in said:
            self.kill()
            raise RuntimeError(f"{name} is not let in: {said}, {self.complaints()}")
        self.jid = said["online"]
        self.bare = self.jid.partition("/")[0]
        self._sorter = threading.Thread(target=self._sort, daemon=True)
        self._sorter.start()

    def _sort(self):
        while (said := self.take(patience=None)) is not None:
            with self._changed:
                if "stanza" in said:
                    stanza = ET.fromstring(said["stanza"])
                    self.seen += [ET.tostring(part, encoding="unicode") for part in stanza
                                  if part.tag.startswith(tuple(f"{{{space}}}" for space in OURS))]
                    if "answer" in said:
                        self._answers[said["answer"]] = stanza
                    else:
                        self._stanzas.append(stanza)
                else:
                    self._over = said
                self._changed.notify_all()
        with self._changed:
            self._over = self._over or "the caller has ended"
            self._changed.notify_all()

    def _wait(self, look, what, patience):
        """What `look` finds, as soon as it finds something."""
        limit = time.monotonic() + patience
        with self._changed:
            while (found := look()) is None:
                left = limit - time.monotonic()
                if left <= 0 or self._over:
                    last = "\n".join(ET.tostring(s, encoding="unicode")[:400] for s in self._stanzas[-6:])
                    raise Silent(f"{self.jid} got no {what} ({self._over or 'in time'}); the last of "
                                 f"{len(self._stanzas)} others:\n{last}\n{self.complaints()}")
                self._changed.wait(left)
            return found

    def pause(self):
        """Reads nothing more, until resume()."""
        self.child.send_signal(signal.SIGSTOP)

    def resume(self):
        self.child.send_signal(signal.SIGCONT)

    # Requests.
    def post(self, kind, to, payload):
        """Sends an IQ; answer() waits for what it returns."""
        self._asked += 1
        name = f"iq-{self._asked}"
        text = payload if isinstance(payload, str) else ET.tostring(payload, encoding="unicode")
        self.say(json.dumps({"iq": name, "to": to, "type": kind, "payload": text}))
        return name

    def answer(self, name, patience=PATIENCE):
        return self._wait(lambda: self._answers.pop(name, None), f"answer to {name}", patience)

    def ask(self, kind, to, payload):
        return self.answer(self.post(kind, to, payload))

    def get(self, to, payload):
        """The payload of the result of a get."""
        return self.result(self.ask("get", to, payload))

    def set(self, to, payload):
        return self.result(self.ask("set", to, payload))

    @staticmethod
    def result(answer):
        if answer.get("type") != "result":
            raise AssertionError(f"refused: {ET.tostring(answer, encoding='unicode')}")
        return answer[0] if len(answer) else None

    def refusal(self, kind, to, payload):
        """The condition of an error; "" of a result."""
        return wire.condition(self.ask(kind, to, payload))

    # Messages and presence.
    def send(self, stanza):
        self.say(json.dumps({"send": stanza}))

    def stanza(self, wanted, what, patience=PATIENCE):
        """Takes the first message or presence that `wanted` accepts."""
        def look():
            for i, stanza in enumerate(self._stanzas):
                if wanted(stanza):
                    return self._stanzas.pop(i)
            return None
        return self._wait(look, what, patience)

    def event(self, task):
        return wire.Event(self.stanza(
            lambda stanza: (event := wire.child(stanza, wire.TASK, "event")) is not None
            and event.get("task-id") == task, f"event of {task}"))

    def event_of_type(self, task, *types):
        while True:
            event = self.event(task)
            if event.type in types:
                return event

    def events_to_the_end(self, task):
        events = [self.event(task)]
        while not events[-1].terminal:
            events.append(self.event(task))
        return events

    def be_present(self):
        """Available, with its roster asked for: servers tell others nothing of subscriptions."""
        self.get(self.bare, wire.element("jabber:iq:roster", "query"))
        self.send("<presence/>")

    def presence(self, sender, kind=None):
        return self.stanza(
            lambda stanza: stanza.tag == f"{{{wire.CLIENT}}}presence"
            and stanza.get("from") == sender and stanza.get("type") == kind,
            f"presence {kind or 'available'} from {sender}")

    def got(self, wanted):
        """Whether such a stanza is there by now, without waiting."""
        with self._changed:
            return any(wanted(stanza) for stanza in self._stanzas)

    # Work that every scenario does.
    def pins(self, agent):
        """(version, hash) of the active manifest."""
        manifest = self.get(agent, wire.element(wire.API, "manifest-request"))
        return manifest.get("version"), wire.hash_in(manifest)

    def call(self, agent, tool, arguments, **more):
        """Invokes; the attributes of `accepted`."""
        return dict(self.set(agent, wire.invoke(self.pins(agent), tool, arguments, **more)).attrib)

    def state(self, agent, task):
        return self.get(agent, wire.task_state(task))

    def state_once(self, agent, task, fits):
        """Asks again and again until the state fits."""
        limit = time.monotonic() + PATIENCE
        while not fits(state := self.state(agent, task)):
            if time.monotonic() > limit:
                raise Silent(f"{task} stays {ET.tostring(state, encoding='unicode')}")
        return state

    def outcome(self, agent, task):
        """State and result of a task, by asking alone."""
        self.state_once(agent, task, lambda state: state.get("state") in wire.TERMINAL)
        result = self.get(agent, wire.task_result(task))
        return result.get("state"), json.loads(result.text)
