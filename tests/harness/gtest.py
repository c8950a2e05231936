"""Reads what a GoogleTest program did: the counts, and the output of the tests that failed."""
import json
import re
from dataclasses import dataclass, field


@dataclass
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: list = field(default_factory=list)
    said: list = field(default_factory=list)  # how much a test did, where that is not always the same


def counts(json_text):
    """Counts of one --gtest_output=json report. Disabled tests count as failed: none may be."""
    found = Counts()
    for suite in json.loads(json_text).get("testsuites", []):
        for test in suite.get("testsuite", []):
            name = f"{test['classname']}.{test['name']}"
            if test.get("said") and test["said"] not in found.said:
                found.said.append(test["said"])
            if test.get("failures") or test.get("status") == "NOTRUN":
                found.failed += 1
            elif test.get("result") == "SKIPPED":
                found.skipped.append(name)
            else:
                found.passed += 1
    return found


def failures(output):
    """Of a program's whole output, what its failed tests printed, and what came after the last test
    that ended (a crash, a sanitizer's report)."""
    kept, current = [], []
    for line in output.splitlines():
        if line.startswith("[ RUN "):
            current = [line]
        elif re.match(r"\[\s+OK\s|\[  SKIPPED", line):
            current = []
        elif line.startswith("[  FAILED  ]") and current:
            kept += current + [line]
            current = []
        elif not line.startswith("[---"):
            current.append(line)
    return "\n".join(kept + current)


def read(outcome, report_text):
    """Counts of a run, from its report and its exit code; a report that is missing, empty or at odds
    with the exit code is a failure."""
    found = counts(report_text) if report_text else Counts()
    nothing_ran = not (found.passed or found.failed or found.skipped)
    if found.failed == 0 and (outcome.code != 0 or nothing_ran):
        found.failed = 1
    return found
