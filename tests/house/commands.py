"""The commands that README.md and CONTRIBUTING.md print name scripts, presets and targets that exist.
(Blocks marked for testing are run as well; see tests/harness/docs.py.)"""
import json
import os
import re

from house.files import ours, read

DOCUMENTS = ("README.md", "CONTRIBUTING.md")
SHELL_BLOCK = re.compile(r"^```(?:sh|bash|console)\n(.*?)^```$", re.S | re.M)
SCRIPT = re.compile(r"(?:^|[\s;&|(])((?:\./|scripts/|\.ci/)[\w./-]+)")
PRESET = re.compile(r"--preset[= ](\S+)")
TARGET = re.compile(r"--target[= ](\S+)")


def problems(root):
    found = []
    for name in DOCUMENTS:
        if not (root / name).is_file():
            found.append(f"{name} is missing")
            continue
        blocks = SHELL_BLOCK.findall(read(root, name))
        if not blocks:
            found.append(f"{name} prints no command at all")
        for problem in judge(root, "\n".join(blocks)):
            found.append(f"{name}: {problem}")
    return found


def judge(root, commands):
    found = []
    for script in sorted(set(SCRIPT.findall(commands))):
        path = root / script
        if script.startswith("./build/") or not script.strip("./"):
            continue
        if not path.exists():
            found.append(f"{script} does not exist")
        elif path.is_file() and not os.access(path, os.X_OK):
            found.append(f"{script} is not executable")
    presets = {preset["name"] for preset in
               json.loads(read(root, "CMakePresets.json"))["configurePresets"]}
    found += [f"no CMake preset is named {preset}" for preset in sorted(set(PRESET.findall(commands)))
              if preset not in presets]
    named = targets(root)
    found += [f"no CMake target is named {target}" for target in sorted(set(TARGET.findall(commands)))
              if target not in named]
    return found


def targets(root):
    """Programs that the CMakeLists.txt files make, as --target takes them."""
    made = {"all", "threaded_tests"}
    for name in ours(root, "CMakeLists.txt"):
        for rule, target in re.findall(r"\b(interline_test|interline_bench|interline_fuzz"
                                       r"|add_executable|add_custom_target)\(\s*([\w-]+)",
                                       read(root, name)):
            made.add({"interline_test": f"{target}_test", "interline_bench": f"{target}_bench",
                      "interline_fuzz": f"fuzz_{target}"}.get(rule, target))
    return made
