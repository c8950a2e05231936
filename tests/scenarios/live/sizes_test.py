"""Scenarios of size: the largest that passes, and what is beyond it, through a server's own limits."""
import json
import unittest

import gateway
import wire
from world import World

ARGUMENTS = 262144  # [limits] arguments_bytes
STANZA_IN = 524288  # [xmpp] stanza_in


def object_of(size):
    """JSON text of exactly that many bytes."""
    frame = len(json.dumps({"text": ""}))
    return json.dumps({"text": "x" * (size - frame)})


def nested(depth):
    """An object of that depth."""
    return '{"text":"x","more":' + "[" * (depth - 1) + "]" * (depth - 1) + "}"


class Sizes(World):
    program, client = "prosody", "slixmpp"
    options = ["--option", "c2s_stanza_size_limit = 4 * 1024 * 1024"]

    @classmethod
    def endpoints(cls):
        return {**super().endpoints(), "hidden": gateway.python(gateway.PROBE)}

    @classmethod
    def grants(cls):
        return [{"principals": ["xmpp:*@example.test"], "endpoints": ["probe"], "visible": True,
                 "invoke": ["*"]}]

    def refusal(self, agent, arguments, tool="length"):
        alice = self.caller("alice")
        pins = alice.pins(self.agent("probe"))
        return alice.refusal("set", self.agent(agent), wire.invoke(pins, tool, arguments))

    def last_event(self, tool, arguments):
        alice = self.caller("alice")
        task = alice.call(self.agent("probe"), tool, arguments)["task-id"]
        return task, alice.events_to_the_end(task)[-1]

    def test_the_largest_arguments(self):
        _, last = self.last_event("length", object_of(ARGUMENTS))
        self.assertEqual(last.body["result"]["structuredContent"]["characters"], ARGUMENTS - 12)

    def test_arguments_beyond_the_limits(self):
        for size in (ARGUMENTS + 1, STANZA_IN - 2000, STANZA_IN + 2000, 3 * STANZA_IN):
            with self.subTest(size=size):
                self.assertEqual(self.refusal("probe", object_of(size)), wire.TOO_MUCH)
                # Who may not call learns nothing of limits.
                self.assertEqual(self.refusal("hidden", object_of(size)), wire.NOT_FOUND)
                self.assertEqual(self.refusal("absent", object_of(size)), wire.NOT_FOUND)

    def test_arguments_nested_too_deeply(self):
        self.assertEqual(self.refusal("probe", nested(64)), "")
        for depth in (65, 100000):
            self.assertEqual(self.refusal("probe", nested(depth)), wire.TOO_MUCH)
        self.assertEqual(self.refusal("hidden", nested(65)), wire.NOT_FOUND)

    def test_a_stanza_of_too_many_elements(self):
        alice = self.caller("alice")
        for agent in ("probe", "absent"):
            many = wire.element("urn:example:many", "x", {}, *(
                wire.element("urn:example:many", "y") for _ in range(20000)))
            self.assertEqual(alice.refusal("get", self.agent(agent), many), wire.BAD)

    def test_long_tags_cost_their_own_stanza(self):
        # Prosody passes each of these on as six bytes.
        apostrophes = "'" * 45000
        alice, agent = self.caller("alice"), self.agent("probe")
        short = {f"a{i}": "" for i in range(1200)}
        for attributes, answer in (({"a": apostrophes}, wire.NOT_SERVED),
                                   ({"a": apostrophes * 15}, wire.BAD), (short, wire.BAD)):
            with self.subTest(of=len(attributes), answer=answer):
                unknown = wire.element("urn:example:x", "x", attributes)
                self.assertEqual(alice.refusal("get", agent, unknown), answer)
        for start in (f'<message type="normal" to="{agent}"', f'<presence to="{agent}"',
                      f'<iq type="get" to="{agent}"'):
            inside = "<ping xmlns='urn:xmpp:ping'/>" if start.startswith("<iq") else ""
            end = start.partition(" ")[0][1:]
            alice.send(f'{start} id="long" a="{apostrophes}">{inside}</{end}>')
            alice.send(f'{start} id="{apostrophes}">{inside}</{end}>')
        self.assertEqual(alice.refusal("get", agent, wire.element(wire.PING, "ping")), "")
        self.assertEqual(self.gateway.log.read_text().count("connected to the XMPP server"), 1)

    def test_the_largest_results(self):
        for of, times in (("x", 382000), ('"', 54000), ("&<>", 29000), ("\U0001F916", 95000)):
            with self.subTest(of=of):
                task, last = self.last_event("big", {"times": times, "of": of})
                self.assertEqual(last.body["result"]["content"][0]["text"], of * times)
                result = self.caller("alice").get(self.agent("probe"), wire.task_result(task))
                self.assertEqual(result.text, last.text)

    def test_results_beyond_the_limit_fail_and_nothing_else_does(self):
        for of, times in (("x", 400000), ('"', 70000), ("x", 3000000)):
            with self.subTest(of=of):
                _, last = self.last_event("big", {"times": times, "of": of})
                self.assertEqual((last.type, last.body["error"]["code"]),
                                 ("failed", "interline:result-too-large"))
        self.assertEqual(self.last_event("length", {"text": "x"})[1].type, "completed")
        self.assertEqual(self.gateway.log.read_text().count("connected to the XMPP server"), 1)


class Multiplied(World):
    """What a server makes of what an account may send it, with the limits that it has by itself.

    Prosody writes a namespace's name again at each element and each attribute that has it: of the
    256 KiB that a client may send, L bytes of name and the rest for elements of six bytes become
    L * (256 KiB - L) / 6, 2.8 GB at most. ejabberd keeps prefixes, and both write one quote as six
    bytes: 1.5 MiB, and 3 MiB of the 512 KiB that another server may send.
    """

    program, client = "prosody", "slixmpp"

    def test_costs_its_own_stanza(self):
        alice, agent = self.caller("alice"), self.agent("probe")
        space, many = f'xmlns:n="{"u" * 10000}"', range(2000)
        attributes = " ".join(f'n:a{i}=""' for i in many)
        ping = f'<ping xmlns="{wire.PING}"/>'
        quotes = "'" * 200000
        for content in (f'{space}><x xmlns="urn:x">{"<n:a/>" * len(many)}</x>',  # 20 MB
                        f'{space}><x xmlns="urn:x" {attributes}/>',  # 20 MB of one tag
                        f'{space} {attributes}>{ping}',  # the same of the stanza's own
                        f'><x xmlns="urn:x" a="{quotes}"/>', f'><x xmlns="urn:x">{quotes}</x>'):
            for kind in ('iq type="get"', 'message type="normal"', 'presence'):
                name = kind.partition(" ")[0]
                alice.send(f'<{kind} id="long" to="{agent}" {content}</{name}>')
        self.assertEqual(alice.refusal("get", agent, wire.element(wire.PING, "ping")), "")
        self.assertEqual(self.gateway.log.read_text().count("connected to the XMPP server"), 1)


class MultipliedByEjabberd(Multiplied):
    program = "ejabberd"


del World

if __name__ == "__main__":
    unittest.main()
