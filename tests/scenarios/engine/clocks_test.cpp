// Clocks that were wrong: what may be asked, what is remembered and what ends while one is ahead,
// once it was set back, and after a restart in between.
#include <gtest/gtest.h>

#include "base/manual_clock.hpp"
#include "bench.hpp"

namespace interline::testing {
namespace {

using namespace std::chrono_literals;
using tasks::State;

const std::string kResult = R"({"content":[]})";
const Principal kOperator = Principal::of("local", "root");

EngineOptions with_clock(const Clock& clock) {
  EngineOptions options;
  options.clock = &clock;
  return options;
}

/// Admits the puppet's call under the key and brings it to its end.
std::string completed(EngineBench& bench, const std::string& key) {
  const auto admission = bench.admit(kAlice, bench.puppet_call(key));
  EXPECT_TRUE(admission);
  bench.puppet().next()->job->complete(kResult);
  bench.until(admission->task, State::completed);
  return admission->task;
}

TEST(Engine_Clock, ThatWasAheadDuringACommitAndWasSetBackRefusesNoCall) {
  ManualClock clock;
  EngineBench bench(with_clock(clock));
  const SystemTime right = clock.now();
  clock.set(right + 9'000h);
  completed(bench, "while ahead");
  clock.set(right + 1s);
  ASSERT_TRUE(bench.admit(kAlice, bench.puppet_call()));
  bench.puppet().next()->job->complete(kResult);
  auto call = bench.puppet_call();
  call.deadline = Instant(clock.now() + 1min);
  ASSERT_TRUE(bench.admit(kAlice, call)) << "with a deadline of the caller's";
  bench.puppet().next()->job->complete(kResult);
  bench.restart();
  const auto admission = bench.admit(kAlice, call);
  ASSERT_TRUE(admission) << "after a restart";
  clock.tick(1min);
  EXPECT_EQ(bench.until(admission->task, State::failed).state, State::failed);
}

TEST(Engine_Clock, ThatWasSetBackStillEndsQuestionsInTheirTime) {
  ManualClock clock;
  EngineBench bench(with_clock(clock));
  const SystemTime right = clock.now();
  std::string id;
  const auto work = bench.work(id);
  clock.set(right + 1h);
  work->ask({asks("early", 10min, 1)});
  const tasks::Task ahead = bench.until(id, State::input_required);
  clock.set(right);
  work->ask({asks("late", 10min)});
  const auto two_open = [&]() -> awaitable<void> {
    auto watch = co_await bench.engine().watch(kAlice, id, ahead.sequence);
    (void)co_await (*watch)->next();
  };
  bench.run(two_open());
  const tasks::Task back = bench.state(id);
  EXPECT_GE(back.updated, ahead.updated);  // what a task says of its times never steps back
  ASSERT_EQ(back.pending->expires_at(), right + 10min);
  clock.tick(10min);
  EXPECT_EQ(bench.until(id, State::failed).state, State::failed);
}

TEST(Engine_Clock, ThatIsAheadOfTheReplayWindowMakesNoSecondTaskOfARequest) {
  ManualClock clock;
  EngineBench bench(with_clock(clock));
  const SystemTime right = clock.now();
  const std::string task = completed(bench, "the-key");
  clock.set(right + 48h);
  const auto again = bench.admit(kAlice, bench.puppet_call("the-key"));
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->replayed);
  EXPECT_EQ(again->task, task);
  auto late = bench.puppet_call("the-key");  // found by the look-up, not by the commit
  late.deadline = Instant(right);
  EXPECT_EQ(bench.admit(kAlice, late).value().task, task);
  clock.set(right + 1s);
  EXPECT_EQ(bench.admit(kAlice, bench.puppet_call("the-key")).value().task, task);
  EXPECT_EQ(bench.puppet().started(), 1U);
}

/// Nothing that was settled at `right` may go: the clock is ahead of its retention.
void expect_kept(EngineBench& bench, const std::string& task, const std::string& key) {
  EXPECT_EQ(bench.run(bench.engine().purge()), 0U);
  EXPECT_TRUE(bench.engine().statistics().retention_hold);
  EXPECT_EQ(bench.state(task).state, State::completed);
  EXPECT_EQ(bench.admit(kAlice, bench.puppet_call(key)).value().task, task);
}

TEST(Engine_Retention, IsHeldWhenTheClockIsSetForwardAndUntilItIsBelieved) {
  ManualClock clock;
  EngineBench bench(with_clock(clock));
  const SystemTime right = clock.now();
  const std::string id = completed(bench, "the-key");
  clock.set(right + 48h);
  expect_kept(bench, id, "the-key");
  clock.set(right + 1s);  // somebody mends it: nothing is lost by what the clock said meanwhile
  EXPECT_EQ(bench.run(bench.engine().purge()), 0U);
  EXPECT_FALSE(bench.engine().statistics().retention_hold);
  EXPECT_EQ(bench.state(id).state, State::completed);
  clock.set(right + 48h);
  expect_kept(bench, id, "the-key");
  clock.tick(24h - 2s);
  expect_kept(bench, id, "the-key");
  clock.tick(2s);  // it has had its whole time
  EXPECT_GT(bench.run(bench.engine().purge()).value(), 0U);
  EXPECT_FALSE(bench.engine().statistics().retention_hold);
}

TEST(Engine_Retention, IsHeldOverRestartsWhileTheClockIsAhead) {
  ManualClock clock;
  EngineBench bench(with_clock(clock));
  const SystemTime right = clock.now();
  const std::string id = completed(bench, "the-key");
  clock.set(right + 48h);
  expect_kept(bench, id, "the-key");
  for (int i = 0; i < 3; ++i) {
    bench.restart();
    clock.tick(1h);
    expect_kept(bench, id, "the-key");
  }
  clock.set(right + 3h + 1s);
  bench.restart();
  EXPECT_EQ(bench.run(bench.engine().purge()), 0U);
  EXPECT_FALSE(bench.engine().statistics().retention_hold);
  bench.restart();
  EXPECT_FALSE(bench.engine().statistics().retention_hold) << "forgotten once it is over";
}

TEST(Engine_Retention, GoesOnAsBeforeTheStepWhileItIsHeld) {
  ManualClock clock;
  EngineBench bench(with_clock(clock));
  const std::string id = completed(bench, "the-key");
  clock.tick(20h);
  clock.set(clock.now() + 48h);
  expect_kept(bench, id, "the-key");
  clock.tick(4h);
  EXPECT_GT(bench.run(bench.engine().purge()).value(), 0U);  // a day is over by any clock
  EXPECT_TRUE(bench.engine().statistics().retention_hold);
}

TEST(Engine_Retention, AnOperatorEndsTheHoldForGood) {
  ManualClock clock;
  EngineBench bench(with_clock(clock));
  EXPECT_FALSE(bench.run(bench.engine().trust_clock(kOperator)).value());
  const std::string id = completed(bench, "the-key");
  clock.set(clock.now() + 48h);
  expect_kept(bench, id, "the-key");
  EXPECT_EQ(bench.run(bench.engine().trust_clock(kAlice)).error().kind, ErrorKind::forbidden);
  expect_kept(bench, id, "the-key");
  const auto ended = bench.run(bench.engine().trust_clock(kOperator));
  ASSERT_TRUE(ended && *ended);
  EXPECT_EQ((*ended)->behind, 48h);
  bench.restart();
  EXPECT_FALSE(bench.engine().statistics().retention_hold);
  EXPECT_GT(bench.run(bench.engine().purge()).value(), 0U);
  EXPECT_FALSE(bench.admit(kAlice, bench.puppet_call("the-key"))->replayed);
}

TEST(Engine_Replay, OfACallPastItsWindowIsAsIfItNeverWas) {
  ManualClock clock;
  EngineBench bench(with_clock(clock));
  auto call = bench.puppet_call("the-key");
  call.deadline = Instant(clock.now() + 1h);
  const auto first = bench.admit(kAlice, call);
  bench.puppet().next()->job->complete(kResult);
  bench.until(first->task, State::completed);
  clock.tick(24h - 1ns);
  const auto last = bench.admit(kAlice, call);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->task, first->task);
  clock.tick(1ns);  // nothing was purged yet
  const auto late = bench.admit(kAlice, call);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().reason, ErrorReason::expired);
}

