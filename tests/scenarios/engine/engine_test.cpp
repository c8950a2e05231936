// The engine whole: admission, replay, work, questions, cancellation, restart; by the builtin agent
// and without a network.
#include <gtest/gtest.h>

#include "base/manual_clock.hpp"
#include "bench.hpp"

namespace interline::testing {
namespace {

using tasks::State;

TEST(Engine_Admission, ACallIsAdmittedDoneAndKept) {
  EngineBench bench;
  const std::string id = bench.task("echo", R"({"b":1,"a":[2]})");
  const tasks::Task task = bench.until(id, State::completed);
  EXPECT_EQ(task.state, State::completed);
  EXPECT_EQ(task.admission->arguments, R"({"a":[2],"b":1})");
  EXPECT_NE(task.outcome.find(R"("structuredContent":{"a":[2],"b":1})"), std::string::npos);
  bench.restart();
  EXPECT_EQ(bench.state(id).outcome, task.outcome);
}

TEST(Engine_Admission, TheSameRequestIsTheSameTaskAndAnotherIsAConflict) {
  EngineBench bench;
  const auto first = bench.admit(kAlice, bench.call("echo", R"({"a":1.0})", "key-1"));
  const auto again = bench.admit(kAlice, bench.call("echo", R"({ "a": 1 })", "key-1"));
  ASSERT_TRUE(first && again);
  EXPECT_EQ(again->task, first->task);
  EXPECT_TRUE(again->replayed);
  EXPECT_EQ(again->created, first->created);
  EXPECT_EQ(again->retain_until, first->retain_until);
  const auto other = bench.admit(kAlice, bench.call("echo", R"({"a":2})", "key-1"));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, ErrorKind::conflict);
  const auto bobs = bench.admit(kBob, bench.call("echo", R"({"a":2})", "key-1"));
  ASSERT_TRUE(bobs);
  EXPECT_NE(bobs->task, first->task);
}

TEST(Engine_Admission, ReplaysAreKnownAfterARestart) {
  EngineBench bench;
  const auto first = bench.admit(kAlice, bench.call("echo", "{}", "key-1"));
  bench.restart();
  const auto again = bench.admit(kAlice, bench.call("echo", "{}", "key-1"));
  ASSERT_TRUE(first && again);
  EXPECT_EQ(again->task, first->task);
}

TEST(Engine_Authorization, AbsentHiddenAndForbiddenAnswerAlike) {
  EngineBench bench;
  auto absent = bench.call("echo");
  absent.endpoint = "nowhere";
  auto hidden = bench.call("echo");
  hidden.endpoint = "hidden";
  const auto a = bench.admit(kAlice, absent);
  const auto b = bench.admit(kAlice, hidden);
  const auto c = bench.admit(kAlice, bench.call("no-such-tool"));
  const auto d = bench.admit(kStranger, bench.call("echo"));
  ASSERT_FALSE(a || b || c || d);
  EXPECT_EQ(a.error(), b.error());
  EXPECT_EQ(a.error(), c.error());
  EXPECT_EQ(a.error(), d.error());
  EXPECT_EQ(a.error().kind, ErrorKind::not_found);
}

TEST(Engine_Authorization, AnothersTaskIsNotThere) {
  EngineBench bench;
  const std::string id = bench.task("echo");
  const auto foreign = bench.run(bench.engine().state(kBob, id));
  const auto unknown = bench.run(bench.engine().state(kBob, "no-such-task-no-such-task"));
  ASSERT_FALSE(foreign || unknown);
  EXPECT_EQ(foreign.error(), unknown.error());
}

TEST(Engine_Authorization, AnAccountsPrincipalsShareWhatCameByOtherNetworks) {
  EngineBench bench;
  auto invocation = bench.call("echo");
  invocation.network = "mcp";
  const auto admission = bench.admit(Principal::of("key", "alice-laptop"), invocation);
  ASSERT_TRUE(admission);
  EXPECT_TRUE(bench.run(bench.engine().state(kAlice, admission->task)));
  EXPECT_FALSE(bench.run(bench.engine().state(kBob, admission->task)));
}

TEST(Engine_Arguments, AreCheckedAgainstTheToolsSchema) {
  EngineBench bench;
  const auto wrong = bench.admit(kAlice, bench.call("sleep", R"({"milliseconds":"long"})"));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ErrorKind::not_acceptable);
  EXPECT_EQ(wrong.error().message.find("long"), std::string::npos);
  const auto broken = bench.admit(kAlice, bench.call("sleep", R"({"milliseconds":)"));
  EXPECT_EQ(broken.error().kind, ErrorKind::malformed);
  const auto twice = bench.admit(kAlice, bench.call("echo", R"({"a":1,"a":2})"));
  EXPECT_EQ(twice.error().kind, ErrorKind::not_acceptable);
}

