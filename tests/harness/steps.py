"""The steps of ./test, in their order."""
import os
import shutil
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from conformance import run as conformance_runs
from harness import ctest, docs, gtest
from harness import live as live_scenarios
from harness.process import run
from house import checks

CRASH_CYCLES = {False: 200, True: 10_000}  # by whether it is a long run
CRASH_DISKS = {False: 6, True: 100}
FUZZ_SECONDS = {"short": 60, "long": 300}
# The short run tries the same inputs every time and on every machine, a number of them that two cores
# do in seconds, so that what it says of a change is about the change; long runs and scripts/fuzz go
# where nobody has been.
FUZZ_INPUTS = 20_000
FUZZ_INPUTS_OF_SLOW = dict.fromkeys(["fuzz_configuration", "fuzz_http_response", "fuzz_log_value",
                                     "fuzz_mcp_lines", "fuzz_pattern", "fuzz_schema",
                                     "fuzz_xmpp_dispatch"], 2_500)
# ThreadSanitizer of this compiler cannot place its shadow memory where addresses are randomised as
# widely as newer kernels do.
FIXED_ADDRESSES = ["setarch", os.uname().machine, "--addr-no-randomize"]


@dataclass
class Step:
    name: str
    summary: str
    run: object


class Context:
    """What the steps share: the tree, the report, and which presets were built."""

    def __init__(self, root, report, long):
        self.root, self.report, self.long = root, report, long
        self.cores = os.cpu_count() or 1
        self.broken_build = False

    def run(self, step):
        self.report.step(step.name, step.summary)
        step.run(self)

    def build(self, preset, target="all"):
        """Configures and builds a preset; a failure counts as one and ends further building."""
        if self.broken_build:
            self.report.note("not built: an earlier build failed")
            return False
        started = time.monotonic()
        # Where there is a ccache, two clones of this repository share what it holds.
        env = {"CCACHE_BASEDIR": os.environ.get("CCACHE_BASEDIR", str(self.root)),
               "CCACHE_NOHASHDIR": "1"}
        outcome = run(["cmake", "--preset", preset], self.root)
        if outcome.ok:
            outcome = run(["cmake", "--build", "--preset", preset, "--target", target,
                           "--", "-j", str(self.cores)], self.root, timeout=3600, env=env)
        seconds = time.monotonic() - started
        if outcome.ok:
            self.report.note(f"built in {seconds:.1f} s")
        else:
            self.broken_build = True
            self.report.result(f"build {preset}", 0, 1, seconds, output=outcome.output)
        return outcome.ok

    def each(self, function, items):
        """Runs function over the items, as many at once as there are cores."""
        with ThreadPoolExecutor(self.cores) as pool:
            list(pool.map(function, items))


def run_gtests(context, preset, label=None, prefix=()):
    """Every GoogleTest program of a preset (with the label, if given)."""
    found = [test for test in ctest.tests(context.root / "build" / preset)
             if label is None or label in test.labels]
    if not found:
        context.report.check(f"{preset} tests", f"the {preset} preset has no test", 0)

    def one(test):
        with tempfile.TemporaryDirectory() as scratch:
            written = Path(scratch) / "report.json"
            outcome = run([*prefix, *test.command, f"--gtest_output=json:{written}"], context.root,
                          env={"INTERLINE_LONG": "1"} if context.long else None,
                          timeout=7200 if context.long else 900)
            counts = gtest.read(outcome, written.read_text() if written.exists() else "")
        output = gtest.failures(outcome.output) if counts.failed else outcome.output
        context.report.result(test.name, counts.passed, counts.failed, outcome.seconds,
                              "; ".join(counts.said), output, counts.skipped)

    context.each(one, found)


def house(context):
    for check in checks.ALL:
        started = time.monotonic()
        problems = check.run(context.root)
        context.report.check(check.name, "\n".join(problems), time.monotonic() - started)
    outcome = run(["/usr/bin/python3", "-B", "-m", "unittest", "discover", "-s", "tests", "-t",
                   "tests", "-p", "*_test.py"], context.root)
    passed, failed = checks.unittest_counts(outcome)
    context.report.result("tests of the checks", passed, failed, outcome.seconds,
                          output=outcome.output)


def release(context):
    if context.build("release"):
        run_gtests(context, "release")


def live(context):
    if context.build("release", target="interline"):
        live_scenarios.scenarios(context)


def conformance(context):
    """The official MCP conformance tool: a line a run, with its scenarios counted."""
    if not context.build("release", target="interline") or not context.build("release",
                                                                             target="mcp_client"):
        return
    started = time.monotonic()
    context.report.check("npm packages", live_scenarios.install_packages(context.root),
                         time.monotonic() - started)
    for name in conformance_runs.names():
        outcome = run(["/usr/bin/python3", "-B", "-m", "conformance.run", "--run", name],
                      context.root / "tests", timeout=1200)
        counts = conformance_runs.counts(outcome)
        context.report.result(name, counts.passed, counts.failed, outcome.seconds,
                              output=outcome.output, skipped=counts.skipped)


