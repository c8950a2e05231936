"""Reads a data directory whose gateway is gone, and holds it against the ledger.

The database is copied first, with its write-ahead log: looking must not mend anything.
"""
import shutil
import sqlite3
import tempfile
from pathlib import Path

# src/store/stored_values.hpp and src/tasks/model.hpp
STATES = ("accepted", "running", "input_required", "cancelling", "completed", "failed", "cancelled")
FIRST_TERMINAL = STATES.index("completed")


def read(data_dir):
    """([task rows], {task number: [(sequence, revision, state, event id)]}, what is damaged)."""
    with tempfile.TemporaryDirectory(prefix="interline-crash-") as scratch:
        for path in Path(data_dir).glob("interline.db*"):
            if path.name in ("interline.db", "interline.db-wal"):
                shutil.copy(path, scratch)
        database = sqlite3.connect(Path(scratch) / "interline.db")
        try:
            damage = database.execute("PRAGMA integrity_check").fetchone()[0]
            tasks = database.execute(
                "SELECT t.number, t.id, t.state, t.revision, a.arguments ->> '$.key' FROM tasks t"
                " JOIN admissions a ON a.task = t.number").fetchall()
            log = {}
            for number, *entry in database.execute(
                    "SELECT task, sequence, revision, state, event_id FROM log"
                    " ORDER BY task, sequence"):
                log.setdefault(number, []).append(entry)
        finally:
            database.close()
    return tasks, log, "" if damage == "ok" else damage


def ends(tasks):
    """(task, the key of its call, whether it has ended) of every row."""
    return [(task, key, state >= FIRST_TERMINAL) for _, task, state, _, key in tasks]


def check(ledger, tasks, log, damage):
    """Adds to the ledger's violations what the stored rows break."""
    if damage:
        ledger.violated(f"damaged: {damage}")
    ids, keys = set(), {}
    for number, task, state, revision, key in tasks:
        ids.add(task)
        if key in keys:
            ledger.violated(f"doubled: {keys[key]} and {task} are both stored for {key}")
        keys[key] = task
        check_log(ledger, task, STATES[state], revision, log.get(number, []))
    with ledger.lock:
        for task in ledger.tasks.keys() - ids:
            ledger.violated(f"lost: the acknowledged task {task} is not stored")
        for key, task in keys.items():
            call = ledger.calls.get(key)
            if call is None or (call.task or task) != task:
                ledger.violated(f"doubled: {task} is stored for {key}, which is {call}")


def check_log(ledger, task, state, revision, entries):
    """Revisions without a gap, sequences too, nothing after the end, and as it was seen."""
    if [entry[0] for entry in entries] != list(range(1, len(entries) + 1)):
        ledger.violated(f"gap: sequences stored of {task}: {[entry[0] for entry in entries]}")
    events = [entry for entry in entries if entry[1] is not None]
    if [entry[1] for entry in events] != list(range(1, revision + 1)):  # 0 is the admission
        ledger.violated(f"gap: revisions stored of {task}, which is at {revision}:"
                        f" {[entry[1] for entry in events]}")
    if events and STATES[events[-1][2]] != state:
        ledger.violated(f"changed: {task} is stored as {state}, its last event is another")
    if any(entry[2] >= FIRST_TERMINAL for entry in events[:-1]):
        ledger.violated(f"after the end: {task} has events stored after its terminal one")
    known = ledger.tasks.get(task)
    if known is None:
        return
    if revision < known.revision:
        ledger.violated(f"went back: {task} was at {known.revision}, is stored at {revision}")
    if known.end and (state, revision) != known.end[:2]:
        ledger.violated(f"terminal changed: {task} was {known.end[:2]}, is stored {state}")
    for _, number, stored_state, event_id in events:
        if known.states.get(number, STATES[stored_state]) != STATES[stored_state]:
            ledger.violated(f"changed: {task} was {known.states[number]} at {number}")
        if known.events.get(number, event_id) != event_id:
            ledger.violated(f"event: {task} had another event at {number}")
