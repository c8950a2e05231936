import unittest
from types import SimpleNamespace

from conformance import run
from conformance.tool import Scenario


def outcome(text, ok=True):
    return SimpleNamespace(output=text, ok=ok)


class Judging(unittest.TestCase):
    ONE = run.Run("2026-07-28", 2)

    def judge(self, *scenarios, known=()):
        return run.judge(self.ONE, {one.name: one for one in scenarios}, set(known))

    def test_a_failed_check_is_a_problem(self):
        problems = self.judge(Scenario("a", passed=5), Scenario("b", passed=5, failures=["why"]))
        self.assertEqual(problems, ["2026-07-28 b: why"])

    def test_a_known_failure_is_none_until_it_is_passed(self):
        known = [("2026-07-28", "b")]
        self.assertEqual(self.judge(Scenario("a"), Scenario("b", failures=["x"]), known=known), [])
        problems = self.judge(Scenario("a"), Scenario("b"), known=known)
        self.assertIn("take it out of not_passing.txt", problems[0])

    def test_a_scenario_that_was_not_run_is_noticed(self):
        self.assertEqual(self.judge(Scenario("a")), ["2026-07-28: 1 scenarios were run, not 2"])

    def test_known_failures_are_pairs_with_remarks(self):
        self.assertEqual(run.known_failures("# x\na b  # why\n\n"), {("a", "b")})


class Counting(unittest.TestCase):
    def test_statuses(self):
        scenario = Scenario("a")
        for status in ("SUCCESS", "INFO", "SKIPPED", "WARNING", "FAILURE", "NEWS"):
            scenario.count({"id": status, "name": "n", "status": status})
        self.assertEqual((scenario.passed, scenario.skipped), (1, 1))
        self.assertEqual(scenario.failures, ["FAILURE: n", "NEWS: n"])

    def test_of_a_whole_run(self):
        text = "x: 3 of 4 scenarios passed, 1 failed (9 checks)\nnot passing yet: x y\n"
        self.assertEqual(run.counts(outcome(text)), run.Counts(3, 0, ["not passing yet: x y"]))
        self.assertEqual(run.counts(outcome(text + "problem: p\nproblem: q\n", False)).failed, 2)

    def test_a_run_that_says_nothing_has_failed(self):
        self.assertEqual(run.counts(outcome("")).failed, 1)
        self.assertEqual(run.counts(outcome("x: 0 of 4 scenarios passed")).failed, 1)


if __name__ == "__main__":
    unittest.main()
