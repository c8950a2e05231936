// What a crash, a shutdown, a full disk and time itself leave of tasks.
#include <thread>

#include <gtest/gtest.h>

#include "base/manual_clock.hpp"
#include "bench.hpp"
#include "store/testing/test_store.hpp"

namespace interline::testing {
namespace {

using namespace std::chrono_literals;
using tasks::State;

const std::string kResult = R"({"content":[]})";

EngineOptions with_clock(const Clock& clock) {
  EngineOptions options;
  options.clock = &clock;
  return options;
}

TEST(Engine_Restart, RunsAgainWhatItsEndpointAllows) {
  engine::LaneConfiguration lane;
  lane.rerun_on_restart = true;
  EngineBench bench(lane);
  std::string id;
  const auto work = bench.work(id);
  work->ask({asks("a")});
  const tasks::Task asked = bench.until(id, State::input_required);
  bench.restart();
  const auto again = bench.puppet().next();
  EXPECT_FALSE(again->job->input().state);
  EXPECT_TRUE(again->job->input().open_questions.empty());
  // The caller is still asked, until the work asks anew: with what it asked before, or something
  // else.
  EXPECT_EQ(bench.state(id).state, State::input_required);
  EXPECT_EQ(bench.state(id).pending->id, asked.pending->id);
  again->ask({asks("a"), asks("b")});
  const auto other_request = [&](const tasks::Task& task) {
    return task.pending && task.pending->id != asked.pending->id;
  };
  tasks::Task now = bench.state(id);
  while (!other_request(now)) now = bench.state(id);
  EXPECT_EQ(now.pending->questions.size(), 2U);
  EXPECT_EQ(now.revision, asked.revision + 1);
  engine::Input late;
  late.task = id;
  late.request = asked.pending->id;
  late.value = R"("x")";
  EXPECT_EQ(bench.run(bench.engine().provide_input(kAlice, late)).error().kind,
            ErrorKind::conflict);
  again->job->complete(kResult);
  EXPECT_EQ(bench.until(id, State::completed).state, State::completed);
}

TEST(Engine_Restart, AnAnswerToAQuestionOfWorkThatIsGoneIsNotToldToItsSuccessor) {
  engine::LaneConfiguration lane;
  lane.rerun_on_restart = true;
  EngineBench bench(lane);
  std::string id;
  bench.work(id)->ask({asks("a")});
  const tasks::Task asked = bench.until(id, State::input_required);
  bench.restart();
  const auto again = bench.puppet().next();
  engine::Input input;
  input.task = id;
  input.request = asked.pending->id;
  input.value = R"("early")";
  ASSERT_TRUE(bench.run(bench.engine().provide_input(kAlice, input)));
  EXPECT_EQ(bench.state(id).state, State::running);
  again->ask({asks("a")});
  input.request = bench.until(id, State::input_required).pending->id;
  input.value = R"("late")";
  ASSERT_TRUE(bench.run(bench.engine().provide_input(kAlice, input)));
  EXPECT_EQ(again->answer().value, R"("late")");
  again->job->complete(kResult);
  EXPECT_EQ(bench.until(id, State::completed).state, State::completed);
}

TEST(Engine_Restart, GoesOnWithWhatItsRuntimeRemembered) {
  EngineBench bench;
  bench.puppet().resumable(true);
  std::string id;
  const auto work = bench.work(id);
  ASSERT_TRUE(bench.run(work->job->remember("upstream-7")));
  std::string forgetful;
  bench.work(forgetful);
  bench.restart();
  const auto again = bench.puppet().next();
  EXPECT_EQ(again->job->input().memory, "upstream-7");
  again->job->complete(kResult);
  EXPECT_EQ(bench.until(id, State::completed).state, State::completed);
  const tasks::Task failed = bench.until(forgetful, State::failed);
  EXPECT_NE(failed.outcome.find(R"("code":"unavailable")"), std::string::npos);
}

TEST(Engine_Restart, RememberedWorkThatHadAskedHearsOfTheAnswerAfterwards) {
  EngineBench bench;
  bench.puppet().resumable(true);
  std::string id;
  const auto work = bench.work(id);
  ASSERT_TRUE(bench.run(work->job->remember("upstream-7")));
  work->ask({asks("a")});
  const tasks::Task asked = bench.until(id, State::input_required);
  bench.restart();
  const auto again = bench.puppet().next();
  EXPECT_EQ(again->job->input().open_questions, std::vector<std::string>{"a"});
  engine::Input input;
  input.task = id;
  input.request = asked.pending->id;
  input.value = R"("x")";
  ASSERT_TRUE(bench.run(bench.engine().provide_input(kAlice, input)));
  EXPECT_EQ(again->answer().value, R"("x")");
  // Whether the worker had come to it nobody knows: the next one is told of it.
  bench.restart();
  const auto third = bench.puppet().next();
  ASSERT_EQ(third->job->input().answers.size(), 1U);
  EXPECT_EQ(third->job->input().answers.front().key, "a");
  EXPECT_EQ(third->job->input().answers.front().value, R"("x")");
  third->job->complete(kResult);
  EXPECT_EQ(bench.until(id, State::completed).state, State::completed);
}

TEST(Engine_Restart, RememberedWorkThatIsBeingCancelledIsToldSoAgain) {
  EngineBench bench;
  bench.puppet().resumable(true);
  std::string id;
  const auto work = bench.work(id);
  ASSERT_TRUE(bench.run(work->job->remember("upstream-7")));
  engine::Cancellation cancellation;
  cancellation.task = id;
  ASSERT_TRUE(bench.run(bench.engine().cancel(kAlice, cancellation)));
  bench.restart();
  const auto again = bench.puppet().next();
  again->cancelled();
  again->job->complete(kResult);
  EXPECT_EQ(bench.until(id, State::completed).state, State::completed);
}

TEST(Engine_Restart, CancelsWhatBelongedToARequestThatIsGone) {
  EngineBench bench;
  auto call = bench.puppet_call();
  call.attached = true;
  const auto attached = bench.admit(kAlice, call);
  const auto detached = bench.admit(kAlice, call);
  ASSERT_TRUE(bench.run(bench.engine().detach(kAlice, detached->task)));
  bench.restart();
  const tasks::Task gone = bench.until(attached->task, State::cancelled);
  EXPECT_EQ(gone.state, State::cancelled);
  EXPECT_NE(gone.outcome.find("mcp-request-cancelled"), std::string::npos);
  EXPECT_EQ(bench.until(detached->task, State::failed).state, State::failed);
}

TEST(Engine_Restart, KeepsHeldTasksHeld) {
  engine::LaneConfiguration lane;
  lane.concurrency = 1;
  EngineBench bench(lane);
  std::string first;
  const auto work = bench.work(first);
  const auto held = bench.admit(kAlice, bench.puppet_call());
  ASSERT_TRUE(bench.run(bench.engine().hold(kAlice, held->task)));
  EXPECT_EQ(bench.run(bench.engine().hold(kAlice, first)).error().reason, ErrorReason::in_flight);
  work->job->complete(kResult);
  bench.until(first, State::completed);
  bench.restart();
  EXPECT_TRUE(bench.state(held->task).held);
  EXPECT_EQ(bench.puppet().started(), 1U);
  ASSERT_TRUE(bench.run(bench.engine().release(kAlice, held->task)));
  bench.puppet().next()->job->complete(kResult);
  EXPECT_EQ(bench.until(held->task, State::completed).state, State::completed);
}

TEST(Engine_Restart, KnowsRepeatedAnswersAndRequestsAndTheirConflicts) {
  EngineBench bench;
  const auto admission = bench.admit(kAlice, bench.puppet_call("the-key"));
  const auto work = bench.puppet().next();
  work->ask({asks("a")}, "{}");
  const tasks::Task asked = bench.until(admission->task, State::input_required);
  engine::Input input;
  input.task = admission->task;
  input.request = asked.pending->id;
  input.value = R"("x")";
  input.fingerprint_head = "head";
  const auto accepted = bench.run(bench.engine().provide_input(kAlice, input));
  bench.puppet().next()->job->complete(kResult);
  bench.until(admission->task, State::completed);
  bench.restart();
  const auto again = bench.run(bench.engine().provide_input(kAlice, input));
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->replayed);
  EXPECT_EQ(again->revision, accepted->revision);
  input.value = R"("y")";
  EXPECT_EQ(bench.run(bench.engine().provide_input(kAlice, input)).error().kind,
            ErrorKind::conflict);
  EXPECT_EQ(bench.admit(kAlice, bench.puppet_call("the-key"))->task, admission->task);
  auto other = bench.puppet_call("the-key");
  other.arguments = R"({"a":1})";
  EXPECT_EQ(bench.admit(kAlice, other).error().reason, ErrorReason::different_request);
}

TEST(Engine_Restart, StartsManyWaitingTasksInFewCommits) {
  engine::LaneConfiguration lane;
  lane.concurrency = 1;
  EngineBench bench(lane);
  std::string first;
  bench.work(first);
  std::vector<std::string> waiting;
  for (int i = 0; i < 200; ++i) waiting.push_back(bench.admit(kAlice, bench.puppet_call())->task);
  // The first group is held until all are there, so that no race says how many groups they make.
  std::jthread holder;
  bench.before_start = [&] {
    bench.store().hold([](const store::Work&) { return true; });
    holder = std::jthread([&] {
      bench.store().wait_for_held();
      for (auto now = bench.engine().statistics().committer;
           now.works + now.waiting < waiting.size() + 1;
           now = bench.engine().statistics().committer) {
        std::this_thread::yield();
      }
      bench.store().let_go();
    });
  };
  bench.restart();
  EXPECT_LT(bench.engine().statistics().committer.groups, 50U);
  for (const std::string& task : waiting) {
    bench.puppet().next()->job->complete(kResult);
    EXPECT_EQ(bench.until(task, State::completed).state, State::completed);
  }
  EXPECT_EQ(bench.state(first).state, State::failed);
}

TEST(Engine_Drain, LetsWorkEndAndFailsWhatDoesNot) {
  engine::LaneConfiguration lane;
  lane.concurrency = 3;
  EngineBench bench(lane);
  std::string ends;
  std::string stays;
  std::string asks_for_input;
  const auto ending = bench.work(ends);
  const auto staying = bench.work(stays);
  const auto suspending = bench.work(asks_for_input);
  suspending->ask({asks("a")}, "{}");
  bench.until(asks_for_input, State::input_required);
  auto filler = bench.admit(kAlice, bench.puppet_call());
  const auto third = bench.puppet().next();
  const auto queued = bench.admit(kAlice, bench.puppet_call());
  auto drained = bench.spawn(bench.engine().drain(1s));
  ending->job->complete(kResult);
  third->job->complete(kResult);
  staying->stopped();
  drained.get();
  EXPECT_EQ(bench.state(ends).state, State::completed);
  EXPECT_EQ(bench.state(filler->task).state, State::completed);
  EXPECT_EQ(bench.state(stays).state, State::failed);
  EXPECT_NE(bench.state(stays).outcome.find(R"("code":"unavailable")"), std::string::npos);
  EXPECT_EQ(bench.state(asks_for_input).state, State::input_required);
  EXPECT_EQ(bench.state(queued->task).state, State::accepted);
  EXPECT_EQ(bench.admit(kAlice, bench.puppet_call()).error().kind, ErrorKind::unavailable);
  bench.restart();
  bench.puppet().next()->job->complete(kResult);
  EXPECT_EQ(bench.until(queued->task, State::completed).state, State::completed);
}

TEST(Engine_Retention, EndsATaskCompletelyAndFreesItsVersion) {
  ManualClock clock;
  EngineBench bench(with_clock(clock));
  const Principal admin = Principal::of("xmpp", "admin@example.test");
  const auto admission = bench.admit(kAlice, bench.puppet_call("the-key"));
  bench.puppet().next()->job->complete(kResult);
  bench.until(admission->task, State::completed);
  ASSERT_TRUE(bench.run(bench.engine().deactivate(admin, "puppet")));
  const auto depended = bench.run(bench.engine().remove(admin, "puppet", "1"));
  EXPECT_EQ(depended.error().kind, ErrorKind::conflict);
  clock.tick(24h - 1s);
  EXPECT_TRUE(bench.run(bench.engine().purge()));
  EXPECT_TRUE(bench.run(bench.engine().state(kAlice, admission->task)));
  clock.tick(2s);
  EXPECT_TRUE(bench.run(bench.engine().purge()));
  const auto gone = bench.run(bench.engine().state(kAlice, admission->task));
  const auto never = bench.run(bench.engine().state(kAlice, "no-such-task-no-such-task"));
  ASSERT_FALSE(gone || never);
  EXPECT_EQ(gone.error(), never.error());
  EXPECT_TRUE(bench.run(bench.engine().describe(kAlice, "puppet", "1")));
  EXPECT_TRUE(bench.run(bench.engine().remove(admin, "puppet", "1")));
  EXPECT_EQ(bench.run(bench.engine().describe(kAlice, "puppet", "1")).error().kind,
            ErrorKind::not_found);
}

TEST(Engine_Retention, C13_091_095_ARequestIsRememberedForTheLongestOfItsThreeTimes) {
  struct Row {
    std::chrono::hours retention;
    std::chrono::hours window;
    std::chrono::hours life;  ///< until it settles
    std::chrono::hours remembered;
  };
  for (const Row& row : {Row{1h, 3h, 0h, 3h}, Row{3h, 1h, 0h, 3h}, Row{1h, 1h, 5h, 6h}}) {
    SCOPED_TRACE(row.remembered.count());
    ManualClock clock;
    EngineOptions options = with_clock(clock);
    options.configure = [&row](engine::GatewayConfiguration& configuration) {
      configuration.retention = row.retention;
      configuration.replay_window = row.window;
    };
    EngineBench bench(options);
    const SystemTime began = clock.now();
    const auto first = bench.admit(kAlice, bench.puppet_call("the-key"));
    const auto work = bench.puppet().next();
    clock.tick(row.life);
    work->job->complete(kResult);
    bench.until(first->task, State::completed);
    const SystemTime kept = began + row.life + row.retention;
    clock.tick(began + row.remembered - 1s - clock.now());
    ASSERT_TRUE(bench.run(bench.engine().purge()));
    const auto again = bench.admit(kAlice, bench.puppet_call("the-key"));
    EXPECT_TRUE(again->replayed);
    EXPECT_EQ(again->task, first->task);
    EXPECT_EQ(bench.run(bench.engine().state(kAlice, first->task)).has_value(), clock.now() < kept);
    clock.tick(1s);
    ASSERT_TRUE(bench.run(bench.engine().purge()));
    EXPECT_FALSE(bench.run(bench.engine().state(kAlice, first->task)));
    EXPECT_FALSE(bench.admit(kAlice, bench.puppet_call("the-key"))->replayed);
    bench.puppet().next();
  }
}

EngineOptions on(const store::testing::SimulatedDisk& disk) {
  EngineOptions options;
  options.store = store::testing::simulated(disk);
  return options;
}

TEST(Engine_Disk, ThatIsFullRefusesWhatIsNewAndSettlesWhatRuns) {
  store::testing::SimulatedDisk disk;
  EngineOptions options = on(disk);
  options.store.reserve_bytes = 512U << 10U;
  EngineBench bench(std::move(options));
  std::string id;
  const auto work = bench.work(id);
  bench.until(id, State::running);
  disk.set_capacity(disk.used());
  const auto refused = bench.admit(kAlice, bench.puppet_call());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::unavailable);
  work->job->log("info", "1");
  work->job->complete(kResult);
  EXPECT_EQ(bench.until(id, State::completed).state, State::completed);
  EXPECT_EQ(bench.admit(kAlice, bench.puppet_call()).error().kind, ErrorKind::unavailable);
  EXPECT_EQ(bench.puppet().started(), 1U);
  EXPECT_EQ(bench.uncertain(), 0);
}

TEST(Engine_Disk, ThatLeavesACommitUnknownEndsTheEngine) {
  auto disk = std::make_unique<store::testing::SimulatedDisk>();
  EngineBench bench(on(*disk));
  std::string id;
  const auto work = bench.work(id);
  bench.until(id, State::running);
  disk->fail(store::testing::Fault::sync_error, 1, true);
  const auto unknown = bench.admit(kAlice, bench.puppet_call("the-key"));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, ErrorKind::unavailable);
  EXPECT_EQ(bench.uncertain(), 1);
  disk->heal();
  EXPECT_EQ(bench.admit(kAlice, bench.puppet_call()).error().kind, ErrorKind::unavailable);
  EXPECT_EQ(bench.uncertain(), 1);
  // The next start knows; the caller repeats its request and gets the one task there is.
  bench.restart();
  const auto first = bench.admit(kAlice, bench.puppet_call("the-key"));
  const auto again = bench.admit(kAlice, bench.puppet_call("the-key"));
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->task, again->task);
  EXPECT_EQ(bench.until(id, State::failed).state, State::failed);
}

}  // namespace
}  // namespace interline::testing
