// Calls without a task: admitted like any other, and nothing of them is kept.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "base/manual_clock.hpp"
#include "bench.hpp"

namespace interline::testing {
namespace {

using engine::RunListener;
using engine::RunOutcome;
using engine::Withdrawal;
using namespace std::chrono_literals;
using tasks::State;

const std::string kResult = R"({"content":[]})";

EngineOptions options(std::size_t concurrency = 16, std::size_t queue = 1'000) {
  EngineOptions made;
  made.lane.durable = false;
  made.lane.concurrency = concurrency;
  made.lane.queue = queue;
  return made;
}

std::future<Result<RunOutcome>> run(EngineBench& bench, engine::Invocation call,
                                    std::shared_ptr<Withdrawal> withdrawal = nullptr,
                                    RunListener listener = {}, const Principal& who = kAlice) {
  return bench.spawn(
      bench.engine().run(who, std::move(call), std::move(listener), std::move(withdrawal)));
}

/// Waits until so many pieces of work wait in the puppet's line.
void wait_in_line(EngineBench& bench, std::size_t how_many) {
  while (bench.engine().load("puppet").waiting < how_many) std::this_thread::yield();
}

TEST(Engine_Run, TheResultComesBackAndNothingIsKept) {
  EngineBench bench(options());
  const auto before = bench.engine().statistics().committer.works;
  const auto got = run(bench, bench.call("echo", R"({ "b":1,"a":[2.0] })")).get();
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->state, State::completed);
  EXPECT_NE(got->result.find(R"("structuredContent":{"a":[2],"b":1})"), std::string::npos);
  EXPECT_EQ(bench.engine().statistics().committer.works, before);
  const auto page = bench.run(bench.engine().list_tasks(kAlice, {}));
  ASSERT_TRUE(page);
  EXPECT_TRUE(page->tasks.empty());
  EXPECT_EQ(bench.engine().load("demo").running, 0U);
}

TEST(Engine_Run, IsRefusedAsAnAdmissionIs) {
  EngineBench bench(options());
  auto absent = bench.call("echo");
  absent.endpoint = "nowhere";
  auto late = bench.call("echo");
  late.deadline = Instant(bench.clock().now() - 1s);
  auto version = bench.call("echo");
  version.version = "7";
  for (const auto& call :
       {absent, bench.call("no-such-tool"), bench.call("sleep", R"({"milliseconds":"long"})"),
        bench.call("sleep", R"({"milliseconds":)"), late, version}) {
    const auto refused = bench.admit(kAlice, call);
    const auto got = run(bench, call).get();
    ASSERT_FALSE(refused || got);
    EXPECT_EQ(got.error(), refused.error());
  }
  const auto foreign = run(bench, bench.call("echo"), nullptr, {}, kStranger).get();
  EXPECT_EQ(foreign.error(), bench.admit(kStranger, bench.call("echo")).error());
  bench.engine().close_lane("demo");
  EXPECT_EQ(run(bench, bench.call("echo")).get().error(),
            bench.admit(kAlice, bench.call("echo")).error());
}

TEST(Engine_Run, NeedsAnEndpointThatIsNotDurable) {
  EngineBench bench;
  EXPECT_EQ(run(bench, bench.call("echo")).get().error().kind, ErrorKind::not_acceptable);
  const auto view = bench.run(bench.engine().describe(kAlice, "demo", ""));
  EXPECT_TRUE(view->durable);
  EngineBench other(options());
  EXPECT_FALSE(other.run(other.engine().describe(kAlice, "demo", ""))->durable);
}

TEST(Engine_Run, CopiesOfARequestAreCallsOfTheirOwn) {
  EngineBench bench(options());
  auto first = run(bench, bench.puppet_call("key"));
  auto second = run(bench, bench.puppet_call("key"));
  const auto one = bench.puppet().next();
  const auto two = bench.puppet().next();
  EXPECT_NE(one->job->input().handle, two->job->input().handle);
  EXPECT_EQ(one->job->input().caller, two->job->input().caller);
  one->job->complete(kResult);
  two->job->complete(kResult);
  EXPECT_TRUE(first.get() && second.get());
}

TEST(Engine_Run, ReportsAreToldInTheirOrderAndNoneAfterTheEnd) {
  EngineBench bench(options());
  std::vector<std::string> told;  // whoever waits for the end sees it whole
  std::atomic<bool> returned = false;
  RunListener listener;
  listener.progress = [&](const engine::ProgressReport& report) {
    EXPECT_FALSE(returned);
    told.push_back("progress " + std::to_string(static_cast<int>(*report.percent)));
  };
  listener.log = [&](const std::string& level, const std::string& data) {
    EXPECT_FALSE(returned);
    told.push_back(level + ' ' + data);
  };
  auto outcome = run(bench, bench.puppet_call(), nullptr, std::move(listener));
  const auto work = bench.puppet().next();
  std::vector<std::string> expected;
  for (int i = 0; i < 50; ++i) {
    engine::ProgressReport report;
    report.percent = i;
    work->job->progress(report);
    work->job->log("info", std::to_string(i));
    expected.push_back("progress " + std::to_string(i));
    expected.push_back("info " + std::to_string(i));
  }
  work->job->complete(kResult);
  EXPECT_TRUE(outcome.get());
  returned = true;
  work->job->log("info", "\"late\"");
  EXPECT_EQ(told, expected);
}

TEST(Engine_Run, AListenerMayWithdrawAndManyThreadsMayReport) {
  EngineBench bench(options());
  const auto withdrawal = std::make_shared<Withdrawal>();
  std::atomic<int> told = 0;
  std::atomic<bool> inside = false;
  RunListener listener;
  listener.log = [&](const std::string&, const std::string&) {
    EXPECT_FALSE(inside.exchange(true)) << "one at a time";
    if (++told == 100) withdrawal->withdraw();
    inside = false;
  };
  auto outcome = run(bench, bench.puppet_call(), withdrawal, std::move(listener));
  const auto work = bench.puppet().next();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&work] {
        for (int j = 0; j < 100; ++j) work->job->log("info", "1");
      });
    }
  }
  work->cancelled();
  work->job->cancelled({});
  const auto got = outcome.get();
  ASSERT_TRUE(got);
  EXPECT_EQ(got->state, State::cancelled);
  EXPECT_EQ(told, 400);
}

