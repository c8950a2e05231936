// product.md, "The exec runtime": processes, their beginning and their end.

#include "runtimes/exec/exec_fixture.hpp"

namespace interline::runtimes::exec {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using testing::FakeJob;
using Lines = std::vector<std::string>;

// A call of "stay" is never ended, of "die" ends the process, of anything else is answered with the
// process's number; the first line of each life is noted.
constexpr const char* kAgent = R"(
note(os.getpid())
for m in lines():
    if m["type"] != "call": continue
    if m["tool"] == "stay": send("progress", task=m["task"], message=str(os.getpid()))
    elif m["tool"] == "die": sys.exit(7)
    else: send("result", task=m["task"], text=str(os.getpid()))
)";

class ExecProcess : public ExecTest {
 protected:
  /// The number of the process that answered.
  static std::string answered(FakeJob& job) {
    const std::string report = job.next();
    const auto from = report.find("\"text\":\"") + 8;
    if (!report.starts_with("complete")) throw std::runtime_error(report);
    return report.substr(from, report.find('"', from) - from);
  }
  static std::string stays(FakeJob& job) {
    const std::string report = job.next();
    if (!report.starts_with("progress message=")) throw std::runtime_error(report);
    return report.substr(17);
  }
  bool drain(milliseconds grace) {
    auto work = [](ExecRuntime& of, milliseconds within) -> engine::awaitable<bool> {
      co_await of.drain(within);
      co_return true;
    };
    return fixture.run(work(*runtime, grace));
  }
};

constexpr const char* kDied =
    "fail unavailable retryable: The agent's process ended before the call did.";

TEST_F(ExecProcess, ManyFirstCallsNeedOneStart) {
  open(with(kAgent, 50));
  std::vector<std::shared_ptr<FakeJob>> jobs;
  for (int i = 0; i < 50; ++i) jobs.push_back(start("h" + std::to_string(i)));
  const std::string pid = answered(*jobs[0]);
  for (std::size_t i = 1; i < jobs.size(); ++i) EXPECT_EQ(answered(*jobs[i]), pid);
  EXPECT_EQ(fixture.notes(), Lines{pid});
}

TEST_F(ExecProcess, NothingIsStartedBeforeItIsNeeded_UnlessAskedFor) {
  open(with(kAgent));
  EXPECT_TRUE(drain(hours(1)));
  EXPECT_EQ(fixture.notes(), Lines{});
  fixture.make_gate("up");
  auto configuration = with("gate('up')\n" + std::string(kAgent));
  configuration.cold_start = false;
  configuration.processes = 2;
  open(configuration);
  fixture.open_gate("up");  // both come up without a call
  fixture.open_gate("up");
}

TEST_F(ExecProcess, OneThatDiesIsReadToItsEndThenItsOpenTasksFail) {
  open(with(R"(
kept = []
for m in lines():
    kept.append(m["task"])
    if len(kept) < 3: continue
    write(json.dumps({"type": "progress", "task": kept[0], "message": "last words"}) + "\n" +
          json.dumps({"type": "result", "task": kept[1], "text": "done"}) + "\n" +
          json.dumps({"type": "result", "task": kept[2], "text": "no newline"}))
    os.kill(os.getpid(), signal.SIGKILL)
)",
            3));
  const auto a = start("a");
  const auto b = start("b");
  const auto c = start("c");
  EXPECT_EQ(a->next(), "progress message=last words");
  EXPECT_EQ(a->next(), kDied);
  EXPECT_EQ(b->next(), R"(complete {"content":[{"type":"text","text":"done"}]})");
  EXPECT_EQ(c->next(), R"(complete {"content":[{"type":"text","text":"no newline"}]})");
  EXPECT_TRUE(drain(hours(1)));
  EXPECT_NE(fixture.sink->text().find("killed by signal 9"), std::string::npos);
}