TEST(Engine_Replay, CopiesOfACallThatIsBeingAdmittedGetItsAnswer) {
  EngineOptions options;
  options.lane.concurrency = 1;
  options.lane.queue = 1;
  options.threads = 1;  // what is spawned has taken its first steps before the next
  EngineBench bench(std::move(options));
  std::string running;
  const auto work = bench.work(running);
  bench.store().hold([](const store::Work&) { return true; });
  std::vector<std::future<Result<engine::Admission>>> copies;
  for (int i = 0; i < 20; ++i) {
    copies.push_back(bench.spawn(bench.engine().admit(kAlice, bench.puppet_call("the-key"))));
  }
  auto other = bench.puppet_call("the-key");
  other.arguments = R"({"other":true})";
  auto conflicting = bench.spawn(bench.engine().admit(kAlice, other));
  auto refused = bench.spawn(bench.engine().admit(kAlice, bench.puppet_call("another-key")));
  EXPECT_EQ(refused.get().error().reason, ErrorReason::too_many);  // the place is taken
  bench.store().let_go();
  int first = 0;
  std::set<std::string> tasks;
  for (auto& copy : copies) {
    const auto admission = copy.get();
    ASSERT_TRUE(admission) << admission.error().message;
    first += admission->replayed ? 0 : 1;
    tasks.insert(admission->task);
  }
  EXPECT_EQ(first, 1);
  EXPECT_EQ(tasks.size(), 1U);
  EXPECT_EQ(conflicting.get().error().reason, ErrorReason::different_request);
}

TEST(Engine_Replay, CopiesOfACallThatTheStoreRefusesAreRefusedWithIt) {
  EngineOptions options;
  options.threads = 1;
  EngineBench bench(std::move(options));
  const auto is_admission = [](const store::Work& work) {
    return std::holds_alternative<store::Admit>(work);
  };
  bench.store().refuse(1, is_admission);
  bench.store().hold([](const store::Work&) { return true; });
  std::vector<std::future<Result<engine::Admission>>> copies;
  for (int i = 0; i < 20; ++i) {
    copies.push_back(bench.spawn(bench.engine().admit(kAlice, bench.puppet_call("the-key"))));
  }
  auto other = bench.puppet_call("the-key");
  other.arguments = R"({"other":true})";
  auto different = bench.spawn(bench.engine().admit(kAlice, other));
  bench.spawn([]() -> awaitable<void> { co_return; }()).get();
  bench.store().let_go();
  for (auto& copy : copies) {
    const auto admission = copy.get();
    ASSERT_FALSE(admission);
    EXPECT_EQ(admission.error().kind, ErrorKind::unavailable);
  }
  EXPECT_TRUE(different.get());  // nothing has the key
  EXPECT_EQ(bench.admit(kAlice, bench.puppet_call("the-key")).error().reason,
            ErrorReason::different_request);
}

}  // namespace
}  // namespace interline::testing
