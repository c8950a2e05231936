"""Every server scenario of the conformance tool against our fixtures, and its client scenarios.

Prints a line a run, and each scenario that failed with why. Ends with 1 where a scenario failed that
not_passing.txt does not name, where one passed that it names, or where the number of scenarios is not
the one that the run has.
"""
import argparse
import os
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from conformance import tool
from conformance.gateway import served

NOT_PASSING = Path(__file__).with_name("not_passing.txt")
TASKS = ("tasks-lifecycle", "tasks-capability-negotiation", "tasks-wire-fields",
         "tasks-request-state-removal", "tasks-mrtr-input", "tasks-request-headers",
         "tasks-dispatch-and-envelope", "tasks-status-notifications", "tasks-required-task-error",
         "tasks-mrtr-composition")


CLIENT = str(tool.ROOT / "build" / "release" / "tests" / "mcp_client")
CLIENT = os.environ.get("MCP_CLIENT", CLIENT)
CLIENT_SCENARIOS = ("tools_call", "request-metadata", "sep-2322-client-request-state",
                    "http-standard-headers", "http-custom-headers", "http-invalid-tool-headers",
                    "json-schema-ref-no-deref", "json-schema-2020-12-preservation")
CLIENT_AUTH_SCENARIOS = tuple(f"auth/{name}" for name in (
    "metadata-default", "metadata-var1", "metadata-var2", "metadata-var3", "basic-cimd",
    "scope-from-www-authenticate", "scope-from-scopes-supported", "scope-omitted-when-undefined",
    "scope-step-up", "scope-retry-limit", "token-endpoint-auth-basic", "token-endpoint-auth-post",
    "token-endpoint-auth-none", "pre-registration", "resource-mismatch", "offline-access-scope",
    "offline-access-not-supported", "authorization-server-migration", "iss-supported",
    "iss-not-advertised", "iss-supported-missing", "iss-wrong-issuer", "iss-unexpected",
    "iss-normalized", "metadata-issuer-mismatch"))
CLIENT_SCENARIOS_OF_2025_11_25 = ("initialize", "tools_call", "elicitation-sep1034-client-defaults",
                                  "sse-retry", "json-schema-2020-12-preservation")
GATEWAY_AS_CLIENT = f"{sys.executable} -B -m conformance.client"


@dataclass(frozen=True)
class Run:
    name: str
    scenarios: int  # how many there are
    arguments: tuple = ()  # of one call of the tool
    each: tuple = ()  # or a call for each of these
    client: str = ""  # the revision that our client is tested in; else it is our server
    command: str = CLIENT  # the client


RUNS = [
    Run("2025-03-26", 1, ("--suite", "all", "--spec-version", "2025-03-26")),
    Run("2025-06-18", 27, ("--suite", "all", "--spec-version", "2025-06-18")),
    Run("2025-11-25", 33, ("--suite", "all", "--spec-version", "2025-11-25")),
    Run("2026-07-28", 40, ("--suite", "all", "--spec-version", "2026-07-28")),
    Run("required-2026-07-28", 50, ("--requirements", "2026-07-28")),  # 13 of them are not scored
    Run("required-2025-11-25", 33, ("--requirements", "2025-11-25")),
    Run("tasks", 10, each=TASKS),
    Run("client-2026-07-28", 8, each=CLIENT_SCENARIOS, client="2026-07-28"),
    Run("client-auth", 25, each=CLIENT_AUTH_SCENARIOS, client="2026-07-28"),
    Run("client-2025-11-25", 5, each=CLIENT_SCENARIOS_OF_2025_11_25, client="2025-11-25"),
    Run("client-2025-06-18", 2, each=("initialize", "tools_call"), client="2025-06-18"),
    Run("gateway-as-client", 3, each=("tools_call", "request-metadata", "sep-2322-client-request-state"),
        client="2026-07-28", command=GATEWAY_AS_CLIENT),
]