TEST(Engine_Run, ResultsAreCheckedAndSoIsWhatTheNetworkCarries) {
  EngineOptions narrow = guarded(500);
  narrow.lane.durable = false;
  EngineBench bench(std::move(narrow));
  struct Row {
    std::string result;
    State state;
    std::string_view code;
  };
  const Row rows[] = {
      {kResult, State::completed, ""},
      {R"({"content":1})", State::failed, tasks::failure_code::kInternalError},
      {R"({"content":[{"type":"text","text":")" + std::string(600, 'x') + "\"}]}", State::failed,
       tasks::failure_code::kResultTooLarge},
      {R"({"content":[{"type":"text","text":")" + std::string(70'000, 'x') + "\"}]}", State::failed,
       tasks::failure_code::kResultTooLarge},
  };
  for (const Row& row : rows) {
    auto outcome = run(bench, bench.puppet_call());
    bench.puppet().next()->job->complete(row.result);
    const auto got = outcome.get();
    ASSERT_TRUE(got);
    EXPECT_EQ(got->state, row.state);
    EXPECT_EQ(got->failure.code, row.code);
  }
  auto unguarded = bench.puppet_call();
  unguarded.network = "mcp";
  auto outcome = run(bench, unguarded);
  bench.puppet().next()->job->complete(rows[3].result);
  EXPECT_EQ(outcome.get()->result, rows[3].result);
  outcome = run(bench, unguarded);
  bench.puppet().next()->job->fail(tasks::Failure("broke", "It broke.", true));
  const auto failed = outcome.get();
  EXPECT_EQ(failed->failure.code, "interline.runtime:broke");
  EXPECT_TRUE(failed->failure.retryable);
}

TEST(Engine_Run, TheWorkMayNeitherAskNorRemember) {
  EngineBench bench(options());
  auto outcome = run(bench, bench.puppet_call());
  const auto work = bench.puppet().next();
  EXPECT_EQ(work->job->input().answerable, 0);
  work->ask({asks("name")});
  EXPECT_EQ(work->refused().kind, ErrorKind::not_acceptable);
  EXPECT_FALSE(bench.run(work->job->remember("something")));
  work->job->complete(kResult);
  EXPECT_EQ(outcome.get()->state, State::completed);
}

