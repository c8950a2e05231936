"""Every number of the XMPP checklist is in the name of a test, or in the list of those without one,
which says why; never in both."""
import re

from house.files import ours, read

LIST = "tests/scenarios/xmpp/README.md"
LAST = 160
CPP_TEST = re.compile(r"\bTEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)")
PYTHON_TEST = re.compile(r"^ +def (test_\w+)\(", re.M)
ROW = re.compile(r"^\| ((?:\d+(?:, )?)+) \| \S", re.M)


def numbers_of(name):
    """C13_012, C13_046_To_C13_048, Checklist17_: the numbers in a test's name."""
    found = {int(number) for number in re.findall(r"(?:c13_|checklist)0*(\d+)", name, re.I)}
    for first, last in re.findall(r"c13_0*(\d+)_to_c13_0*(\d+)", name, re.I):
        found |= set(range(int(first), int(last) + 1))
    return found


def tested(root):
    found = set()
    for name in ours(root, "_test.cpp"):
        for suite, test in CPP_TEST.findall(read(root, name)):
            found |= numbers_of(f"{suite}_{test}")
    for name in ours(root, ".py"):
        if name.startswith("tests/scenarios/"):
            for test in PYTHON_TEST.findall(read(root, name)):
                found |= numbers_of(test)
    return found


def without_test(root):
    return {int(number) for row in ROW.findall(read(root, LIST)) for number in row.split(", ")}


def problems(root):
    if not (root / LIST).is_file():
        return [f"{LIST} is missing"]
    have, lack = tested(root), without_test(root)
    everything = set(range(1, LAST + 1))
    return ([f"number {n} has neither a test nor a row in {LIST}"
             for n in sorted(everything - have - lack)]
            + [f"number {n} has a test and a row in {LIST}" for n in sorted(have & lack)]
            + [f"there is no number {n}" for n in sorted((have | lack) - everything)])
