// What happens at the same time: answers, cancellations, results, expiries and deadlines of one
// task; followers while much is committed; copies of one request.
#include <future>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "base/manual_clock.hpp"
#include "bench.hpp"

namespace interline::testing {
namespace {

using namespace std::chrono_literals;
using tasks::EntryType;
using tasks::State;

engine::Input answer_to(const tasks::Task& task, std::string value = R"("x")") {
  engine::Input input;
  input.task = task.id();
  input.request = task.pending->id;
  input.value = std::move(value);
  input.fingerprint_head = "head";
  return input;
}

engine::Cancellation cancellation(const std::string& task) {
  engine::Cancellation request;
  request.task = task;
  return request;
}

std::vector<EntryType> events(const std::vector<tasks::LogEntry>& log) {
  std::vector<EntryType> types;
  for (const tasks::LogEntry& entry : log) {
    if (entry.revision) types.push_back(entry.type);
  }
  return types;
}

EngineOptions with_clock(const Clock& clock) {
  EngineOptions options;
  options.clock = &clock;
  return options;
}

// The numbers are those of the checklist of XMPP (tests/scenarios/xmpp/README.md).

TEST(Engine_Cancellation, C13_111_NothingThatTheToolSaysAfterwardsChangesIt) {
  EngineBench bench;
  std::string id;
  const auto work = bench.work(id);
  ASSERT_TRUE(bench.run(bench.engine().cancel(kAlice, cancellation(id))));
  work->cancelled();
  work->job->output({"early", "[1]", false, false});  // until then it may still say something
  work->job->cancelled(std::nullopt);
  bench.until(id, State::cancelled);
  const auto log = bench.log(id);
  const std::uint64_t discarded = bench.engine().statistics().discarded_reports;
  engine::ProgressReport half;
  half.percent = 50;
  work->job->progress(half);
  work->job->log("info", "1");
  work->job->output({"late", "[1]", false, true});
  work->job->complete(R"({"content":[]})");
  work->job->fail(tasks::Failure("a:b", "Too late.", false));
  EXPECT_EQ(bench.engine().statistics().discarded_reports, discarded + 5);
  EXPECT_EQ(bench.log(id), log);
  EXPECT_EQ(bench.state(id).state, State::cancelled);
  const auto kept = *bench.store().artifacts(id);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept.front().id, "early");
}

TEST(Engine_Deadlines, C13_113_ProgressAtTheDeadlineLoses) {
  ManualClock clock;
  EngineBench bench(with_clock(clock));
  auto call = bench.puppet_call();
  call.deadline = Instant(clock.now() + 1min);
  const auto admitted = bench.admit(kAlice, call);
  const auto work = bench.puppet().next();
  clock.tick(1min);
  engine::ProgressReport half;
  half.percent = 50;
  work->job->progress(half);
  const tasks::Task task = bench.until(admitted->task, State::failed);
  EXPECT_NE(task.outcome.find("deadline-expired"), std::string::npos);
  for (const EntryType type : events(bench.log(admitted->task))) {
    EXPECT_NE(type, EntryType::progress);
  }
}

TEST(Engine_Deadlines, C13_113_WhatWouldBeHandedOutAtItsDeadlineIsNot) {
  ManualClock clock;
  EngineOptions options = with_clock(clock);
  options.lane.concurrency = 1;
  EngineBench bench(options);
  std::string id;
  const auto works = bench.work(id);
  auto call = bench.puppet_call();
  call.deadline = Instant(clock.now() + 1min);
  const auto waits = bench.admit(kAlice, call);
  const auto later = bench.admit(kAlice, bench.puppet_call());
  clock.tick(1min);
  works->job->complete(R"({"content":[]})");
  const auto next = bench.puppet().next();
  const tasks::Task task = bench.until(waits->task, State::failed);
  EXPECT_NE(task.outcome.find("deadline-expired"), std::string::npos);
  next->job->complete(R"({"content":[]})");
  EXPECT_EQ(bench.until(later->task, State::completed).state, State::completed);
  EXPECT_EQ(bench.puppet().started(), 2U);
}

TEST(Engine_Expiry, AResultThatComesAfterAQuestionAskedAnewSettlesTheTask) {
  ManualClock clock;
  EngineBench bench(with_clock(clock));
  std::string id;
  const auto work = bench.work(id);
  work->ask({asks("a", 1min, 1)});
  bench.until(id, State::input_required);
  clock.tick(1min);
  work->job->complete(R"({"content":[]})");
  EXPECT_EQ(bench.until(id, State::completed).state, State::completed);
  EXPECT_EQ(events(bench.log(id)), (std::vector{EntryType::input_required,
                                                EntryType::input_required, EntryType::completed}));
}

TEST(Engine_Expiry, AResultThatComesAfterTheLastExpiryIsTooLate) {
  ManualClock clock;
  EngineBench bench(with_clock(clock));
  std::string id;
  const auto work = bench.work(id);
  work->ask({asks("a", 1min)});
  bench.until(id, State::input_required);
  clock.tick(1min);
  work->job->complete(R"({"content":[]})");
  const tasks::Task task = bench.until(id, State::failed);
  EXPECT_NE(task.outcome.find("interline:input-expired"), std::string::npos);
  work->stopped();
}

TEST(Engine_Expiry, ACancellationThatNamesNoRevisionFollowsTheQuestionAskedAnew) {
  ManualClock clock;
  EngineBench bench(with_clock(clock));
  std::string id;
  const auto work = bench.work(id);
  work->ask({asks("a", 1min, 1)});
  const tasks::Task asked = bench.until(id, State::input_required);
  clock.tick(1min);
  EXPECT_TRUE(bench.run(bench.engine().cancel(kAlice, cancellation(id))));
  work->cancelled();
  EXPECT_EQ(bench.state(id).state, State::cancelling);
  const auto late = bench.run(bench.engine().provide_input(kAlice, answer_to(asked)));
  EXPECT_EQ(late.error().kind, ErrorKind::conflict);
}

TEST(Engine_Input, ARequestThatAnotherSupersededIsAConflict) {
  EngineBench bench;
  std::string id;
  const auto work = bench.work(id);
  work->ask({asks("a")});
  const tasks::Task first = bench.until(id, State::input_required);
  work->ask({asks("b")});
  tasks::Task both = first;
  const auto until_two = [&]() -> awaitable<void> {
    auto watch = co_await bench.engine().watch(kAlice, id, first.sequence);
    const auto next = co_await (*watch)->next();
    EXPECT_TRUE(next && *next);
  };
  bench.run(until_two());
  both = bench.state(id);
  ASSERT_EQ(both.pending->questions.size(), 2U);
  EXPECT_EQ(bench.run(bench.engine().provide_input(kAlice, answer_to(first))).error().kind,
            ErrorKind::conflict);
  auto unknown = answer_to(first);
  unknown.request = "no-such-request-of-this-task";
  EXPECT_EQ(bench.run(bench.engine().provide_input(kAlice, unknown)).error().kind,
            ErrorKind::not_found);
}

TEST(Engine_Input, PartOfTheAnswersLeavesTheRestOpenUnderANewRequest) {
  EngineBench bench;
  std::string id;
  const auto work = bench.work(id);
  work->ask({asks("a"), asks("b")});
  const tasks::Task asked = bench.until(id, State::input_required);
  engine::Input part;
  part.task = id;
  part.parts.resize(1);
  part.parts[0].question = "b";
  part.parts[0].value = R"("second")";
  ASSERT_TRUE(bench.run(bench.engine().provide_input(kAlice, part)));
  EXPECT_EQ(work->answer().value, R"("second")");
  const tasks::Task rest = bench.state(id);
  ASSERT_EQ(rest.state, State::input_required);
  EXPECT_NE(rest.pending->id, asked.pending->id);
  EXPECT_EQ(rest.pending->questions.size(), 1U);
  part.parts[0].question = rest.pending->questions.front().id;
  part.parts[0].action = tasks::AnswerAction::decline;
  part.parts[0].value.clear();
  ASSERT_TRUE(bench.run(bench.engine().provide_input(kAlice, part)));
  EXPECT_EQ(work->answer().action, tasks::AnswerAction::decline);
  EXPECT_EQ(bench.state(id).state, State::running);
}

TEST(Engine_Cancellation, OfWorkThatHasJustSuspendedNeedsNoWork) {
  EngineBench bench;
  for (int i = 0; i < 20; ++i) {
    std::string id;
    const auto work = bench.work(id);
    work->ask({asks("a")}, "{}");
    bench.until(id, State::input_required);
    ASSERT_TRUE(bench.run(bench.engine().cancel(kAlice, cancellation(id))));
    EXPECT_EQ(bench.until(id, State::cancelled).state, State::cancelled);
  }
}

/// Every revision has one event, the last of a settled task is its terminal one.
void expect_whole(const tasks::Task& task, const std::vector<tasks::LogEntry>& log) {
  tasks::Revision revision = 0;
  std::set<std::string> ids;
  for (const tasks::LogEntry& entry : log) {
    if (!entry.revision) continue;
    EXPECT_EQ(*entry.revision, ++revision);
    EXPECT_TRUE(ids.insert(entry.event_id).second);
    EXPECT_EQ(tasks::is_terminal(entry.state), &entry == &log.back());
  }
  EXPECT_EQ(revision, task.revision);
}

State state_at(const std::vector<tasks::LogEntry>& log, tasks::Revision revision) {
  for (const tasks::LogEntry& entry : log) {
    if (entry.revision == revision) return entry.state;
  }
  return State::accepted;
}

TEST(Engine_Races, AnswerCancellationAndResultAreDecidedByTheOrderOfTheirCommits) {
  EngineBench bench;
  for (int i = 0; i < 40; ++i) {
    std::string id;
    const auto work = bench.work(id);
    work->ask({asks("a")});
    const tasks::Task asked = bench.until(id, State::input_required);
    auto answer = bench.spawn(bench.engine().provide_input(kAlice, answer_to(asked)));
    auto cancel = bench.spawn(bench.engine().cancel(kAlice, cancellation(id)));
    std::jthread settle([&] { work->job->complete(R"({"content":[]})"); });
    const auto answered = answer.get();
    const auto cancelled = cancel.get();
    settle.join();
    const tasks::Task task = bench.until(id, State::completed);
    const auto log = bench.log(id);
    EXPECT_EQ(task.state, State::completed);
    expect_whole(task, log);
    if (answered) {
      EXPECT_EQ(state_at(log, answered->revision), State::running);
    } else {
      EXPECT_EQ(answered.error().kind, ErrorKind::conflict);
    }
    if (cancelled) {
      EXPECT_EQ(state_at(log, cancelled->revision), State::cancelling);
    } else {
      EXPECT_EQ(cancelled.error().kind, ErrorKind::conflict);
    }
    // Whoever was accepted is answered the same ever after; whoever lost, has lost.
    const auto again = bench.run(bench.engine().provide_input(kAlice, answer_to(asked)));
    ASSERT_EQ(again.has_value(), answered.has_value());
    if (again) {
      EXPECT_EQ(again->revision, answered->revision);
    }
  }
}

TEST(Engine_Races, ADeadlineAndAResultSettleOnce) {
  ManualClock clock;
  EngineBench bench(with_clock(clock));
  int late = 0;
  for (int i = 0; i < 30; ++i) {
    auto call = bench.puppet_call();
    call.deadline = Instant(clock.now() + 1s);
    const auto admission = bench.admit(kAlice, call);
    ASSERT_TRUE(admission);
    const auto work = bench.puppet().next();
    std::jthread time([&] { clock.tick(1s); });
    work->job->complete(R"({"content":[]})");
    const tasks::Task task = bench.until(admission->task, State::completed);
    time.join();
    ASSERT_TRUE(task.state == State::completed || task.state == State::failed);
    if (task.state == State::failed) {
      ++late;
      EXPECT_NE(task.outcome.find("deadline-expired"), std::string::npos);
    }
    expect_whole(task, bench.log(admission->task));
  }
  RecordProperty("late", late);
}

TEST(Engine_Replay, ManyCopiesAtOnceAreOneTaskThatRunsOnce) {
  EngineBench bench;
  std::vector<std::future<Result<engine::Admission>>> copies;
  for (int i = 0; i < 300; ++i) {
    copies.push_back(bench.spawn(bench.engine().admit(kAlice, bench.puppet_call("the-key"))));
  }
  std::set<std::string> tasks;
  int first = 0;
  for (auto& copy : copies) {
    const auto admission = copy.get();
    ASSERT_TRUE(admission) << admission.error().message;
    tasks.insert(admission->task);
    first += admission->replayed ? 0 : 1;
  }
  EXPECT_EQ(tasks.size(), 1U);
  EXPECT_EQ(first, 1);
  bench.puppet().next()->job->complete(R"({"content":[]})");
  bench.until(*tasks.begin(), State::completed);
  EXPECT_EQ(bench.puppet().started(), 1U);
}

awaitable<std::vector<tasks::Sequence>> follow(engine::Engine& engine, std::string task,
                                               tasks::Sequence after) {
  std::vector<tasks::Sequence> seen;
  auto watch = co_await engine.watch(kAlice, task, after);
  if (!watch) co_return seen;
  for (;;) {
    const auto entry = co_await (*watch)->next();
    if (!entry || !*entry) co_return seen;
    seen.push_back((*entry)->sequence);
  }
}

TEST(Engine_Watch, NothingIsLostOrGivenTwiceWhileMuchIsCommitted) {
  EngineBench bench;
  std::string id;
  const auto work = bench.work(id);
  std::vector<std::future<std::vector<tasks::Sequence>>> followers;
  constexpr int kLines = 400;
  for (int i = 0; i < kLines; ++i) {
    if (i % 40 == 0) followers.push_back(bench.spawn(follow(bench.engine(), id, 0)));
    bench.run(work->job->ready());
    work->job->log("info", std::to_string(i));
  }
  work->job->complete(R"({"content":[]})");
  const tasks::Task task = bench.until(id, State::completed);
  EXPECT_GE(task.sequence, static_cast<tasks::Sequence>(kLines));
  for (auto& follower : followers) {
    const std::vector<tasks::Sequence> seen = follower.get();
    ASSERT_EQ(seen.size(), task.sequence);
    for (std::size_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen[i], i + 1);
  }
  const auto rest = bench.run(follow(bench.engine(), id, task.sequence - 2));
  EXPECT_EQ(rest, (std::vector{task.sequence - 1, task.sequence}));
  EXPECT_TRUE(bench.run(follow(bench.engine(), id, engine::kFromSnapshot)).empty());
}

TEST(Engine_Watch, EndsWithAnErrorWhenTheEngineDoes) {
  EngineBench bench;
  std::string id;
  const auto work = bench.work(id);
  const auto wait_for_an_end = [&]() -> awaitable<bool> {
    auto watch = co_await bench.engine().watch(kAlice, id, engine::kFromSnapshot);
    for (;;) {
      const auto entry = co_await (*watch)->next();
      if (!entry) co_return entry.error().kind == ErrorKind::unavailable;
      if (!*entry) co_return false;
    }
  };
  auto told = bench.spawn(wait_for_an_end());
  bench.until(id, State::running);
  bench.engine().stop();
  EXPECT_TRUE(told.get());
  EXPECT_EQ(bench.run(bench.engine().cancel(kAlice, cancellation(id))).error().kind,
            ErrorKind::unavailable);
}

}  // namespace
}  // namespace interline::testing
