"""Every promise broken once, to see that the ledger notices; and a life in which none is."""
import json
import unittest

from crash import stored
from crash.ledger import Call, Ledger

ACCEPTED, RUNNING, ASKING, COMPLETED, FAILED = 0, 1, 2, 4, 5


def outcome(**result):
    return {"result": {"content": [{"type": "text", "text": json.dumps(result)}]}}


class Planted(unittest.TestCase):
    def setUp(self):
        self.ledger = Ledger()
        self.begin("k1", "T1")

    def begin(self, key, task, **more):
        self.ledger.sent(Call(key, "steady", "quick", {"key": key}, **more))
        if task:
            self.ledger.acknowledged(key, task)
            self.ledger.seen(task, "accepted", 0)

    def complete(self, task="T1", revision=2, **result):
        self.ledger.seen(task, "completed", revision, outcome(**(result or {"key": "k1"})))

    def expect(self, word):
        self.assertEqual(len(self.ledger.violations), 1, self.ledger.violations)
        self.assertTrue(self.ledger.violations[0].startswith(word), self.ledger.violations)

    def expect_nothing(self):
        self.assertEqual(self.ledger.violations, [])

    # A life without a fault.

    def test_a_whole_life_breaks_nothing(self):
        self.ledger.acknowledged("k1", "T1")  # repeated, and answered alike
        self.ledger.entry("T1", 0, "running", 1, "e1")
        self.ledger.entry("T1", 1, "input_required", 2, "e2")
        self.ledger.entry("T1", 1, "input_required", 2, "e2")  # a second follower
        self.ledger.answer_acknowledged("T1", "R", "apple", 3)
        self.ledger.answer_acknowledged("T1", "R", "apple", 3)
        self.ledger.seen("T1", "running", 3, at_least=2)
        self.ledger.seen("T1", "input_required", 2, at_least=0)  # was on its way meanwhile
        self.complete(revision=4, key="k1", word="apple")
        self.complete(revision=4, key="k1", word="apple")
        self.ledger.check_settled()
        self.ledger.check_listed(["T1"])
        self.ledger.check_executions(["k1 start 1", "k1 again 2"])
        log = [[1, 1, RUNNING, "e1"], [2, None, RUNNING, ""], [3, 2, ASKING, "e2"],
               [4, 3, RUNNING, "e3"], [5, 4, COMPLETED, "e4"]]
        stored.check(self.ledger, [(7, "T1", COMPLETED, 4, "k1")], {7: log}, "")
        self.expect_nothing()

    def test_what_is_heard_before_the_acknowledgement_is_known_after_it(self):
        self.begin("k2", "")
        self.ledger.notified("T2", 1, "e1", "running", {})
        self.ledger.acknowledged("k2", "T2")
        self.ledger.entry("T2", 0, "running", 1, "e1")
        self.expect_nothing()
        self.ledger.notified("T2", 1, "e9", "running", {})
        self.expect("event")

    def test_what_was_never_acknowledged_may_be_stored_all_the_same(self):
        self.begin("k2", "")
        stored.check(self.ledger, [(1, "T1", ACCEPTED, 0, "k1"), (2, "T2", ACCEPTED, 0, "k2")], {}, "")
        self.expect_nothing()

    def test_a_call_that_may_repeat_may_run_twice(self):
        self.begin("k2", "T2", may_repeat=True)
        self.ledger.check_executions(["k2 start 1", "k2 start 2"])
        self.expect_nothing()

    # Lost.

    def test_a_task_that_is_not_found(self):
        self.ledger.missing("T1")
        self.expect("lost")

    def test_a_task_that_is_not_listed(self):
        self.ledger.check_listed([])
        self.expect("lost")

    def test_a_task_that_is_not_stored(self):
        stored.check(self.ledger, [], {}, "")
        self.expect("lost")

    def test_an_acknowledged_answer_that_did_not_reach_the_agent(self):
        self.ledger.answer_acknowledged("T1", "R", "apple", 1)
        self.complete(key="k1")
        self.ledger.check_executions(["k1 start 1"])
        self.expect("answer lost")

    def test_an_acknowledgement_that_is_forgotten(self):
        self.ledger.repeat_refused("T1", "answer", 409)
        self.expect("forgotten")

    # Doubled.

    def test_a_repeated_request_that_makes_another_task(self):
        self.ledger.acknowledged("k1", "T2")
        self.expect("doubled")

    def test_two_requests_that_are_one_task(self):
        self.begin("k2", "")
        self.ledger.acknowledged("k2", "T1")
        self.expect("mixed up")

    def test_a_listed_task_of_nobody(self):
        self.ledger.check_listed(["T1", "T2"])
        self.expect("doubled")

    def test_a_task_listed_twice(self):
        self.ledger.check_listed(["T1", "T1"])
        self.expect("listed twice")

    def test_two_stored_tasks_of_one_request(self):
        stored.check(self.ledger, [(1, "T1", ACCEPTED, 0, "k1"), (2, "T2", ACCEPTED, 0, "k1")], {}, "")
        self.assertTrue(self.ledger.violations[0].startswith("doubled"))

    def test_a_tool_that_ran_twice(self):
        self.ledger.check_executions(["k1 start 1", "k1 start 2"])
        self.expect("executed 2 times")

    def test_a_tool_that_was_resumed_twice(self):
        self.ledger.check_executions(["k1 start 1", "k1 again 1", "k1 again 2"])
        self.expect("executed 2 times")

    def test_an_execution_that_nobody_asked_for(self):
        self.ledger.check_executions(["k9 start 1"])
        self.expect("executed: k9")

    def test_a_result_without_an_execution(self):
        self.complete()
        self.ledger.check_executions([])
        self.expect("invented")

    def test_the_result_of_another_call(self):
        self.complete(key="k9")
        self.ledger.check_executions(["k1 start 1"])
        self.expect("mixed up")

    # Revisions.

    def test_a_gap_in_a_stream(self):
        self.ledger.entry("T1", 0, "completed", 2, "e2")
        self.expect("gap")

    def test_a_gap_in_what_is_stored(self):
        stored.check(self.ledger, [(1, "T1", RUNNING, 2, "k1")], {1: [[1, 2, RUNNING, "e2"]]}, "")
        self.expect("gap: revisions")

    def test_a_gap_in_the_sequences_that_are_stored(self):
        log = [[1, 1, RUNNING, "e1"], [3, 2, RUNNING, "e2"]]
        stored.check(self.ledger, [(1, "T1", RUNNING, 2, "k1")], {1: log}, "")
        self.expect("gap: sequences")

    def test_a_revision_that_went_back(self):
        self.ledger.seen("T1", "running", 3)
        self.ledger.seen("T1", "running", 2, at_least=3)
        self.expect("went back")

    def test_a_stored_revision_that_went_back(self):
        self.ledger.seen("T1", "running", 1)
        stored.check(self.ledger, [(1, "T1", ACCEPTED, 0, "k1")], {}, "")
        self.expect("went back")

    def test_another_event_at_the_same_revision(self):
        self.ledger.entry("T1", 0, "running", 1, "e1")
        self.ledger.entry("T1", 0, "running", 1, "e2")
        self.expect("event")

    def test_another_state_at_the_same_revision(self):
        self.ledger.seen("T1", "running", 1)
        self.ledger.seen("T1", "cancelling", 1)
        self.expect("changed")

    def test_an_answer_that_was_taken_at_two_revisions(self):
        self.ledger.answer_acknowledged("T1", "R", "apple", 3)
        self.ledger.answer_acknowledged("T1", "R", "apple", 4)
        self.expect("answer")

    def test_a_cancellation_that_was_taken_at_two_revisions(self):
        self.ledger.cancel_acknowledged("T1", 3)
        self.ledger.cancel_acknowledged("T1", 4)
        self.expect("cancel")

    # Terminal states.

    def test_another_outcome(self):
        self.complete()
        self.complete(key="k1", word="other")
        self.expect("terminal changed")

    def test_another_outcome_in_a_notification(self):
        self.complete()
        self.ledger.notified("T1", 2, "e2", "completed", outcome(key="other"))
        self.expect("terminal changed")

    def test_a_change_after_the_end(self):
        self.complete(revision=2)
        self.ledger.seen("T1", "running", 3)
        self.expect("after the end")

    def test_a_stored_state_that_is_not_the_one_that_was_seen(self):
        self.complete(revision=1)
        stored.check(self.ledger, [(1, "T1", FAILED, 1, "k1")], {1: [[1, 1, FAILED, "e1"]]}, "")
        self.assertTrue(self.ledger.violations[0].startswith("terminal changed"))

    def test_events_stored_after_the_end(self):
        log = [[1, 1, COMPLETED, "e1"], [2, 2, FAILED, "e2"]]
        stored.check(self.ledger, [(1, "T1", FAILED, 2, "k1")], {1: log}, "")
        self.expect("after the end")

    def test_a_failure_that_no_crash_explains(self):
        self.ledger.seen("T1", "failed", 1, {"error": {"code": "unavailable"}})
        self.expect_nothing()
        self.begin("k2", "T2")
        self.ledger.seen("T2", "failed", 1, {"error": {"code": "internal-error"}})
        self.expect("failed")

    # Stuck.

    def test_a_task_that_never_settles(self):
        self.ledger.check_settled()
        self.expect("stuck")

    def test_a_request_that_is_never_answered(self):
        self.complete()
        self.begin("k2", "")
        self.ledger.check_settled()
        self.expect("stuck")

    def test_a_damaged_database(self):
        stored.check(self.ledger, [(1, "T1", ACCEPTED, 0, "k1")], {}, "row 1 missing from index")
        self.expect("damaged")


if __name__ == "__main__":
    unittest.main()