TEST(Engine_Log, RevisionsCountWithoutAGapAndEachHasItsEvent) {
  EngineBench bench;
  const std::string id = bench.task("sleep", R"({"milliseconds":400,"steps":4})");
  const auto log = bench.whole_log(id);
  tasks::Revision revision = 0;
  for (const tasks::LogEntry& entry : log) {
    if (!entry.revision) continue;
    EXPECT_EQ(*entry.revision, ++revision);
    EXPECT_FALSE(entry.event_id.empty());
  }
  ASSERT_FALSE(log.empty());
  EXPECT_EQ(log.back().type, tasks::EntryType::completed);
  EXPECT_EQ(bench.state(id).revision, revision);
}

TEST(Engine_Input, AnAnswerGoesToTheWorkThatAsked) {
  EngineBench bench;
  const std::string id = bench.task("ask");
  const tasks::Task waiting = bench.until(id, State::input_required);
  ASSERT_TRUE(waiting.pending);
  engine::Input input;
  input.task = id;
  input.request = waiting.pending->id;
  input.expected = waiting.revision;
  input.value = R"("Ada")";
  input.fingerprint_head = "head";
  const auto accepted = bench.run(bench.engine().provide_input(kAlice, input));
  ASSERT_TRUE(accepted) << accepted.error().message;
  EXPECT_NE(bench.until(id, State::completed).outcome.find(R"("answers":["Ada"])"),
            std::string::npos);
  const auto again = bench.run(bench.engine().provide_input(kAlice, input));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->revision, accepted->revision);
  input.value = R"("Bob")";
  EXPECT_EQ(bench.run(bench.engine().provide_input(kAlice, input)).error().kind,
            ErrorKind::conflict);
}

TEST(Engine_Input, ThatDoesNotMatchIsRefusedAndTheQuestionStays) {
  EngineBench bench;
  const std::string id = bench.task("ask");
  const tasks::Task waiting = bench.until(id, State::input_required);
  engine::Input input;
  input.task = id;
  input.request = waiting.pending->id;
  input.value = "7";
  const auto refused = bench.run(bench.engine().provide_input(kAlice, input));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::not_acceptable);
  EXPECT_EQ(bench.state(id).state, State::input_required);
}

TEST(Engine_Input, SuspendedWorkComesAgainWithItsStateAlsoAfterARestart) {
  EngineBench bench;
  const std::string id = bench.task("ask", R"({"suspend":true,"count":2})");
  bench.until(id, State::input_required);
  bench.restart();
  const tasks::Task waiting = bench.state(id);
  ASSERT_EQ(waiting.state, State::input_required);
  engine::Input input;
  input.task = id;
  for (const tasks::Question& question : waiting.pending->questions) {
    engine::Input::Part part;
    part.question = question.id;
    part.value = R"("yes")";
    input.parts.push_back(part);
  }
  ASSERT_TRUE(bench.run(bench.engine().provide_input(kAlice, input)));
  const tasks::Task done = bench.until(id, State::completed);
  EXPECT_NE(done.outcome.find(R"("state":{"left":"here"},"answers":["yes","yes"])"),
            std::string::npos)
      << done.outcome;
}

TEST(Engine_Cancellation, ReachesTheWorkAndIsConfirmed) {
  EngineBench bench;
  const std::string id = bench.task("never");
  engine::Cancellation request;
  request.task = id;
  request.reason = "enough";
  ASSERT_TRUE(bench.run(bench.engine().cancel(kAlice, request)));
  EXPECT_EQ(bench.until(id, State::cancelled).state, State::cancelled);
}

