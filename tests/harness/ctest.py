"""Which tests a build folder has: their commands and labels, as CMake wrote them down."""
import json
import subprocess
from dataclasses import dataclass


@dataclass
class Test:
    name: str
    command: list
    labels: list


def tests(build):
    """Every test of a configured and built folder."""
    listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, check=True,
                            capture_output=True, text=True).stdout
    return [Test(test["name"], test.get("command", []), labels(test))
            for test in json.loads(listed)["tests"]]


def labels(test):
    for entry in test.get("properties", []):
        if entry["name"] == "LABELS":
            return entry["value"]
    return []
