"""The scenarios that every server and every client library has to pass."""
import gateway
from calls import Calls
from discovery import Discovery
from standing import Presence, Provisioning
from world import World


class Core(Calls, Discovery, Presence, Provisioning, World):
    @classmethod
    def endpoints(cls):
        probe = gateway.python(gateway.PROBE)
        return {"weather": {"runtime": gateway.example("weather"), "title": "Weather Agent",
                            "version": "1.4.0"},
                "counter": gateway.example("counter"), "concierge": gateway.example("concierge"),
                "sleeper": {"runtime": gateway.example("sleeper"), "concurrency": 16},
                "probe": {"runtime": probe, "concurrency": 16}, "fragile": probe,
                "hidden": {"runtime": {"kind": "builtin"}}}

    @classmethod
    def grants(cls):
        return [{"principals": ["xmpp:*@example.test"], "endpoints": ["*", "!hidden"],
                 "visible": True, "invoke": ["*"]}]

    @classmethod
    def sections(cls):
        return {"xmpp": {"self_registration": True}}

    def test_zz_all_payloads_fit_their_schemas(self):
        for schema, space in (("agent-api.xsd", "urn:xmpp:agent-api:0"),
                              ("agent-task.xsd", "urn:xmpp:agent-task:0")):
            self.check_schemas([text for text in self.seen if space in text.partition(">")[0]], schema)


del World  # unittest would run it as a class of its own
