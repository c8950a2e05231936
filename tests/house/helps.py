"""Every program under bench/ and scripts/ says with --help what it is for, whatever it needs to run."""
import os

from harness.process import run
from house.files import ours

FOLDERS = ("bench/", "scripts/")


def problems(root):
    found = []
    for name in ours(root):
        if not name.startswith(FOLDERS) or not os.access(root / name, os.X_OK):
            continue
        outcome = run([str(root / name), "--help"], root, timeout=60)
        if not outcome.ok or "usage" not in outcome.output.lower():
            found.append(f"{name} --help: {outcome.output.strip().splitlines()[-1:] or 'nothing'}")
    return found
