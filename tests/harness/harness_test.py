"""The harness counts what happened: failures, crashes and runs of nothing never pass."""
import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path

from harness import docs, gtest
from harness.process import Outcome, run
from harness.report import Report


def report_of(*tests):
    rows = [{"classname": "S", "name": f"T{i}", "status": "RUN", "result": "COMPLETED", **test}
            for i, test in enumerate(tests)]
    return json.dumps({"testsuites": [{"testsuite": rows}]})


class GTest(unittest.TestCase):
    def counted(self, code, text):
        found = gtest.read(Outcome(code, "", 0.0), text)
        return found.passed, found.failed, len(found.skipped)

    def test_counts_each_kind(self):
        text = report_of({}, {"failures": [{}]}, {"result": "SKIPPED"}, {"status": "NOTRUN"})
        self.assertEqual(self.counted(1, text), (1, 2, 1))

    def test_what_tests_say_is_told_once(self):
        text = report_of({"said": "9 lives"}, {}, {"said": "9 lives"}, {"said": "3 steps"})
        self.assertEqual(gtest.counts(text).said, ["9 lives", "3 steps"])

    def test_a_crash_fails(self):
        self.assertEqual(self.counted(-11, ""), (0, 1, 0))

    def test_a_bad_exit_after_passing_fails(self):
        self.assertEqual(self.counted(1, report_of({}, {})), (2, 1, 0))

    def test_nothing_run_fails(self):
        self.assertEqual(self.counted(0, report_of()), (0, 1, 0))

    def test_shows_failed_tests_and_crashes_only(self):
        output = ("[ RUN      ] S.A\nfine\n[       OK ] S.A (0 ms)\n"
                  "[ RUN      ] S.B\nwrong\n[  FAILED  ] S.B (0 ms)\n"
                  "[ RUN      ] S.C\nboom\n")
        shown = gtest.failures(output)
        self.assertNotIn("fine", shown)
        self.assertIn("wrong", shown)
        self.assertIn("boom", shown)


class Process(unittest.TestCase):
    def test_a_time_out_ends_the_whole_group(self):
        outcome = run(["bash", "-c", "sleep 60 & wait"], "/", timeout=0.2)
        self.assertEqual(outcome.code, 124)
        self.assertIn("ended after its limit", outcome.output)

    def test_a_signal_is_named(self):
        self.assertIn("SIGABRT", run(["bash", "-c", "kill -ABRT $$"], "/").output)

    def test_a_missing_program_is_an_outcome(self):
        self.assertEqual(run(["./no-such-program"], "/").code, 127)


class Counting(unittest.TestCase):
    def finish(self, *results):
        with tempfile.TemporaryDirectory() as logs, contextlib.redirect_stdout(io.StringIO()) as out:
            report = Report(Path(logs))
            report.step("step", "summary")
            for passed, failed in results:
                report.result("name", passed, failed, 0.0, output="what it printed")
            code = report.finish()
        return code, out.getvalue()

    def test_the_last_line_and_the_exit_code(self):
        code, out = self.finish((3, 0), (2, 0))
        self.assertEqual((code, out.splitlines()[-1]), (0, "5 passed, 0 failed"))
        self.assertNotIn("what it printed", out)

    def test_one_failure_fails_all_and_is_shown(self):
        code, out = self.finish((3, 0), (2, 1))
        self.assertEqual((code, out.splitlines()[-1]), (1, "5 passed, 1 failed"))
        self.assertIn("what it printed", out)

    def test_nothing_passed_is_a_failure(self):
        self.assertEqual(self.finish()[0], 1)


class Documents(unittest.TestCase):
    def check(self, text):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "a.md").write_text(text)
            return docs.check(root, root / "a.md", sys.executable)

    def test_runs_in_order_with_files_and_output(self):
        text = ("<!-- file: in.json -->\n```json\n{}\n```\n"
                "<!-- test -->\n```sh\ncat in.json > out\n```\n"
                "<!-- test exit=1 -->\n```sh\ncat out; exit 1\n```\n"
                "<!-- output -->\n```text\n{}\n```\n")
        self.assertEqual(self.check(text), (2, ""))

    def test_a_wrong_exit_code_fails(self):
        self.assertIn("exit code 3, not 0", self.check("<!-- test -->\n```sh\nexit 3\n```\n")[1])
        self.assertIn("exit code 0, not 1", self.check("<!-- test exit=1 -->\n```sh\n:\n```\n")[1])

    def test_other_output_fails(self):
        text = "<!-- test -->\n```sh\necho a\n```\n<!-- output -->\n```\nb\n```\n"
        self.assertIn("the run printed", self.check(text)[1])

    def test_a_mark_without_its_block_fails(self):
        self.assertIn("mark", self.check("<!-- test -->\nwords\n")[1])
        self.assertIn("mark", self.check("<!-- tests -->\n```sh\n:\n```\n" + " <!-- test -->\n")[1])

    def test_interline_is_on_the_path(self):
        self.assertEqual(self.check("<!-- test -->\n```sh\ninterline -c 1\n```\n"), (1, ""))


if __name__ == "__main__":
    unittest.main()
