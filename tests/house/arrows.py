"""Includes between the folders of src/ follow the arrows of the architecture:

    app, cli -> bindings, runtimes, console -> protocols -> engine
      -> tasks, catalog, policy, store -> schema, json -> base

`net` is used by bindings, runtimes, app and cli only. A binding never includes another binding (what they
share is bindings/web), nor a runtime another; neither touches store. No two folders include each other, by whatever detour.
"""
import re

from house.files import ours, read

BASE = ["base"]
SCHEMA = ["schema", "json"]
CORE = ["tasks", "catalog", "policy", "store"]
BELOW_CORE = SCHEMA + BASE
BELOW_ENGINE = CORE + BELOW_CORE
BELOW_PROTOCOLS = ["engine"] + BELOW_ENGINE
BELOW_DOORS = ["protocols"] + BELOW_PROTOCOLS
DOORS = ["bindings", "runtimes", "console"]

# folder -> folders it may include besides itself. Folders of one line of the drawing may include each
# other where no circle comes of it, the front doors and the runtimes apart.
ALLOWED = {
    "base": [],
    "json": BASE + SCHEMA,
    "schema": BASE + SCHEMA,
    "tasks": BELOW_CORE + CORE,
    "catalog": BELOW_CORE + CORE,
    "policy": BELOW_CORE + CORE,
    "store": BELOW_CORE + CORE,
    "engine": BELOW_ENGINE,
    "net": BELOW_CORE,
    "protocols": BELOW_PROTOCOLS,
    "bindings": [f for f in BELOW_DOORS if f != "store"] + ["net"],
    "runtimes": [f for f in BELOW_DOORS if f != "store"] + ["net"],
    "console": BELOW_DOORS,
    "cli": BELOW_DOORS + DOORS + ["net", "app"],
    "app": BELOW_DOORS + DOORS + ["net", "cli"],
}
# Folders whose subfolders are strangers to each other.
SEPARATE = ("bindings", "runtimes")
# What those over HTTP have in common; it includes none of them.
SHARED = ("bindings", "web")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)


def problems(root):
    found = []
    used = {}  # (from, to) -> one file that has the arrow
    for name in ours(root, ".cpp", ".hpp", ".h", ".ipp"):
        if not name.startswith("src/"):
            continue
        parts = name.split("/")[1:]
        if len(parts) < 2 or parts[0] not in ALLOWED:
            found.append(f"{name}: no folder of the architecture; see tests/house/arrows.py")
            continue
        for target in INCLUDE.findall(read(root, name)):
            problem = judge(parts, target.split("/"))
            if problem:
                found.append(f'{name}: #include "{target}": {problem}')
            elif target.split("/")[0] != parts[0]:
                used.setdefault((parts[0], target.split("/")[0]), name)
    return found + circles(used)


def judge(source, target):
    """What is wrong with one include; paths in parts, without src/. "" if nothing."""
    here, there = source[0], target[0]
    if len(target) < 2 or there not in ALLOWED:
        return "write it from src/, as \"folder/file.hpp\""
    if here == there:
        if here in SEPARATE and len(source) > 2 and len(target) > 2 and \
                source[1] != target[1] and (there, target[1]) != SHARED:
            return f"{here}/{source[1]} may not include {here}/{target[1]}"
        return ""
    return "" if there in ALLOWED[here] else f"{here} may not include {there}"


def circles(used):
    """Each pair of folders that reach each other."""
    reach = {a: {b for (x, b) in used if x == a} for a in ALLOWED}
    for middle in ALLOWED:
        for a in ALLOWED:
            if middle in reach[a]:
                reach[a] |= reach[middle]
    return [f"src/{a} and src/{b} include each other, perhaps by a detour ({used[a, b]})"
            for (a, b) in sorted(used) if a in reach[b]]