TEST_F(ExecProcess, OneThatDiedIsStartedAgain) {
  open(with(kAgent, 2));
  const std::string first = answered(*start("a"));
  const auto dying = start("b", "die");
  EXPECT_EQ(dying->next(), kDied);
  EXPECT_NE(answered(*start("c")), first);
  EXPECT_EQ(fixture.notes().size(), 2U);
}

TEST_F(ExecProcess, TheNextStartWaitsForTheBackoff) {
  auto configuration = with(kAgent);
  configuration.backoff_min = configuration.backoff_max = hours(1);
  open(configuration);
  EXPECT_EQ(start("a", "die")->next(), kDied);
  const auto waits = start("b");
  waits->cancel();
  EXPECT_EQ(waits->next(), "cancelled") << "it waited, as no process was started";
  EXPECT_EQ(fixture.notes().size(), 1U);
  EXPECT_FALSE(runtime->available());
}

TEST_F(ExecProcess, WhatCannotStartFailsCallsAndSaysWhyToTheOperator) {
  ExecConfiguration configuration;
  configuration.program.command = {"/no/such/agent"};
  configuration.backoff_min = milliseconds(1);
  open(configuration);
  EXPECT_EQ(start("a")->next(),
            "fail unavailable retryable: The agent's process cannot be started.");
  EXPECT_EQ(start("b")->next(),
            "fail unavailable retryable: The agent's process cannot be started.");
  const auto tools = fixture.run(runtime->list_tools());
  ASSERT_FALSE(tools);
  EXPECT_EQ(tools.error().message, "cannot start /no/such/agent: No such file or directory");
}

TEST_F(ExecProcess, OneThatDiesBeforeItListsSaysHow) {
  open(with("sys.exit(3)"));
  const auto tools = fixture.run(runtime->list_tools());
  ASSERT_FALSE(tools);
  EXPECT_EQ(tools.error().kind, ErrorKind::unavailable);
  EXPECT_EQ(tools.error().message, "the agent's process ended (exit status 3)");
}

TEST_F(ExecProcess, OneThatNeverListsIsNotWaitedForForEver) {
  auto configuration = with("for m in lines(): pass");
  configuration.list_timeout = milliseconds(1);
  open(configuration);
  EXPECT_EQ(fixture.run(runtime->list_tools()).error().message,
            "the agent did not list its tools in time");
}

TEST_F(ExecProcess, ACancelThatIsIgnoredNeverKillsTheOthersOfItsProcess) {
  auto configuration = with(kAgent, 3);
  configuration.cancel_grace = milliseconds(1);
  open(configuration);
  const auto ignored = start("ignored", "stay");
  const auto other = start("other", "stay");
  const std::string pid = stays(*ignored);
  EXPECT_EQ(stays(*other), pid);
  ignored->cancel();
  // Its process gets no new calls: sooner or later one of another process answers.
  int calls = 0;
  while (answered(*start("new" + std::to_string(++calls))) == pid) {
  }
  EXPECT_EQ(ignored->unread(), 0U) << "its work goes on, so it is not cancelled yet";
  EXPECT_EQ(other->unread(), 0U) << "and the other one was not disturbed";
  other->stop();  // now it has no others, and stop_grace is an hour: still not ended
  EXPECT_EQ(ignored->unread(), 0U);
}

TEST_F(ExecProcess, OneThatKeepsADeadCallIsEndedWhenItHasNoOthers) {
  auto configuration = with(R"(
for m in lines():
    if m["type"] == "call": send("progress", task=m["task"], message=str(os.getpid()))
    if m["type"] == "call" and m["tool"] == "gate":
        gate("go")
        send("result", task=m["task"], text="fine")
)",
                            2);
  configuration.cancel_grace = milliseconds(1);
  open(configuration);
  fixture.make_gate("go");
  const auto ignored = start("ignored", "stay");
  const long pid = std::stol(stays(*ignored));
  const auto other = start("other", "gate");
  (void)stays(*other);
  ignored->cancel();
  fixture.open_gate("go");
  EXPECT_EQ(other->next(), R"(complete {"content":[{"type":"text","text":"fine"}]})");
  EXPECT_EQ(ignored->next(), "cancelled") << "its process is ended, so its work is";
  testing::wait_until_dead(pid);
}

