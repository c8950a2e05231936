"""Scenarios of finding: from the server to a tool's schema, and what hides."""
import json

import wire


class Discovery:
    def test_from_the_server_to_the_schema_of_a_tool(self):
        alice = self.caller("alice")
        listed = wire.children(alice.get(self.server.host, wire.disco(wire.ITEMS)), wire.ITEMS, "item")
        self.assertIn(self.gateway.domain, [item.get("jid") for item in listed])

        info = alice.get(self.gateway.domain, wire.disco(wire.INFO))
        identity = wire.child(info, wire.INFO, "identity")
        self.assertEqual((identity.get("category"), identity.get("type"), identity.get("name")),
                         ("automation", "agent-gateway", "Live Agents"))
        self.assertIn(wire.DIRECTORY, wire.features(info))

        directory = alice.get(self.gateway.domain, wire.disco(wire.ITEMS, wire.DIRECTORY))
        agents = {item.get("jid"): item for item in wire.children(directory, wire.ITEMS, "item")}
        weather = self.agent("weather")
        self.assertEqual(agents[weather].get("name"), "Weather Agent")
        self.assertIsNone(agents[weather].get("node"))

        info = alice.get(weather, wire.disco(wire.INFO))
        self.assertIn("urn:xmpp:agent-endpoint:0", wire.features(info))
        self.assertIn(wire.TASK, wire.features(info))
        fields = wire.form_fields(info)
        self.assertEqual(fields["server_name"], ["weather"])
        version = fields["version"][0]

        tools = wire.children(alice.get(weather, wire.disco(wire.ITEMS, wire.tools_node(version))),
                              wire.ITEMS, "item")
        node = wire.tool_node(version, "forecast.get")
        self.assertEqual([(tool.get("jid"), tool.get("node")) for tool in tools], [(weather, node)])
        tool = wire.form_fields(alice.get(weather, wire.disco(wire.INFO, node)))
        self.assertEqual(tool["name"], ["forecast.get"])
        self.assertEqual(tool["read_only"], ["1"])
        self.assertNotIn("destructive", tool)  # no hint, no field

        manifest = alice.get(weather, wire.element(wire.API, "manifest-request", {"version": version}))
        text = wire.child(manifest, wire.API, "json").text
        digest = wire.hash_in(manifest)
        self.assertEqual(wire.sha256(text), digest)
        self.assertEqual(fields["manifest_hash_value"], [digest])
        self.assertEqual(json.loads(text)["agent"]["jid"], weather)

        for direction, field in (("input", "input_schema_hash_value"), ("output",
                                                                        "output_schema_hash_value")):
            schema = alice.get(weather, wire.element(
                wire.API, "schema-request",
                {"tool": "forecast.get", "version": version, "direction": direction},
                wire.hash_element(digest)))
            text = wire.child(schema, wire.API, "json").text
            self.assertEqual([wire.sha256(text)], tool[field])
            self.assertEqual(wire.hash_in(wire.child(schema, wire.API, "schema-hash")), tool[field][0])

    def directory_page(self, caller, **wanted):
        query = caller.get(self.gateway.domain,
                           wire.disco(wire.ITEMS, wire.DIRECTORY, wire.page(**wanted)))
        result = wire.child(query, wire.RSM, "set")
        return ([item.get("jid") for item in wire.children(query, wire.ITEMS, "item")],
                int(wire.child(result, wire.RSM, "count").text))

    def test_the_directory_comes_in_pages_in_order(self):
        alice = self.caller("alice")
        everything = wire.children(alice.get(self.gateway.domain, wire.disco(wire.ITEMS, wire.DIRECTORY)),
                                   wire.ITEMS, "item")
        jids = [item.get("jid") for item in everything]
        self.assertEqual(jids, sorted(jids))
        paged, after = [], ""
        while len(paged) < len(jids):
            items, count = self.directory_page(alice, max=2, after=after)
            self.assertEqual(count, len(jids))
            self.assertTrue(items)
            paged += items
            after = items[-1]
        self.assertEqual(paged, jids)
        self.assertEqual(self.directory_page(alice, max=2, before="")[0], jids[-2:])
        self.assertEqual(self.directory_page(alice, max=0), ([], len(jids)))

    def test_what_is_not_granted_is_not_there(self):
        alice = self.caller("alice")
        hidden, absent = self.agent("hidden"), self.agent("absent")
        directory = alice.get(self.gateway.domain, wire.disco(wire.ITEMS, wire.DIRECTORY))
        self.assertNotIn(hidden, [item.get("jid") for item in directory])
        for payload in (wire.disco(wire.INFO), wire.disco(wire.ITEMS),
                        wire.element(wire.API, "manifest-request"), wire.ping(),
                        wire.element(wire.VCARD, "vCard")):
            answers = [alice.ask("get", jid, payload) for jid in (hidden, absent)]
            self.assertEqual(list(map(wire.condition, answers)), [wire.NOT_FOUND] * 2)
            self.assertEqual(*map(wire.bare_error, answers))
        call = wire.invoke(("1", wire.sha256("")), "echo", {})
        self.assertEqual(alice.refusal("set", hidden, call), wire.NOT_FOUND)

    def test_search_by_nick(self):
        alice = self.caller("alice")
        blank = alice.get(self.gateway.domain, wire.element(wire.SEARCH, "query"))
        self.assertIsNotNone(wire.child(blank, wire.SEARCH, "nick"))
        found = alice.set(self.gateway.domain, wire.element(
            wire.SEARCH, "query", {}, wire.element(wire.SEARCH, "nick", {}, "WEATHER")))
        items = wire.children(found, wire.SEARCH, "item")
        self.assertEqual([(item.get("jid"), wire.child(item, wire.SEARCH, "nick").text)
                          for item in items], [(self.agent("weather"), "Weather Agent")])

    def search_form(self, nick):
        fields = [("FORM_TYPE", "hidden", wire.SEARCH), ("nick", None, nick)]
        form = wire.element(wire.FORM, "x", {"type": "submit"}, *(
            wire.element(wire.FORM, "field", {"var": var, "type": kind},
                         wire.element(wire.FORM, "value", {}, value)) for var, kind, value in fields))
        return wire.element(wire.SEARCH, "query", {}, form)

    def test_search_by_form(self):
        alice = self.caller("alice")
        found = alice.set(self.gateway.domain, self.search_form("agent wea"))
        form = wire.child(found, wire.FORM, "x")
        rows = [{field.get("var"): wire.child(field, wire.FORM, "value").text
                 for field in wire.children(item, wire.FORM, "field")}
                for item in wire.children(form, wire.FORM, "item")]
        self.assertEqual(rows, [{"jid": self.agent("weather"), "nick": "Weather Agent"}])
        self.assertEqual(len(alice.set(self.gateway.domain, self.search_form("hidden"))), 0)

    def test_pings_are_answered(self):
        alice = self.caller("alice")
        for jid in (self.gateway.domain, self.agent("weather"), self.agent("weather").upper()):
            self.assertIsNone(alice.get(jid, wire.ping()))

    def test_visiting_cards(self):
        alice = self.caller("alice")
        weather = self.agent("weather")
        card = alice.get(weather, wire.element(wire.VCARD, "vCard"))
        self.assertEqual(wire.child(card, wire.VCARD, "FN").text, "Weather Agent")
        self.assertEqual(wire.child(card, wire.VCARD, "JABBERID").text, weather)
        pubsub, vcard4 = "http://jabber.org/protocol/pubsub", "urn:ietf:params:xml:ns:vcard-4.0"
        answer = alice.get(weather, wire.element(pubsub, "pubsub", {}, wire.element(
            pubsub, "items", {"node": "urn:xmpp:vcard4"})))
        name = answer.find(f".//{{{vcard4}}}fn/{{{vcard4}}}text")
        self.assertEqual(name.text, "Weather Agent")

    def test_what_nobody_handles_is_refused_alike(self):
        alice = self.caller("alice")
        answers = [alice.ask(kind, jid, wire.element("urn:example:unknown", "x", {}, "marker-7f3a"))
                   for kind in ("get", "set")
                   for jid in (self.gateway.domain, self.agent("weather"), self.agent("absent"))]
        self.assertEqual({wire.condition(answer) for answer in answers}, {wire.NOT_SERVED})
        self.assertEqual(len({wire.bare_error(answer) for answer in answers}), 1)
        for answer in answers:
            self.assertNotIn("marker-7f3a", "".join(answer.itertext()))