TEST(Engine_Cancellation, OfAWaitingTaskNeedsNoWork) {
  engine::LaneConfiguration lane;
  lane.concurrency = 1;
  EngineBench bench(lane);
  bench.task("never");
  const std::string waiting = bench.task("never");
  engine::Cancellation request;
  request.task = waiting;
  ASSERT_TRUE(bench.run(bench.engine().cancel(kAlice, request)));
  EXPECT_EQ(bench.until(waiting, State::cancelled).state, State::cancelled);
}

TEST(Engine_Capacity, AFullQueueRefusesAndLosesNothing) {
  engine::LaneConfiguration lane;
  lane.concurrency = 1;
  lane.queue = 1;
  EngineBench bench(lane);
  const std::string running = bench.task("sleep", R"({"milliseconds":300})");
  const std::string queued = bench.task("echo");
  const auto refused = bench.admit(kAlice, bench.call("echo"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::resource_constraint);
  EXPECT_EQ(bench.until(running, State::completed).state, State::completed);
  EXPECT_EQ(bench.until(queued, State::completed).state, State::completed);
}

TEST(Engine_Restart, WhatWasAtWorkFailsAndWhatWaitedIsDone) {
  engine::LaneConfiguration lane;
  lane.concurrency = 1;
  EngineBench bench(lane);
  const std::string running = bench.task("never");
  const std::string queued = bench.task("echo");
  bench.until(running, State::running);
  bench.restart();
  EXPECT_EQ(bench.until(running, State::failed).state, State::failed);
  EXPECT_EQ(bench.until(queued, State::completed).state, State::completed);
}

TEST(Engine_Deadlines, SettleWithoutTheWork) {
  ManualClock clock;
  EngineOptions options;
  options.clock = &clock;
  EngineBench bench(std::move(options));
  auto invocation = bench.call("never");
  invocation.deadline = Instant(clock.now() + std::chrono::milliseconds(200));
  const auto admission = bench.admit(kAlice, invocation);
  ASSERT_TRUE(admission);
  clock.tick(std::chrono::milliseconds(200));
  const tasks::Task task = bench.until(admission->task, State::failed);
  EXPECT_NE(task.outcome.find("deadline-expired"), std::string::npos);
  auto late = bench.call("never");
  late.deadline = Instant(clock.now());
  EXPECT_EQ(bench.admit(kAlice, late).error().kind, ErrorKind::not_acceptable);
}

TEST(Engine_Output, ChunksAreFoldedIntoOneArtifact) {
  EngineBench bench;
  const std::string id = bench.task("output", R"({"chunks":3})");
  bench.until(id, State::completed);
  const auto artifacts = bench.run(bench.engine().artifacts(kAlice, id));
  ASSERT_TRUE(artifacts);
  ASSERT_EQ(artifacts->size(), 1U);
  EXPECT_TRUE(artifacts->front().complete);
  EXPECT_NE(artifacts->front().parts.find("part 1"), std::string::npos);
  EXPECT_NE(artifacts->front().parts.find("part 3"), std::string::npos);
}

TEST(Engine_Directory, ShowsWhatMayBeSeen) {
  EngineBench bench;
  const auto page = bench.run(bench.engine().list(kAlice, catalog::PageRequest()));
  ASSERT_TRUE(page);
  ASSERT_EQ(page->count, 2U);
  EXPECT_EQ(page->entries.front().name, "demo");
  EXPECT_EQ(bench.run(bench.engine().list(kStranger, catalog::PageRequest()))->count, 0U);
  EXPECT_TRUE(bench.run(bench.engine().describe(kAlice, "demo", "")));
  EXPECT_EQ(bench.run(bench.engine().describe(kAlice, "hidden", "")).error(),
            bench.run(bench.engine().describe(kAlice, "nowhere", "")).error());
}

TEST(Engine_List, IsTheOwnersOwn) {
  EngineBench bench;
  bench.task("echo");
  bench.task("echo");
  const auto mine = bench.run(bench.engine().list_tasks(kAlice, store::TaskQuery()));
  const auto bobs = bench.run(bench.engine().list_tasks(kBob, store::TaskQuery()));
  ASSERT_TRUE(mine && bobs);
  EXPECT_EQ(mine->total, 2U);
  EXPECT_EQ(bobs->total, 0U);
}

}  // namespace
}  // namespace interline::testing
