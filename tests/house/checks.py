"""The house checks, one row each; a check returns its problems, one line a problem."""
import re
from dataclasses import dataclass

from house import (arrows, checklist, commands, coroutines, formatting, helps, readmes, sizes,
                   words)


@dataclass
class Check:
    name: str
    run: object


ALL = [
    Check("arrows between folders", arrows.problems),
    Check("a README in every folder", readmes.problems),
    Check("file sizes", sizes.problems),
    Check("words that stay out", words.problems),
    Check("coroutine trap", coroutines.problems),
    Check("commands in documents", commands.problems),
    Check("help of programs", helps.problems),
    Check("numbers of the XMPP checklist", checklist.problems),
    Check("clang-format", formatting.problems),
]


def unittest_counts(outcome):
    """(passed, failed) of `python3 -m unittest`; nothing run, or no summary, is a failure."""
    ran = re.search(r"^Ran (\d+) tests?", outcome.output, re.M)
    total = int(ran.group(1)) if ran else 0
    if outcome.ok:
        return (total, 0) if total else (0, 1)
    failed = sum(int(n) for n in re.findall(r"(?:failures|errors)=(\d+)", outcome.output)) or 1
    return max(total - failed, 0), failed
