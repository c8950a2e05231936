// What a shutdown finds on its way from the line to a worker: nobody has worked on it, so it waits
// for the next start.
#include <future>

#include <gtest/gtest.h>

#include "bench.hpp"

namespace interline::testing {
namespace {

using namespace std::chrono_literals;
using tasks::State;

const std::string kResult = R"({"content":[]})";

bool admits(const store::Work& work) {
  return std::holds_alternative<store::Admit>(work);
}

/// Drains the engine while a commit is held, and lets that go once the end has begun.
void drain_around_the_held_commit(EngineBench& bench) {
  bench.store().wait_for_held();
  auto drained = bench.spawn(bench.engine().drain(0ms));
  bench.puppet().drained();
  bench.store().let_go();
  drained.get();
}

void expect_a_start_after_restart(EngineBench& bench, const std::string& task,
                                  std::size_t started) {
  const tasks::Task waiting = bench.state(task);
  EXPECT_EQ(waiting.state, State::accepted) << waiting.outcome;
  EXPECT_EQ(waiting.dispatched_boot, 0U);
  EXPECT_EQ(bench.puppet().started(), started);
  bench.restart();
  if (!tasks::is_terminal(bench.state(task).state)) {
    bench.puppet().next()->job->complete(kResult);
  }
  EXPECT_EQ(bench.until(task, State::completed).state, State::completed);
}

TEST(Engine_Drain, WhatIsBeingHandedOutWaitsForTheNextStart) {
  engine::LaneConfiguration lane;
  lane.concurrency = 1;
  EngineBench bench(lane);
  std::string first;
  const auto work = bench.work(first);
  const auto queued = bench.admit(kAlice, bench.puppet_call());
  bench.store().hold(applies<tasks::Dispatch>);
  work->job->complete(kResult);
  drain_around_the_held_commit(bench);
  expect_a_start_after_restart(bench, queued->task, 1);
}

TEST(Engine_Drain, WhatIsBeingAdmittedWaitsForTheNextStart) {
  EngineBench bench;
  bench.store().hold(admits);
  auto admission = bench.spawn(bench.engine().admit(kAlice, bench.puppet_call()));
  drain_around_the_held_commit(bench);
  const auto admitted = admission.get();
  ASSERT_TRUE(admitted);
  expect_a_start_after_restart(bench, admitted->task, 0);
}

}  // namespace
}  // namespace interline::testing
