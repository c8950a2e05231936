"""Runs the commands printed in the documents, so that they stay true.

In a Markdown file, an HTML comment before a fenced block says what the block is:

    <!-- test -->          the next ```sh block is run by bash -euo pipefail
    <!-- test exit=1 -->   likewise, and has to end with that exit code
    <!-- output -->        the next block is exactly what the run before it printed, on stdout and stderr
    <!-- file: NAME -->    the next block is written to NAME before the runs that follow

Runs happen in a scratch copy of the repository with the built `interline` on PATH, in the order of the
file; the files that one block makes are there for the next.
"""
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from harness.process import run
from house.files import ours, read

MARKED = re.compile(r"^<!-- (test|output|file)(?:: (\S+)| exit=(\d+))? -->\n+```\w*\n(.*?)^```$",
                    re.S | re.M)
LOOKS_MARKED = re.compile(r"^\s*<!--\s*(?:test|output|file)\b.*", re.M)


@dataclass
class Block:
    kind: str  # test, output, file
    text: str
    line: int
    name: str = ""  # of a file
    code: int = 0  # exit code of a test


def blocks(text):
    """The marked blocks of a document; raises ValueError where a mark is not as above."""
    found = [Block(match[1], match[4], text.count("\n", 0, match.start()) + 1, match[2] or "",
                   int(match[3] or 0)) for match in MARKED.finditer(text)]
    if len(found) != len(LOOKS_MARKED.findall(text)):
        raise ValueError("a <!-- test -->, <!-- output --> or <!-- file: --> mark stands before no "
                         "fenced block, or is not spelled as tests/harness/docs.py says")
    return found


def documents(root):
    """The documents that have something to run."""
    return [root / name for name in ours(root, ".md") if LOOKS_MARKED.search(read(root, name))]


def check(root, path, program):
    """(runs, problem) of one document; the problem is "" when every block did what it says."""
    try:
        found = blocks(path.read_text())
    except ValueError as error:
        return 0, f"{path}: {error}"
    with tempfile.TemporaryDirectory(prefix="interline-docs-") as scratch:
        tree = copy_tree(root, Path(scratch) / "tree")
        bin_folder = Path(scratch) / "bin"
        bin_folder.mkdir()
        (bin_folder / "interline").symlink_to(program)
        path_variable = f"{bin_folder}{os.pathsep}{os.environ['PATH']}"
        return run_blocks(found, tree, {"PATH": path_variable}, str(path.relative_to(root)))


def run_blocks(found, tree, env, name):
    runs, printed = 0, ""
    for block in found:
        if block.kind == "file":
            (tree / block.name).write_text(block.text)
        elif block.kind == "test":
            outcome = run(["bash", "-euo", "pipefail", "-c", block.text], tree, timeout=300, env=env)
            runs, printed = runs + 1, outcome.output
            if outcome.code != block.code:
                return runs, (f"{name}:{block.line}: exit code {outcome.code}, not {block.code}\n"
                              f"{outcome.output}")
        elif block.text.rstrip("\n") != printed.rstrip("\n"):
            return runs, f"{name}:{block.line}: it says\n{block.text}\nand the run printed\n{printed}"
    return runs, "" if runs else f"{name}: nothing to run"


def copy_tree(root, to):
    """Our files and the test vectors, without what was built."""
    for name in ours(root):
        target = to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, target)
    vectors = root / "tests" / "vectors"
    if vectors.is_dir():
        shutil.copytree(vectors, to / "tests" / "vectors", dirs_exist_ok=True)
    return to
