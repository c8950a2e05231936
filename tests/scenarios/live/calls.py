"""Scenarios of calling: accepted, followed, answered, cancelled, repeated."""
import datetime
import json

import wire


def in_seconds(seconds):
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Calls:
    def test_accepted_then_events_then_the_result(self):
        alice, weather = self.caller("alice"), self.agent("weather")
        request = wire.new_id()
        accepted = alice.call(weather, "forecast.get", {"city": "Oslo", "days": 2}, request=request)
        self.assertEqual((accepted["request-id"], accepted["revision"]), (request, "0"))
        self.assertRegex(accepted["task-id"], r"^[A-Za-z0-9._~-]{22,128}$")

        events = alice.events_to_the_end(accepted["task-id"])
        self.assertEqual([event.revision for event in events], list(range(1, len(events) + 1)))
        self.assertEqual(len({event.id for event in events}), len(events))
        for event in events:
            self.assertEqual((event.sender, event.to), (weather, alice.jid))
            self.assertEqual(event.id, event.element.get("event-id"))
        last = events[-1]
        self.assertEqual(last.type, "completed")
        self.assertEqual(last.body["result"]["structuredContent"]["city"], "Oslo")

        state = alice.state(weather, accepted["task-id"])
        self.assertEqual((state.get("state"), state.get("result-available"), state.get("revision")),
                         ("completed", "true", str(last.revision)))
        for _ in range(2):  # the same bytes however often
            result = alice.get(weather, wire.task_result(accepted["task-id"]))
            self.assertEqual((result.get("state"), result.text), ("completed", last.text))

    def test_progress_has_no_gaps_and_never_falls(self):
        alice, counter = self.caller("alice"), self.agent("counter")
        task = alice.call(counter, "slow.count", {"to": 3, "seconds": 0.2})["task-id"]
        events = alice.events_to_the_end(task)
        self.assertEqual([event.revision for event in events], list(range(1, len(events) + 1)))
        percents = [event.body["percent"] for event in events if event.type == "progress"]
        self.assertTrue(percents)
        self.assertEqual(percents, sorted(percents))
        self.assertEqual(events[-1].type, "completed")

    def test_a_caller_that_sees_no_event_ends_by_asking(self):
        alice, probe = self.caller("alice"), self.agent("probe")
        self.make_gate("unseen")
        gone = self.caller("alice", "gone")
        task = gone.call(probe, "gate", {"name": "unseen"})["task-id"]
        gone.kill()  # the full address that events go to
        self.assertEqual(alice.refusal("get", probe, wire.task_result(task)), wire.TOO_EARLY)
        self.open_gate("unseen")
        state, body = alice.outcome(probe, task)
        self.assertEqual((state, body["result"]["content"][0]["text"]), ("completed", "through unseen"))

    def test_a_question_answered_from_another_resource(self):
        home, train = self.caller("alice"), self.caller("alice", "train")
        concierge = self.agent("concierge")
        task = home.call(concierge, "ask.name", {"greeting": "Hello"})["task-id"]
        asked = home.event_of_type(task, "input_required")
        self.assertEqual(asked.body["question"], "What is your name?")

        state = train.state(concierge, task)
        self.assertEqual((state.get("state"), state.get("revision")),
                         ("input_required", str(asked.revision)))
        pending = json.loads(wire.child(state, wire.TASK, "pending-input").text)
        self.assertEqual(pending, asked.body)

        answer = wire.provide_input(task, pending["requestId"], asked.revision, {"name": "Alice"})
        wrong = wire.provide_input(task, pending["requestId"], asked.revision, {"name": 7})
        self.assertEqual(train.refusal("set", concierge, wrong), wire.UNACCEPTABLE)
        taken = dict(train.set(concierge, answer).attrib)
        self.assertEqual(taken, {"task-id": task, "revision": str(asked.revision + 1)})
        state, body = train.outcome(concierge, task)
        self.assertEqual((state, body["result"]["content"][0]["text"]), ("completed", "Hello, Alice."))

        self.assertEqual(dict(home.set(concierge, answer).attrib), taken)  # a repeat, even now
        other = wire.provide_input(task, pending["requestId"], asked.revision, {"name": "Eve"})
        self.assertEqual(home.refusal("set", concierge, other), wire.CONFLICT)

    def test_another_account_finds_nothing(self):
        alice, bob, concierge = self.caller("alice"), self.caller("bob"), self.agent("concierge")
        task = alice.call(concierge, "ask.name", {})["task-id"]
        asked = alice.event_of_type(task, "input_required")
        for kind, payload in (("get", wire.task_state), ("get", wire.task_result),
                              ("set", lambda t: wire.cancel(t, asked.revision)),
                              ("set", lambda t: wire.provide_input(t, asked.body["requestId"],
                                                                   asked.revision, {"name": "Bob"}))):
            answers = [bob.ask(kind, concierge, payload(name)) for name in (task, wire.new_id())]
            self.assertEqual(wire.condition(answers[0]), wire.NOT_FOUND)
            self.assertEqual(*map(wire.bare_error, answers))
            elsewhere = alice.refusal(kind, self.agent("weather"), payload(task))
            self.assertEqual(elsewhere, wire.NOT_FOUND)  # a task belongs to its endpoint
        alice.set(concierge, wire.cancel(task, asked.revision))

    def test_cancelled_on_request(self):
        alice, sleeper = self.caller("alice"), self.agent("sleeper")
        task = alice.call(sleeper, "never.ends", {})["task-id"]
        asleep = alice.event_of_type(task, "progress")
        request = wire.cancel(task, asleep.revision, "enough")
        taken = dict(alice.set(sleeper, request).attrib)
        self.assertEqual(taken, {"task-id": task, "revision": str(asleep.revision + 1)})
        events = alice.events_to_the_end(task)
        self.assertEqual([(event.type, event.revision) for event in events],
                         [("status", asleep.revision + 1), ("cancelled", asleep.revision + 2)])
        self.assertEqual(events[0].body["state"], "cancelling")
        self.assertEqual(dict(alice.set(sleeper, request).attrib), taken)
        self.assertEqual(alice.refusal("set", sleeper, wire.cancel(task, asleep.revision, "other")),
                         wire.CONFLICT)

    def test_the_same_invoke_again_is_the_same_task(self):
        home, train, probe = self.caller("alice"), self.caller("alice", "train"), self.agent("probe")
        pins, request = home.pins(probe), wire.new_id()
        first = dict(home.set(probe, wire.invoke(pins, "note", '{"text":"once"}', request)).attrib)
        home.events_to_the_end(first["task-id"])
        spelled = wire.invoke(pins, "note", ' {"text" : "\\u006fnce"} ', request)
        for caller in (train, home, train):  # other resources and other stanza ids
            self.assertEqual(dict(caller.set(probe, spelled).attrib), first)
        self.assertEqual(self.journal().count("once"), 1)

    def test_a_repeat_with_a_difference_is_a_conflict(self):
        alice, probe = self.caller("alice"), self.agent("probe")
        pins, request = alice.pins(probe), wire.new_id()
        alice.set(probe, wire.invoke(pins, "note", {"text": "first"}, request))
        for changed in (wire.invoke(pins, "note", {"text": "second"}, request),
                        wire.invoke(pins, "length", {"text": "first"}, request),
                        wire.invoke(pins, "note", {"text": "first"}, request, in_seconds(3600))):
            self.assertEqual(alice.refusal("set", probe, changed), wire.CONFLICT)
        # To another account the id means nothing.
        bob = self.caller("bob").set(probe, wire.invoke(pins, "note", {"text": "bob's"}, request))
        self.assertEqual(bob.get("request-id"), request)
        self.assertNotIn("second", self.journal())

    def test_stale_pins_and_wrong_arguments(self):
        alice, weather = self.caller("alice"), self.agent("weather")
        version, digest = alice.pins(weather)
        oslo = {"city": "Oslo"}
        for call, expected in (
                (wire.invoke((version, wire.sha256("")), "forecast.get", oslo), wire.CONFLICT),
                (wire.invoke(("0.0.0", digest), "forecast.get", oslo), wire.NOT_FOUND),
                (wire.invoke((version, digest), "forecast.set", oslo), wire.NOT_FOUND),
                (wire.invoke((version, digest), "forecast.get", {"city": 7}), wire.UNACCEPTABLE),
                (wire.invoke((version, digest), "forecast.get", '{"city":"a","city":"b"}'),
                 wire.UNACCEPTABLE),
                (wire.invoke((version, digest), "forecast.get", "{"), wire.BAD),
                (wire.invoke((version, digest), "forecast.get", oslo, "short"), wire.BAD),
                (wire.invoke((version, digest), "forecast.get", oslo, deadline=in_seconds(-5)),
                 wire.UNACCEPTABLE)):
            self.assertEqual(alice.refusal("set", weather, call), expected)

    def test_a_deadline_ends_what_does_not_end(self):
        alice, sleeper = self.caller("alice"), self.agent("sleeper")
        task = alice.call(sleeper, "never.ends", {}, deadline=in_seconds(2))["task-id"]
        last = alice.events_to_the_end(task)[-1]
        self.assertEqual((last.type, last.body["error"]["code"]), ("failed", "deadline-expired"))

    def test_an_agent_that_dies_fails_its_call_and_serves_the_next(self):
        alice, probe = self.caller("alice"), self.agent("fragile")
        task = alice.call(probe, "die", {})["task-id"]
        last = alice.events_to_the_end(task)[-1]
        self.assertEqual((last.type, last.body["error"]["code"]), ("failed", "unavailable"))
        task = alice.call(probe, "length", {"text": "x"})["task-id"]
        self.assertEqual(alice.events_to_the_end(task)[-1].type, "completed")

    def test_c13_126_what_an_agent_cries_is_the_operators_alone(self):
        alice, fragile = self.caller("alice"), self.agent("fragile")
        called = []
        self.gateway.wait_log_after(
            lambda: called.append(alice.call(fragile, "raise", {"secret": "m4rker-of-a-trace"})),
            "m4rker-of-a-trace")
        last = alice.events_to_the_end(called[0]["task-id"])[-1]
        self.assertEqual((last.type, last.body["error"]["code"]), ("failed", "unavailable"))
        self.assertNotIn("m4rker", last.text)
        self.assertNotIn("Traceback", last.text)

    def test_characters_that_xml_cannot_carry(self):
        alice, probe = self.caller("alice"), self.agent("probe")
        points = [0, 1, 9, 10, 13, 0x26, 0x3C, 0x3E, 0x5D, 0x85, 0x2028, 0xFFFD, 0xFFFE, 0xFFFF,
                  0x1F916]
        task = alice.call(probe, "characters", {"points": points})["task-id"]
        last = alice.events_to_the_end(task)[-1]
        self.assertEqual(last.type, "completed")
        self.assertEqual(last.body["result"]["content"][0]["text"], "".join(map(chr, points)))
