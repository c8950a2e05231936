"""Kills the gateway under load, again and again, and checks each time that no promise broke."""
import argparse
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crash import disk, kills
from crash.gateway import limit_core_files

ROOT = Path(__file__).resolve().parent.parent.parent


def show_progress(total, what, started):
    shown = [started]

    def show(done, counts, ledger):
        now = time.monotonic()
        if now - shown[0] < (1 if sys.stdout.isatty() else 15) and done != total:
            return
        shown[0] = now
        tasks = counts.get("tasks", 0) + ledger.counts["tasks"]
        end = "\r" if sys.stdout.isatty() and done != total else "\n"
        print(f"{done} of {total} {what}, {tasks} tasks, {now - started:.0f} s", end=end, flush=True)
    return show


def report(what, total, options, started, counts, violations):
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    for violation in violations[:50]:
        print(f"VIOLATION {violation}")
    print(f"{len(violations)} promises broken in {total} {what}, {counts.get('tasks', 0)} tasks,"
          f" seed {options.seed}, {time.monotonic() - started:.0f} s", flush=True)
    return 1 if violations else 0


def options_of(arguments):
    parser = argparse.ArgumentParser(prog="scripts/crash", description=__doc__)
    parser.add_argument("--cycles", type=int, default=200, help="lives of the gateway (200)")
    parser.add_argument("--full-disk", type=int, metavar="ROUNDS", default=0,
                        help="instead: fill the disk under load, so many times")
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000),
                        help="of everything that is chosen at random (random itself)")
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "release" / "interline")
    options = parser.parse_args(arguments)
    if not options.program.exists():
        parser.error(f"there is no {options.program}: build the release preset first")
    return options


def main():
    options = options_of(sys.argv[1:])
    if options.full_disk:
        why = disk.enter_namespace()
        if why:
            print(f"skipped: no disk of its own can be mounted here: {why}")
            return 0
    limit_core_files()
    print(f"seed {options.seed}", flush=True)
    module, what, total = (disk, "rounds", options.full_disk) if options.full_disk else (
        kills, "cycles", options.cycles)
    started = time.monotonic()
    counts, violations = module.run(options.program.resolve(), total, options.seed,
                                    show_progress(total, what, started))
    return report(what, total, options, started, counts, violations)


if __name__ == "__main__":
    sys.exit(main())
