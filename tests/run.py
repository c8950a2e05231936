#!/usr/bin/python3
"""Builds everything and runs every test; ./test calls this once the packages are installed."""
import argparse
import signal
import sys
from pathlib import Path

from harness import steps
from harness.process import end_all
from harness.report import Report

ROOT = Path(__file__).resolve().parent.parent


def chosen(names):
    """The steps to run, in their own order whatever order they were asked for in."""
    unknown = sorted(set(names) - {step.name for step in steps.ALL})
    if unknown:
        known = ", ".join(step.name for step in steps.ALL)
        print(f"test: no step is named {', '.join(unknown)}; the steps are: {known}", file=sys.stderr)
        sys.exit(2)
    return [step for step in steps.ALL if not names or step.name in names]


def main():
    parser = argparse.ArgumentParser(prog="./test")
    parser.add_argument("--all", action="store_true", help="add the long runs")
    parser.add_argument("--only", default="", help="steps to run, separated by commas")
    parser.add_argument("--list", action="store_true", help="print the steps")
    options = parser.parse_args()
    todo = chosen([name for name in options.only.split(",") if name])
    if options.list:
        for step in todo:
            print(f"{step.name:10} {step.summary}")
        return 0

    signal.signal(signal.SIGTERM, end_all)
    signal.signal(signal.SIGINT, end_all)
    report = Report(ROOT / "build" / "logs")
    context = steps.Context(ROOT, report, long=options.all)
    try:
        for step in todo:
            context.run(step)
    except KeyboardInterrupt:
        report.result("interrupted", 0, 1, 0.0)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
