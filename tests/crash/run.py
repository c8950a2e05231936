"""Kills the gateway under load, again and again, and checks each time that no promise broke."""
import argparse
import random
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crash import stored
from crash.control import Cut
from crash.gateway import Gateway, configure, limit_core_files, wait_for_agents
from crash.ledger import Ledger
from crash.load import Load, settle

ROOT = Path(__file__).resolve().parent.parent.parent
GENERATION = 500   # cycles of one data directory; then a fresh one
CHECK_EVERY = 25   # cycles between two settlements of everything
SETTLE_WITHIN = 120
WORKERS = 6


class Generation:
    """A data directory, its ledger, and the lives of the gateway on it."""

    def __init__(self, program, seed):
        self.program, self.seed = program, seed
        self.folder = Path(tempfile.mkdtemp(prefix="interline-crash-"))
        self.data_dir = self.folder / "var"
        self.socket = self.data_dir / "interline.sock"
        self.log = open(self.folder / "gateway.log", "w", buffering=1)
        self.ledger = Ledger()
        self.lives = 0
        configure(self.folder, self.data_dir)

    def start(self):
        self.lives += 1
        self.log.write(f"--- life {self.lives}\n")
        return Gateway(self.program, self.folder, self.log)

    def ready(self, gateway):
        if gateway.wait_ready():
            return True
        self.ledger.violated(f"did not start: {gateway.last_words()}")
        gateway.kill()
        return False

    def note(self, problem):
        if problem:
            self.ledger.violated(problem)

    def cycle(self, number):
        """One life: loaded for a random while, and ended in one of three ways."""
        rng = random.Random(f"{self.seed}-{number}")
        how = rng.choices(("kill", "term", "kill at start"), (80, 10, 10))[0]
        moment = rng.uniform(0, 0.15) if how == "kill at start" else rng.uniform(0.02, 0.4)
        gateway = self.start()
        never = threading.Event()  # what is waited for here is time alone: it is the experiment
        if how == "kill at start":
            never.wait(moment)
            self.note(gateway.kill())
        elif self.ready(gateway):
            load = Load(self.ledger, gateway, self.socket, f"{self.seed}-{number}", WORKERS)
            never.wait(moment)
            self.note(gateway.terminate() if how == "term" else gateway.kill())
            load.stop()
        self.ledger.counts[how] += 1

    def settle(self):
        """Everything comes to its end; then all that is known is compared with all there is."""
        gateway = self.start()
        if not self.ready(gateway):
            return
        try:
            self.ledger.check_listed(settle(self.ledger, gateway, self.socket, SETTLE_WITHIN))
            self.ledger.check_settled()
        except Cut as cut:
            self.ledger.violated(f"cut off while settling: {cut}")
        self.note(gateway.terminate())
        self.ledger.check_executions(wait_for_agents(self.folder))
        stored.check(self.ledger, *stored.read(self.data_dir))

    def end(self):
        self.log.close()
        if not self.ledger.violations:
            shutil.rmtree(self.folder)
            return
        (self.folder / "violations").write_text("\n".join(self.ledger.violations) + "\n")
        print(f"\nkept for you to look at: {self.folder}")


def run(program, cycles, seed, progress):
    """(counts, violations); stops at the first settlement that shows a violation."""
    counts, done = {}, 0
    while done < cycles:
        generation = Generation(program, f"{seed}.{done}")
        for number in range(min(GENERATION, cycles - done)):
            generation.cycle(number)
            done += 1
            if (number + 1) % CHECK_EVERY == 0 or done == cycles:
                generation.settle()
            progress(done, counts, generation.ledger)
            if generation.ledger.violations:
                break
        generation.end()
        for name, count in generation.ledger.counts.items():
            counts[name] = counts.get(name, 0) + count
        if generation.ledger.violations:
            return counts, generation.ledger.violations
    return counts, []


def show_progress(total, started):
    shown = [0.0]

    def show(done, counts, ledger):
        now = time.monotonic()
        if now - shown[0] < (1 if sys.stdout.isatty() else 15) and done != total:
            return
        shown[0] = now
        tasks = counts.get("tasks", 0) + ledger.counts["tasks"]
        end = "\r" if sys.stdout.isatty() and done != total else "\n"
        print(f"{done} of {total} cycles, {tasks} tasks, {now - started:.0f} s", end=end, flush=True)
    return show


def main():
    parser = argparse.ArgumentParser(prog="scripts/crash", description=__doc__)
    parser.add_argument("--cycles", type=int, default=200, help="lives of the gateway (200)")
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000),
                        help="of everything that is chosen at random (random itself)")
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "release" / "interline")
    options = parser.parse_args()
    if not options.program.exists():
        parser.error(f"there is no {options.program}: build the release preset first")
    limit_core_files()
    started = time.monotonic()
    print(f"seed {options.seed}", flush=True)
    counts, violations = run(options.program.resolve(), options.cycles, options.seed,
                             show_progress(options.cycles, started))
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    for violation in violations[:50]:
        print(f"VIOLATION {violation}")
    print(f"{len(violations)} promises broken in {options.cycles} cycles,"
          f" seed {options.seed}, {time.monotonic() - started:.0f} s")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