TEST(Engine_Run, ItsWorkBeginsWithWhatWasPrepared) {
  EngineBench bench(options());
  auto call = bench.puppet_call();
  call.prepared = "where we were";
  tasks::Answer answer;
  answer.key = "name";
  answer.value = "\"Ada\"";
  call.answers.push_back(answer);
  auto outcome = run(bench, call);
  const auto work = bench.puppet().next();
  EXPECT_EQ(work->job->input().state, "where we were");
  ASSERT_EQ(work->job->input().answers.size(), 1U);
  EXPECT_EQ(work->job->input().answers[0].value, "\"Ada\"");
  work->job->complete(kResult);
  EXPECT_TRUE(outcome.get());
}

TEST(Engine_Run, CountsAgainstConcurrencyAndStandsInTheSameLine) {
  EngineBench bench(options(1, 2));
  std::string task;
  const auto first = bench.work(task);
  auto second = run(bench, bench.puppet_call());
  wait_in_line(bench, 1);
  const auto third = bench.admit(kAlice, bench.puppet_call());
  ASSERT_TRUE(third);
  const auto refused = run(bench, bench.puppet_call()).get();
  EXPECT_EQ(refused.error(), bench.admit(kAlice, bench.puppet_call()).error());
  EXPECT_EQ(bench.puppet().started(), 1U);
  first->job->complete(kResult);
  bench.puppet().next()->job->complete(kResult);
  EXPECT_TRUE(second.get()) << "in the order of the line";
  bench.puppet().next()->job->complete(kResult);
  EXPECT_EQ(bench.until(third->task, State::completed).state, State::completed);
}

TEST(Engine_Run, OpenCallsOfAPrincipalAreBounded) {
  EngineOptions few = options();
  few.configure = [](engine::GatewayConfiguration& made) { made.open_tasks = 1; };
  EngineBench bench(std::move(few));
  auto first = run(bench, bench.puppet_call());
  const auto work = bench.puppet().next();
  EXPECT_EQ(run(bench, bench.puppet_call()).get().error().kind, ErrorKind::resource_constraint);
  work->job->complete(kResult);
  EXPECT_TRUE(first.get());
  EXPECT_EQ(run(bench, bench.call("echo")).get()->state, State::completed);
}

TEST(Engine_Run, WhoIsGoneCancelsTheWork) {
  EngineBench bench(options());
  const auto withdrawal = std::make_shared<Withdrawal>();
  auto outcome = run(bench, bench.puppet_call(), withdrawal);
  const auto work = bench.puppet().next();
  withdrawal->withdraw();
  work->cancelled();
  work->job->complete(kResult);  // it was quicker
  EXPECT_EQ(outcome.get()->state, State::completed);
  auto gone = run(bench, bench.puppet_call(), withdrawal).get();
  ASSERT_TRUE(gone);
  EXPECT_EQ(gone->state, State::cancelled) << "before it began";
  EXPECT_EQ(bench.puppet().started(), 1U);
}

TEST(Engine_Run, WorkThatDoesNotEndWhenCancelledIsStopped) {
  EngineBench bench(options(1));
  const auto withdrawal = std::make_shared<Withdrawal>();
  auto outcome = run(bench, bench.puppet_call(), withdrawal);
  const auto work = bench.puppet().next();
  withdrawal->withdraw();
  work->cancelled();
  work->stopped();
  EXPECT_EQ(outcome.get()->state, State::cancelled);
  work->job->complete(kResult);  // late, and for nobody
  auto next = run(bench, bench.puppet_call());
  bench.puppet().next()->job->complete(kResult);
  EXPECT_TRUE(next.get()) << "its slot is free";
}

TEST(Engine_Run, WhoIsGoneLeavesTheLine) {
  EngineBench bench(options(1, 1));
  auto first = run(bench, bench.puppet_call());
  const auto work = bench.puppet().next();
  const auto withdrawal = std::make_shared<Withdrawal>();
  auto second = run(bench, bench.puppet_call(), withdrawal);
  wait_in_line(bench, 1);
  withdrawal->withdraw();
  EXPECT_EQ(second.get()->state, State::cancelled);
  auto third = run(bench, bench.puppet_call());
  wait_in_line(bench, 1);
  work->job->complete(kResult);
  EXPECT_TRUE(first.get());
  bench.puppet().next()->job->complete(kResult);
  EXPECT_TRUE(third.get());
  EXPECT_EQ(bench.puppet().started(), 2U);
}

