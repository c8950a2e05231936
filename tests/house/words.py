"""What stays out of the tree: paths of the machine it was written on, names of package registries'
hosts (packages are named, the client knows where from), and tests that are switched off."""
import re

from house.files import ours, read

# Brackets keep this file from finding itself.
PATTERNS = [
    (re.compile(r"(?<![\w.$}])[/]work[/]|[/]farm[/]|[/]home[/][a-z]+[/]|[.]library\b"),
     "an absolute path of one machine"),
    (re.compile(r"registry[.]npmjs|registry[.]yarnpkg|\bdeb[.]debian|security[.]debian[.]org"
                r"|snapshot[.]debian|ftp[.][a-z.]*debian|nodesource[.]com|proxy[.]golang"
                r"|files[.]pythonhosted|archive[.]ubuntu"),
     "the host of a package registry"),
    (re.compile(r"\b(TEST|TEST_F|TEST_P)\([^)]*DISABLED[_]"), "a test that is switched off"),
]


def problems(root):
    found = []
    for name in ours(root):
        for number, line in enumerate(read(root, name).splitlines(), 1):
            for pattern, what in PATTERNS:
                if pattern.search(line):
                    found.append(f"{name}:{number}: {what}")
    return found
