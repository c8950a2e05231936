"""C++ files are as clang-format 14 leaves them."""
import shutil
import subprocess

from house.files import ours

FOLDERS = ("src/", "fuzz/", "bench/", "tests/", "examples/")


def problems(root):
    program = shutil.which("clang-format-14") or shutil.which("clang-format")
    if not program:
        return ["clang-format-14 is not installed"]
    names = [name for name in ours(root, ".cpp", ".hpp", ".h") if name.startswith(FOLDERS)]
    if not names:
        return []
    outcome = subprocess.run([program, "--dry-run", "-Werror", *names], cwd=root,
                             capture_output=True, text=True)
    wrong = sorted({line.split(":")[0] for line in outcome.stderr.splitlines()
                    if "[-Wclang-format-violations]" in line})
    if wrong:
        return [f"{name}: run clang-format -i on it" for name in wrong]
    return [outcome.stderr.strip()] if outcome.returncode else []