TEST(Engine_Run, ADeadlineEndsWhatWorksAndWhatWaits) {
  ManualClock clock;
  EngineOptions timed = options(1);
  timed.clock = &clock;
  EngineBench bench(std::move(timed));
  auto call = bench.puppet_call();
  call.deadline = Instant(clock.now() + 1min);
  auto works = run(bench, call);
  const auto work = bench.puppet().next();
  EXPECT_EQ(work->job->input().deadline, call.deadline);
  auto waits = run(bench, call);
  auto whole_life = run(bench, bench.puppet_call());
  wait_in_line(bench, 2);
  clock.tick(1min);
  for (auto* one : {&works, &waits}) {
    const auto got = one->get();
    ASSERT_TRUE(got);
    EXPECT_EQ(got->state, State::failed);
    EXPECT_EQ(got->failure.code, tasks::failure_code::kDeadlineExpired);
  }
  work->stopped();
  const auto last = bench.puppet().next();
  EXPECT_EQ(bench.puppet().started(), 2U);
  clock.tick(24h);
  EXPECT_EQ(whole_life.get()->failure.code, tasks::failure_code::kMaxDuration);
  last->stopped();
}

TEST(Engine_Run, ADrainLetsItEndStopsTheRestAndRefusesWhatWaits) {
  EngineBench bench(options(2));
  auto ends = run(bench, bench.puppet_call());
  const auto first = bench.puppet().next();
  auto is_cut = run(bench, bench.puppet_call());
  const auto second = bench.puppet().next();
  auto waits = run(bench, bench.puppet_call());
  wait_in_line(bench, 1);
  auto drain = [](EngineBench& of) -> awaitable<bool> {
    co_await of.engine().drain(2s);
    co_return true;
  };
  auto drained = bench.spawn(drain(bench));
  EXPECT_EQ(waits.get().error().kind, ErrorKind::unavailable);
  first->job->complete(kResult);
  EXPECT_EQ(ends.get()->state, State::completed);
  const auto cut = is_cut.get();
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->failure.code, tasks::failure_code::kUnavailable);
  second->stopped();
  EXPECT_TRUE(drained.get());
  EXPECT_EQ(run(bench, bench.puppet_call()).get().error().kind, ErrorKind::unavailable);
  EXPECT_EQ(bench.puppet().started(), 2U);
}

TEST(Engine_Run, AStopAnswersEverybodyAndTellsNobody) {
  EngineBench bench(options(1));
  auto works = run(bench, bench.puppet_call());
  const auto work = bench.puppet().next();
  auto waits = run(bench, bench.puppet_call());
  wait_in_line(bench, 1);
  bench.engine().stop();
  EXPECT_EQ(works.get().error().kind, ErrorKind::unavailable);
  EXPECT_EQ(waits.get().error().kind, ErrorKind::unavailable);
  work->job->complete(kResult);
}

TEST(Engine_Run, WhatNobodyWaitsForAtTheEndLeavesNothingBehind) {
  auto bench = std::make_unique<EngineBench>(options(1));
  auto works = run(*bench, bench->puppet_call());
  (void)bench->puppet().next();  // a job is not kept longer than its executor lives
  auto waits = run(*bench, bench->puppet_call());
  wait_in_line(*bench, 1);
  bench.reset();
  // Either the end was quick enough to answer, or nobody was left who could.
  for (auto* call : {&works, &waits}) {
    try {
      EXPECT_EQ(call->get().error().kind, ErrorKind::unavailable);
    } catch (const std::future_error& error) {
      EXPECT_EQ(error.code(), std::future_errc::broken_promise);
    }
  }
}

TEST(Engine_Run, ManyAtOnceEachGetTheirOwn) {
  EngineBench bench(options(8, 10'000));
  std::vector<std::future<Result<RunOutcome>>> all;
  for (int i = 0; i < 500; ++i) {
    auto call = bench.call("echo", "{\"n\":" + std::to_string(i) + "}");
    all.push_back(run(bench, std::move(call)));
  }
  for (int i = 0; i < 500; ++i) {
    const auto got = all[static_cast<std::size_t>(i)].get();
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_NE(got->result.find("{\"n\":" + std::to_string(i) + "}"), std::string::npos);
  }
  while (bench.engine().load("demo").running > 0) std::this_thread::yield();
  EXPECT_EQ(bench.engine().load("demo").waiting, 0U);
}

}  // namespace
}  // namespace interline::testing
