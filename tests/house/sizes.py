"""A source file does one thing, and its length shows it."""
from house.files import ours, read

MOST_LINES = 600
SUFFIXES = (".cpp", ".hpp", ".h", ".py", ".sh", ".mjs", ".js", ".cmake", "CMakeLists.txt")


def problems(root):
    found = []
    for name in ours(root, *SUFFIXES):
        lines = read(root, name).count("\n")
        if lines > MOST_LINES:
            found.append(f"{name}: {lines} lines, {MOST_LINES} at most: what is the second thing in it?")
    return found