@dataclass
class Counts:
    passed: int
    failed: int
    skipped: list


def names():
    return [one.name for one in RUNS]


def counts(outcome):
    """What this program, run by itself, has said."""
    said = re.search(r": (\d+) of \d+ scenarios passed", outcome.output)
    lines = outcome.output.splitlines()
    problems = sum(line.startswith("problem: ") for line in lines)
    skipped = [line for line in lines if line.startswith(("not passing yet: ", "skipped by the tool: "))]
    passed = int(said[1]) if said else 0
    return Counts(passed, problems or (0 if outcome.ok and passed else 1), skipped)


def known_failures(text):
    """(run, scenario) of each line; what follows # is a remark."""
    lines = (line.partition("#")[0].split() for line in text.splitlines())
    return {tuple(words) for words in lines if words}


def scenarios_of(one, url):
    """The run's scenarios by name, and what the tool printed."""
    if not one.each:
        return tool.run(["server", "--url", url, *one.arguments])
    found, printed = {}, []
    for name in one.each:
        side = (["client", "--command", one.command, "--spec-version", one.client] if one.client
                else ["server", "--url", url])
        scenarios, text = tool.run([*side, "--scenario", name])
        found |= scenarios
        printed.append(text)
    return found, "\n".join(printed)


def judge(one, found, known):
    """What is wrong with a run: a line each."""
    problems = []
    for name, scenario in sorted(found.items()):
        expected = (one.name, name) in known
        if scenario.failures and not expected:
            problems += [f"{one.name} {name}: {failure}" for failure in scenario.failures]
        if expected and not scenario.failures:
            problems.append(f"{one.name} {name} is passed: take it out of {NOT_PASSING.name}")
    if len(found) != one.scenarios:
        problems.append(f"{one.name}: {len(found)} scenarios were run, not {one.scenarios}")
    return problems


def summary(one, found, seconds):
    failed = sum(bool(scenario.failures) for scenario in found.values())
    checks = sum(scenario.passed for scenario in found.values())
    warnings = sum(len(scenario.warnings) for scenario in found.values())
    skipped = sum(scenario.skipped for scenario in found.values())
    return (f"{one.name}: {len(found) - failed} of {one.scenarios} scenarios passed, {failed} failed "
            f"({checks} checks passed, {warnings} warnings, {skipped} skipped; {seconds:.1f} s)")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", action="append", help="a run by its name; all of them if not said")
    parser.add_argument("--url", help="of another server, which is running")
    parser.add_argument("--verbose", action="store_true", help="known failures too")
    options = parser.parse_args()
    known = known_failures(NOT_PASSING.read_text())
    chosen = [one for one in RUNS if not options.run or one.name in options.run]
    if options.url:
        return run_all(chosen, options.url, known, options.verbose)
    if all(one.client for one in chosen):
        return run_all(chosen, "", known, options.verbose)
    with served() as url:
        return run_all(chosen, url, known, options.verbose)


def run_all(chosen, url, known, verbose):
    problems = []
    for one in chosen:
        started = time.monotonic()
        found, printed = scenarios_of(one, url)
        print(summary(one, found, time.monotonic() - started), flush=True)
        if not found:
            print(printed)
        for scenario in found.values():
            tell(one, scenario, known, verbose)
        problems += judge(one, found, known)
    for problem in problems:
        print(f"problem: {problem}")
    return 1 if problems or not chosen else 0


def tell(one, scenario, known, verbose):
    """What is no problem, and yet to be known."""
    if scenario.failures and (one.name, scenario.name) in known:
        print(f"not passing yet: {one.name} {scenario.name}")
    if scenario.skipped and not scenario.passed and not scenario.failures:
        print(f"skipped by the tool: {one.name} {scenario.name}")
    for words in scenario.warnings + (scenario.failures if verbose else []):
        print(f"  {one.name} {scenario.name}: {words}")


if __name__ == "__main__":
    sys.exit(main())
