"""Scenarios across two Prosody servers: nothing for strangers until a grant names their domain."""
import unittest

import gateway
import servers
import wire
from caller import Caller
from world import DOMAIN, World

REMOTE = "remote.test"
HERE, THERE = "127.0.0.1", "127.0.0.2"
OWN = {"principals": ["xmpp:*@example.test"], "endpoints": ["*"], "visible": True, "invoke": ["*"]}
EVERYBODY = {"principals": ["*", "xmpp:*"], "endpoints": ["*"], "visible": True, "invoke": ["*"]}
PARTNER = {"principals": [f"xmpp:*@{REMOTE}"], "endpoints": ["weather", "concierge"], "visible": True,
           "invoke": ["forecast.get", "ask.name"]}


class Federation(World):
    @classmethod
    def setUpClass(cls):
        ports = {HERE: servers.free_port(HERE), THERE: servers.free_port(THERE)}
        cls.options = ["--s2s-port", str(ports[HERE]), "--s2s-route", f"{REMOTE}={THERE}:{ports[THERE]}"]
        super().setUpClass()
        routes = [word for domain in ("example.test", DOMAIN)
                  for word in ("--s2s-route", f"{domain}={HERE}:{ports[HERE]}")]
        cls.remote = servers.Server(
            "prosody", cls.folder / "remote",
            ["--host", REMOTE, "--no-component", "--interface", THERE, "--s2s-port",
             str(ports[THERE]), *routes], accounts=("carol", "dave"))
        cls.addClassCleanup(cls.remote.end)
        cls.carol = Caller("slixmpp", cls.remote, "carol", "far", cls.seen)
        cls.addClassCleanup(cls.carol.end)

    @classmethod
    def endpoints(cls):
        return {"weather": {"runtime": gateway.example("weather"), "title": "Weather Agent"},
                "concierge": gateway.example("concierge"), "counter": gateway.example("counter")}

    @classmethod
    def grants(cls):
        return [OWN, EVERYBODY]

    def granted(self, *grants):
        self.gateway.grants = [OWN, EVERYBODY, *grants]
        self.gateway.reload()

    def listed(self, caller):
        items = caller.get(DOMAIN, wire.disco(wire.ITEMS, wire.DIRECTORY))
        return [item.get("jid") for item in wire.children(items, wire.ITEMS, "item")]

    def check_that_nothing_is_there(self):
        weather, absent = self.agent("weather"), self.agent("absent")
        self.assertEqual(self.carol.refusal("get", DOMAIN, wire.disco(wire.INFO)), wire.NOT_SERVED)
        self.assertEqual(self.listed(self.carol), [])
        pins = self.caller("alice").pins(weather)  # known from elsewhere, and no help
        for kind, payload in (("get", wire.disco(wire.INFO)), ("get", wire.ping()),
                              ("get", wire.element(wire.API, "manifest-request")),
                              ("set", wire.invoke(pins, "forecast.get", {"city": "Oslo"}))):
            answers = [self.carol.ask(kind, jid, payload) for jid in (weather, absent)]
            self.assertEqual(list(map(wire.condition, answers)), [wire.NOT_FOUND] * 2)
            self.assertEqual(*map(wire.bare_error, answers))

    def test_strangers_see_nothing(self):
        self.granted()
        self.check_that_nothing_is_there()
        self.carol.be_present()
        self.carol.send(f"<presence type='subscribe' to='{self.agent('weather')}'/>")
        self.carol.presence(self.agent("weather"), "unsubscribed")

    def test_no_stranger_registers_anything(self):
        self.granted()
        for kind, name in (("set", "deactivate"), ("get", "registration-status")):
            self.assertEqual(
                self.carol.refusal(kind, DOMAIN, wire.element(wire.API, name, {"jid": self.carol.bare})),
                wire.FORBIDDEN)

    def test_granted_by_a_reload_and_taken_back(self):
        carol, weather, concierge = self.carol, self.agent("weather"), self.agent("concierge")
        self.granted(PARTNER)
        info = carol.get(DOMAIN, wire.disco(wire.INFO))
        self.assertNotIn(f"{wire.API}#self-register", wire.features(info))
        self.assertEqual(self.listed(carol), [concierge, weather])
        task = carol.call(weather, "forecast.get", {"city": "Oslo"})["task-id"]
        last = carol.events_to_the_end(task)[-1]
        self.assertEqual((last.type, last.to), ("completed", carol.jid))

        open_task = carol.call(concierge, "ask.name", {})["task-id"]
        asked = carol.event_of_type(open_task, "input_required")
        self.assertEqual(carol.refusal("get", self.agent("counter"), wire.disco(wire.INFO)),
                         wire.NOT_FOUND)
        alice = self.caller("alice")
        self.assertEqual(alice.refusal("get", weather, wire.task_state(task)), wire.NOT_FOUND)

        self.granted()
        self.check_that_nothing_is_there()
        # What was accepted stays its owner's, whatever became of the grant.
        self.assertEqual(carol.state(weather, task).get("state"), "completed")
        carol.set(concierge, wire.provide_input(open_task, asked.body["requestId"], asked.revision,
                                                {"name": "Carol"}))
        self.assertEqual(carol.outcome(concierge, open_task)[0], "completed")

    def test_a_grant_to_one_address_is_no_grant_to_its_neighbours(self):
        dave = Caller("slixmpp", self.remote, "dave", "far", self.seen)
        self.addCleanup(dave.end)
        self.granted({**PARTNER, "principals": [f"xmpp:dave@{REMOTE}"]})
        self.assertIn(self.agent("weather"), self.listed(dave))
        self.check_that_nothing_is_there()

    def test_a_mistaken_configuration_changes_nothing(self):
        self.granted(PARTNER)
        self.gateway.grants = [OWN, {"principals": "all of them"}]
        self.gateway.reload("the old one goes on")
        self.assertIn(self.agent("weather"), self.listed(self.carol))


del World

if __name__ == "__main__":
    unittest.main()
