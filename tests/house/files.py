"""Which files are ours: those that git tracks or would track, or all outside build folders."""
import subprocess

NOT_OURS = ("tests/vectors/",)  # other people's test data, kept as they publish it


def ours(root, *suffixes):
    """Sorted relative paths of our files with one of the suffixes (all, if none is given)."""
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={root}", "ls-files", "-z", "--cached", "--others",
         "--exclude-standard"],
        cwd=root, capture_output=True, text=True)
    if listed.returncode == 0:
        names = [name for name in listed.stdout.split("\0") if name]
    else:  # an unpacked archive, or a folder that a test made
        names = [str(path.relative_to(root)) for path in root.rglob("*")]
        names = [name for name in names if not name.startswith(("build/", ".git/"))]
    return sorted(name for name in set(names)
                  if (root / name).is_file() and not name.startswith(NOT_OURS)
                  and (not suffixes or name.endswith(suffixes)))


def read(root, name):
    """The file's text; bytes that are no UTF-8 (fuzz seeds) read as replacement characters."""
    return (root / name).read_text(encoding="utf-8", errors="replace")