def asan(context):
    if context.build("asan"):
        run_gtests(context, "asan")


def tsan(context):
    if context.build("tsan", target="threaded_tests"):
        run_gtests(context, "tsan", label="threaded", prefix=FIXED_ADDRESSES)


def suite(context):
    """The official JSON Schema suites, as a user would run them."""
    program = context.root / "build" / "release" / "interline"
    vectors = context.root / "tests" / "vectors" / "json-schema-test-suite" / "tests"
    for folder in ("draft2020-12", "draft7"):
        outcome = run([str(program), "schema", "suite", str(vectors / folder)], context.root)
        lines = outcome.output.strip().splitlines() or ["nothing printed"]
        context.report.check(f"interline schema suite {folder}",
                             "" if outcome.ok else outcome.output or "no output",
                             outcome.seconds, lines[-1])


def crash(context):
    """The gateway killed under load; the counts and the seed are in the line that is printed."""
    for name, options in (("killed under load", ["--cycles", str(CRASH_CYCLES[context.long])]),
                          ("full disk", ["--full-disk", str(CRASH_DISKS[context.long])])):
        outcome = run([str(context.root / "scripts" / "crash"), *options], context.root,
                      timeout=14400 if context.long else 1200)
        lines = outcome.output.strip().splitlines() or ["nothing printed"]
        skipped = [lines[-1]] if lines[-1].startswith("skipped: ") else []
        context.report.result(name, 1 if outcome.ok and not skipped else 0, 0 if outcome.ok else 1,
                              outcome.seconds, lines[-1], outcome.output, skipped)


def start(context):
    """The walk-through of ./start, each step checked for what it says."""
    with tempfile.TemporaryDirectory(prefix="interline-start-") as folder:
        outcome = run(["./start", "--try", "--dir", folder], context.root, timeout=1200)
    context.report.check("./start --try", "" if outcome.ok else outcome.output or "no output",
                         outcome.seconds)


def documents(context):
    program = context.root / "build" / "release" / "interline"
    found = docs.documents(context.root)
    if not found:
        context.report.check("documents", "no document has a command to run", 0)
    for path in found:
        started = time.monotonic()
        blocks, problem = docs.check(context.root, path, program)
        context.report.check(str(path.relative_to(context.root)), problem,
                             time.monotonic() - started, f"{blocks} blocks run")


def fuzz(context):
    if not context.build("fuzz", target="fuzz_targets"):
        return
    length = "long" if context.long else "short"
    seconds = FUZZ_SECONDS[length]

    def extent(name):
        inputs = FUZZ_INPUTS_OF_SLOW.get(name, FUZZ_INPUTS)
        return [] if context.long else ["-seed=1", f"-runs={inputs}"]

    def one(test):
        scratch = Path(tempfile.mkdtemp(prefix="interline-fuzz-"))
        found = context.root / "build" / "fuzz" / "found"
        found.mkdir(exist_ok=True)
        # New inputs go to the first folder; the committed corpus is only read.
        outcome = run([*test.command, str(scratch), str(corpus_of(context.root, test.name)),
                       f"-max_total_time={seconds}", *extent(test.name), "-timeout=10", "-rss_limit_mb=2048",
                       "-print_final_stats=1", f"-artifact_prefix={found}/{test.name}-"],
                      context.root, timeout=seconds + 120)
        shutil.rmtree(scratch)
        context.report.check(test.name, "" if outcome.ok else outcome.output or "no output",
                             outcome.seconds, final_stat(outcome.output, "number_of_executed_units"))

    targets = ctest.tests(context.root / "build" / "fuzz")
    if not targets:
        context.report.check("fuzz targets", "there is no fuzz target", 0)
    context.each(one, targets)


def corpus_of(root, name):
    return root / "fuzz" / "corpus" / name.removeprefix("fuzz_")


def final_stat(output, name):
    for line in output.splitlines():
        if line.startswith(f"stat::{name}"):
            return f"{line.split()[-1]} inputs"
    return ""


ALL = [
    Step("house", "arrows, format, sizes, words, and the tests of these checks", house),
    Step("release", "every test, optimised as for users", release),
    Step("live", "the program behind real XMPP servers, called by real clients", live),
    Step("conformance", "the official MCP conformance tool against our fixtures", conformance),
    Step("suite", "the official JSON Schema suites, by the command line", suite),
    Step("start", "the first run, as a newcomer does it", start),
    Step("crash", "the gateway killed under load, and its disk filled, again and again", crash),
    Step("docs", "the commands printed in the documents", documents),
    Step("asan", "every test with AddressSanitizer and UndefinedBehaviorSanitizer", asan),
    Step("tsan", "the tests of what threads share, with ThreadSanitizer", tsan),
    Step("fuzz", "libFuzzer, the same inputs every time (./test --all: new ones, minutes a target)", fuzz),
]
