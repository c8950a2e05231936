"""The promises of calls over MCP broken once each, to see that the ledger notices."""
import json
import unittest

from crash.ledger import Call, Ledger


def result(is_error=False, text="", **said):
    return {"content": [{"type": "text", "text": text or json.dumps(said)}],
            **({"isError": True} if is_error else {})}


class PlantedOverMcp(unittest.TestCase):
    def setUp(self):
        self.ledger = Ledger()

    def begin(self, key="k1", **more):
        self.ledger.sent(Call(key, "steady", "quick", {"key": key}, "mcp", **more))

    def expect(self, word):
        self.assertEqual(len(self.ledger.violations), 1, self.ledger.violations)
        self.assertTrue(self.ledger.violations[0].startswith(word), self.ledger.violations)

    def test_an_answer_without_a_task_breaks_nothing(self):
        self.begin()
        self.ledger.answered("k1", result(key="k1"))
        self.ledger.answered("k1", result(key="k1"))  # repeated
        self.begin("k2", loose=True)  # nobody heard of it any more
        self.ledger.check_settled()
        self.ledger.bind([("T1", "k1", True), ("T2", "k2", True)])
        self.ledger.check_listed(["T1", "T2"])
        self.ledger.check_executions(["k1 start 1"])
        self.assertEqual(self.ledger.violations, [])

    def test_another_answer_than_the_first_time(self):
        self.begin()
        self.ledger.answered("k1", result(key="k1"))
        self.ledger.answered("k1", result(key="k1", more=1))
        self.expect("terminal changed")

    def test_an_answer_to_another_call(self):
        self.begin()
        self.ledger.answered("k1", result(key="k2"))
        self.expect("mixed up")

    def test_a_failure_that_no_crash_explains(self):
        self.begin()
        self.ledger.answered("k1", result(True, "It is lost. (unavailable)"))
        self.assertEqual(self.ledger.violations, [])
        self.begin("k2")
        self.ledger.answered("k2", result(True, "It broke. (internal-error)"))
        self.expect("failed")

    def test_a_word_that_nobody_had_said(self):
        self.begin(words={"apple"})
        self.ledger.answered("k1", result(key="k1", word="pear"))
        self.expect("answer lost")

    def test_an_answer_that_is_not_stored(self):
        self.begin()
        self.ledger.answered("k1", result(key="k1"))
        self.ledger.bind([])
        self.expect("lost")

    def test_two_tasks_of_one_answer(self):
        self.begin()
        self.ledger.answered("k1", result(key="k1"))
        self.ledger.bind([("T1", "k1", True), ("T2", "k1", True)])
        self.expect("doubled")

    def test_a_call_whose_caller_left_and_that_never_ends(self):
        self.begin(loose=True)
        self.ledger.bind([("T1", "k1", False)])
        self.assertEqual(self.ledger.violations, [])
        self.ledger.bind([("T1", "k1", False)])
        self.expect("stuck")

    def test_an_answer_of_what_never_ran(self):
        self.begin()
        self.ledger.answered("k1", result(key="k1"))
        self.ledger.check_executions([])
        self.expect("invented")

    def test_tasks_get_says_another_end(self):
        self.begin(as_task=True)
        self.ledger.acknowledged("k1", "T1")
        self.ledger.seen("T1", "completed", 1, {"result": result(key="k1")})
        self.ledger.shown("T1", {"status": "completed", "result": result(key="k1")})
        self.assertEqual(self.ledger.violations, [])
        self.ledger.shown("T1", {"status": "working"})
        self.expect("terminal changed")


if __name__ == "__main__":
    unittest.main()