TEST_F(ExecProcess, ADeadlineThatIsIgnoredEndsTheProcessWhenItHasNoOthers) {
  auto configuration = with(kAgent);
  configuration.stop_grace = milliseconds(1);
  open(configuration);
  const auto late = start("late", "stay");
  const std::string pid = stays(*late);
  late->stop();
  EXPECT_NE(answered(*start("next")), pid) << "another process is started for the next call";
  testing::wait_until_dead(std::stol(pid));
  EXPECT_EQ(late->unread(), 0U) << "its task has settled: nothing more is reported";
}

TEST_F(ExecProcess, OneThatGivesUpADeadCallInTimeStays) {
  open(with(R"(
note("start")
for m in lines():
    if m["type"] == "cancel": send("cancelled", task=m["task"])
    elif m["tool"] == "stay": send("progress", task=m["task"], message=str(os.getpid()))
    else: send("result", task=m["task"], text=str(os.getpid()))
)"));
  for (int i = 0; i < 5; ++i) {
    const auto late = start("late" + std::to_string(i), "stay");
    const std::string pid = stays(*late);
    late->stop();
    EXPECT_EQ(answered(*start("next" + std::to_string(i))), pid);
  }
  EXPECT_EQ(fixture.notes(), Lines{"start"});
}

TEST_F(ExecProcess, SigtermThenSigkill) {
  auto configuration = with(R"(
signal.signal(signal.SIGTERM, lambda *_: note("SIGTERM"))
for m in lines(): send("progress", task=m["task"], message=str(os.getpid()))
while True: signal.pause()
)");
  configuration.stop_grace = configuration.kill_grace = milliseconds(50);
  open(configuration);
  const auto late = start("late", "stay");
  const std::string pid = stays(*late);
  late->stop();
  testing::wait_until_dead(std::stol(pid));
  EXPECT_TRUE(drain(hours(1)));
  EXPECT_NE(fixture.sink->text().find("killed by signal 9"), std::string::npos);
}

TEST_F(ExecProcess, TheWholeGroupIsEndedAndNothingIsLeft) {
  open(with(R"(
import subprocess
child = subprocess.Popen(["sleep", "1000000"])
for m in lines(): send("result", task=m["task"], text=str(child.pid))
)"));
  const long grandchild = std::stol(answered(*start("a")));
  EXPECT_TRUE(drain(hours(1)));
  testing::wait_until_dead(grandchild);
  EXPECT_TRUE(testing::no_children()) << "no zombie";
}

TEST_F(ExecProcess, OneThatClosesItsOutputHasEnded) {
  open(with(R"(
for m in lines():
    os.close(1)
    while True: signal.pause()
)"));
  EXPECT_EQ(start("a")->next(), kDied);
  EXPECT_TRUE(drain(hours(1)));
  EXPECT_TRUE(testing::no_children());
}

TEST_F(ExecProcess, OneThatClosesItsInputGetsNothingNew) {
  auto configuration = with(R"(
note("start")
first = json.loads(os.read(0, 100000).split(b"\n")[0])
if len(open(folder + "/notes").readlines()) == 1:
    os.close(0)
    send("progress", task=first["task"], message="deaf")
    while True: signal.pause()
send("result", task=first["task"], text="heard")
)",
                            2);
  configuration.cancel_grace = milliseconds(1);
  open(configuration);
  const auto a = start("a");
  EXPECT_EQ(a->next(), "progress message=deaf");
  EXPECT_EQ(start("unheard")->next(), kDied);
  EXPECT_EQ(a->next(), kDied);
  EXPECT_EQ(start("b")->next(), R"(complete {"content":[{"type":"text","text":"heard"}]})");
}

TEST_F(ExecProcess, OneThatDoesNotReadIsBounded) {
  fixture.make_gate("never");
  open(with("gate('never')", 3));
  const std::string large = "\"" + std::string(std::size_t{9} * 1024 * 1024, 'x') + "\"";
  const auto queued = fixture.job("queued", "work", large);
  runtime->start(queued);
  const auto refused = fixture.job("refused", "work", large);
  runtime->start(refused);
  EXPECT_EQ(refused->next(),
            "fail unavailable retryable: The agent's process does not read its input.");
  EXPECT_EQ(queued->unread(), 0U);
}

TEST_F(ExecProcess, StderrGoesToTheLogWithinBounds) {
  auto configuration = with(R"(
sys.stderr.write("hello from the agent\n")
sys.stderr.write("x" * 100000 + "\n")
for i in range(5000): sys.stderr.write("noise\n")
sys.stderr.flush()
for m in lines(): send("result", task=m["task"], text="")
)");
  configuration.error_lines_per_second = 5;
  open(configuration);
  (void)start("a")->next();
  EXPECT_TRUE(drain(hours(1)));
  const std::string text = fixture.sink->text();
  EXPECT_NE(text.find("hello from the agent"), std::string::npos);
  EXPECT_NE(text.find("lines dropped"), std::string::npos);
  EXPECT_LT(fixture.sink->entries().size(), 4'000U);
  EXPECT_LT(text.size(), 400'000U);
}

TEST_F(ExecProcess, EnvironmentAndFolderAreThoseOfTheConfiguration) {
  ::setenv("INTERLINE_TEST_SECRET", "hidden", 1);
  ::setenv("INTERLINE_TEST_SHARED", "shared", 1);
  auto configuration = with(R"(
for m in lines():
    e = os.environ
    send("result", task=m["task"], text=" ".join([
        str(e.get("GIVEN")), str(e.get("INTERLINE_TEST_SHARED")), str(e.get("INTERLINE_TEST_SECRET")),
        str(os.path.samefile(".", folder))]))
)");
  configuration.program.directory = fixture.path("");
  configuration.program.environment = {{"GIVEN", "value"}};
  configuration.program.inherit.push_back("INTERLINE_TEST_SHARED");
  open(configuration);
  EXPECT_EQ(answered(*start("a")), "value shared None True");
}

TEST_F(ExecProcess, DrainLetsRunningCallsEndAndTakesNoNewOnes) {
  fixture.make_gate("go");
  open(with(R"(
for m in lines():
    send("progress", task=m["task"], message="on it")
    gate("go")
    send("result", task=m["task"], text="fine")
)"));
  const auto running = start("running");
  (void)running->next();
  std::thread drained([this] { EXPECT_TRUE(drain(hours(1))); });
  fixture.open_gate("go");
  EXPECT_EQ(running->next(), R"(complete {"content":[{"type":"text","text":"fine"}]})");
  drained.join();
  EXPECT_EQ(start("new")->next(), "fail unavailable retryable: The gateway is shutting down.");
  EXPECT_FALSE(fixture.run(runtime->list_tools()));
  EXPECT_TRUE(testing::no_children());
}

TEST_F(ExecProcess, DrainFailsWhatDoesNotEndInTime) {
  open(with(kAgent));
  const auto running = start("running", "stay");
  (void)stays(*running);
  const auto waiting = start("waiting");
  EXPECT_TRUE(drain(milliseconds(1)));
  EXPECT_EQ(waiting->next(), "fail unavailable retryable: The gateway is shutting down.");
  EXPECT_EQ(running->next(), kDied);
  EXPECT_TRUE(testing::no_children());
}

TEST_F(ExecProcess, ARuntimeThatIsGivenUpEndsWhatItHas) {
  open(with(kAgent));
  const auto running = start("running", "stay");
  const std::string pid = stays(*running);
  runtime.reset();
  EXPECT_EQ(running->next(), kDied);
  testing::wait_until_dead(std::stol(pid));
}

}  // namespace
}  // namespace interline::runtimes::exec
