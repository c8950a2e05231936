"""Scenarios of presence, of administrators and of accounts that register themselves."""
import json
from xml.etree import ElementTree as ET

import wire
from lines import Silent


def manifest(jid, version, *tools, **agent):
    return json.dumps({"manifestSpecVersion": "0", "tools": list(tools), "agent": {
        "jid": jid, "name": jid.partition("@")[0], "version": version, **agent}})


def register(text):
    return wire.element(wire.API, "register", {}, wire.element(
        wire.API, "manifest", {"media-type": "application/json"}, text))


def administer(verb, jid, version=None, digest=None):
    return wire.element(wire.API, verb, {"jid": jid, "version": version},
                        None if digest is None else wire.hash_element(digest))


TOOL = {"name": "ticket.open", "inputSchema": {"type": "object"}}


class Presence:
    def test_a_subscription_is_granted_and_presence_follows(self):
        alice, weather = self.caller("alice"), self.agent("weather")
        alice.be_present()
        alice.send(f"<presence type='subscribe' to='{weather}'/>")
        alice.presence(weather, "subscribed")
        alice.presence(weather)
        # The server probes for a resource that comes later.
        late = self.caller("alice", "late")
        late.be_present()
        late.presence(weather)
        late.end()
        alice.send(f"<presence type='unsubscribe' to='{weather}'/>")
        alice.presence(weather, "unavailable")

    def test_nobody_subscribes_to_what_hides(self):
        alice = self.caller("alice")
        alice.be_present()
        for name in ("hidden", "absent"):
            jid = self.agent(name)
            alice.send(f"<presence type='subscribe' to='{jid}'/>")
            alice.presence(jid, "unsubscribed")
            self.assertFalse(alice.got(lambda stanza: stanza.get("from") == jid
                                       and stanza.get("type") is None))

    def test_a_message_with_a_body_is_refused(self):
        alice = self.caller("alice")
        alice.send(f"<message to='{self.agent('weather')}' type='chat' id='c1'><body>Hi</body></message>")
        bounced = alice.stanza(lambda stanza: stanza.get("id") == "c1", "bounce")
        self.assertEqual(wire.condition(bounced), wire.NOT_SERVED)


class Provisioning:
    def test_an_administrator_keeps_a_registry(self):
        admin, alice = self.caller("admin"), self.caller("alice")
        gateway, desk = self.gateway.domain, self.agent("desk")
        first, second = manifest(desk, "1", TOOL, title="Help"), manifest(desk, "2", TOOL)
        hashes = {}
        for version, text in (("1", first), ("2", second)):
            registered = admin.set(gateway, register(text))
            self.assertEqual((registered.get("jid"), registered.get("version")), (desk, version))
            hashes[version] = wire.hash_in(registered)
        self.assertEqual(wire.hash_in(admin.set(gateway, register(" " + first))), hashes["1"])
        self.assertEqual(admin.refusal("set", gateway, register(manifest(desk, "1"))), wire.CONFLICT)
        self.assertEqual(alice.refusal("get", desk, wire.disco(wire.INFO)), wire.NOT_FOUND)

        admin.set(gateway, administer("activate", desk, "1", hashes["1"]))
        self.assertEqual(wire.form_fields(alice.get(desk, wire.disco(wire.INFO)))["version"], ["1"])
        status = wire.children(admin.get(gateway, administer("registration-status", desk)), wire.API,
                               "version")
        self.assertEqual([(row.get("id"), row.get("active"), wire.hash_in(row)) for row in status],
                         [("1", "true", hashes["1"]), ("2", "false", hashes["2"])])
        self.assertEqual(admin.refusal("set", gateway, administer("remove-version", desk, "1")),
                         wire.CONFLICT)
        self.assertEqual(admin.refusal("set", gateway, administer("activate", desk, "2", hashes["1"])),
                         wire.CONFLICT)

        admin.set(gateway, administer("deactivate", desk))
        self.assertEqual(alice.refusal("get", desk, wire.disco(wire.INFO)), wire.NOT_FOUND)
        admin.set(gateway, administer("remove-version", desk, "1"))
        self.assertEqual(admin.refusal("set", gateway, register(manifest(desk, "1", TOOL, title="X"))),
                         wire.CONFLICT)
        self.assertEqual(wire.hash_in(admin.set(gateway, register(first))), hashes["1"])
        admin.set(gateway, administer("remove-endpoint", desk))
        self.assertEqual(admin.refusal("set", gateway, administer("remove-endpoint", desk)),
                         wire.NOT_FOUND)

    def test_only_an_administrator_administers(self):
        alice, gateway, weather = self.caller("alice"), self.gateway.domain, self.agent("weather")
        for jid in (weather, self.agent("absent")):
            for kind, payload in (("set", register(manifest(jid, "9"))),
                                  ("set", administer("activate", jid, "9", wire.sha256(""))),
                                  ("set", administer("deactivate", jid)),
                                  ("get", administer("registration-status", jid)),
                                  ("set", administer("remove-version", jid, "9")),
                                  ("set", administer("remove-endpoint", jid))):
                self.assertEqual(alice.refusal(kind, gateway, payload), wire.FORBIDDEN)

    def test_c13_144_a_forged_sender_has_nobodys_authority(self):
        alice, weather, probe = self.caller("alice"), self.agent("weather"), self.agent("probe")
        task = alice.call(self.agent("sleeper"), "never.ends", {})["task-id"]
        asleep = alice.event_of_type(task, "progress")
        forgeries = [("admin@example.test/home", self.gateway.domain,
                      administer("deactivate", weather)),
                     (alice.jid, self.agent("sleeper"), wire.cancel(task, asleep.revision)),
                     (weather, probe, wire.ping())]
        for sender, to, payload in forgeries:
            forger = self.caller("bob", "forger")
            forger.send(f"<iq type='set' id='forged' from='{sender}' to='{to}'>"
                        f"{ET.tostring(payload, encoding='unicode')}</iq>")
            try:  # what comes after it in the same stream; a server may end that for the forgery
                forger.get(weather, wire.ping())
            except Silent:
                pass
            forger.end()
        self.assertEqual(alice.refusal("get", weather, wire.disco(wire.INFO)), "")
        state = alice.state(self.agent("sleeper"), task)
        self.assertEqual((state.get("state"), state.get("revision")),
                         ("running", str(asleep.revision)))
        alice.set(self.agent("sleeper"), wire.cancel(task, asleep.revision))

    def test_an_account_registers_itself_and_nothing_else(self):
        bob, admin, gateway = self.caller("bob"), self.caller("admin"), self.gateway.domain
        registered = bob.set(gateway, register(manifest(bob.bare, "1", TOOL, title="Bob's agent")))
        self.assertEqual(registered.get("jid"), bob.bare)
        for jid in ("alice@example.test", self.agent("weather")):
            self.assertEqual(bob.refusal("set", gateway, register(manifest(jid, "1"))), wire.FORBIDDEN)
        admin.set(gateway, administer("activate", bob.bare, "1", wire.hash_in(registered)))
        directory = bob.get(gateway, wire.disco(wire.ITEMS, wire.DIRECTORY))
        self.assertIn(bob.bare, [item.get("jid") for item in directory])
        admin.set(gateway, administer("deactivate", bob.bare))
