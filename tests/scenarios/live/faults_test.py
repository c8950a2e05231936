"""Scenarios of loss: the gateway killed, its server restarted, its line cut, readers that stall."""
import time
import unittest

import gateway
import wire
from relay import Relay
from world import DOMAIN, World


class Faults(World):
    @classmethod
    def make_gateway(cls):
        cls.relay = Relay(cls.server.address("component"))
        cls.addClassCleanup(cls.relay.close)
        return gateway.Gateway(cls.folder / "gateway", cls.relay.address, DOMAIN, cls.endpoints(),
                               cls.grants())

    @classmethod
    def endpoints(cls):
        return {**super().endpoints(), "concierge": gateway.example("concierge"),
                "careful": {"runtime": gateway.python(gateway.PROBE), "on_restart": "rerun"},
                "narrow": {"runtime": gateway.python(gateway.PROBE), "concurrency": 1}}

    def start_gated(self, agent, gate):
        """A call that is at work, at a gate."""
        caller = self.caller("alice")
        self.make_gate(gate)
        task = caller.call(self.agent(agent), "gate", {"name": gate})["task-id"]
        caller.event_of_type(task, "status")
        return task

    def text(self, body):
        return body["result"]["content"][0]["text"]

    # The gateway dies.
    def test_killed_in_the_middle_of_a_call(self):
        alice = self.caller("alice")
        probe, concierge, narrow = map(self.agent, ("probe", "concierge", "narrow"))
        pins, request = alice.pins(probe), wire.new_id()
        self.make_gate("killed")
        call = wire.invoke(pins, "gate", {"name": "killed"}, request)
        accepted = dict(alice.set(probe, call).attrib)
        running = accepted["task-id"]
        alice.event_of_type(running, "status")
        waiting = alice.call(concierge, "ask.name", {})["task-id"]
        asked = alice.event_of_type(waiting, "input_required")
        self.start_gated("narrow", "first")
        queued = alice.call(narrow, "note", {"text": "after the queue"})["task-id"]
        done = alice.call(probe, "length", {"text": "four"})["task-id"]
        result = alice.events_to_the_end(done)[-1]

        self.gateway.kill()
        self.gateway.start()

        # What was at work is never started again, and says so; its event comes when it is settled.
        last = alice.events_to_the_end(running)[-1]
        self.assertEqual((last.type, last.body["error"]["code"]), ("failed", "unavailable"))
        self.assertEqual(self.journal().count("at killed"), 1)
        # A repeat of the call still is that call.
        self.assertEqual(dict(alice.set(probe, call).attrib), accepted)
        # What waited in the queue starts, what waited for its caller still does, results are kept.
        self.assertEqual(alice.outcome(narrow, queued)[0], "completed")
        self.assertEqual(self.journal().count("after the queue"), 1)
        state = alice.state(concierge, waiting)
        self.assertEqual((state.get("state"), state.get("revision")),
                         ("input_required", str(asked.revision)))
        alice.set(concierge, wire.provide_input(waiting, asked.body["requestId"], asked.revision,
                                                {"name": "Phoenix"}))
        self.assertIn("Phoenix", self.text(alice.outcome(concierge, waiting)[1]))
        self.assertEqual(alice.get(probe, wire.task_result(done)).text, result.text)

    def test_killed_where_the_operator_allows_a_second_run(self):
        task = self.start_gated("careful", "twice")
        self.gateway.kill()
        self.gateway.start()
        self.open_gate("twice")
        state, body = self.caller("alice").outcome(self.agent("careful"), task)
        self.assertEqual((state, self.text(body)), ("completed", "through twice"))
        self.assertEqual(self.journal().count("at twice"), 2)

    def test_stopped_in_good_order_a_running_call_may_end(self):
        alice, probe = self.caller("alice"), self.agent("probe")
        pins = alice.pins(probe)
        task = self.start_gated("probe", "drained")
        gone = self.gateway.child
        self.gateway.wait_log_after(gone.terminate, "draining")
        self.assertEqual(alice.refusal("set", probe, wire.invoke(pins, "note", {})),
                         wire.NOT_SERVED)
        self.open_gate("drained")
        self.assertEqual(alice.events_to_the_end(task)[-1].type, "completed")
        self.assertEqual(gone.wait(timeout=60), 0)
        self.gateway.start()
        self.assertEqual(alice.outcome(probe, task)[0], "completed")

    # The line is lost.
    def test_a_cut_line_loses_no_event(self):
        alice, probe = self.caller("alice"), self.agent("probe")
        task = self.start_gated("probe", "cut")
        self.relay.refuse()
        self.relay.cut()
        self.open_gate("cut")
        self.wait_for_journal("through cut")
        self.relay.refuse(False)
        last = alice.events_to_the_end(task)[-1]  # sent on the next stream
        self.assertEqual((last.type, self.text(last.body)), ("completed", "through cut"))
        self.assertEqual(alice.get(probe, wire.task_result(task)).text, last.text)

    def wait_for_journal(self, line):
        limit = time.monotonic() + 60
        while line not in self.journal():
            self.assertLess(time.monotonic(), limit)
            time.sleep(0.02)

    def test_a_lost_answer_is_had_by_repeating_the_request(self):
        alice, probe = self.caller("alice"), self.agent("probe")
        call = wire.invoke(alice.pins(probe), "note", {"text": "unanswered"}, wire.new_id())
        self.hold_line()  # the gateway's answers go nowhere
        alice.post("set", probe, call)
        self.wait_for_journal("unanswered")
        self.relay.cut()
        self.gateway.ready()
        accepted = alice.set(probe, call)
        self.assertEqual(alice.outcome(probe, accepted.get("task-id"))[0], "completed")
        self.assertEqual(self.journal().count("unanswered"), 1)

    def test_a_server_that_reads_nothing_delays_and_loses_nothing(self):
        alice, probe = self.caller("alice"), self.agent("probe")
        task, pins = self.start_gated("probe", "stalled"), alice.pins(probe)
        self.hold_line()
        self.open_gate("stalled")
        talk = [alice.post("set", probe, wire.invoke(pins, "chatter", {"times": 20, "bytes": 2000}))
                for _ in range(50)]
        self.wait_for_journal("through stalled")
        self.relay.go_on()
        self.assertEqual(alice.events_to_the_end(task)[-1].type, "completed")
        for accepted in [alice.result(alice.answer(name)) for name in talk]:
            self.assertEqual(alice.outcome(probe, accepted.get("task-id"))[0], "completed")

    def hold_line(self):
        """The server reads nothing more, until the line goes on or the test ends."""
        self.addCleanup(self.relay.go_on)
        self.relay.hold()

    # A caller is lost, or stalls.
    def test_a_caller_that_reads_nothing_disturbs_nobody(self):
        alice, bob, probe = self.caller("alice"), self.caller("bob", "stalled"), self.agent("probe")
        task = bob.call(probe, "chatter", {"times": 200, "bytes": 20000})["task-id"]
        bob.pause()
        for _ in range(5):
            mine = alice.call(probe, "length", {"text": "x"})["task-id"]
            self.assertEqual(alice.events_to_the_end(mine)[-1].type, "completed")
        bob.resume()
        self.assertEqual(bob.outcome(probe, task)[0], "completed")
        bob.end()

    # The server is lost.
    def restart_server(self, how):
        self.server.tell(how)
        for caller in self.callers.values():
            caller.kill()
        self.callers.clear()
        self.server.tell("start")
        self.gateway.ready()

    def test_a_server_restarted_in_the_middle_of_a_call(self):
        for how in ("stop", "kill"):
            with self.subTest(how):
                probe = self.agent("probe")
                task = self.start_gated("probe", f"server-{how}")
                self.restart_server(how)
                alice = self.caller("alice")
                self.assertEqual(alice.state(probe, task).get("state"), "running")
                self.open_gate(f"server-{how}")
                state, body = alice.outcome(probe, task)
                self.assertEqual((state, self.text(body)), ("completed", f"through server-{how}"))
                figures = dict(line.rsplit(" ", 1) for line in
                               self.gateway.http("/metrics")[1].splitlines())
                self.assertEqual(figures["interline_xmpp_connected"], "1")
                self.assertGreaterEqual(float(figures["interline_xmpp_sessions_total"]), 2)

    def test_presence_comes_back_after_each_loss(self):
        alice, probe = self.caller("alice", "watching"), self.agent("probe")
        alice.be_present()
        alice.send(f"<presence type='subscribe' to='{probe}'/>")
        alice.presence(probe)
        self.gateway.stop()
        alice.presence(probe, "unavailable")
        self.gateway.start()
        alice.presence(probe)
        self.gateway.kill()
        self.gateway.start()
        alice.presence(probe)


del World

if __name__ == "__main__":
    unittest.main()
