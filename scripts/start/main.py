#!/usr/bin/python3 -B
"""Runs Prosody, Interline and the example agents on this machine; ./start calls this once they are
installed and built."""
import argparse
import os
import signal
import sys

import walkthrough
from world import ROOT, Failed, World


def where(world):
    folder = shown(world.folder)
    return f"""
Interline is running, on this machine alone:

  gateway        http://127.0.0.1:{world.ports['http']}  (try /readyz)   log: {folder}/interline.log
  XMPP server    127.0.0.1:{world.ports['c2s']}, example.test     log: {folder}/prosody.log
  agents         weather, counter, concierge, sleeper @agents.example.test
  accounts       alice@example.test, bob@example.test      passwords: {folder}/alice.json, bob.json
  configuration  {folder}/interline.toml                   edit it, then: kill -HUP "$(cat {folder}/data/interline.pid)"

A walk-through, for a second terminal:

"""


def shown(path):
    """Paths as they are typed in the repository's folder."""
    relative = os.path.relpath(path, ROOT)
    return str(path) if relative.startswith("..") else relative


def main():
    parser = argparse.ArgumentParser(prog="./start")
    parser.add_argument("--try", dest="attempt", action="store_true", help="run the walk-through")
    parser.add_argument("--dir", default=str(ROOT / "var" / "start"), help="where everything is kept")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends like Ctrl-C
    world = World(options.dir)
    names = shown(world.folder), shown(world.program)
    try:
        print("Starting Prosody and Interline ...", flush=True)
        world.start()
        if options.attempt:
            failed = walkthrough.try_all(ROOT, *names)
            print("Every step did what it says." if not failed else f"{failed} steps failed.")
            return 1 if failed else 0
        print(where(world) + walkthrough.text(*names) + "\nCtrl-C ends it all.", flush=True)
        while True:
            signal.pause()
    except Failed as problem:
        print(f"start: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nEnding ...", flush=True)
        return 1 if options.attempt else 0
    finally:
        world.stop()


if __name__ == "__main__":
    sys.exit(main())
