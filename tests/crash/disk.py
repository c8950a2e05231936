"""A full disk: new work is refused clearly, what runs settles from the store's reserve, and everything
is there once there is space again.

The disk is a small tmpfs in a mount namespace of the harness's own, so that nobody else sees it;
without the rights for one (no root, no user namespaces) there is nothing to run.
"""
import errno
import os
import random
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from crash.generation import Generation
from crash.load import Load, settle

DISK = 48 << 20  # the store's reserve takes a third of it
SLACK, BLOCK = 2 << 20, 4096
WORKERS = 6
SETTLE_WITHIN = 60
WAITING = ("steps",)  # has output, which is not written out of the reserve, and settles after it
REFUSED_WITHIN = 30
INSIDE = "INTERLINE_CRASH_NAMESPACE"


def enter_namespace():
    """Runs this program again where it may mount; "" there, elsewhere why it cannot be done."""
    if INSIDE in os.environ:
        return ""
    command = ["unshare", "--mount"] + (["--user", "--map-root-user"] if os.geteuid() else [])
    try:
        probe = subprocess.run([*command, "mount", "-t", "tmpfs", "none", "/mnt"],
                               capture_output=True, text=True)
    except OSError as error:
        return f"unshare: {error.strerror}"
    if probe.returncode:
        return probe.stderr.strip() or "unshare failed"
    os.environ[INSIDE] = "1"
    os.execvp(command[0], [*command, sys.executable, "-B", *sys.argv])


class Disk:
    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="interline-disk-"))
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", str(self.folder)],
                       check=True)
        self.ballast = self.folder / "ballast"

    def fill(self):
        """Takes what is free now, and hardly anything of what the gateway gives up meanwhile."""
        size = self.ballast.stat().st_size if self.ballast.exists() else 0
        with open(self.ballast, "ab", buffering=0) as file:
            # Most of it at once: a failure of this alone would make the disk look full for a while.
            if (most := self.available() - SLACK) > 0:
                os.posix_fallocate(file.fileno(), size, most)
                file.seek(0, os.SEEK_END)
            for _ in range(self.available() // BLOCK + 1):
                try:
                    file.write(b"\0" * BLOCK)
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise
                    return

    def available(self):
        state = os.statvfs(self.folder)
        return state.f_bavail * state.f_frsize

    def listing(self):
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        return ", ".join(f"{path.name} {path.stat().st_blocks * 512}" for path in files)

    def free(self):
        self.ballast.unlink()

    def unmount(self):
        subprocess.run(["umount", "--lazy", str(self.folder)], check=True)
        self.folder.rmdir()


def round_of(generation, disk, number):
    """The disk is filled under load; the gateway goes on, or is killed, or ended, on the full disk.
    `greedy`: something else takes the space of the reserve too, as soon as it is there."""
    rng = random.Random(f"{generation.seed}-{number}")
    how, greedy = rng.choice(("go on", "kill", "term")), rng.random() < 0.3
    name = f"{generation.seed}-{number}"
    gateway = generation.start()
    if not generation.ready(gateway):
        return
    load = Load(generation.clients(gateway), name, WORKERS)
    threading.Event().wait(rng.uniform(0.05, 0.3))  # time alone: it is the experiment
    disk.fill()
    if not load.turned_away.wait(REFUSED_WITHIN):
        generation.ledger.violated("the disk is full, and nothing new is refused")
    load.stop()
    if greedy:
        disk.fill()
    if how != "go on":
        generation.end_life(gateway.kill if how == "kill" else gateway.terminate)
        gateway = generation.start()
        started = gateway.wait_ready()
        if not started and greedy:  # it said why, and starts when there is space
            generation.ledger.counts["refused to start"] += 1
            gateway.kill()  # should it still be at it
        elif not started:
            generation.ledger.violated(f"did not start on a full disk: {gateway.last_words()}"
                                       f"{disk.listing()}")
    if not greedy and gateway.alive():
        running = [call for call in generation.ledger.unsettled()
                   if call.task and call.tool not in WAITING]
        settle(generation.clients(gateway), running, SETTLE_WITHIN)
        for call in running:
            if call.task in generation.ledger.open:
                generation.ledger.violated(f"stuck on a full disk: {call.task} {call.key}")
    disk.free()
    generation.ledger.counts[f"disk full, {how}{', no reserve' if greedy else ''}"] += 1
    generation.settle(gateway if gateway.alive() else None)


def run(program, rounds, seed, progress):
    """(counts, violations); stops at the first round that shows a violation."""
    disk = Disk()
    try:
        generation = Generation(program, f"{seed}-disk", disk.folder / "var")
        for number in range(rounds):
            round_of(generation, disk, number)
            progress(number + 1, {}, generation.ledger)
            if generation.ledger.violations:
                break
        generation.end()
    finally:
        disk.unmount()
    return dict(generation.ledger.counts), generation.ledger.violations
